/** Files for the user. */

import { element } from "./dom.js";

/** Saves a text or bytes under a name. */
export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = element("a", { href: address, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  // the browser reads the file after the click
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Copies a text; where the clipboard is closed to the page, the field it stands in is marked instead. */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
