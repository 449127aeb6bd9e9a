//! Particles against surfaces.

use super::closest::{Feature, OnTriangle, on_triangle, unit};
use super::kinematics::SlipMap;
use super::{Detector, NEIGHBOURS, Proximity, TOUCHING};
use crate::math::{Vector, larger, smaller, sqrt};
use crate::state::memory::{ContactKey, ContactKind};

/// Distance from a particle's own surface, as a share of that from the particle, below which the surface
/// shields it: the surface rises by more than 60 degrees towards the other.
const SHIELDED: f64 = 0.5;

/// The same from which on it faces the other: within 25 degrees.
const FACING: f64 = 0.9;

/// Share of a corner in the closest point below which this lies on the rim of the triangle: above rounding.
const ON_RIM: f64 = 1e-9;

/// Least distance of the point by which openness is asked, as a share of an edge: above rounding.
const PROBE: f64 = 1e-6;

impl Detector {
    /// Whether a particle and a triangle are candidates at all.
    pub(super) fn triangle_may_meet(&self, i: u32, triangle: u32) -> bool {
        let body = self.triangles.bodies[triangle as usize];
        let own = self.body_of[i as usize];
        if !self.may_meet(own, body) {
            return false;
        }
        if own != body {
            return true;
        }
        if self.triangles.corners[triangle as usize].contains(&i) {
            return false;
        }
        let corners = self.triangles.places(triangle, &self.reference);
        let found = on_triangle(self.reference[i as usize], corners);
        let contact = self.surface_contact(i, triangle, &found);
        sqrt(found.square) >= NEIGHBOURS * contact
    }

    /// Sum of the radii of a particle and of a surface at the closest point \[m\].
    fn surface_contact(&self, i: u32, triangle: u32, found: &OnTriangle) -> f64 {
        let mut sum = self.radius(i);
        for (corner, weight) in self.triangles.corners[triangle as usize].iter().zip(found.weights)
        {
            sum += weight * self.radius(*corner);
        }
        sum
    }

    /// Distance within which triangles of a body matter to a particle \[m\].
    pub(super) fn surface_range(&self, i: u32, body: u32, range: f64) -> f64 {
        let touch = self.radius(i) + self.bodies[body as usize].radius + range;
        let reach = self.bodies[body as usize].reach;
        if self.body_of[i as usize] != body && reach > touch { reach } else { touch }
    }

    /// Proximity of particle i and the closest of `triangles` (ascending) of body b.
    pub(super) fn near_surface(
        &self,
        i: u32,
        b: u32,
        triangles: impl Iterator<Item = u32>,
        x: &[Vector],
        range: f64,
    ) -> Option<Proximity> {
        let p = x[i as usize];
        let mut best = None;
        let mut least = f64::INFINITY;
        for triangle in triangles {
            let found = on_triangle(p, self.triangles.places(triangle, x));
            if found.square < least {
                least = found.square;
                best = Some((triangle, found));
            }
        }
        let (triangle, found) = best?;
        if sqrt(least) > self.surface_range(i, b, range) {
            return None;
        }
        let signed = self.is_signed(i, b);
        let (distance, normal) = self.side(p, triangle, &found, signed, x);
        let contact_distance = self.surface_contact(i, triangle, &found);
        if distance >= contact_distance + range {
            return None;
        }
        Some(self.proximity((i, triangle), &found, (distance, normal), x))
    }

    /// The proximity of a particle and a triangle, with their distance and normal.
    fn proximity(
        &self,
        (i, triangle): (u32, u32),
        found: &OnTriangle,
        (distance, normal): (f64, Vector),
        x: &[Vector],
    ) -> Proximity {
        let [j, k, l] = self.triangles.corners[triangle as usize];
        let particles = [i, j, k, l];
        let weights = [1.0, -found.weights[0], -found.weights[1], -found.weights[2]];
        let [q, r, s] = self.triangles.places(triangle, x);
        let b = self.triangles.bodies[triangle as usize];
        Proximity {
            key: ContactKey { kind: ContactKind::Surface, a: i, b },
            count: 4,
            particles,
            weights,
            distance,
            normal,
            contact_distance: self.surface_contact(i, triangle, found),
            slip: SlipMap::triangle(particles, weights, &[x[i as usize], q, r, s]),
        }
    }

