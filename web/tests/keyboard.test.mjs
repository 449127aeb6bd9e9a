import assert from "node:assert/strict";
import { test } from "node:test";
import { changes, open, passes, picture, says, time, withBrowser } from "./browser.mjs";

withBrowser();

/** Presses tab until the focus is on what a selector names. */
async function tabTo(tab, selector) {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await tab.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    await tab.keyboard.press("Tab");
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

test("the laboratory is used by keys alone", async (t) => {
  // the first scene plays on for 30 s: it has not ended before it is stopped
  const tab = await open(t, "index.html");
  await passes(tab, 0.05);
  await tab.keyboard.press("Tab");
  assert.equal(await tab.evaluate(() => document.activeElement.className), "skip");
  await tab.keyboard.press("Enter");
  await tabTo(tab, "#picture");
  await tab.keyboard.press("Space");
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  const stopped = await time(tab);
  const was = await picture(tab);
  await tab.keyboard.press("ArrowLeft");
  await changes(tab, was);
  assert.equal(await time(tab), stopped);
  await tab.keyboard.press("d");
  await tab.waitForFunction(() => !document.querySelector('[data-knob="step"] input[type="text"]').value.startsWith("250 µs"));
  await tabTo(tab, '[aria-controls="change"]');
  await tab.keyboard.press("ArrowRight");
  assert.equal(await tab.isVisible("#plots"), true);
  await tab.keyboard.press("End");
  await says(tab, ".cm-content", /format = 1/);
});

test("? lists the keys, and escape closes", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=sliding_block" });
  await tab.keyboard.press("?");
  await tab.waitForSelector("#keys[open]");
  assert.match(await tab.textContent("#keys-body"), /play or pause/);
  await tab.keyboard.press("Escape");
  await tab.waitForSelector("#keys:not([open])", { state: "attached" });
});

test("what has the focus shows it", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=sliding_block" });
  const seen = new Set();
  for (let presses = 0; presses < 30; presses += 1) {
    await tab.keyboard.press("Tab");
    const [name, width] = await tab.evaluate(() => {
      const focus = document.activeElement;
      return [focus.outerHTML.slice(0, 80), Number.parseFloat(getComputedStyle(focus).outlineWidth)];
    });
    seen.add(name);
    assert.ok(width >= 2, name);
  }
  assert.ok(seen.size > 20, `${seen.size} elements`);
});
