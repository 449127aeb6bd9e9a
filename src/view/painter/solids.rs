//! Everything solid, drawn from back to front: colliders, surfaces of bodies, springs, particles.

use super::contacts::Mark;
use super::skin::Skin;
use super::{Scenery, brightness, is_flat};
use crate::math::Vector;
use crate::model::Model;
use crate::state::State;
use crate::view::camera::Seen;
use crate::view::canvas::{Canvas, Point};
use crate::view::theme::{Colour, lit, mix};

/// Radius of a particle without one, in rest lengths of springs.
const DOT: f64 = 0.042;

/// Something that can be drawn once it is its turn.
enum Piece {
    Triangle { corners: [Point; 3], colour: Colour, alpha: u8, soft: bool },
    Line { ends: [Point; 2], width: f64, colour: Colour, alpha: u8 },
    Ball { at: Point, radius: f64, colour: Colour },
    Mark(Mark),
}

/// Pieces with their depths.
struct Pile {
    pieces: Vec<Piece>,
    /// (depth, number)
    order: Vec<(f64, u32)>,
}

impl Pile {
    fn add(&mut self, depth: f64, piece: Piece) {
        if depth.is_finite() {
            self.order.push((depth, self.pieces.len() as u32));
            self.pieces.push(piece);
        }
    }

    fn draw(mut self, canvas: &mut Canvas) {
        self.order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, number) in self.order {
            match &self.pieces[number as usize] {
                Piece::Triangle { corners, colour, alpha, soft } => {
                    canvas.triangle(*corners, *colour, *alpha);
                    let sides = if *soft { 3 } else { 0 };
                    for k in 0..sides {
                        canvas.line(corners[k], corners[(k + 1) % 3], 1.0, *colour, *alpha);
                    }
                }
                Piece::Line { ends: [a, b], width, colour, alpha } => {
                    canvas.line(*a, *b, *width, *colour, *alpha);
                }
                Piece::Ball { at, radius, colour } => canvas.ball(*at, *radius, *colour, 255),
                Piece::Mark(mark) => mark.draw(canvas),
            }
        }
    }
}

/// Strain (l − l₀)/l₀ of spring number `s`; 0 where it is not defined.
pub(super) fn strain(model: &Model, state: &State, s: usize) -> f64 {
    let spring = model.springs.get(s);
    let length = (state.positions[spring.j] - state.positions[spring.i]).norm();
    let strain = length / spring.rest_length - 1.0;
    if strain.is_finite() { strain } else { 0.0 }
}

/// Draws all solids, and the marks where they are.
pub(super) fn draw(canvas: &mut Canvas, scenery: &Scenery, marks: &[Mark]) {
    let mut pile = Pile { pieces: Vec::new(), order: Vec::new() };
    colliders(&mut pile, scenery);
    if scenery.look.surfaces {
        surfaces(&mut pile, scenery);
    }
    let skin = if scenery.look.surfaces { Skin::of(scenery.model) } else { Skin::none() };
    if scenery.look.springs {
        springs(&mut pile, scenery, &skin);
    }
    if scenery.look.particles {
        particles(&mut pile, scenery, &skin);
    }
    for mark in marks {
        pile.add(mark.depth - 0.03 * scenery.size, Piece::Mark(*mark));
    }
    pile.draw(canvas);
}

fn mean_depth<const N: usize>(seen: &[Seen; N]) -> f64 {
    seen.iter().map(|s| s.depth).sum::<f64>() / N as f64
}

/// Surfaces of curved and boxed colliders, where their contact side shows.
fn colliders(pile: &mut Pile, scenery: &Scenery) {
    let theme = scenery.look.theme;
    for collider in &scenery.model.contact.colliders {
        let outline = collider.shape.outline(&scenery.bounds);
        if is_flat(&outline) {
            continue;
        }
        let pose = collider.motion.pose(scenery.state.time);
        for triangle in outline {
            let centre = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
            let normal = pose.direction_to_world(collider.shape.gap(centre).normal);
            let world = triangle.map(|p| pose.to_world(p));
            if scenery.view.towards_eye(pose.to_world(centre)).dot(&normal) <= 0.0 {
                continue;
            }
            let colour = lit(theme.collider, brightness(normal));
            for part in divide(world, 0.12 * scenery.size) {
                for seen in scenery.view.triangle(part) {
                    let corners = seen.map(|s| s.at);
                    let piece = Piece::Triangle { corners, colour, alpha: 255, soft: true };
                    // what touches the surface is drawn over it
                    pile.add(mean_depth(&seen) + 0.01 * scenery.size, piece);
                }
            }
        }
    }
}

