/** Layers of the picture and its camera, as buttons above it. */

import { byId, button, element } from "./dom.js";
import { icon } from "./icons.js";

/** Layers: action, name. The engine keeps which of them are shown. */
const LAYERS = [
  ["toggle-normals", "normal forces"],
  ["toggle-friction", "friction forces"],
  ["toggle-surfaces", "surfaces"],
  ["toggle-springs", "springs"],
  ["toggle-particles", "particles"],
  ["toggle-heat", "map: creep or another quantity as colour"],
  ["map", "next map"],
  ["toggle-ghost", "outline of the reference"],
  ["toggle-names", "names of bodies"],
  ["projection", "perspective or parallel"],
  ["follow", "follow all, one body, none"],
];

export function layers(session) {
  const menu = element("details", { class: "menu" });
  const summary = element("summary", { "aria-label": "layers of the picture", title: "Layers of the picture" }, icon("layers"));
  const rows = LAYERS.map(([action, name]) => button(name, () => session.act(action), { class: "quiet" }));
  menu.append(summary, element("div", { class: "menu-rows" }, ...rows));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    summary.focus();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!menu.contains(target)) menu.open = false;
  });
  const home = button(icon("camera"), () => session.act("camera"), { "aria-label": "frame the scene again", title: "Frame the scene again (A)" });
  byId("layers").append(home, menu);
}
