//! Rope segments and mesh edges against each other.

use super::closest::{of_crossing_segments, of_segments, on_segment, unit};
use super::kinematics::{SlipMap, weighted};
use super::points::across_line;
use super::topology::{Edge, NONE};
use super::{Detector, NEIGHBOURS, Proximity, TOUCHING};
use crate::math::{Vector, sqrt};
use crate::state::memory::{ContactKey, ContactKind};

impl Detector {
    /// Whether two edges are candidates at all.
    pub(super) fn edges_may_meet(&self, e: u32, f: u32) -> bool {
        let (a, b) = (&self.edges[e as usize], &self.edges[f as usize]);
        if !self.may_meet(a.body, b.body) || self.edge_radius(a) + self.edge_radius(b) <= 0.0 {
            return false;
        }
        if a.body != b.body {
            return true;
        }
        if a.ends.iter().any(|i| b.ends.contains(i)) {
            return false;
        }
        let (s, t, between) = nearest(a, b, &self.reference);
        between.norm() >= NEIGHBOURS * (self.radius_at(a, s) + self.radius_at(b, t))
    }

    /// The larger radius of the two ends \[m\].
    pub(super) fn edge_radius(&self, edge: &Edge) -> f64 {
        let [r, s] = edge.ends.map(|i| self.radius(i));
        if r > s { r } else { s }
    }

    fn radius_at(&self, edge: &Edge, share: f64) -> f64 {
        let [r, s] = edge.ends.map(|i| self.radius(i));
        r * (1.0 - share) + s * share
    }

    /// Distance of two edges \[m\].
    pub(super) fn edge_distance(&self, e: u32, f: u32, x: &[Vector]) -> f64 {
        nearest(&self.edges[e as usize], &self.edges[f as usize], x).2.norm()
    }

    /// Proximity of the edges e < f. Two rope segments always count, so that the contact energy is
    /// a continuous function of positions; where ropes touch at a particle, each segment that ends
    /// there has a contact. Mesh edges count only strictly between their ends, and edges of closed
    /// surfaces only from outside; a contact near an end is one of a particle and a surface.
    pub(super) fn near_edges(&self, e: u32, f: u32, x: &[Vector], range: f64) -> Option<Proximity> {
        let (a, b) = (&self.edges[e as usize], &self.edges[f as usize]);
        let (from, to) = (a.places(x), b.places(x));
        let places = [from[0], from[1], to[0], to[1]];
        let (s, t) =
            if a.rope && b.rope { of_segments(from, to) } else { of_crossing_segments(from, to)? };
        let weights = shares_to_weights(s, t);
        let offset = weighted(&weights, &places);
        let contact_distance = self.radius_at(a, s) + self.radius_at(b, t);
        let square = offset.norm_squared();
        let limit = contact_distance + range;
        let near = square < limit * limit && contact_distance > 0.0;
        if !near || self.is_inside(a, -offset, x) || self.is_inside(b, offset, x) {
            return None;
        }
        let particles = [a.ends[0], a.ends[1], b.ends[0], b.ends[1]];
        Some(Proximity {
            key: ContactKey { kind: ContactKind::Edges, a: e, b: f },
            count: 4,
            particles,
            weights,
            distance: sqrt(square),
            normal: direction(offset, &places),
            contact_distance,
            slip: SlipMap::edges(particles, weights, offset, &places),
        })
    }

    /// Whether another edge lies on the inner side of `edge`, one of a closed surface; `away`
    /// points from `edge` to the other.
    fn is_inside(&self, edge: &Edge, away: Vector, x: &[Vector]) -> bool {
        let mut outward = Vector::zeros();
        for side in edge.sides.into_iter().filter(|side| *side != NONE) {
            outward += unit(self.triangles.across(side, x)).unwrap_or_else(Vector::zeros);
        }
        outward.dot(&away) < 0.0
    }
}

/// The weights c_k of the shares of two edges.
fn shares_to_weights(s: f64, t: f64) -> [f64; 4] {
    [1.0 - s, s, t - 1.0, -t]
}

/// Unit vector along the offset of two edges, or across both where they intersect.
fn direction(offset: Vector, places: &[Vector; 4]) -> Vector {
    let (a, b) = (places[1] - places[0], places[3] - places[2]);
    let distance = offset.norm();
    if distance > TOUCHING * (a.norm() + b.norm()) {
        return offset / distance;
    }
    unit(a.cross(&b)).unwrap_or_else(|| across_line(a))
}

/// Shares (s, t) of the closest points of two edges and the vector from the second to the first.
fn nearest(a: &Edge, b: &Edge, x: &[Vector]) -> (f64, f64, Vector) {
    let (from, to) = (a.places(x), b.places(x));
    let (s, t) = of_segments(from, to);
    let places = [from[0], from[1], to[0], to[1]];
    (s, t, weighted(&shares_to_weights(s, t), &places))
}

impl Detector {
    /// Distance of a particle and a rope segment \[m\].
    pub(super) fn line_distance(&self, i: u32, segment: u32, x: &[Vector]) -> f64 {
        let [start, end] = self.edges[segment as usize].places(x);
        let p = x[i as usize];
        (p - start - (end - start) * on_segment(p, start, end)).norm()
    }
}
