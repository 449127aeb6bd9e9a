//! Puts all solids on the pile: colliders, surfaces of bodies, springs, particles, wires.

use super::contacts::ContactMark;
use super::pile::{Pile, PilePiece, Stroke};
use super::skin::Shell;
use super::{Scenery, brightness, is_flat};
use crate::camera::Projected;
use crate::canvas::{CanvasPoint, Rect};
use crate::theme::{lit, mix};
use stiction_core::contact::collider::{Bounds, Collider, ColliderForm, Pose};
use stiction_core::math::{PI, Vector, cos, larger, sin, smaller, sqrt, tangential};
use stiction_core::model::Model;

/// Drawn radius of a particle without a contact radius, in rest lengths of springs.
const DOT: f64 = 0.042;

/// Projected lengths of springs on a surface \[pixels of the design\]: below the first they are
/// left out, above the second drawn in full, between them faintly: dense springs would hide the
/// surface.
const FINEST: (f64, f64) = (4.0, 9.0);

/// Opacity of the near wall of a bowl, out of 255.
const GLASS: u8 = 60;

/// Largest number of lines on one triangle of a moving surface.
const MOST_STRIPES: f64 = 200.0;

/// Adds all solids and the marks of contacts. `front` is a buffer: per particle, whether it faces
/// the eye.
pub(super) fn heap(
    pile: &mut Pile,
    front: &mut Vec<bool>,
    clip: &Rect,
    scenery: &Scenery,
    marks: &[ContactMark],
) {
    pile.clear();
    colliders(pile, scenery);
    front.clear();
    front.resize(scenery.seen.len(), true);
    if scenery.look.surfaces {
        for shell in &scenery.skin.shells {
            if shell.closed {
                front[scenery.model.bodies[shell.body].particles.clone()].fill(false);
            }
            surface(pile, front, scenery, shell);
        }
    }
    if scenery.look.springs {
        springs(pile, front, clip, scenery);
    }
    if scenery.look.particles {
        particles(pile, front, scenery);
    }
    wires(pile, scenery);
    for collider in &scenery.model.surfaces.colliders {
        Bowl::of(scenery, collider).into_iter().for_each(|bowl| bowl.rim(pile, scenery));
    }
    for mark in marks {
        pile.add(mark.depth - 0.03 * scenery.size, PilePiece::Mark(*mark));
    }
}

fn mean_depth<const N: usize>(seen: &[Projected; N]) -> f64 {
    seen.iter().map(|s| s.depth).sum::<f64>() / N as f64
}

/// Surfaces of curved and boxed colliders, if their contact side is visible.
fn colliders(pile: &mut Pile, scenery: &Scenery) {
    let theme = scenery.look.theme;
    for (number, collider) in scenery.model.surfaces.colliders.iter().enumerate() {
        let outline = scenery.outline(number);
        if is_flat(&outline) {
            continue;
        }
        let pose = collider.motion.pose(scenery.state.time);
        let across = collider.motion.moving_across();
        let bowl = Bowl::of(scenery, collider);
        for triangle in outline {
            if let Some(bowl) = &bowl
                && !bowl.holds(&triangle, &pose)
            {
                continue;
            }
            let centre = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
            let normal = pose.direction_to_world(collider.shape.gap(centre).normal);
            let world = triangle.map(|p| pose.to_world(p));
            let faces = scenery.view.towards_eye(pose.to_world(centre)).dot(&normal) > 0.0;
            if !faces && bowl.is_none() {
                continue;
            }
            // the near wall of a bowl is glass
            let alpha = if faces { 255 } else { GLASS };
            let colour = lit(theme.collider, brightness(normal));
            for part in divide(world, 0.12 * scenery.size, &scenery.bounds) {
                let mut front = f64::INFINITY;
                for seen in scenery.view.triangle(part) {
                    let corners = seen.map(|s| s.at);
                    let piece = PilePiece::Triangle { corners, colour, alpha, soft: faces };
                    // bodies in contact are drawn over the surface
                    let depth = mean_depth(&seen) + 0.01 * scenery.size;
                    pile.add(depth, piece);
                    front = if depth < front { depth } else { front };
                }
                let lines = across.iter().flat_map(|across| stripes(part, &pose, *across, scenery));
                for line in lines {
                    let Some(seen) = scenery.view.segment(line[0], line[1]) else { continue };
                    let (ends, width) = (seen.map(|s| s.at), scenery.pixels(1.2));
                    let piece = PilePiece::Line { ends, width, colour: theme.outline, alpha: 170 };
                    // the stripe is over its own triangle, under everything nearer
                    pile.add(front - 1e-6 * scenery.size, piece);
                }
            }
        }
    }
}

