//! Planes: a floor that fades into the distance, its grid with labels, and the shadow on it.

use super::{Scenery, is_flat, light};
use crate::contact::collider::{Bounds, Collider, Pose};
use crate::math::{PI, Vector, cos, sin, tangential};
use crate::view::canvas::{Canvas, Point, Rect, for_each_span};
use crate::view::text::{Ink, Typeface};

/// A collider that is a plane, in the world at the present time.
struct Floor<'a> {
    collider: &'a Collider,
    pose: Pose,
    normal: Vector,
    /// point of the plane under the middle of the bodies \[m\]
    middle: Vector,
    /// directions of the grid lines
    along: [Vector; 2],
    /// how far it is drawn \[m\]
    reach: f64,
}

/// Draws the planes that show their upper side.
pub(super) fn draw(canvas: &mut Canvas, typeface: &Typeface, scenery: &Scenery) {
    let floors = floors(scenery);
    let main = main_floor(&floors, scenery);
    for (k, floor) in floors.iter().enumerate().filter(|(_, f)| f.faces_eye(scenery)) {
        let opacity = if Some(k) == main { 255.0 } else { 110.0 };
        floor.fill(canvas, scenery, opacity);
        floor.grid(canvas, scenery, opacity * 0.8);
    }
    if let Some(floor) = main.map(|k| &floors[k]).filter(|f| f.faces_eye(scenery)) {
        floor.shadow(canvas, scenery);
        if scenery.look.labels {
            floor.labels(canvas, typeface, scenery);
        }
    }
}

/// Draws the grid of planes that one looks through from their solid side.
pub(super) fn draw_from_below(canvas: &mut Canvas, scenery: &Scenery) {
    for floor in floors(scenery).iter().filter(|f| !f.faces_eye(scenery)) {
        floor.grid(canvas, scenery, 45.0);
    }
}

