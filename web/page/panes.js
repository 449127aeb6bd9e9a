/** Side by side: up to four panes with a method, a law, its ε and a step each, and a reference. */

import { byId, button, element, options, write } from "./dom.js";
import { icon } from "./icons.js";
import { digits, parse, quantity } from "./numbers.js";
import { PANES } from "./palette.js";
import { lawTable } from "./schema.js";
import { ownStep } from "./sliders.js";

const MOST = 4;
const AS_SET = { value: "", label: "unchanged" };
/** What stands in an empty field. */
const UNTYPED = "as it is";

/**
 * A pane as the form has it; an empty text is "unchanged": as the scene has it.
 * @typedef {{method: string, law: string, epsilon: string, step: string}} Choice
 */

/** `--set` texts of a choice; a law without a typed ε has that of the scene. @param {Choice} choice */
export function settings({ method, law, epsilon, step }, schema, usual) {
  const set = [];
  const typed = parse(epsilon, "m/s");
  if (method) set.push(`integrator={method="${method}"}`);
  if (law) set.push(`contact.friction=${lawTable(schema, law, typed ?? usual)}`);
  else if (typed !== null) set.push(`contact.friction.epsilon=${typed}`);
  const length = parse(step, "s");
  if (length !== null) set.push(`time.step=${length}`);
  return set;
}

/**
 * A choice as the engine tells it, for the form.
 * @param {{method: string | null, law: string | null, epsilon: number | null, step: number | null}} told @returns {Choice}
 */
export function choiceOf({ method, law, epsilon = null, step }) {
  const written = (value, unit) => (value === null ? "" : quantity(value, unit, 6));
  return { method: method ?? "", law: law ?? "", epsilon: written(epsilon, "m/s"), step: written(step, "s") };
}

/** Whether a typed value is none, or positive. */
function isPositive(text, unit) {
  return text.trim() === "" || parse(text, unit) > 0;
}

/** What is wrong with a choice, in words; nothing where it can be used. @param {Choice} choice */
function mistake({ epsilon, step }) {
  if (!isPositive(step, "s")) return `"${step}" is no step: type 1e-4, 0.1 ms or 50 µs`;
  return isPositive(epsilon, "m/s") ? "" : `"${epsilon}" is no ε: type 1e-4, 0.1 mm/s or 50 µm/s`;
}

const NOTHING = { method: null, law: null, epsilon: null, step: null };
const UNCHANGED = choiceOf(NOTHING);

export class Panes {
  #list = element("ol", { class: "panes" });
  #reference;
  #add;
  #said = element("p", { class: "about", role: "status" });
  #rows = [];
  /** the scene's law; nothing where every pane has been opened with another */
  #law = "";

