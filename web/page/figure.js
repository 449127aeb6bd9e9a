/** One figure over time: lines of one or of all panes, each with a dash of its own, and a legend. */

import uPlot from "uplot";
import { element, write } from "./dom.js";
import { quantity } from "./numbers.js";
import { LINES, PANES } from "./palette.js";
import { token } from "./theme.js";

/** Height of a figure \[CSS pixels\]. */
const HEIGHT = 132;

/** Dashes by series, apart without colours too; the first is a full line. */
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2, 1, 2, 1, 2]];

/** Width of lines, and what each further pane adds where a pane has several lines \[CSS pixels\]. */
const WIDTH = 1.6;
const WIDER = 0.6;

/** Least height of the band of expected values \[pixels of the screen\]. */
const THIN = 2;

/**
 * A kind of figure.
 * @typedef {object} Kind
 * @property {string} title
 * @property {string} unit
 * @property {boolean} [single] whether it shows the active pane alone
 * @property {boolean} [limit] whether it shows the limit of h λ
 * @property {[number, number]} [band] values expected of the scene as written
 * @property {number} [height] \[CSS pixels\]
 * @property {(plots: object, all: boolean) => {name: string, values: (number | null)[]}[]} lines of one pane
 */

/** Whether any number of a column is known. */
function known(column) {
  return column?.some((value) => value !== null) ?? false;
}

/** A piece of a line as it is drawn, for the legend. */
function sample({ stroke, dash, width }) {
  const space = "http://www.w3.org/2000/svg";
  const [drawing, line] = ["svg", "line"].map((tag) => document.createElementNS(space, tag));
  const of = (node, values) => Object.entries(values).forEach(([key, value]) => node.setAttribute(key, value));
  of(drawing, { viewBox: "0 0 30 8", width: 30, height: 8, "aria-hidden": "true" });
  of(line, { x1: 0, x2: 30, y1: 4, y2: 4, stroke, "stroke-width": width, "stroke-dasharray": dash.join(" ") });
  drawing.append(line);
  return drawing;
}

/** The expected values in words. */
export function expectation([low, high], unit) {
  return `expected ${quantity(low, unit)} … ${quantity(high, unit)}`;
}

/** What is expected holds for the scene as it is written: a mark where it was changed. */
export function ofScene(asWritten) {
  return asWritten ? "" : ", of the scene as written";
}

export class Figure {
  #plot = null;
  #shape = "";

  /** @param {Kind} kind */
  constructor(kind) {
    this.kind = kind;
    this.host = element("div", { class: "figure-plot" });
    this.expected = element("span", { class: "about" });
    this.node = element("figure", { class: "figure", hidden: true }, element("figcaption", {}, kind.title, this.expected), this.host);
  }

