//! Planes: a floor that fades into the distance, its grid with labels, and the shadow on it.

use super::shadow::Mask;
use super::solids::turn;
use super::{Scenery, is_flat, light};
use crate::camera::Projected;
use crate::canvas::{Canvas, CanvasPoint};
use stiction_core::contact::collider::{Bounds, Collider, Pose};
use stiction_core::math::{PI, Vector, cos, larger, sin, tangential};

/// A collider that is a plane, in the world at the present time.
struct Floor<'a> {
    collider: &'a Collider,
    pose: Pose,
    normal: Vector,
    /// projection of the middle of the bodies onto the plane \[m\]
    middle: Vector,
    /// directions of the grid lines
    along: [Vector; 2],
    /// radius of the drawn part \[m\]
    reach: f64,
}

/// Draws the planes seen from their upper side.
pub(super) fn draw(canvas: &mut Canvas, mask: &mut Mask, scenery: &Scenery) {
    let floors = floors(scenery);
    let main = main_floor(&floors, scenery);
    for (k, floor) in floors.iter().enumerate().filter(|(_, f)| f.faces_eye(scenery)) {
        let opacity = if Some(k) == main { 255.0 } else { 110.0 };
        floor.fill(canvas, scenery, opacity);
        floor.grid(canvas, scenery, opacity * 0.8);
    }
    if let Some(floor) = main.map(|k| &floors[k]).filter(|f| f.faces_eye(scenery)) {
        floor.shadow(canvas, mask, scenery);
    }
}

/// Coordinates of the grid lines of the floor, with their places on the canvas.
pub(super) fn numbers(scenery: &Scenery) -> Vec<(CanvasPoint, String)> {
    let floors = floors(scenery);
    let main = main_floor(&floors, scenery).map(|k| &floors[k]);
    main.filter(|floor| floor.faces_eye(scenery)).map_or(Vec::new(), |floor| floor.numbers(scenery))
}

/// Unit normal of the floor, and the point of it nearest to the middle of the bodies \[m\].
pub(super) fn main_plane(scenery: &Scenery) -> Option<(Vector, Vector)> {
    let floors = floors(scenery);
    main_floor(&floors, scenery).map(|k| (floors[k].normal, floors[k].middle))
}

/// Draws the grid of planes seen from their solid side.
pub(super) fn draw_from_below(canvas: &mut Canvas, scenery: &Scenery) {
    for floor in floors(scenery).iter().filter(|f| !f.faces_eye(scenery)) {
        floor.grid(canvas, scenery, 45.0);
    }
}

fn floors<'a>(scenery: &Scenery<'a>) -> Vec<Floor<'a>> {
    let Bounds { min, max } = scenery.bounds;
    let centre = (min + max) * 0.5;
    let mut floors = Vec::new();
    for (number, collider) in scenery.model.surfaces.colliders.iter().enumerate() {
        if !is_flat(&scenery.outline(number)) {
            continue;
        }
        let pose = collider.motion.pose(scenery.state.time);
        let gap = collider.shape.gap(pose.to_shape(centre));
        let normal = pose.direction_to_world(gap.normal);
        let rest = gap.normal;
        let lean = if rest.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
        let a = tangential(lean, rest).normalize();
        floors.push(Floor {
            collider,
            pose,
            normal,
            middle: centre - normal * gap.distance,
            along: [a, rest.cross(&a)].map(|d| pose.direction_to_world(d)),
            reach: 2.2 * scenery.size,
        });
    }
    floors
}

/// The plane that carries the bodies: its normal is the most opposed to gravity.
fn main_floor(floors: &[Floor], scenery: &Scenery) -> Option<usize> {
    let gravity = scenery.model.gravity;
    let down = if gravity.norm() > 0.0 { gravity } else { -Vector::z() };
    let support = |f: &Floor| -f.normal.dot(&down);
    (0..floors.len()).filter(|k| support(&floors[*k]) > 0.0).fold(None, |best: Option<usize>, k| {
        match best {
            Some(b) if support(&floors[b]) >= support(&floors[k]) => Some(b),
            _ => Some(k),
        }
    })
}

