import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { address, changes, open, passes, picture, says, time, withBrowser } from "./browser.mjs";

withBrowser();

test("a scene opens, plays, pauses, steps and starts again", async (t) => {
  const tab = await open(t, "index.html");
  await says(tab, "#title", /narrow box/);
  await passes(tab, 0.1);
  await tab.click("button.play");
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  const stopped = await time(tab);
  await tab.click('[aria-label^="A frame on"]');
  await tab.waitForFunction((was) => Number.parseFloat(document.querySelector(".time").textContent) > was, stopped);
  await tab.click('[aria-label^="A frame back"]');
  await tab.waitForFunction((was) => Number.parseFloat(document.querySelector(".time").textContent) <= was, stopped);
  await tab.click('[aria-label^="Start again"]');
  await tab.waitForFunction(() => Number.parseFloat(document.querySelector(".time").textContent) === 0);
});

test("the picture has a pixel for each of the screen, and a drag turns it", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=sliding_block" });
  await tab.click("button.play");
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  await tab.waitForFunction(() => {
    const canvas = document.getElementById("picture");
    return canvas.width === Math.round(canvas.clientWidth * devicePixelRatio);
  });
  const was = await picture(tab);
  const box = await tab.locator("#picture").boundingBox();
  await tab.mouse.move(box.x + 30, box.y + 30);
  await tab.mouse.down();
  await tab.mouse.move(box.x + 160, box.y + 60, { steps: 4 });
  await tab.mouse.up();
  await changes(tab, was);
  const turned = await picture(tab);
  await tab.mouse.wheel(0, -300);
  await changes(tab, turned);
});

test("rk4 above its step limit turns the verdict, with a word, a sign and reasons", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await says(tab, "#verdict .level", /no fault found/);
  const field = tab.locator('[data-knob="step"] input[type="text"]');
  await field.fill("1 ms");
  await field.press("Enter");
  await says(tab, "#verdict .level", /^not trusted$/);
  assert.equal(await tab.getAttribute("#verdict", "data-kind"), "bad");
  await says(tab, "#verdict .reasons", /above the friction limit/);
  await says(tab, "#announcer", /not trusted/);
  await tab.selectOption("#knob-integrator", "implicit-euler");
  await says(tab, "#verdict .level", /^no fault found$/);
  await says(tab, "#verdict .before", /not trusted|friction limit/);
});

test("creep is split, and a law with a stretch has none", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await says(tab, "#creep td:nth-of-type(1)", /^607 µm\/s$/);
  await says(tab, "#creep td.law", /^607 µm\/s$/);
  await says(tab, "#creep td.integrator", /^0$/);
});

test("a slider moves by arrows and says its value", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  const slider = tab.locator('[data-knob="epsilon"] input[type="range"]');
  await tab.waitForSelector('[data-knob="epsilon"] input[type="range"][aria-valuetext="1.00 mm/s"]');
  await slider.focus();
  for (let k = 0; k < 12; k += 1) await tab.keyboard.press("ArrowLeft");
  await tab.waitForFunction(() => {
    const text = document.querySelector('[data-knob="epsilon"] input[type="range"]').getAttribute("aria-valuetext");
    return text.endsWith("µm/s");
  });
});

test("verification gives error bars, and can be cancelled", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.click('button:text-is("Verify")');
  await says(tab, "#verdict .level", /^trusted to /);
  await says(tab, "#verdict .bars", /creep.*±/);
  assert.equal(await tab.getAttribute("#verdict", "data-kind"), "good");
  await tab.click("#scenes-open");
  await tab.fill("#library-search", "three dimensions");
  await tab.keyboard.press("Enter");
  await says(tab, "#title", /three dimensions/);
  await tab.click('button:text-is("Verify")');
  await tab.click('#verdict button:text-is("Cancel")');
  await says(tab, "#notice", /cancelled/);
  await tab.waitForSelector('button:text-is("Verify"):not([disabled])');
});

