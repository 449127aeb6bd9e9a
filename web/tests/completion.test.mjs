import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { placeAt } from "../page/completion.js";
import { choiceOf, settings } from "../page/panes.js";
import { keysAt, valuesOf } from "../page/schema.js";

const schema = JSON.parse(await readFile(new URL("../../scenes/scene.schema.json", import.meta.url), "utf8"));

test("the place in a text is its table and what is written there", () => {
  const text = '[contact]\nnormal = { stiffness = 1e4 } # { not this\nfriction = { law = "dahl", ';
  const { path, given } = placeAt(text);
  assert.deepEqual(path, ["contact", "friction"]);
  assert.deepEqual([...given], [["law", "dahl"]]);
  assert.deepEqual(placeAt("[[body]]\nname = \"[x]\"\n").path, ["body"]);
  assert.deepEqual(placeAt("format = 1\n").path, []);
});

test("keys of a friction law are those of the law that is written", () => {
  const keys = (law) => [...keysAt(schema, ["contact", "friction"], new Map([["law", law]])).keys()].sort();
  assert.deepEqual(keys("threshold"), ["epsilon", "law"]);
  assert.deepEqual(keys("cundall-strack"), ["damping", "law", "stiffness"]);
});

test("values with names are listed with what they are", () => {
  const methods = valuesOf(keysAt(schema, ["integrator"]).get("method"));
  const rk4 = methods.find(({ value }) => value === '"rk4"');
  assert.match(rk4.about, /Runge–Kutta/);
  assert.deepEqual(valuesOf(keysAt(schema, ["body"]).get("rigid")).map(({ value }) => value), ["true", "false"]);
});

test("a pane's choice becomes settings, and what the engine reads from them a choice", () => {
  const choice = { method: "rk4", law: "cundall-strack", epsilon: "", step: "250 µs" };
  const set = settings(choice, schema, 1e-3);
  assert.deepEqual(set, ['integrator={method="rk4"}', 'contact.friction={law="cundall-strack",damping=10,stiffness=10000}', "time.step=0.00025"]);
  assert.deepEqual(choiceOf({ method: "rk4", law: "cundall-strack", step: 0.00025 }), choice);
  const nothing = { method: "", law: "", epsilon: "", step: "" };
  assert.deepEqual(choiceOf({ method: null, law: null, epsilon: null, step: null }), nothing);
  assert.deepEqual(settings({ ...nothing, law: "tanh" }, schema, 1e-3), ['contact.friction={law="tanh",epsilon=0.001}']);
  assert.deepEqual(settings({ ...nothing, law: "tanh", epsilon: "0.2 mm/s" }, schema, 1e-3), ['contact.friction={law="tanh",epsilon=0.0002}']);
  assert.deepEqual(settings({ ...nothing, epsilon: "0.2 mm/s" }, schema, 1e-3), ["contact.friction.epsilon=0.0002"]);
  assert.equal(choiceOf({ method: null, law: "tanh", epsilon: 2e-4, step: null }).epsilon, "200 µm/s");
});
