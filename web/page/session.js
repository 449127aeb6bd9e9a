/**
 * The session of the laboratory: one scene in up to four panes. It passes commands to the engine and tells
 * its listeners: "opened" (what was opened), "refused" (its errors), "report", "plots", "frame", "notice",
 * "replay" ("runs", "same" or "other").
 */

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
  /** title and end of it */
  facts = null;
  /** the last report of the engine, with the last plots */
  report = null;
  plots = [];
  replay = null;
  /** whether a setting or the push was touched since the scene was opened */
  touched = false;

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
    this.report = frame.report;
    if (frame.report.plots) {
      this.plots = frame.report.plots;
      this.tell("plots", this.plots);
    }
    if (frame.report.notice) this.#notice(frame.report.notice);
    this.tell("report", this.report);
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
   * Opens a scene; one with errors leaves the scene before. Resolves to whether it was opened.
   * @param {Opening} opening
   */
  async open({ scene, panes = [[]], reference = null, recording = null, playing = true }) {
    const request = { do: "open", scene, panes, reference, recording, playing };
    const answer = await this.engine.ask({ ...request, view: { dark: this.dark } });
    if (!answer.good) {
      this.tell("refused", answer);
      return false;
    }
    this.opening = { scene, panes, reference };
    this.facts = { title: answer.title, end: answer.end, warnings: answer.warnings ?? [] };
    this.replay = recording ? "runs" : null;
    this.touched = false;
    this.tell("opened", this.opening);
    this.tell("replay", this.replay);
    return true;
  }

  /** A command without an answer; a refusal becomes a notice. */
  command(request) {
    this.engine.ask(request).catch((error) => this.tell("notice", error.message));
  }

  act(action) {
    if (action === "push" || action === "undo") this.#touch();
    this.command({ do: "act", action });
  }

  /** Sets a number; `again` while it is dragged, which is one change in all. */
  set(knob, value, again = false) {
    this.#touch();
    this.command({ do: "set", knob, value, again });
  }

  turn(knob, up) {
    this.#touch();
    this.command({ do: "turn", knob, up });
  }

  choose(knob, name) {
    this.#touch();
    this.command({ do: "choose", knob, name });
  }

  #touch() {
    this.touched = true;
    this.tell("touched");
  }

  /** What was done so far, as text. */
  async recording() {
    return (await this.engine.ask({ do: "share" })).recording;
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
