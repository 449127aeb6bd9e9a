import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { HUNG, open, says, withBrowser } from "./browser.mjs";

withBrowser();

const FOLDER = new URL("../page/lessons/", import.meta.url);
const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".json"));
const lessons = await Promise.all(files.map(async (name) => JSON.parse(await readFile(new URL(name, FOLDER), "utf8"))));

/** The value of a derivation: arithmetic with a few functions, angles by `rad` and `deg`. */
function derived({ value }) {
  const known = { sin: Math.sin, cos: Math.cos, tan: Math.tan, atan: Math.atan, sqrt: Math.sqrt, rad: (x) => (x * Math.PI) / 180, deg: (x) => (x * 180) / Math.PI };
  return new Function(...Object.keys(known), `return ${value};`)(...Object.values(known));
}

test("there are six lessons of four to six questions", () => {
  assert.equal(lessons.length, 6);
  for (const { name, questions } of lessons) assert.ok(questions.length >= 4 && questions.length <= 6, name);
});

test("every number follows from its derivation", () => {
  for (const { name, questions } of lessons) {
    for (const question of questions) {
      assert.ok(Number.isFinite(derived(question.derive)), `${name}: ${question.ask}`);
      if (question.kind !== "number") continue;
      const value = derived(question.derive);
      assert.ok(Math.abs(value / question.answer - 1) < 2e-3, `${name}: ${question.ask} ${value}`);
    }
  }
});

test("every choice has one right answer, and a reason for each", () => {
  for (const { name, questions } of lessons) {
    for (const { kind, choices, ask } of questions) {
      if (kind !== "choice") continue;
      assert.equal(choices.filter(({ right }) => right).length, 1, `${name}: ${ask}`);
      assert.ok(choices.every(({ why }) => why.length > 10), `${name}: ${ask}`);
    }
  }
});

for (const lesson of lessons) {
  test(`${lesson.name}: the runs agree with the answers`, async (t) => {
    const tab = await open(t, "lessons.html", { hash: `#${lesson.name}` });
    await says(tab, "#lesson h1", new RegExp(lesson.title));
    const count = lesson.questions.length;
    for (let k = 0; k < count; k += 1) {
      const question = tab.locator(".question").nth(k);
      await question.locator(".run").click();
      await question.locator(".measured[data-agrees]").waitFor({ timeout: HUNG });
      const measured = question.locator(".measured");
      assert.equal(await measured.getAttribute("data-agrees"), "true", `${k + 1}: ${await measured.textContent()}`);
    }
  });
}

test("the first lesson is stick and slip, with the formula beside what is computed", async (t) => {
  const tab = await open(t, "lessons.html");
  await says(tab, "#lesson h1", /^Stick and slip$/);
  const period = tab.locator(".question").nth(1);
  await period.locator(".run").click();
  await period.locator(".measured[data-agrees='true']").waitFor({ timeout: HUNG });
  const words = await period.locator(".measured").innerText();
  assert.match(words, /computed\s*1\.80\d s/);
  assert.match(words, /by the formula\s*1\.803 s/);
  assert.match(words, /% (above|below)\. While it sticks/);
});

test("a number is right within the share that stands beside its question: what is computed, and the formula", async (t) => {
  const tab = await open(t, "lessons.html", { hash: "#stick_slip" });
  await says(tab, "#lesson h1", /Stick and slip/);
  const force = tab.locator(".question").nth(0);
  assert.match(await force.locator("legend").innerText(), /begins to slip\? Right within 2 %\.$/);
  await force.locator(".run").click();
  await force.locator(".measured[data-agrees='true']").waitFor({ timeout: HUNG });
  const [, computed] = /computed\s*([\d.]+) N/.exec(await force.locator(".measured").innerText());
  for (const [answer, words] of [["5.886", /^Right\./], [computed, /^Right\./], ["6.0", /^Right\./], ["6.01", /^Not yet\./], ["3.43", /^Not yet\./]]) {
    await force.locator("input").fill(answer);
    await force.locator("input").press("Enter");
    assert.match(await force.locator(".said").innerText(), words, answer);
  }
  // the answer says why the two differ
  await force.locator("input").fill("5.886");
  await force.locator("input").press("Enter");
  assert.match(await force.locator(".said").innerText(), new RegExp(`The run shows the largest force, ${computed.replace(".", "\\.")} N, which comes a moment later`));
  const numbers = lessons.find(({ name }) => name === "stick_slip").questions.filter(({ kind }) => kind === "number");
  assert.equal(await tab.locator(".question .within").count(), numbers.length);
});

