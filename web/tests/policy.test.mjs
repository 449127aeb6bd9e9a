/** The security policy: the page opens from a folder and from a server, and runs nothing inline. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { address, changes, open, says, serve, withBrowser } from "./browser.mjs";

withBrowser();

const PAGES = ["index.html", "lessons.html", "creep.html", "step.html"];

test("every page has the policy, and neither scripts nor styles inside", async () => {
  for (const page of PAGES) {
    const text = await readFile(new URL(address(page)), "utf8");
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1] ?? "";
    assert.match(policy, /default-src 'none'/, page);
    assert.match(policy, /script-src [^;]*'wasm-unsafe-eval'/, page);
    assert.doesNotMatch(policy, /'unsafe-inline'|'unsafe-eval'|https?:|\*/, page);
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|javascript:/, page);
    // what stands before the policy is not under it
    assert.ok(text.indexOf("http-equiv") < text.search(/<(link|script)/), page);
  }
});

for (const where of ["folder", "server"]) {
  test(`from a ${where} the pages work, editor and pictures too`, async (t) => {
    const from = where === "server" ? await serve(t) : undefined;
    const tab = await open(t, "index.html", { hash: "#scene=incline_creep", from });
    await changes(tab, 0);
    await tab.click('[role="tab"]:text-is("Plots")');
    await tab.waitForSelector("#plots canvas");
    await tab.click('[role="tab"]:text-is("Text")');
    await says(tab, "#text .about", /no errors/);
    // the editor's own styles hold: its lines stand beside their numbers
    assert.equal(await tab.evaluate(() => getComputedStyle(document.querySelector(".cm-scroller")).display), "flex");
    assert.equal(await tab.evaluate(() => document.querySelectorAll("style").length), 0);
    await tab.evaluate(() => history.replaceState(null, "", "#"));
    const lesson = await open(t, "lessons.html", { from });
    await says(lesson, "#lesson h1", /Stick and slip/);
    const creep = await open(t, "creep.html", { from });
    await says(creep, ".part-creep .figure-large", /m\/s/);
  });
}

test("what is inserted does not run, and nothing can be asked for", async (t) => {
  const from = await serve(t);
  const tab = await open(t, "index.html", { from });
  const found = await tab.evaluate(async () => {
    const refused = [];
    document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
    // the console must stay empty: what is refused is reported there too, so only the events are counted
    const script = document.createElement("script");
    script.textContent = "self.ran = true";
    document.head.append(script);
    const line = document.createElement("div");
    line.setAttribute("style", "width: 3px");
    const [asked, evaluated] = await Promise.all([
      fetch("icon.svg").then(() => "answered", () => "refused"),
      // a debugger's own call may evaluate, a later turn of the page may not
      new Promise((done) => setTimeout(() => {
        try {
          done(eval("1"));
        } catch {
          done("refused");
        }
      })),
    ]);
    await new Promise((soon) => setTimeout(soon));
    return { ran: self.ran ?? false, width: line.style.width, asked, evaluated, refused: refused.sort() };
  });
  assert.deepEqual(found, { ran: false, width: "", asked: "refused", evaluated: "refused", refused: ["connect-src", "script-src", "script-src-elem", "style-src-attr"] });
  tab.faults.length = 0;
});
