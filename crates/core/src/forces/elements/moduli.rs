//! Moduli of an isotropic elastic material.

use crate::math::square::{Real, Square, square};

/// Lamé's two moduli. Source: \[bonet2008\].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moduli {
    /// λ \[Pa\].
    pub lambda: f64,
    /// μ, the shear modulus \[Pa\].
    pub mu: f64,
}

impl Moduli {
    /// λ = E ν/((1 + ν)(1 − 2ν)) and μ = E/(2(1 + ν)) of Young's modulus E \[Pa\] and Poisson's ratio ν,
    /// −1 < ν < ½.
    pub fn of(young: f64, poisson: f64) -> Self {
        Moduli {
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            mu: young / (2.0 * (1.0 + poisson)),
        }
    }

    /// Those of a sheet that is free across itself: λ = E ν/(1 − ν²), μ = E/(2(1 + ν)).
    pub fn plane_stress(young: f64, poisson: f64) -> Self {
        let lambda = young * poisson / (1.0 - poisson * poisson);
        Moduli { lambda, mu: young / (2.0 * (1.0 + poisson)) }
    }

    /// That of a line that is free across itself: 2μ = E.
    pub fn line(young: f64) -> Self {
        Moduli { lambda: 0.0, mu: 0.5 * young }
    }

    /// Hooke's law: C:ε = λ tr ε 1 + 2μ ε \[Pa\].
    #[inline(always)]
    pub fn stress<T: Real>(&self, strain: &Square<T>) -> Square<T> {
        let spread = strain.trace() * self.lambda;
        square!(R, C => {
            let own = strain.0[R][C] * (2.0 * self.mu);
            if R == C { own + spread } else { own }
        })
    }

    /// E = 4μ (λ + μ)/(λ + 2μ) \[Pa\], of a sheet's.
    pub fn young_of_sheet(&self) -> f64 {
        4.0 * self.mu * (self.lambda + self.mu) / (self.lambda + 2.0 * self.mu)
    }

    /// E = μ (3λ + 2μ)/(λ + μ) \[Pa\], Young's modulus.
    pub fn young(&self) -> f64 {
        self.mu * (3.0 * self.lambda + 2.0 * self.mu) / (self.lambda + self.mu)
    }
}
