// The worker: passes messages between the page and the engine, and lets time pass.
// `wasm_bindgen` is the start of the engine that web/bind writes in front of this file.

/** Time between looks while nothing happens [ms]. */
const IDLE = 40;
/** A turn that took less than this found nothing to compute [ms]. */
const SHORT = 2;

let engine = null;
let timer = 0;
let lastError = "";
/** A message to oneself comes at once; a timer waits at least 4 ms. */
const soon = new MessageChannel();
soon.port1.onmessage = turn;

const logError = console.error;
console.error = (...texts) => {
  lastError = texts.map(String).join(" ");
  logError(...texts);
};

async function start(message) {
  const packed = Uint8Array.from(atob(message.wasm), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  await wasm_bindgen({ module_or_path: bytes });
  engine = new wasm_bindgen.Engine();
  postMessage({ is: "ready", version: wasm_bindgen.Engine.version(), simd: message.simd === true });
}

/** After a panic the engine cannot go on. */
function broken(error) {
  engine = null;
  clearTimeout(timer);
  const message = lastError.split("\n")[0] || String(error);
  postMessage({ is: "broken", message });
}

function turn() {
  if (!engine) return;
  clearTimeout(timer);
  const began = performance.now();
  try {
    if (engine.pass()) show();
    if (!engine.is_busy()) timer = setTimeout(turn, IDLE);
    else if (performance.now() - began < SHORT) timer = setTimeout(turn, 0);
    else soon.port2.postMessage(0);
  } catch (error) {
    broken(error);
  }
}

function show() {
  const pixels = engine.pixels().buffer;
  const frame = { is: "frame", width: engine.width(), height: engine.height(), pixels };
  const report = engine.report();
  if (report) frame.report = JSON.parse(report);
  postMessage(frame, [pixels]);
}

function answer(request) {
  const { id } = request;
  const progress = (share, words) => postMessage({ is: "progress", id, share, words });
  let text;
  try {
    text = engine.answer(JSON.stringify(request), progress);
  } catch (error) {
    // a refusal is a text, a panic an error of the machine
    if (typeof error !== "string") return broken(error);
    return postMessage({ is: "error", id, message: error });
  }
  const value = JSON.parse(text);
  const bytes = engine.bytes();
  if (bytes.length === 0) return postMessage({ is: "answer", id, value });
  const buffer = bytes.buffer;
  const key = request.do === "picture" ? "pixels" : "bytes";
  postMessage({ is: "answer", id, value: { ...value, [key]: buffer } }, [buffer]);
}

onmessage = ({ data }) => {
  if (data.do === "start") {
    start(data).catch(broken);
  } else if (data.do !== "recycle" && engine) {
    answer(data);
    // what was changed is shown at once
    clearTimeout(timer);
    soon.port2.postMessage(0);
  }
};