/// The inside of a ball, drawn as a bowl: open above its middle and above the highest particle.
struct Bowl {
    middle: Vector,
    up: Vector,
    radius: f64,
    /// height of the rim above the middle \[m\]
    rim: f64,
}

impl Bowl {
    fn of(scenery: &Scenery, collider: &Collider) -> Option<Bowl> {
        let ColliderForm::Sphere(ball) = collider.shape.form() else { return None };
        if !ball.inside {
            return None;
        }
        let middle = collider.motion.pose(scenery.state.time).to_world(ball.center);
        let up = (-scenery.model.gravity).try_normalize(0.0).unwrap_or(Vector::z());
        let height = |p: &Vector| (p - middle).dot(&up);
        let inside = |height: &f64| *height < ball.radius;
        let heights = scenery.state.positions.iter().map(height).filter(inside);
        let highest = heights.fold(0.0, larger);
        let rim = if highest > 0.0 {
            smaller(highest + 0.1 * ball.radius, 0.95 * ball.radius)
        } else {
            0.0
        };
        Some(Bowl { middle, up, radius: ball.radius, rim })
    }

    /// Whether a triangle lies below the rim.
    fn holds(&self, triangle: &[Vector; 3], pose: &Pose) -> bool {
        let centre = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
        (pose.to_world(centre) - self.middle).dot(&self.up) <= self.rim
    }

    /// The line of the rim.
    fn rim(&self, pile: &mut Pile, scenery: &Scenery) {
        const SIDES: usize = 72;
        let lean = if self.up.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
        let a = tangential(lean, self.up).normalize();
        let b = self.up.cross(&a);
        let wide = sqrt(larger(self.radius * self.radius - self.rim * self.rim, 0.0));
        let at = |k: usize| {
            let angle = 2.0 * PI * k as f64 / SIDES as f64;
            self.middle + self.up * self.rim + (a * cos(angle) + b * sin(angle)) * wide
        };
        let (width, colour) = (scenery.pixels(1.6), scenery.look.theme.outline);
        for k in 0..SIDES {
            if let Some(seen) = scenery.view.segment(at(k), at(k + 1)) {
                let ends = seen.map(|s| s.at);
                pile.add(mean_depth(&seen), PilePiece::Line { ends, width, colour, alpha: 255 });
            }
        }
    }
}

/// Lines on a triangle of a moving surface, fixed to its material, one spacing of the grid apart.
fn stripes(part: [Vector; 3], pose: &Pose, across: Vector, scenery: &Scenery) -> Vec<[Vector; 2]> {
    let spacing = scenery.scales.grid;
    let places = part.map(|p| pose.to_material(p).dot(&across) / spacing);
    let [low, high] = [f64::min, f64::max].map(|pick| places.into_iter().reduce(pick));
    let (Some(low), Some(high)) = (low, high) else { return Vec::new() };
    let few = high - low < MOST_STRIPES && low.abs() < 1e15;
    if !few {
        return Vec::new();
    }
    let crossing = |number: f64| {
        let mut ends = [0, 1, 2].into_iter().filter_map(|k| {
            let (a, b) = (places[k] - number, places[(k + 1) % 3] - number);
            let share = a / (a - b);
            ((a < 0.0) != (b < 0.0)).then(|| part[k] + (part[(k + 1) % 3] - part[k]) * share)
        });
        Some([ends.next()?, ends.next()?])
    };
    (low.ceil() as i64..=high.floor() as i64).filter_map(|k| crossing(k as f64)).collect()
}

