//! The user's hand: the spring of its grip, the arrow of its push, and their forces in words; the
//! same for the scene's own pushes; and the ring around the chosen particle. Drawn over everything.

use super::Scenery;
use super::contacts::flat_arrow;
use crate::canvas::{Canvas, CanvasPoint, Rect};
use crate::pushes::{self, ActingPush, HOLD};
use crate::text::quantity;
use stiction_core::math::{Vector, larger, smaller, sqrt};
use stiction_core::state::memory::Grip;

/// Largest number of drawn pushes of a scene.
const PUSHES: usize = 12;

/// Least length of an arrow that would reach out of the picture, as a share of its own.
pub(super) const SHORTEST: f64 = 0.4;

/// Distance of an arrow from the edge of the picture \[pixels of the design\].
const RIM: f64 = 8.0;

/// Number of teeth of the spring.
const TEETH: usize = 7;

/// Draws the hand and the ring.
pub(super) fn draw(canvas: &mut Canvas, scenery: &Scenery) {
    ring(canvas, scenery);
    for place in places(scenery).iter().take(PUSHES) {
        draw_pushes(canvas, scenery, place);
    }
    if let Some(grip) = &scenery.state.memory.hand.grip {
        draw_grip(canvas, scenery, grip);
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

/// A grip on the canvas: the held particles, their target, and the force \[N\].
fn seen_grip(scenery: &Scenery, grip: &Grip) -> Option<([CanvasPoint; 2], f64)> {
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
    let ends = scenery.view.segment(held / count, drawn / count)?;
    Some((ends.map(|seen| seen.at), force.norm()))
}

fn draw_grip(canvas: &mut Canvas, scenery: &Scenery, grip: &Grip) {
    let Some(([from, to], _)) = seen_grip(scenery, grip) else { return };
    let theme = scenery.look.theme;
    let points = coil(from, to, scenery.pixels(5.5));
    for (width, colour) in [(scenery.pixels(5.0), theme.card.0), (scenery.pixels(2.4), theme.ink)] {
        points.windows(2).for_each(|pair| canvas.line(pair[0], pair[1], width, colour, 255));
        canvas.disc(from, 1.3 * width, colour, 255);
        canvas.ring(to, scenery.pixels(7.0), width, colour, 255);
    }
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

/// Tail and tip of an arrow, and whether it begins at what it pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Arrow {
    ends: [CanvasPoint; 2],
    begins: bool,
}

impl Arrow {
    /// An arrow that ends at a place, as much of it as lies within a rectangle; one of which too little
    /// does begins at the place instead.
    fn within(room: &Rect, [from, to]: [CanvasPoint; 2]) -> Arrow {
        let share = inside(room, to, from);
        let onward = (2.0 * to.0 - from.0, 2.0 * to.1 - from.1);
        let other = inside(room, to, onward);
        let at = |end: CanvasPoint, s: f64| (to.0 + s * (end.0 - to.0), to.1 + s * (end.1 - to.1));
        if share >= SHORTEST || share >= other {
            return Arrow { ends: [at(from, larger(share, SHORTEST)), to], begins: false };
        }
        Arrow { ends: [to, at(onward, larger(other, SHORTEST))], begins: true }
    }

    /// The end away from what it pushes, and the direction there.
    fn free_end(&self) -> (CanvasPoint, CanvasPoint) {
        let [from, to] = self.ends;
        let (end, held) = if self.begins { (to, from) } else { (from, to) };
        (end, (end.0 - held.0, end.1 - held.1))
    }
}

/// The share of the line from one point to another that lies within a rectangle that holds the first; 1
/// if it does not hold it.
pub(super) fn inside(room: &Rect, (x, y): CanvasPoint, end: CanvasPoint) -> f64 {
    let holds = |at: f64, low: i32, high: i32| f64::from(low) <= at && at <= f64::from(high);
    if !holds(x, room.x0, room.x1) || !holds(y, room.y0, room.y1) {
        return 1.0;
    }
    let along = |at: f64, end: f64, low: i32, high: i32| {
        let edge = f64::from(if end < at { low } else { high });
        if holds(end, low, high) { 1.0 } else { (edge - at) / (end - at) }
    };
    smaller(along(x, end.0, room.x0, room.x1), along(y, end.1, room.y0, room.y1))
}

/// The arrow of pushes on the same particles, which ends at their middle.
fn arrow_of(scenery: &Scenery, pushes: &[ActingPush]) -> Option<Arrow> {
    let positions = &scenery.state.positions;
    let known = || pushes[0].particles.iter().filter_map(|i| positions.get(*i));
    let middle = known().sum::<Vector>() / known().count() as f64;
    let force = pushes::sum(pushes);
    // in the scale of contact arrows, but neither too short nor out of the picture
    let share = (force.norm() / scenery.scales.force).clamp(0.8, 2.0);
    let along = force.try_normalize(0.0)?;
    let tail = middle - along * (share * scenery.scales.arrow);
    let ends = scenery.view.segment(tail, middle)?.map(|seen| seen.at);
    Some(Arrow::within(&room(scenery), ends))
}

/// The part of the picture in which arrows end.
pub(super) fn room(scenery: &Scenery) -> Rect {
    let rim = scenery.pixels(RIM) as i32;
    let Rect { x0, y0, x1, y1 } = scenery.focus;
    Rect { x0: x0 + rim, y0: y0 + rim, x1: x1 - rim, y1: y1 - rim }
}

fn draw_pushes(canvas: &mut Canvas, scenery: &Scenery, pushes: &[ActingPush]) {
    let Some(Arrow { ends: [from, to], .. }) = arrow_of(scenery, pushes) else { return };
    let theme = scenery.look.theme;
    let width = scenery.pixels(5.0);
    let along = |share: f64| (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
    canvas.line(from, along(0.7), width + scenery.pixels(2.5), theme.card.0, 255);
    flat_arrow(canvas, from, to, width, theme.ink, 255);
}

/// Arrows of pushes on the canvas.
pub(super) fn arrows(scenery: &Scenery) -> Vec<[CanvasPoint; 2]> {
    let places = places(scenery);
    let arrows = places.iter().take(PUSHES).filter_map(|place| arrow_of(scenery, place));
    arrows.map(|arrow| arrow.ends).collect()
}

/// Forces of pushes and of the grip in words, with their points and the directions from these.
pub(super) fn texts(scenery: &Scenery) -> Vec<(String, CanvasPoint, CanvasPoint)> {
    let mut texts = Vec::new();
    let places = places(scenery);
    let several = places.len() > 1;
    for place in places.iter().take(PUSHES) {
        if let Some(arrow) = arrow_of(scenery, place) {
            let (end, towards) = arrow.free_end();
            // of several arrows each has the name of its push
            let name = if several && place.len() == 1 { place[0].name.as_str() } else { "" };
            let text = format!("{name} {}", added(place)).trim_start().to_string();
            texts.push((text, end, towards));
        }
    }
    let grip = scenery.state.memory.hand.grip.as_ref();
    if let Some(([from, to], force)) = grip.and_then(|grip| seen_grip(scenery, grip)) {
        texts.push((quantity(force, "N"), to, (to.0 - from.0, to.1 - from.1)));
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_of_pushes_stay_in_the_picture() {
        let room = Rect { x0: 100, y0: 0, x1: 300, y1: 200 };
        let arrow = |from, to| Arrow::within(&room, [from, to]);
        // as it is, cut at the edge, and on the other side of what it pushes
        let ends = [(120.0, 50.0), (200.0, 50.0)];
        assert_eq!(arrow(ends[0], ends[1]), Arrow { ends, begins: false });
        let cut = arrow((50.0, 50.0), (200.0, 50.0));
        assert_eq!(cut, Arrow { ends: [(100.0, 50.0), (200.0, 50.0)], begins: false });
        let turned = arrow((50.0, 50.0), (110.0, 50.0));
        assert_eq!(turned, Arrow { ends: [(110.0, 50.0), (170.0, 50.0)], begins: true });
        assert_eq!(turned.free_end(), ((170.0, 50.0), (60.0, 0.0)));
        assert_eq!(arrow((200.0, 260.0), (200.0, 100.0)).ends[0], (200.0, 200.0));
        // what is outside itself is left as it is
        assert!(!arrow((20.0, 50.0), (50.0, 50.0)).begins);
    }
}
