/**
 * The verdict on the active pane: a colour, a word and a sign; its reasons; error bars by verification. Its
 * height changes by what the user does alone: what is below must stay under the finger that moves it.
 */

import { button, byId, element, marked, write } from "./dom.js";
import { icon } from "./icons.js";
import { digits, seconds } from "./numbers.js";
import { Room } from "./room.js";
import { Task, isCancelled } from "./task.js";

/** Class and sign of a verdict: against the run, for it, or neither. */
function stamp(good) {
  if (good === false) return "bad";
  return good === true ? "good" : "open";
}

/** A reason is a sentence, or a sentence with the name of its watch. */
function sentence(reason) {
  return typeof reason === "string" ? reason : reason.text;
}

/** The first letter large, as at the start of a sentence. */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A measure with its error bar; a speed that is rounding reads 0. */
function barText({ unit, value, error, text }, least) {
  return unit === "m/s" && error !== null && Math.abs(value) + Math.abs(error) < least ? "0 m/s" : text;
}

/** Lines of a verification that are shown without being asked for. */
const MOST = 6;

/** Measures of a verification, those that the scene expects something of first. */
function ranked(measures, own) {
  const wanted = new Set(own.filter(({ expected, reduced }) => expected || reduced).map(({ name }) => name));
  const [first, rest] = [true, false].map((is) => measures.filter(({ name }) => wanted.has(name) === is));
  return [...first, ...rest];
}

export class Verdict {
  #sign = element("span", { class: "sign" });
  #word = element("strong", { class: "level" });
  #since = element("span", { class: "since" });
  #reasons = element("ul", { class: "reasons" });
  #before = element("p", { class: "before" });
  #more = button("reasons", () => this.#toggle(), { class: "link more", "aria-expanded": "false" });
  #why = element("div", { class: "why", tabindex: 0, role: "group", "aria-label": "reasons", hidden: true }, this.#reasons, this.#before);
  #verify = button("Verify", () => this.#begin(), {
    title: "Runs the scene again at other steps: every measure gets an error bar (V)",
  });
  #task = new Task("verification", () => this.assistant.cancel());
  #bars = element("div", { class: "bars" });
  #void = element("p", { class: "about void", hidden: true }, "Something was changed: verify again for error bars.");
  /** the room of a verification, from its beginning until another scene is opened */
  #room = element("div", { class: "room", tabindex: 0, role: "group", "aria-label": "verification", hidden: true }, this.#task.node, this.#bars, this.#void);
  #said = "";
  #shown = null;
  #rooms;
  /** the result of a verification of what is set now, with its pane */
  #verified = null;
  /** counts what makes a verification void, also one that still computes */
  #version = 0;

  constructor(session, assistant) {
    this.session = session;
    this.assistant = assistant;
    this.node = byId("verdict");
    const words = element("div", { class: "words" }, this.#word, element("div", { class: "sub" }, this.#since, this.#more));
    this.node.append(element("div", { class: "head" }, this.#sign, words, this.#verify), this.#why, this.#room);
    this.#rooms = [this.#why, this.#room].map((node) => new Room(node));
    session.on("report", () => this.#show());
    for (const kind of ["opened", "touched"]) session.on(kind, () => this.#forget());
    session.on("opened", () => {
      this.#room.hidden = this.#task.node.hidden;
      this.#rooms.forEach((room) => room.close());
    });
  }

  /** Begins a verification, as its button does. */
  verify() {
    if (!this.#verify.disabled) this.#begin();
  }

  #forget() {
    this.#version += 1;
    if (!this.#verified) return;
    this.#verified = null;
    this.#bars.replaceChildren();
    this.#void.hidden = false;
    this.#show();
  }

  #show() {
    const pane = this.session.pane;
    if (!pane) return;
    const live = pane.verdict;
    const holds = this.#verified?.pane === this.session.report.active && live.good !== false;
    const { level, good, reasons } = holds ? this.#verified : live;
    this.#bars.hidden = this.#verified?.pane !== this.session.report.active;
    const kind = stamp(good);
    if (this.node.dataset.kind !== kind) {
      this.node.dataset.kind = kind;
      this.#sign.replaceChildren(icon(kind));
    }
    write(this.#word, level);
    write(this.#since, live.since ? `since ${seconds(live.since, pane.end)}` : "since the start");
    const failure = pane.failure ? [pane.failure] : [];
    this.#list([...failure, ...reasons.map(sentence)]);
    write(this.#before, (live.before ?? []).map((was) => sentence(was)).join(" · "));
    // there are none to be shown: their room stays
    this.#more.disabled = reasons.length + failure.length + (live.before ?? []).length === 0;
    this.#announce(level, reasons);
  }

  /** The scene's measures, as the plots have them. */
  get #measures() {
    return this.session.plots[this.session.report.active]?.measures ?? [];
  }

  #list(sentences) {
    const key = JSON.stringify(sentences);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#reasons.replaceChildren(...sentences.map((text) => element("li", {}, ...marked(capital(text)))));
  }

  #toggle() {
    this.#why.hidden = !this.#why.hidden;
    this.#more.setAttribute("aria-expanded", String(!this.#why.hidden));
  }

  /** Tells screen readers when the word turns, not with every report. */
  #announce(level, reasons) {
    if (level === this.#said) return;
    this.#said = level;
    write(byId("announcer"), [`Verdict: ${level}.`, ...reasons.slice(0, 1).map(sentence)].join(" "));
  }

  /** What was computed is for other settings, or for another scene. */
  #drop() {
    this.#void.hidden = false;
    this.session.tell("notice", "a change made the verification void");
  }

  async #begin() {
    const { session } = this;
    // before the first scene there is nothing to verify
    if (!session.pane) return;
    const version = this.#version;
    const progress = this.#task.begin("the run itself");
    this.#rooms[1].close();
    const lines = this.#measures.reduce((sum, { columns }) => sum + columns.length, 0);
    this.#room.style.setProperty("--lines", Math.min(MOST, Math.max(2, lines)));
    this.#room.hidden = false;
    this.#verify.disabled = this.#void.hidden = true;
    this.#bars.replaceChildren();
    try {
      const { scene, active, set } = await session.setNow();
      this.#task.stopIfCancelled();
      const result = await this.assistant.ask({ do: "verify", ...scene, set }, progress);
      const least = session.pane.least_speed;
      if (version === this.#version) this.#finish(result, active, least);
      else this.#drop();
    } catch (error) {
      session.tell("notice", isCancelled(error) ? "the verification was cancelled" : error.message);
      this.#room.hidden = true;
    } finally {
      this.#task.end();
      this.#verify.disabled = false;
    }
  }

  #finish({ level, trusted, reasons, measures, notes, seconds: took }, pane, least) {
    this.#verified = { level, good: trusted, reasons, pane };
    const rows = ranked(measures, this.#measures).map((measure) =>
      element("tr", {}, element("th", { scope: "row" }, measure.name), element("td", {}, barText(measure, least))),
    );
    const known = measures.some(({ error }) => error !== null);
    const words = known ? "error bars, from runs" : "no error bars; compared with runs";
    const caption = element("caption", {}, `${words} at other steps (${digits(took, 2)} s)`);
    const said = (notes ?? []).map((note) => element("p", { class: "about" }, note));
    this.#bars.replaceChildren(element("table", {}, caption, element("tbody", {}, ...rows)), ...said);
    this.#show();
  }
}
