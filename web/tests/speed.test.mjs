import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { machine, tableOf, within } from "../tools/speed_table.mjs";

const ROW = { name: "first scene", factor: 4, real: 0.9871, pictures: 41.6, opening: 212.3, playing: 0 };

test("figures are written with their machine, date and unit", () => {
  const where = machine(new Date(2026, 10, 28), [{ model: "Some CPU " }, {}], "156.0.1");
  assert.equal(where, "28 November 2026, 2 × Some CPU, Chromium 156, 1366 × 768");
  assert.match(tableOf([ROW], where), /\| first scene \| 1\/4 \| 0\.99 \| 42 \| 212 ms \| below 50 ms \|/);
});

test("the docs have a place for them, and the rest stays", async () => {
  const docs = await readFile(new URL("../../docs/browser.md", import.meta.url), "utf8");
  const once = within(docs, tableOf([ROW], "here"));
  assert.match(once, /212 ms/);
  assert.equal(within(once, tableOf([ROW], "here")), once);
  assert.equal(once.slice(0, 400), docs.slice(0, 400));
  assert.throws(() => within("no place", "x"), /no place for the table/);
});
