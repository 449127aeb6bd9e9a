/** "How fast will it creep?" and "Which step does it need?": a form from the catalogue of engines. */

import { parts } from "./answers.js";
import { Field, group } from "./catalogue.js";
import { byId, element, onceAFrame, options, write } from "./dom.js";
import { Engine } from "./engine.js";
import { copy } from "./files.js";
import { header } from "./header.js";
import { asked, link, pack, unpack } from "./share.js";

/** Keys of the load that are shown at once; the others are under "more". */
const FIRST = ["mass", "slope", "friction", "step"];

/** What an address without values opens. */
const USUAL = { engine: "mujoco" };

class Form {
  #fields = new Map();
  #asked = 0;

  constructor(engine, catalogue) {
    this.engine = engine;
    this.catalogue = catalogue;
    this.node = byId("form");
    this.list = element("select", { id: "engine" }, ...options(catalogue.engines.map(({ name }) => ({ value: name }))));
    this.about = element("p", { class: "about" });
    this.own = element("div", { class: "own" });
    const changed = onceAFrame(() => this.#ask());
    this.changed = changed;
    this.list.addEventListener("change", () => this.#choose({}));
    this.load = catalogue.load.map((key) => this.#field(key));
    this.budget = new Field(catalogue.budget, changed);
    const shown = this.load.filter(({ key }) => FIRST.includes(key.name));
    const more = this.load.filter(({ key }) => !FIRST.includes(key.name));
    this.more = element("details", {}, element("summary", {}, "more of the load"), ...more.map(({ node }) => node));
    const load = group("Load", shown);
    load.append(this.more);
    this.node.append(
      element("div", { class: "field engine" }, element("label", { for: "engine" }, element("b", {}, "engine")), this.list, this.about),
      load, group("From a budget to values", [this.budget]), this.own,
    );
    this.node.addEventListener("submit", (event) => event.preventDefault());
  }

  #field(key) {
    const field = new Field(key, () => (key.name === "law" ? this.#choose(this.values()) : this.changed()));
    this.#fields.set(key.name, field);
    return field;
  }

  /** What is typed; `null` where something cannot be read. */
  values() {
    const all = [...this.#fields.values(), this.budget].map((field) => [field.key.name, field.value]);
    return Object.fromEntries(all.filter(([, value]) => value !== undefined));
  }

  /** The keys of the engine, with those of its friction law. */
  #keys(values) {
    const { keys, laws } = this.#row();
    if (!laws) return keys;
    const law = values.law ?? keys.find(({ name }) => name === "law").default;
    const own = laws.find(({ name }) => name === law)?.keys ?? [];
    return [...keys, ...own.filter(({ kind }) => kind === "number")];
  }

  #row() {
    return this.catalogue.engines.find(({ name }) => name === this.list.value);
  }

  /** A key with its words, where the catalogue lists them elsewhere. */
  #worded(key) {
    const { laws, integrators } = this.#row();
    const words = { law: laws?.map(({ name }) => name), integrator: integrators }[key.name];
    return words ? { ...key, kind: "word", words } : key;
  }

  /** Fields of the chosen engine, with values typed in. */
  #choose(values) {
    for (const name of [...this.#fields.keys()]) {
      if (!this.load.some(({ key }) => key.name === name)) this.#fields.delete(name);
    }
    const fields = this.#keys(values).map((key) => this.#field(this.#worded(key)));
    const row = this.#row();
    write(this.about, row.about);
    this.own.replaceChildren(group(`Parameters of ${row.name}`, fields));
    this.type(values);
  }

  /** Types values in; keys that are not named keep what they have. */
  type(values) {
    for (const [name, value] of Object.entries(values)) {
      const field = name === "budget" ? this.budget : this.#fields.get(name);
      if (field) field.value = value;
    }
    this.more.open ||= this.load.some(({ key }) => key.name in values && !FIRST.includes(key.name));
    this.changed();
  }

  /**
   * Opens an engine with values.
   * @throws {Error} the engine, or one of the values, is none of this page
   */
  open({ engine, values = {} }) {
    if (!this.catalogue.engines.some(({ name }) => name === engine)) throw new Error(`this link cannot be opened: there is no engine \`${engine}\` here`);
    this.list.value = engine;
    this.#choose(values);
    const other = Object.keys(values).find((name) => name !== "budget" && !this.#fields.has(name));
    if (other !== undefined) throw new Error(`this link has a value \`${other.slice(0, 40)}\` that ${engine} has not; it was left out`);
  }

  /** Whether an engine was opened. */
  get isOpen() {
    return this.#fields.size > this.load.length;
  }

  get shared() {
    return { engine: this.list.value, values: this.values() };
  }

  async #ask() {
    const { engine, values } = this.shared;
    const number = ++this.#asked;
    const wrong = Object.keys(values).filter((name) => values[name] === null);
    if (wrong.length > 0) {
      // the answer to other values must not stand beside these
      const text = `No answer: ${wrong.join(", ")} ${wrong.length > 1 ? "have no values" : "has no value"} that can be used.`;
      byId("answer").replaceChildren(element("p", { class: "stamp", "data-kind": "bad" }, text));
      return;
    }
    let shown;
    try {
      const answer = await this.engine.ask({ do: "creep", engine, values });
      const units = new Map([...this.#fields.values()].map(({ key }) => [key.name, key.unit]));
      const use = (set) => this.type(set);
      shown = parts(answer, { first: document.body.dataset.page, units, use });
    } catch (error) {
      shown = [element("p", { class: "stamp", "data-kind": "bad" }, error.message)];
    }
    const hash = `#${await pack({ engine, values })}`;
    // a later question may have been answered before
    if (number !== this.#asked) return;
    // an answer that can be read has its address
    history.replaceState(null, "", hash);
    byId("answer").replaceChildren(...shown);
  }
}

/** Links to the other page take the values along. */
function follow(form) {
  for (const anchor of document.querySelectorAll('.bar a[href$="creep.html"], .bar a[href$="step.html"]')) {
    anchor.addEventListener("click", async (event) => {
      event.preventDefault();
      location.href = await link(anchor.getAttribute("href"), form.shared);
    });
  }
}

/** Opens what the address says; a link that cannot be opened is said. */
async function openAddress(form) {
  write(byId("notice"), "");
  try {
    const value = await unpack(location.hash);
    form.open(value === null ? USUAL : asked(value));
  } catch (error) {
    if (!form.isOpen) form.open(USUAL);
    write(byId("notice"), error.message);
  }
}

async function begin() {
  header();
  const engine = new Engine();
  const form = new Form(engine, await engine.ask({ do: "engines" }));
  await openAddress(form);
  addEventListener("hashchange", () => openAddress(form));
  follow(form);
  byId("copy").addEventListener("click", async ({ currentTarget }) => {
    const field = element("textarea", { class: "unseen", "aria-hidden": "true" }, await link(location.pathname.split("/").pop(), form.shared));
    document.body.append(field);
    const copied = await copy(field.value, field);
    field.remove();
    write(byId("copy"), copied ? "Copied" : "Press Ctrl-C");
    currentTarget?.focus();
  });
  document.body.dataset.state = "ready";
}

begin().catch((error) => {
  byId("answer").replaceChildren(element("p", { class: "stamp", "data-kind": "bad" }, error.message));
  document.body.dataset.state = "broken";
});
