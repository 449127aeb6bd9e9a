// Packs the engine into one classic script, so that the page works from a folder, where nothing can be
// fetched: `node pack.mjs FOLDER OUT.js` with engine.js and engine_bg.wasm in FOLDER.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [folder, out] = process.argv.slice(2);
if (!out) throw new Error("usage: node pack.mjs FOLDER OUT.js");
const page = new URL("../page/", import.meta.url);
const start = readFileSync(`${folder}/engine.js`, "utf8");
const worker = start + readFileSync(new URL("worker.js", page), "utf8");
const wasm = gzipSync(readFileSync(`${folder}/engine_bg.wasm`), { level: 9 }).toString("base64");
const simd = out.includes("simd");
writeFileSync(out, `self.STICTION_ENGINE = ${JSON.stringify({ worker, wasm, simd })};\n`);
