import assert from "node:assert/strict";
import { test } from "node:test";
import { behind } from "../page/transport.js";
import { digits, parse, quantity, share, valueAt } from "../page/numbers.js";

test("typed quantities are read with prefixes, units and commas", () => {
  const cases = [
    ["1e-4", "m/s", 1e-4], ["0.1 mm/s", "m/s", 1e-4], ["100u", "s", 1e-4], ["20k", "N/m", 2e4],
    ["1,5", "", 1.5], ["38.6 N", "N", 38.6], [" 250 µs ", "s", 2.5e-4], [".5", "m", 0.5], ["3 m", "m", 3],
  ];
  for (const [text, unit, value] of cases) assert.ok(Math.abs(parse(text, unit) / value - 1) < 1e-12, text);
  for (const text of ["", "fast", "1 km/h", "1..2", "--3"]) assert.equal(parse(text, "m/s"), null, text);
});

test("quantities are written with the prefix that suits them", () => {
  assert.equal(quantity(6.0661706e-4, "m/s"), "606.6 µm/s");
  assert.equal(quantity(2e5, "N/m"), "200 kN/m");
  assert.equal(quantity(1, "s"), "1 s");
  assert.equal(quantity(0.36, ""), "0.36");
  assert.equal(quantity(20, "°"), "20 °");
  assert.equal(quantity(0, "J"), "0 J");
  assert.equal(quantity(5531, "1/s"), "5531 1/s");
  assert.equal(quantity(null, "J"), "–");
  assert.equal(digits(1.2e-7, 2), "1.2e-7");
});

test("what is written is read again", () => {
  for (const value of [6.0661706e-4, 0.00123, 47000, 2.5, 1e-9]) {
    assert.ok(Math.abs(parse(quantity(value, "m/s", 6), "m/s") / value - 1) < 1e-5);
  }
});

test("a slider by decades has its middle at the geometric mean", () => {
  assert.equal(valueAt(0.5, 1e-6, 1e-2, true), 1e-4);
  assert.equal(share(1e-4, 1e-6, 1e-2, true).toFixed(12), "0.500000000000");
  assert.equal(valueAt(0.25, 0, 2, false), 0.5);
});

test("a speed below real time is said in words", () => {
  assert.equal(behind({ wanted: 1, achieved: 0.6 }), "0.6 × real time on this computer");
  assert.equal(behind({ wanted: 4, achieved: 1.234 }), "1.2 × real time on this computer");
  for (const achieved of [0.97, null, undefined]) assert.equal(behind({ wanted: 1, achieved }), "");
});
