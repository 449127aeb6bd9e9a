import assert from "node:assert/strict";
import { test } from "node:test";
import { open, says, withBrowser } from "./browser.mjs";

withBrowser();

/** Opens the editor with the text of a scene. */
async function editor(t, scene) {
  const tab = await open(t, "index.html", { hash: `#scene=${scene}` });
  await tab.click('[role="tab"]:text-is("Text")');
  await says(tab, ".cm-content", /format = 1/);
  return tab;
}

/** Puts the cursor at the end of the line that begins so. */
async function endOf(tab, start) {
  await tab.locator(".cm-line", { hasText: start }).first().click();
  await tab.keyboard.press("End");
}

test("an error is said with line and column, and the scene before plays on", async (t) => {
  const tab = await editor(t, "incline_creep");
  await endOf(tab, "static_friction");
  await tab.keyboard.press("Enter");
  await tab.keyboard.type("statik = 3");
  const words = await says(tab, ".errors", /line 17, column 1/);
  assert.match(words, /error.*statik/s);
  await tab.waitForSelector(".cm-lintRange-error");
  await tab.keyboard.press("Control+Enter");
  await says(tab, "#text .about", /plays on/);
  await says(tab, "#title", /A block held on a 20° incline/);
  await tab.click('.errors button:text-is("line 17, column 1")');
  assert.equal(await tab.evaluate(() => document.querySelector(".cm-activeLine").textContent), "statik = 3");
});

test("an edited text runs", async (t) => {
  const tab = await editor(t, "incline_creep");
  await endOf(tab, "title = ");
  await tab.keyboard.press("ArrowLeft");
  await tab.keyboard.type(" (edited)");
  await tab.keyboard.press("Control+Enter");
  await says(tab, "#title", /\(edited\)$/);
  await says(tab, "#text .about", /no errors, 1 particle$/);
});

test("keys and values are completed from the schema", async (t) => {
  const tab = await editor(t, "incline_creep");
  await endOf(tab, "method = ");
  for (let k = 0; k < 5; k += 1) await tab.keyboard.press("Backspace");
  await tab.keyboard.press("Control+Space");
  await says(tab, ".cm-tooltip-autocomplete", /implicit-euler/);
  await tab.keyboard.press("Escape");
  await endOf(tab, "mass = ");
  await tab.keyboard.press("Enter");
  await tab.keyboard.type("vel");
  await says(tab, ".cm-tooltip-autocomplete", /velocity/);
  await says(tab, ".cm-completionInfo", /velocity of the whole body/);
});
