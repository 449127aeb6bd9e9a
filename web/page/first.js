/** The scene of an address without one: it runs in real time on a slow laptop, and waits for a push. */

import text from "./first.toml";

export const FIRST = { scene: { text, name: "push_a_box" } };
