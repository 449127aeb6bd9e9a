/** The editor of scenes: a script of its own, loaded when it is first needed. */

import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap, linter } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completion } from "./completion.js";

/** Time without typing before a text is checked [ms]. */
const PAUSE = 350;

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--code-number)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
]);

/** A complaint of the engine as a mark in the text; one without a place stands at the first letter. */
function mark({ severity, message, label, help, from, to }, length) {
  const start = Math.min(from?.offset ?? 0, length);
  const end = Math.min(Math.max(to?.offset ?? start, start), length);
  const text = [message, label, help && `help: ${help}`].filter(Boolean).join("\n");
  return { from: start, to: end, severity, message: text };
}

/**
 * @param {HTMLElement} parent
 * @param {object} given
 * @param {object} given.schema of scenes
 * @param {(text: string) => Promise<object[]>} given.check resolves to the complaints about a text
 * @param {(text: string) => void} given.run
 */
function createEditor(parent, { schema, check, run }) {
  const lint = async (view) => {
    const found = await check(view.state.doc.toString());
    return found.map((one) => mark(one, view.state.doc.length));
  };
  const runs = { key: "Mod-Enter", run: ({ state }) => (run(state.doc.toString()), true) };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        keymap.of([runs]), lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(),
        highlightActiveLine(), highlightSelectionMatches(),
        StreamLanguage.define(toml), syntaxHighlighting(COLOURS),
        linter(lint, { delay: PAUSE }),
        autocompletion({ override: [completion(schema)], icons: false }),
        // tab leaves the editor after escape, as in every text field
        keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "text of the scene, in TOML" }),
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } });
    },
    /** Puts the cursor at an offset, and shows it. */
    go(offset) {
      const anchor = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
  };
}

self.STICTION_EDITOR = { createEditor };
