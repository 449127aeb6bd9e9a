//! Contacts: a dot where one is, N along its normal, and friction coloured by stick and slip.

use super::Scenery;
use crate::math::{Vector, sqrt};
use crate::view::canvas::{Canvas, Point};
use crate::view::theme::Colour;

/// More arrows than this only blacken the picture; then every n-th contact is drawn.
const MOST: usize = 1500;

/// Opacity of marks that are behind something.
const GHOST: u8 = 80;

/// An arrow or a dot of a contact, as seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) depth: f64,
    tail: Point,
    kind: Kind,
    colour: Colour,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Arrow { tip: Point, width: f64 },
    Dot { radius: f64, rim: Colour },
}

impl Mark {
    /// Draws it where it is seen.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        if let Kind::Dot { radius, rim } = self.kind {
            canvas.disc(self.tail, radius + 1.0, rim, 255);
        }
        self.draw_plain(canvas, 255);
    }

    fn draw_plain(&self, canvas: &mut Canvas, alpha: u8) {
        match self.kind {
            Kind::Arrow { tip, width } => {
                flat_arrow(canvas, self.tail, tip, width, self.colour, alpha);
            }
            Kind::Dot { radius, .. } => canvas.disc(self.tail, radius, self.colour, alpha),
        }
    }
}

/// The marks of the contacts of the last commit, at their points of contact.
pub(super) fn marks(scenery: &Scenery) -> Vec<Mark> {
    let theme = scenery.look.theme;
    let contacts = &scenery.state.memory.contacts;
    let every = contacts.len().div_ceil(MOST).max(1);
    let per_newton = scenery.scales.arrow / scenery.scales.force;
    let dot = 1.5 * super::solids::dot_radius(scenery);
    let mut marks = Vec::new();
    for contact in contacts.iter().step_by(every) {
        let at = contact.point;
        if scenery.look.normals {
            let force = contact.normal * (contact.normal_force * per_newton);
            marks.extend(arrow(scenery, at, force, 1.3, theme.normal));
        }
        if scenery.look.friction {
            let colour = theme.friction(scenery.subject.snapshot.stance(contact));
            marks.extend(arrow(scenery, at, contact.friction * per_newton, 2.4, colour));
            marks.extend(scenery.view.see(at).map(|seen| Mark {
                depth: seen.depth - 1e-3 * scenery.size,
                tail: seen.at,
                kind: Kind::Dot { radius: (dot * seen.scale).clamp(1.6, 4.2), rim: theme.card.0 },
                colour,
            }));
        }
    }
    marks
}

/// Draws the marks faintly, so that those behind something can be guessed.
pub(super) fn draw_ghosts(canvas: &mut Canvas, marks: &[Mark]) {
    for mark in marks {
        mark.draw_plain(canvas, GHOST);
    }
}

fn arrow(
    scenery: &Scenery,
    tail: Vector,
    along: Vector,
    width: f64,
    colour: Colour,
) -> Option<Mark> {
    let [a, b] = scenery.view.segment(tail, tail + along)?;
    let kind = Kind::Arrow { tip: b.at, width };
    Some(Mark { depth: 0.5 * (a.depth + b.depth), tail: a.at, kind, colour })
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
