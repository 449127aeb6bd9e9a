import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { address, open, passes, says, shareLink, withBrowser } from "./browser.mjs";

withBrowser();

/** The part of a link after `#` for any value. */
const packed = (value) => deflateRawSync(JSON.stringify(value)).toString("base64url");

test("a link does the same again, with the same bits", async (t) => {
  // plays on for 30 s
  const tab = await open(t, "index.html");
  await passes(tab, 0.05);
  await tab.keyboard.press("x");
  await tab.waitForSelector('button.push[aria-pressed="true"]');
  await tab.selectOption("#knob-integrator", "symplectic-euler");
  await passes(tab, 0.1);
  await tab.keyboard.press("Space");
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  const link = await shareLink(tab);
  assert.match(link, /index\.html#[\w-]+$/);
  const other = await open(t, "index.html", { hash: new URL(link).hash });
  await says(other, "#replay", /same bits/);
  assert.equal(await other.getAttribute("#replay", "data-kind"), "good");
});

test("a link carries the panes", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.click('[role="tab"]:text-is("Compare")');
  await tab.click('button:text-is("Add a pane")');
  await tab.selectOption('[aria-label="pane 2: law"]', "cundall-strack");
  await tab.click('button:text-is("Start side by side")');
  await says(tab, ".pane:nth-of-type(2) .pane-facts", /cundall-strack/);
  const link = await shareLink(tab);
  const other = await open(t, "index.html", { hash: new URL(link).hash });
  await other.click('[role="tab"]:text-is("Compare")');
  await says(other, ".pane:nth-of-type(2) .pane-facts", /cundall-strack/);
});

test("a damaged link is said, and the page works on", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.goto(address("index.html", "#3ZBBa4NAEIXv_opl"));
  await says(tab, "#notice", /damaged/);
  await says(tab, "#title", /incline/);
});

test("a link that holds something else is said, and the page works on", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  for (const [value, word] of [
    [{ scene: { name: "belt" }, panes: "x" }, /panes/],
    [{ scene: { name: "belt" }, panes: [["a"], 3] }, /panes/],
    [{ scene: { name: "belt" }, reference: 1 }, /reference/],
    [{ scene: 7 }, /scene/],
    [[], /holds nothing that this page writes/],
    ["text", /holds nothing that this page writes/],
  ]) {
    await tab.goto(address("index.html", `#${await packed(value)}`));
    await says(tab, "#notice", word);
    await says(tab, "#title", /incline/);
  }
});

test("values of the creep page travel in its address", async (t) => {
  const tab = await open(t, "creep.html");
  await tab.selectOption("#engine", "ipc");
  await tab.fill("#key-slope", "10");
  await says(tab, ".part-creep .figure-large", /195\.4 µm\/s/);
  // not tab.url(), which learns of it later
  const hash = await tab.evaluate(() => location.hash);
  const other = await open(t, "step.html", { hash });
  assert.equal(await other.inputValue("#engine"), "ipc");
  assert.equal(await other.inputValue("#key-slope"), "10");
});
