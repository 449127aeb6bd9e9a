/** The lessons: predict, run, compare. */

import crawls from "./lessons/why_it_crawls.json";
import engines from "./lessons/which_engine.json";
import lies from "./lessons/why_it_lies.json";
import hold from "./lessons/hold_or_slide.json";
import stick from "./lessons/stick_slip.json";
import tip from "./lessons/tip_or_slide.json";
import { byId, button, element, sentence, symbols, write } from "./dom.js";
import { Engine } from "./engine.js";
import { feedback } from "./feedback.js";
import { header } from "./header.js";
import { icon } from "./icons.js";
import { WITHIN, agrees, chosen, measure, right, sceneOf } from "./measure.js";
import { digits, parse } from "./numbers.js";
import { link } from "./share.js";
import { Task, isCancelled } from "./task.js";

const LESSONS = [stick, hold, tip, crawls, lies, engines];

/** The number that was typed, in the unit of the question. */
function typed(text, { unit, si, factor = 1 }) {
  const plain = parse(text, unit);
  if (plain !== null) return plain;
  const found = si ? parse(text, si) : null;
  return found === null ? null : found / factor;
}

/** The first letter large, as at the start of a sentence. */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function withUnit(number, unit) {
  return unit === "°" ? `${digits(number)}°` : `${digits(number)} ${unit}`.trim();
}

/** How near two runs look. */
function nearer(low, high) {
  return `two runs, ${digits(100 * (high / low - 1), 2)} % apart`;
}

/** One question: an answer is checked at once, and then compared with a run. */
class Question {
  #said = element("p", { class: "said", role: "status" });
  #measured = element("p", { class: "measured", role: "status" });
  #derived = element("p", { class: "formula", hidden: true });
  #hint = element("p", { class: "about", hidden: true });
  #formula;
  #task;
  solved = false;

  constructor(question, number, lesson, engine, checked) {
    Object.assign(this, { question, lesson, engine, checked });
    this.name = `question-${number}`;
    this.#task = new Task(`run of question ${number}`, () => engine.cancel());
    const check = element("button", { type: "submit", class: "primary" }, "Check");
    const hint = button("Hint", () => this.#showHint());
    this.#formula = button("Show the formula", () => this.#derive(), { hidden: true });
    const run = button("Run it", ({ currentTarget }) => this.#run(currentTarget), { class: "run" });
    const open = element("a", { class: "open", href: "index.html" }, "Open in the laboratory");
    open.hidden = Boolean(question.run.engine);
    this.#address().then((href) => (open.href = href));
    this.node = element(
      "form", { class: "question" },
      element("fieldset", {}, element("legend", {}, element("span", { class: "number" }, `${number} `), ...symbols(question.ask), ...this.#tolerance()), this.#answer()),
      element("div", { class: "buttons" }, check, hint, this.#formula, run, open),
      this.#hint, this.#said, this.#derived, this.#task.node, this.#measured,
    );
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#check();
    });
  }

  /** The scene of the run in the laboratory. */
  #address() {
    const { run } = this.question;
    const set = [...(run.set ?? []), ...(run.bracket?.at(-1).set ?? [])];
    return link("index.html", { scene: sceneOf(run, this.lesson), panes: [set] });
  }

  /** How near a number must come, beside the question. */
  #tolerance() {
    if (this.question.kind !== "number") return [];
    return [element("span", { class: "about within" }, ` Right within ${digits(100 * WITHIN)} %.`)];
  }

  #answer() {
    const { kind, choices, unit, ask } = this.question;
    if (kind === "number") {
      this.field = element("input", { type: "text", inputmode: "decimal", "aria-label": ask, autocomplete: "off", size: 10 });
      return element("p", { class: "answer-field" }, this.field, element("span", { class: "unit" }, unit));
    }
    const rows = choices.map(({ text }, value) =>
      element("label", { class: "choice" }, element("input", { type: "radio", name: this.name, value }), sentence(text)),
    );
    return element("div", { class: "choices" }, ...rows);
  }

  #showHint() {
    this.#hint.hidden = false;
    write(this.#hint, this.question.hint);
  }

