import assert from "node:assert/strict";
import { test } from "node:test";
import { open, says, withBrowser } from "./browser.mjs";

withBrowser();

test("the creep of the threshold law is ε tan a/μ, exact", async (t) => {
  const tab = await open(t, "creep.html");
  await tab.selectOption("#engine", "stiction");
  await tab.fill("#key-slope", "20");
  await tab.fill("#key-friction", "0.6");
  await says(tab, ".part-creep .figure-large", /^606\.6 µm\/s$/);
  await says(tab, ".part-creep .stamp", /Exact/);
});

test("an estimate is said to be one", async (t) => {
  const tab = await open(t, "creep.html");
  await tab.selectOption("#engine", "newton");
  await says(tab, ".part-creep .stamp", /An estimate/);
});

test("from a budget to values, which are typed in and keep it", async (t) => {
  const tab = await open(t, "creep.html");
  await says(tab, ".part-creep .figure-large", /µm\/s/);
  await tab.fill("#key-budget", "1 µm/s");
  await says(tab, ".change-row", /largest step/);
  await tab.click('.change-row button:text-is("Type it in")');
  await says(tab, "#answer", /Nothing to change/);
});

test("a load that friction cannot hold slides", async (t) => {
  const tab = await open(t, "creep.html");
  await tab.selectOption("#engine", "stiction");
  await tab.fill("#key-slope", "40");
  await says(tab, ".part-creep", /slides.*m\/s²/);
});

test("the largest step of rk4 is 2.785/λ, and a larger one is refused", async (t) => {
  const tab = await open(t, "step.html");
  await tab.selectOption("#engine", "stiction");
  await tab.fill("#key-slope", "20");
  await tab.fill("#key-friction", "0.6");
  await tab.click('summary:text-is("more of the load")');
  await tab.fill("#key-contacts", "1");
  await tab.fill("#key-height", "0");
  await says(tab, ".part-step .figure-large", /^503\.6 µs$/);
  await tab.fill("#key-step", "1 ms");
  await says(tab, ".part-step .stamp", /too large/);
  assert.equal(await tab.getAttribute(".part-step .stamp", "data-kind"), "bad");
});

test("what is no number is said beside its field", async (t) => {
  const tab = await open(t, "creep.html");
  await says(tab, ".part-creep .figure-large", /µm\/s/);
  await tab.fill("#key-mass", "heavy");
  await says(tab, ".field:has(#key-mass) .field-error", /needs a number/);
  // and the answer to other values is gone
  await says(tab, "#answer", /No answer: mass has no value/);
  assert.equal(await tab.locator("#answer .figure-large").count(), 0);
  await tab.fill("#key-mass", "2");
  await says(tab, ".part-creep .figure-large", /µm\/s/);
});
