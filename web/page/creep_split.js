/** The drift of each body in its parts: the law's creep, stretch, sliding, the integrator's, the lag's. */

import { byId, element } from "./dom.js";
import { quantity, speed } from "./numbers.js";

/** Parts: key, name, whether the column stands if the part is zero. */
const PARTS = [
  ["law", "the law's", true],
  ["stretch", "stretch", false],
  ["sliding", "sliding", false],
  ["integrator", "the method's", true],
  ["lag", "lag", false],
];

/** Parts below this share of the whole are rounding. */
const ROUNDING = 1e-6;

function cell(part, whole, least) {
  if (part === null || part === undefined) return "–";
  return Math.abs(part) < Math.max(least, ROUNDING * Math.abs(whole)) ? "0" : quantity(part, "m/s", 3);
}

/** The parts that are not zero for all bodies. */
function shown(rows, least) {
  const some = (key) => rows.some((row) => !["–", "0"].includes(cell(row[key], row.total, least)));
  return PARTS.filter(([key, , always]) => always || some(key));
}

/** A bar whose lengths are the parts' shares. */
function bar(row, columns, least) {
  const parts = columns.map(([key]) => Math.abs(row[key] ?? 0));
  const sum = parts.reduce((total, part) => total + part, 0);
  if (sum < least) return null;
  const pieces = columns.map(([key], k) => {
    const piece = element("span", { class: `part ${key}` });
    // a style in an attribute is against the page's security policy
    piece.style.width = `${((100 * parts[k]) / sum).toFixed(1)}%`;
    return piece;
  });
  return element("div", { class: "part-bar", "aria-hidden": "true" }, ...pieces);
}

/** A body whose parts cannot be told apart. */
function unsplit({ body, total }, columns, least) {
  const why = element("td", { colspan: columns.length, class: "about" }, "not known: friction is not resolved");
  return element("tr", {}, element("th", { scope: "row" }, body), element("td", {}, speed(total, least, 3)), why);
}

export class CreepSplit {
  #shown = "";

  constructor(session) {
    this.node = byId("creep");
    session.on("report", () => this.#show(session.pane.creep, session.pane.least_speed));
  }

  #show(rows, least) {
    const key = JSON.stringify(rows.map((row) => [row.body, ...["total", ...PARTS.map(([part]) => part)].map((k) => cell(row[k], row.total, least))]));
    if (key === this.#shown) return;
    this.#shown = key;
    this.node.hidden = rows.length === 0;
    const columns = shown(rows, least);
    const head = ["body", "drift", ...columns.map(([, name]) => name)];
    const body = rows.map((row) => {
      if (row.law === null) return unsplit(row, columns, least);
      const parts = columns.map(([part]) => element("td", { class: part }, cell(row[part], row.total, least)));
      const name = element("th", { scope: "row" }, row.body, bar(row, columns, least));
      return element("tr", {}, name, element("td", {}, speed(row.total, least, 3)), ...parts);
    });
    this.node.replaceChildren(
      element(
        "table", {},
        element("caption", {}, "Drift of contacts by cause, estimated"),
        element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...body),
      ),
    );
  }
}
