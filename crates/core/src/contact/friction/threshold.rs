//! Thresholded static friction: below ε friction is linear in the slip speed and reaches μ_s N at ε. A
//! contact under load creeps.

use super::FrictionLaw;
use super::ramp::{Chord, EPSILON, Ramp};
use crate::registry::{Entry, Page};
use crate::state::memory::Coefficients;

/// F = −(μ_s N/ε) v for s < ε, and −(μ_k N/s) v for s ≥ ε.
///
/// Creeps at ε T/(μ_s N) under a tangential load T. With μ_s > μ_k the force is discontinuous and
/// the slip bistable at s = ε. Source: \[baraff1991\], \[lander2000\].
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    /// ε \[m/s\].
    pub epsilon: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "threshold",
    about: "Baraff's ramp to μ_s N below ε, then μ_k N; holds by creeping at ε T/(μ_s N)",
    keys: &[EPSILON],
    page: Page {
        formula: "F = −(μ_s N/ε) v      for s < ε\n\
            F = −(μ_k N/s) v      for s ≥ ε\n\
            s = |v| [m/s], N [N], ε [m/s]",
        creep: "v = ε ρ, in proportion to the load; on an incline of angle a, ε tan(a)/μ_s.",
        stiffness: "Damping μ_s N/ε [N·s/m] while it sticks: explicit Euler needs h < 2 m ε/(μ_s N) with the mass and N of one particle.",
        when: "The plain choice, and the easiest to reckon with. With μ_s > μ_k it jumps at s = ε; take quintic or stribeck where that hurts an adaptive or implicit method.",
        source: "David Baraff 1991, Coping with Friction for Non-penetrating Rigid Body Simulation [baraff1991]; Jeff Lander 2000, The Trials and Tribulations of Tribology [lander2000]",
    },
    make: |values| Ok(Box::new(Threshold { epsilon: values.number("epsilon") })),
};

impl Ramp for Threshold {
    fn epsilon(&self) -> f64 {
        self.epsilon
    }

    fn chord(&self, _u: f64, pair: &Coefficients) -> Chord {
        Chord { factor: pair.static_friction, quotient: 1.0, bend: 0.0 }
    }

    fn steepest(&self, pair: &Coefficients) -> f64 {
        pair.static_friction
    }

    fn reach(&self) -> f64 {
        1.0
    }

    fn creep(&self, load_ratio: f64, _pair: &Coefficients) -> Option<f64> {
        (load_ratio < 1.0).then_some(load_ratio)
    }

    fn suits_search(&self) -> bool {
        true
    }
}
