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

/** The `_` and the index of a symbol of one letter: μ_s, k_n; not of a name such as `off_x`. */
const INDEX = /(?<=(?<![\p{L}\p{N}_])\p{L})_([\p{L}\p{N}])(?![\p{L}\p{N}_])/u;

/** Parts of a text in which indices of symbols stand below the line. @returns {(Node | string)[]} */
export function symbols(text) {
  return text.split(INDEX).map((part, at) => (at % 2 === 1 ? element("sub", {}, part) : part));
}

/** A text with symbols as one inline element: in a flex row each of its parts would be a column. */
export function sentence(text) {
  return element("span", {}, ...symbols(text));
}

/** Sets a text, with symbols, only where it differs, so that screen readers and selections are left alone. */
export function write(node, text) {
  const parts = symbols(text);
  const same = node.textContent === parts.map((part) => part.textContent ?? part).join("");
  if (same && (parts.length === 1 || node.querySelector("sub"))) return;
  if (parts.length === 1) node.textContent = text;
  else node.replaceChildren(...parts);
}

/** The choices of a `<select>`. */
export function options(rows, chosen) {
  return rows.map(({ value, label }) =>
    element("option", { value, selected: value === chosen }, label ?? value),
  );
}

/** Parts of a text in which `backticks` mark names, with symbols. */
export function marked(text) {
  return text.split("`").flatMap((part, at) => (at % 2 === 1 ? [element("code", {}, part)] : symbols(part)));
}

/** Lets the browser do what waits, a click or a picture: what follows is a task of its own. */
export function breathe() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
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