/// Cuts a triangle into at most 1024 parts, until no edge is longer than `limit` or than the part's
/// distance from the particles, whichever is greater. Then sorting by depth works: anything farther
/// from a triangle than its longest edge is entirely in front of it or entirely behind it.
fn divide(triangle: [Vector; 3], limit: f64, particles: &Bounds) -> Vec<[Vector; 3]> {
    let (mut done, mut parts) = (Vec::new(), vec![triangle]);
    for _ in 0..5 {
        let (coarse, fine): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| {
            let [a, b, c] = part;
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            longest > limit && limit > 0.0 && longest > away(part, particles)
        });
        done.extend(fine);
        let halves = |[a, b, c]: [Vector; 3]| {
            let (p, q, r) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
            [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
        };
        parts = coarse.into_iter().flat_map(halves).collect();
    }
    done.extend(parts);
    done
}

/// Distance between a box and the box around a triangle \[m\].
fn away([a, b, c]: &[Vector; 3], around: &Bounds) -> f64 {
    let (least, most) = (a.inf(b).inf(c), a.sup(b).sup(c));
    (least - around.max).sup(&(around.min - most)).sup(&Vector::zeros()).norm()
}

/// Twice the area of a triangle on the canvas, positive if its corners run anticlockwise as seen.
pub(super) fn turn([a, b, c]: [CanvasPoint; 3]) -> f64 {
    (b.1 - a.1) * (c.0 - a.0) - (b.0 - a.0) * (c.1 - a.1)
}

/// The surface of a body, flat-shaded. A closed one hides its far side, an open one has two sides
/// and is slightly translucent.
fn surface(pile: &mut Pile, front: &mut [bool], scenery: &Scenery, shell: &Shell) {
    let theme = scenery.look.theme;
    let positions = &scenery.state.positions;
    // soft edges if there are few triangles and no springs over them
    let soft = scenery.skin.triangles.len() < 3000 && !scenery.look.springs;
    let alpha = if shell.closed { 255 } else { 236 };
    for &triangle in &scenery.skin.triangles[shell.triangles.clone()] {
        let seen = triangle.map(|p| scenery.seen[p as usize]);
        let whole = seen.iter().all(|s| s.depth.is_finite());
        if shell.closed && whole && turn(seen.map(|s| s.at)) <= 0.0 {
            continue;
        }
        let world = triangle.map(|p| positions[p as usize]);
        let normal = (world[1] - world[0]).cross(&(world[2] - world[0]));
        let size = normal.norm();
        let normal = if size > 0.0 { normal / size } else { Vector::z() };
        let centre = (world[0] + world[1] + world[2]) / 3.0;
        let faces = normal.dot(&scenery.view.towards_eye(centre)) >= 0.0;
        let plain = match &scenery.heat {
            Some(heat) => heat.triangle(triangle, theme),
            None => theme.body(shell.body),
        };
        let colour = lit(plain, brightness(if faces { normal } else { -normal }));
        triangle.iter().for_each(|p| front[*p as usize] = true);
        let mut add = |seen: [Projected; 3]| {
            let corners = seen.map(|s| s.at);
            pile.add(mean_depth(&seen), PilePiece::Triangle { corners, colour, alpha, soft });
        };
        if whole {
            add(seen);
        } else {
            scenery.view.triangle(world).into_iter().for_each(add);
        }
    }
}

