/** The verdict on the active pane: a colour, a word and a sign; its reasons; error bars by verification. */

import { button, byId, element, marked, write } from "./dom.js";
import { icon } from "./icons.js";
import { digits, seconds } from "./numbers.js";
import { Task, isCancelled } from "./task.js";

/** Reasons shown at first. */
const FEW = 2;

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
  return unit === "m/s" && Math.abs(value) + Math.abs(error) < least ? "0 m/s" : text;
}

export class Verdict {
  #sign = element("span", { class: "sign" });
  #word = element("strong", { class: "level" });
  #since = element("span", { class: "since" });
  #reasons = element("ul", { class: "reasons" });
  #more = button("", () => this.#toggle(), { class: "link", "aria-expanded": "false" });
  #before = element("p", { class: "before" });
  #verify = button("Verify", () => this.#begin(), {
    title: "Runs the scene again at half the step: every measure gets an error bar (V)",
  });
  #task = new Task("verification", () => this.assistant.cancel());
  #bars = element("div", { class: "bars" });
  #said = "";
  #shown = null;
  #all = false;
  /** the result of a verification of what is set now, with its pane */
  #verified = null;
  /** counts what makes a verification void, also one that still computes */
  #version = 0;

  constructor(session, assistant) {
    this.session = session;
    this.assistant = assistant;
    this.node = byId("verdict");
    const head = element("div", { class: "head" }, this.#sign, this.#word, this.#since, this.#verify);
    this.node.append(head, this.#task.node, this.#reasons, this.#more, this.#before, this.#bars);
    session.on("report", () => this.#show());
    for (const kind of ["opened", "touched"]) session.on(kind, () => this.#forget());
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
    write(this.#since, live.since ? `since ${seconds(live.since, pane.end)}` : "");
    const failure = pane.failure ? [pane.failure] : [];
    const remark = pane.remark ? [pane.remark] : [];
    this.#list([...failure, ...reasons.map(sentence), ...remark]);
    write(this.#before, (live.before ?? []).map((was) => sentence(was)).join(" · "));
    this.#announce(level, reasons);
  }

  #list(sentences) {
    const key = JSON.stringify([sentences, this.#all]);
    if (key === this.#shown) return;
    this.#shown = key;
    const shown = this.#all ? sentences : sentences.slice(0, FEW);
    this.#reasons.replaceChildren(...shown.map((text) => element("li", {}, ...marked(capital(text)))));
    const hidden = sentences.length - FEW;
    this.#more.hidden = hidden <= 0;
    this.#more.setAttribute("aria-expanded", String(this.#all));
    write(this.#more, this.#all ? "fewer reasons" : `${hidden} more ${hidden === 1 ? "reason" : "reasons"}`);
  }

  #toggle() {
    this.#all = !this.#all;
    this.#show();
  }

  /** Tells screen readers when the word turns, not with every report. */
  #announce(level, reasons) {
    if (level === this.#said) return;
    this.#said = level;
    write(byId("announcer"), [`Verdict: ${level}.`, ...reasons.slice(0, 1).map(sentence)].join(" "));
  }

  async #begin() {
    const { session } = this;
    // before the first scene there is nothing to verify
    if (!session.pane) return;
    const version = this.#version;
    const pane = session.report.active;
    const progress = this.#task.begin("the run itself");
    this.#verify.disabled = true;
    try {
      const request = { do: "verify", ...session.opening.scene, set: session.settings() };
      const result = await this.assistant.ask(request, progress);
      const least = session.pane.least_speed;
      if (version === this.#version) this.#finish(result, pane, least);
      else session.tell("notice", "a change made the verification void");
    } catch (error) {
      session.tell("notice", isCancelled(error) ? "the verification was cancelled" : error.message);
    } finally {
      this.#task.end();
      this.#verify.disabled = false;
    }
  }

  #finish({ level, trusted, reasons, measures, seconds: took }, pane, least) {
    this.#verified = { level, good: trusted, reasons, pane };
    const rows = measures.map((measure) =>
      element("tr", {}, element("th", { scope: "row" }, measure.name), element("td", {}, barText(measure, least))),
    );
    const caption = element("caption", {}, `error bars at the end, from runs at half the step (${digits(took, 2)} s)`);
    this.#bars.replaceChildren(element("table", {}, caption, element("tbody", {}, ...rows)));
    this.#show();
  }
}
