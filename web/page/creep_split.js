/** The creep of each body, split into the parts of the law, the integrator and lagged quantities. */

import { byId, element } from "./dom.js";
import { quantity } from "./numbers.js";

/** Parts: key, name. */
const PARTS = [
  ["law", "law"],
  ["integrator", "integrator"],
  ["lag", "lag"],
];

/** Parts below this share of the whole are rounding. */
const ROUNDING = 1e-6;

function cell(part, whole) {
  if (part === null || part === undefined) return "–";
  return Math.abs(part) < ROUNDING * Math.abs(whole) ? "0" : quantity(part, "m/s", 3);
}

/** A bar whose lengths are the parts' shares. */
function bar(row) {
  const parts = PARTS.map(([key]) => Math.abs(row[key] ?? 0));
  const sum = parts.reduce((total, part) => total + part, 0);
  if (sum === 0) return null;
  const pieces = PARTS.map(([key], k) =>
    element("span", { class: `part ${key}`, style: `width:${((100 * parts[k]) / sum).toFixed(1)}%` }),
  );
  return element("div", { class: "part-bar", "aria-hidden": "true" }, ...pieces);
}

/** A body that slides, or whose law has no creep in closed form. */
function unsplit({ body, total }) {
  const why = element("td", { colspan: PARTS.length, class: "about" }, "slides, or no creep is known for its law");
  return element("tr", {}, element("th", { scope: "row" }, body), element("td", {}, quantity(total, "m/s", 3)), why);
}

export class CreepSplit {
  #shown = "";

  constructor(session) {
    this.node = byId("creep");
    session.on("report", () => this.#show(session.pane.creep));
  }

  #show(rows) {
    const key = JSON.stringify(rows.map((row) => [row.body, ...["total", "law", "integrator", "lag"].map((k) => cell(row[k], row.total))]));
    if (key === this.#shown) return;
    this.#shown = key;
    this.node.hidden = rows.length === 0;
    const head = ["body", "creep", ...PARTS.map(([, name]) => name)];
    const body = rows.map((row) => {
      if (row.law === null) return unsplit(row);
      const parts = PARTS.map(([part]) => element("td", { class: part }, cell(row[part], row.total)));
      const name = element("th", { scope: "row" }, row.body, bar(row));
      return element("tr", {}, name, element("td", {}, quantity(row.total, "m/s", 3)), ...parts);
    });
    this.node.replaceChildren(
      element(
        "table", {},
        element("caption", {}, "Creep: slip under a load that friction should hold"),
        element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...body),
      ),
    );
  }
}
