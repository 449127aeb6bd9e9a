/** The laboratory: starts the engine, opens the scene of the address, and joins the parts of the page. */

import { Canvas } from "./canvas.js";
import { CreepSplit } from "./creep_split.js";
import { breathe, byId, element, write } from "./dom.js";
import { Engine } from "./engine.js";
import { FIRST } from "./first.js";
import { header, toggleTheme } from "./header.js";
import { icon } from "./icons.js";
import { layers } from "./layers.js";
import { Library } from "./library.js";
import { Now } from "./now.js";
import { PaneCards } from "./pane_cards.js";
import { Panes } from "./panes.js";
import { Plots } from "./plots.js";
import { Session } from "./session.js";
import { session as linked, unpack } from "./share.js";
import { Sharing } from "./sharing.js";
import { shortcuts } from "./shortcuts.js";
import { Sliders } from "./sliders.js";
import { tabs } from "./tabs.js";
import { SceneText } from "./text.js";
import { setDark } from "./theme.js";
import { Task } from "./task.js";
import { Transport } from "./transport.js";
import { sentence } from "./tries.js";
import { Verdict } from "./verdict.js";

/** Time that a notice stays \[ms\]. */
const NOTICE = 6000;

/** An opening that takes less is not announced \[ms\]. */
const BRIEF = 250;

/** One column, as in the style sheets. */
const NARROW = matchMedia("(max-width: 900px)");

const REPLAYS = {
  runs: ["open", "A recording is replayed: everything is done as it was done before."],
  same: ["good", "The recording ended with the same bits: this computer computes the same run."],
  other: ["bad", "The recording ended with OTHER bits than it had: this is another run."],
};

function notices(session) {
  const node = byId("notice");
  let timer = 0;
  session.on("notice", (words) => {
    write(node, words);
    clearTimeout(timer);
    timer = setTimeout(() => write(node, ""), NOTICE);
  });
}

/** Title, warnings and the state of a replay, above the picture. */
function headings(session) {
  session.on("opened", () => {
    const { title, warnings } = session.facts;
    write(byId("title"), title || session.stem);
    document.title = `${title || session.stem} – stiction`;
    const rows = warnings.map(({ message }) => element("li", {}, message));
    byId("warnings").replaceChildren(...rows);
    write(byId("try"), sentence(session.opening.scene));
  });
  session.on("replay", (state) => {
    const node = byId("replay");
    node.hidden = state === null;
    byId("try").hidden = state !== null;
    if (state === null) return;
    const [kind, words] = REPLAYS[state];
    node.dataset.kind = kind;
    node.replaceChildren(icon(kind), words);
  });
}

/** Says that a scene is being opened, if that takes a while. */
function openings(session) {
  const task = new Task("opening", () => session.cancelOpening());
  byId("picture").after(task.node);
  let timer = 0;
  session.on("opening", (name) => {
    clearTimeout(timer);
    if (name === null) task.end();
    else timer = setTimeout(() => task.begin(`opening ${name} …`), BRIEF);
  });
}

/** Opens what the address says; a damaged link, or one that does not fit, opens the first scene. */
async function openAddress(session) {
  let shared = FIRST;
  try {
    const value = await unpack(location.hash);
    shared = value === null ? FIRST : linked(value);
    if (typeof shared.dark === "boolean") setDark(shared.dark);
    if (await session.open(shared)) return;
  } catch (error) {
    session.tell("notice", error.message);
  }
  if (!session.opening) await session.open(FIRST);
}

/** The schema of scenes, which is asked for when it is needed, once. */
function onceAsked(engine) {
  let schema = null;
  return () => {
    schema ??= engine.ask({ do: "schema" }).catch((error) => {
      schema = null;
      throw error;
    });
    return schema;
  };
}

/** The page is made in pieces, between which the browser draws and listens, while the engine is compiled. */
async function begin() {
  const [engine, assistant] = [new Engine(), new Engine()];
  const started = engine.start();
  // a start that fails is said where its end is waited for
  started.catch(() => {});
  await breathe();
  const session = new Session(engine);
  engine.onBroken = (message) => session.broken(message);
  notices(session);
  headings(session);
  openings(session);
  header();
  await breathe();
  const canvas = new Canvas(session);
  new Transport(session);
  new CreepSplit(session);
  await breathe();
  const plots = new Plots(session);
  new Now(session);
  new PaneCards(session);
  const verdict = new Verdict(session, assistant);
  await breathe();
  layers(session);
  await started;
  const words = await engine.ask({ do: "words" });
  await breathe();
  const sliders = new Sliders(session, words);
  await breathe();
  const schema = onceAsked(engine);
  const panes = new Panes(session, words, schema);
  const text = new SceneText(session, assistant, schema);
  session.on("refused", (answer) => {
    session.tell("notice", answer.brief ?? "the scene has errors");
    panes.refuse(answer);
    text.refuse(answer);
  });
  await breathe();
  const opening = openAddress(session);
  const library = new Library(session, engine, assistant);
  const sharing = new Sharing(session, assistant);
  shortcuts({ session, canvas, library, verdict, sharing, sliders, toggleTheme });
  tabs(byId("tabs"), (name) => {
    byId("panel").dataset.tab = document.body.dataset.tab = name;
    if (name === "plots") plots.show();
    if (name === "text") text.show().catch((error) => session.tell("notice", error.message));
    // one column: what was asked for would lie below the screen
    if (document.body.dataset.state === "ready" && NARROW.matches) byId(name).scrollIntoView();
  });
  await opening;
  byId("scenes-open").addEventListener("click", () => library.show());
  addEventListener("hashchange", () => openAddress(session));
  document.body.dataset.state = "ready";
}

begin().catch((error) => {
  write(byId("notice"), error.message);
  document.body.dataset.state = "broken";
});