    /// The contact of a particle by whose impulse its body is pushed: none where its own surface shields it from what
    /// it is near, and from every other face as near as that. On the rim of a face, at no distance from several faces,
    /// it meets the one that faces its own surface most: the nearest triangle, and a mean of normals, are chance there.
    /// Within a body nothing is shielded.
    pub fn facing(&self, near: &Proximity, x: &[Vector]) -> Option<Proximity> {
        if near.key.kind != ContactKind::Surface || near.key.b == self.body_of[near.key.a as usize]
        {
            return Some(*near);
        }
        let openness = |near: &Proximity| self.openness(near, x).unwrap_or(1.0);
        let (rim, own) = (TOUCHING * self.size_of(near.particles, x), openness(near));
        if own >= FACING || own >= SHIELDED && near.distance.abs() > rim {
            return Some(*near);
        }
        let mut best = (own >= SHIELDED).then_some((own, *near));
        let corners = near.particles[1..].iter().zip(&near.weights[1..]);
        let touched = corners.filter(|(_, weight)| -**weight > ON_RIM);
        for &triangle in touched.flat_map(|(corner, _)| self.triangles.around(*corner)) {
            for other in self.on_face(near.key.a, triangle, rim, x).into_iter().flatten() {
                let (open, tied) =
                    (openness(&other), other.distance.abs() <= near.distance.abs() + rim);
                if tied && open >= SHIELDED && best.is_none_or(|(most, _)| open > most) {
                    best = Some((open, other));
                }
            }
        }
        best.map(|(_, found)| found)
    }

    /// The particle above or below a triangle, along its normal; none beside it. In a surface without an inside it is
    /// on both sides.
    fn on_face(&self, i: u32, triangle: u32, rim: f64, x: &[Vector]) -> [Option<Proximity>; 2] {
        let (p, corners) = (x[i as usize], self.triangles.places(triangle, x));
        let Some(face) = unit(self.triangles.across(triangle, x)) else { return [None, None] };
        let found = on_triangle(p, corners);
        let signed = self.is_signed(i, self.triangles.bodies[triangle as usize]);
        let (height, normal) = above(p - corners[0], face, signed);
        let is_beside = (p - found.point - normal * height).norm() > rim;
        let is_in_it = !signed && height <= rim;
        let of = |height: f64, normal: Vector| {
            self.proximity((i, triangle), &found, (height, normal), x)
        };
        let on_one = (!is_beside).then(|| of(height, normal));
        [on_one, on_one.filter(|_| is_in_it).map(|_| of(-height, -normal))]
    }

    /// Whether the distance of a particle from the surface of a body has a sign.
    fn is_signed(&self, i: u32, b: u32) -> bool {
        self.bodies[b as usize].closed && self.body_of[i as usize] != b
    }

    /// Sum of two edges of the triangle of a contact \[m\].
    fn size_of(&self, [_, j, k, l]: [u32; 4], x: &[Vector]) -> f64 {
        let [j, k, l] = [j, k, l].map(|corner| x[corner as usize]);
        (k - j).norm() + (l - j).norm()
    }

    /// How open the surface of a contact's particle is towards the other body: the distance of its triangles from a
    /// point at the contact's distance against the normal, as a share of that distance; 1 at a tip, 0 where a
    /// triangle lies in between. `None` for a particle without triangles.
    fn openness(&self, near: &Proximity, x: &[Vector]) -> Option<f64> {
        let i = near.particles[0];
        let around = self.triangles.around(i);
        let [a, b, _] = self.triangles.places(*around.first()?, x);
        let reach = larger(near.distance.abs(), PROBE * (b - a).norm());
        let point = x[i as usize] - near.normal * reach;
        let squares =
            around.iter().map(|t| on_triangle(point, self.triangles.places(*t, x)).square);
        Some(sqrt(squares.fold(f64::INFINITY, smaller)) / reach)
    }

    /// Distance and unit normal: from the surface to the particle, or outward where signed.
    fn side(
        &self,
        p: Vector,
        triangle: u32,
        found: &OnTriangle,
        signed: bool,
        x: &[Vector],
    ) -> (f64, Vector) {
        let corners = self.triangles.places(triangle, x);
        let face = unit(self.triangles.across(triangle, x)).unwrap_or_else(Vector::z);
        if found.feature == Feature::Face {
            return above(p - corners[0], face, signed);
        }
        let (offset, distance) = (p - found.point, sqrt(found.square));
        let outward =
            if signed { self.triangles.pseudo_normal(triangle, found.feature, x) } else { face };
        let size = (corners[1] - corners[0]).norm() + (corners[2] - corners[0]).norm();
        if distance <= TOUCHING * size {
            (distance, unit(outward).unwrap_or(face))
        } else if signed && offset.dot(&outward) < 0.0 {
            (-distance, offset / -distance)
        } else {
            (distance, offset / distance)
        }
    }
}

/// Distance and unit normal of a point at an offset from a plane, which have a direction even in the plane.
fn above(offset: Vector, face: Vector, signed: bool) -> (f64, Vector) {
    let height = offset.dot(&face);
    if signed || height >= 0.0 { (height, face) } else { (-height, -face) }
}
