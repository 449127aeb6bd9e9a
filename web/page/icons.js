/** Drawings of buttons and signs: paths in a square of 24. */

const PATHS = {
  play: '<path d="M7 4.5v15l12.5-7.5z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" fill="currentColor" stroke="none"/>',
  step: '<path d="M6 5l8 7-8 7z" fill="currentColor" stroke="none"/><path d="M18 5v14"/>',
  back: '<path d="M18 5l-8 7 8 7z" fill="currentColor" stroke="none"/><path d="M6 5v14"/>',
  forward: '<path d="M4 6l7 6-7 6zM12 6l7 6-7 6z" fill="currentColor" stroke="none"/>',
  restart: '<path d="M5 12a7 7 0 1 0 2.2-5.1"/><path d="M5 3.5v4.6h4.6"/>',
  loop: '<path d="M4 10V9a3 3 0 0 1 3-3h11l-3-3M20 14v1a3 3 0 0 1-3 3H6l3 3"/>',
  undo: '<path d="M9 14l-5-5 5-5"/><path d="M4 9h10a6 6 0 0 1 0 12h-3"/>',
  camera: '<path d="M4 9V5h4M16 5h4v4M20 15v4h-4M8 19H4v-4"/>',
  scenes: '<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"/>',
  share: '<path d="M9.5 13.5a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.6l-1.2 1.2"/><path d="M14.5 10.5a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.6l1.2-1.2"/>',
  moon: '<path d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M19 5l-1.7 1.7M6.7 17.3L5 19"/>',
  keys: '<rect x="2.5" y="6" width="19" height="12" rx="2"/><path d="M6 10h.01M10 10h.01M14 10h.01M18 10h.01M7 14h10"/>',
  push: '<path d="M3 12h10M9 7l5 5-5 5M18 4v16"/>',
  layers: '<path d="M12 3l9 5-9 5-9-5zM3 13l9 5 9-5"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
  good: '<circle cx="12" cy="12" r="9"/><path d="M7.5 12.5l3 3 6-6.5"/>',
  bad: '<path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3z"/><path d="M8.5 8.5l7 7M15.5 8.5l-7 7"/>',
  open: '<circle cx="12" cy="12" r="9" stroke-dasharray="3.5 2.6"/><path d="M8 12h8"/>',
};

/** A drawing by its name, hidden from screen readers: the button has a name of its own. */
export function icon(name) {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  drawing.innerHTML = PATHS[name];
  return drawing;
}
