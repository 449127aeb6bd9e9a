/** Quantities: read as people type them, written as people read them. */

const PREFIXES = [
  ["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1], ["m", 1e-3], ["µ", 1e-6], ["n", 1e-9], ["p", 1e-12],
];

/** Names of prefixes as they are typed. */
const TYPED = new Map([...PREFIXES, ["u", 1e-6], ["μ", 1e-6]]);

/** Units that take no prefix. */
const PLAIN = new Set(["", "1", "°", "%", "deg", "degrees"]);

/** A number with so many significant digits, without an exponent where that can be read. */
export function digits(value, count = 4) {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) return String(Number(value.toPrecision(count)));
  return value.toExponential(count - 1).replace(/\.?0+e/, "e").replace("e+", "e");
}

/** A value with its unit and a prefix: `quantity(6.066e-4, "m/s")` is "606.6 µm/s". */
export function quantity(value, unit, count = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (PLAIN.has(unit)) return `${digits(value, count)}${unit === "1" || unit === "" ? "" : ` ${unit}`}`;
  if (value === 0) return `0 ${unit}`;
  // a prefix before kg would be a second one, and before 1/s none at all
  if (/^(kg|1\/)/.test(unit)) return `${digits(value, count)} ${unit}`;
  const row = PREFIXES.find(([, factor]) => Math.abs(value) >= factor * 0.9999999);
  if (!row) return `${digits(value, count)} ${unit}`;
  return `${Number((value / row[1]).toPrecision(count))} ${row[0]}${unit}`;
}

/**
 * The number of a typed text, in SI: "1e-4", "0.1 mm/s", "100u", "20k", "1,5". `null` where it is none.
 * @param {string} text
 * @param {string} unit of the value: a text may repeat it, with a prefix
 */
export function parse(text, unit = "") {
  const match = /^\s*([+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?)\s*(\S.*?)?\s*$/u.exec(text);
  if (!match) return null;
  const number = Number(match[1].replace(",", "."));
  if (!Number.isFinite(number)) return null;
  const rest = (match[2] ?? "").replace(/\s+/g, "");
  if (rest === "" || rest === unit) return number;
  const stem = rest.endsWith(unit) ? rest.slice(0, rest.length - unit.length) : rest;
  const factor = TYPED.get(stem);
  return factor === undefined ? null : number * factor;
}

/** A speed, 0 where it is below the least that the scene resolves: rounding. */
export function speed(value, least, count = 4) {
  return quantity(Math.abs(value) < least ? 0 : value, "m/s", count);
}

/** Time of a scene \[s\] with as many decimals as its frames need. */
export function seconds(time, end) {
  const places = end < 0.1 ? 4 : end < 2 ? 3 : 2;
  return `${time.toFixed(places)} s`;
}

/** Place of a value on a slider from 0 to 1. */
export function share(value, low, high, logarithmic) {
  if (logarithmic) return Math.log(value / low) / Math.log(high / low);
  return (value - low) / (high - low);
}

/** Value at a place of a slider from 0 to 1, rounded to three digits. */
export function valueAt(place, low, high, logarithmic) {
  const value = logarithmic ? low * (high / low) ** place : low + (high - low) * place;
  return Number(value.toPrecision(3));
}
