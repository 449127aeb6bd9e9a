/** Where things stand while a scene plays: nothing jumps, nothing is torn apart, nothing is cut. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LAPTOP, PHONE, open, passes, says, withBrowser } from "./browser.mjs";

withBrowser();

/** Tops of all sliders [CSS pixels]. */
const tops = (tab) => tab.locator('#change input[type="range"]').evaluateAll((all) => all.filter((node) => node.checkVisibility()).map((node) => node.getBoundingClientRect().top + scrollY));

for (const [name, size] of [["phone", PHONE], ["laptop", LAPTOP]]) {
  test(`on a ${name} the verdict's words do not move the sliders`, async (t) => {
    const tab = await open(t, "index.html", { hash: "#scene=incline_creep", size, touch: name === "phone" });
    await says(tab, "#verdict .level", /no fault found/);
    const was = await tops(tab);
    assert.ok(was.length >= 4);
    const field = tab.locator('[data-knob="step"] input[type="text"]');
    await field.fill("1 ms");
    await field.press("Enter");
    await says(tab, "#verdict .level", /not trusted/);
    await says(tab, "#verdict .reasons", /above the friction limit/);
    assert.deepEqual(await tops(tab), was);
    assert.equal(await tab.isVisible("#verdict .reasons"), false);
    // whoever asks for reasons gets them, in a room that stays
    await tab.click('#verdict button:text-is("reasons")');
    assert.ok(await tab.isVisible("#verdict .reasons li"));
    const opened = await tops(tab);
    await field.fill("10 µs");
    await field.press("Enter");
    await says(tab, "#verdict .level", /no fault found/);
    assert.deepEqual(await tops(tab), opened);
    // nor does a verification that ends
    await tab.click('button:text-is("Verify")');
    const computing = await tops(tab);
    await says(tab, "#verdict .bars", /creep.*±/);
    assert.deepEqual(await tops(tab), computing);
    const friction = tab.locator('[data-knob="friction"] input[type="text"]');
    await friction.fill("0.5");
    await friction.press("Enter");
    await says(tab, "#verdict .void", /verify again/);
    assert.deepEqual(await tops(tab), computing);
  });
}

/** Parts of the verdict that are cut without a mark. */
function unmarked() {
  const rooms = [...document.querySelectorAll("#verdict :is(.why, .room)")].filter((node) => node.checkVisibility());
  const cut = rooms.filter((node) => node.scrollHeight > node.clientHeight + 2);
  return cut.filter((node) => !node.parentElement.querySelector(".more-below")?.checkVisibility()).map((node) => node.className);
}

test("a verification shows every measure, those that are expected first", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip" });
  await tab.waitForSelector("#now .numbers:not([hidden])");
  await tab.click('button:text-is("Verify")');
  await says(tab, "#verdict .bars", /period.*±/);
  assert.match(await tab.textContent("#verdict .bars tbody"), /^period.*swing.*pull.*friction.*speed/);
  const room = await tab.locator("#verdict .room").boundingBox();
  for (const row of await tab.locator("#verdict .bars tr").all()) {
    const { y, height } = await row.boundingBox();
    assert.ok(y + height <= room.y + room.height + 1, await row.textContent());
  }
  assert.deepEqual(await tab.evaluate(unmarked), []);
});

test("on a phone what is cut of the reasons is announced, and shown when it is asked for", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep", size: PHONE, touch: true });
  const field = tab.locator('[data-knob="step"] input[type="text"]');
  await field.fill("1 ms");
  await field.press("Enter");
  await says(tab, "#verdict .level", /not trusted/);
  // the run has ended: a reason that came later would be cut, and announced, again
  await tab.waitForSelector('button.play[aria-label^="Play"]');
  await tab.click('#verdict button:text-is("reasons")');
  const more = tab.locator("#verdict .why ~ .more-below");
  await more.waitFor();
  assert.deepEqual(await tab.evaluate(unmarked), []);
  // by a key: on a phone the picture may lie over it
  await more.press("Enter");
  await more.waitFor({ state: "hidden" });
  const reasons = tab.locator("#verdict .why");
  assert.ok(await reasons.evaluate((node) => node.scrollHeight <= node.clientHeight + 2));
});

test("on a phone the picture stays beside every slider, in at most 40 % of the height", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=stick_slip", size: PHONE, touch: true });
  await passes(tab, 0.05);
  for (const slider of await tab.locator('#change input[type="range"]').all()) {
    if (!(await slider.isVisible())) continue;
    await slider.focus();
    await slider.scrollIntoViewIfNeeded();
    const [at, picture] = [await slider.boundingBox(), await tab.locator(".picture").boundingBox()];
    assert.ok(picture.height <= 0.4 * PHONE.height && picture.height > 200, `${picture.height}`);
    assert.ok(picture.y >= -1 && picture.y + picture.height <= at.y + 1, `picture ${JSON.stringify(picture)}, slider ${JSON.stringify(at)}`);
    assert.ok(at.y + at.height <= PHONE.height + 1, JSON.stringify(at));
    // what is touched there is the slider, not what lies over it
    assert.ok(await slider.evaluate((node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2) === node;
    }));
  }
});

/** Flex rows and grids in which a text with symbols or names is laid out in pieces. */
function torn() {
  const within = (node) => [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim() !== "");
  const pieces = [...document.querySelectorAll("sub, code, i, b")].map((node) => node.parentElement);
  const rows = pieces.filter((node) => /flex|grid/.test(getComputedStyle(node).display) && within(node));
  return [...new Set(rows)].map((node) => `${node.tagName}.${node.className}: ${node.textContent.slice(0, 60)}`);
}

