/** Builds the page: `npm run build` writes web/dist. The engine's scripts come from another program. */

import { build } from "esbuild";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "..", "dist");
const SCRIPTS = ["laboratory", "editor", "creep", "lessons"];
const PAGES = ["index.html", "creep.html", "step.html", "lessons.html", "icon.svg"];

/**
 * What a page may load: its own files, also from a folder, and the worker that it makes from one of them.
 * Nothing inline, nothing from elsewhere, no connections.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' file: 'wasm-unsafe-eval'",
  "worker-src blob:",
  "style-src 'self' file:",
  "img-src 'self' file: data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Sheets of the editor's styles are adopted by the document: the policy forbids style elements. */
const adoptedStyles = {
  name: "adopted styles",
  setup(building) {
    building.onLoad({ filter: /style-mod\/src\/style-mod\.js$/ }, async ({ path }) => {
      const [text, guard] = [await readFile(path, "utf8"), "!root.head && root.adoptedStyleSheets"];
      if (!text.includes(guard)) throw new Error(`${path} decides in another manner where its styles go`);
      return { contents: text.replace(guard, "root.adoptedStyleSheets"), loader: "js" };
    });
  },
};

/** Names of the packages that went into the scripts. */
function packages(metafile) {
  const found = Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(found.filter(Boolean))].sort();
}

/** Name, version and licence of a package, with the text of the licence. */
async function licence(name) {
  const folder = join(here, "..", "node_modules", name);
  const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? await readFile(join(folder, file), "utf8") : "";
  return `${about.name} ${about.version}, ${about.license}\n\n${text.trim()}\n`;
}

const options = {
  bundle: true,
  minify: true,
  metafile: true,
  legalComments: "none",
  outdir: dist,
  logLevel: "warning",
  loader: { ".toml": "text" },
  plugins: [adoptedStyles],
  target: ["chrome103", "firefox113", "safari16.4"],
};

await mkdir(dist, { recursive: true });
const scripts = await build({
  ...options,
  // modules do not load from a folder: each script is one function that is called at once
  format: "iife",
  charset: "utf8",
  entryPoints: SCRIPTS.map((name) => join(here, `${name}.js`)),
});
const styles = await build({ ...options, entryPoints: { page: join(here, "style", "page.css") } });
for (const page of PAGES) {
  if (!page.endsWith(".html")) await copyFile(join(here, page), join(dist, page));
  else await writeFile(join(dist, page), (await readFile(join(here, page), "utf8")).replace("POLICY", POLICY));
}
const texts = await Promise.all(packages({ inputs: { ...scripts.metafile.inputs, ...styles.metafile.inputs } }).map(licence));
await writeFile(join(dist, "licences.txt"), texts.join(`\n${"-".repeat(72)}\n\n`));
for (const [path, { bytes }] of Object.entries({ ...scripts.metafile.outputs, ...styles.metafile.outputs })) {
  console.log(`${String(Math.round(bytes / 1000)).padStart(6)} kB  ${path.split("/").pop()}`);
}
