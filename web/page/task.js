/** A computation that takes a while: a bar, words, and the button that ends it. */

import { button, element, write } from "./dom.js";

/** Whether an error says that the user ended a computation. */
export function isCancelled(error) {
  return error?.name === "AbortError";
}

export class Task {
  node = element("div", { class: "task", hidden: true });
  #bar;
  #words = element("span", {});

  /**
   * @param {string} name of the computation, for screen readers
   * @param {() => void} cancel ends it
   */
  constructor(name, cancel) {
    this.#bar = element("progress", { max: 1, "aria-label": name });
    this.node.append(this.#bar, this.#words, button("Cancel", cancel, { "aria-label": `cancel ${name}` }));
  }

  /** Shows it, and returns the listener of its progress. */
  begin(words) {
    this.#bar.removeAttribute("value");
    write(this.#words, words);
    this.node.hidden = false;
    return (share, text) => {
      this.#bar.value = share;
      write(this.#words, `${Math.floor(100 * share)} %${text ? `, ${text}` : ""}`);
    };
  }

  end() {
    this.node.hidden = true;
  }
}
