/** Fields for the parameters of an engine, made from its catalogue. */

import { element, options } from "./dom.js";
import { parse, quantity } from "./numbers.js";

/**
 * A key of an engine or of a load.
 * @typedef {object} Key
 * @property {string} name
 * @property {string} about
 * @property {"number" | "integer" | "flag" | "word" | "text" | "constants"} kind
 * @property {string} unit
 * @property {string[]} words
 * @property {unknown} default
 * @property {string | null} without the meaning of its absence
 * @property {string} needs its range in words
 */

/** Letters of a placeholder that fit its field; a longer meaning of absence is said beside the name. */
const SHORT = 14;

/** A field of one key. Its value is `undefined` where the default holds, `null` where it cannot be read. */
export class Field {
  /** @param {Key} key @param {() => void} changed */
  constructor(key, changed) {
    this.key = key;
    this.input = this.#make();
    this.input.id = `key-${key.name}`;
    this.input.addEventListener("input", changed);
    this.error = element("span", { class: "field-error" });
    this.node = element(
      "div", { class: "field" },
      element("label", { for: this.input.id }, element("b", {}, key.name.replaceAll("_", " ")), " ", element("span", { class: "about" }, this.#about())),
      element("span", { class: "field-input" }, this.input, element("span", { class: "unit" }, key.unit)),
      this.error,
    );
  }

  #make() {
    const { kind, words } = this.key;
    const usual = this.key.default;
    if (kind === "word") return element("select", {}, ...options(words.map((value) => ({ value })), usual));
    if (kind === "flag") {
      const rows = ["true", "false"].map((value) => ({ value, label: value === "true" ? "yes" : "no" }));
      return element("select", {}, ...options(rows, String(usual)));
    }
    const placeholder = usual === null || usual === undefined ? this.#absence(true) : String(usual);
    return element("input", { type: "text", inputmode: "decimal", placeholder, autocomplete: "off", spellcheck: "false" });
  }

  /** The meaning of an empty field, if it is short, or if it is long. */
  #absence(short) {
    const { without } = this.key;
    return without && without.length <= SHORT === short ? without : "";
  }

  #about() {
    const long = this.#absence(false);
    return long ? `${this.key.about}; empty: ${long}` : this.key.about;
  }

  /** What is typed, as the engine takes it. */
  get value() {
    const { kind, unit, needs } = this.key;
    const text = this.input.value.trim();
    const usual = this.key.default;
    this.#complain("");
    if (text === "" || text === String(usual)) return undefined;
    if (kind === "flag") return text === "true";
    if (kind === "number" || kind === "integer") {
      const number = parse(text, unit);
      if (number === null) this.#complain(`needs ${needs}`);
      return number;
    }
    return text;
  }

  set value(value) {
    const { kind, unit } = this.key;
    if (value === undefined || value === null) this.input.value = this.input.tagName === "SELECT" ? String(this.key.default) : "";
    else if (kind === "number" && unit !== "" && unit !== "°") this.input.value = quantity(value, unit, 6).replace(unit, "").trim();
    else this.input.value = String(value);
  }

  #complain(words) {
    this.error.textContent = words;
    this.input.setAttribute("aria-invalid", String(words !== ""));
  }
}

/** A group of fields with a heading. */
export function group(title, fields, attributes = {}) {
  return element("fieldset", attributes, element("legend", {}, title), ...fields.map((field) => field.node));
}
