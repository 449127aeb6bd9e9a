/** What to try with a scene: a sentence, and sliders that it has from the start. */

/** By name of the scene. */
const TRIES = new Map([
  ["push_a_box", "Press Push: the box tips over. Start again, move the height z below 600 mm, push: it slides."],
  ["stick_slip", "The hand pulls evenly and the block jumps: raise ε to 200 mm/s, and it follows the hand. Set ε back to 200 µm/s and start again: it jumps."],
  ["tilting_plane", "Lower the friction μ, and the box slides at a smaller angle."],
  ["tipping_box", "Start again, lower the friction μ to 0.3 before the push comes, and the box slides instead of tipping."],
  ["incline_creep", "Friction should hold this block, yet it drifts: make ε ten times smaller and watch the drift follow."],
  ["capstan", "Raise the friction μ of the rope, and the pin bears more."],
]);

const ANY = "Press Push, pull a body with the pointer, or change a value: the verdict says whether the run can be trusted.";

/** The sentence of a scene. @param {{name?: string}} scene */
export function sentence({ name }) {
  return TRIES.get(name) ?? ANY;
}

/**
 * Numbers of a scene that have sliders from the start, by name of the scene.
 * @type {Map<string, {path: string, letter: string, name: string}[]>}
 */
const SLIDERS = new Map([
  ["stick_slip", [
    { path: "body.block.springs.edge.stiffness", letter: "k", name: "stiffness of the spring" },
    { path: "pin.hand.motion.velocity.0", letter: "V", name: "speed of the hand" },
  ]],
]);

/** The numbers of a scene that have sliders from the start. @param {{name?: string}} scene */
export function slidersOf({ name }) {
  return SLIDERS.get(name) ?? [];
}
