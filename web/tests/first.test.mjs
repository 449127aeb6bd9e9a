/** What a stranger meets: the first scene, what to do with it, and the button for it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LAPTOP, PHONE, open, passes, picture, changes, says, withBrowser } from "./browser.mjs";

withBrowser();

/** Bottom and top of an element in the window [CSS pixels]. */
const place = (tab, selector) => tab.locator(selector).first().evaluate((node) => {
  const { top, bottom } = node.getBoundingClientRect();
  return { top, bottom };
});

for (const [name, size] of [["phone", PHONE], ["laptop", LAPTOP]]) {
  test(`on a ${name} the sentence and the push are on the first screen, above all sliders`, async (t) => {
    const tab = await open(t, "index.html", { size, touch: name === "phone" });
    await passes(tab, 0.05);
    const sentence = await tab.textContent("#try");
    assert.match(sentence, /^Press Push: .*\.$/);
    const [words, push, picture] = [await place(tab, "#try"), await place(tab, "button.push"), await place(tab, ".picture")];
    assert.ok(words.top >= 0 && push.bottom <= size.height, `the push ends at ${push.bottom}`);
    assert.ok(picture.bottom - picture.top > 200, "the picture is small");
    const sliders = await tab.locator('input[type="range"]').evaluateAll((all) => all.filter((node) => node.checkVisibility()).map((node) => node.getBoundingClientRect().top));
    if (name === "phone") assert.ok(sliders.every((top) => top >= push.top), `a slider at ${Math.min(...sliders)} before the push at ${push.top}`);
    // in the order of the page, the push is the first thing that acts on the scene
    assert.ok(await tab.evaluate(() => [...document.querySelectorAll("input, select, button.push")].filter((node) => node.closest("main"))[0].matches("button.push")));
  });
}

test("the first scene waits for a push, which tips the box or slides it", async (t) => {
  const tab = await open(t, "index.html");
  await passes(tab, 0.2);
  const was = await picture(tab);
  await tab.click("button.push");
  await changes(tab, was);
  await says(tab, "#verdict .level", /no fault found/);
  const link = () => tab.evaluate(() => document.title);
  assert.match(await link(), /narrow box/);
});

test("every scene has a sentence, and a replay has none", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=belt" });
  await says(tab, "#try", /^Press Push, /);
  const other = await open(t, "index.html", { hash: "#scene=stick_slip" });
  await says(other, "#try", /raise ε to 200 mm\/s/);
});