impl Floor<'_> {
    fn faces_eye(&self, scenery: &Scenery) -> bool {
        scenery.view.towards_eye(self.middle).dot(&self.normal) > 0.0
    }

    /// Fills the floor, fading out in rings.
    fn fill(&self, canvas: &mut Canvas, scenery: &Scenery, opacity: f64) {
        const SECTORS: usize = 44;
        const RINGS: usize = 18;
        let rays: Vec<Vector> = (0..SECTORS)
            .map(|sector| 2.0 * PI * sector as f64 / SECTORS as f64)
            .map(|angle| (self.along[0] * cos(angle) + self.along[1] * sin(angle)) * self.reach)
            .collect();
        let circle = |ring: usize| -> Vec<(Vector, Option<Projected>)> {
            let share = ring as f64 / RINGS as f64;
            let points = rays.iter().map(|ray| self.middle + ray * share);
            points.map(|p| (p, scenery.view.see(p))).collect()
        };
        let colour = scenery.look.theme.ground;
        let mut inner = circle(0);
        for ring in 0..RINGS {
            let alpha = (opacity * fade((ring as f64 + 0.5) / RINGS as f64)) as u8;
            let outer = circle(ring + 1);
            for sector in 0..SECTORS {
                let next = (sector + 1) % SECTORS;
                let [a, b, c, d] = [inner[sector], inner[next], outer[sector], outer[next]];
                for corners in [[a, c, d], [a, d, b]] {
                    if let [Some(p), Some(q), Some(r)] = corners.map(|c| c.1) {
                        canvas.triangle([p.at, q.at, r.at], colour, alpha);
                        continue;
                    }
                    for piece in scenery.view.triangle(corners.map(|c| c.0)) {
                        canvas.triangle(piece.map(|s| s.at), colour, alpha);
                    }
                }
            }
            inner = outer;
        }
    }

    /// Draws grid lines, fixed to the material, so that the motion of a belt is visible.
    fn grid(&self, canvas: &mut Canvas, scenery: &Scenery, opacity: f64) {
        const PIECES: usize = 16;
        let theme = scenery.look.theme;
        let spacing = scenery.scales.grid;
        let width = scenery.pixels(1.0);
        for (line, across) in [(0, 1), (1, 0)] {
            let (along, across) = (self.along[line], self.along[across]);
            for (offset, number) in self.lines(across, spacing) {
                let half = (self.reach * self.reach - offset * offset).max(0.0);
                let half = stiction_core::math::sqrt(half);
                let strong = number % 5 == 0;
                let at = |k: usize| {
                    let share = 2.0 * k as f64 / PIECES as f64 - 1.0;
                    self.middle + across * offset + along * (half * share)
                };
                for k in 0..PIECES {
                    let (a, b) = (at(k), at(k + 1));
                    let away = ((a + b) * 0.5 - self.middle).norm() / self.reach;
                    let alpha = opacity * fade(away) * if strong { 1.0 } else { 0.62 };
                    if alpha < 3.0 {
                        continue;
                    }
                    if let Some([a, b]) = scenery.view.segment(a, b) {
                        canvas.line(a.at, b.at, width, theme.grid, alpha as u8);
                    }
                }
            }
        }
    }

    /// Offsets from the middle \[m\] and indices of the lines crossed by `across`.
    fn lines(&self, across: Vector, spacing: f64) -> Vec<(f64, i64)> {
        // line 0 passes through the origin of the material, so that lines move with it
        let material = self.pose.to_material(self.middle);
        let rest = self.pose.direction_to_shape(across);
        let here = material.dot(&rest);
        let count = (self.reach / spacing).min(200.0) as i64;
        let first = (here / spacing).floor();
        if !first.is_finite() || first.abs() > 1e15 {
            return Vec::new();
        }
        (-count..=count)
            .map(|k| ((first + k as f64) * spacing - here, first as i64 + k))
            .filter(|(offset, _)| offset.abs() < self.reach)
            .collect()
    }

    /// Coordinates \[m\] of the grid lines in front of the bodies, zero first.
    fn numbers(&self, scenery: &Scenery) -> Vec<(CanvasPoint, String)> {
        let spacing = scenery.scales.grid;
        let [along, mut across] = self.along;
        if scenery.view.towards_eye(self.middle).dot(&across) < 0.0 {
            across = -across;
        }
        let half = (scenery.bounds.max - scenery.bounds.min) * 0.5;
        let front = half.component_mul(&across.abs()).sum() + 1.4 * spacing;
        let limit = half.component_mul(&along.abs()).sum() + 2.6 * spacing;
        let decimals = decimals(spacing);
        // if labels would overlap, only every second, fifth or tenth is written
        let gap = |every: i64| {
            let far = along * (spacing * every as f64);
            let ends = [
                self.middle + across * front - far * 0.5,
                self.middle + across * front + far * 0.5,
            ];
            let [Some(a), Some(b)] = ends.map(|p| scenery.view.see(p)) else { return 0.0 };
            larger((a.at.0 - b.at.0).abs(), 2.5 * (a.at.1 - b.at.1).abs())
        };
        let every = [1, 2, 5, 10].into_iter().find(|n| gap(*n) > scenery.pixels(44.0));
        let every = every.unwrap_or(20);
        let mut numbers = Vec::new();
        for (offset, number) in self.lines(along, spacing) {
            if offset.abs() > limit || number % every != 0 {
                continue;
            }
            let value = number as f64 * spacing;
            let Some(seen) = scenery.view.see(self.middle + along * offset + across * front) else {
                continue;
            };
            let sign = if number < 0 { "−" } else { "" };
            numbers.push((seen.at, format!("{sign}{:.decimals$}", value.abs())));
            if number == 0 {
                let last = numbers.len() - 1;
                numbers.swap(0, last);
            }
        }
        numbers
    }

    /// The soft shadow of bodies and colliders.
    fn shadow(&self, canvas: &mut Canvas, mask: &mut Mask, scenery: &Scenery) {
        let steep = light().dot(&self.normal);
        if steep < 0.2 {
            return;
        }
        let fall = |p: Vector| {
            let height = (p - self.middle).dot(&self.normal);
            let height = if height > 0.0 { height } else { 0.0 };
            p - light() * (height / steep)
        };
        mask.clear(canvas.clip(), (scenery.pixels(2.0) as i32).max(1));
        let positions = &scenery.state.positions;
        let skin = scenery.skin;
        for shell in &skin.shells {
            for triangle in &skin.triangles[shell.triangles.clone()] {
                let corners = triangle.map(|p| fall(positions[p as usize]));
                let [Some(a), Some(b), Some(c)] = corners.map(|p| scenery.view.see(p)) else {
                    scenery.view.triangle(corners).into_iter().for_each(|s| mask.triangle(s));
                    continue;
                };
                // for a closed surface the side towards the light gives the whole shadow
                if !shell.closed || turn([a.at, b.at, c.at]) > 0.0 {
                    mask.triangle([a, b, c]);
                }
            }
        }
        for spring in skin.bare.iter().take(6000) {
            let ends = spring.both(positions).map(fall);
            scenery.view.segment(ends[0], ends[1]).into_iter().for_each(|s| mask.segment(s));
        }
        for (number, collider) in scenery.model.surfaces.colliders.iter().enumerate() {
            let outline = scenery.outline(number);
            if std::ptr::eq(collider, self.collider) || is_flat(&outline) {
                continue;
            }
            let pose = collider.motion.pose(scenery.state.time);
            for triangle in outline {
                let corners = triangle.map(|p| fall(pose.to_world(p)));
                scenery.view.triangle(corners).into_iter().for_each(|s| mask.triangle(s));
            }
        }
        mask.draw(canvas, scenery.look.theme.shadow);
    }
}

/// Opacity, from 0 to 1, where the distance from the middle is `away` times the reach.
fn fade(away: f64) -> f64 {
    let left = (1.0 - away).clamp(0.0, 1.0);
    left * left * (3.0 - 2.0 * left)
}

/// Number of decimals for multiples of a round `spacing`.
fn decimals(spacing: f64) -> usize {
    let exponent = (stiction_core::math::log(spacing) / std::f64::consts::LN_10 + 1e-9).floor();
    (-exponent).clamp(0.0, 12.0) as usize
}
