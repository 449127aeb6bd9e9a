/** Figures over time: energy, residual, h λ against its limit, creep and the law's share, difference. */

import uPlot from "uplot";
import { byId, button, element } from "./dom.js";
import { quantity } from "./numbers.js";
import { onTheme, token } from "./theme.js";

/** Height of a figure \[CSS pixels\]. */
const HEIGHT = 132;

/** Colours of panes; the engine draws numbers and outlines of panes in the same order. */
const PANES = ["--line-1", "--line-2", "--line-3", "--line-4", "--muted", "--ink"];

/**
 * Figures: title, unit, and the lines of one pane. A line is a column of the engine, its name, and whether
 * it is dashed. `single` figures show the active pane alone; `more` are lines that are shown when asked for.
 */
const FIGURES = [
  { title: "Energy", unit: "J", single: true, lines: [["kinetic", "kinetic"], ["friction", "dissipated by friction"]], more: [["spring", "springs"], ["contact", "contacts"], ["gravity", "gravity"], ["work", "work of pushes and drives"]] },
  { title: "Energy residual", unit: "J", lines: [["residual", "residual"]] },
  { title: "h λ, step × friction rate", unit: "", lines: [["hlambda", "h λ"]], limit: true },
  { title: "Creep", unit: "m/s", lines: [["creep", "measured"], ["creep_law", "the law's", true], ["creep_sliding", "sliding", true], ["creep_integrator", "the integrator's", true]] },
  { title: "Difference from the reference", unit: "m", lines: [["difference", "difference"]] },
];

/** Whether any number of a column is known. */
function known(column) {
  return column?.some((value) => value !== null) ?? false;
}

/** One figure: lines of all panes over a common time. */
class Figure {
  #plot = null;
  #shape = "";

  constructor(kind) {
    this.kind = kind;
    this.host = element("div", { class: "figure-plot" });
    this.node = element("figure", { class: "figure", hidden: true }, element("figcaption", {}, kind.title), this.host);
  }

  /** Values of a column; speeds that are rounding are 0. */
  #resolved(values, least) {
    if (this.kind.unit !== "m/s" || !values) return values;
    return values.map((value) => (value !== null && Math.abs(value) < least ? 0 : value));
  }

  /** Lines `{label, pane, place, dashed, time, values}` of what is known. */
  #lines(plots, panes, active, all) {
    const shown = this.kind.single ? [active] : plots.map((_, pane) => pane);
    const lines = shown.flatMap((pane) =>
      [...this.kind.lines, ...((all && this.kind.more) || [])].map(([column, name, dashed], place) => ({
        label: plots.length > 1 && !this.kind.single ? `${pane + 1} ${name}` : name,
        pane, place, dashed, time: plots[pane].time, values: this.#resolved(plots[pane][column], panes[pane].least_speed),
      })),
    ).filter((line) => known(line.values));
    const limit = panes[active].decay_limit;
    if (this.kind.limit && limit && lines.length > 0) {
      const { time } = plots[active];
      lines.push({ label: "limit where a contact sticks", limit: true, dashed: true, time, values: time.map(() => limit) });
    }
    return lines;
  }

  /** Draws the lines of the panes; `all` with those that are shown when asked for. */
  show(plots, panes, active, all) {
    const lines = this.#lines(plots, panes, active, all);
    this.node.hidden = lines.length === 0;
    if (lines.length === 0) return;
    const data = uPlot.join(lines.map(({ time, values }) => [time, values]));
    const shape = JSON.stringify(lines.map(({ label, pane }) => [label, pane]));
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#plot?.destroy();
      this.#plot = new uPlot(this.#options(lines), data, this.host);
    } else {
      this.#plot.setData(data);
    }
  }

  #options(lines) {
    const { unit } = this.kind;
    const written = (value) => quantity(value, unit, 3);
    const axis = { stroke: token("--muted"), grid: { stroke: token("--rule"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
    // a colour for each pane, or, where one pane is shown, for each line
    const alone = this.kind.single || lines.every((line) => line.limit || line.pane === 0);
    const series = lines.map((line) => ({
      label: line.label,
      stroke: token(line.limit ? "--bad" : PANES[((line.pane ?? 0) + (alone ? line.place : 0)) % PANES.length]),
      width: 1.6,
      dash: line.dashed ? [6, 4] : undefined,
      points: { show: false },
      spanGaps: !line.limit && lines.length > 1,
      value: (_, value) => (value === null ? "–" : written(value)),
    }));
    return {
      width: Math.max(160, this.host.clientWidth),
      height: HEIGHT,
      scales: { x: { time: false } },
      cursor: { sync: { key: "time" }, y: false, drag: { x: false, y: false } },
      legend: { live: true },
      axes: [
        { ...axis, size: 24, values: (_, ticks) => ticks.map((tick) => quantity(tick, "s", 3)) },
        { ...axis, size: 66, values: (_, ticks) => ticks.map(written) },
      ],
      series: [{ label: "t", value: (_, value) => (value === null ? "–" : quantity(value, "s")) }, ...series],
    };
  }

  resize() {
    const width = this.host.clientWidth;
    if (this.#plot && width > 0) this.#plot.setSize({ width, height: HEIGHT });
  }

  /** Draws anew with the colours of now. */
  renew() {
    this.#shape = "";
  }
}

export class Plots {
  #figures = FIGURES.map((kind) => new Figure(kind));
  #node = byId("plots");
  #empty = element("p", { class: "about" }, "Figures come as soon as the scene plays.");
  #all = button("All energies", () => this.#showAll(), { "aria-pressed": "false" });

  constructor(session) {
    this.session = session;
    this.#node.append(this.#empty, element("div", { class: "buttons" }, this.#all), ...this.#figures.map((figure) => figure.node));
    session.on("plots", () => this.show());
    new ResizeObserver(() => this.#figures.forEach((figure) => figure.resize())).observe(this.#node);
    onTheme(() => {
      this.#figures.forEach((figure) => figure.renew());
      this.show();
    });
  }

  get #asked() {
    return this.#all.getAttribute("aria-pressed") === "true";
  }

  /** Shows every energy, or the two that friction is about. */
  #showAll() {
    this.#all.setAttribute("aria-pressed", String(!this.#asked));
    this.show();
  }

  /** Draws the figures, if they can be seen. */
  show() {
    const { plots, report } = this.session;
    if (this.#node.hidden || plots.length === 0 || plots.length !== report?.panes.length) return;
    this.#empty.hidden = true;
    for (const figure of this.#figures) figure.show(plots, report.panes, report.active, this.#asked);
  }
}
