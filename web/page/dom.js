/** Building of elements. */

/**
 * An element with attributes and children. Keys that begin with `on` are listeners; `class`, `data-…` and
 * `aria-…` are attributes; a value of `false`, `null` or `undefined` leaves the attribute out.
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The one element with this id. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element "${id}"`);
  return found;
}

/** A button with a word. */
export function button(word, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, word);
}

/** Sets a text only where it differs, so that screen readers and selections are left alone. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** The choices of a `<select>`. */
export function options(rows, chosen) {
  return rows.map(({ value, label }) =>
    element("option", { value, selected: value === chosen }, label ?? value),
  );
}

/** Parts of a text in which `backticks` mark names. */
export function marked(text) {
  return text.split("`").map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
}

/** Calls `done` at most once a frame, with the last arguments. */
export function onceAFrame(done) {
  let waiting = null;
  return (...given) => {
    if (waiting === null) {
      requestAnimationFrame(() => {
        const last = waiting;
        waiting = null;
        done(...last);
      });
    }
    waiting = given;
  };
}
