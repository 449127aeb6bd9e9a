//! Contacts: a dot at each point of contact, N along its normal, and friction coloured by stick and
//! slip.

use super::Scenery;
use crate::camera::Projected;
use crate::canvas::{Canvas, CanvasPoint};
use crate::snapshot::Stance;
use crate::theme::Colour;
use stiction_core::math::{Vector, sqrt};
use stiction_core::state::memory::Contact;

/// Largest number of contacts drawn; of more, only every n-th is drawn, since further arrows would
/// only blacken the picture.
const MOST: usize = 600;

/// Opacity of hidden marks, out of 255.
const GHOST: u8 = 80;

/// A projected arrow or dot of a contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactMark {
    pub(super) depth: f64,
    tail: CanvasPoint,
    kind: MarkKind,
    colour: Colour,
}

#[derive(Debug, Clone, Copy)]
enum MarkKind {
    Arrow {
        tip: CanvasPoint,
        width: f64,
    },
    Dot {
        radius: f64,
        rim: Colour,
    },
    /// a cross, so that chatter is recognised without its colour
    Cross {
        radius: f64,
        rim: Colour,
    },
}

impl ContactMark {
    /// Draws the mark.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        match self.kind {
            MarkKind::Dot { radius, rim } => canvas.disc(self.tail, 1.3 * radius, rim, 255),
            MarkKind::Cross { radius, rim } => cross(canvas, self.tail, radius, 2.0, rim, 255),
            MarkKind::Arrow { .. } => {}
        }
        self.draw_plain(canvas, 255);
    }

    fn draw_plain(&self, canvas: &mut Canvas, alpha: u8) {
        match self.kind {
            MarkKind::Arrow { tip, width } => {
                flat_arrow(canvas, self.tail, tip, width, self.colour, alpha);
            }
            MarkKind::Dot { radius, .. } => canvas.disc(self.tail, radius, self.colour, alpha),
            MarkKind::Cross { radius, .. } => {
                cross(canvas, self.tail, radius, 1.0, self.colour, alpha);
            }
        }
    }
}

/// The marks of the contacts of the last commit, at their points of contact.
pub(super) fn marks(scenery: &Scenery) -> Vec<ContactMark> {
    let theme = scenery.look.theme;
    let contacts = &scenery.state.memory.contacts;
    let every = contacts.len().div_ceil(MOST).max(1);
    let per_newton = scenery.scales.arrow / scenery.scales.force;
    let (normal, friction) = (scenery.pixels(1.3), scenery.pixels(2.4));
    let mut marks = Vec::with_capacity(3 * contacts.len().min(MOST));
    for contact in contacts.iter().step_by(every) {
        let at = contact.point;
        if scenery.look.normals {
            let force = contact.normal * (contact.normal_force * per_newton);
            marks.extend(arrow(scenery, at, force, normal, theme.normal));
        }
        if scenery.look.friction {
            let stance = scenery.subject.snapshot.stance(contact);
            let colour = theme.friction(stance);
            marks.extend(arrow(scenery, at, contact.friction * per_newton, friction, colour));
            marks.extend(spot(scenery, at, stance));
        }
    }
    marks
}

/// The arrows of the drawn contacts, as seen.
pub(super) fn arrows(scenery: &Scenery) -> Vec<[Projected; 2]> {
    let per_newton = scenery.scales.arrow / scenery.scales.force;
    let contacts = &scenery.state.memory.contacts;
    let every = contacts.len().div_ceil(MOST).max(1);
    let mut arrows = Vec::new();
    for contact in contacts.iter().step_by(every) {
        let normal = (scenery.look.normals, contact.normal * contact.normal_force);
        for (shown, force) in [normal, (scenery.look.friction, contact.friction)] {
            let tip = contact.point + force * per_newton;
            arrows.extend(scenery.view.segment(contact.point, tip).filter(|_| shown));
        }
    }
    arrows
}

/// The forces of a contact whose arrows are drawn \[N\], with the tips of the arrows on the canvas.
pub(super) fn tips(scenery: &Scenery, contact: &Contact) -> Vec<(f64, CanvasPoint)> {
    let per_newton = scenery.scales.arrow / scenery.scales.force;
    let normal = (scenery.look.normals, contact.normal * contact.normal_force);
    let friction = (scenery.look.friction, contact.friction);
    let tip = |force: Vector| scenery.view.see(contact.point + force * per_newton);
    let shown =
        [normal, friction].into_iter().filter(|(shown, force)| *shown && force.norm() > 0.0);
    shown.filter_map(|(_, force)| tip(force).map(|seen| (force.norm(), seen.at))).collect()
}

/// The dot or cross at a contact.
fn spot(scenery: &Scenery, at: Vector, stance: Stance) -> Option<ContactMark> {
    let theme = scenery.look.theme;
    let seen = scenery.view.see(at)?;
    let size = 1.5 * scenery.dot * seen.scale;
    let radius = size.clamp(scenery.pixels(1.6), scenery.pixels(4.2));
    let rim = theme.card.0;
    let kind = match stance {
        Stance::Chatters => MarkKind::Cross { radius: 1.3 * radius, rim },
        _ => MarkKind::Dot { radius, rim },
    };
    let depth = seen.depth - 1e-3 * scenery.size;
    Some(ContactMark { depth, tail: seen.at, kind, colour: theme.friction(stance) })
}

/// A cross; `bold` widens it for an outline.
pub(super) fn cross(
    canvas: &mut Canvas,
    (x, y): CanvasPoint,
    radius: f64,
    bold: f64,
    colour: Colour,
    alpha: u8,
) {
    let width = 0.55 * radius * bold;
    let r = radius + 0.2 * radius * (bold - 1.0);
    canvas.line((x - r, y - r), (x + r, y + r), width, colour, alpha);
    canvas.line((x - r, y + r), (x + r, y - r), width, colour, alpha);
}

/// Draws the marks faintly, so that hidden ones can be recognised.
pub(super) fn draw_ghosts(canvas: &mut Canvas, marks: &[ContactMark]) {
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
) -> Option<ContactMark> {
    let [a, b] = scenery.view.segment(tail, tail + along)?;
    let (dx, dy, least) = (b.at.0 - a.at.0, b.at.1 - a.at.1, scenery.pixels(3.0));
    // left out: an arrow shorter than the width of its head, or one whose length is NaN
    let squared = dx * dx + dy * dy;
    if squared <= least * least || squared.is_nan() {
        return None;
    }
    let kind = MarkKind::Arrow { tip: b.at, width };
    Some(ContactMark { depth: 0.5 * (a.depth + b.depth), tail: a.at, kind, colour })
}

/// An arrow on the canvas: a shaft and a slim head; too short ones are not drawn.
pub(super) fn flat_arrow(
    canvas: &mut Canvas,
    tail: CanvasPoint,
    tip: CanvasPoint,
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
    // soft edges, invisible on faint arrows
    if alpha == 255 {
        canvas.line(tip, side(1.0), 1.0, colour, 127);
        canvas.line(tip, side(-1.0), 1.0, colour, 127);
    }
}