for (const name of ["stick_slip", "hold_or_slide", "why_it_crawls", "why_it_lies", "tip_or_slide", "which_engine"]) {
  test(`${name}: no sentence is torn apart`, async (t) => {
    const tab = await open(t, "lessons.html", { hash: `#${name}`, size: PHONE });
    await says(tab, "#lesson h1", /./);
    // wrong, then right answers; hints too
    for (const form of await tab.locator(".question").all()) {
      await form.locator('button:text-is("Hint")').click();
      const radios = await form.locator('input[type="radio"]').all();
      for (const radio of radios) {
        await radio.check();
        await form.locator('button[type="submit"]').click();
        assert.deepEqual(await tab.evaluate(torn), []);
      }
      if (radios.length > 0) continue;
      await form.locator("input").fill("-7");
      await form.locator('button[type="submit"]').click();
      await form.locator(".said", { hasText: "Not yet" }).waitFor();
      assert.deepEqual(await tab.evaluate(torn), []);
    }
  });
}

test("no sentence of the laboratory is torn apart", async (t) => {
  const tab = await open(t, "index.html", { hash: "#scene=incline_creep" });
  const field = tab.locator('[data-knob="step"] input[type="text"]');
  await field.fill("1 ms");
  await field.press("Enter");
  await says(tab, "#verdict .level", /not trusted/);
  await tab.click('#verdict button:text-is("reasons")');
  for (const name of ["Plots", "Compare", "Change"]) {
    await tab.click(`[role="tab"]:text-is("${name}")`);
    assert.deepEqual(await tab.evaluate(torn), [], name);
  }
});

/** Fields and texts that are wider than their place. */
function cut(written = []) {
  for (const [where, text] of written) document.querySelectorAll(`${where} input[type="text"]`).forEach((field) => (field.value = text));
  const shown = [...document.querySelectorAll("input[type=text], select, output, td, th, button, .row-name, .since, .level, .unit, .own, figcaption")].filter(
    (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".hidden, .unseen, dialog:not([open])"),
  );
  const canvas = document.createElement("canvas").getContext("2d");
  const wide = (node) => {
    if (!(node instanceof HTMLSelectElement)) return node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline";
    const style = getComputedStyle(node);
    canvas.font = `${style.fontSize} ${style.fontFamily}`;
    // with the arrow of the list
    return canvas.measureText(node.selectedOptions[0]?.label ?? "").width + parseFloat(style.paddingLeft) + 20 > node.clientWidth;
  };
  const name = (node) => `${node.tagName} ${node.getAttribute("aria-label") ?? node.className}: ${node.value ?? node.textContent}`;
  return shown.filter(wide).map(name);
}

for (const width of [390, 768, 1280, 1920]) {
  test(`no value is cut at ${width} px`, async (t) => {
    for (const [scene, height] of [["stick_slip", false], ["incline_creep", false], ["tipping_box", true], ["gripper", true]]) {
      const tab = await open(t, "index.html", { hash: `#scene=${scene}`, size: { width, height: width === 390 ? 844 : 800 } });
      await passes(tab, 0.02);
      await tab.waitForFunction(() => document.querySelector('[data-knob="push-force"] input[type="text"]').value !== "");
      assert.equal(await tab.isVisible('[data-knob="push-height"]'), height, scene);
      assert.deepEqual(await tab.evaluate(cut), [], scene);
      for (const name of ["Compare", "Plots"]) {
        await tab.click(`[role="tab"]:text-is("${name}")`);
        assert.deepEqual(await tab.evaluate(cut), [], `${scene}, ${name}`);
      }
      await tab.click('[role="tab"]:text-is("Change")');
      // the longest that a scene can have
      assert.deepEqual(await tab.evaluate(cut, [["#change .row", "1.00 MN/m"], ["#push .row", "-38.6 kN"]]), [], scene);
      await tab.context().close();
    }
  });
}

for (const [name, size] of [["laptop", LAPTOP], ["projector", { width: 1920, height: 1080 }], ["tablet", { width: 920, height: 700 }]]) {
  for (const shown of ["Change", "Text"]) {
    test(`on a ${name}, the speed of a slow computer leaves the time its place, beside ${shown}`, async (t) => {
      const tab = await open(t, "index.html", { hash: "#scene=incline_creep", size });
      await passes(tab, 0.05);
      await tab.click(`[role="tab"]:text-is("${shown}")`);
      const places = await tab.evaluate(() => {
        // at once, before the next report
        const behind = document.querySelector("#transport .behind");
        behind.textContent = "0.087 × real time on this computer";
        const of = (node) => node.getBoundingClientRect();
        const [time, bar, select, transport] = ["#transport .time", "#transport progress", "#transport select", "#transport"].map((name) => of(document.querySelector(name)));
        return { time: time.right, bar: bar.right, select: [select.left, select.right], behind: [of(behind).left, of(behind).right, behind.scrollHeight - behind.clientHeight], end: transport.right };
      });
      const all = JSON.stringify(places);
      assert.ok(places.select[1] <= places.end + 1, all);
      // where there is little room, the time has a line of its own, and the speed of the computer none
      if (name === "tablet") return assert.equal(places.behind[1] - places.behind[0], 0, all);
      assert.ok(places.time <= places.select[0] && places.bar <= places.select[0], all);
      assert.ok(places.behind[0] >= places.select[1] && places.behind[1] <= places.end + 1, all);
      assert.ok(places.behind[2] <= 1, all);
    });
  }
}
