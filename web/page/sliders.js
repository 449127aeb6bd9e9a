/** What can be changed while a scene runs: a slider and a field for each number, a list for each name. */

import { byId, button, element, options, symbols, write } from "./dom.js";
import { Finder } from "./finder.js";
import { icon } from "./icons.js";
import { parse, quantity, share, valueAt } from "./numbers.js";
import { slidersOf } from "./tries.js";

/** Places of a slider. */
const PLACES = 240;

/** Conditions on what is typed: whether it holds, and its words. */
const POSITIVE = [(value) => value > 0, "it must be above 0"];
const NOT_NEGATIVE = [(value) => value >= 0, "it must be 0 or more"];
const CONDITIONS = new Map([
  ["epsilon", POSITIVE], ["step", POSITIVE], ["friction", NOT_NEGATIVE], ["kinetic-friction", NOT_NEGATIVE], ["stiffness", POSITIVE],
]);

/** Labels of numbers: letter and name. */
const NUMBERS = [
  ["epsilon", "ε", "threshold speed"],
  ["step", "h", "time step"],
  ["friction", "μ", "friction"],
  ["kinetic-friction", "μ_k", "kinetic friction"],
  ["stiffness", "k_n", "contact stiffness"],
];

/** Rows for numbers of the scene that were made sliders; the engine has as many. */
const OWN = ["number-0", "number-1", "number-2", "number-3"];
const PUSHES = [
  ["push-force", "F", "force of the push", "force"],
  ["push-height", "z", "height of the push", "height"],
];

/** Letter and name of the first coefficient where the scene has two. */
const STATIC = ["μ_s", "static friction"];

/** A row with a slider, and a field in which its value is typed. */
class NumberRow {
  #setting = null;
  #dragged = false;
  #own = element("span", { class: "own", hidden: true });
  #name = element("span", { class: "row-name" });
  /** whether a text is being typed */
  #typing = false;

