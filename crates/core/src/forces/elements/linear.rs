//! Linear elasticity: small strains, no rotations.

use super::moduli::Moduli;
use super::solid::Solid;
use super::tangent::Tangent;
use crate::math::Matrix;
use crate::math::square::{Real, Square, square};

/// ψ = μ ε:ε + ½ λ (tr ε)², ε = ½ (F + Fᵀ) − 1, so P = C:ε.
///
/// Exact for small strains; a rotation by θ counts as the strain 1 − cos θ. Source: \[bonet2008\].
pub(super) struct Linear;

#[inline(always)]
fn strain<T: Real>(f: &Square<T>) -> Square<T> {
    let mean = f.symmetric();
    square!(R, C => if R == C { mean.0[R][C] - 1.0 } else { mean.0[R][C] })
}

impl Solid for Linear {
    const TURNS: bool = false;

    #[inline(always)]
    fn stress<T: Real>(moduli: &Moduli, f: &Square<T>) -> Square<T> {
        moduli.stress(&strain(f))
    }

    #[inline(always)]
    fn energy<T: Real>(moduli: &Moduli, f: &Square<T>) -> T {
        let strain = strain(f);
        strain.dot(&moduli.stress(&strain)) * 0.5
    }

    fn tangent(moduli: &Moduli, _: &Square<f64>, _: bool) -> Tangent {
        let mut tangent = Tangent::along(moduli.mu);
        tangent.transposed = moduli.mu;
        // positive where λ is: ν ≥ 0; below that the whole still is, for ν > −1
        tangent.add(moduli.lambda, Matrix::identity());
        tangent
    }

    #[inline(always)]
    fn carried<T: Real>(f: &Square<T>) -> Square<T> {
        let zero = f.0[0][0] * 0.0;
        square!(R, C => if R == C { zero + 1.0 } else { zero })
    }
}
