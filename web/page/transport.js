/** Play, pause, steps, speed and the time of the scene. */

import { byId, button, element, write } from "./dom.js";
import { icon } from "./icons.js";
import { digits, seconds } from "./numbers.js";

/** Buttons: action, drawing, name. */
const BUTTONS = [
  ["restart", "restart", "Start again with what is set (R)"],
  ["back", "back", "A frame back (,)"],
  ["play", "pause", "Pause (Space)"],
  ["step", "step", "One step of the integrator (S)"],
  ["frame", "forward", "A frame on (.)"],
];

/** Share of the speed asked for below which the page says what this computer manages. */
const LATE = 0.9;

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4];

function speedWords(speed) {
  return speed === 1 ? "real time" : `× ${digits(speed, 2)}`;
}

/** The speed that this computer manages, where that is clearly less than is asked for; else nothing. */
export function behind({ wanted, achieved }) {
  const late = achieved !== null && achieved !== undefined && achieved < LATE * wanted;
  return late ? `${digits(achieved, 2)} × real time on this computer` : "";
}

export class Transport {
  #time = element("output", { class: "time", "aria-label": "time of the scene" });
  #bar = element("progress", { max: 1, value: 0, "aria-hidden": "true", tabindex: -1 });
  #speed = element("select", { "aria-label": "speed, as a share of real time" });
  #behind = element("span", { class: "behind" });
  #buttons = new Map();
  #playing = null;

  constructor(session) {
    const buttons = BUTTONS.map(([action, drawing, name]) => {
      const made = button(icon(drawing), () => session.act(action), { "aria-label": name, title: name });
      this.#buttons.set(action, made);
      return made;
    });
    this.#buttons.get("play").classList.add("play");
    this.#speed.addEventListener("change", () =>
      session.command({ do: "speed", value: Number(this.#speed.value) }),
    );
    byId("transport").append(
      element("div", { class: "buttons" }, ...buttons),
      element("div", { class: "progress" }, this.#time, this.#bar),
      element("label", { class: "speed" }, this.#speed, this.#behind),
    );
    session.on("report", (report) => this.#show(report, session.pane));
  }

  #show(report, pane) {
    this.#showPlaying(report.playing);
    write(this.#time, `${seconds(pane.time, pane.end)} of ${seconds(pane.end, pane.end)}`);
    // such as what may be done at the end
    this.#time.title = pane.remark ?? "";
    this.#bar.value = Math.min(1, pane.time / pane.end);
    this.#showSpeed(pane.speed);
  }

  #showPlaying(playing) {
    if (playing === this.#playing) return;
    this.#playing = playing;
    const play = this.#buttons.get("play");
    const name = playing ? "Pause (Space)" : "Play (Space)";
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", name);
    play.title = name;
  }

  #showSpeed(speed) {
    const { wanted } = speed;
    if (document.activeElement !== this.#speed && this.#speed.value !== String(wanted)) {
      const speeds = SPEEDS.includes(wanted) ? SPEEDS : [...SPEEDS, wanted].sort((a, b) => a - b);
      const rows = speeds.map((speed) => element("option", { value: speed }, speedWords(speed)));
      this.#speed.replaceChildren(...rows);
      this.#speed.value = String(wanted);
    }
    write(this.#behind, behind(speed));
  }
}
