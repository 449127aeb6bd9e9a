/** Colours of lines in figures, by their names in the style sheets. */

/** Lines of the only pane. */
export const LINES = ["--line-1", "--line-2", "--line-3", "--line-4", "--muted", "--ink"];

/** Panes side by side: their numbers and all their lines. */
export const PANES = ["--pane-1", "--pane-2", "--pane-3", "--pane-4"];