/// Cuts a triangle until no edge is longer than `limit`, so that sorting by depth works; at most
/// into 1024 parts.
fn divide(triangle: [Vector; 3], limit: f64) -> Vec<[Vector; 3]> {
    let mut parts = vec![triangle];
    for _ in 0..5 {
        let longest = parts
            .iter()
            .flat_map(|[a, b, c]| [(b - a).norm(), (c - b).norm(), (a - c).norm()])
            .fold(0.0, f64::max);
        if longest <= limit || limit <= 0.0 {
            break;
        }
        parts = parts
            .iter()
            .flat_map(|&[a, b, c]| {
                let (p, q, r) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
                [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
            })
            .collect();
    }
    parts
}

/// Surfaces of bodies, flat-shaded, both sides.
fn surfaces(pile: &mut Pile, scenery: &Scenery) {
    let theme = scenery.look.theme;
    let positions = &scenery.state.positions;
    let count: usize = scenery.model.bodies.iter().map(|b| b.triangles.len()).sum();
    // soft edges where there is time for them, and no springs that hide them
    let soft = count < 3000 && !scenery.look.springs;
    for (b, body) in scenery.model.bodies.iter().enumerate() {
        for triangle in &body.triangles {
            let world = triangle.map(|p| positions[p as usize]);
            let normal = (world[1] - world[0]).cross(&(world[2] - world[0]));
            let size = normal.norm();
            let centre = (world[0] + world[1] + world[2]) / 3.0;
            let normal = if size > 0.0 { normal / size } else { Vector::z() };
            let faces = normal.dot(&scenery.view.towards_eye(centre)) >= 0.0;
            let colour = lit(theme.body(b), brightness(if faces { normal } else { -normal }));
            for seen in scenery.view.triangle(world) {
                let corners = seen.map(|s| s.at);
                let piece = Piece::Triangle { corners, colour, alpha: 236, soft };
                pile.add(mean_depth(&seen), piece);
            }
        }
    }
}

/// Springs, coloured by strain.
fn springs(pile: &mut Pile, scenery: &Scenery, skin: &Skin) {
    let theme = scenery.look.theme;
    let positions = &scenery.state.positions;
    for s in 0..scenery.model.springs.len() {
        let spring = scenery.model.springs.get(s);
        if skin.hides_spring(spring.i, spring.j) {
            continue;
        }
        let ends = scenery.view.segment(positions[spring.i], positions[spring.j]);
        let Some(seen) = ends else { continue };
        let share = strain(scenery.model, scenery.state, s) / scenery.scales.strain;
        let pixels = seen[0].scale * spring.rest_length;
        let width = (0.034 * pixels).clamp(0.55, 2.2);
        let alpha = 120.0 + 115.0 * share.abs().min(1.0);
        let piece = Piece::Line {
            ends: seen.map(|s| s.at),
            width,
            colour: theme.strain(share),
            alpha: alpha as u8,
        };
        // in front of the triangles that it borders, which may be nearer in the mean
        pile.add(mean_depth(&seen) - 0.5 * spring.rest_length, piece);
    }
}

/// Particles: balls of their contact radius, dots where that is zero.
fn particles(pile: &mut Pile, scenery: &Scenery, skin: &Skin) {
    let theme = scenery.look.theme;
    let dot = dot_radius(scenery);
    let in_front = dot / DOT;
    for (b, body) in scenery.model.bodies.iter().enumerate() {
        let colour = mix(theme.body(b), theme.ink, 0.45);
        for i in body.particles.clone().filter(|i| !skin.hides(*i)) {
            let Some(seen) = scenery.view.see(scenery.state.positions[i]) else { continue };
            let radius = scenery.model.contact.radii.get(i).copied().unwrap_or(0.0);
            let (depth, radius, colour) = if radius * seen.scale > 3.0 {
                (seen.depth, radius * seen.scale, theme.body(b))
            } else {
                (seen.depth - in_front, (dot * seen.scale).clamp(0.9, 5.0), colour)
            };
            pile.add(depth, Piece::Ball { at: seen.at, radius, colour });
        }
    }
}

/// Radius of a particle without one, for the eye \[m\].
pub(super) fn dot_radius(scenery: &Scenery) -> f64 {
    let springs = &scenery.model.springs;
    let count = springs.len().min(500);
    if count == 0 {
        return 0.02 * scenery.size;
    }
    let total: f64 = (0..count).map(|s| springs.get(s).rest_length).sum();
    DOT * total / count as f64
}