test("the sentence on ε in the first lesson says how the jumps come back", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip" });
  await says(tab, "#try", /raise ε to 200 mm\/s, .*Set ε back to 200 µm\/s and start again: it jumps\.$/);
  // and they do
  const type = async (text) => {
    const field = tab.locator('[data-knob="epsilon"] input[type="text"]');
    await field.fill(text);
    await field.press("Enter");
    await says(tab, "#notice", /ε is now/);
  };
  await tab.selectOption("#transport select", "4");
  await type("200 mm/s");
  await type("200 µm/s");
  await tab.waitForFunction(() => document.querySelector('[data-knob="epsilon"] input[type="text"]').value === "200 µm/s");
  await tab.click('[aria-label^="Start again"]');
  await tab.click('[role="tab"]:text-is("Plots")');
  await says(tab, "#plots .numbers tbody", /period\s*1\.80\d s/);
});

test("indices of symbols stand below the line", async (t) => {
  const shown = (text) => text.match(/(?<![\p{L}\p{N}_])\p{L}_[\p{L}\p{N}](?![\p{L}\p{N}_])/gu) ?? [];
  assert.deepEqual(shown("μ_s = 0.6, k_n, linear_history, off_x"), ["μ_s", "k_n"]);
  const texts = lessons.map((lesson) => [lesson, JSON.stringify(lesson)]);
  const with_index = texts.filter(([, text]) => shown(text).length > 0);
  assert.ok(with_index.length >= 2);
  for (const [lesson] of with_index) {
    const tab = await open(t, "lessons.html", { hash: `#${lesson.name}` });
    await says(tab, "#lesson h1", new RegExp(lesson.title));
    for (const [k, question] of lesson.questions.entries()) {
      const form = tab.locator(".question").nth(k);
      await form.locator('button:text-is("Hint")').click();
      if (question.kind === "choice") await form.locator("input").nth(question.choices.findIndex(({ right }) => right)).check();
      else await form.locator("input").fill(String(question.answer));
      await form.locator('button[type="submit"]').click();
      assert.match(await form.locator(".said").textContent(), /^Right\./);
    }
    assert.deepEqual(shown(await tab.textContent("#lesson")), [], lesson.name);
    assert.ok((await tab.locator("#lesson sub").count()) > 0, lesson.name);
  }
});

test("an angle beside the textbook's says why it differs", async (t) => {
  const tab = await open(t, "lessons.html", { hash: "#hold_or_slide" });
  await says(tab, "#lesson h1", /Hold or slide/);
  const angle = tab.locator(".question").nth(0);
  await angle.locator(".run").click();
  await angle.locator(".measured[data-agrees='true']").waitFor({ timeout: HUNG });
  assert.match(await angle.locator(".measured").innerText(), /22\.\d+°\s.*21\.8°\s.*% above\. The run calls it a slide once the block has moved by 2 mm/s);
});

test("a run of a lesson shows how far it is, and can be cancelled", async (t) => {
  const tab = await open(t, "lessons.html", { hash: "#stick_slip" });
  await says(tab, "#lesson h1", /Stick and slip/);
  const [first, second] = [tab.locator(".question").nth(0), tab.locator(".question").nth(1)];
  // every progress that is shown, also one that is gone before a look
  await tab.evaluate(() => {
    self.shown = [];
    const look = () => self.shown.push(document.querySelector(".question .task").textContent);
    new MutationObserver(look).observe(document.querySelector(".question .task"), { subtree: true, childList: true, characterData: true });
  });
  await first.locator(".run").click();
  await first.locator(".measured[data-agrees]").waitFor({ timeout: HUNG });
  assert.ok((await tab.evaluate(() => self.shown)).some((words) => /^[1-9]\d? %/.test(words)), "no progress");
  await second.locator(".run").click();
  await second.locator('button:text-is("Cancel")').click();
  await second.locator(".measured", { hasText: "cancelled" }).waitFor({ timeout: HUNG });
  assert.equal(await second.locator(".task").isVisible(), false);
  // the engine starts again with the next run
  await second.locator(".run").click();
  await second.locator(".measured[data-agrees='true']").waitFor({ timeout: HUNG });
});

