//! Stability region of a method: amplification per step of a decaying or oscillating motion.
//!
//! The test equation is ẍ = −λ ẋ − ω² x, λ the rate of friction in stick, ω the frequency of a spring. A
//! method is stable if nothing grows from step to step. Source: \[hairer1996\].

use crate::math::{bisect, sqrt};
use nalgebra::Complex;

/// The highest degree of a polynomial of growth.
pub(crate) const DEGREE: usize = 8;

/// Coefficients c_0, c_1, … of a polynomial of growth; zero beyond its degree.
pub(crate) type Polynomial = [f64; DEGREE + 1];

/// The region of stability of a method.
#[derive(Clone, Copy)]
pub enum Region {
    /// Stable for all decaying motions, at any step or by its choice of substeps.
    Everywhere,
    /// Explicit one-step methods: one step of y' = μ y multiplies by R(z) = Σ c_k zᵏ, z = h μ. The
    /// coefficients c_0, c_1, …
    Polynomial(Polynomial),
    /// The largest |growth| of y' = μ y per step, from z = h μ: multistep methods.
    Growth(fn(Complex<f64>) -> f64),
    /// The largest |growth| per step from h λ and (h ω)²: methods that update positions and velocities
    /// in turn.
    InTurn(fn(f64, f64) -> f64),
}

/// Growth per step that counts as none: rounding of the formulas.
const UNITY: f64 = 1.0 + 1e-9;

/// Growth per step allowed at a limit: rounding of one polynomial.
const ROUNDING: f64 = 1.0 + 1e-13;

/// End of the search for limits, and its stride.
const FARTHEST: f64 = 64.0;
const STRIDE: f64 = 1.0 / 64.0;

/// A limit below this counts as zero: growth by a power of h ω is hidden by rounding near zero.
const NO_LIMIT: f64 = 1e-2;

impl Region {
    /// Largest stable h λ for decay at rate λ (the negative real axis); `None`: no limit.
    pub fn decay_limit(&self) -> Option<f64> {
        self.limit(|hlambda| self.growth(hlambda, 0.0))
    }

    /// Largest stable h ω for undamped oscillation (the imaginary axis); `None`: no limit.
    pub fn oscillation_limit(&self) -> Option<f64> {
        self.limit(|homega| self.growth(0.0, homega))
    }

    fn limit(&self, growth: impl Fn(f64) -> f64) -> Option<f64> {
        if matches!(self, Region::Everywhere) {
            return None;
        }
        let holds = |x: f64| growth(x) <= ROUNDING;
        let strides = (1..).map(|k| f64::from(k) * STRIDE).take_while(|x| *x <= FARTHEST);
        let beyond = strides.into_iter().find(|x| !holds(*x))?;
        let limit = bisect(beyond - STRIDE, beyond, holds);
        // further digits are rounding
        Some(if limit < NO_LIMIT { 0.0 } else { (limit * 1e9).round() / 1e9 })
    }

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

    /// The largest factor of one step on a solution of y' = μ y, from z = h μ. For a method that updates
    /// positions and velocities in turn, z stands for the pair z, z̄, or for the only relevant root.
    pub(crate) fn growth_at(&self, z: Complex<f64>) -> f64 {
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

/// The eigenvalues of ẍ = −λ ẋ − ω² x, times h; one of a conjugate pair.
fn eigenvalues(hlambda: f64, homega: f64) -> [Complex<f64>; 2] {
    let discriminant = hlambda * hlambda - 4.0 * homega * homega;
    let root = 0.5 * sqrt(discriminant.abs());
    if discriminant < 0.0 {
        [Complex::new(-0.5 * hlambda, root); 2]
    } else {
        [-0.5 * hlambda - root, -0.5 * hlambda + root].map(|re| Complex::new(re, 0.0))
    }
}

/// The larger |root| of ζ² − (2 − s) ζ + (1 − s + p) = 0: growth of methods that update positions and
/// velocities in turn. Their matrix has the trace 2 − s, and p is its characteristic polynomial at ζ =
/// 1.
///
/// With ζ = 1 − η the roots are those of η² − s η + p = 0. In a small step s and p are small too; they
/// are not added to 1 and lose no digits. The discriminant b² − 4c, with b = 2 − s and c = 1 − s + p,
/// would be known to 1e-16 only, and its root to 1e-8.
pub(crate) fn largest_root(s: f64, p: f64) -> f64 {
    let discriminant = s * s - 4.0 * p;
    if discriminant < 0.0 {
        return sqrt(1.0 - s + p);
    }
    // the root furthest from zero loses no digits, the other follows from the product p
    let far = 0.5 * (s + sqrt(discriminant).copysign(s));
    let near = if far == 0.0 { 0.0 } else { p / far };
    crate::math::larger((1.0 - far).abs(), (1.0 - near).abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrators::{explicit_euler, heun, rk3, rk4, rk45};

    /// [hairer1996], IV.2
    #[test]
    fn limits_of_decay_and_oscillation() {
        let known = [
            (explicit_euler::TABLEAU.capabilities(), 2.0, 0.0),
            (heun::TABLEAU.capabilities(), 2.0, 0.0),
            (rk3::TABLEAU.capabilities(), 2.512_745_327, sqrt(3.0)),
            (rk4::TABLEAU.capabilities(), 2.785_293_563, sqrt(8.0)),
            (rk45::TABLEAU.capabilities(), 3.306_567_9, 0.997_2),
        ];
        for (method, decay, oscillation) in known {
            let found = [method.decay_limit, method.oscillation_limit].map(Option::unwrap);
            assert!((found[0] - decay).abs() < 1e-6, "{found:?}, {decay}");
            assert!((found[1] - oscillation).abs() < 1e-4, "{found:?}, {oscillation}");
        }
    }

    /// Dormand–Prince's seventh stage is the next step's first: R has degree 6
    #[test]
    fn polynomials_of_growth() {
        let expected = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 600.0, 0.0, 0.0];
        for (found, expected) in rk45::TABLEAU.growth().into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
    }

    #[test]
    fn roots_of_quadratics() {
        let root = |b: f64, c: f64| largest_root(2.0 - b, 1.0 - b + c);
        assert!((root(3.0, 2.0) - 2.0).abs() < 1e-15);
        assert!((root(-3.0, 2.0) - 2.0).abs() < 1e-15);
        assert!((root(0.0, 4.0) - 2.0).abs() < 1e-15);
    }

    /// Fast decays with little oscillation do not grow under a small step, not even by rounding.
    #[test]
    fn a_small_step_makes_nothing_grow() {
        let methods = [
            &super::super::symplectic_euler::ENTRY,
            &super::super::velocity_verlet::REUSED,
            &super::super::velocity_verlet::REEVALUATED,
        ];
        for row in methods {
            let region = row.from_defaults().expect("a method").capabilities().region;
            for hlambda in [1e-7, 1e-6, 1.02e-6, 3.1e-5, 1e-3] {
                for share in [0.0, 1e-12, 1e-6, 1e-3, 0.4] {
                    let growth = region.growth(hlambda, share * hlambda);
                    assert!(growth <= 1.0, "{}: {hlambda:e}, {share:e}: {growth:e}", row.name);
                }
            }
        }
    }
}