  /** What is expected, and of which scene. */
  #expect(panes) {
    const { band, unit } = this.kind;
    if (!band) return;
    this.written = panes.every((pane) => pane.as_written);
    write(this.expected, ` ${expectation(band, unit)}${ofScene(this.written)}`);
  }

  /** Values of a column; speeds that are rounding are 0. */
  #resolved(values, least) {
    if (this.kind.unit !== "m/s" || !values) return values;
    return values.map((value) => (value !== null && Math.abs(value) < least ? 0 : value));
  }

  /** Lines of what is known: name, place in the colours and dashes, width, times and values. */
  #lines(plots, panes, active, all) {
    const shown = this.kind.single || plots.length === 1 ? [active] : plots.map((_, pane) => pane);
    const several = plots.length > 1;
    const lines = shown.flatMap((pane) => {
      const own = this.kind.lines(plots[pane], all);
      return own.map(({ name, values }, place) => ({
        label: several ? `${pane + 1} ${name}` : name,
        colour: several ? pane : place,
        dash: several && own.length === 1 ? pane : place,
        pane: several,
        width: WIDTH + (several && own.length > 1 ? WIDER * pane : 0),
        time: plots[pane].time, values: this.#resolved(values, panes[pane].least_speed),
      }));
    }).filter((line) => known(line.values));
    const limit = panes[active].decay_limit;
    if (this.kind.limit && limit && lines.length > 0) {
      const { time } = plots[active];
      lines.push({ label: "limit where a contact sticks", limit: true, dash: 1, width: WIDTH, time, values: time.map(() => limit) });
    }
    return lines;
  }

  /** Draws the lines of the panes; `all` with those that are shown when asked for. */
  show(plots, panes, active, all) {
    const lines = this.#lines(plots, panes, active, all);
    this.node.hidden = lines.length === 0;
    this.#expect(panes);
    if (lines.length === 0) return;
    const data = uPlot.join(lines.map(({ time, values }) => [time, values]));
    const shape = JSON.stringify(lines.map(({ label, colour, dash }) => [label, colour, dash]));
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#plot?.destroy();
      this.#plot = new uPlot(this.#options(lines), data, this.host);
      this.#legend(lines);
    } else {
      this.#plot.setData(data);
    }
  }

  #stroke({ limit, colour, pane }) {
    const colours = pane ? PANES : LINES;
    return token(limit ? "--bad" : colours[colour % colours.length]);
  }

  #dash({ dash }) {
    return DASHES[dash % DASHES.length];
  }

  /** The legend shows each line as it is drawn. */
  #legend(lines) {
    // the title names an only line
    this.node.classList.toggle("lone", lines.length === 1 && !lines[0].pane);
    const markers = this.host.querySelectorAll(".u-series .u-marker");
    // the first row is time
    lines.forEach((line, at) => {
      const { width } = line;
      [...markers].at(at - lines.length).replaceChildren(sample({ stroke: this.#stroke(line), dash: this.#dash(line), width }));
    });
  }

  /** The values expected, behind the lines. */
  #band(plot) {
    const { band } = this.kind;
    if (!band) return;
    const { ctx, bbox } = plot;
    const [low, high] = band.map((value) => plot.valToPos(value, "y", true));
    const middle = (low + high) / 2;
    const half = Math.max(THIN, low - high) / 2;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = token(this.written ? "--good" : "--muted");
    ctx.globalAlpha = 0.3;
    ctx.fillRect(bbox.left, middle - half, bbox.width, 2 * half);
    ctx.restore();
  }

  /** The range of values, with those that are expected. */
  #range(low, high) {
    const all = [low, high, ...(this.kind.band ?? [])].filter((value) => value !== null);
    return uPlot.rangeNum(Math.min(...all), Math.max(...all), 0.1, true);
  }

  get #height() {
    return this.kind.height ?? HEIGHT;
  }

  /** Values stand beside the names while a pointer is over a figure. */
  #point({ cursor }) {
    this.node.classList.toggle("pointed", cursor.left >= 0);
  }

  #options(lines) {
    const { unit } = this.kind;
    // an axis has no room for the word
    const written = (value) => quantity(value, unit === "degrees" ? "°" : unit, 3);
    const axis = { stroke: token("--muted"), grid: { stroke: token("--rule"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
    const series = lines.map((line) => ({
      label: line.label,
      stroke: this.#stroke(line),
      width: line.width,
      dash: this.#dash(line),
      points: { show: false },
      // rounded to pixels, a slope that is not steep is a staircase
      pxAlign: 0,
      spanGaps: !line.limit && lines.length > 1,
      value: (_, value) => (value === null ? "–" : written(value)),
    }));
    return {
      width: Math.max(160, this.host.clientWidth),
      height: this.#height,
      scales: { x: { time: false }, y: { range: (_, low, high) => this.#range(low, high) } },
      cursor: { sync: { key: "time" }, y: false, drag: { x: false, y: false } },
      legend: { live: true, markers: { width: 0, fill: () => "transparent" } },
      hooks: { drawAxes: [(plot) => this.#band(plot)], setCursor: [(plot) => this.#point(plot)] },
      axes: [
        { ...axis, size: 24, values: (_, ticks) => ticks.map((tick) => quantity(tick, "s", 3)) },
        { ...axis, size: 66, values: (_, ticks) => ticks.map(written) },
      ],
      series: [{ label: "t", value: (_, value) => (value === null ? "–" : quantity(value, "s")) }, ...series],
    };
  }

  resize() {
    const width = this.host.clientWidth;
    if (this.#plot && width > 0) this.#plot.setSize({ width, height: this.#height });
  }

  /** Draws anew with the colours of now. */
  renew() {
    this.#shape = "";
  }

  /** Ends it. */
  remove() {
    this.#plot?.destroy();
    this.node.remove();
  }
}
