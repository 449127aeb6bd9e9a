/** Sharing: a link that does the same again, and files. */

import { byId, button, element, write } from "./dom.js";
import { copy, save } from "./files.js";
import { link } from "./share.js";
import { Task, isCancelled } from "./task.js";
import { isDark } from "./theme.js";

/** Longer links are cut by some mail programs and forums. */
const LONG = 8000;

export class Sharing {
  #dialog = byId("share");
  #address = element("textarea", { readonly: true, rows: 3, "aria-label": "the link", id: "share-link" });
  #said = element("p", { class: "about", role: "status" });
  #csv;
  #task = new Task("measures.csv", () => this.assistant.cancel());

  constructor(session, assistant) {
    this.session = session;
    this.assistant = assistant;
    const copies = button("Copy the link", () => this.#copy(), { class: "primary", id: "share-copy" });
    this.#csv = button("measures.csv", () => this.#measures());
    byId("share-body").append(
      element("p", {}, "The link carries the scene, its settings and everything done so far. Whoever opens it sees it done again, and is told whether the last state has the same bits."),
      this.#address, element("div", { class: "buttons" }, copies), this.#said,
      element("h3", {}, "Files"),
      element(
        "div", { class: "buttons" },
        button("Picture (PNG)", () => this.#picture()), button("Scene (TOML)", () => this.#scene()),
        this.#csv, button("Recording", () => this.#recording()),
      ),
      this.#task.node,
      element("p", { class: "about" }, "measures.csv is computed anew from t = 0, with what is set now from the start; pushes and pulls are left out."),
    );
    byId("share-open").addEventListener("click", () => this.show());
  }

  async show() {
    this.#dialog.showModal();
    this.#address.value = "";
    write(this.#said, "");
    const { scene, panes, reference, recording } = await this.session.shared();
    this.#address.value = await link("index.html", { scene, panes, reference, recording, dark: isDark() });
    const { length } = this.#address.value;
    const advice = length > LONG ? "; some programs cut links of this length: send the scene and the recording as files" : "";
    write(this.#said, `${length} letters${advice}`);
    this.#address.select();
  }

  async #copy() {
    const copied = await copy(this.#address.value, this.#address);
    write(this.#said, copied ? "copied" : "the browser does not let this page copy: press Ctrl-C");
  }

  async #picture() {
    const { bytes } = await this.session.engine.ask({ do: "png" });
    save(`${this.session.stem}.png`, bytes, "image/png");
  }

  async #scene() {
    save(`${this.session.stem}.toml`, await this.session.text(), "application/toml");
  }

  async #recording() {
    save(`${this.session.stem}.jsonl`, await this.session.recording(), "application/jsonl");
  }

  async #measures() {
    this.#csv.disabled = true;
    try {
      const progress = this.#task.begin("measures.csv");
      const { scene, set } = await this.session.setNow();
      this.#task.stopIfCancelled();
      const { csv } = await this.assistant.ask({ do: "measures", ...scene, set }, progress);
      save("measures.csv", csv, "text/csv");
      write(this.#said, "measures.csv is saved");
    } catch (error) {
      write(this.#said, isCancelled(error) ? "measures.csv was cancelled" : error.message);
    } finally {
      this.#task.end();
      this.#csv.disabled = false;
    }
  }
}