  /** @param {() => Promise<object>} schema of scenes */
  constructor(session, words, schema) {
    this.session = session;
    // a formula is written in the text of the scene
    this.words = { ...words, laws: words.laws.filter(({ written }) => !written) };
    this.schema = schema;
    this.#add = button("Add a pane", () => this.#insert(UNCHANGED));
    this.#reference = this.#fields("reference", UNCHANGED, "none");
    const go = button("Start side by side", () => this.#start(), { class: "primary" });
    const note = "All panes show the same time of the scene and go as fast as the slowest. Keys and sliders act on the chosen pane, the push and the mouse on all.";
    byId("compare").append(
      this.#list, this.#add,
      element("fieldset", { class: "pane reference" }, element("legend", {}, "Reference"), ...this.#reference.nodes),
      element("div", { class: "buttons" }, go), this.#said, element("p", { class: "about" }, note),
    );
    session.on("opened", () => this.#fill(session.facts.choices));
    session.on("report", (report) => this.#mark(report));
  }

  /** Lists and a field for one choice. */
  #fields(name, choice, none = AS_SET.label) {
    const first = { value: "", label: none };
    const rows = (table) => table.map((row) => ({ value: row.name }));
    const method = element("select", { "aria-label": `${name}: method` }, ...options([first, ...rows(this.words.integrators)], choice.method));
    const law = element("select", { "aria-label": `${name}: law` }, ...options([AS_SET, ...rows(this.words.laws)], choice.law));
    const typed = (what, value) => element("input", { type: "text", "aria-label": `${name}: ${what}`, value, size: 8, autocomplete: "off", spellcheck: "false" });
    const [epsilon, step] = [typed("ε", choice.epsilon), typed("step", choice.step)];
    step.placeholder = UNTYPED;
    const named = (letter, field, place = "") => element("label", { class: `pane-value ${place}` }, element("i", {}, letter), field);
    const row = { nodes: [method, law, named("ε", epsilon, "epsilon"), named("h", step)], method, law, epsilon, step };
    law.addEventListener("change", () => this.#offer(row));
    row.read = () => ({ method: method.value, law: law.value, epsilon: epsilon.disabled ? "" : epsilon.value, step: step.value });
    row.write = (choice) => Object.entries(choice).forEach(([key, value]) => (row[key].value = value));
    return row;
  }

  #insert(choice) {
    const name = `pane ${this.#rows.length + 1}`;
    const fields = this.#fields(name, choice);
    const act = button(String(this.#rows.length + 1), () => this.session.act(act.dataset.action), { class: "pane-number", "aria-label": `keys and sliders act on ${name}` });
    act.dataset.action = `pane-${this.#rows.length + 1}`;
    act.style.setProperty("--own", `var(${PANES[this.#rows.length]})`);
    const facts = element("span", { class: "pane-facts" });
    const remove = button(icon("close"), () => this.#remove(row), { class: "quiet", "aria-label": `remove ${name}` });
    const row = { ...fields, act, facts, node: element("li", { class: "pane" }, act, ...fields.nodes, remove, facts) };
    this.#rows.push(row);
    this.#offer(row);
    this.#list.append(row.node);
    this.#count();
  }

  /** The rows that stay are numbered anew. */
  #remove(gone) {
    const left = this.#rows.filter((row) => row !== gone).map((row) => row.read());
    this.#clear();
    left.forEach((choice) => this.#insert(choice));
    this.#add.focus();
  }

  #clear() {
    this.#rows = [];
    this.#list.replaceChildren();
    this.#count();
  }

  #count() {
    this.#add.disabled = this.#rows.length >= MOST;
    this.#list.classList.toggle("single", this.#rows.length === 1);
  }

  #fill({ panes, reference }) {
    this.#clear();
    const plain = panes.findIndex(({ law }) => law === null);
    const settings = this.session.report.panes[plain]?.settings ?? [];
    this.#law = settings.find(({ knob }) => knob === "law")?.value ?? "";
    panes.forEach((told) => this.#insert(choiceOf(told)));
    const choice = choiceOf(reference ?? NOTHING);
    this.#reference.write(choice);
    this.#offer(this.#reference);
    write(this.#said, "");
  }

  async #start() {
    const epsilon = this.session.pane?.settings.find(({ knob }) => knob === "epsilon")?.number;
    const schema = await this.schema();
    const set = (choice) => settings(choice, schema, epsilon);
    const reference = this.#reference.read();
    const opening = {
      scene: this.session.opening.scene,
      panes: this.#rows.map((row) => set(row.read())),
      reference: reference.method || reference.epsilon || reference.step ? set(reference) : null,
    };
    const wrong = [...this.#rows, this.#reference].map((row) => mistake(row.read())).find((words) => words !== "");
    write(this.#said, wrong ?? "");
    if (wrong) return;
    try {
      await this.session.open(opening);
    } catch (error) {
      write(this.#said, error.message);
    }
  }

  /** Says why the panes could not be opened. */
  refuse({ brief, diagnostics }) {
    write(this.#said, brief ?? diagnostics[0]?.message ?? "these settings do not fit the scene");
  }

  /** A threshold speed can be typed where the law has one. */
  #offer({ law, epsilon }) {
    const chosen = law.value || this.#law;
    const row = this.words.laws.find(({ name }) => name === chosen);
    epsilon.disabled = chosen !== "" && !row?.epsilon;
    epsilon.placeholder = epsilon.disabled ? "none" : UNTYPED;
  }

  /** Marks the pane that is acted on, and says how far each is from the reference. */
  #mark(report) {
    this.#rows.forEach((row, k) => {
      const pane = report.panes[k];
      row.act.setAttribute("aria-pressed", String(k === report.active));
      if (!pane) return;
      const { level } = pane.verdict;
      const off = pane.reference?.difference;
      const apart = off === null || off === undefined ? "" : `, off by ${quantity(off, "m", 3)}`;
      write(row.facts, `${pane.integrator}, ${pane.law}, ${pane.adaptive ? ownStep(pane) : quantity(pane.step, "s")}: h λ ${digits(pane.hlambda, 3)}, ${level}${apart}`);
    });
  }
}