  /** @param {[string, string, string, string?]} words knob, letter, name, and a short name for a narrow place */
  constructor(session, [knob, letter, name, short = name]) {
    this.session = session;
    this.knob = knob;
    this.words = [letter, name, short];
    this.slider = element("input", { type: "range", min: 0, max: PLACES, step: 1 });
    this.field = element("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
    this.node = element("div", { class: "row", "data-knob": knob }, this.#name, this.slider, this.field, this.#own);
    this.call(...this.words);
    this.slider.addEventListener("input", () => this.#slide());
    this.slider.addEventListener("change", () => this.#drop());
    this.field.addEventListener("input", () => (this.#typing = true));
    this.field.addEventListener("change", () => this.#typed());
    this.field.addEventListener("blur", () => {
      this.#typing = false;
      this.#write();
    });
    this.field.addEventListener("focus", () => this.field.select());
  }

  /** Names the row: letter, name, and a short name for a narrow place. */
  call(letter, name, short = name) {
    const label = `${name} ${letter}`.trim();
    if (this.slider.getAttribute("aria-label") === label) return;
    this.slider.setAttribute("aria-label", label);
    this.field.setAttribute("aria-label", `${label}, typed`);
    this.words = [letter, name, short];
    this.#name.replaceChildren(...(letter ? [element("i", {}, ...symbols(letter)), ` ${short}`] : [short]));
  }

  #slide() {
    const { unit, restarts } = this.#setting;
    // the run starts again once, when it is let go
    if (!restarts) this.session.set(this.knob, this.#place, this.#dragged);
    this.#dragged = true;
    this.field.value = quantity(this.#place, unit);
    this.slider.setAttribute("aria-valuetext", this.field.value);
  }

  /** The value where the slider stands. */
  get #place() {
    const { low, high, logarithmic } = this.#setting;
    return valueAt(Number(this.slider.value) / PLACES, low, high, logarithmic);
  }

  #drop() {
    if (this.#dragged && this.#setting?.restarts) this.session.set(this.knob, this.#place);
    this.#dragged = false;
  }

  /** Sets what was typed; where it is refused the value that holds comes back. */
  #typed() {
    const { unit } = this.#setting;
    const [text, value] = [this.field.value, parse(this.field.value, unit)];
    const [holds, words] = CONDITIONS.get(this.knob) ?? [() => true];
    this.#typing = false;
    if (value !== null && holds(value)) {
      this.session.set(this.knob, value);
      return;
    }
    const what = this.words[0] || this.words[1];
    const why = value === null ? `"${text}" is no number: type 1e-4, 0.1 mm/s or 20k` : `${what} cannot be ${text.trim()}: ${words}`;
    this.session.tell("notice", why);
    this.#write();
    this.field.select();
  }

  /** Shows words in place of slider and field; `null` shows these again. */
  replace(words) {
    this.slider.hidden = this.field.hidden = words !== null;
    this.#own.hidden = words === null;
    write(this.#own, words ?? "");
  }

  /** @param {object | undefined} setting of the report; `undefined` where the scene has none */
  show(setting) {
    const known = setting?.number !== null && setting?.number !== undefined;
    this.slider.disabled = this.field.disabled = !known;
    // a point has no height to be pushed at, and coefficients are one or two
    this.node.hidden = setting === undefined;
    this.#setting = known ? setting : null;
    if (!known) {
      this.field.value = setting?.value ?? "–";
      return;
    }
    if (!this.#dragged) {
      const place = share(setting.number, setting.low, setting.high, setting.logarithmic);
      this.slider.value = String(Math.round(place * PLACES));
    }
    this.#write();
  }

  #write() {
    if (!this.#setting || this.#dragged) return;
    this.slider.setAttribute("aria-valuetext", this.#setting.value);
    // what is being typed is left alone, and what is marked stays so
    if (this.#typing || this.field.value === this.#setting.value) return;
    this.field.value = this.#setting.value;
  }
}

/** A row with a list of names, and what the chosen one is. */
class NameRow {
  constructor(session, knob, name, rows) {
    this.rows = rows;
    this.list = element("select", { id: `knob-${knob}` });
    this.about = element("p", { class: "about" });
    this.node = element(
      "div", { class: "row names", "data-knob": knob },
      element("label", { class: "row-name", for: `knob-${knob}` }, name), this.list, this.about,
    );
    this.list.append(...options(rows.map(({ name: value }) => ({ value }))));
    this.list.addEventListener("change", () => session.choose(knob, this.list.value));
  }

  show(chosen) {
    const row = this.rows.find(({ name }) => name === chosen);
    // a list that is open is left alone as long as its value is right
    if (row && this.list.value !== chosen) this.list.value = chosen;
    if (!row) this.list.selectedIndex = -1;
    write(this.about, row?.about ?? chosen);
  }
}

/** The step of a method that chooses its own, in words. */
export function ownStep({ own_step: own }) {
  return own === null ? "chosen by the method" : `chosen by the method, now ${quantity(own, "s", 2).replace(" ", "\u00a0")}`;
}

export class Sliders {
  #numbers;
  #stable = element("p", { class: "stable" });
  #push;
  #step;
  #friction;
  /** rows of numbers of the scene */
  #own;

  /** @param {{integrators: object[], laws: object[]}} words rows of the engine's tables */
  constructor(session, words) {
    this.integrator = new NameRow(session, "integrator", "integrator", words.integrators);
    this.law = new NameRow(session, "law", "friction law", words.laws);
    const rows = (list) => list.map((row) => new NumberRow(session, row));
    const [numbers, pushes] = [rows(NUMBERS), rows(PUSHES)];
    this.#own = OWN.map((knob) => new NumberRow(session, [knob, "", "number"]));
    this.#numbers = [...numbers, ...this.#own, ...pushes];
    [this.#step, this.#friction] = ["step", "friction"].map((name) => numbers.find(({ knob }) => knob === name));
    this.#push = button("Push", () => session.act("push"), { class: "push", "aria-pressed": "false" });
    this.#push.prepend(icon("push"));
    const finder = new Finder(session, (knob) => this.#go(knob));
    this.find = () => finder.show();
    const add = button("Add a slider …", this.find, { title: "A slider for any number of the scene (/ on the picture)" });
    const undo = button("Undo", () => session.act("undo"), { title: "Take the last change back (U)" });
    undo.prepend(icon("undo"));
    byId("change").append(
      this.integrator.node, this.law.node, ...numbers.map((row) => row.node), ...this.#own.map((row) => row.node), this.#stable,
      element("div", { class: "buttons" }, undo, add),
    );
    byId("push").append(this.#push, ...pushes.map((row) => row.node));
    session.on("report", () => this.#show(session.pane));
    session.on("opened", () => {
      for (const { path } of slidersOf(session.opening.scene)) session.command({ do: "slider", path, quiet: true });
    });
    this.scene = () => session.opening.scene;
  }

  /** Goes to the field of a knob that has a row. */
  #go(knob) {
    this.#numbers.find((row) => row.knob === knob)?.field.focus();
  }

  /** Names the rows of numbers of the scene: what the page knows of them, else their keys. */
  #name(settings) {
    const known = slidersOf(this.scene());
    for (const row of this.#own) {
      const setting = settings.get(row.knob);
      if (!setting) continue;
      const words = known.find(({ path }) => path === setting.name);
      row.call(words?.letter ?? "", words?.name ?? setting.name);
      row.node.title = setting.restarts ? `${setting.name}: starts the run again` : setting.name;
    }
  }

  #show(pane) {
    const settings = new Map(pane.settings.map((setting) => [setting.knob, setting]));
    const named = (knob) => settings.get(knob)?.value;
    this.integrator.show(named("integrator") ?? pane.integrator);
    this.law.show(named("law") ?? pane.law);
    this.#name(settings);
    for (const row of this.#numbers) row.show(settings.get(row.knob));
    // one coefficient, or two that differ
    this.#friction.call(...(settings.has("kinetic-friction") ? STATIC : this.#friction.words));
    this.#step.replace(pane.adaptive ? ownStep(pane) : null);
    this.#push.setAttribute("aria-pressed", String(pane.pushing));
    const { words, cause, before } = pane.stable;
    // advice in brackets is for those who ask
    this.#stable.title = cause ?? "";
    const change = before ? ` (before: ${before})` : "";
    write(this.#stable, `largest stable step: ${words}${change}${cause ? `, ${cause.replaceAll("`", "").replace(/ \(.*\)$/s, "")}` : ""}`);
  }
}
