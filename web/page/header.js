/** What every page has: the mark of the page one is on, and the button for light and dark. */

import { byId } from "./dom.js";
import { icon } from "./icons.js";
import { isDark, onTheme, setDark } from "./theme.js";

export function toggleTheme() {
  setDark(!isDark());
}

export function header() {
  const theme = byId("theme");
  const show = (dark) => {
    theme.replaceChildren(icon(dark ? "sun" : "moon"));
    theme.setAttribute("aria-label", dark ? "light colours" : "dark colours");
    theme.title = dark ? "Light colours" : "Dark colours";
  };
  show(isDark());
  onTheme(show);
  theme.addEventListener("click", toggleTheme);
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
    // a click on the dimmed page closes, as escape does
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
}
