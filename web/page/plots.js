/** Figures over time: the scene's measures, then energy, residual, h λ against its limit, creep, difference. */

import { byId, button, element } from "./dom.js";
import { Figure } from "./figure.js";
import { Numbers } from "./numbers_now.js";
import { onTheme } from "./theme.js";

/** Lines from columns of the engine: pairs of column and name, and those that are shown when asked for; the engine
 * may have another name for a column. */
function columns(usual, more = []) {
  return (plots, all) => [...usual, ...(all ? more : [])].map(([column, name]) => ({ name: plots.names[column] ?? name, values: plots[column] }));
}

/** @type {import("./figure.js").Kind[]} */
const FIGURES = [
  { title: "Energy", unit: "J", single: true, lines: columns([["kinetic", "kinetic"], ["friction", "dissipated by friction"]], [["spring", "springs"], ["contact", "contacts"], ["gravity", "gravity"], ["work", "work of pushes and drives"]]) },
  { title: "Energy residual", unit: "J", lines: columns([["residual", "residual"]]) },
  { title: "h λ, step × friction rate", unit: "", lines: columns([["hlambda", "h λ"]]), limit: true },
  { title: "Creep", unit: "m/s", lines: columns([["creep", "measured"], ["creep_law", "the law's"], ["creep_sliding", "sliding"], ["creep_integrator", "the integrator's"]]) },
  { title: "Difference from the reference", unit: "m", lines: columns([["difference", "difference"]]) },
];

/** The figure of a measure of the scene; that of a vector shows one pane. */
export function figureOf({ name, unit, expected, columns: parts }, place, height = undefined) {
  const lines = ({ measures }) => measures[place].columns.map((column) => ({ name: column.name || name, values: column.values }));
  return new Figure({ title: name, unit, single: parts.length > 1, band: expected ?? undefined, height, lines });
}

/** What a measure is, without its values. */
export function outline({ name, unit, expected, reduced, columns: parts }) {
  return { name, unit, expected, reduced, columns: parts.length };
}

export class Plots {
  #figures = FIGURES.map((kind) => new Figure(kind));
  /** figures of the scene's measures, and which measures they are of */
  #own = [];
  #outline = "[]";
  #node = byId("plots");
  #empty = element("p", { class: "about" }, "Figures come as soon as the scene plays.");
  #measures = element("div", { class: "measures" });
  #numbers = new Numbers();
  #all = button("All energies", () => this.#showAll(), { "aria-pressed": "false" });

  constructor(session) {
    this.session = session;
    this.#node.append(
      this.#empty, this.#numbers.node, this.#measures, element("div", { class: "buttons" }, this.#all),
      ...this.#figures.map((figure) => figure.node),
    );
    session.on("plots", () => this.show());
    new ResizeObserver(() => this.#every.forEach((figure) => figure.resize())).observe(this.#node);
    onTheme(() => {
      this.#every.forEach((figure) => figure.renew());
      this.show();
    });
  }

  get #every() {
    return [...this.#own, ...this.#figures];
  }

  get #asked() {
    return this.#all.getAttribute("aria-pressed") === "true";
  }

  /** Shows every energy, or the two that friction is about. */
  #showAll() {
    this.#all.setAttribute("aria-pressed", String(!this.#asked));
    this.show();
  }

  /** Makes the figures of the scene's measures, where the scene is another one. */
  #fit(measures) {
    const now = JSON.stringify(measures.map(outline));
    if (now === this.#outline) return;
    this.#outline = now;
    this.#own.forEach((figure) => figure.remove());
    const figures = measures.map((measure, place) => (measure.reduced ? null : figureOf(measure, place)));
    this.#own = figures.filter((figure) => figure !== null);
    this.#measures.append(...this.#own.map((figure) => figure.node));
  }

  /** Draws the figures, if they can be seen. */
  show() {
    const { plots, report } = this.session;
    if (this.#node.hidden || plots.length === 0 || plots.length !== report?.panes.length) return;
    this.#empty.hidden = true;
    const { measures } = plots[report.active];
    this.#fit(measures);
    this.#numbers.show(measures, report.panes[report.active]);
    for (const figure of this.#every) figure.show(plots, report.panes, report.active, this.#asked);
  }
}
