/** Light or dark: the system's choice until the user makes another. */

const KEY = "stiction-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();

function chosen() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // a page from a folder may have no storage
    return null;
  }
}

let choice = chosen();

/** Whether the page is dark now. */
export function isDark() {
  return choice ? choice === "dark" : system.matches;
}

function apply() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  for (const listener of listeners) listener(isDark());
}

/** Chooses, and remembers it where the browser lets a page remember. */
export function setDark(dark) {
  choice = dark ? "dark" : "light";
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // it holds as long as the page is open
  }
  apply();
}

/** Calls `listener` with every change. */
export function onTheme(listener) {
  listeners.add(listener);
}

/** A value of the style sheet, such as `--accent`. */
export function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

system.addEventListener("change", apply);
apply();
