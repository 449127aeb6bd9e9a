//! The user's hand: the spring of its grip, the arrow of its push, and their forces in numbers; the
//! same for the scene's own pushes; and the ring around the chosen particle. Drawn over everything.

use super::Scenery;
use super::contacts::flat_arrow;
use crate::canvas::{Canvas, CanvasPoint, Rect};
use crate::pushes::{self, ActingPush, HOLD};
use crate::text::{Ink, Typeface, quantity};
use stiction_core::math::{Vector, sqrt};
use stiction_core::state::memory::Grip;

/// Largest number of drawn pushes of a scene.
const PUSHES: usize = 12;

/// Number of teeth of the spring.
const TEETH: usize = 7;

/// Draws the hand and the ring.
pub(super) fn draw(canvas: &mut Canvas, typeface: &Typeface, scenery: &Scenery) {
    ring(canvas, scenery);
    for place in places(scenery).iter().take(PUSHES) {
        draw_pushes(canvas, typeface, scenery, place);
    }
    if let Some(grip) = &scenery.state.memory.hand.grip {
        draw_grip(canvas, typeface, scenery, grip);
    }
}

/// The pushes that act, by their particles: those on the same particles are one arrow.
fn places(scenery: &Scenery) -> Vec<Vec<ActingPush>> {
    let mut places: Vec<Vec<ActingPush>> = Vec::new();
    let acts = |push: &ActingPush| push.name != HOLD && push.force != Vector::zeros();
    for push in pushes::acting(scenery.subject.snapshot).into_iter().filter(acts) {
        match places.iter_mut().find(|place| place[0].particles == push.particles) {
            Some(place) => place.push(push),
            None => places.push(vec![push]),
        }
    }
    places
}

/// "38.6 N", or "38.6 + 29.4 = 68.0 N" of several along one line.
fn added(pushes: &[ActingPush]) -> String {
    let total = quantity(pushes::sum(pushes).norm(), "N");
    let forces: Vec<Vector> = pushes.iter().map(|push| push.force).collect();
    let (Some(line), true) = (pushes::common_line(&forces), pushes.len() > 1) else { return total };
    let towards = if pushes::sum(pushes).dot(&line) < 0.0 { -1.0 } else { 1.0 };
    let mut text = String::new();
    for (k, force) in forces.iter().enumerate() {
        let along = towards * force.dot(&line);
        let sign = match (k, along < 0.0) {
            (0, true) => "−",
            (0, false) => "",
            (_, true) => " − ",
            (_, false) => " + ",
        };
        text += &format!("{sign}{}", quantity(along.abs(), "N"));
    }
    format!("{text} = {total}")
}

/// A ring around the chosen particle.
fn ring(canvas: &mut Canvas, scenery: &Scenery) {
    let Some(i) = scenery.subject.chosen.filter(|i| *i < scenery.seen.len()) else { return };
    let seen = scenery.seen[i];
    if !seen.depth.is_finite() {
        return;
    }
    let dot = (scenery.dot * seen.scale).min(scenery.pixels(5.0));
    let radius = (scenery.radius(i) * seen.scale).max(dot) + scenery.pixels(4.5);
    let theme = scenery.look.theme;
    canvas.ring(seen.at, radius, scenery.pixels(4.6), theme.card.0, 200);
    canvas.ring(seen.at, radius, scenery.pixels(2.2), theme.ink, 255);
}

fn draw_grip(canvas: &mut Canvas, typeface: &Typeface, scenery: &Scenery, grip: &Grip) {
    let (positions, velocities) = (&scenery.state.positions, &scenery.state.velocities);
    let (mut held, mut drawn, mut force) = (Vector::zeros(), Vector::zeros(), Vector::zeros());
    let mut count = 0.0;
    for (&i, offset) in grip.particles.iter().zip(&grip.offsets) {
        let (Some(at), Some(speed)) = (positions.get(i), velocities.get(i)) else { continue };
        let to = grip.target + offset;
        held += at;
        drawn += to;
        force += (to - at) * grip.stiffness - speed * grip.damping;
        count += 1.0;
    }
    let Some([from, to]) = scenery.view.segment(held / count, drawn / count) else { return };
    let theme = scenery.look.theme;
    let points = coil(from.at, to.at, scenery.pixels(5.5));
    for (width, colour) in [(scenery.pixels(5.0), theme.card.0), (scenery.pixels(2.4), theme.ink)] {
        points.windows(2).for_each(|pair| canvas.line(pair[0], pair[1], width, colour, 255));
        canvas.disc(from.at, 1.3 * width, colour, 255);
        canvas.ring(to.at, scenery.pixels(7.0), width, colour, 255);
    }
    label(canvas, typeface, scenery, to.at, &quantity(force.norm(), "N"));
}

