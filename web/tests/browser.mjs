/** Pages of web/dist in Chromium, opened from the folder, as a user without a server has them. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));

/** A wait after which a test counts as hung [ms]; on a busy machine steps take long. */
export const HUNG = 600_000;

const OPTIONS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export const LAPTOP = { width: 1366, height: 768 };
export const PHONE = { width: 390, height: 844 };

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** Serves the folder as any web server does; resolves to its address. */
export async function serve(t) {
  const server = createServer(async ({ url }, reply) => {
    const name = new URL(url, "http://localhost").pathname.slice(1);
    try {
      const bytes = await readFile(join(DIST, name));
      reply.writeHead(200, { "content-type": KINDS[extname(name)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      reply.writeHead(404).end();
    }
  });
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}/`;
}

let browser;

/** Starts one browser for all tests of a file. */
export function withBrowser() {
  before(async () => {
    assert.ok(existsSync(`${DIST}engine-simd.js`), "web/dist has no engine: build it first");
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: OPTIONS });
  });
  after(() => browser?.close());
}

/** Time that a notice stays on the page [ms]. */
const NOTICE = Number(readFileSync(new URL("../page/laboratory.js", import.meta.url), "utf8").match(/NOTICE = (\d+);/)[1]);

/** Address of a page in the folder, or on a server, with what follows `#`. */
export function address(page, hash = "", from = pathToFileURL(DIST)) {
  return `${from}${page}${hash}`;
}

/**
 * Opens a page, with a script `before` all others if there is one, and waits until it is ready. An error in its console fails the test at its end, and so does
 * any request beyond the folder.
 */
export async function open(t, page, { hash = "", size = LAPTOP, dark = false, touch = false, from = undefined, before = undefined } = {}) {
  const context = await browser.newContext({
    viewport: size, colorScheme: dark ? "dark" : "light", hasTouch: touch, acceptDownloads: true,
  });
  // notices stay: on a slow computer a test may look for one that has had its seconds
  await context.addInitScript((notice) => {
    const { setTimeout } = window;
    window.setTimeout = (done, wait, ...more) => setTimeout(done, wait === notice ? 1e9 : wait, ...more);
  }, NOTICE);
  if (before) await context.addInitScript(before);
  const tab = await context.newPage();
  tab.setDefaultTimeout(HUNG);
  const faults = [];
  // a test that provokes faults empties them
  tab.faults = faults;
  tab.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  tab.on("pageerror", (error) => faults.push(error.message));
  tab.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url()) && !(from && request.url().startsWith(from))) faults.push(`asked for ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(faults, []);
  });
  await tab.goto(address(page, hash, from));
  await tab.waitForFunction(() => document.body.dataset.state !== "loading");
  assert.equal(await tab.evaluate(() => document.body.dataset.state), "ready");
  return tab;
}

/** Waits until an element's text matches. */
export async function says(tab, selector, pattern) {
  const source = pattern.source;
  await tab.waitForFunction(
    ([where, text]) => new RegExp(text).test(document.querySelector(where)?.textContent ?? ""),
    [selector, source],
    { timeout: HUNG },
  );
  return tab.textContent(selector);
}

/** The time that the transport shows [s]. */
export async function time(tab) {
  return Number.parseFloat(await tab.textContent(".time"));
}

/** Waits until the scene has passed a time [s]. */
export function passes(tab, seconds) {
  return tab.waitForFunction((least) => Number.parseFloat(document.querySelector(".time").textContent) > least, seconds, { timeout: HUNG });
}

/** A number that changes with what a canvas shows; 0 where it shows nothing. */
export function picture(tab, selector = "#picture") {
  return tab.evaluate((where) => {
    const canvas = document.querySelector(where);
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, byte) => (sum * 31 + byte) % 2147483647, 0);
  }, selector);
}

/** Waits until the picture is another one than before. */
export async function changes(tab, before, selector = "#picture") {
  const limit = Date.now() + HUNG;
  while ((await picture(tab, selector)) === before) {
    assert.ok(Date.now() < limit, "the picture did not change");
    await tab.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** The link of the share dialog. */
export async function shareLink(tab) {
  await tab.click("#share-open");
  await tab.waitForFunction(() => document.getElementById("share-link").value !== "");
  const link = await tab.inputValue("#share-link");
  await tab.keyboard.press("Escape");
  return link;
}