test("a verification follows what is set now, and a change makes it void", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.waitForFunction(() => document.querySelector('[data-knob="step"] input[type="text"]').value.startsWith("10.0 µs"));
  await tab.selectOption("#knob-integrator", "implicit-euler");
  const field = tab.locator('[data-knob="step"] input[type="text"]');
  await field.fill("1 ms");
  await field.press("Enter");
  await says(tab, "#notice", /step h is now 1.00 ms/);
  await tab.click('button:text-is("Verify")');
  await says(tab, "#verdict .level", /^trusted to /);
  await tab.selectOption("#knob-integrator", "rk4");
  // the run may have ended beside the verification: it takes no step then
  await tab.press('[aria-label^="Start again"]', "Enter");
  await says(tab, "#verdict .level", /^not trusted$/);
  assert.equal(await tab.textContent("#verdict .bars"), "");
  await tab.click('button:text-is("Verify")');
  await tab.waitForSelector("#verdict .bars table");
  await says(tab, "#verdict .level", /^not trusted$/);
});

/** Holds what is asked about the settings until `release` is called. */
function holdSettings() {
  const { postMessage } = Worker.prototype;
  const held = [];
  self.held = held;
  self.release = () => held.splice(0).forEach((send) => send());
  Worker.prototype.postMessage = function post(message, ...more) {
    if (message.do === "set-now") held.push(() => postMessage.call(this, message, ...more));
    else postMessage.call(this, message, ...more);
  };
}

test("what is cancelled before it computes is cancelled", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep", before: holdSettings });
  await tab.click('button:text-is("Verify")');
  await tab.waitForFunction(() => self.held.length === 1);
  await tab.click('#verdict button:text-is("Cancel")');
  await tab.evaluate(() => self.release());
  await says(tab, "#notice", /verification was cancelled/);
  await tab.click("#share-open");
  await tab.click('button:text-is("measures.csv")');
  await tab.waitForFunction(() => self.held.length === 1);
  await tab.click('#share .task button:text-is("Cancel")');
  await tab.evaluate(() => self.release());
  await says(tab, "#share [role=status]", /measures\.csv was cancelled/);
});

test("a run that has ended plays when it is started again, and a pause stays one", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.selectOption("#transport select", "4");
  // nobody paused it
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  await says(tab, ".time", /^1\.000 s of/);
  await tab.selectOption("#transport select", "0.1");
  await tab.click('[aria-label^="Start again"]');
  await tab.waitForSelector('button.play[aria-label^="Pause"]');
  await tab.click("button.play");
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  await tab.click('[aria-label^="Start again"]');
  await says(tab, ".time", /^0\.000 s of/);
  await tab.waitForSelector('button.play[aria-label^="Play"]');
});

/** The value of a measure in the last row of a saved table. */
async function lastOf(tab, column) {
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.click('button:text-is("measures.csv")')]);
  const rows = (await readFile(await download.path(), "latin1")).trim().split("\n").map((row) => row.trim().split(","));
  return Number(rows.at(-1)[rows[0].indexOf(column)]);
}

test("a verification and measures.csv are of the run as it is set, friction too", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  const type = async (knob, text, shown) => {
    const field = tab.locator(`[data-knob="${knob}"] input[type="text"]`);
    await field.fill(text);
    await field.press("Enter");
    await tab.waitForSelector(`[data-knob="${knob}"] input[type="range"][aria-valuetext="${shown}"]`);
  };
  await type("friction", "0.5", "0.50");
  await tab.click('button:text-is("Verify")');
  // ε tan(20°)/μ
  await says(tab, "#verdict .bars", /-0\.00072794/);
  await type("epsilon", "2 mm/s", "2.00 mm/s");
  await says(tab, "#verdict .void", /verify again/);
  await tab.click("#share-open");
  const creep = await lastOf(tab, "creep");
  assert.ok(Math.abs(creep / (-2e-3 * Math.tan(Math.PI / 9) / 0.5) - 1) < 1e-3, `${creep}`);
});