/// A spring with teeth of height `amplitude`, straight at its ends.
fn coil(from: CanvasPoint, to: CanvasPoint, amplitude: f64) -> Vec<CanvasPoint> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = sqrt(dx * dx + dy * dy);
    // seen end on, the spring is too short for teeth
    if !(length > 2.0 * amplitude && length < 1e5) {
        return vec![from, to];
    }
    let side = (-dy / length * amplitude, dx / length * amplitude);
    let at =
        |share: f64, s: f64| (from.0 + dx * share + side.0 * s, from.1 + dy * share + side.1 * s);
    let mut points = vec![from, at(0.16, 0.0)];
    let count = 2 * TEETH;
    for k in 0..count {
        let share = 0.16 + 0.68 * (k as f64 + 0.5) / count as f64;
        points.push(at(share, if k % 2 == 0 { 1.0 } else { -1.0 }));
    }
    // the last segment ends at the ring
    let end = 1.0 - (1.27 * amplitude / length).min(0.15);
    points.extend([at(0.84, 0.0), at(end, 0.0)]);
    points
}

/// An arrow that ends at the middle of the particles, with the total force of pushes on them.
fn draw_pushes(canvas: &mut Canvas, typeface: &Typeface, scenery: &Scenery, pushes: &[ActingPush]) {
    let positions = &scenery.state.positions;
    let known = || pushes[0].particles.iter().filter_map(|i| positions.get(*i));
    let middle = known().sum::<Vector>() / known().count() as f64;
    let force = pushes::sum(pushes);
    let size = force.norm();
    // in the scale of contact arrows, but neither too short nor out of the picture
    let share = (size / scenery.scales.force).clamp(0.8, 2.0);
    let along = force.try_normalize(0.0).unwrap_or_default();
    let tail = middle - along * (share * scenery.scales.arrow);
    let Some([from, to]) = scenery.view.segment(tail, middle) else { return };
    let theme = scenery.look.theme;
    let width = scenery.pixels(5.0);
    let along_it = |share: f64| {
        (from.at.0 + share * (to.at.0 - from.at.0), from.at.1 + share * (to.at.1 - from.at.1))
    };
    canvas.line(from.at, along_it(0.7), width + scenery.pixels(2.5), theme.card.0, 255);
    flat_arrow(canvas, from.at, to.at, width, theme.ink, 255);
    let text = added(pushes);
    // behind the tail
    let ink = Ink::bold(scenery.pixels(13.0), theme.ink);
    let back =
        if to.at.0 > from.at.0 { typeface.width(ink, &text) + scenery.pixels(36.0) } else { 0.0 };
    label(canvas, typeface, scenery, (from.at.0 - back, from.at.1), &text);
}

/// A text on a card beside a point, inside the canvas if possible.
fn label(canvas: &mut Canvas, typeface: &Typeface, scenery: &Scenery, at: CanvasPoint, text: &str) {
    let theme = scenery.look.theme;
    let ink = Ink::bold(scenery.pixels(13.0), theme.ink);
    let (width, height) = (typeface.width(ink, text) + scenery.pixels(14.0), scenery.pixels(22.0));
    let clip = canvas.clip();
    if !(at.0.is_finite() && at.1.is_finite()) || f64::from(clip.width()) < width {
        return;
    }
    let (low, high) = (f64::from(clip.x0), f64::from(clip.x1) - width);
    let x = (at.0 + scenery.pixels(13.0)).clamp(low, high);
    let bottom = (f64::from(clip.y1) - height).max(f64::from(clip.y0));
    let y = (at.1 - 0.5 * height).clamp(f64::from(clip.y0), bottom);
    let card = Rect { x0: x as i32, y0: y as i32, x1: (x + width) as i32, y1: (y + height) as i32 };
    canvas.card(card, scenery.pixels(6.0), theme.card, theme.border);
    let baseline = y + 0.5 * height + scenery.pixels(4.6);
    typeface.draw(canvas, (x + scenery.pixels(7.0), baseline), ink, text);
}
