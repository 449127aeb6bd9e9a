//! Friction that tends to the cone as u/√(1 + u²): one formula for all speeds, smooth everywhere.

use super::ramp::{Chord, EPSILON, Ramp};
use super::{FrictionForm, FrictionLaw};
use crate::math::sqrt;
use crate::registry::{Entry, Page};
use crate::state::memory::Coefficients;

/// F = −μ_k N v/√(ε² + s²), that is f(u) = u/√(1 + u²) with u = s/ε; ε \[m/s\].
///
/// One coefficient, the kinetic: the law has no peak. Under the load T it creeps at ε r/√(1 − r²)
/// with r = T/(μ_k N), which is ρ when the coefficients are equal. Steepest at rest, μ_k N/ε:
/// explicit Euler needs h < 2 m ε/(μ_k N). It reaches the cone slowly: 1 − f ≈ 1/(2u²). One of the
/// classical smoothings of the sign law, see the review \[pennestri2016\].
#[derive(Debug, Clone, Copy)]
pub struct Hyperbolic {
    /// ε \[m/s\].
    pub epsilon: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "hyperbolic",
    about: "μ_k N u/√(1 + u²): smooth at every speed, reaches the cone slowly; no static peak",
    keys: &[EPSILON],
    page: Page {
        formula: "F = −μ_k N v/√(ε² + s²)",
        creep: "v = ε r/√(1 − r²), with r = T/(μ_k N).",
        stiffness: "Damping μ_k N/ε [N·s/m] at rest: explicit Euler needs h < 2 m ε/(μ_k N).",
        when: "One smooth formula for all speeds and one coefficient. It reaches the cone slowly: at 10 ε it still lacks half a percent.",
        source: "Ettore Pennestrì and others 2016, a review of dry friction models [pennestri2016]",
    },
    make: |values| Ok(Box::new(Hyperbolic { epsilon: values.number("epsilon") })),
};

impl Ramp for Hyperbolic {
    fn epsilon(&self) -> f64 {
        self.epsilon
    }

    fn chord(&self, u: f64, pair: &Coefficients) -> Chord {
        let square = 1.0 + u * u;
        let quotient = 1.0 / sqrt(square);
        Chord { factor: pair.kinetic_friction, quotient, bend: -u * u / square * quotient }
    }

    fn steepest(&self, pair: &Coefficients) -> f64 {
        pair.kinetic_friction
    }

    fn creep(&self, load_ratio: f64, pair: &Coefficients) -> Option<f64> {
        let ratio = load_ratio * (pair.static_friction / pair.kinetic_friction);
        (ratio < 1.0).then(|| ratio / sqrt((1.0 - ratio) * (1.0 + ratio)))
    }

    fn suits_search(&self) -> bool {
        true
    }

    fn form(&self) -> FrictionForm {
        FrictionForm::Coulomb
    }
}
