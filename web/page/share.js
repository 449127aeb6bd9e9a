/**
 * Links that carry a whole session: `#` and base64url of deflate-raw of JSON.
 *
 * @typedef {object} Shared
 * @property {{name: string} | {text: string, name?: string}} scene
 * @property {string[][]} [panes] settings of each pane, as `--set` takes them
 * @property {string[] | null} [reference]
 * @property {string | null} [recording]
 * @property {boolean} [dark]
 */

async function through(stream, bytes) {
  const passed = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(passed).arrayBuffer());
}

/** Bytes as text for an address. */
function encode(bytes) {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decode(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** The part of a link after `#`. */
export async function pack(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return encode(await through(new CompressionStream("deflate-raw"), bytes));
}

const isText = (value) => typeof value === "string";
const isTexts = (value) => Array.isArray(value) && value.every(isText);

/** Conditions on the parts of a link; parts that are not there are not asked. */
const CONDITIONS = {
  scene: (scene) => isText(scene?.name) || isText(scene?.text),
  panes: (panes) => Array.isArray(panes) && panes.length > 0 && panes.length <= 4 && panes.every(isTexts),
  reference: (reference) => reference === null || isTexts(reference),
  recording: (recording) => recording === null || isText(recording),
  dark: (dark) => typeof dark === "boolean",
};

/**
 * The value of a link, if it is a session.
 * @throws {Error} it is something else
 */
export function session(value) {
  const wrong = Object.keys(CONDITIONS).filter((key) => value?.[key] !== undefined && !CONDITIONS[key](value[key]));
  if (value?.scene === undefined) wrong.push("scene");
  if (wrong.length > 0) throw new Error(`this link cannot be opened: its ${wrong.map((key) => `\`${key}\``).join(", ")} is none that this page writes`);
  return value;
}

/**
 * The value of a link, `null` where it has none. `#scene=NAME` names a scene of the library.
 * @throws {Error} the link is damaged
 */
export async function unpack(hash) {
  const text = hash.replace(/^#/, "");
  if (text === "") return null;
  let value;
  try {
    if (text.startsWith("scene=")) return { scene: { name: decodeURIComponent(text.slice(6)) } };
    const bytes = await through(new DecompressionStream("deflate-raw"), decode(text));
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error("this link is damaged: a part of it was lost on the way");
  }
  return value;
}

/** The address of a page with a value in it. */
export async function link(page, value) {
  const address = new URL(page, location.href);
  address.hash = await pack(value);
  return address.href;
}