test("the library has pictures and a search", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=sliding_block" });
  await tab.keyboard.press("/");
  await tab.waitForSelector("#library[open]");
  const all = Number.parseInt(await says(tab, "#library-count", /^\d\d+ scenes$/), 10);
  assert.ok(all >= 50, `${all} scenes`);
  await tab.fill("#library-search", "capstan");
  assert.equal(await tab.textContent("#library-count"), "1 scene");
  await changes(tab, 0, "#library li:not([hidden]) canvas");
  await tab.keyboard.press("Enter");
  await says(tab, "#title", /rope/);
});

test("panes run side by side, against a reference", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.click('[role="tab"]:text-is("Compare")');
  await tab.click('button:text-is("Add a pane")');
  await tab.selectOption('[aria-label="pane 2: method"]', "implicit-euler");
  await tab.fill('[aria-label="pane 2: step"]', "1 ms");
  await tab.selectOption('[aria-label="reference: method"]', "rk4");
  await tab.fill('[aria-label="reference: step"]', "10 µs");
  await tab.click('button:text-is("Start side by side")');
  await says(tab, ".pane:nth-of-type(2) .pane-facts", /implicit-euler.*1 ms.*off by/);
  await tab.click('[role="tab"]:text-is("Plots")');
  await says(tab, "#plots", /1 measured.*2 measured/s);
  await tab.waitForFunction(() => document.querySelectorAll("#plots .figure:not([hidden]) canvas").length >= 4);
});

test("a pane has an ε of its own where its law has one", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.click('[role="tab"]:text-is("Compare")');
  await tab.click('button:text-is("Add a pane")');
  await tab.fill('[aria-label="pane 2: ε"]', "0.1 mm/s");
  await tab.selectOption('[aria-label="pane 1: law"]', "cundall-strack");
  assert.ok(await tab.isDisabled('[aria-label="pane 1: ε"]'), "a law without ε");
  await tab.selectOption('[aria-label="pane 1: law"]', "tanh");
  await tab.fill('[aria-label="pane 1: ε"]', "soon");
  await tab.press('button:text-is("Start side by side")', "Enter");
  await says(tab, "#compare [role=status]", /"soon" is no ε/);
  await tab.fill('[aria-label="pane 1: ε"]', "2 mm/s");
  await tab.press('button:text-is("Start side by side")', "Enter");
  await says(tab, ".pane:nth-of-type(1) .pane-facts", /tanh/);
  assert.equal(await tab.inputValue('[aria-label="pane 1: ε"]'), "2 mm/s");
  assert.equal(await tab.inputValue('[aria-label="pane 2: ε"]'), "100 µm/s");
  await tab.waitForSelector('[data-knob="epsilon"] input[type="range"][aria-valuetext="2.00 mm/s"]', { state: "attached" });
  await tab.click('[aria-label="keys and sliders act on pane 2"]');
  await tab.waitForSelector('[data-knob="epsilon"] input[type="range"][aria-valuetext="100 µm/s"]', { state: "attached" });
});

test("plots begin with the scene's measures, and a number over all time has its place beside them", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip" });
  await tab.selectOption("#transport select", "4");
  await tab.click('[role="tab"]:text-is("Plots")');
  await tab.waitForSelector("#plots .figure:not([hidden]) canvas");
  const titles = await tab.locator("#plots .figure:not([hidden]) figcaption").allInnerTexts();
  const [pull, speed, energy] = ["pull", "speed", "Energy"].map((title) => titles.indexOf(title));
  assert.ok(pull === 0 && speed > pull && energy > speed, titles.join(", "));
  assert.ok(!titles.includes("period"), "one number over all time is no curve");
  await says(tab, "#plots .numbers tbody", /period\s*1\.80\d s\s*1\.785 s … 1\.821 s/);
  await says(tab, "#plots .numbers tbody", /swing\s*5\.0\d+ N/);
  // another scene has others
  await tab.goto(address("index.html", "#scene=incline_creep"));
  await says(tab, "#title", /incline/);
  await says(tab, "#plots .figure:not([hidden]) figcaption", /^creep expected -606\.6 µm\/s/);
});