fn floors<'a>(scenery: &Scenery<'a>) -> Vec<Floor<'a>> {
    let Bounds { min, max } = scenery.bounds;
    let centre = (min + max) * 0.5;
    let mut floors = Vec::new();
    for collider in &scenery.model.contact.colliders {
        if !is_flat(&collider.shape.outline(&scenery.bounds)) {
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

/// The plane that carries the bodies: the one most opposed to gravity.
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

    /// The floor fades out in rings.
    fn fill(&self, canvas: &mut Canvas, scenery: &Scenery, opacity: f64) {
        const SECTORS: usize = 56;
        const RINGS: usize = 22;
        let at = |ring: usize, sector: usize| {
            let angle = 2.0 * PI * (sector % SECTORS) as f64 / SECTORS as f64;
            let radius = self.reach * ring as f64 / RINGS as f64;
            self.middle + (self.along[0] * cos(angle) + self.along[1] * sin(angle)) * radius
        };
        let colour = scenery.look.theme.ground;
        for ring in 0..RINGS {
            let alpha = opacity * fade((ring as f64 + 0.5) / RINGS as f64);
            for sector in 0..SECTORS {
                let [a, b] = [at(ring, sector), at(ring, sector + 1)];
                let [c, d] = [at(ring + 1, sector), at(ring + 1, sector + 1)];
                for corners in [[a, c, d], [a, d, b]] {
                    for piece in scenery.view.triangle(corners) {
                        canvas.triangle(piece.map(|s| s.at), colour, alpha as u8);
                    }
                }
            }
        }
    }

    /// Grid lines, fixed to the material, so that a belt is seen to move.
    fn grid(&self, canvas: &mut Canvas, scenery: &Scenery, opacity: f64) {
        const PIECES: usize = 26;
        let theme = scenery.look.theme;
        let spacing = scenery.scales.grid;
        for (line, across) in [(0, 1), (1, 0)] {
            let (along, across) = (self.along[line], self.along[across]);
            for (offset, number) in self.lines(across, spacing) {
                let half = (self.reach * self.reach - offset * offset).max(0.0);
                let half = crate::math::sqrt(half);
                let strong = number % 5 == 0;
                let at = |k: usize| {
                    let share = 2.0 * k as f64 / PIECES as f64 - 1.0;
                    self.middle + across * offset + along * (half * share)
                };
                for k in 0..PIECES {
                    let (a, b) = (at(k), at(k + 1));
                    let away = ((a + b) * 0.5 - self.middle).norm() / self.reach;
                    let alpha = opacity * fade(away) * if strong { 1.0 } else { 0.62 };
                    if let Some([a, b]) = scenery.view.segment(a, b) {
                        canvas.line(a.at, b.at, 1.0, theme.grid, alpha as u8);
                    }
                }
            }
        }
    }

    /// Offsets from the middle \[m\] and numbers of the lines crossed by `across`.
    fn lines(&self, across: Vector, spacing: f64) -> Vec<(f64, i64)> {
        // the material point under the middle says where line 0 is
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

    /// Coordinates at the grid lines in front of the bodies.
    fn labels(&self, canvas: &mut Canvas, typeface: &Typeface, scenery: &Scenery) {
        let spacing = scenery.scales.grid;
        let [along, mut across] = self.along;
        if scenery.view.towards_eye(self.middle).dot(&across) < 0.0 {
            across = -across;
        }
        let half = (scenery.bounds.max - scenery.bounds.min) * 0.5;
        let front = half.component_mul(&across.abs()).sum() + 1.4 * spacing;
        let limit = half.component_mul(&along.abs()).sum() + 2.6 * spacing;
        let ink = Ink::regular(11.5, scenery.look.theme.faint);
        let decimals = decimals(spacing);
        for (offset, number) in self.lines(along, spacing) {
            if offset.abs() > limit {
                continue;
            }
            let value = number as f64 * spacing;
            let Some(seen) = scenery.view.see(self.middle + along * offset + across * front) else {
                continue;
            };
            if seen.scale * spacing < 24.0 && number % 5 != 0 {
                continue;
            }
            let sign = if number < 0 { "−" } else { "" };
            let unit = if number == 0 { " m" } else { "" };
            let text = format!("{sign}{:.decimals$}{unit}", value.abs());
            let width = typeface.width(ink, &text);
            typeface.draw(canvas, (seen.at.0 - 0.5 * width, seen.at.1 + 4.0), ink, &text);
        }
    }

    /// The soft shadow of bodies and colliders.
    fn shadow(&self, canvas: &mut Canvas, scenery: &Scenery) {
        let steep = light().dot(&self.normal);
        if steep < 0.2 {
            return;
        }
        let fall = |p: Vector| {
            let height = (p - self.middle).dot(&self.normal);
            let height = if height > 0.0 { height } else { 0.0 };
            p - light() * (height / steep)
        };
        let mut mask = Mask::new(canvas.clip());
        let positions = &scenery.state.positions;
        for body in &scenery.model.bodies {
            for triangle in &body.triangles {
                mask.triangle(scenery, triangle.map(|p| fall(positions[p as usize])));
            }
        }
        for s in 0..scenery.model.springs.len().min(6000) {
            let spring = scenery.model.springs.get(s);
            let ends = [fall(positions[spring.i]), fall(positions[spring.j])];
            mask.segment(scenery, ends);
        }
        for collider in &scenery.model.contact.colliders {
            let outline = collider.shape.outline(&scenery.bounds);
            if std::ptr::eq(collider, self.collider) || is_flat(&outline) {
                continue;
            }
            let pose = collider.motion.pose(scenery.state.time);
            for triangle in outline {
                mask.triangle(scenery, triangle.map(|p| fall(pose.to_world(p))));
            }
        }
        let (colour, strength) = scenery.look.theme.shadow;
        mask.blur(3);
        mask.blur(3);
        canvas.blend_mask(&mask.cover, &mask.area, colour, strength);
    }
}

/// Opacity at a share of the reach.
fn fade(away: f64) -> f64 {
    let left = (1.0 - away).clamp(0.0, 1.0);
    left * left * (3.0 - 2.0 * left)
}

/// Decimals with which multiples of a round `spacing` are written.
fn decimals(spacing: f64) -> usize {
    let exponent = (crate::math::log(spacing) / std::f64::consts::LN_10 + 1e-9).floor();
    (-exponent).clamp(0.0, 12.0) as usize
}

/// One byte per pixel: how much of it is covered.
struct Mask {
    area: Rect,
    cover: Vec<u8>,
    /// rows and columns that were touched
    touched: Rect,
}

impl Mask {
    fn new(area: Rect) -> Mask {
        let touched = Rect { x0: area.x1, y0: area.y1, x1: area.x0, y1: area.y0 };
        let size = area.width() as usize * area.height() as usize;
        Mask { area, cover: vec![0; size], touched }
    }

    fn triangle(&mut self, scenery: &Scenery, corners: [Vector; 3]) {
        for piece in scenery.view.triangle(corners) {
            self.fill(piece.map(|s| s.at));
        }
    }

    /// A thin quadrilateral, two pixels wide.
    fn segment(&mut self, scenery: &Scenery, [a, b]: [Vector; 2]) {
        let Some([a, b]) = scenery.view.segment(a, b).map(|ends| ends.map(|s| s.at)) else {
            return;
        };
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = crate::math::sqrt(dx * dx + dy * dy);
        if length > 0.0 {
            let side = |p: Point, s: f64| (p.0 - s * dy / length, p.1 + s * dx / length);
            self.fill([side(a, 1.0), side(b, 1.0), side(b, -1.0)]);
            self.fill([side(a, 1.0), side(b, -1.0), side(a, -1.0)]);
        }
    }

    fn fill(&mut self, corners: [Point; 3]) {
        let Mask { area, cover, touched } = self;
        let width = area.width() as usize;
        for_each_span(corners, area, |y, x0, x1| {
            let row = (y - area.y0) as usize * width;
            let (from, to) = ((x0 - area.x0) as usize, (x1 - area.x0) as usize);
            cover[row + from..row + to].fill(255);
            touched.x0 = touched.x0.min(x0);
            touched.x1 = touched.x1.max(x1);
            touched.y0 = touched.y0.min(y);
            touched.y1 = touched.y1.max(y + 1);
        });
    }

    /// A running mean over 2 `radius` + 1 pixels, along rows and then columns.
    fn blur(&mut self, radius: i32) {
        let grown = Rect {
            x0: self.touched.x0 - radius,
            y0: self.touched.y0 - radius,
            x1: self.touched.x1 + radius,
            y1: self.touched.y1 + radius,
        };
        let seen = grown.intersection(&self.area);
        if seen.is_empty() {
            return;
        }
        self.touched = seen;
        let width = self.area.width() as usize;
        let start =
            |x: i32, y: i32| (y - self.area.y0) as usize * width + (x - self.area.x0) as usize;
        for y in seen.y0..seen.y1 {
            running_mean(
                &mut self.cover,
                start(seen.x0, y),
                1,
                seen.width() as usize,
                radius as usize,
            );
        }
        for x in seen.x0..seen.x1 {
            running_mean(
                &mut self.cover,
                start(x, seen.y0),
                width,
                seen.height() as usize,
                radius as usize,
            );
        }
    }
}

fn running_mean(cover: &mut [u8], start: usize, stride: usize, count: usize, radius: usize) {
    let line: Vec<u32> = (0..count).map(|k| u32::from(cover[start + k * stride])).collect();
    let window = 2 * radius as u32 + 1;
    let mut sum: u32 = line.iter().take(radius).sum();
    for k in 0..count {
        sum += line.get(k + radius).copied().unwrap_or(0);
        cover[start + k * stride] = (sum / window) as u8;
        sum -= k.checked_sub(radius).map_or(0, |left| line[left]);
    }
}