/// Springs, coloured by strain; grey and faint over a map.
fn springs(pile: &mut Pile, front: &[bool], clip: &Rect, scenery: &Scenery) {
    let theme = scenery.look.theme;
    let Scenery { state, skin, look, .. } = *scenery;
    let springs = skin.springs(scenery.model, look.surfaces);
    let (thin, thick) = (scenery.pixels(0.55), scenery.pixels(2.2));
    let (least, fading) = (scenery.pixels(FINEST.0), 1.0 / scenery.pixels(FINEST.1 - FINEST.0));
    let (over_heat, full) = (scenery.heat.is_some(), scenery.scales.strain);
    let sight = scenery.sight();
    let stroke = |k: usize| {
        let spring = &springs[k];
        if spring.both(front) != [true, true] {
            return None;
        }
        let seen = sight.both(spring.ends)?;
        let length = seen[0].scale * spring.rest_length;
        let on_surface = look.surfaces && skin.covers(spring.ends);
        let shown = if on_surface { ((length - least) * fading).min(1.0) } else { 1.0 };
        if shown <= 0.05 || shown.is_nan() {
            return None;
        }
        let width = (0.034 * length).clamp(thin, thick);
        let (colour, alpha) = if over_heat {
            (theme.relaxed, 90.0)
        } else {
            let share = spring.strain(&state.positions) / full;
            (theme.strain(share), 120.0 + 115.0 * share.abs().min(1.0))
        };
        let alpha = (alpha * shown) as u8;
        // puts it in front of its adjacent triangles, whose mean depth may be smaller
        let depth = mean_depth(&seen) - 0.5 * spring.rest_length;
        Some((depth, Stroke { ends: spring.ends, width, colour, alpha }))
    };
    pile.add_strokes(springs.len(), clip, &sight, stroke);
}

/// Particles: balls of their contact radius, dots if it is zero.
fn particles(pile: &mut Pile, front: &[bool], scenery: &Scenery) {
    let theme = scenery.look.theme;
    let dot = scenery.dot;
    let in_front = dot / DOT;
    // without springs, particles are the only visible parts
    let least = if scenery.model.springs.is_empty() { 5.0 } else { 0.9 };
    let (least, most) = (scenery.pixels(least), scenery.pixels(5.0));
    for (b, body) in scenery.model.bodies.iter().enumerate() {
        let plain = theme.body(b);
        let inked = mix(plain, theme.ink, 0.45);
        for i in body.particles.clone() {
            let seen = scenery.seen[i];
            let hidden = scenery.look.surfaces && scenery.skin.hides(i);
            if hidden || !front[i] || !seen.depth.is_finite() {
                continue;
            }
            let radius = scenery.radius(i);
            let large = radius * seen.scale > scenery.pixels(3.0);
            let (depth, radius) = if large {
                (seen.depth, radius * seen.scale)
            } else {
                (seen.depth - in_front, (dot * seen.scale).clamp(least, most))
            };
            let colour = match &scenery.heat {
                Some(heat) => heat.particle(i, theme),
                None if large => plain,
                None => inked,
            };
            pile.add(depth, PilePiece::Ball { at: seen.at, radius, colour });
        }
    }
}

/// The curves to which particles are constrained.
fn wires(pile: &mut Pile, scenery: &Scenery) {
    let (width, colour) = (scenery.pixels(2.2), scenery.look.theme.outline);
    for [a, b] in &scenery.skin.wires {
        if let Some(seen) = scenery.view.segment(*a, *b) {
            let ends = seen.map(|s| s.at);
            pile.add(mean_depth(&seen), PilePiece::Line { ends, width, colour, alpha: 255 });
        }
    }
}

/// Drawn radius of a particle without a contact radius \[m\].
pub(super) fn dot_radius(model: &Model, size: f64) -> f64 {
    let springs = &model.springs;
    let count = springs.len().min(500);
    if count == 0 {
        return 0.02 * size;
    }
    let total: f64 = (0..count).map(|s| springs.get(s).rest_length).sum();
    DOT * total / count as f64
}
