//! Quadratic mollifier: without the threshold law's kink at ε if μ_s = μ_k, and at rest twice as
//! steep.

use super::FrictionLaw;
use super::ramp::{Chord, EPSILON, Ramp};
use crate::math::sqrt;
use crate::registry::{Entry, Page};
use crate::state::memory::Coefficients;

/// F = −(μ_s N/ε) (2 − u) v for u = s/ε < 1, and −(μ_k N/s) v above.
///
/// f(u) = 2u − u²; creeps at ε (1 − √(1 − ρ)). Source: \[li2020ipc\].
#[derive(Debug, Clone, Copy)]
pub struct Quadratic {
    /// ε \[m/s\].
    pub epsilon: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "quadratic",
    about: "IPC's mollifier 2u − u² below ε: smooth for Newton, creeps half as fast, twice as stiff",
    keys: &[EPSILON],
    page: Page {
        formula: "F = −(μ_s N/ε) (2 − u) v      for u = s/ε < 1\n\
            F = −(μ_k N/s) v              for u ≥ 1",
        creep: "v = ε (1 − √(1 − ρ)): half of the threshold law's at small loads.",
        stiffness: "Damping 2 μ_s N/ε [N·s/m] at rest: explicit Euler needs h < m ε/(μ_s N).",
        when: "With implicit methods: without a kink at ε when μ_s = μ_k, so Newton's iteration has an easier time.",
        source: "Minchen Li and others 2020, Incremental Potential Contact [li2020ipc]",
    },
    make: |values| Ok(Box::new(Quadratic { epsilon: values.number("epsilon") })),
};

impl Ramp for Quadratic {
    fn epsilon(&self) -> f64 {
        self.epsilon
    }

    fn chord(&self, u: f64, pair: &Coefficients) -> Chord {
        Chord { factor: pair.static_friction, quotient: 2.0 - u, bend: -u }
    }

    fn steepest(&self, pair: &Coefficients) -> f64 {
        2.0 * pair.static_friction
    }

    fn reach(&self) -> f64 {
        1.0
    }

    fn creep(&self, load_ratio: f64, _pair: &Coefficients) -> Option<f64> {
        (load_ratio < 1.0).then(|| 1.0 - sqrt(1.0 - load_ratio))
    }

    fn suits_search(&self) -> bool {
        true
    }
}
