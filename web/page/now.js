/** Below the picture, whatever else is open: the scene's first measure over time, and its numbers. */

import { byId } from "./dom.js";
import { Numbers } from "./numbers_now.js";
import { figureOf, outline } from "./plots.js";
import { onTheme } from "./theme.js";

/** Height of the figure \[CSS pixels\]. */
const HEIGHT = 104;

export class Now {
  #node = byId("now");
  #numbers = new Numbers();
  #figure = null;
  #outline = "";

  constructor(session) {
    this.session = session;
    this.#node.append(this.#numbers.node);
    session.on("plots", () => this.#show());
    session.on("opened", () => (this.#node.hidden = true));
    new ResizeObserver(() => this.#figure?.resize()).observe(this.#node);
    onTheme(() => {
      this.#figure?.renew();
      this.#show();
    });
  }

  /** Makes the figure of the first measure that is a curve. */
  #fit(measures) {
    const now = JSON.stringify(measures.map(outline));
    if (now === this.#outline) return;
    this.#outline = now;
    this.#figure?.remove();
    const place = measures.findIndex(({ reduced }) => !reduced);
    this.#figure = place < 0 ? null : figureOf(measures[place], place, HEIGHT);
    if (this.#figure) this.#node.prepend(this.#figure.node);
  }

  #show() {
    const { plots, report } = this.session;
    if (plots.length === 0 || plots.length !== report?.panes.length) return;
    const { measures } = plots[report.active];
    this.#node.hidden = measures.length === 0;
    this.#fit(measures);
    this.#numbers.show(measures, report.panes[report.active]);
    this.#figure?.show(plots, report.panes, report.active, false);
  }
}