test("wrong and right answers are told apart, and counted", async (t) => {
  const tab = await open(t, "lessons.html", { hash: "#why_it_crawls" });
  await says(tab, "#lesson h1", /Why it crawls/);
  const [first, second] = [tab.locator(".question").nth(0), tab.locator(".question").nth(1)];
  await first.locator("input").nth(0).check();
  await first.locator('button[type="submit"]').click();
  assert.match(await first.locator(".said").textContent(), /^No\./);
  await first.locator("input").nth(1).check();
  await first.locator('button[type="submit"]').click();
  assert.match(await first.locator(".said").textContent(), /^Right\./);
  await second.locator("input").fill("0.3");
  await second.locator("input").press("Enter");
  assert.match(await second.locator(".said").textContent(), /^Not yet\./);
  await second.locator("input").fill("607 µm/s");
  await second.locator("input").press("Enter");
  assert.match(await second.locator(".said").textContent(), /^Right\./);
  assert.equal(await tab.textContent(".score"), "2 of 6 answered right");
});

test("what is said of a wrong number is true of it, and the formula comes when it is asked for", async (t) => {
  const tab = await open(t, "lessons.html", { hash: "#stick_slip" });
  await says(tab, "#lesson h1", /Stick and slip/);
  for (const [place, answer, words] of [
    [1, "3 s", /^Not yet\. It is too large\.$/],
    [1, "1.2", /^Not yet\. That is only the time for which it sticks\.$/],
    [1, "1.7", /^Not yet\. It is near, but too small\.$/],
    [1, "1800", /^Not yet\. Its digits are right, its power of ten is not/],
    [2, "2.53 N", /^Not yet\. That is half of the swing, its amplitude/],
    [2, "-5.065", /^Not yet\. Only the sign is wrong\.$/],
    [2, "0", /^Not yet\. It is too small\.$/],
  ]) {
    const form = tab.locator(".question").nth(place);
    await form.locator("input").fill(answer);
    await form.locator("input").press("Enter");
    assert.match(await form.locator(".said").innerText(), words, answer);
    assert.equal(await form.locator(".formula").isVisible(), false, answer);
  }
  const swing = tab.locator(".question").nth(2);
  await swing.locator('button:text-is("Show the formula")').click();
  assert.match(await swing.locator(".formula").innerText(), /= 5\.065 N$/);
  assert.equal(await swing.locator('button:text-is("Show the formula")').isVisible(), false);
});

test("what a mistake says is not said of a right answer, nor of another mistake", () => {
  let count = 0;
  for (const { name, questions } of lessons) {
    for (const { kind, answer, mistakes = [], ask } of questions) {
      if (kind !== "number") continue;
      for (const { value, says: words } of mistakes) {
        count += 1;
        assert.ok(Math.abs(value / answer - 1) > 0.025, `${name}: ${ask} ${value} is right`);
        assert.match(words, /^[A-Zμ0-9].*\.$/, `${name}: ${words}`);
      }
      assert.equal(new Set(mistakes.map(({ value }) => value)).size, mistakes.length, `${name}: ${ask}`);
    }
  }
  assert.ok(count >= 30, `${count} mistakes`);
});

test("a right answer that is made wrong again is not counted", async (t) => {
  const tab = await open(t, "lessons.html", { hash: "#stick_slip" });
  await says(tab, "#lesson h1", /Stick and slip/);
  const force = tab.locator(".question").nth(0).locator("input");
  for (const [answer, count] of [["5.886", 1], ["5", 0], ["5.9", 1]]) {
    await force.fill(answer);
    await force.press("Enter");
    assert.equal(await tab.textContent(".score"), `${count} of 6 answered right`, answer);
  }
});

test("two runs that enclose a limit of the step are as near as an answer must be", () => {
  const { questions } = lessons.find(({ name }) => name === "why_it_lies");
  const enclosed = questions.filter(({ run }) => run.bracket);
  assert.equal(enclosed.length, 2);
  for (const { run, answer } of enclosed) {
    for (const { value } of run.bracket) assert.ok(Math.abs(value / answer - 1) < 0.02, `${value}`);
  }
});

test("a question's scene opens in the laboratory as it is set", async (t) => {
  const tab = await open(t, "lessons.html", { hash: "#why_it_lies" });
  await says(tab, "#lesson h1", /Why it lies/);
  const anchor = tab.locator(".question").nth(2).locator("a.open");
  await tab.waitForFunction(() => document.querySelectorAll(".question a.open")[2].hash.length > 1);
  await anchor.click();
  await says(tab, "#verdict .level", /not trusted/);
  await tab.waitForFunction(() => document.querySelector('[data-knob="step"] input[type="text"]').value.startsWith("1.00 ms"));
});
