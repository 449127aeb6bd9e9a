//! Where a method is stable: how much one step makes of a motion that decays or oscillates.
//!
//! The test equation is ẍ = −λ ẋ − ω² x: friction in stick is λ, a spring is ω. A method is stable
//! where nothing grows from step to step. Source: \[hairer1996\].

use crate::math::sqrt;
use nalgebra::Complex;

/// The region of stability of a method.
#[derive(Clone, Copy)]
pub enum Region {
    /// Everything that decays, or substeps that are chosen to be stable.
    Everywhere,
    /// One step of y' = μ y multiplies by R(z) = Σ c_k zᵏ, z = h μ: explicit one-step methods. The
    /// coefficients c_0, c_1, …
    Polynomial(&'static [f64]),
    /// The largest |growth| of y' = μ y per step, from z = h μ: multistep methods.
    Growth(fn(Complex<f64>) -> f64),
    /// The largest |growth| per step from h λ and (h ω)²: methods that take positions and velocities
    /// in turn.
    InTurn(fn(f64, f64) -> f64),
}

/// Growth per step that still counts as none: rounding of the formulas.
const UNITY: f64 = 1.0 + 1e-9;

impl Region {
    /// Whether ẍ = −λ ẋ − ω² x stays bounded at the step h, from h λ and h ω.
    pub fn holds(&self, hlambda: f64, homega: f64) -> bool {
        self.growth(hlambda, homega) <= UNITY
    }

    /// The largest factor by which one step multiplies a solution of ẍ = −λ ẋ − ω² x.
    pub fn growth(&self, hlambda: f64, homega: f64) -> f64 {
        match self {
            Region::InTurn(growth) => growth(hlambda, homega * homega),
            _ => eigenvalues(hlambda, homega)
                .into_iter()
                .fold(0.0, |most, z| crate::math::larger(most, self.growth_at(z))),
        }
    }

    /// The largest factor by which one step multiplies a solution of y' = μ y, from z = h μ. For a
    /// method that takes positions and velocities in turn z is one of a pair z, z̄, or the only one
    /// that matters.
    pub fn growth_at(&self, z: Complex<f64>) -> f64 {
        match self {
            Region::Everywhere => 0.0,
            Region::Polynomial(c) => {
                let value = c.iter().rev().fold(Complex::new(0.0, 0.0), |sum, c| sum * z + c);
                sqrt(value.norm_sqr())
            }
            Region::Growth(growth) => growth(z),
            Region::InTurn(growth) if z.im == 0.0 => growth(-z.re, 0.0),
            Region::InTurn(growth) => growth(-2.0 * z.re, z.norm_sqr()),
        }
    }
}

/// The eigenvalues of ẍ = −λ ẋ − ω² x, times h; of a conjugate pair one is enough.
fn eigenvalues(hlambda: f64, homega: f64) -> [Complex<f64>; 2] {
    let discriminant = hlambda * hlambda - 4.0 * homega * homega;
    let root = 0.5 * sqrt(discriminant.abs());
    if discriminant < 0.0 {
        [Complex::new(-0.5 * hlambda, root); 2]
    } else {
        [-0.5 * hlambda - root, -0.5 * hlambda + root].map(|re| Complex::new(re, 0.0))
    }
}

/// The larger |root| of ζ² − b ζ + c = 0 with real b and c: growth of methods that take positions
/// and velocities in turn.
pub fn largest_root(b: f64, c: f64) -> f64 {
    let discriminant = b * b - 4.0 * c;
    if discriminant < 0.0 { sqrt(c) } else { 0.5 * (b.abs() + sqrt(discriminant)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::bisect;

    #[test]
    fn limits_of_decay_and_oscillation() {
        let rk4 = Region::Polynomial(&[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]);
        let decay = bisect(0.1, 8.0, |z| rk4.holds(z, 0.0));
        let oscillation = bisect(0.1, 8.0, |z| rk4.holds(0.0, z));
        assert!((decay - 2.785_293_563).abs() < 1e-6, "{decay}");
        assert!((oscillation - sqrt(8.0)).abs() < 1e-6, "{oscillation}");
    }

    #[test]
    fn roots_of_quadratics() {
        assert!((largest_root(3.0, 2.0) - 2.0).abs() < 1e-15);
        assert!((largest_root(-3.0, 2.0) - 2.0).abs() < 1e-15);
        assert!((largest_root(0.0, 4.0) - 2.0).abs() < 1e-15);
    }
}
