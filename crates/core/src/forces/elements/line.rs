//! The law of ropes: Hooke's along the line.

use super::moduli::Moduli;
use super::solid::Solid;
use super::tangent::Tangent;
use crate::math::square::{Real, Square, square};
use crate::math::{Matrix, Vector, larger};

/// ψ = ½ E (s − 1)², with the stretch s = |f| and f = ∂x/∂X, the first column of F: the tension is EA (s − 1).
///
/// μ stands for E/2. A line pressed to a point has no direction and no force.
pub(super) struct Line;

/// Least length by which is divided.
const LEAST: f64 = 1e-150;

#[inline(always)]
fn stretch<T: Real>(f: &Square<T>) -> T {
    let f = &f.0;
    (f[0][0] * f[0][0] + f[1][0] * f[1][0] + f[2][0] * f[2][0]).root()
}

impl Solid for Line {
    #[inline(always)]
    fn stress<T: Real>(moduli: &Moduli, f: &Square<T>) -> Square<T> {
        let s = stretch(f);
        let scale = (s - 1.0) * (2.0 * moduli.mu) * s.at_least(LEAST).inverse();
        square!(R, C => if C == 0 { f.0[R][0] * scale } else { scale * 0.0 })
    }

    #[inline(always)]
    fn energy<T: Real>(moduli: &Moduli, f: &Square<T>) -> T {
        let strain = stretch(f) - 1.0;
        strain * strain * moduli.mu
    }

    fn tangent(moduli: &Moduli, f: &Square<f64>, positive: bool) -> Tangent {
        let (young, s) = (2.0 * moduli.mu, stretch(f));
        let n: Vector = Matrix::from(*f).column(0) / larger(s, LEAST);
        let mut tangent = Tangent::default();
        let along = |direction: Vector| {
            let mut q = Matrix::zeros();
            q.set_column(0, &direction);
            q
        };
        // E n nᵀ along the line, its tension over its length across it
        let across = young * (s - 1.0) / larger(s, LEAST);
        let across = if positive { larger(across, 0.0) } else { across };
        tangent.add(young - across, along(n));
        for axis in 0..3 {
            tangent.add(across, along(Vector::ith(axis, 1.0)));
        }
        tangent
    }
}
