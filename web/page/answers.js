/** The answer of an engine: speed, step, formulas, advice, and the way back from a budget. */

import { button, element, marked } from "./dom.js";
import { icon } from "./icons.js";
import { digits, quantity } from "./numbers.js";

/** What is said of a motion without a speed. */
const MOTIONS = {
  rests: "it rests",
  chatters: "it chatters: friction reverses with every step, and no steady creep exists",
  slides: "it slides",
  tips: "it tips over its front edge",
  unknown: "no form here says how it moves",
};

/** A sign, a word and a reason: exact or an estimate, fits or not. */
function stamp(kind, word, reason) {
  const text = element("span", {}, element("b", {}, word), reason ? ` ${reason}` : "");
  return element("p", { class: "stamp", "data-kind": kind }, icon(kind), text);
}

function speedOf({ motion, creep, per_minute: minute, offset, acceleration }) {
  if (motion === "creeps") return [quantity(creep, "m/s"), `${quantity(minute, "m", 3)} in a minute`];
  if (motion === "rests") return ["0 m/s", offset ? `it rests, ${quantity(offset, "m", 3)} off by its elastic stretch` : MOTIONS.rests];
  if (motion === "slides") return ["slides", `${digits(acceleration)} m/s²: the load is more than friction holds`];
  return [motion, MOTIONS[motion]];
}

/** The speed, and whether it is exact. */
function creepPart(answer) {
  const [figure, words] = speedOf(answer);
  return element(
    "section", { class: "part-creep" },
    element("h2", {}, "Creep"),
    element("p", { class: "figure-large" }, figure), element("p", {}, words),
    answer.exact
      ? stamp("good", "Exact where it was compared.", `${answer.compared}.`)
      : stamp("open", "An estimate.", answer.estimate),
    element("p", { class: "formula" }, answer.formula),
  );
}

/** The largest stable step, and whether the step that is used is below it. */
function stepPart({ step: { used, largest, formula, fits } }) {
  const figure = largest === null ? "no limit" : quantity(largest, "s");
  const rate = largest === null ? null : element("p", {}, `${digits(1 / largest, 3)} steps in a simulated second, at least`);
  const word = fits ? `A step of ${quantity(used, "s")} fits.` : `A step of ${quantity(used, "s")} is too large.`;
  return element(
    "section", { class: "part-step" },
    element("h2", {}, "Largest stable step"),
    element("p", { class: "figure-large" }, figure), rate,
    stamp(fits ? "good" : "bad", word, fits ? "" : "Friction then chatters or settles on a wrong speed."),
    element("p", { class: "formula" }, formula),
  );
}

function advicePart({ advice }) {
  if (advice.length === 0) return null;
  return element("section", {}, element("h2", {}, "What to change"), element("ul", { class: "advice" }, ...advice.map((text) => element("li", {}, ...marked(text)))));
}

/** How the values are written in a list: `timeconst = 21 µs`. */
function setWords(set, units) {
  return Object.entries(set).map(([key, value]) => `${key} = ${quantity(value, units.get(key) ?? "", 6)}`).join(", ");
}

/** The changes that keep the budget, each with a button that types it in. */
function budgetPart({ budget }, units, use) {
  if (!budget) return null;
  const heading = element("h2", {}, `To stay below ${quantity(budget.speed, "m/s")}`);
  if (budget.kept) return element("section", {}, heading, stamp("good", "Nothing to change.", "The creep is below the budget."));
  if (budget.changes.length === 0) return element("section", {}, heading, stamp("bad", "No parameter keeps it by itself.", ""));
  const rows = budget.changes.map((change) =>
    element(
      "li", { class: "change-row" },
      element("p", {}, element("b", {}, setWords(change.set, units))),
      element("p", { class: "about" }, `${quantity(change.creep, "m/s")}${change.exact ? "" : " (estimate)"}; largest step ${change.largest_step === null ? "without limit" : quantity(change.largest_step, "s")}. ${change.price}`),
      button("Type it in", () => use(change.set)),
    ),
  );
  return element("section", {}, heading, element("ul", { class: "changes" }, ...rows));
}

function detailPart({ details, sources }) {
  const rows = details.map(({ name, value, unit }) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, quantity(value, unit))),
  );
  const from = sources.length > 0 ? `Sources: ${sources.join(", ")} (references.bib).` : "";
  return element(
    "details", {}, element("summary", {}, "Numbers on the way, and sources"),
    element("table", {}, element("tbody", {}, ...rows)), element("p", { class: "about" }, from),
  );
}

/**
 * The parts of an answer, the one that the page is about first.
 * @param {object} answer of the engine
 * @param {{first: "creep" | "step", units: Map<string, string>, use: (set: object) => void}} how
 */
export function parts(answer, { first, units, use }) {
  const [creep, step] = [creepPart(answer), stepPart(answer)];
  const both = first === "creep" ? [creep, step] : [step, creep];
  return [...both, budgetPart(answer, units, use), advicePart(answer), detailPart(answer)].filter(Boolean);
}
