//! The reference as an outline: of a surface its rims, creases and silhouette, of other bodies
//! their springs or particles. Drawn over the run and translucent, so that it hides nothing.

use super::Scenery;
use super::skin::NONE;
use super::solids::turn;
use crate::camera::Projected;
use crate::canvas::Canvas;
use stiction_core::math::Vector;

/// Opacity of its lines, out of 255.
const ALPHA: u8 = 165;

/// Cosine of the angle between normals, 40°, above which two triangles form a crease.
const CREASE: f64 = 0.766;

/// Draws the reference, if there is one for these particles.
pub(super) fn draw(canvas: &mut Canvas, scenery: &Scenery) {
    let Some(positions) = scenery.ghost() else { return };
    let sketch = Sketch { positions, scenery };
    for edge in &scenery.skin.edges {
        if sketch.shows(edge.triangles) {
            sketch.line(canvas, edge.ends.map(|p| p as usize), 2.0);
        }
    }
    for spring in &scenery.skin.bare {
        sketch.line(canvas, spring.ends.map(|p| p as usize), 1.4);
    }
    for body in scenery.model.bodies.iter().filter(|b| b.triangles.is_empty()) {
        body.particles.clone().for_each(|i| sketch.particle(canvas, i));
    }
}

/// Drawing of the reference.
struct Sketch<'a> {
    positions: &'a [Vector],
    scenery: &'a Scenery<'a>,
}

impl Sketch<'_> {
    /// Whether an edge between two triangles is part of the outline.
    fn shows(&self, triangles: [u32; 2]) -> bool {
        let [a, b] = triangles;
        if b == NONE {
            return true;
        }
        let Some((first, second)) = self.side(a).zip(self.side(b)) else { return false };
        // triangles of an open surface may have either orientation
        let alike = first.0.dot(&second.0);
        alike < CREASE && alike > -CREASE || (first.1 > 0.0) != (second.1 > 0.0) && alike >= CREASE
    }

    /// The unit normal of a triangle, and a number whose sign tells which side is seen.
    fn side(&self, triangle: u32) -> Option<(Vector, f64)> {
        let corners = self.scenery.skin.triangles[triangle as usize];
        let [a, b, c] = corners.map(|p| self.positions[p as usize]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        let seen = [self.see(a)?, self.see(b)?, self.see(c)?];
        Some((normal, turn(seen.map(|s| s.at))))
    }

    fn see(&self, p: Vector) -> Option<Projected> {
        self.scenery.view.see(p).filter(|s| s.depth.is_finite())
    }

    fn line(&self, canvas: &mut Canvas, ends: [usize; 2], width: f64) {
        let [a, b] = ends.map(|p| self.positions[p]);
        if let Some([a, b]) = self.scenery.view.segment(a, b) {
            let colour = self.scenery.look.theme.ghost;
            canvas.line(a.at, b.at, self.scenery.pixels(width), colour, ALPHA);
        }
    }

    fn particle(&self, canvas: &mut Canvas, i: usize) {
        let Some(seen) = self.see(self.positions[i]) else { return };
        let radius = self.scenery.radius(i).max(self.scenery.dot) * seen.scale;
        let radius = radius.max(self.scenery.pixels(2.5));
        let (width, colour) = (self.scenery.pixels(1.6), self.scenery.look.theme.ghost);
        canvas.ring(seen.at, radius, width, colour, ALPHA);
    }
}
