//! Motion of the touched material: a slip velocity of two to four particles that vanishes under rigid
//! motion of all of them, and the force that belongs to it.
//!
//! Every map here has the form v_rel = Σ_k (b_k v_k + a_k (m·v_k)) with Σ b = 0, Σ a = 0. A force F
//! on the first side then acts on particle k as f_k = b_k F + m (a_k·F), the transpose of the map,
//! so that Σ f·v = F·v_rel. Because v_rel vanishes for every rigid motion, Σ f = 0 and Σ x × f = 0:
//! momentum and angular momentum are conserved to rounding. In three cases the rotation of the
//! material is not fully known, and its unknown part is left out: two points; a point and a line
//! (no spin about the line); two nearly parallel lines (sine ≤ 0.1). Momentum is then still
//! conserved; angular momentum is conserved by the normal force, but not by friction.

use super::closest::unit;
use crate::math::{Matrix, Vector};
use crate::state::memory::{BodyAnchor, Turning};

/// Sine of the angle between two edges below which their plane does not define a rotation.
pub(super) const SMALLEST_SINE: f64 = 0.1;

/// Below this height, in units of the longest edge, a triangle counts as a line.
const SLIVER: f64 = 0.02;

/// Slip map of one proximity: the anchor with its weights b_k, and the terms of rotation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SlipMap {
    /// Weights b_k, and the kind of rotation.
    pub anchor: BodyAnchor,
    /// a_k, of sum 0.
    pub levers: [Vector; 4],
    /// m, of unit length or zero.
    pub axis: Vector,
}

impl SlipMap {
    /// The map for unknown rotation: v_rel = Σ c_k v_k.
    pub fn points(particles: [u32; 4], weights: [f64; 4], offset: Vector) -> Self {
        let anchor = BodyAnchor { particles, weights, offset, ..BodyAnchor::default() };
        SlipMap { anchor, ..SlipMap::default() }
    }

    /// The material turns with the line from place `line[0]` to place `line[1]`; `offset` is Σ c_k x_k
    /// \[m\].
    pub fn line(
        particles: [u32; 4],
        weights: [f64; 4],
        offset: Vector,
        line: [usize; 2],
        x: &[Vector; 4],
    ) -> Self {
        let along = x[line[1]] - x[line[0]];
        let Some(axis) = unit(along) else {
            return SlipMap::points(particles, weights, offset);
        };
        let length = along.dot(&axis);
        let ahead = offset.dot(&axis);
        let beside = offset - axis * ahead;
        let mut map = SlipMap::points(particles, weights, beside);
        map.anchor.turning = Turning::Line;
        map.anchor.line = line.map(|place| particles[place]);
        map.anchor.axis = axis;
        map.anchor.weights[line[0]] += ahead / length;
        map.anchor.weights[line[1]] -= ahead / length;
        if let Some(m) = unit(beside) {
            map.axis = m;
            map.levers[line[1]] = axis * (beside.dot(&m) / length);
            map.levers[line[0]] = -map.levers[line[1]];
        }
        map
    }

    /// Particle 0 against the rigidly extended triangle 1, 2, 3.
    ///
    /// The weights are those of the projection onto the triangle's plane, not limited to the
    /// triangle. In a sliver, of a height below 2 % of the longest edge, they would be large and
    /// the plane uncertain: there that edge alone defines the rotation, and `weights`, those of the
    /// closest point within the triangle, are used.
    pub fn triangle(particles: [u32; 4], weights: [f64; 4], x: &[Vector; 4]) -> Self {
        let edges = [x[2] - x[1], x[3] - x[1]];
        let across = edges[0].cross(&edges[1]);
        let area = across.norm();
        let longest = longest_edge(x);
        let square = (x[longest[1]] - x[longest[0]]).norm_squared();
        let flat = area > SLIVER * square;
        let Some(m) = unit(across).filter(|_| flat) else {
            let offset = weighted(&weights, x);
            return SlipMap::line(particles, weights, offset, longest, x);
        };
        let gradients = [edges[1].cross(&m) / area, m.cross(&edges[0]) / area];
        let from = x[0] - x[1];
        let w = [from.dot(&gradients[0]), from.dot(&gradients[1])];
        let height = from.dot(&m);
        let mut map =
            SlipMap::points(particles, [1.0, w[0] + w[1] - 1.0, -w[0], -w[1]], Vector::zeros());
        map.anchor.turning = Turning::Triangle;
        map.anchor.height = height;
        map.axis = m;
        map.levers[2] = gradients[0] * height;
        map.levers[3] = gradients[1] * height;
        map.levers[1] = -(map.levers[2] + map.levers[3]);
        map
    }

