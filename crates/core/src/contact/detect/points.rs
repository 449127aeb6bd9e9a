//! Loose particles against each other and against ropes.

use super::closest::{on_segment, unit};
use super::kinematics::{SlipMap, weighted};
use super::{Detector, NEIGHBOURS, Proximity, TOUCHING};
use crate::math::{Vector, sqrt};
use crate::state::memory::{ContactKey, ContactKind};

impl Detector {
    /// Whether two loose particles are candidates at all.
    pub(super) fn points_may_meet(&self, i: u32, j: u32) -> bool {
        let [a, b] = [i, j].map(|i| self.body_of[i as usize]);
        if !self.may_meet(a, b) || self.radius(i) + self.radius(j) <= 0.0 {
            return false;
        }
        // within a body, particles that overlap at t = 0 never touch
        let between = self.reference[i as usize] - self.reference[j as usize];
        a != b || between.norm() >= (1.0 - 1e-9) * (self.radius(i) + self.radius(j))
    }

    /// Proximity of the loose particles i < j. Two points define no rotation, so their friction
    /// conserves momentum but not angular momentum.
    pub(super) fn near_points(
        &self,
        i: u32,
        j: u32,
        x: &[Vector],
        range: f64,
    ) -> Option<Proximity> {
        let offset = x[i as usize] - x[j as usize];
        let square = offset.norm_squared();
        let contact_distance = self.radius(i) + self.radius(j);
        let limit = contact_distance + range;
        let near = square < limit * limit;
        if !near {
            return None;
        }
        let particles = [i, j, i, i];
        let weights = [1.0, -1.0, 0.0, 0.0];
        Some(Proximity {
            key: ContactKey { kind: ContactKind::Points, a: i, b: j },
            count: 2,
            particles,
            weights,
            distance: sqrt(square),
            // two particles at one point separate along x
            normal: unit(offset).unwrap_or_else(Vector::x),
            contact_distance,
            slip: SlipMap::points(particles, weights, offset),
        })
    }

    /// Whether a loose particle and a segment are candidates at all.
    pub(super) fn line_may_meet(&self, i: u32, segment: u32) -> bool {
        let edge = &self.edges[segment as usize];
        let own = self.body_of[i as usize];
        if own != edge.body {
            return self.between;
        }
        let contact_distance = self.radius(i) + self.edge_radius(edge);
        let apart = self.line_distance(i, segment, &self.reference);
        self.self_contact && apart >= NEIGHBOURS * contact_distance
    }

    /// Proximity of the loose particle i and the closest of `segments` (ascending) of body b.
    pub(super) fn near_line(
        &self,
        i: u32,
        b: u32,
        segments: impl Iterator<Item = u32>,
        x: &[Vector],
        range: f64,
    ) -> Option<Proximity> {
        let p = x[i as usize];
        let mut best = (f64::INFINITY, [i, i], 0.0);
        for segment in segments {
            let ends = self.edges[segment as usize].ends;
            let [start, end] = self.edges[segment as usize].places(x);
            let share = on_segment(p, start, end);
            let square = (p - start - (end - start) * share).norm_squared();
            if square < best.0 {
                best = (square, ends, share);
            }
        }
        let (square, [start, end], share) = best;
        let distance = sqrt(square);
        let contact_distance =
            self.radius(i) + self.radius(start) * (1.0 - share) + self.radius(end) * share;
        let near = distance < contact_distance + range && contact_distance > 0.0;
        if !near {
            return None;
        }
        let particles = [i, start, end, i];
        let weights = [1.0, share - 1.0, -share, 0.0];
        let places = particles.map(|k| x[k as usize]);
        let offset = weighted(&weights, &places);
        let along = places[2] - places[1];
        let normal = if distance > TOUCHING * along.norm() {
            unit(offset).unwrap_or_else(|| across_line(along))
        } else {
            across_line(along)
        };
        Some(Proximity {
            key: ContactKey { kind: ContactKind::Line, a: i, b },
            count: 3,
            particles,
            weights,
            distance,
            normal,
            contact_distance,
            slip: SlipMap::line(particles, weights, offset, [1, 2], &places),
        })
    }
}

/// Some unit vector perpendicular to `along`.
pub(super) fn across_line(along: Vector) -> Vector {
    unit(along.cross(&Vector::z()))
        .or_else(|| unit(along.cross(&Vector::x())))
        .unwrap_or_else(Vector::x)
}
