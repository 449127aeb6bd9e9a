// States and pictures of the engine in the browser have the bits of the program on this machine:
// target/web/hashes.json, which web/check has examples/hashes.rs write.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { open, withBrowser } from "./browser.mjs";

const dist = new URL("../dist/", import.meta.url);
const native = JSON.parse(readFileSync(new URL("../../target/web/hashes.json", import.meta.url)));

withBrowser();

/** A page with one worker, and `ask(request)` in it. */
async function started(t, engine) {
  const page = await open(t, "index.html");
  // by its place: the page takes no script from its own text
  await page.addScriptTag({ url: new URL(engine, page.url()).href });
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const { worker, wasm, simd } = self.STICTION_ENGINE;
        const made = new Worker(URL.createObjectURL(new Blob([worker])));
        const waiting = new Map();
        self.ask = (request) =>
          new Promise((answered) => {
            const id = waiting.size + 1;
            waiting.set(id, answered);
            made.postMessage({ id, ...request });
          });
        made.onmessage = ({ data }) => {
          if (data.is === "ready") resolve();
          if (data.is === "broken") reject(new Error(data.message));
          waiting.get(data.id)?.(data);
        };
        made.postMessage({ do: "start", wasm, simd });
      }),
  );
  return page;
}

const ask = (page, request) => page.evaluate((request) => self.ask(request), request);

for (const engine of ["engine-simd.js", "engine-plain.js"]) {
  const skip = !existsSync(new URL(engine, dist)) && "not built";

  test(`states of ${engine} have the program's bits`, { skip }, async (t) => {
    const page = await started(t, engine);
    let steps = 0;
    for (const state of native.states) {
      const { name, text, set } = state;
      const answer = await ask(page, { do: "hash", name, text, set, steps: state.steps });
      const what = `${name ?? "the lattice"} ${set}`;
      if (state.hash) assert.equal(answer.value?.hash, state.hash, `${what}: ${answer.message}`);
      else assert.equal(answer.message, state.refused, what);
      steps += state.hash ? state.steps : 0;
    }
    const lattice = native.states.find((state) => state.text);
    const again = { do: "hash", text: lattice.text, set: [], steps: lattice.steps };
    const { seconds } = (await ask(page, again)).value;
    const share = (lattice.seconds / seconds).toFixed(2);
    t.diagnostic(`${native.states.length} runs, ${steps} steps, the same bits`);
    t.diagnostic(`lattice of 10 × 10 × 10: ${share} of the speed of the program on one thread`);
  });

  test(`pictures of ${engine} have the program's pixels`, { skip }, async (t) => {
    const page = await started(t, engine);
    for (const { request, sha256 } of native.pictures) {
      const pixels = await page.evaluate(async (request) => {
        const { value } = await self.ask(request);
        return Array.from(new Uint8Array(value.pixels));
      }, request);
      assert.equal(pixels.length, 4 * request.width * request.height);
      const hash = createHash("sha256").update(Uint8Array.from(pixels)).digest("hex");
      assert.equal(hash, sha256, request.name);
    }
  });
}
