/** Keys of the laboratory: one table for what they do and for the list of them. */

import { byId, element } from "./dom.js";

/**
 * Keys, as `event.key` has them, with what they do. `on: "picture"` holds only while the picture has the
 * focus, since other elements need these keys themselves.
 */
function table({ session, canvas, library, verdict, sharing, sliders, help, toggleTheme }) {
  const act = (action) => () => session.act(action);
  const turn = (knob, up) => () => session.turn(knob, up);
  return [
    [" ", "Space", "play or pause", act("play")],
    ["s", "S", "one step of the integrator", act("step")],
    [",", ",", "a frame back", act("back")],
    [".", ".", "a frame on", act("frame")],
    ["r", "R", "start again with what is set", act("restart")],
    ["o", "O", "start again at the end, over and over, or no longer", act("loop")],
    ["-", "−", "half as fast", act("slower")],
    ["+", "+", "twice as fast", act("faster")],
    ["0", "0", "real time", act("real-time")],
    ["i", "I", "the next integrator", turn("integrator", true)],
    ["l", "L", "the next friction law", turn("law", true)],
    ["e", "E", "a smaller ε (Shift: larger)", turn("epsilon", false), turn("epsilon", true)],
    ["d", "D", "a smaller step h (Shift: larger)", turn("step", false), turn("step", true)],
    ["m", "M", "a smaller μ (Shift: larger)", turn("friction", false), turn("friction", true)],
    ["k", "K", "a smaller stiffness of contact (Shift: larger)", turn("stiffness", false), turn("stiffness", true)],
    ["u", "U", "take the last change back", act("undo")],
    ["x", "X", "push, or stop pushing", act("push")],
    ["1", "1 … 4", "let keys and sliders act on this pane", act("pane-1")],
    ["2", null, null, act("pane-2")],
    ["3", null, null, act("pane-3")],
    ["4", null, null, act("pane-4")],
    ["c", "C", "show a map of the particles (Shift: the next map)", act("toggle-heat"), act("map")],
    ["n", "N", "contact normals", act("toggle-normals")],
    ["f", "F", "friction arrows", act("toggle-friction")],
    ["b", "B", "names of bodies", act("toggle-names")],
    ["a", "A", "frame the scene again", act("camera")],
    ["y", "Y", "follow all, one body, none", act("follow")],
    ["v", "V", "verify: error bars from runs at other steps", () => verdict.verify()],
    ["t", "T", "light or dark", toggleTheme],
    ["/", "/", "a slider for any number of the scene, while the picture has the focus", () => sliders.find(), null, "picture"],
    ["/", "/", "the library of scenes, elsewhere", () => library.show()],
    ["g", "G", "share: link and files", () => sharing.show()],
    ["?", "?", "this list", help],
    ["ArrowLeft", "← → ↑ ↓", "turn the picture, while it has the focus", () => canvas.turn(-1, 0), null, "picture"],
    ["ArrowRight", null, null, () => canvas.turn(1, 0), null, "picture"],
    ["ArrowUp", null, null, () => canvas.turn(0, -1), null, "picture"],
    ["ArrowDown", null, null, () => canvas.turn(0, 1), null, "picture"],
    ["PageUp", "Page ↑ ↓", "nearer, farther, while the picture has the focus", () => canvas.zoom(1), null, "picture"],
    ["PageDown", null, null, () => canvas.zoom(-1), null, "picture"],
  ].map(([key, shown, about, plain, shifted, on]) => ({ key, shown, about, plain, shifted, on }));
}

/** What the mouse and fingers do. */
const MOUSE = [
  ["drag a particle", "hold it by a spring"],
  ["drag elsewhere", "turn"],
  ["Shift and drag, right drag, two fingers", "move"],
  ["wheel, pinch", "nearer, farther"],
  ["Ctrl Enter in the text", "run it"],
];

/** Elements that need letters or the space bar for themselves. */
function writes(target) {
  return target.closest("input, textarea, select, [contenteditable], dialog") !== null;
}

/** Listens for keys, and fills the list of them. */
export function shortcuts(parts) {
  const dialog = byId("keys");
  const rows = table({ ...parts, help: () => dialog.showModal() });
  const list = (pairs) =>
    element("dl", { class: "keys" }, ...pairs.flatMap(([keys, about]) => [element("dt", {}, keys), element("dd", {}, about)]));
  byId("keys-body").append(
    list(rows.filter(({ shown }) => shown).map(({ shown, about }) => [shown, about])),
    element("h3", {}, "Mouse and touch"), list(MOUSE),
  );
  byId("keys-open").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || writes(target)) return;
    const holds = ({ on }) => on !== "picture" || target.id === "picture";
    const row = rows.find((row) => holds(row) && (row.key === event.key || row.key === event.key.toLowerCase()));
    if (!row) return;
    // a button, a link or a tab has the space bar and arrows for itself
    if (event.key === " " && target.closest("button, a, summary")) return;
    event.preventDefault();
    (event.shiftKey && row.shifted ? row.shifted : row.plain)();
  });
}