test("series differ by their dash, and those of one pane by their colour", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=sliding_box" });
  await tab.click('[role="tab"]:text-is("Plots")');
  await tab.waitForFunction(() => [...document.querySelectorAll("#plots figure")].some((figure) => figure.textContent.startsWith("Creep") && figure.querySelectorAll("line").length > 1));
  const lines = () => tab.locator("#plots .figure:not([hidden])").evaluateAll((all) => all.map((figure) => [...figure.querySelectorAll("line")].map((line) => [line.getAttribute("stroke"), line.getAttribute("stroke-dasharray")])));
  const figures = await lines();
  assert.ok(figures.length > 3 && figures.some((series) => series.length > 1));
  for (const series of figures) {
    assert.equal(new Set(series.map(([colour]) => colour)).size, series.length, JSON.stringify(series));
    assert.equal(new Set(series.map(([, dash]) => dash)).size, series.length, JSON.stringify(series));
  }
  await tab.click('[role="tab"]:text-is("Compare")');
  await tab.click('button:text-is("Add a pane")');
  await tab.press('button:text-is("Start side by side")', "Enter");
  await tab.waitForFunction(() => document.querySelectorAll(".pane-facts:not(:empty)").length === 2);
  await tab.click('[role="tab"]:text-is("Plots")');
  await says(tab, "#plots", /1 residual.*2 residual/s);
  const residual = (await lines())[(await tab.locator("#plots .figure:not([hidden]) figcaption").allInnerTexts()).indexOf("Energy residual")];
  assert.equal(new Set(residual.map(([, dash]) => dash)).size, 2);
});

/** Adds μ_k to what the engine reports, where it does not report it. */
function twoCoefficients() {
  const { Worker } = self;
  self.Worker = class extends Worker {
    set onmessage(listener) {
      super.onmessage = (event) => {
        for (const { settings } of event.data.report?.panes ?? []) {
          if (settings.some(({ knob }) => knob === "kinetic-friction")) continue;
          const friction = settings.find(({ knob }) => knob === "friction");
          settings.push({ ...friction, knob: "kinetic-friction", value: "0.35", number: 0.35 });
        }
        listener(event);
      };
    }
  };
}

test("two coefficients of friction have a row each, and one has one", async (t) => {
  const names = async (tab) => (await tab.locator("#change .row:visible .row-name").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  const two = await open(t, "index.html", { hash: "#scene=stick_slip", before: twoCoefficients });
  await says(two, '[data-knob="kinetic-friction"]', /kinetic friction/);
  assert.ok((await names(two)).some((text) => /^μ ?s static friction$/.test(text)), (await names(two)).join(", "));
  assert.equal(await two.inputValue('[data-knob="kinetic-friction"] input[type="text"]'), "0.35");
  assert.equal(await two.getAttribute('[data-knob="friction"] input[type="range"]', "aria-label"), "static friction μ_s");
  const one = await open(t, "index.html", { hash: "#scene=incline_creep" });
  assert.ok((await names(one)).includes("μ friction"), (await names(one)).join(", "));
  assert.equal(await one.isVisible('[data-knob="kinetic-friction"]'), false);
});

test("a body that is a point has no height to be pushed at", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=sliding_block" });
  const height = tab.locator('[data-knob="push-height"]');
  await height.waitFor({ state: "hidden" });
  assert.ok(await tab.isVisible('[data-knob="push-force"] input[type="range"]'));
  const box = await open(t, "index.html");
  await box.locator('[data-knob="push-height"] input[type="range"]').waitFor();
});

