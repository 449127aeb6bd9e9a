/** Every control at the width of a phone: high enough for a finger, and nothing beyond the edge. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, passes, says, withBrowser } from "./browser.mjs";

withBrowser();

const NARROW = { width: 360, height: 740 };
/** Height of what a finger hits [CSS pixels]. */
const FINGER = 44;

/** Controls that are shown and lower than a finger needs; a box within a label is as high as the label. */
function low(least) {
  const top = document.querySelector("dialog[open]") ?? document.body;
  const shown = [...top.querySelectorAll("button, input, select, textarea, a, summary, [role=tab], .u-legend th")].filter(
    (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".skip, .hidden, .unseen, .cm-editor, details:not([open]) > :not(summary)"),
  );
  const heights = shown.map((node) => [(node.closest("label") ?? node).getBoundingClientRect().height, node]);
  const name = (node) => `${node.tagName} ${node.id || node.getAttribute("aria-label") || node.textContent || node.type}`.trim().slice(0, 50);
  return { count: shown.length, low: heights.filter(([height]) => height < least - 0.5).map(([height, node]) => `${name(node)}: ${height.toFixed(1)}`) };
}

const tabNamed = (name) => async (tab) => {
  await passes(tab, 0.05);
  await tab.click(`[role="tab"]:text-is("${name}")`);
};

const VIEWS = [
  ["the first scene", "index.html", "", (tab) => passes(tab, 0.05), 25],
  ["plots", "index.html", "#scene=incline_creep", async (tab) => {
    await tabNamed("Plots")(tab);
    await tab.waitForSelector("#plots .u-legend th >> visible=true"); // the legend of a lone line shows under a finger only
  }, 15],
  ["panes", "index.html", "#scene=sliding_box", async (tab) => {
    await tabNamed("Compare")(tab);
    await tab.click('button:text-is("Add a pane")');
  }, 20],
  ["text", "index.html", "#scene=incline_creep", async (tab) => {
    await tabNamed("Text")(tab);
    await says(tab, "#text .about", /no errors/);
  }, 15],
  ["layers", "index.html", "#scene=incline_creep", (tab) => tab.click(".menu summary"), 30],
  ["library", "index.html", "", async (tab) => {
    await tab.click("#scenes-open");
    await says(tab, "#library-count", /^\d\d+ scenes$/);
  }, 30],
  ["share", "index.html", "", (tab) => tab.click("#share-open"), 6],
  ["keys", "index.html", "", (tab) => tab.click("#keys-open"), 1],
  ["reasons and a verification", "index.html", "#scene=tipping_box_3d", async (tab) => {
    await says(tab, "#title", /three dimensions/);
    await tab.click('button:text-is("Verify")');
    await tab.waitForSelector(".verdict .task button");
  }, 25],
  ["a lesson", "lessons.html", "", (tab) => says(tab, "#lesson h1", /./), 30],
  ["creep", "creep.html", "", async (tab) => {
    await tab.fill("#key-budget", "1 µm/s");
    await says(tab, ".change-row", /largest step/);
    await tab.evaluate(() => document.querySelectorAll("details").forEach((node) => (node.open = true)));
  }, 15],
  ["step", "step.html", "", (tab) => says(tab, ".part-step", /ms|µs/), 10],
];

for (const [name, page, hash, come, least] of VIEWS) {
  test(`${name}: controls are ${FINGER} px high, and nothing scrolls sideways at ${NARROW.width} px`, async (t) => {
    const tab = await open(t, page, { hash, size: NARROW, touch: true });
    await come(tab);
    const found = await tab.evaluate(low, FINGER);
    assert.ok(found.count >= least, `only ${found.count} controls`);
    assert.deepEqual(found.low, []);
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it scrolls sideways");
    const inner = await tab.evaluate(() => [...document.querySelectorAll("dialog[open] .body, .panel, .stage")].filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1).map((node) => node.className));
    assert.deepEqual(inner, [], "a part of it scrolls sideways");
  });
}
