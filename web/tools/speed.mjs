/**
 * How fast the page is: `node tools/speed.mjs [--write]` prints a table, or writes it into docs/browser.md.
 * It opens web/dist in Chromium, once as this machine is and once slowed down by a factor of four: the process
 * of the page then stands still for three quarters of every 20 ms. No test depends on it.
 */
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { chromium } from "playwright-core";
import { address } from "../tests/browser.mjs";
import { machine, tableOf, within } from "./speed_table.mjs";

const DOCS = new URL("../../docs/browser.md", import.meta.url);
const SCENES = [["first scene", ""], ["stick_slip", "#scene=stick_slip"], ["tipping_box", "#scene=tipping_box"]];
/** A turn of the brake, its running share, and the time that is measured [ms]. */
const [TURN, SPAN] = [20, 6000];
const SIZE = { width: 1366, height: 768 };
const BARE = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];

const wait = (time) => new Promise((done) => setTimeout(done, time));

/** Stops the processes of the page for all but 1/`factor` of each turn; resolves to what releases them. */
async function brake(browser, factor) {
  if (factor === 1) return () => {};
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  const send = (signal) => pages.forEach((id) => process.kill(id, signal));
  let on = true;
  const ended = (async () => {
    while (on) {
      send("SIGSTOP");
      await wait(TURN - TURN / factor);
      send("SIGCONT");
      await wait(TURN / factor);
    }
  })();
  return async () => {
    on = false;
    await ended;
  };
}

/** Counts pictures and blocks of the main thread in the page, from its start. */
function counters() {
  self.pictures = 0;
  self.blocks = [];
  const put = CanvasRenderingContext2D.prototype.putImageData;
  CanvasRenderingContext2D.prototype.putImageData = function count(...given) {
    if (this.canvas.id === "picture") self.pictures += 1;
    return put.apply(this, given);
  };
  new PerformanceObserver((list) => self.blocks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask", buffered: true });
}

const read = (tab) => tab.evaluate(() => ({
  scene: Number.parseFloat(document.querySelector(".time").textContent),
  wall: performance.now(),
  pictures: self.pictures,
  blocks: self.blocks.splice(0),
}));

async function figures(name, hash, factor) {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: BARE });
  try {
    const tab = await (await browser.newContext({ viewport: SIZE })).newPage();
    await tab.addInitScript(counters);
    await tab.goto("about:blank");
    const release = await brake(browser, factor);
    await tab.goto(address("index.html", hash));
    await tab.waitForFunction(() => document.body.dataset.state === "ready", null, { timeout: 120_000 });
    await wait(500);
    const start = await read(tab);
    await wait(SPAN);
    const end = await read(tab);
    await release();
    const seconds = (end.wall - start.wall) / 1000;
    return {
      name, factor, real: (end.scene - start.scene) / seconds, pictures: (end.pictures - start.pictures) / seconds,
      opening: Math.max(0, ...start.blocks), playing: Math.max(0, ...end.blocks), version: browser.version(),
    };
  } finally {
    await browser.close();
  }
}

const rows = [];
for (const factor of [1, 4]) {
  for (const [name, hash] of SCENES) rows.push(await figures(name, hash, factor));
}
const text = tableOf(rows, machine(new Date(), cpus(), rows[0].version));
console.log(text);
if (process.argv.includes("--write")) {
  const docs = await readFile(DOCS, "utf8");
  await writeFile(DOCS, within(docs, text));
}
