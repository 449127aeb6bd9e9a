//! The corotational law: linear elasticity in a frame that turns with the material.

use super::moduli::Moduli;
use super::principal::Principal;
use super::rotation::rotation;
use super::solid::Solid;
use super::tangent::Tangent;
use crate::math::square::{Real, Square, square};
use crate::math::{Matrix, larger};

/// ψ = μ |F − R|² + ½ λ (R:F − 3)², R the rotation nearest to F, so P = 2μ (F − R) + λ (R:F − 3) R.
///
/// Small strains, any rotation; an inverted element is turned back. Source: \[kim2022\].
pub(super) struct Corotational;

impl Solid for Corotational {
    #[inline(always)]
    fn stress<T: Real>(moduli: &Moduli, f: &Square<T>) -> Square<T> {
        let r = rotation(f);
        let strain = f.minus(&r);
        let spread = r.dot(&strain) * moduli.lambda;
        square!(R, C => strain.0[R][C] * (2.0 * moduli.mu) + r.0[R][C] * spread)
    }

    #[inline(always)]
    fn energy<T: Real>(moduli: &Moduli, f: &Square<T>) -> T {
        let r = rotation(f);
        let strain = f.minus(&r);
        let spread = r.dot(&strain);
        strain.dot(&strain) * moduli.mu + spread * spread * (0.5 * moduli.lambda)
    }

    fn tangent(moduli: &Moduli, f: &Square<f64>, positive: bool) -> Tangent {
        let principal = Principal::of(&Matrix::from(*f));
        let Moduli { lambda, mu } = *moduli;
        let mut tangent = Tangent::along(2.0 * mu);
        tangent.add(lambda, principal.rotation());
        // dR of a turn in the plane of two stretches is 2/(σᵢ + σⱼ) of it
        let spread = lambda * (principal.stretches.iter().sum::<f64>() - 3.0);
        for plane in 0..3 {
            let sum = principal.sum(plane);
            let own = 2.0 * (spread - 2.0 * mu) / sum;
            let own = if positive { larger(own, -2.0 * mu) } else { own };
            tangent.add(own, principal.turn(plane));
        }
        tangent
    }
}
