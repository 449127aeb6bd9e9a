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
  #cancelled = false;

  /**
   * @param {string} name of the computation, for screen readers
   * @param {() => void} cancel ends it
   */
  constructor(name, cancel) {
    this.#bar = element("progress", { max: 1, "aria-label": name });
    const end = () => {
      this.#cancelled = true;
      cancel();
    };
    this.node.append(this.#bar, this.#words, button("Cancel", end, { "aria-label": `cancel ${name}` }));
  }

  /** Shows it, and returns the listener of its progress. */
  begin(words) {
    this.#cancelled = false;
    this.#bar.removeAttribute("value");
    write(this.#words, words);
    this.node.hidden = false;
    return (share, text) => {
      this.#bar.value = share;
      write(this.#words, `${Math.floor(100 * share)} %${text ? `, ${text}` : ""}`);
    };
  }

  /**
   * Between two parts of a computation: `cancel` ends only what computes.
   * @throws {DOMException} the user ended it
   */
  stopIfCancelled() {
    if (this.#cancelled) throw new DOMException("cancelled", "AbortError");
  }

  end() {
    this.node.hidden = true;
  }
}
