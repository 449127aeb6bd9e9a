/** Every page at three sizes, light and dark: nothing scrolls sideways, nothing lies over something else. */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { changes, open, passes, says, withBrowser } from "./browser.mjs";

withBrowser();

const SHOTS = fileURLToPath(new URL("../dist-shots/", import.meta.url));
const SIZES = { phone: { width: 390, height: 844 }, laptop: { width: 1366, height: 768 }, projector: { width: 1920, height: 1080 } };

const tabNamed = (name) => async (tab) => {
  await passes(tab, 0.05);
  await tab.click(`[role="tab"]:text-is("${name}")`);
};

/** Views: name, page, what follows `#`, and how to come to it. */
const VIEWS = [
  ["first", "index.html", "", async (tab) => {
    await passes(tab, 0.1);
    await tab.click("button.push");
    await passes(tab, 0.9);
  }],
  ["laboratory", "index.html", "#scene=tipping_box", (tab) => passes(tab, 1.2)],
  ["stick_slip", "index.html", "#scene=stick_slip", (tab) => passes(tab, 1)],
  ["not_trusted", "index.html", "#scene=incline_creep", async (tab) => {
    await tab.fill('[data-knob="step"] input[type="text"]', "1 ms");
    await tab.keyboard.press("Enter");
    await says(tab, "#verdict .level", /not trusted/);
  }],
  ["plots", "index.html", "#scene=gripper", async (tab) => {
    await tabNamed("Plots")(tab);
    await tab.waitForSelector("#plots canvas");
  }],
  ["compare", "index.html", "#scene=sliding_box", tabNamed("Compare")],
  ["text", "index.html", "#scene=incline_creep", async (tab) => {
    await tabNamed("Text")(tab);
    await says(tab, "#text .about", /no errors/);
  }],
  ["library", "index.html", "#scene=incline_creep", async (tab) => {
    await tab.click("#scenes-open");
    await says(tab, "#library-count", /^\d\d+ scenes$/);
    await changes(tab, 0, "#library li:nth-child(6) canvas");
  }],
  ["share", "index.html", "#scene=incline_creep", async (tab) => {
    await tab.click("#share-open");
    await tab.waitForFunction(() => document.getElementById("share-link").value !== "");
  }],
  ["keys", "index.html", "#scene=incline_creep", (tab) => tab.keyboard.press("?")],
  ["first_lesson", "lessons.html", "", async (tab) => {
    await tab.locator(".question").nth(1).locator(".run").click();
    await says(tab, ".question:nth-of-type(2) .measured", /computed/);
    await tab.evaluate(() => scrollTo(0, 0));
  }],
  ["lesson", "lessons.html", "#why_it_lies", (tab) => says(tab, "#lesson h1", /lies/)],
  ["creep", "creep.html", "", async (tab) => {
    await tab.fill("#key-budget", "1 µm/s");
    await says(tab, ".change-row", /largest step/);
    await tab.evaluate(() => scrollTo(0, 0));
  }],
  ["step", "step.html", "", (tab) => says(tab, ".part-step", /ms|µs/)],
];

/** Pairs of controls that lie over one another, and texts that are cut. */
function clashes() {
  const top = document.querySelector("dialog[open]") ?? document.body;
  const shown = [...top.querySelectorAll("button, input, select, textarea, a, h1, h2, summary, output")].filter((node) => {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest(".skip, .hidden, .unseen, .cm-editor, details:not([open]) > :not(summary)")) return false;
    const { width, height } = node.getBoundingClientRect();
    return width > 1 && height > 1;
  });
  const found = [];
  const name = (node) => (node.id || node.getAttribute("aria-label") || node.textContent || node.tagName).trim().slice(0, 30);
  shown.forEach((one, k) => {
    const a = one.getBoundingClientRect();
    if (a.right > innerWidth + 1 || a.left < -1) found.push(`${name(one)} is cut`);
    if (one.tagName === "BUTTON" && one.scrollWidth > one.clientWidth + 1) found.push(`the word of ${name(one)} is cut`);
    for (const other of shown.slice(k + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      // what scrolls under a bar that stays is not in its way
      if (one.closest(".tabs") || other.closest(".tabs")) continue;
      const b = other.getBoundingClientRect();
      const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
      if (over && one.closest(".panel, dialog .body") === other.closest(".panel, dialog .body")) found.push(`${name(one)} over ${name(other)}`);
    }
  });
  return found;
}

/** Texts whose contrast to what is behind them is below 4.5 (WCAG 2, AA). */
function faint() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest(":disabled, script, .unseen, .cm-editor")) continue;
    const [a, b] = [luminance(channels(getComputedStyle(node).color)), luminance(behind(node))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) found.add(`${walker.currentNode.data.trim().slice(0, 30)}: ${contrast.toFixed(2)}`);
  }
  return [...found];
}

await mkdir(SHOTS, { recursive: true });
for (const [name, page, hash, come] of VIEWS) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const dark of [false, true]) {
      test(`${name}, ${size}, ${dark ? "dark" : "light"}`, async (t) => {
        const tab = await open(t, page, { hash, size: viewport, dark });
        await come(tab);
        await tab.screenshot({ path: `${SHOTS}${name}-${size}-${dark ? "dark" : "light"}.png` });
        assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
        assert.deepEqual(await tab.evaluate(clashes), []);
        assert.deepEqual(await tab.evaluate(faint), []);
      });
    }
  }
}
