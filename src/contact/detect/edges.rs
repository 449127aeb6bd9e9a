//! Rope segments and mesh edges against each other.

use super::closest::{of_segments, on_segment, unit};
use super::kinematics::{SlipMap, weighted};
use super::points::across_line;
use super::topology::{Edge, NONE, group, grouped};
use super::{Detector, Key, Kind, NEIGHBOURS, Proximity};
use crate::math::{Vector, sqrt};

impl Detector {
    /// Lists the rope segments that meet in each particle.
    pub(super) fn list_meeting_segments(&mut self, particles: usize) {
        let mut ends = Vec::new();
        let mut numbers = Vec::new();
        for (number, edge) in self.edges.iter().enumerate().filter(|(_, e)| e.rope) {
            ends.extend(edge.ends.map(|i| i as usize));
            numbers.push(number as u32);
        }
        let (starts, members) = grouped(particles, ends.into_iter(), 2);
        self.meeting = members.into_iter().map(|n| numbers[n as usize]).collect();
        self.meeting_starts = starts;
    }

    /// Whether two edges are looked at.
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

    /// Edges e < f. Mesh edges count only strictly between their ends, and those of closed
    /// surfaces only from outside; what is near an end of theirs is a particle near a surface. A
    /// vertex in which rope segments meet counts once, and only where no segment comes nearer.
    pub(super) fn near_edges(&self, e: u32, f: u32, x: &[Vector]) -> Option<Proximity> {
        let (a, b) = (&self.edges[e as usize], &self.edges[f as usize]);
        let (s, t, offset) = nearest(a, b, x);
        let within = |share: f64| share > 0.0 && share < 1.0;
        if !(a.rope && b.rope || within(s) && within(t)) {
            return None;
        }
        let contact_distance = self.radius_at(a, s) + self.radius_at(b, t);
        let square = offset.norm_squared();
        let limit = contact_distance + self.margin;
        if !(square < limit * limit) || contact_distance <= 0.0 {
            return None;
        }
        if !(self.counts(e, s, offset, x) && self.counts(f, t, -offset, x)) {
            return None;
        }
        if self.is_inside(a, -offset, x) || self.is_inside(b, offset, x) {
            return None;
        }
        let particles = [a.ends[0], a.ends[1], b.ends[0], b.ends[1]];
        let weights = [1.0 - s, s, t - 1.0, -t];
        let places = particles.map(|i| x[i as usize]);
        let normal = unit(offset).unwrap_or_else(|| {
            let along = places[1] - places[0];
            unit(along.cross(&(places[3] - places[2]))).unwrap_or_else(|| across_line(along))
        });
        Some(Proximity {
            key: Key { kind: Kind::Edges, a: e, b: f },
            count: 4,
            particles,
            weights,
            distance: sqrt(square),
            normal,
            contact_distance,
            slip: SlipMap::edges(particles, weights, offset, &places),
        })
    }

    /// Whether a rope segment owns its closest point: inside it does; at an end the first of
    /// the segments that meet there does, unless the rope comes nearer along another.
    /// `offset` leads from the other side's closest point to this one's.
    fn counts(&self, number: u32, share: f64, offset: Vector, x: &[Vector]) -> bool {
        let edge = &self.edges[number as usize];
        if !edge.rope || share > 0.0 && share < 1.0 {
            return true;
        }
        let end = edge.ends[usize::from(share >= 1.0)];
        let meeting = group(&self.meeting_starts, &self.meeting, end);
        meeting.first() == Some(&number)
            && meeting[1..].iter().all(|other| {
                let [i, j] = self.edges[*other as usize].ends;
                let far = if i == end { j } else { i };
                (x[far as usize] - x[end as usize]).dot(&offset) >= 0.0
            })
    }

    /// Whether the other side lies on the inner side of an edge of a closed surface; `away`
    /// leads from this edge to it.
    fn is_inside(&self, edge: &Edge, away: Vector, x: &[Vector]) -> bool {
        let mut outward = Vector::zeros();
        for side in edge.sides.into_iter().filter(|side| *side != NONE) {
            outward += unit(self.triangles.across(side, x)).unwrap_or_else(Vector::zeros);
        }
        outward.dot(&away) < 0.0
    }
}

/// Shares (s, t) of the closest points of two edges and the vector from the second to the first.
fn nearest(a: &Edge, b: &Edge, x: &[Vector]) -> (f64, f64, Vector) {
    let [from, to] = [a, b].map(|edge| edge.ends.map(|i| x[i as usize]));
    let (s, t) = of_segments(from, to);
    let places = [from[0], from[1], to[0], to[1]];
    (s, t, weighted(&[1.0 - s, s, t - 1.0, -t], &places))
}

impl Detector {
    /// Distance of a particle and a rope segment \[m\].
    pub(super) fn line_distance(&self, i: u32, segment: u32, x: &[Vector]) -> f64 {
        let [start, end] = self.edges[segment as usize].ends.map(|k| x[k as usize]);
        let p = x[i as usize];
        (p - start - (end - start) * on_segment(p, start, end)).norm()
    }
}