  #check() {
    const { question } = this;
    if (question.kind === "number") {
      const number = typed(this.field.value, question);
      if (number === null) this.#say("open", `Type a number in ${question.unit}.`);
      else if (right(question, number)) this.#solve(question.run.apart ? `${question.why} ${capital(question.run.apart)}.` : question.why);
      else this.#fail(`Not yet. ${feedback(question, number, (other) => right(question, other))}`);
      return;
    }
    const picked = this.node.querySelector("input:checked");
    if (!picked) {
      this.#say("open", "Choose one of them.");
      return;
    }
    const choice = question.choices[Number(picked.value)];
    if (choice.right) this.#solve(choice.why);
    else this.#fail(`No. ${choice.why}`);
  }

  #solve(why) {
    this.solved = true;
    this.#say("good", `Right. ${why}`);
    this.#derive();
    this.checked();
  }

  /** What is right now is counted, not what once was. */
  #fail(why) {
    this.solved = false;
    this.#say("bad", why);
    this.#formula.hidden = !this.#derived.hidden;
    this.checked();
  }

  #derive() {
    this.#derived.hidden = false;
    this.#formula.hidden = true;
    write(this.#derived, this.question.derive.formula);
  }

  #say(kind, words) {
    this.#said.dataset.kind = kind;
    this.#said.replaceChildren(icon(kind), sentence(words));
  }

  async #run(run) {
    run.disabled = true;
    const progress = this.#task.begin("waiting for the engine");
    write(this.#measured, "");
    delete this.#measured.dataset.agrees;
    try {
      const found = await measure(this.engine, this.question.run, this.lesson, progress);
      this.#measured.replaceChildren(...this.#words(found));
      this.#measured.dataset.agrees = String(agrees(this.question, found));
    } catch (error) {
      write(this.#measured, isCancelled(error) ? "The run was cancelled." : error.message);
    } finally {
      this.#task.end();
      run.disabled = false;
    }
  }

  /** What was computed, beside the answer once that is shown. @param {[number, number]} found */
  #words([low, high]) {
    const { kind, unit, choices, run, answer } = this.question;
    const apart = run.apart ? ` ${capital(run.apart)}.` : "";
    if (kind === "choice") return symbols(`Computed: ${choices[chosen(run, low)].text} (${run.shows ?? "value"}: ${Number.isFinite(low) ? `${digits(low)} ${run.unit ?? ""}` : "none"}).${apart}`);
    if (low !== high) return symbols(`Computed: more than ${withUnit(low, unit)}, less than ${withUnit(high, unit)}: ${nearer(low, high)}.${apart}`);
    const off = Math.abs(low / answer - 1);
    const percent = off < 5e-5 ? "the same to four digits" : `${digits(100 * off, 2)} % ${low > answer ? "above" : "below"}`;
    return [
      element("span", { class: "beside" }, element("b", {}, "computed "), withUnit(low, unit)),
      element("span", { class: "beside" }, element("b", {}, "by the formula "), withUnit(answer, unit)),
      element("span", { class: "about" }, ...symbols(`${percent}.${off < 5e-5 ? "" : apart}`)),
    ];
  }
}

/** Shows a lesson. */
function show(lesson, engine) {
  const score = element("p", { class: "score", role: "status" });
  const count = () => {
    const solved = questions.filter((question) => question.solved).length;
    write(score, `${solved} of ${questions.length} answered right`);
  };
  const questions = lesson.questions.map((question, k) => new Question(question, k + 1, lesson, engine, count));
  const open = element("a", { class: "button" }, "Open the scene in the laboratory");
  link("index.html", { scene: sceneOf({}, lesson), panes: [lesson.scene.set ?? []] }).then((href) => (open.href = href));
  const next = LESSONS[LESSONS.indexOf(lesson) + 1];
  const article = byId("lesson");
  article.replaceChildren(
    element("h1", { tabindex: -1 }, lesson.title),
    element("p", { class: "about" }, ...symbols(`${lesson.minutes} minutes. ${lesson.goal}`)),
    ...lesson.text.map((text) => element("p", {}, ...symbols(text))),
    element("p", {}, open),
    element("p", { class: "about" }, "Predict first, then run it, and compare."),
    ...questions.map(({ node }) => node),
    score,
    element("p", { class: "teacher" }, element("b", {}, "In class. "), ...symbols(lesson.class)),
    ...(next ? [element("p", {}, "Next: ", element("a", { href: `#${next.name}` }, next.title))] : []),
  );
  count();
  document.title = `${lesson.title} – stiction`;
  for (const anchor of byId("list").querySelectorAll("a")) {
    const here = anchor.hash === `#${lesson.name}`;
    if (here) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
}

function begin() {
  header();
  const engine = new Engine();
  const rows = LESSONS.map(({ name, title }, k) => element("li", {}, element("a", { href: `#${name}` }, `${k + 1}  ${title}`)));
  byId("list").append(element("h2", {}, "Lessons"), element("ol", {}, ...rows));
  const follow = () => {
    const asked = LESSONS.find(({ name }) => `#${name}` === location.hash);
    const other = !asked && location.hash.length > 1;
    // a run that is not wanted any more must not hold up the next one
    engine.cancel();
    show(asked ?? LESSONS[0], engine);
    write(byId("notice"), other ? "There is no lesson of that name; this is the first." : "");
  };
  addEventListener("hashchange", () => {
    follow();
    scrollTo(0, 0);
    byId("lesson").querySelector("h1").focus();
  });
  follow();
  document.body.dataset.state = "ready";
}

begin();
