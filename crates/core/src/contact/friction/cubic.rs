//! Cubic mollifier: twice differentiable at ε if μ_s = μ_k, and at rest three times as steep as the
//! threshold law.

use super::FrictionLaw;
use super::ramp::{Chord, EPSILON, Ramp};
use crate::math::pow;
use crate::registry::{Entry, Page};
use crate::state::memory::Coefficients;

/// F = −(μ_s N/ε) (3 − 3u + u²) v for u = s/ε < 1, and −(μ_k N/s) v above.
///
/// f(u) = 1 − (1 − u)³, whose first and second derivative vanish at u = 1; ε \[m/s\]. Creeps at
/// ε (1 − ∛(1 − ρ)). Steepest at rest, 3 μ_s N/ε: explicit Euler needs h < ⅔ m ε/(μ_s N). The
/// mollifier of order two of \[li2020ipc\].
#[derive(Debug, Clone, Copy)]
pub struct Cubic {
    /// ε \[m/s\].
    pub epsilon: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "cubic",
    about: "mollifier 1 − (1 − u)³ below ε: twice differentiable, a third of the creep, thrice as stiff",
    keys: &[EPSILON],
    page: Page {
        formula: "F = −(μ_s N/ε) (3 − 3u + u²) v      for u = s/ε < 1\n\
            F = −(μ_k N/s) v                    for u ≥ 1",
        creep: "v = ε (1 − ∛(1 − ρ)): a third of the threshold law's at small loads.",
        stiffness: "Damping 3 μ_s N/ε [N·s/m] at rest: explicit Euler needs h < ⅔ m ε/(μ_s N).",
        when: "With implicit methods that want a second derivative, or to creep less at the same ε; explicit methods pay with a third of the step.",
        source: "Minchen Li and others 2020, Incremental Potential Contact [li2020ipc]",
    },
    make: |values| Ok(Box::new(Cubic { epsilon: values.number("epsilon") })),
};

impl Ramp for Cubic {
    fn epsilon(&self) -> f64 {
        self.epsilon
    }

    fn chord(&self, u: f64, pair: &Coefficients) -> Chord {
        Chord {
            factor: pair.static_friction,
            quotient: 3.0 - 3.0 * u + u * u,
            bend: u * (2.0 * u - 3.0),
        }
    }

    fn steepest(&self, pair: &Coefficients) -> f64 {
        3.0 * pair.static_friction
    }

    fn reach(&self) -> f64 {
        1.0
    }

    fn creep(&self, load_ratio: f64, _pair: &Coefficients) -> Option<f64> {
        (load_ratio < 1.0).then(|| 1.0 - pow(1.0 - load_ratio, 1.0 / 3.0))
    }

    fn suits_search(&self) -> bool {
        true
    }
}
