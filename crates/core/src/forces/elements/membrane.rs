//! The law of sheets: the St. Venant–Kirchhoff law in plane stress.

use super::moduli::Moduli;
use super::principal::eigen;
use super::solid::Solid;
use super::tangent::Tangent;
use crate::math::square::{Real, Square, square};
use crate::math::{Matrix, Vector, larger, sqrt};

/// ψ = μ E:E + ½ λ (tr E)² with Green's strain E = ½ (FᵀF − 1) in the plane, so P = F C:E.
///
/// F has two columns, and λ is that of plane stress, [`Moduli::plane_stress`]. Exact for small strains at any
/// rotation; pressed below .58 of its width a sheet gives way, as it does at once where it may fold. Source:
/// \[bonet2008\].
pub(super) struct Membrane;

#[inline(always)]
fn strain<T: Real>(f: &Square<T>) -> Square<T> {
    let square = f.transposed_times(f);
    square!(R, C => {
        let own = if R == C { square.0[R][C] - 1.0 } else { square.0[R][C] };
        if R < 2 && C < 2 { own * 0.5 } else { own * 0.0 }
    })
}

/// S = C:E in the plane.
#[inline(always)]
fn second_stress<T: Real>(moduli: &Moduli, f: &Square<T>) -> Square<T> {
    let stress = moduli.stress(&strain(f));
    square!(R, C => if R < 2 && C < 2 { stress.0[R][C] } else { stress.0[R][C] * 0.0 })
}

impl Solid for Membrane {
    #[inline(always)]
    fn stress<T: Real>(moduli: &Moduli, f: &Square<T>) -> Square<T> {
        f.times(&second_stress(moduli, f))
    }

    #[inline(always)]
    fn energy<T: Real>(moduli: &Moduli, f: &Square<T>) -> T {
        let strain = strain(f);
        let spread = strain.trace();
        strain.dot(&strain) * moduli.mu + spread * spread * (0.5 * moduli.lambda)
    }

    /// dP = dF S + F C:sym(Fᵀ dF) with S = C:E. The convex one leaves out what S presses.
    fn tangent(moduli: &Moduli, f: &Square<f64>, positive: bool) -> Tangent {
        let Moduli { lambda, mu } = *moduli;
        let (values, directions) = eigen(&second_stress(moduli, f).into());
        let mut tangent = Tangent::default();
        // the third direction has no stress
        let normal =
            (0..3).fold(
                0,
                |n, k| {
                    if directions[(2, k)].abs() > directions[(2, n)].abs() { k } else { n }
                },
            );
        for k in (0..3).filter(|k| *k != normal) {
            let value = if positive { larger(values[k], 0.0) } else { values[k] };
            for axis in 0..3 {
                let q = Vector::ith(axis, 1.0) * directions.column(k).transpose();
                tangent.add(value, q);
            }
        }
        let f: Matrix = (*f).into();
        let plane = Matrix::from_diagonal(&Vector::new(1.0, 1.0, 0.0)) / sqrt(2.0);
        let pull = Matrix::from_diagonal(&Vector::new(1.0, -1.0, 0.0)) / sqrt(2.0);
        let shear = Matrix::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0) / sqrt(2.0);
        for (c, t) in [(2.0 * (lambda + mu), plane), (2.0 * mu, pull), (2.0 * mu, shear)] {
            tangent.add(c, f * t);
        }
        tangent
    }
}
