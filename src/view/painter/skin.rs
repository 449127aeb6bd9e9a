//! The skin: what of a body is on its surface. The rest is hidden by it and need not be drawn.

use crate::math::Vector;
use crate::model::Model;

/// Particles and springs on the surfaces of bodies.
pub(super) struct Skin {
    /// per particle, whether it is inside a body that has a surface
    inside: Vec<bool>,
    /// per particle, whether its body has a surface
    covered: Vec<bool>,
    /// pairs (lower, higher) of particles that are joined on the surface, sorted
    joined: Vec<(u32, u32)>,
}

impl Skin {
    /// Hides nothing.
    pub(super) fn none() -> Skin {
        Skin { inside: Vec::new(), covered: Vec::new(), joined: Vec::new() }
    }

    /// The skin of all bodies.
    pub(super) fn of(model: &Model) -> Skin {
        let mut inside = vec![false; model.particles()];
        let mut covered = inside.clone();
        let mut edges: Vec<(u32, u32, u32)> = Vec::new();
        for body in model.bodies.iter().filter(|b| !b.triangles.is_empty()) {
            inside[body.particles.clone()].fill(true);
            covered[body.particles.clone()].fill(true);
            for &[a, b, c] in &body.triangles {
                for (p, q, across) in [(a, b, c), (b, c, a), (c, a, b)] {
                    inside[p as usize] = false;
                    edges.push((p.min(q), p.max(q), across));
                }
            }
        }
        edges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = edges.iter().map(|(p, q, _)| (*p, *q)).collect();
        // the other diagonal of two triangles that make a flat quadrilateral
        for pair in edges.windows(2) {
            let [(p, q, r), (p2, q2, s)] = [pair[0], pair[1]];
            if (p, q) == (p2, q2) && r != s && is_flat(&model.reference, [p, q, r, s]) {
                joined.push((r.min(s), r.max(s)));
            }
        }
        joined.sort_unstable();
        joined.dedup();
        Skin { inside, covered, joined }
    }

    /// Whether particle `i` is behind the surface.
    pub(super) fn hides(&self, i: usize) -> bool {
        self.inside.get(i).copied().unwrap_or(false)
    }

    /// Whether a spring runs behind the surface.
    pub(super) fn hides_spring(&self, i: usize, j: usize) -> bool {
        if self.hides(i) || self.hides(j) {
            return true;
        }
        let covered = |p: usize| self.covered.get(p).copied().unwrap_or(false);
        let pair = (i.min(j) as u32, i.max(j) as u32);
        covered(i) && covered(j) && self.joined.binary_search(&pair).is_err()
    }
}

fn is_flat(at_rest: &[Vector], corners: [u32; 4]) -> bool {
    let [p, q, r, s] = corners.map(|i| at_rest[i as usize]);
    let normal = (q - p).cross(&(r - p));
    let length = (s - p).norm();
    normal.dot(&(s - p)).abs() <= 0.05 * normal.norm() * length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_diagonals_of_a_flat_quadrilateral_are_on_the_skin() {
        let flat = [Vector::zeros(), Vector::x(), Vector::x() + Vector::y(), Vector::y()];
        assert!(is_flat(&flat, [0, 2, 1, 3]));
        let mut bent = flat;
        bent[3] = Vector::z();
        assert!(!is_flat(&bent, [0, 2, 1, 3]));
    }
}
