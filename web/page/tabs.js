/** Tabs, as the ARIA practices have them: arrows move, Home and End go to the ends. */

/**
 * @param {HTMLElement} list with `role=tab` buttons, each with `aria-controls`
 * @param {(name: string) => void} changed is told the id of the panel that is shown
 */
export function tabs(list, changed) {
  const all = [...list.querySelectorAll('[role="tab"]')];

  function choose(tab, focus) {
    for (const other of all) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
    }
    if (focus) tab.focus();
    changed(tab.getAttribute("aria-controls"));
  }

  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) choose(tab, false);
  });
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(document.activeElement);
    const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 };
    if (at < 0 || !(event.key in places)) return;
    event.preventDefault();
    choose(all[(places[event.key] + all.length) % all.length], true);
  });
  const first = all.find((tab) => tab.getAttribute("aria-selected") === "true") ?? all[0];
  choose(first, false);
  return (name) => choose(all.find((tab) => tab.getAttribute("aria-controls") === name), false);
}
