//! Marks of what holds and what moves: pins, and motions of colliders and of pins.

use super::contacts::flat_arrow;
use super::pile::{Pile, PilePiece};
use super::{Scenery, hand, is_flat};
use crate::canvas::{Canvas, CanvasPoint};
use stiction_core::math::{Vector, larger, sqrt};

/// Most marks of pins; of more, every n-th is drawn.
const PINS: usize = 48;

/// Length of the arrow of a motion \[pixels of the design\].
const ARROW: f64 = 44.0;

/// Most triangles of a collider that are searched for the place of its arrow.
const SEARCHED: usize = 4000;

/// A motion on the canvas.
pub(super) struct Moving {
    tail: CanvasPoint,
    tip: CanvasPoint,
    /// \[m/s\]
    pub(super) speed: f64,
}

/// A pinned particle on the canvas.
struct Pin {
    at: CanvasPoint,
    /// \[m\]
    depth: f64,
    /// whether some axes are free
    slides: bool,
}

/// Pins and motions of a picture.
pub(super) struct Marks {
    pins: Vec<Pin>,
    pub(super) motions: Vec<Moving>,
}

impl Marks {
    pub(super) fn of(scenery: &Scenery) -> Marks {
        let pinned = pinned(scenery);
        let every = pinned.len().div_ceil(PINS).max(1);
        let seen = |i: usize, slides: bool| {
            let seen = scenery.seen[i];
            seen.depth.is_finite().then_some(Pin { at: seen.at, depth: seen.depth, slides })
        };
        let mut motions: Vec<Moving> = (0..scenery.model.surfaces.colliders.len())
            .filter_map(|k| of_collider(scenery, k))
            .collect();
        motions.extend(of_pins(scenery, &pinned));
        Marks {
            pins: pinned
                .iter()
                .step_by(every)
                .filter_map(|(i, slides)| seen(*i, *slides))
                .collect(),
            motions,
        }
    }

    /// Adds the pins, each in front of its particle.
    pub(super) fn heap(&self, pile: &mut Pile, scenery: &Scenery) {
        let theme = scenery.look.theme;
        let px = |design: f64| scenery.pixels(design);
        for Pin { at: (x, y), depth, slides } in &self.pins {
            let foot = y + px(9.0);
            let corners = [(*x, *y), (x - px(5.5), foot), (x + px(5.5), foot)];
            let depth = depth - 0.03 * scenery.size;
            let colour = theme.card.0;
            pile.add(depth, PilePiece::Triangle { corners, colour, alpha: 255, soft: true });
            // a guided pin rolls on a rail
            let base = if *slides { foot + px(3.0) } else { foot };
            let rail = ([(x - px(7.5), base), (x + px(7.5), base)], 1.8);
            let sides = (0..3).map(|k| ([corners[k], corners[(k + 1) % 3]], 1.3));
            for (ends, width) in sides.chain([rail]) {
                let (width, colour) = (px(width), theme.ink);
                let piece = PilePiece::Line { ends, width, colour, alpha: 255 };
                pile.add(depth - 1e-6 * scenery.size, piece);
            }
        }
    }

    /// Draws the motions.
    pub(super) fn draw(&self, canvas: &mut Canvas, scenery: &Scenery) {
        let theme = scenery.look.theme;
        let px = |design: f64| scenery.pixels(design);
        for moving in &self.motions {
            canvas.line(moving.tail, moving.along(0.7), px(6.0), theme.card.0, 220);
            flat_arrow(canvas, moving.tail, moving.tip, px(3.4), theme.ghost, 255);
        }
    }
}

impl Moving {
    /// Along `velocity` from a point; `None` where it is at rest or points at the eye.
    fn at(scenery: &Scenery, point: Vector, velocity: Vector) -> Option<Moving> {
        let speed = velocity.norm();
        let direction = velocity.try_normalize(0.0)?;
        let tail = scenery.view.see(point)?;
        let length = scenery.pixels(ARROW);
        let ahead = scenery.view.see(point + direction * (length / tail.scale))?;
        let (dx, dy) = (ahead.at.0 - tail.at.0, ahead.at.1 - tail.at.1);
        let seen = sqrt(dx * dx + dy * dy);
        let inside = {
            let r = scenery.focus;
            let (x, y) = tail.at;
            f64::from(r.x0) < x && x < f64::from(r.x1) && f64::from(r.y0) < y && y < f64::from(r.y1)
        };
        let shown = inside && seen > 0.15 * length && seen < 1e4 && speed > 1e-9;
        // as much of it as lies in the picture
        let share = hand::inside(&hand::room(scenery), tail.at, ahead.at);
        let share = larger(share, hand::SHORTEST);
        let tip = (tail.at.0 + share * dx, tail.at.1 + share * dy);
        shown.then_some(Moving { tail: tail.at, tip, speed })
    }

