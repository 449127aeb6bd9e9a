/** Pages on paper. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, says, withBrowser } from "./browser.mjs";

withBrowser();

/** Visible controls, and backgrounds that are not white. */
function printed() {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1;
  const controls = [...document.querySelectorAll("button, select, nav, input[type=range], a.button")].filter(seen).map((node) => node.textContent || node.tagName);
  const grounds = [...document.querySelectorAll("body, main, section, aside, article, form, fieldset, .teacher")].filter(seen).map((node) => getComputedStyle(node).backgroundColor);
  return { controls, grounds: [...new Set(grounds)].filter((colour) => !["rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"].includes(colour)) };
}

for (const dark of [false, true]) {
  test(`a lesson on paper has its text and questions with blanks, on white${dark ? ", of a dark page too" : ""}`, async (t) => {
    const tab = await open(t, "lessons.html", { hash: "#stick_slip", dark });
    await says(tab, "#lesson h1", /Stick and slip/);
    await tab.locator(".question input").first().fill("5.886");
    await tab.locator(".question input").first().press("Enter");
    await tab.emulateMedia({ media: "print" });
    assert.deepEqual(await tab.evaluate(printed), { controls: [], grounds: [] });
    assert.equal(await tab.locator(".question:visible").count(), 6);
    assert.equal(await tab.locator(".question .said:visible, .question .formula:visible").count(), 0);
    const [top, bottom] = await tab.locator(".question input").first().evaluate((node) => ["Top", "Bottom"].map((side) => getComputedStyle(node)[`border${side}Width`]));
    assert.deepEqual([top, bottom], ["0px", "1px"]);
    assert.equal(await tab.evaluate(() => getComputedStyle(document.body).color), "rgb(28, 39, 51)");
  });
}

test("the laboratory on paper has title, picture, figures and verdict", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip" });
  await tab.waitForSelector("#now .figure:not([hidden]) canvas");
  await tab.setViewportSize({ width: 794, height: 1123 });
  await tab.emulateMedia({ media: "print" });
  assert.deepEqual(await tab.evaluate(printed), { controls: [], grounds: [] });
  for (const part of ["#title", "#picture", "#now canvas", "#now .numbers thead", "#verdict .level"]) assert.ok(await tab.isVisible(part), part);
  assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it is wider than the paper");
});
