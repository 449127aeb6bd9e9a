//! Bending of a rope: two segments that meet.
//!
//! With the unit vectors t along the two segments and d = t_2 − t_1, |d| = 2 sin ½φ of the angle φ between them, a
//! joint stores ½ c |d|² = c (1 − t_1·t_2), c = EI/l with half the length l of both at rest: ½ EI κ² per length. Ropes
//! are straight at rest. Source: \[bergou2008\].

use super::element::{Corners, Eight, Element, LANES, Single, Sums, add_to, number, pairs};
use super::hinge::dot;
use crate::forces::Edge;
use crate::math::lanes::{Lanes, Simd};
use crate::math::square::Real;
use crate::math::{Matrix, larger};

/// Three particles in a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    /// The particles.
    pub corners: [u32; 3],
    /// c = EI/l \[J\].
    pub stiffness: f64,
    /// Its material, by number.
    pub material: u16,
}

/// Least length by which is divided.
const LEAST: f64 = 1e-150;

/// How the two edges depend on the corners.
const EDGES: [[f64; 2]; 3] = [[-1.0, 0.0], [1.0, -1.0], [0.0, 1.0]];

impl Element<3> for Joint {
    type Rest = [f64; LANES];
    type Kind = u64;

    const WORK: usize = 3;

    fn corners(&self) -> [u32; 3] {
        self.corners
    }

    fn material(&self) -> u16 {
        self.material
    }

    fn kind(&self) -> u64 {
        self.stiffness.to_bits()
    }

    fn rest(eight: &[Self]) -> [f64; LANES] {
        let mut rest = [0.0; LANES];
        rest.iter_mut().zip(eight).for_each(|(into, joint)| *into = joint.stiffness);
        rest
    }

    #[inline(always)]
    fn pull<S: Simd, V: Lanes<S> + Real, const BOOKS: bool>(
        simd: S,
        eight: &Eight<[f64; LANES], 3>,
        lane: usize,
        forces: &mut Corners<3>,
        sums: &mut Sums,
    ) {
        let (x, end) = (&eight.x, lane + V::LEN);
        let zero = V::splat(simd, 0.0);
        let (mut t, mut inverse) = ([[zero; 3]; 2], [zero; 2]);
        let mut k = 0;
        while k < 2 {
            let mut axis = 0;
            while axis < 3 {
                t[k][axis] = number::<S, V>(simd, &x[k + 1][axis], lane)
                    - number::<S, V>(simd, &x[k][axis], lane);
                axis += 1;
            }
            inverse[k] = dot(t[k], t[k]).root().at_least(LEAST).inverse();
            t[k] = [t[k][0] * inverse[k], t[k][1] * inverse[k], t[k][2] * inverse[k]];
            k += 1;
        }
        let d = [t[1][0] - t[0][0], t[1][1] - t[0][1], t[1][2] - t[0][2]];
        let c = number::<S, V>(simd, eight.rest, lane);
        if BOOKS {
            add_to(simd, &mut sums[0], lane, dot(d, d) * c * 0.5);
        }
        let (of_first, of_second) = (dot(t[0], d), dot(t[1], d));
        let mut axis = 0;
        while axis < 3 {
            let first = (d[axis] - of_first * t[0][axis]) * inverse[0] * -c;
            let last = (d[axis] - of_second * t[1][axis]) * inverse[1] * -c;
            first.store_slice(&mut forces[0][axis][lane..end]);
            (-(first + last)).store_slice(&mut forces[1][axis][lane..end]);
            last.store_slice(&mut forces[2][axis][lane..end]);
            axis += 1;
        }
    }

    fn blocks(of: &Single<[f64; LANES], 3>, mut add: impl FnMut(usize, Edge)) {
        let Single { rest, lane, corners, at, convex, .. } = *of;
        let [x0, x1, x2] = corners.map(|i| at.positions[i]);
        let edges = [x1 - x0, x2 - x1];
        let inverse = edges.map(|edge| 1.0 / larger(edge.norm(), LEAST));
        let t = [edges[0] * inverse[0], edges[1] * inverse[1]];
        let across = t.map(|t| Matrix::identity() - t * t.transpose());
        // ∂²/∂e_k² of −t_1·t_2, or of ½ |d|² without the second derivative of d
        let own = |k: usize| -> Matrix {
            let p = across[k] * t[1 - k];
            let turned = p * t[k].transpose() + t[k] * p.transpose();
            let of = if convex { across[k] } else { across[k] * t[0].dot(&t[1]) + turned };
            of * (inverse[k] * inverse[k])
        };
        let both = across[0] * across[1] * (-inverse[0] * inverse[1]);
        let by_edges = [[own(0), both], [both.transpose(), own(1)]];
        for (number, [a, b]) in pairs::<3>().enumerate() {
            let (a, b) = if corners[a] < corners[b] { (a, b) } else { (b, a) };
            let mut there = Matrix::zeros();
            for (k, l) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                there -= by_edges[k][l] * (EDGES[a][k] * EDGES[b][l] * rest[lane]);
            }
            add(number, Edge { there, back: there.transpose(), ..Edge::default() });
        }
    }
}
