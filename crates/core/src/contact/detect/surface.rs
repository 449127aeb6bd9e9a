//! Particles against surfaces.

use super::closest::{Feature, OnTriangle, on_triangle, unit};
use super::kinematics::SlipMap;
use super::{Detector, NEIGHBOURS, Proximity, TOUCHING};
use crate::math::{Vector, larger, sqrt};
use crate::state::memory::{ContactKey, ContactKind};

/// Distance from a particle's own surface, as a share of that from the particle, below which the surface
/// shields it: the surface rises by more than 60 degrees towards the other.
const SHIELDED: f64 = 0.5;

/// Least distance at which that is asked, as a share of an edge: above rounding.
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
        let signed = self.bodies[b as usize].closed && self.body_of[i as usize] != b;
        let (distance, normal) = self.side(p, triangle, &found, signed, x);
        let contact_distance = self.surface_contact(i, triangle, &found);
        if distance >= contact_distance + range {
            return None;
        }
        let [j, k, l] = self.triangles.corners[triangle as usize];
        let particles = [i, j, k, l];
        let weights = [1.0, -found.weights[0], -found.weights[1], -found.weights[2]];
        let [q, r, s] = self.triangles.places(triangle, x);
        let places = [p, q, r, s];
        Some(Proximity {
            key: ContactKey { kind: ContactKind::Surface, a: i, b },
            count: 4,
            particles,
            weights,
            distance,
            normal,
            contact_distance,
            slip: SlipMap::triangle(particles, weights, &places),
        })
    }

    /// Whether the surface of a contact's particle shields it from the other body: a point at the contact's
    /// distance against its normal is less than half as far from the triangles around the particle as from
    /// the particle. The edge of a box that slides over a face meets its vertices so.
    pub fn is_shielded(&self, near: &Proximity, x: &[Vector]) -> bool {
        if near.key.kind != ContactKind::Surface {
            return false;
        }
        let i = near.particles[0];
        let around = self.triangles.around(i);
        let Some(first) = around.first() else { return false };
        let [a, b, _] = self.triangles.places(*first, x);
        let reach = larger(near.distance.abs(), PROBE * (b - a).norm());
        let point = x[i as usize] - near.normal * reach;
        let shields = |t: &u32| {
            let nearest = on_triangle(point, self.triangles.places(*t, x));
            nearest.square < SHIELDED * SHIELDED * reach * reach
        };
        around.iter().any(shields)
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
            // the height above the plane has a direction even for a particle in it
            let height = (p - corners[0]).dot(&face);
            return if signed || height >= 0.0 { (height, face) } else { (-height, -face) };
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