test("layers are reached by touch: every button acts, and names change the picture", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=sliding_box", touch: true });
  await tab.tap("button.play");
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  await tab.tap(".menu summary");
  const rows = tab.locator(".menu-rows button");
  const was = await picture(tab);
  await rows.filter({ hasText: "names of bodies" }).tap();
  await changes(tab, was);
  const count = await rows.count();
  assert.ok(count >= 11, `${count} layers`);
  await tab.evaluate(() => {
    self.said = [];
    const node = document.getElementById("notice");
    new MutationObserver(() => self.said.push(node.textContent)).observe(node, { childList: true, characterData: true, subtree: true });
  });
  for (let k = 0; k < count; k += 1) await rows.nth(k).tap();
  // answers come in order: after this one all refusals are there
  await tab.tap('[aria-label^="Start again"]');
  await tab.waitForFunction(() => Number.parseFloat(document.querySelector(".time").textContent) === 0);
  assert.deepEqual((await tab.evaluate(() => self.said)).filter((words) => words.includes("no action")), []);
});

test("all energies are shown when they are asked for", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=tipping_box", touch: true });
  await tab.tap('[role="tab"]:text-is("Plots")');
  const legend = "#plots .figure:has(figcaption:text-is('Energy')) .u-legend";
  await tab.locator(legend, { hasText: "kinetic" }).waitFor();
  assert.doesNotMatch(await tab.textContent(legend), /gravity/);
  await tab.tap('button:text-is("All energies")');
  await tab.locator(legend, { hasText: /springs.*contacts.*gravity.*work/s }).waitFor();
  await tab.tap('button:text-is("All energies")');
  await tab.locator(legend, { hasText: /^((?!gravity).)*$/s }).waitFor();
});

test("a page that opens compiles one engine, and asks for nothing it does not show", async (t) => {
  const tab = await open(t, "index.html", {
    hash: "#scene=sliding_block",
    before: () => {
      self.asked = [];
      const { Worker } = self;
      self.Worker = class extends Worker {
        postMessage(message, ...more) {
          self.asked.push(message.do);
          return super.postMessage(message, ...more);
        }
      };
    },
  });
  const asked = await tab.evaluate(() => self.asked);
  assert.equal(asked.filter((request) => request === "start").length, 1, asked.join(" "));
  for (const request of ["schema", "library"]) assert.ok(!asked.includes(request), asked.join(" "));
  // each comes when it is needed
  await tab.keyboard.press("/");
  await says(tab, "#library-count", /^\d\d+ scenes$/);
  await tab.keyboard.press("Escape");
  await tab.click('[role="tab"]:text-is("Text")');
  await says(tab, "#text .about", /no errors/);
  assert.ok(await tab.evaluate(() => self.asked.includes("schema")));
});

test("measures, picture and scene are saved as files", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.click("#share-open");
  for (const [name, file, start] of [
    ["measures.csv", "measures.csv", /^time,/],
    ["Picture (PNG)", "incline_creep.png", /^.PNG/],
    ["Scene (TOML)", "incline_creep.toml", /^format = 1/],
  ]) {
    const [download] = await Promise.all([tab.waitForEvent("download"), tab.click(`button:text-is("${name}")`)]);
    assert.equal(download.suggestedFilename(), file);
    assert.match(await readFile(await download.path(), "latin1"), start);
  }
});

test("measures.csv shows how far it is, and can be cancelled", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=tipping_box_3d" });
  await says(tab, "#title", /three dimensions/);
  await tab.click("#share-open");
  await tab.click('button:text-is("measures.csv")');
  await says(tab, "#share .task", /^\d+ %/);
  await tab.click('#share .task button:text-is("Cancel")');
  await says(tab, "#share [role=status]", /measures\.csv was cancelled/);
  assert.equal(await tab.isVisible("#share .task"), false);
});

