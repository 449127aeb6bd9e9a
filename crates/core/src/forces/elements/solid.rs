//! The trait of laws of solids: energy, stress and tangent of a deformation gradient.

use super::moduli::Moduli;
use super::tangent::Tangent;
use crate::math::square::{Real, Square};

/// A law of an elastic solid, for numbers and registers alike. F = ∂x/∂X is the deformation gradient.
pub(super) trait Solid {
    /// P(F) = ∂ψ/∂F \[Pa\], the first Piola–Kirchhoff stress.
    fn stress<T: Real>(moduli: &Moduli, f: &Square<T>) -> Square<T>;

    /// ψ(F) \[J/m³\], zero at rest.
    fn energy<T: Real>(moduli: &Moduli, f: &Square<T>) -> T;

    /// ∂P/∂F \[Pa\]; `positive`: its projection on the positive semidefinite ones.
    fn tangent(moduli: &Moduli, f: &Square<f64>, positive: bool) -> Tangent;

    /// Whether damping turns with the material: F C:sym(Fᵀ Ḟ) is no stress of a rotation.
    const TURNS: bool = true;

    /// The F that damping turns with, or the identity.
    #[inline(always)]
    fn carried<T: Real>(f: &Square<T>) -> Square<T> {
        *f
    }
}
