/** The picture: what the engine draws, and what pointers do to it. */

import { byId, onceAFrame } from "./dom.js";

/** Pixels of the wheel in one notch. */
const NOTCH = 100;
/** Ratio of finger distances in one notch, as the engine zooms. */
const PINCH = 1.1;
/** Pixels that the picture is turned by one press of a key. */
const TURN = 24;

export class Canvas {
  #node = byId("picture");
  #context = this.#node.getContext("2d", { alpha: false });
  #fingers = new Map();
  #spread = 0;

  constructor(session) {
    this.send = (request) => session.command(request);
    session.on("frame", (frame) => this.#draw(frame));
    const resize = onceAFrame(() => this.#resize());
    session.on("restarted", resize);
    new ResizeObserver(resize).observe(this.#node.parentElement);
    this.#listen();
  }

  #draw({ width, height, pixels }) {
    if (this.#node.width !== width || this.#node.height !== height) {
      this.#node.width = width;
      this.#node.height = height;
    }
    const bytes = new Uint8ClampedArray(pixels);
    this.#context.putImageData(new ImageData(bytes, width, height), 0, 0);
  }

  /** Tells the engine how many pixels there are. */
  #resize() {
    const { clientWidth, clientHeight } = this.#node.parentElement;
    const scale = devicePixelRatio;
    const [width, height] = [clientWidth, clientHeight].map((side) => Math.round(side * scale));
    if (width > 0 && height > 0) this.send({ do: "size", width, height, scale });
  }

  /** A point of the page in pixels of the canvas. */
  #place(event) {
    const box = this.#node.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) * this.#node.width) / box.width,
      y: ((event.clientY - box.top) * this.#node.height) / box.height,
    };
  }

  #listen() {
    const node = this.#node;
    const motion = onceAFrame((request) => this.send(request));
    node.addEventListener("pointerdown", (event) => {
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      this.#fingers.set(event.pointerId, this.#place(event));
      if (this.#fingers.size === 2) this.#pinchBegins();
      else if (this.#fingers.size === 1) {
        const shift = event.shiftKey || event.button === 2;
        this.send({ do: "press", ...this.#place(event), shift });
      }
    });
    node.addEventListener("pointermove", (event) => {
      if (!this.#fingers.has(event.pointerId)) return;
      this.#fingers.set(event.pointerId, this.#place(event));
      if (this.#fingers.size === 2) this.#pinch();
      motion({ do: "motion", ...this.#middle() });
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      node.addEventListener(kind, (event) => {
        if (!this.#fingers.delete(event.pointerId)) return;
        // a motion that waits for the next frame goes before the release
        requestAnimationFrame(() => this.#lift());
      });
    }
    node.addEventListener("contextmenu", (event) => event.preventDefault());
    node.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  #wheel(event) {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
    this.send({ do: "zoom", notches: -pixels / NOTCH });
  }

  /** The middle of all fingers. */
  #middle() {
    const places = [...this.#fingers.values()];
    const mean = (key) => places.reduce((sum, place) => sum + place[key], 0) / places.length;
    return { x: mean("x"), y: mean("y") };
  }

  #distance() {
    const [one, other] = [...this.#fingers.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  }

  /** A finger left; one that stays goes on moving the picture. */
  #lift() {
    this.send({ do: "release" });
    if (this.#fingers.size === 1) this.send({ do: "press", ...this.#middle(), shift: true });
  }

  /** With a second finger the drag moves the picture instead. */
  #pinchBegins() {
    this.#spread = this.#distance();
    this.send({ do: "release" });
    this.send({ do: "press", ...this.#middle(), shift: true });
  }

  #pinch() {
    const spread = this.#distance();
    const notches = Math.log(spread / this.#spread) / Math.log(PINCH);
    if (Math.abs(notches) < 0.2) return;
    this.#spread = spread;
    this.send({ do: "zoom", notches });
  }

  /** Turns the picture by keys: a drag that begins in a corner, where no particle is held. */
  turn(right, down) {
    const corner = { x: 1, y: 1 };
    this.send({ do: "press", ...corner, shift: false });
    const scale = devicePixelRatio * TURN;
    this.send({ do: "motion", x: corner.x + right * scale, y: corner.y + down * scale });
    this.send({ do: "release" });
  }

  zoom(notches) {
    this.send({ do: "zoom", notches });
  }
}
