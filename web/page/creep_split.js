/** The drift of each body in its parts: the law's creep, stretch, sliding, the integrator's, the lag's. */

import { byId, element } from "./dom.js";
import { quantity } from "./numbers.js";

/** Parts: key, name, whether the column stands if the part is zero. */
const PARTS = [
  ["law", "law", true],
  ["stretch", "stretch", false],
  ["sliding", "sliding", false],
  ["integrator", "integrator", true],
  ["lag", "lag", false],
];

/** Parts below this share of the whole are rounding. */
const ROUNDING = 1e-6;

function cell(part, whole) {
  if (part === null || part === undefined) return "–";
  return Math.abs(part) < ROUNDING * Math.abs(whole) ? "0" : quantity(part, "m/s", 3);
}

/** The parts that are not zero for all bodies. */
function shown(rows) {
  const some = (key) => rows.some((row) => Math.abs(row[key] ?? 0) > ROUNDING * Math.abs(row.total));
  return PARTS.filter(([key, , always]) => always || some(key));
}

/** A bar whose lengths are the parts' shares. */
function bar(row, columns) {
  const parts = columns.map(([key]) => Math.abs(row[key] ?? 0));
  const sum = parts.reduce((total, part) => total + part, 0);
  if (sum === 0) return null;
  const pieces = columns.map(([key], k) =>
    element("span", { class: `part ${key}`, style: `width:${((100 * parts[k]) / sum).toFixed(1)}%` }),
  );
  return element("div", { class: "part-bar", "aria-hidden": "true" }, ...pieces);
}

/** A body whose parts cannot be told apart. */
function unsplit({ body, total }, columns) {
  const why = element("td", { colspan: columns.length, class: "about" }, "not known: friction is not resolved");
  return element("tr", {}, element("th", { scope: "row" }, body), element("td", {}, quantity(total, "m/s", 3)), why);
}

export class CreepSplit {
  #shown = "";

  constructor(session) {
    this.node = byId("creep");
    session.on("report", () => this.#show(session.pane.creep));
  }

  #show(rows) {
    const key = JSON.stringify(rows.map((row) => [row.body, ...["total", ...PARTS.map(([part]) => part)].map((k) => cell(row[k], row.total))]));
    if (key === this.#shown) return;
    this.#shown = key;
    this.node.hidden = rows.length === 0;
    const columns = shown(rows);
    const head = ["body", "drift", ...columns.map(([, name]) => name)];
    const body = rows.map((row) => {
      if (row.law === null) return unsplit(row, columns);
      const parts = columns.map(([part]) => element("td", { class: part }, cell(row[part], row.total)));
      const name = element("th", { scope: "row" }, row.body, bar(row, columns));
      return element("tr", {}, name, element("td", {}, quantity(row.total, "m/s", 3)), ...parts);
    });
    this.node.replaceChildren(
      element(
        "table", {},
        element("caption", {}, "Drift of contacts by cause: an estimate by the run's own balances"),
        element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...body),
      ),
    );
  }
}
