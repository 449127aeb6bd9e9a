/** Panes side by side: over each its number, what sets it apart, its verdict and its h λ. */

import { byId, element, write } from "./dom.js";
import { digits, quantity } from "./numbers.js";
import { PANES } from "./palette.js";

/** Letters of settings; others are named by their values alone. */
const LETTERS = new Map([
  ["epsilon", "ε"], ["step", "h"], ["friction", "μ"], ["kinetic-friction", "μ_k"], ["stiffness", "k_n"],
]);

/** A setting in words: "ε 1.00 mm/s". */
function words({ knob, name, value }) {
  if (knob === "integrator" || knob === "law") return value;
  return `${LETTERS.get(knob) ?? name} ${value}`;
}

/** What differs between panes, in words for each. @param {object[]} panes of a report */
export function names(panes) {
  const settings = panes.map(({ settings: rows }) => new Map(rows.map((row) => [row.knob, row])));
  const knobs = [...new Set(settings.flatMap((rows) => [...rows.keys()]))].filter((knob) => !knob.startsWith("push"));
  const apart = knobs.filter((knob) => new Set(settings.map((rows) => rows.get(knob)?.value)).size > 1);
  return panes.map((pane, k) => {
    const own = apart.map((knob) => settings[k].get(knob)).filter((row) => row && row.number !== null || row?.knob === "integrator" || row?.knob === "law");
    return own.length > 0 ? own.map(words).join(", ") : `${pane.integrator}, as the others`;
  });
}

/** The verdict in a few words. */
function judged({ failure, verdict: { good, reasons } }) {
  if (failure) return "✗ stopped";
  const [first, ...more] = reasons;
  if (!first) return good === false ? "✗ not trusted" : "✓ no fault found so far";
  return `✗ ${first.name.replaceAll("-", " ")}${more.length > 0 ? ` and ${more.length} more` : ""}`;
}

function figures({ hlambda, decay_limit: limit, reference }) {
  const off = reference?.difference;
  const apart = off === null || off === undefined ? [] : [`off by ${quantity(off, "m", 3)}`];
  const rate = limit ? [`h λ ${digits(hlambda, 3)} of ${digits(limit, 3)}`] : [];
  return [...rate, ...apart].join(", ");
}

export class PaneCards {
  #list = byId("pane-cards");

  constructor(session) {
    session.on("report", ({ panes }) => this.#show(panes));
  }

  #make(k) {
    const badge = element("b", { class: "pane-badge" }, String(k + 1));
    badge.style.background = `var(${PANES[k]})`;
    const [name, verdict, rate] = ["pane-name", "pane-verdict", "pane-rate"].map((kind) => element("span", { class: kind }));
    return element("li", { class: "pane-card" }, badge, name, verdict, rate);
  }

  #show(panes) {
    this.#list.hidden = panes.length < 2;
    if (panes.length < 2) return;
    if (this.#list.children.length !== panes.length) this.#list.replaceChildren(...panes.map((_, k) => this.#make(k)));
    const called = names(panes);
    panes.forEach((pane, k) => {
      const [, name, verdict, rate] = this.#list.children[k].children;
      write(name, called[k]);
      write(verdict, judged(pane));
      verdict.dataset.kind = pane.failure || pane.verdict.good === false ? "bad" : "good";
      write(rate, figures(pane));
    });
  }
}