    /// Edge 0–1 against edge 2–3; `offset` = Σ c_k x_k \[m\], from the closest point of the second
    /// edge to that of the first.
    ///
    /// The part of the offset in the plane of the two edges, present where a closest point is an end,
    /// moves with the edges; the rest turns with the plane's normal.
    pub fn edges(particles: [u32; 4], weights: [f64; 4], offset: Vector, x: &[Vector; 4]) -> Self {
        let (a, b) = (x[1] - x[0], x[3] - x[2]);
        let across = a.cross(&b);
        let sine = across.norm();
        let spread = sine > SMALLEST_SINE * a.norm() * b.norm();
        let Some(m) = unit(across).filter(|_| spread) else {
            let line = if a.norm_squared() >= b.norm_squared() { [0, 1] } else { [2, 3] };
            return SlipMap::line(particles, weights, offset, line, x);
        };
        let (dual_a, dual_b) = (b.cross(&m) / sine, m.cross(&a) / sine);
        let (alpha, beta, height) = (offset.dot(&dual_a), offset.dot(&dual_b), offset.dot(&m));
        let mut map = SlipMap::points(particles, weights, Vector::zeros());
        map.anchor.turning = Turning::Edges;
        map.anchor.height = height;
        for (place, share) in [alpha, -alpha, beta, -beta].into_iter().enumerate() {
            map.anchor.weights[place] += share;
        }
        map.axis = m;
        map.levers = [dual_a * -height, dual_a * height, dual_b * -height, dual_b * height];
        map
    }

    /// v_rel \[m/s\]: velocity of the first side relative to the second one's material.
    pub fn velocity(&self, velocities: &[Vector]) -> Vector {
        let first = velocities[self.anchor.particles[0] as usize];
        let mut sum = Vector::zeros();
        for k in 1..4 {
            let v = velocities[self.anchor.particles[k] as usize] - first;
            sum += v * self.anchor.weights[k] + self.levers[k] * self.axis.dot(&v);
        }
        sum
    }

    /// f_k of a force F \[N\] on the first side, one per place.
    pub fn shares(&self, force: Vector) -> [Vector; 4] {
        let mut shares = [Vector::zeros(); 4];
        for k in 1..4 {
            shares[k] = force * self.anchor.weights[k] + self.axis * self.levers[k].dot(&force);
        }
        shares[0] = -(shares[1] + shares[2] + shares[3]);
        shares
    }

    /// B_k = b_k 1 + a_k mᵀ, so that v_rel = Σ B_k v_k and f_k = B_kᵀ F.
    pub fn block(&self, place: usize) -> Matrix {
        Matrix::identity() * self.anchor.weights[place] + self.levers[place] * self.axis.transpose()
    }
}

/// Σ c_k x_k, as differences from the first, so that a large distance from the origin costs no digits.
#[inline]
pub(super) fn weighted(weights: &[f64; 4], x: &[Vector; 4]) -> Vector {
    (x[1] - x[0]) * weights[1] + (x[2] - x[0]) * weights[2] + (x[3] - x[0]) * weights[3]
}

/// Places of the longest edge of the triangle 1, 2, 3.
fn longest_edge(x: &[Vector; 4]) -> [usize; 2] {
    let mut best = [1, 2];
    for edge in [[2, 3], [3, 1]] {
        let square = |e: [usize; 2]| (x[e[1]] - x[e[0]]).norm_squared();
        if square(edge) > square(best) {
            best = edge;
        }
    }
    best
}

/// `v` turned by the smallest rotation from the unit vector `from` to `to`.
fn carried(v: Vector, from: Vector, to: Vector) -> Vector {
    let (axis, cosine) = (from.cross(&to), from.dot(&to));
    if cosine <= -1.0 + 1e-9 {
        // reversed: any perpendicular axis will do
        return v;
    }
    let once = axis.cross(&v);
    v + once + axis.cross(&once) / (1.0 + cosine)
}

