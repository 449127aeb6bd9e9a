/** Completion of scenes from the schema: which table the cursor is in, which keys and values fit there. */

import { keysAt, valuesOf } from "./schema.js";

/** `[body.shape]` or `[[body]]` at the head of a line. */
const HEADER = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/;
/** `key =` with what is written of its value. */
const PAIR = /(?:^|[{,])\s*([\w.-]+)\s*=\s*("[^"]*"?|[\w.+-]*)$/;
/** A key that is being written. */
const KEY = /(?:^|[{,])\s*([\w.-]*)$/;

/** A text without comments and the insides of brackets that were closed again. */
function openPart(text) {
  const open = [];
  let quoted = false;
  let comment = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "\n") comment = quoted = false;
    else if (comment) continue;
    else if (letter === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (letter === "#") comment = true;
    else if ("{[".includes(letter)) open.push(at);
    else if ("}]".includes(letter)) open.pop();
  }
  return open;
}

/** Keys with simple values in a piece of a table: `law = "threshold"`. */
function pairs(text) {
  const found = new Map();
  for (const [, key, value] of text.matchAll(/(?:^|[{,\n])\s*([\w.-]+)\s*=\s*"([^"]*)"/g)) found.set(key, value);
  return found;
}

/**
 * Where the end of a text stands: path of tables, keys written in the innermost one, and the text since it
 * began.
 * @param {string} before the text up to the cursor
 * @param {string} after the rest, for keys that follow
 */
export function placeAt(before, after = "") {
  const lines = before.split("\n");
  let head = lines.length - 1;
  while (head >= 0 && !(HEADER.test(lines[head]) && head < lines.length - 1)) head -= 1;
  const path = head >= 0 ? HEADER.exec(lines[head])[1].split(".").map((key) => key.trim()) : [];
  const body = lines.slice(head + 1).join("\n");
  let start = 0;
  for (const at of openPart(body)) {
    const key = /([\w.-]+)\s*=\s*$/.exec(body.slice(start, at))?.[1];
    if (key) path.push(...key.split("."));
    start = at + 1;
  }
  const inner = body.slice(start);
  const rest = start > 0 ? after.split(/[}\n]/)[0] : after.split(/\n\s*\[/)[0];
  return { path, given: pairs(`${inner}${rest}`), line: inner.slice(inner.lastIndexOf("\n") + 1) };
}

/** The text of a unit in a description: "a number > 0 in kg". */
function unitOf(description) {
  return / in ([^\s,:;()]+)/.exec(description.split(": ").pop() ?? "")?.[1] ?? "";
}

function keyRow(key, schemas) {
  const { description = "", type, default: usual } = schemas[0];
  const table = type === "object" || schemas[0].oneOf;
  const values = valuesOf(schemas);
  const start = table ? " = { " : ` = ${values.length === 1 ? values[0].value : ""}`;
  const detail = [unitOf(description), usual === undefined ? "" : `usually ${JSON.stringify(usual)}`].filter(Boolean);
  return { label: key, apply: `${key}${start}`, type: table ? "class" : "property", detail: detail.join(", "), info: description };
}

/**
 * A source of completions for CodeMirror.
 * @param {object} schema of scenes
 */
export function completion(schema) {
  return (context) => {
    const text = context.state.doc.toString();
    const before = text.slice(0, context.pos);
    const header = /^\s*(\[\[?)\s*([\w.]*)$/.exec(before.slice(before.lastIndexOf("\n") + 1));
    if (header) return headers(schema, header, context.pos);
    const { path, given, line } = placeAt(before, text.slice(context.pos));
    const pair = PAIR.exec(line);
    if (pair) return values(schema, path, given, pair, context.pos);
    const key = KEY.exec(line);
    if (!key || (key[1] === "" && !context.explicit)) return null;
    const rows = [...keysAt(schema, path, given)].map(([name, schemas]) => keyRow(name, schemas));
    return { from: context.pos - key[1].length, options: rows, validFor: /^[\w-]*$/ };
  };
}

/** Sections after `[` or `[[`. */
function headers(schema, [, brackets, word], pos) {
  const rows = Object.entries(schema.properties).filter(([, { type }]) => (type === "array") === (brackets === "[["));
  const close = brackets === "[[" ? "]]" : "]";
  const options = rows
    .filter(([, { type, oneOf }]) => type === "array" || type === "object" || oneOf)
    .map(([name, { description = "" }]) => ({ label: name, apply: `${name}${close}\n`, type: "namespace", info: description }));
  return { from: pos - word.length, options, validFor: /^\w*$/ };
}

function values(schema, path, given, [, key, word], pos) {
  const names = key.split(".");
  const others = new Map([...given].filter(([name]) => name !== key));
  const schemas = keysAt(schema, [...path, ...names.slice(0, -1)], others).get(names.at(-1)) ?? [];
  const options = valuesOf(schemas).map(({ value, about }) => ({ label: value, type: "enum", info: about || undefined }));
  if (options.length === 0) return null;
  return { from: pos - word.length, options, validFor: /^"?[\w-]*"?$/ };
}
