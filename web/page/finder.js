/** The search for a number of the scene by a part of its key, which becomes a slider. */

import { byId, element, write } from "./dom.js";
import { quantity } from "./numbers.js";

/** Numbers that have a slider already. */
const ROWS = new Map([
  ["contact.friction.epsilon", "epsilon"],
  ["contact.normal.stiffness", "stiffness"],
  ["time.step", "step"],
]);

export class Finder {
  #dialog = byId("finder");
  #text = byId("finder-text");
  #list = byId("finder-list");
  #said = byId("finder-said");
  #rows = [];
  #marked = 0;
  /** texts that were asked for: an answer that is overtaken is dropped */
  #asked = 0;
  /** the answer that is on its way */
  #answer = Promise.resolve();

  /** @param {(knob: string) => void} go is called with the knob of a number that has one */
  constructor(session, go) {
    this.session = session;
    this.go = go;
    this.#text.addEventListener("input", () => this.#ask());
    this.#text.addEventListener("keydown", (event) => this.#key(event));
  }

  show() {
    if (!this.session.pane) return;
    this.#text.value = "";
    this.#dialog.showModal();
    this.#text.focus();
    this.#ask();
  }

  #ask() {
    this.#answer = this.#search().catch((error) => this.session.tell("notice", error.message));
  }

  async #search() {
    const asked = ++this.#asked;
    const { found, unknown } = await this.session.engine.ask({ do: "find", text: this.#text.value });
    if (asked !== this.#asked) return;
    this.#rows = found;
    write(this.#said, unknown ?? "");
    this.#list.replaceChildren(...found.map((row, place) => this.#row(row, place)));
    this.#mark(0);
  }

  #row({ path, value, unit, about }, place) {
    const name = element("span", { class: "finder-path" }, path);
    const node = element("li", { role: "option", id: `finder-${place}` }, name, element("b", {}, quantity(value, unit)), element("span", { class: "about" }, about));
    node.addEventListener("click", () => this.#choose(place));
    return node;
  }

  #mark(place) {
    this.#marked = Math.max(0, Math.min(place, this.#rows.length - 1));
    [...this.#list.children].forEach((node, at) => node.setAttribute("aria-selected", String(at === this.#marked)));
    this.#text.setAttribute("aria-activedescendant", this.#rows.length > 0 ? `finder-${this.#marked}` : "");
    this.#list.children[this.#marked]?.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in moves) this.#mark(this.#marked + moves[event.key]);
    else if (event.key === "Enter") this.#answer.then(() => this.#choose(this.#marked));
    else return;
    event.preventDefault();
  }

  #choose(place) {
    const row = this.#rows[place];
    if (!row) return;
    this.#dialog.close();
    const knob = ROWS.get(row.path);
    if (knob) this.go(knob);
    else this.session.command({ do: "slider", path: row.path });
  }
}
