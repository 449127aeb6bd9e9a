//! Friction that tends to the cone as tanh u: smooth everywhere, and at the cone within a few ε.

use super::ramp::{Chord, EPSILON, Ramp};
use super::{FrictionForm, FrictionLaw};
use crate::math::{log, tanh};
use crate::registry::{Entry, Page};
use crate::state::memory::Coefficients;

/// F = −μ_k N tanh(u) v̂ with u = s/ε; ε \[m/s\].
///
/// One coefficient, the kinetic: the law has no peak. Under the load T it creeps at ε atanh r with
/// r = T/(μ_k N), which is ρ when the coefficients are equal. Steepest at rest, μ_k N/ε: explicit
/// Euler needs h < 2 m ε/(μ_k N). It reaches the cone fast: 1 − f ≈ 2 e^{−2u}. One of the
/// classical smoothings of the sign law, see the review \[pennestri2016\].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tanh {
    /// ε \[m/s\].
    pub epsilon: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "tanh",
    about: "μ_k N tanh u: smooth at every speed, on the cone within a few ε; no static peak",
    keys: &[EPSILON],
    page: Page {
        formula: "F = −μ_k N tanh(s/ε) v/s",
        creep: "v = ε artanh(r), with r = T/(μ_k N).",
        stiffness: "Damping μ_k N/ε [N·s/m] at rest: explicit Euler needs h < 2 m ε/(μ_k N).",
        when: "As hyperbolic, and on the cone within a few ε: the usual smooth choice for measuring the order of a method.",
        source: "Ettore Pennestrì and others 2016, a review of dry friction models [pennestri2016]",
    },
    make: |values| Ok(Box::new(Tanh { epsilon: values.number("epsilon") })),
};

/// tanh(u)/u, one at rest.
pub(super) fn quotient(u: f64) -> f64 {
    if u < 1e-4 { 1.0 - u * u / 3.0 } else { tanh(u) / u }
}

impl Ramp for Tanh {
    fn epsilon(&self) -> f64 {
        self.epsilon
    }

    fn chord(&self, u: f64, pair: &Coefficients) -> Chord {
        let (quotient, tanh) = (quotient(u), tanh(u));
        let slope = (1.0 - tanh) * (1.0 + tanh);
        Chord { factor: pair.kinetic_friction, quotient, bend: slope - quotient }
    }

    fn steepest(&self, pair: &Coefficients) -> f64 {
        pair.kinetic_friction
    }

    fn creep(&self, load_ratio: f64, pair: &Coefficients) -> Option<f64> {
        let ratio = load_ratio * (pair.static_friction / pair.kinetic_friction);
        (ratio < 1.0).then(|| 0.5 * log((1.0 + ratio) / (1.0 - ratio)))
    }

    fn suits_search(&self) -> bool {
        true
    }

    fn form(&self) -> FrictionForm {
        FrictionForm::Coulomb
    }
}
