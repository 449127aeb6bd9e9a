/** A room of a fixed height: what it cuts is announced by a button, which makes it as high as its contents. */

import { button, element } from "./dom.js";

export class Room {
  /** @param {HTMLElement} node with a height of its own in the style sheets */
  constructor(node) {
    this.node = node;
    this.more = button("more", () => this.#open(), { class: "more-below" });
    this.frame = element("div", { class: "room-frame" });
    node.replaceWith(this.frame);
    this.frame.append(node, this.more);
    node.addEventListener("scroll", () => this.#mark());
    const look = () => this.#mark();
    new MutationObserver(look).observe(node, { childList: true, characterData: true, subtree: true });
    new MutationObserver(look).observe(node, { attributes: true, attributeFilter: ["hidden"] });
    new ResizeObserver(look).observe(node);
    this.#mark();
  }

  /** Shows the button, over the last line, while something lies below. */
  #mark() {
    const { node, more, frame } = this;
    frame.hidden = node.hidden;
    more.hidden = node.scrollHeight - node.clientHeight - node.scrollTop <= 2;
  }

  /** As high as the contents, from here on. */
  #open() {
    this.node.style.height = `${this.node.scrollHeight}px`;
    this.#mark();
    this.node.focus();
  }

  /** As high as the style sheets say. */
  close() {
    this.node.style.height = "";
  }
}
