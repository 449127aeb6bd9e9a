//! Smooth step to a peak of μ_s at ε and smooth fall to μ_k at 3ε: twice differentiable even where
//! μ_s ≠ μ_k, and without friction to first order in the slip at rest.

use super::FrictionLaw;
use super::ramp::{Chord, EPSILON, Ramp};
use crate::registry::{Entry, Page};
use crate::state::memory::Coefficients;

/// With u = s/ε and σ(t) = 10t³ − 15t⁴ + 6t⁵: F = −μ N v̂ with
///
/// ```text
/// μ = μ_s σ(u)                           u < 1
/// μ = μ_s − (μ_s − μ_k) σ((u − 1)/2)     1 ≤ u < 3
/// μ = μ_k                                3 ≤ u
/// ```
///
/// ε \[m/s\]. The slope at rest is zero, so a small load ρ creeps fast, at ε ∛(ρ/10); in general
/// the creep speed is found by bisection. Steepest at u = ½, 1.875 μ_s N/ε: explicit Euler needs
/// h < 1.07 m ε/(μ_s N). The fall is negative damping of up to 0.9375 (μ_s − μ_k) N/ε: between ε
/// and 3ε a loaded contact runs away, and an implicit step larger than m over that damping may find
/// two solutions. The continuous Stribeck friction of \[drake2019\].
#[derive(Debug, Clone, Copy)]
pub struct Quintic {
    /// ε \[m/s\].
    pub epsilon: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "quintic",
    about: "Drake's smooth step to μ_s at ε, then down to μ_k at 3ε; flat at rest, so small loads creep fast",
    keys: &[EPSILON],
    page: Page {
        formula: "With σ(t) = 10t³ − 15t⁴ + 6t⁵, u = s/ε: F = −μ N v/s,\n\
            μ = μ_s σ(u)                              for u < 1\n\
            μ = μ_s − (μ_s − μ_k) σ((u − 1)/2)        for 1 ≤ u < 3\n\
            μ = μ_k                                   for u ≥ 3",
        creep: "Near ε ∛(ρ/10) at small loads, for its slope at rest is zero: it creeps fast where others hardly move.",
        stiffness: "Damping up to 1.875 μ_s N/ε [N·s/m], at ε/2: explicit Euler needs h < 1.07 m ε/(μ_s N). From ε to 3ε the damping is negative.",
        when: "For μ_s > μ_k without a jump. Not to hold small loads.",
        source: "Russ Tedrake and the Drake Development Team 2019 [drake2019]",
    },
    make: |values| Ok(Box::new(Quintic { epsilon: values.number("epsilon") })),
};

/// σ(t).
fn step(t: f64) -> f64 {
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}

/// σ'(t).
fn step_slope(t: f64) -> f64 {
    30.0 * t * t * (1.0 - t) * (1.0 - t)
}

impl Ramp for Quintic {
    fn epsilon(&self) -> f64 {
        self.epsilon
    }

    fn chord(&self, u: f64, pair: &Coefficients) -> Chord {
        if u < 1.0 {
            return Chord {
                factor: pair.static_friction,
                quotient: u * u * (10.0 + u * (6.0 * u - 15.0)),
                bend: u * u * (20.0 + u * (24.0 * u - 45.0)),
            };
        }
        let (t, fall) = (0.5 * (u - 1.0), pair.static_friction - pair.kinetic_friction);
        let quotient = (pair.static_friction - fall * step(t)) / u;
        Chord { factor: 1.0, quotient, bend: -0.5 * fall * step_slope(t) - quotient }
    }

    fn steepest(&self, pair: &Coefficients) -> f64 {
        let fall = (pair.static_friction - pair.kinetic_friction).abs();
        1.875 * crate::math::larger(pair.static_friction, 0.5 * fall)
    }

    fn reach(&self) -> f64 {
        3.0
    }
}
