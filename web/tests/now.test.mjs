/** The first measure below the picture, and how figures are drawn. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LAPTOP, PHONE, open, passes, says, withBrowser } from "./browser.mjs";

withBrowser();

test("the first measure is plotted below the picture beside every tab, with the numbers above the fold", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip", size: LAPTOP });
  for (const name of ["Change", "Plots", "Compare", "Text"]) {
    await tab.click(`[role="tab"]:text-is("${name}")`);
    await tab.waitForSelector("#now .figure:not([hidden]) canvas");
    assert.equal(await tab.innerText("#now figcaption"), "pull", name);
    const [now, picture] = await Promise.all(["#now", ".picture"].map((part) => tab.locator(part).boundingBox()));
    assert.ok(now.y >= picture.y + picture.height && now.y + now.height <= LAPTOP.height, name);
    assert.ok(picture.height > 250, `${name}: the picture has ${picture.height}`);
    const rows = await tab.locator("#now .numbers tr:visible").allInnerTexts();
    assert.equal(rows.length, 3, rows.join());
  }
  // a scene without measures has none
  const other = await open(t, "index.html");
  await passes(other, 0.3);
  assert.equal(await other.isVisible("#now"), false);
});

test("on a phone the numbers stand on the first screen", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip", size: PHONE, touch: true });
  await says(tab, "#now .numbers tbody", /period.*swing/);
  const { y, height } = await tab.locator("#now .numbers tbody").boundingBox();
  assert.ok(y + height < PHONE.height && height < 60, `${y}, ${height}`);
  assert.equal(await tab.isVisible("#now .figure"), false);
});

/** Takes the points of every line that is drawn. */
function watchLines() {
  self.lines = [];
  const { moveTo, lineTo } = Path2D.prototype;
  const lines = new WeakMap();
  Path2D.prototype.moveTo = function move(x, y) {
    lines.set(this, [[x, y]]);
    self.lines.push(lines.get(this));
    return moveTo.call(this, x, y);
  };
  Path2D.prototype.lineTo = function line(x, y) {
    if (!lines.has(this)) self.lines.push(lines.set(this, []).get(this));
    lines.get(this).push([x, y]);
    return lineTo.call(this, x, y);
  };
}

test("a ramp is straight, not a staircase", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip", before: watchLines });
  await tab.waitForSelector("#now .figure:not([hidden]) canvas");
  await passes(tab, 0.9);
  await tab.click("button.play");
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  assert.ok((await tab.evaluate(() => Number.parseFloat(document.querySelector(".time").textContent))) < 1.4, "it sticks");
  await tab.evaluate(() => (self.lines = []));
  await tab.click('[aria-label^="A frame on"]');
  // while it sticks the force of the spring is k V t
  await tab.waitForFunction(() => self.lines.some((line) => line.length > 20));
  const off = await tab.evaluate(() => {
    const line = self.lines.find((points) => points.length > 20);
    const [[x0, y0], [x1, y1]] = [line[0], line.at(-1)];
    return Math.max(...line.map(([x, y]) => Math.abs(y - y0 - ((x - x0) * (y1 - y0)) / (x1 - x0))));
  });
  assert.ok(off < 0.1, `${off} pixels beside the ramp`);
});

test("values stand below a figure while a pointer is over it", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip" });
  const legend = tab.locator("#now .u-legend");
  await tab.waitForSelector("#now .figure:not([hidden]) canvas");
  await passes(tab, 0.3);
  assert.equal(await legend.isVisible(), false);
  await tab.hover("#now .u-over");
  await legend.waitFor();
  await says(tab, "#now .u-legend", /pull.*N/);
  await tab.hover("#title");
  await legend.waitFor({ state: "hidden" });
});
