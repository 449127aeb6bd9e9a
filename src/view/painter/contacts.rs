//! Contacts: a dot where one is, N along its normal, and friction coloured by stick and slip.

use super::Scenery;
use crate::math::{Vector, sqrt};
use crate::view::canvas::{Canvas, Point};
use crate::view::theme::Colour;

/// More arrows than this only blacken the picture; then every n-th contact is drawn.
const MOST: usize = 1500;

/// Draws the contacts of the last commit.
pub(super) fn draw(canvas: &mut Canvas, scenery: &Scenery) {
    let theme = scenery.look.theme;
    let contacts = &scenery.state.memory.contacts;
    let every = contacts.len().div_ceil(MOST).max(1);
    let per_newton = scenery.scales.arrow / scenery.scales.force;
    let shown = || contacts.iter().step_by(every);
    if scenery.look.normals {
        for contact in shown() {
            let tail = scenery.state.positions[contact.particle as usize];
            let head = tail + contact.normal * (contact.normal_force * per_newton);
            arrow(canvas, scenery, [tail, head], 1.3, theme.normal, 165);
        }
    }
    if !scenery.look.friction {
        return;
    }
    for contact in shown() {
        let tail = scenery.state.positions[contact.particle as usize];
        let head = tail + contact.friction * per_newton;
        arrow(canvas, scenery, [tail, head], 2.4, theme.friction(contact.sticking), 255);
    }
    for contact in shown() {
        let at = scenery.state.positions[contact.particle as usize];
        if let Some(seen) = scenery.view.see(at) {
            let radius = (1.5 * super::solids::dot_radius(scenery) * seen.scale).clamp(1.6, 4.2);
            canvas.disc(seen.at, radius + 1.0, theme.card.0, 200);
            canvas.disc(seen.at, radius, theme.friction(contact.sticking), 255);
        }
    }
}

fn arrow(
    canvas: &mut Canvas,
    scenery: &Scenery,
    [tail, head]: [Vector; 2],
    width: f64,
    colour: Colour,
    alpha: u8,
) {
    if let Some([a, b]) = scenery.view.segment(tail, head) {
        flat_arrow(canvas, a.at, b.at, width, colour, alpha);
    }
}

/// An arrow on the canvas: a shaft and a slim head; too short ones are left out.
pub(super) fn flat_arrow(
    canvas: &mut Canvas,
    tail: Point,
    tip: Point,
    width: f64,
    colour: Colour,
    alpha: u8,
) {
    let (dx, dy) = (tip.0 - tail.0, tip.1 - tail.1);
    let length = sqrt(dx * dx + dy * dy);
    if !(length > 1.5 && length < 1e5) {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let head = (4.4 * width).min(0.55 * length);
    let half = 0.36 * head;
    let neck = (tip.0 - ux * head, tip.1 - uy * head);
    canvas.line(tail, (neck.0 + ux, neck.1 + uy), width, colour, alpha);
    let side = |s: f64| (neck.0 - s * uy * half, neck.1 + s * ux * half);
    canvas.triangle([tip, side(1.0), side(-1.0)], colour, alpha);
    // soft edges
    canvas.line(tip, side(1.0), 1.0, colour, alpha / 2);
    canvas.line(tip, side(-1.0), 1.0, colour, alpha / 2);
}