test("an opening that takes long is said, and cancelled; the scene before plays again", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await says(tab, "#title", /incline/);
  await passes(tab, 0.1);
  // two hundred thousand particles
  const text = "format = 1\n[time]\nend = 1\nstep = 1e-4\noutput = 0.1\n[integrator]\nmethod = \"rk4\"\n[contact]\nnormal = { law = \"linear\", stiffness = 1e5 }\nfriction = { law = \"threshold\", epsilon = 1e-3 }\n[materials.wood]\nstatic_friction = 0.5\n[[body]]\nname = \"heap\"\nmass = 1.0\nshape = { lattice = { counts = [60, 60, 60], spacing = 0.1 } }\nsprings = { edge = { stiffness = 1e3 } }\n";
  await tab.goto(address("index.html", `#${deflateRawSync(JSON.stringify({ scene: { text, name: "heap" } })).toString("base64url")}`));
  await says(tab, ".picture .task", /opening heap/);
  await tab.click('.picture .task button:text-is("Cancel")');
  await says(tab, "#notice", /opening was cancelled/);
  await says(tab, "#title", /incline/);
  const was = await picture(tab);
  await passes(tab, 0.1);
  await changes(tab, was);
});

test("a drift that is rounding reads 0, and no setting stands as a result", async (t) => {
  const tab = await open(t, "index.html");
  await passes(tab, 0.3);
  await says(tab, "#creep td", /^0 m\/s$/);
  assert.deepEqual(await tab.locator("#creep thead th").allInnerTexts(), ["body", "drift", "the law's", "the method's"]);
  assert.equal(await tab.locator("#creep .part-bar").count(), 0);
});

test("a method that chooses its own step has no slider for h", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  const slider = tab.locator('[data-knob="step"] input[type="range"]');
  await slider.waitFor();
  await tab.selectOption("#knob-integrator", "dopri5");
  // on a fast computer the run has ended by now, and the method has taken no step
  await tab.click('[aria-label^="Start again"]');
  await says(tab, '[data-knob="step"] .own', /^chosen by the method, now [\d.]+\s(ms|µs)$/);
  assert.equal(await slider.isVisible(), false);
  assert.equal(await tab.isVisible('[data-knob="step"] input[type="text"]'), false);
  await tab.selectOption("#knob-integrator", "rk4");
  await slider.waitFor();
  assert.equal(await tab.isVisible('[data-knob="step"] .own'), false);
});

test("a value that cannot be is refused with its reason, and the value that holds comes back", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await passes(tab, 0.01);
  for (const [knob, text, words, holds] of [
    ["epsilon", "-1", /^ε cannot be -1: it must be above 0$/, "1.00 mm/s"],
    ["step", "0", /^h cannot be 0: it must be above 0$/, "10.0 µs"],
    ["friction", "-3", /^μ cannot be -3: it must be 0 or more$/, "0.60"],
    ["epsilon", "soon", /^"soon" is no number/, "1.00 mm/s"],
  ]) {
    const field = tab.locator(`[data-knob="${knob}"] input[type="text"]`);
    await field.fill(text);
    await field.press("Enter");
    await says(tab, "#notice", words);
    assert.equal(await field.inputValue(), holds, text);
  }
  // one that the engine refuses
  const field = tab.locator('[data-knob="step"] input[type="text"]');
  await field.fill("1e-30");
  await field.press("Enter");
  await tab.waitForFunction(() => document.querySelector('[data-knob="step"] input[type="text"]').value === "10.0 µs");
});

test("what is expected is marked as of the scene as written once a key is another", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await tab.click('[role="tab"]:text-is("Plots")');
  const title = "#plots .figure:not([hidden]) figcaption";
  await says(tab, title, /^creep expected .*s$/);
  assert.doesNotMatch(await tab.textContent(title), /as written/);
  await tab.click('[role="tab"]:text-is("Change")');
  await tab.fill('[data-knob="epsilon"] input[type="text"]', "2 mm/s");
  await tab.keyboard.press("Enter");
  await says(tab, "#now figcaption", /of the scene as written$/);
  await tab.click('[role="tab"]:text-is("Plots")');
  await says(tab, title, /of the scene as written$/);
  const other = await open(t, "index.html", { hash: "#scene=stick_slip" });
  await says(other, "#now thead", /expected$/);
  await other.fill('[data-knob="epsilon"] input[type="text"]', "1 mm/s");
  await other.keyboard.press("Enter");
  await says(other, "#now thead", /expected, of the scene as written$/);
});

