/**
 * The session of the laboratory: one scene in up to four panes. It passes commands to the engine and tells
 * its listeners: "opened" (what was opened, when its first report is there), "refused" (its errors),
 * "report", "plots", "frame", "notice", "replay" ("runs", "same" or "other"), "opening" (the name of a scene
 * that is being opened, then `null`), "restarted" (the engine, which knows no size of the picture yet).
 */

import { isCancelled } from "./task.js";
import { isDark, onTheme } from "./theme.js";

/**
 * @typedef {object} Opening
 * @property {{name: string} | {text: string, name?: string}} scene
 * @property {string[][]} [panes] settings of each pane
 * @property {string[] | null} [reference] settings of the run to compare with
 * @property {string | null} [recording] what was done, to be replayed
 * @property {boolean} [playing]
 */

export class Session extends EventTarget {
  /** what is open: scene, panes, reference; `null` before the first */
  opening = null;
  /** title and end of it, and the choice of each pane as the engine reads it */
  facts = null;
  /** the last report of the engine, with the last plots */
  report = null;
  plots = [];
  replay = null;
  /** openings that were asked for; every report tells the number of its own */
  #count = 0;
  /** number of what is open */
  #number = 0;
  /** what the engine has opened and not yet reported on */
  #coming = null;

  constructor(engine) {
    super();
    this.engine = engine;
    this.dark = isDark();
    engine.onFrame = (frame) => this.#receive(frame);
    onTheme((dark) => this.#paint(dark));
  }

  /** The pane that keys and sliders act on. */
  get pane() {
    return this.report?.panes[this.report.active] ?? null;
  }

  tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  /** Calls `listener` with the detail of every event of a kind. */
  on(kind, listener) {
    this.addEventListener(kind, ({ detail }) => listener(detail));
  }

  #receive(frame) {
    this.tell("frame", frame);
    if (!frame.report) return;
    const arrives = frame.report.opening === this.#coming?.number;
    // what belongs to neither comes from an opening that is gone
    if (!arrives && frame.report.opening !== this.#number) return;
    this.report = frame.report;
    if (arrives) this.#arrive();
    if (frame.report.plots) {
      this.plots = frame.report.plots;
      this.tell("plots", this.plots);
    }
    if (frame.report.notice) this.#notice(frame.report.notice);
    this.tell("report", this.report);
  }

  /** The first report is there: from here on opening, facts and report are of one scene. */
  #arrive() {
    const { number, opening, facts, replay, stands } = this.#coming;
    this.#coming = null;
    this.#number = number;
    [this.opening, this.facts, this.replay, this.plots] = [opening, facts, replay, []];
    this.tell("opened", opening);
    this.tell("replay", replay);
    stands(true);
  }

  #notice(words) {
    if (this.replay === "runs" && words.startsWith("the recording ends here")) {
      this.replay = words.includes("same bits") ? "same" : "other";
      this.tell("replay", this.replay);
    }
    this.tell("notice", words);
  }

  #paint(dark) {
    if (!this.opening || dark === this.dark) return;
    this.dark = dark;
    this.act("theme");
  }

  /**
   * Opens a scene; one with errors leaves the scene before. Resolves to whether it was opened, as soon as
   * it is shown or another was opened over it.
   * @param {Opening} opening
   */
  async open({ scene, panes = [[]], reference = null, recording = null, playing = true }) {
    const number = ++this.#count;
    const request = { do: "open", opening: number, scene, panes, reference, recording, playing };
    this.tell("opening", scene.name ?? "the scene");
    let answer;
    try {
      answer = await this.engine.ask({ ...request, view: { dark: this.dark } });
    } catch (error) {
      if (!isCancelled(error)) throw error;
      this.tell("notice", "the opening was cancelled");
      return false;
    } finally {
      if (number === this.#count) this.tell("opening", null);
    }
    if (!answer.good) {
      this.tell("refused", answer);
      return false;
    }
    this.#coming?.stands(true);
    // the worker answers before it reports
    return new Promise((stands, fails) => {
      const { title, end, warnings = [], choices } = answer;
      const facts = { title, end, warnings, choices };
      const replay = recording ? "runs" : null;
      this.#coming = { number, opening: { scene, panes, reference }, facts, replay, stands, fails };
    });
  }

  /** Ends an opening that takes too long; the scene before starts again. */
  async cancelOpening() {
    this.engine.cancel();
    this.tell("restarted");
    if (this.opening) await this.open(this.opening);
  }

  /** The engine cannot go on: no report will come. */
  broken(message) {
    const words = `the engine stopped: ${message}. Reload the page to go on.`;
    this.#coming?.fails(new Error(words));
    this.#coming = null;
    this.tell("notice", words);
  }

  /** A command without an answer; a refusal becomes a notice. */
  command(request) {
    this.engine.ask(request).catch((error) => {
      if (!isCancelled(error)) this.tell("notice", error.message);
    });
  }

  act(action) {
    if (action === "undo") this.tell("touched");
    this.command({ do: "act", action });
  }

  /** Sets a number; `again` while it is dragged, which is one change in all. */
  set(knob, value, again = false) {
    this.tell("touched");
    this.command({ do: "set", knob, value, again });
  }

  turn(knob, up) {
    this.tell("touched");
    this.command({ do: "turn", knob, up });
  }

  choose(knob, name) {
    this.tell("touched");
    this.command({ do: "choose", knob, name });
  }

  /**
   * What is set now, for a run of its own from t = 0: the scene, the active pane, and its `--set` texts.
   * Answers come in order: every change that was asked for before is in it, and what the engine has open
   * may not have been shown yet.
   */
  async setNow() {
    const { active, set } = await this.engine.ask({ do: "set-now" });
    const { scene } = this.#coming?.opening ?? this.opening;
    return { scene, active, set };
  }

  /** What was done so far, as text. */
  async recording() {
    return (await this.engine.ask({ do: "share" })).recording;
  }

  /** What the engine has open, with what was done to it so far: answers come in order. */
  async shared() {
    const recording = await this.recording();
    return { ...(this.#coming?.opening ?? this.opening), recording };
  }

  /** The text of the open scene. */
  async text() {
    const { scene } = this.opening;
    return scene.text ?? this.engine.ask({ do: "text", name: scene.name });
  }

  /** A name for files of this scene. */
  get stem() {
    return (this.opening?.scene.name ?? "scene").replaceAll("/", "_").replace(/\.toml$/, "");
  }
}
