/** The table of the page's speed in docs/browser.md. */

const [BEGIN, END] = ["<!-- written by web/speed -->", "<!-- end -->"];

/** A block of the main thread [ms]; the browser reports none below 50 ms. */
const block = (time) => (time < 50 ? "below 50 ms" : `${Math.round(time)} ms`);

/** Date, processor and browser in words. */
export function machine(date, cores, browser) {
  const day = date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const kind = cores[0]?.model.trim() || "unknown processor";
  return `${day}, ${cores.length} × ${kind}, Chromium ${browser.split(".")[0]}, 1366 × 768`;
}

/**
 * @param {{name: string, factor: number, real: number, pictures: number, opening: number, playing: number}[]} rows
 * @param {string} where they were measured
 */
export function tableOf(rows, where) {
  const lines = rows.map(({ name, factor, real, pictures, opening, playing }) =>
    `| ${name} | ${factor === 1 ? "1" : `1/${factor}`} | ${real.toFixed(2)} | ${Math.round(pictures)} | ${block(opening)} | ${block(playing)} |`,
  );
  return [
    BEGIN, "", `${where}:`, "",
    "| scene | speed of the computer | simulated s per s | pictures per s | longest block of the main thread while it opens | while it plays |",
    "| --- | --- | --- | --- | --- | --- |", ...lines, "", END,
  ].join("\n");
}

/** A document with the table in its place. */
export function within(document, table) {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error("the document has no place for the table");
  return document.slice(0, from) + table + document.slice(to + END.length);
}
