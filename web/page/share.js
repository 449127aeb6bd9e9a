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

/**
 * The value of a link, `null` where it has none. `#scene=NAME` names a scene of the library.
 * @throws {Error} the link is damaged
 */
export async function unpack(hash) {
  const text = hash.replace(/^#/, "");
  if (text === "") return null;
  if (text.startsWith("scene=")) return { scene: { name: decodeURIComponent(text.slice(6)) } };
  try {
    const bytes = await through(new DecompressionStream("deflate-raw"), decode(text));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error("this link is damaged: a part of it was lost on the way");
  }
}

/** The address of a page with a value in it. */
export async function link(page, value) {
  const address = new URL(page, location.href);
  address.hash = await pack(value);
  return address.href;
}
