//! Damping of a material, by Kelvin and Voigt: a stress in proportion to the rate of strain.

use super::moduli::Moduli;
use super::solid::Solid;
use crate::math::square::{Real, Square};
use crate::math::{Matrix, Vector};

/// P = τ G C:sym(Gᵀ Ḟ) \[Pa\], with τ \[s\] and G the [`Solid::carried`] of F: zero in a rotation, and its
/// power P:Ḟ is the dissipated one, never below zero.
#[inline(always)]
pub(super) fn stress<L: Solid, T: Real>(
    moduli: &Moduli,
    f: &Square<T>,
    rate: &Square<T>,
) -> Square<T> {
    let carried = L::carried(f);
    carried.times(&moduli.stress(&carried.transposed_times(rate).symmetric()))
}

/// The derivatives of the stress above without its τ.
pub(super) struct Damping {
    moduli: Moduli,
    carried: Matrix,
    /// G Gᵀ
    square: Matrix,
    /// Ḟ, C:sym(Gᵀ Ḟ) and G Ḟᵀ; none where G does not depend on F
    turned: Option<[Matrix; 3]>,
}

impl Damping {
    /// Those at F and Ḟ.
    pub fn of<L: Solid>(moduli: &Moduli, f: &Square<f64>, rate: &Square<f64>) -> Self {
        let carried = L::carried(f);
        let inner = moduli.stress(&carried.transposed_times(rate).symmetric());
        let (own, rate): (Matrix, Matrix) = (carried.into(), (*rate).into());
        let turned = L::TURNS.then(|| [rate, inner.into(), own * rate.transpose()]);
        Damping { moduli: *moduli, carried: own, square: own * own.transpose(), turned }
    }

    /// B(a, b) with dP a = B w for dḞ = w bᵀ \[Pa/m²\].
    pub fn by_rate(&self, a: Vector, b: Vector) -> Matrix {
        let Moduli { lambda, mu } = self.moduli;
        let (ga, gb) = (self.carried * a, self.carried * b);
        self.square * (mu * a.dot(&b)) + gb * ga.transpose() * mu + ga * gb.transpose() * lambda
    }

    /// B(a, b) with dP a = B w for dF = w bᵀ \[Pa/(m² s)\].
    pub fn by_position(&self, a: Vector, b: Vector) -> Matrix {
        let Some([rate, inner, turned]) = &self.turned else { return Matrix::zeros() };
        let Moduli { lambda, mu } = self.moduli;
        let (ga, gb) = (self.carried * a, self.carried * b);
        Matrix::from_diagonal_element(a.dot(&(inner * b)))
            + gb * (rate * a).transpose() * mu
            + turned * (mu * a.dot(&b))
            + ga * (rate * b).transpose() * lambda
    }
}
