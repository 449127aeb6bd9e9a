/** Links that nobody wrote: each opens something or is refused in words, and the page works on. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { asked, pack, session, unpack } from "../page/share.js";
import { address, open, says, withBrowser } from "./browser.mjs";

withBrowser();

const packed = (value) => `#${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;

/** Numbers from 0 to 1 that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SHAPES = [
  null, true, false, 0, -1, 3.5, 1e308, -0, "", "x", "\u0000", "a".repeat(5000), [], {}, [[]], [null], [["a", 1]], [["time.end=1"]],
  { name: null }, { name: "" }, { name: "belt" }, { name: "belt", text: 5 }, { name: ["belt"] }, { text: "" }, { text: "format = 1" },
  { length: 4 }, { toString: 1 }, { then: 1 }, { name: "__proto__" }, Array(5).fill([]), [Array(101).fill("a=1")],
];
const KEYS = ["scene", "panes", "reference", "recording", "dark", "format", "engine", "values", "__proto__", "toString", "then", ""];

/** Any value, nested up to `depth`. */
function any(next, depth) {
  if (depth === 0 || next() < 0.4) return SHAPES[Math.floor(next() * SHAPES.length)];
  if (next() < 0.4) return Array.from({ length: Math.floor(next() * 6) }, () => any(next, depth - 1));
  const count = Math.floor(next() * 5);
  return Object.fromEntries(Array.from({ length: count }, () => [KEYS[Math.floor(next() * KEYS.length)], any(next, depth - 1)]));
}

/** Asserts that a reader returns a record or throws words. */
function answers(read, value) {
  let got;
  try {
    got = read(value);
  } catch (error) {
    assert.equal(error.constructor, Error, `${JSON.stringify(value)}: ${error}`);
    assert.match(error.message, /^this link (cannot be opened|is damaged): \S.{5,300}$/s, JSON.stringify(value));
    return null;
  }
  assert.equal(Object.getPrototypeOf(got), Object.prototype);
  return got;
}

test("a reader gives a session or words, whatever a link holds", () => {
  const next = numbers(37);
  let good = 0;
  for (let k = 0; k < 20_000; k += 1) {
    const value = JSON.parse(JSON.stringify(k % 2 ? any(next, 4) : { scene: { name: "belt" }, ...any(next, 2) }));
    const got = answers(session, value);
    answers(asked, value);
    if (!got) continue;
    good += 1;
    assert.ok(typeof (got.scene.text ?? got.scene.name) === "string");
    for (const set of [...(got.panes ?? []), got.reference ?? []]) assert.ok(set.every((text) => typeof text === "string"));
    assert.ok(got.recording === undefined || got.recording === null || typeof got.recording === "string");
  }
  assert.ok(good > 500, `${good} sessions`);
});

test("a link of another version says so", () => {
  for (const format of [2, 0, "1", null, {}]) {
    assert.throws(() => session({ format, scene: { name: "belt" } }), /another version/);
    assert.throws(() => asked({ format, engine: "ipc" }), /another version/);
  }
  assert.deepEqual(session({ format: 1, scene: { name: "belt" } }), { scene: { name: "belt" } });
});

test("what is cut, changed, too large or nested too deep is refused in words", async () => {
  const good = await pack({ scene: { name: "belt" }, panes: [["time.end=1"]] });
  const next = numbers(5);
  const letters = "ABCxyz019-_=+/%# \u00e9\u0000";
  const links = Array.from({ length: good.length }, (_, at) => good.slice(0, at));
  for (let k = 0; k < 500; k += 1) {
    const at = Math.floor(next() * good.length);
    links.push(good.slice(0, at) + letters[Math.floor(next() * letters.length)] + good.slice(at + 1));
  }
  links.push("scene=%E0%A4", "scene=", `scene=${"x".repeat(9999)}`, "scene=%00", "=", "%", "NaN", "\u{1f600}", "a".repeat(100_000));
  for (const text of ["NaN", "Infinity", "{", '{"scene":NaN}', "[".repeat(300_000), '{"scene":1e999}']) links.push(packed(text).slice(1));
  for (const link of links) {
    try {
      const value = await unpack(`#${link}`);
      if (value !== null) answers(session, value);
    } catch (error) {
      assert.equal(error.constructor, Error, `${link.slice(0, 60)}: ${error}`);
      assert.match(error.message, /^this link /);
    }
  }
  // some hundred kilobytes that unpack to a hundred megabytes
  await assert.rejects(unpack(packed(`"${"a".repeat(100e6)}"`)), /more than a scene can have/);
});

const SCENE = { scene: { name: "sliding_block" } };

test("the laboratory answers every bad link in words, and plays on", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await says(tab, "#title", /incline/);
  for (const [hash, words] of [
    ["#scene=none_such", /no scene/],
    ["#scene=..%2Fbelt", /no scene/],
    ["#scene=%E0%A4", /damaged/],
    [packed("[".repeat(100_000)), /cannot be opened|damaged/],
    [packed({ format: 7, ...SCENE }), /another version/],
    [packed({ ...SCENE, later: 1 }), /`later`/],
    [packed({ scene: { text: "format = 1\nboddy = 3\n" } }), /\S/],
    [packed({ ...SCENE, panes: [["time.step=NaN"]] }), /\S/],
    [packed({ ...SCENE, panes: [["time.step=-1"]] }), /\S/],
    [packed({ ...SCENE, panes: [["nothing"]] }), /\S/],
    [packed({ ...SCENE, panes: [["integrator={method=\"rk9\"}"]] }), /rk9/],
    [packed({ ...SCENE, reference: ["time.end=inf"] }), /\S/],
    [packed({ ...SCENE, recording: "{" }), /\S/],
    [packed({ ...SCENE, recording: "{\"step\":1e999}\n" }), /\S/],
  ]) {
    await tab.evaluate(() => (document.getElementById("notice").textContent = ""));
    await tab.goto(address("index.html", hash));
    await says(tab, "#notice", words);
    assert.match(await tab.textContent("#title"), /incline/);
  }
});

test("the pages of creep and step answer every bad link in words", async (t) => {
  const tab = await open(t, "creep.html");
  for (const [hash, words] of [
    [packed({ engine: "none" }), /no engine `none`/],
    [packed({ engine: 3 }), /`engine`/],
    [packed({ engine: "ipc", values: 3 }), /`values`/],
    [packed({ engine: "ipc", values: { slope: {} } }), /`values`/],
    [packed({ engine: "ipc", values: { nothing: 1 } }), /`nothing`/],
    [packed([]), /nothing that this page writes/],
    ["#x", /damaged/],
  ]) {
    await tab.goto(address("creep.html", hash));
    await says(tab, "#notice", words);
    await says(tab, ".part-creep .figure-large", /\S/);
  }
  const other = await open(t, "step.html", { hash: packed({ engine: "none" }) });
  await says(other, "#notice", /no engine/);
  await says(other, ".part-step .figure-large", /\S/);
});

test("a lesson that does not exist is said", async (t) => {
  const tab = await open(t, "lessons.html", { hash: "#none_such" });
  await says(tab, "#notice", /no lesson of that name/);
  await says(tab, "#lesson h1", /Stick and slip/);
});
