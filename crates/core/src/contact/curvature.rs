//! Second derivatives of the distance between parts of bodies: how the normal turns and the weights
//! change as the contact points move.

use super::detect::Proximity;
use crate::math::{Matrix, Vector};

/// Relative determinant below which two edges count as parallel: their nearest points are not unique.
const PARALLEL: f64 = 1e-6;

/// A distance below this share of the parts' size has no usable second derivative.
const NEAR: f64 = 1e-9;

/// A direction in which the nearest points move: along an edge or in a triangle.
#[derive(Clone, Copy)]
struct Motion {
    /// ∂(Σ c_k x_k)/∂s \[m\].
    along: Vector,
    /// ∂c_k/∂s.
    weights: [f64; 4],
}

impl Proximity {
    /// ∂²D/∂x_i∂x_j \[1/m\] of the distance D = min over s of |r|, r = Σ c_k(s) x_k, as a function
    /// of the places i and j; `None` where the nearest points are not unique or D is near zero.
    /// With n = r/D, J = ∂r/∂s, G = (JᵀJ)⁻¹ and q_i = c_i J + r (∂c_i/∂s)ᵀ, from the second
    /// derivatives of D²/2,
    ///
    /// ```text
    /// D ∂²D/∂x_i∂x_j = c_i c_j (1 − n nᵀ) − q_i G q_jᵀ
    /// ```
    pub(super) fn curvature(
        &self,
        positions: &[Vector],
    ) -> Option<impl Fn(usize, usize) -> Matrix> {
        let x = |k: usize| positions[self.particles[k] as usize];
        let (motions, free) = self.motions(positions)?;
        let size = (1..self.count).map(|k| (x(k) - x(0)).norm_squared()).fold(0.0, f64::max);
        if self.distance * self.distance <= NEAR * NEAR * size {
            return None;
        }
        let inverse = inverse(&motions, free)?;
        let (n, distance, c) = (self.normal, self.distance, self.weights);
        let plane = Matrix::identity() - n * n.transpose();
        Some(move |i: usize, j: usize| {
            let mut block = plane * (c[i] * c[j]);
            let q = |place: usize, s: usize| {
                motions[s].along * c[place] + n * (distance * motions[s].weights[place])
            };
            for a in 0..free {
                for b in 0..free {
                    block -= q(i, a) * q(j, b).transpose() * inverse[a][b];
                }
            }
            block / distance
        })
    }

    /// The directions in which the nearest points may move. A side with m weighted particles has m − 1:
    /// weight passes from the first particle to one of the others.
    fn motions(&self, positions: &[Vector]) -> Option<([Motion; 2], usize)> {
        let mut motions = [Motion { along: Vector::zeros(), weights: [0.0; 4] }; 2];
        let mut free = 0;
        for sign in [1.0, -1.0] {
            let side = |k: &usize| self.weights[*k] * sign > 0.0;
            let first = (0..self.count).find(side)?;
            for k in (first + 1..self.count).filter(side) {
                if free == motions.len() {
                    return None;
                }
                let x = |k: usize| positions[self.particles[k] as usize];
                let motion = &mut motions[free];
                motion.along = (x(k) - x(first)) * sign;
                (motion.weights[k], motion.weights[first]) = (sign, -sign);
                free += 1;
            }
        }
        Some((motions, free))
    }
}

/// (JᵀJ)⁻¹ for up to two directions.
fn inverse(motions: &[Motion; 2], free: usize) -> Option<[[f64; 2]; 2]> {
    let dot = |a: usize, b: usize| motions[a].along.dot(&motions[b].along);
    match free {
        0 => Some([[0.0; 2]; 2]),
        1 => (dot(0, 0) > 0.0).then(|| [[1.0 / dot(0, 0), 0.0], [0.0, 0.0]]),
        _ => {
            let (aa, ab, bb) = (dot(0, 0), dot(0, 1), dot(1, 1));
            let determinant = aa * bb - ab * ab;
            let inverse =
                [[bb / determinant, -ab / determinant], [-ab / determinant, aa / determinant]];
            (determinant > PARALLEL * aa * bb).then_some(inverse)
        }
    }
}
