import assert from "node:assert/strict";
import { test } from "node:test";

// what the page asks its browser for when it loads
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.document = { documentElement: { dataset: {} } };
const { Session } = await import("../page/session.js");

/** An engine that answers when it is told to. */
class FakeEngine {
  asked = [];

  ask(request) {
    return new Promise((resolve, reject) => this.asked.push({ request, resolve, reject }));
  }

  /** Answers the newest question, and lets what waits for it run. */
  answer(value) {
    this.asked.at(-1).resolve(value);
    return settled();
  }

  /** Sends a report on an opening, as the worker does with a picture. */
  report(opening, knobs, more = {}) {
    const settings = Object.entries(knobs).map(([knob, value]) => ({ knob, name: knob, value, number: Number(value) }));
    this.onFrame({ is: "frame", report: { opening, active: 0, playing: true, panes: [{ settings }], plots: [{}], ...more } });
    return settled();
  }
}

/** All that waits for promises has run. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The step in the last report. */
function step(session) {
  return session.report.panes[0].settings.find(({ knob }) => knob === "step").value;
}

const GOOD = { good: true, title: "a title", end: 1 };

/** A session whose first scene is open, with everything that it told. */
async function begun() {
  const engine = new FakeEngine();
  const session = new Session(engine);
  const told = [];
  for (const kind of ["opened", "refused", "report", "plots", "notice", "replay"]) {
    session.on(kind, (detail) => told.push([kind, detail]));
  }
  const opened = session.open({ scene: { name: "first" } });
  await engine.answer(GOOD);
  await engine.report(1, { step: "1e-4", epsilon: "1e-3" });
  assert.equal(await opened, true);
  return { engine, session, told, kinds: () => told.splice(0).map(([kind]) => kind) };
}

test("a scene is opened with its first report", async () => {
  const { engine, session, kinds } = await begun();
  assert.deepEqual(kinds(), ["opened", "replay", "plots", "report"]);
  const steps = [];
  session.on("opened", () => steps.push(step(session)));
  const opened = session.open({ scene: { name: "second" } });
  const { request } = engine.asked.at(-1);
  await engine.answer(GOOD);
  // the scene before is there as a whole
  assert.deepEqual(kinds(), []);
  assert.deepEqual([session.opening.scene.name, step(session)], ["first", "1e-4"]);
  await engine.report(request.opening, { step: "2e-4" });
  assert.equal(await opened, true);
  assert.deepEqual(kinds(), ["opened", "replay", "plots", "report"]);
  assert.equal(session.opening.scene.name, "second");
  assert.deepEqual(steps, ["2e-4"]);
});

test("a late report on the scene before opens nothing", async () => {
  const { engine, session, kinds } = await begun();
  session.open({ scene: { name: "second" } });
  await engine.answer(GOOD);
  kinds();
  await engine.report(1, { step: "5e-4", epsilon: "1e-3" });
  assert.deepEqual(kinds(), ["plots", "report"]);
  assert.deepEqual([session.opening.scene.name, step(session)], ["first", "5e-4"]);
  await engine.report(2, { step: "2e-4" });
  assert.equal(step(session), "2e-4");
  // nor does it come back afterwards
  kinds();
  await engine.report(1, { step: "5e-4", epsilon: "1e-3" });
  assert.deepEqual(kinds(), []);
  assert.equal(step(session), "2e-4");
});

test("of two scenes opened at once the later one is there in the end", async () => {
  const { engine, session, kinds } = await begun();
  kinds();
  const openings = [session.open({ scene: { name: "second" } })];
  await engine.answer(GOOD);
  openings.push(session.open({ scene: { name: "third" }, recording: "{}" }));
  await engine.answer(GOOD);
  // the engine has left the second one
  await engine.report(2, { step: "2e-4" });
  assert.deepEqual(kinds(), []);
  await engine.report(3, { step: "3e-4" }, { notice: "the recording ends here with the same bits" });
  assert.deepEqual(await Promise.all(openings), [true, true]);
  assert.deepEqual(kinds(), ["opened", "replay", "plots", "replay", "notice", "report"]);
  assert.deepEqual([session.opening.scene.name, session.replay], ["third", "same"]);
});

test("a scene with errors leaves the one before, whose reports go on", async () => {
  const { engine, session, kinds } = await begun();
  kinds();
  const opened = session.open({ scene: { text: "format = 2" } });
  await engine.answer({ good: false, brief: "format" });
  assert.equal(await opened, false);
  await engine.report(1, { step: "5e-4", epsilon: "1e-3" });
  assert.deepEqual(kinds(), ["refused", "plots", "report"]);
  assert.equal(step(session), "5e-4");
});

test("what is shared is what the engine has open", async () => {
  const { engine, session } = await begun();
  session.open({ scene: { name: "second" } });
  await engine.answer(GOOD);
  const shared = session.shared();
  await engine.answer({ recording: "{}" });
  const { scene, recording } = await shared;
  assert.deepEqual([scene.name, recording], ["second", "{}"]);
});

test("what is set now is asked of the engine, for the scene that it has open", async () => {
  const { engine, session } = await begun();
  session.open({ scene: { name: "second" } });
  await engine.answer(GOOD);
  const now = session.setNow();
  assert.equal(engine.asked.at(-1).request.do, "set-now");
  await engine.answer({ active: 1, set: ["time.step=2e-4"] });
  assert.deepEqual(await now, { scene: { name: "second" }, active: 1, set: ["time.step=2e-4"] });
});

test("nobody waits for an engine that stopped", async () => {
  const { engine, session, kinds } = await begun();
  kinds();
  const opened = session.open({ scene: { name: "second" } });
  await engine.answer(GOOD);
  session.broken("out of memory");
  await assert.rejects(opened, /out of memory/);
  assert.deepEqual(kinds(), ["notice"]);
  assert.equal(session.opening.scene.name, "first");
});