    fn along(&self, share: f64) -> CanvasPoint {
        let at = |a: f64, b: f64| a + share * (b - a);
        (at(self.tail.0, self.tip.0), at(self.tail.1, self.tip.1))
    }

    /// Tail and tip.
    pub(super) fn ends(&self) -> [CanvasPoint; 2] {
        [self.tail, self.tip]
    }

    /// The point beside which its speed stands, and the direction of the motion.
    pub(super) fn beside(&self) -> (CanvasPoint, CanvasPoint) {
        (self.tip, (self.tip.0 - self.tail.0, self.tip.1 - self.tail.1))
    }
}

/// Particles with held axes, and whether other axes are free; the locked axis does not count.
fn pinned(scenery: &Scenery) -> Vec<(usize, bool)> {
    let locked = scenery.model.locked_axis;
    let axes = || (0..3).filter(|axis| Some(*axis) != locked);
    let held =
        |i: usize| axes().filter(|axis| scenery.model.inverse_masses[i][*axis] == 0.0).count();
    let all = axes().count();
    let of = |i: usize| Some((i, held(i) < all)).filter(|_| held(i) > 0);
    (0..scenery.model.inverse_masses.len().min(scenery.seen.len())).filter_map(of).collect()
}

/// The velocity of a collider at the place nearest to its middle that the eye sees and that moves.
fn of_collider(scenery: &Scenery, number: usize) -> Option<Moving> {
    let collider = &scenery.model.surfaces.colliders[number];
    if collider.motion.is_rest() {
        return None;
    }
    let pose = collider.motion.pose(scenery.state.time);
    let outline = scenery.outline(number);
    if is_flat(&outline) {
        let centre = (scenery.bounds.min + scenery.bounds.max) * 0.5;
        let gap = collider.shape.gap(pose.to_shape(centre));
        let normal = pose.direction_to_world(gap.normal);
        let eye = scenery.view.towards_eye(centre);
        let front = (eye - normal * eye.dot(&normal)).try_normalize(1e-3).unwrap_or_default();
        let half = (scenery.bounds.max - scenery.bounds.min) * 0.5;
        let out = half.component_mul(&front.abs()).sum() + 0.12 * scenery.size;
        let point = centre - normal * gap.distance + front * out;
        return Moving::at(scenery, point, pose.surface_velocity(point, normal));
    }
    let every = outline.len().div_ceil(SEARCHED).max(1);
    let seen: Vec<(Vector, Vector)> = outline
        .iter()
        .step_by(every)
        .filter_map(|triangle| {
            let centre = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
            let normal = pose.direction_to_world(collider.shape.gap(centre).normal);
            let point = pose.to_world(centre);
            let faces = scenery.view.towards_eye(point).dot(&normal) > 0.0;
            faces.then(|| (point, pose.surface_velocity(point, normal)))
        })
        .collect();
    let fastest = seen.iter().map(|(_, velocity)| velocity.norm()).fold(0.0, f64::max);
    let middle = seen.iter().map(|(point, _)| point).sum::<Vector>() / seen.len() as f64;
    let fast = seen.iter().filter(|(_, velocity)| velocity.norm() >= 0.9 * fastest);
    let away = |point: &Vector| (point - middle).norm();
    let (point, velocity) = fast.min_by(|a, b| away(&a.0).total_cmp(&away(&b.0)))?;
    Moving::at(scenery, *point, *velocity)
}

/// One arrow for the pins of each body that move.
fn of_pins(scenery: &Scenery, pinned: &[(usize, bool)]) -> Vec<Moving> {
    let Scenery { model, state, .. } = scenery;
    let held = |i: usize| {
        let axes = (0..3).filter(|axis| model.inverse_masses[i][*axis] == 0.0);
        axes.map(|axis| Vector::ith(axis, state.velocities[i][axis])).sum::<Vector>()
    };
    let mut motions = Vec::new();
    for body in &model.bodies {
        let own = pinned.iter().map(|(i, _)| *i).filter(|i| body.particles.contains(i));
        let found = own.map(|i| (i, held(i))).find(|(_, velocity)| velocity.norm() > 1e-9);
        motions.extend(found.and_then(|(i, v)| Moving::at(scenery, state.positions[i], v)));
    }
    motions
}