test("a slash on the picture makes a slider of any number of the scene", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=sliding_block" });
  await passes(tab, 0.01);
  await tab.focus("#picture");
  await tab.keyboard.press("/");
  await tab.waitForSelector("#finder[open]");
  await tab.keyboard.type("gravity.2");
  await tab.waitForFunction(() => /world\.gravity/.test(document.querySelector("#finder-list li")?.textContent ?? ""));
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("ArrowUp");
  const path = await tab.textContent('#finder-list [aria-selected="true"] .finder-path');
  await tab.keyboard.press("Enter");
  await says(tab, '[data-knob="number-0"] .row-name', new RegExp(path.replaceAll(".", "\\.")));
  assert.equal(await tab.isVisible("#finder"), false);
  const field = tab.locator('[data-knob="number-0"] input[type="text"]');
  await field.fill("-5");
  await field.press("Enter");
  await says(tab, "#notice", /gravity\.2 is now .5/);
  // elsewhere it opens the library
  await field.blur();
  await tab.keyboard.press("/");
  await tab.waitForSelector("#library[open]");
  await tab.keyboard.press("Escape");
  // a number that has a slider is gone to
  await tab.focus("#picture");
  await tab.keyboard.press("/");
  await tab.keyboard.type("epsilon");
  await tab.waitForFunction(() => /friction\.epsilon/.test(document.querySelector("#finder-list li")?.textContent ?? ""));
  await tab.keyboard.press("Enter");
  await tab.waitForFunction(() => document.activeElement.closest("[data-knob]")?.dataset.knob === "epsilon");
});

test("the first lesson's scene has sliders of the spring and of the hand", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip" });
  await says(tab, '[data-knob="number-0"] .row-name', /^k stiffness of the spring$/);
  await says(tab, '[data-knob="number-1"] .row-name', /^V speed of the hand$/);
  assert.equal(await tab.textContent("#notice"), "");
  await tab.selectOption("#transport select", "4");
  for (const [knob, text, period] of [["number-0", "80 N/m", /period\s*1\.04\d s/], ["number-1", "200 mm/s", /period\s*7\d\d(\.\d)? ms/]]) {
    const field = tab.locator(`[data-knob="${knob}"] input[type="text"]`);
    await field.fill(text);
    await field.press("Enter");
    await says(tab, "#notice", /is now/);
    await tab.press('[aria-label^="Start again"]', "Enter");
    await says(tab, "#now .numbers tbody", period);
  }
  // on another scene they are gone
  await tab.goto(address("index.html", "#scene=incline_creep"));
  await says(tab, "#title", /incline/);
  await tab.locator('[data-knob="number-0"]').waitFor({ state: "hidden" });
});

test("what is typed and is no value is refused in words", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  await passes(tab, 0.01);
  for (const [knob, text, words] of [
    ["epsilon", "1e999", /is no number/],
    ["epsilon", "NaN", /is no number/],
    ["step", "-1", /\S/],
    ["friction", "-3", /\S/],
    ["stiffness", "0", /\S/],
    ["push-force", "much", /is no number/],
  ]) {
    await tab.evaluate(() => (document.getElementById("notice").textContent = ""));
    const field = tab.locator(`[data-knob="${knob}"] input[type="text"]`);
    await field.fill(text);
    await field.press("Enter");
    await says(tab, "#notice", words);
  }
  await tab.click('[role="tab"]:text-is("Compare")');
  await tab.fill('[aria-label="pane 1: step"]', "soon");
  // by a key: what a report adds above may move the button between press and release of the mouse
  await tab.press('button:text-is("Start side by side")', "Enter");
  await says(tab, "#compare [role=status]", /"soon" is no step/);
});
