/** Measures that are one number over time, such as a period, from the last change on: now, and as the scene expects them. */

import { element, write } from "./dom.js";
import { ofScene } from "./figure.js";
import { quantity } from "./numbers.js";

export class Numbers {
  node = element("table", { class: "numbers", hidden: true });
  #body = element("tbody");
  #over = element("th", { scope: "col" });
  #expected = element("th", { scope: "col" });
  #outline = "";

  constructor() {
    const now = element("th", { scope: "col" }, "now");
    this.node.append(element("thead", {}, element("tr", {}, this.#over, now, this.#expected)), this.#body);
  }

  /** @param pane as_written: whether the scene has the values of its text; counted: the time of the last change, if any */
  show(measures, { as_written: asWritten, counted }) {
    const rows = measures.filter(({ reduced }) => reduced);
    this.node.hidden = rows.length === 0;
    write(this.#over, counted ? `since ${quantity(counted, "s")}` : "over all time so far");
    write(this.#expected, `expected${ofScene(asWritten)}`);
    const outline = JSON.stringify(rows.map(({ name, unit, expected }) => [name, unit, expected]));
    if (outline !== this.#outline) this.#make(rows);
    this.#outline = outline;
    const cells = this.#body.querySelectorAll("td:nth-of-type(1)");
    rows.forEach(({ unit, columns: [{ values }] }, row) => write(cells[row], quantity(values.at(-1) ?? null, unit)));
  }

  #make(rows) {
    const made = rows.map(({ name, unit, expected }) => {
      const words = expected ? `${quantity(expected[0], unit)} … ${quantity(expected[1], unit)}` : "–";
      return element("tr", {}, element("th", { scope: "row" }, name), element("td", {}), element("td", {}, words));
    });
    this.#body.replaceChildren(...made);
  }
}