impl BodyAnchor {
    /// Displacement of the first side relative to its committed place on the second side's material
    /// \[m\]: zero under every rigid motion of all particles, as far as their rotation is known. Its
    /// rate at the commit is [`SlipMap::velocity`].
    pub fn displacement(&self, positions: &[Vector]) -> Vector {
        let x = self.places(positions);
        let between = weighted(&self.weights, &x);
        match self.turning {
            Turning::Unknown => between - self.offset,
            Turning::Line => match self.line_now(positions) {
                Some(now) => between - carried(self.offset, self.axis, now),
                None => between - self.offset,
            },
            Turning::Triangle | Turning::Edges => {
                let normal = self.plane_now(&x).unwrap_or_else(Vector::zeros);
                between - normal * self.height
            }
        }
    }

    /// Slip map of the anchor's material at present positions: the velocity of the map is the rate of
    /// [`BodyAnchor::displacement`].
    pub fn map(&self, positions: &[Vector]) -> SlipMap {
        let x = self.places(positions);
        let mut map = SlipMap { anchor: *self, ..SlipMap::default() };
        match self.turning {
            Turning::Unknown => {}
            Turning::Line => self.turn_line(positions, &mut map),
            Turning::Triangle => {
                let edges = [x[2] - x[1], x[3] - x[1]];
                let across = edges[0].cross(&edges[1]);
                if let Some(m) = unit(across) {
                    let height = self.height / across.norm();
                    map.axis = m;
                    map.levers[2] = edges[1].cross(&m) * height;
                    map.levers[3] = m.cross(&edges[0]) * height;
                    map.levers[1] = -(map.levers[2] + map.levers[3]);
                }
            }
            Turning::Edges => {
                let (a, b) = (x[1] - x[0], x[3] - x[2]);
                let across = a.cross(&b);
                if let Some(m) = unit(across) {
                    let height = self.height / across.norm();
                    let (along_a, along_b) = (b.cross(&m) * height, m.cross(&a) * height);
                    map.axis = m;
                    map.levers = [-along_a, along_a, -along_b, along_b];
                }
            }
        }
        map
    }

    fn turn_line(&self, positions: &[Vector], map: &mut SlipMap) {
        let place = |end: u32| self.particles.iter().position(|i| *i == end);
        let ends = (place(self.line[0]), place(self.line[1]));
        let (Some(now), (Some(start), Some(end))) = (self.line_now(positions), ends) else {
            return;
        };
        let beside = carried(self.offset, self.axis, now);
        if let Some(m) = unit(beside) {
            let along = positions[self.line[1] as usize] - positions[self.line[0] as usize];
            map.axis = m;
            map.levers[end] = now * (beside.dot(&m) / along.dot(&now));
            map.levers[start] = -map.levers[end];
        }
    }

    /// Axes that turn with the touched material, as columns: along (the triangle's first edge, the
    /// first of two edges, or the line), across, and normal (of the plane, or the direction of the
    /// offset from the line). None where the rotation is unknown.
    pub fn frame(&self, positions: &[Vector]) -> Option<Matrix> {
        let x = self.places(positions);
        let (along, normal) = match self.turning {
            Turning::Unknown => return None,
            Turning::Line => {
                let now = self.line_now(positions)?;
                (now, unit(carried(self.offset, self.axis, now))?)
            }
            Turning::Triangle => (unit(x[2] - x[1])?, self.plane_now(&x)?),
            Turning::Edges => (unit(x[1] - x[0])?, self.plane_now(&x)?),
        };
        Some(Matrix::from_columns(&[along, normal.cross(&along), normal]))
    }

    fn places(&self, positions: &[Vector]) -> [Vector; 4] {
        self.particles.map(|i| positions[i as usize])
    }

    fn line_now(&self, positions: &[Vector]) -> Option<Vector> {
        unit(positions[self.line[1] as usize] - positions[self.line[0] as usize])
    }

    fn plane_now(&self, x: &[Vector; 4]) -> Option<Vector> {
        match self.turning {
            Turning::Triangle => unit((x[2] - x[1]).cross(&(x[3] - x[1]))),
            _ => unit((x[1] - x[0]).cross(&(x[3] - x[2]))),
        }
    }
}
