/** The text of the scene: the editor, what is wrong with the text, and Run. */

import { byId, button, element, marked, write } from "./dom.js";
import { save } from "./files.js";
import { isCancelled } from "./task.js";

/** Largest file that is read as a scene \[bytes\]. */
const LARGEST = 4e6;

/** Loads the script of the editor once. */
let loaded = null;
function editorScript() {
  loaded ??= new Promise((resolve, reject) => {
    const script = element("script", { src: "editor.js" });
    script.addEventListener("load", () => resolve(self.STICTION_EDITOR));
    script.addEventListener("error", () => reject(new Error("editor.js is not beside this page")));
    document.head.append(script);
  });
  return loaded;
}

/** "line 12, column 8", where a complaint has a place in this text. */
function place(from) {
  return from ? `line ${from.line}, column ${from.column}` : "the scene";
}

export class SceneText {
  #editor = null;
  #host = element("div", { class: "editor" });
  #errors = element("ul", { class: "errors", "aria-live": "polite", "aria-label": "what is wrong with the text" });
  #state = element("p", { class: "about", role: "status" });
  /** the text that was last opened */
  #opened = "";

  constructor(session, assistant, schema) {
    this.session = session;
    this.assistant = assistant;
    this.schema = schema;
    const run = button("Run", () => this.run(), { class: "primary", title: "Run this text (Ctrl-Enter)" });
    const undo = button("Revert", () => (this.#editor.text = this.#opened), { title: "Back to the text that runs now" });
    const file = button("Save as a file", () => save(`${session.stem}.toml`, this.#editor.text, "application/toml"));
    const load = element("input", { type: "file", accept: ".toml,text/plain", class: "hidden", id: "text-file" });
    load.addEventListener("change", () => this.#load(load));
    const choose = button("Open a file", () => load.click());
    byId("text").append(
      element("div", { class: "buttons" }, run, undo, choose, file, load), this.#state, this.#errors, this.#host,
    );
    session.on("opened", () => this.#follow());
  }

  /** Shows the editor with the text of the scene. */
  async show() {
    if (this.#editor) return;
    const [{ createEditor }, schema] = await Promise.all([editorScript(), this.schema()]);
    if (this.#editor) return;
    this.#editor = createEditor(this.#host, {
      schema,
      check: (text) => this.#check(text),
      run: () => this.run(),
    });
    await this.#follow();
  }

  async #follow() {
    if (!this.#editor || !this.session.opening) return;
    const text = await this.session.text();
    this.#opened = text;
    if (this.#editor.text !== text) this.#editor.text = text;
  }

  async #load(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > LARGEST) {
      write(this.#state, `${file.name} is too large for a scene: ${Math.round(file.size / 1e6)} MB`);
      return;
    }
    this.#editor.text = await file.text();
    this.#editor.focus();
  }

  async #check(text) {
    let answer;
    try {
      answer = await this.assistant.ask({ do: "check", text });
    } catch (error) {
      // a cancelled computation takes the checks along that wait behind it
      if (!isCancelled(error)) write(this.#state, error.message);
      return [];
    }
    this.#list(answer.diagnostics);
    const errors = answer.diagnostics.filter(({ severity }) => severity === "error").length;
    const good = `no errors, ${answer.particles} ${answer.particles === 1 ? "particle" : "particles"}`;
    const bad = errors === 1 ? "1 error: the scene before plays on" : `${errors} errors: the scene before plays on`;
    write(this.#state, answer.good ? good : bad);
    return answer.diagnostics;
  }

  #list(diagnostics) {
    const rows = diagnostics.map(({ severity, message, label, help, from }) => {
      const words = [message, label].filter(Boolean).join("; ");
      const where = button(place(from), () => this.#editor.go(from?.offset ?? 0), { class: "link" });
      const advice = help ? element("span", { class: "help" }, help) : null;
      return element("li", { class: severity }, element("b", {}, severity), " ", where, " ", ...marked(words), " ", advice);
    });
    this.#errors.replaceChildren(...rows);
  }

  /** Runs the text; one with errors leaves the scene that runs. */
  async run() {
    if (!this.#editor) return;
    const text = this.#editor.text;
    try {
      const name = this.session.opening?.scene.name;
      await this.session.open({ scene: { text, name } });
    } catch (error) {
      write(this.#state, error.message);
    }
  }

  /** Shows the errors of a text that was refused. */
  refuse({ diagnostics }) {
    this.#list(diagnostics);
  }
}
