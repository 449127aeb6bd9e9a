/**
 * Links that carry a whole session: `#` and base64url of deflate-raw of JSON.
 *
 * @typedef {object} Shared
 * @property {number} [format] of the link
 * @property {{name: string} | {text: string, name?: string}} scene
 * @property {string[][]} [panes] settings of each pane, as `--set` takes them
 * @property {string[] | null} [reference]
 * @property {string | null} [recording]
 * @property {boolean} [dark]
 */

/** Format of the links that are written; links without one are of the first. */
const FORMAT = 1;

/** Most bytes of a link's value; a link of a few letters could unpack to more than there is memory. */
const LARGEST = 8 << 20;

/** Settings of a pane, and letters of a name, at most. */
const [SETTINGS, LETTERS] = [100, 200];

/** All bytes of a stream. */
async function collect(stream, largest) {
  const [parts, reader] = [[], stream.getReader()];
  let count = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    count += read.value.length;
    if (count > largest) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function through(stream, bytes, largest = Infinity) {
  return collect(new Blob([bytes]).stream().pipeThrough(stream), largest);
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
  const bytes = new TextEncoder().encode(JSON.stringify({ format: FORMAT, ...value }));
  return encode(await through(new CompressionStream("deflate-raw"), bytes));
}

const isText = (value) => typeof value === "string";
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isName = (value) => isText(value) && value.length > 0 && value.length <= LETTERS;
const isSet = (value) => Array.isArray(value) && value.length <= SETTINGS && value.every(isText);
const isValue = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);

/** Conditions on the parts of a link to the laboratory; parts that are not there are not asked. */
const SESSION = {
  scene: (scene) => isRecord(scene) && (isName(scene.name) || (scene.name === undefined && isText(scene.text))) && (scene.text === undefined || isText(scene.text)),
  panes: (panes) => Array.isArray(panes) && panes.length > 0 && panes.length <= 4 && panes.every(isSet),
  reference: (reference) => reference === null || isSet(reference),
  recording: (recording) => recording === null || isText(recording),
  dark: (dark) => typeof dark === "boolean",
};

/** Conditions on the parts of a link to the pages of creep and step. */
const ASKED = {
  engine: isName,
  values: (values) => isRecord(values) && Object.keys(values).length <= SETTINGS && Object.values(values).every(isValue),
};

/** The value of a link whose parts fulfil their conditions, and which has the part that it must have. */
function checked(value, conditions, needed) {
  if (!isRecord(value)) throw new Error("this link cannot be opened: it holds nothing that this page writes");
  const { format = FORMAT, ...parts } = value;
  if (format !== FORMAT) throw new Error("this link cannot be opened: another version of the page wrote it");
  const wrong = Object.keys(parts).filter((key) => !Object.hasOwn(conditions, key) || !conditions[key](parts[key]));
  if (!Object.hasOwn(parts, needed)) wrong.push(needed);
  if (wrong.length === 0) return parts;
  const names = wrong.slice(0, 4).map((key) => `\`${key.slice(0, 20)}\``).join(", ");
  throw new Error(`this link cannot be opened: its ${names} is none that this page writes`);
}

/**
 * The value of a link, if it is a session.
 * @returns {Shared}
 * @throws {Error} it is something else
 */
export function session(value) {
  return checked(value, SESSION, "scene");
}

/**
 * The value of a link, if it names an engine and its values.
 * @returns {{engine: string, values?: object}}
 * @throws {Error} it is something else
 */
export function asked(value) {
  return checked(value, ASKED, "engine");
}

/**
 * The value of a link, `null` where it has none. `#scene=NAME` names a scene of the library.
 * @throws {Error} the link is damaged, or too large
 */
export async function unpack(hash) {
  const text = hash.replace(/^#/, "");
  if (text === "") return null;
  try {
    if (text.startsWith("scene=")) return { scene: { name: decodeURIComponent(text.slice(6)) } };
    const bytes = await through(new DecompressionStream("deflate-raw"), decode(text), LARGEST);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw new Error("this link cannot be opened: it holds more than a scene can have");
    throw new Error("this link is damaged: a part of it was lost on the way");
  }
}

/** The address of a page with a value in it. */
export async function link(page, value) {
  const address = new URL(page, location.href);
  address.hash = await pack(value);
  return address.href;
}
