/** The library of scenes: pictures, titles and a search, in a dialog. */

import { breathe, byId, element, write } from "./dom.js";
import { quantity } from "./numbers.js";
import { isDark, onTheme } from "./theme.js";

/** Size of a picture \[pixels\]. */
const PICTURE = { width: 320, height: 200 };

/** Names of folders as headings. */
const FOLDERS = new Map([
  ["", "Scenes"],
  ["league", "The league: other engines were asked these"],
  ["new", "Scenes to begin with"],
  ["failing", "Scenes that must fail"],
]);

export class Library {
  #dialog = byId("library");
  #list = byId("library-list");
  #search = byId("library-search");
  #count = byId("library-count");
  #cards = [];
  /** cards whose pictures are still to be made, the first one next */
  #waiting = [];
  #drawing = false;
  /** the filling of the list, once it was asked for */
  #filling = null;

  /**
   * @param {import("./engine.js").Engine} engine knows the scenes
   * @param {import("./engine.js").Engine} assistant draws their pictures
   */
  constructor(session, engine, assistant) {
    this.session = session;
    this.engine = engine;
    this.assistant = assistant;
    this.#search.addEventListener("input", () => this.#filter());
    this.#search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      // the button that gets the focus back must not be pressed by the same key
      event.preventDefault();
      // typed ahead of the list
      this.#filling?.then(() => this.#cards.find(({ node }) => !node.hidden)?.node.firstChild.click());
    });
    onTheme(() => this.#forget());
  }

  /** Fills the list. */
  async #fill() {
    const scenes = await this.engine.ask({ do: "library" });
    const seen = new IntersectionObserver((entries) => this.#wanted(entries), { root: this.#dialog });
    const folders = [...new Set(scenes.map((scene) => scene.folder))];
    for (const folder of folders) {
      const list = element("ul", { class: "scenes" });
      const section = element("section", {}, element("h3", {}, FOLDERS.get(folder) ?? folder), list);
      for (const scene of scenes.filter((one) => one.folder === folder)) {
        const card = this.#card(scene);
        this.#cards.push(card);
        list.append(card.node);
        seen.observe(card.node);
      }
      this.#list.append(section);
      await breathe();
    }
    this.#filter();
  }

  #card(scene) {
    const canvas = element("canvas", { ...PICTURE, "aria-hidden": "true" });
    const name = scene.name.split("/").pop().replaceAll("_", " ");
    const words = element("span", { class: "scene-words" }, element("b", {}, name), scene.title);
    const time = element("span", { class: "scene-time" }, quantity(scene.seconds, "s", 3));
    const open = element("button", { type: "button", class: "scene" }, canvas, words, time);
    open.addEventListener("click", () => this.#open(scene));
    const text = `${scene.name} ${scene.title}`.replaceAll("_", " ").toLowerCase();
    return { scene, text, canvas, drawn: false, node: element("li", {}, open) };
  }

  async #open(scene) {
    this.#dialog.close();
    await this.session.open({ scene: { name: scene.name } });
  }

  show() {
    this.#dialog.showModal();
    this.#search.focus();
    this.#search.select();
    this.#filling ??= this.#fill().catch((error) => {
      this.#filling = null;
      this.session.tell("notice", error.message);
    });
  }

  #filter() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { node, text } of this.#cards) {
      node.hidden = !words.every((word) => text.includes(word));
      if (!node.hidden) count += 1;
    }
    for (const section of this.#list.children) {
      section.hidden = !section.querySelector("li:not([hidden])");
    }
    write(this.#count, count === 1 ? "1 scene" : `${count} scenes`);
  }

  /** Puts cards that came into view at the head of what is drawn. */
  #wanted(entries) {
    const shown = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
    const cards = this.#cards.filter((card) => shown.includes(card.node) && !card.drawn);
    this.#waiting = [...cards, ...this.#waiting.filter((card) => !cards.includes(card))];
    this.#draw();
  }

  async #draw() {
    if (this.#drawing) return;
    this.#drawing = true;
    for (let card = this.#waiting.shift(); card; card = this.#waiting.shift()) {
      card.drawn = true;
      try {
        const request = { do: "picture", name: card.scene.name, ...PICTURE, dark: isDark() };
        const { width, height, pixels } = await this.assistant.ask(request);
        const image = new ImageData(new Uint8ClampedArray(pixels), width, height);
        card.canvas.getContext("2d").putImageData(image, 0, 0);
      } catch {
        // a card without a picture still opens its scene; after a cancelled verification it is asked again
        card.drawn = false;
      }
    }
    this.#drawing = false;
  }

  /** All pictures are to be drawn again, in other colours. */
  #forget() {
    for (const card of this.#cards) card.drawn = false;
    this.#waiting = this.#cards.filter((card) => card.canvas.checkVisibility?.() ?? false);
    if (this.#waiting.length > 0) this.#draw();
  }
}
