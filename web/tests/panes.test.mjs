/** Panes side by side: their colours, their names, their cards. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LAPTOP, PHONE, open, says, withBrowser } from "./browser.mjs";

withBrowser();

/** Opens panes that differ in ε, the last in h too. */
async function sideBySide(t, count, size) {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep", size, touch: size === PHONE });
  await tab.click('[role="tab"]:text-is("Compare")');
  for (let k = 1; k < count; k += 1) {
    await tab.press('button:text-is("Add a pane")', "Enter");
    await tab.fill(`[aria-label="pane ${k + 1}: ε"]`, `${k}00 µm/s`);
  }
  await tab.fill(`[aria-label="pane ${count}: step"]`, "1 ms");
  await tab.press('button:text-is("Start side by side")', "Enter");
  await says(tab, `.pane-card:nth-of-type(${count}) .pane-verdict`, /step above friction limit/);
  return tab;
}

test("number, lines and legend of a pane have one colour", async (t) => {
  for (const dark of [false, true]) {
    const tab = await sideBySide(t, 4, LAPTOP);
    if (dark) await tab.click("#theme");
    await tab.click('[role="tab"]:text-is("Plots")');
    await says(tab, "#plots", /1 creep.*4 creep.*1 residual.*4 residual/s);
    // figures are drawn anew with the colours of the theme
    await tab.waitForFunction(() => {
      const rgb = (colour) => Object.assign(document.createElement("i"), { style: `color: ${colour}` }).style.color;
      const badges = [...document.querySelectorAll(".pane-badge")].map((node) => getComputedStyle(node).backgroundColor);
      const lines = [...document.querySelectorAll(".figure:not([hidden]) .u-series:not(:first-child)")];
      const own = lines.filter((node) => /^[1-4] /.test(node.textContent));
      const apart = own.filter((node) => rgb(node.querySelector("line").getAttribute("stroke")) !== badges[Number(node.textContent[0]) - 1]);
      return badges.length === 4 && new Set(badges).size === 4 && own.length >= 12 && apart.length === 0;
    });
    await tab.click('[role="tab"]:text-is("Compare")');
    const [badges, numbers] = await Promise.all([".pane-badge", ".pane-number"].map((kind) => tab.locator(kind).evaluateAll((all) => all.map((node) => getComputedStyle(node).backgroundColor))));
    assert.deepEqual(numbers, badges);
  }
});

for (const [name, size] of [["phone", PHONE], ["laptop", LAPTOP]]) {
  test(`on a ${name} panes are named by what differs, and no word of their cards is cut`, async (t) => {
    const tab = await sideBySide(t, 4, size);
    assert.deepEqual(await tab.locator(".pane-name").allInnerTexts(), ["ε 1.00 mm/s, h 10.0 µs", "ε 100 µm/s, h 10.0 µs", "ε 200 µm/s, h 10.0 µs", "ε 300 µm/s, h 1.00 ms"]);
    assert.match(await tab.textContent(".pane-card:nth-of-type(4) .pane-rate"), /^h λ [\d.]+ of 2\.79$/);
    await says(tab, ".pane-card:nth-of-type(1) .pane-verdict", /^✓ no fault found so far$/);
    const cut = await tab.locator(".pane-card, .pane-card *").evaluateAll((all) => all.filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline").map((node) => node.textContent));
    assert.deepEqual(cut, []);
    const beyond = await tab.locator(".pane-card").evaluateAll((all) => {
      const picture = document.querySelector(".picture").getBoundingClientRect();
      const places = all.map((node) => node.getBoundingClientRect());
      return places.filter(({ right, bottom }) => right > picture.right || bottom > picture.bottom).length;
    });
    assert.equal(beyond, 0);
  });
}
