//! A tangential damper bounded by the cone: its viscosity is given and does not grow with N.

use super::super::regularisation::Regularisation;
use super::kinetic::Kinetic;
use super::{FrictionForm, FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::memory::Coefficients;

/// F = −k v while k s < μ_s N, and −μ_k N v̂ beyond.
///
/// k \[N·s/m\] per contact. With one coefficient |F| = min(k s, μ N). The law creeps at T/k for any
/// μ and N: a light contact creeps no faster than a heavy one. Explicit Euler needs h < 2m/k. With
/// μ_s > μ_k F jumps at s = μ_s N/k and is bistable there, as the threshold law at ε. This damper
/// capped by Coulomb's cone is used in granular dynamics \[haff1986\] and in game and robot
/// engines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ViscousCap {
    /// k \[N·s/m\].
    pub damping: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "viscous-cap",
    about: "damper of given k, capped by the cone: min(k|v|, μN); creeps at T/k, whatever μ and N",
    keys: &[Key {
        name: "damping",
        kind: Kind::Number { unit: "N·s/m", range: Range::Positive },
        default: Fallback::Required,
        about: "tangential damping k of one contact",
    }],
    page: Page {
        formula: "F = −k v            while k s < μ_s N\n\
            F = −(μ_k N/s) v    beyond\n\
            k [N·s/m] of one contact",
        creep: "v = T/k, whatever μ and N: the numbers below are μ_s N/k times ρ.",
        stiffness: "Damping k [N·s/m]: explicit Euler needs h < 2m/k, at any load.",
        when: "When the step is given and must be safe at any load. The price is creep in proportion to the load in newtons.",
        source: "Peter Haff and B. Werner 1986, Computer simulation of the mechanical sorting of grains [haff1986]",
    },
    make: |values| Ok(Box::new(ViscousCap { damping: values.number("damping") })),
};

impl FrictionLaw for ViscousCap {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        if self.sticks(slip, pair) {
            slip.velocity * -self.damping
        } else {
            Kinetic.force(slip, pair)
        }
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        if self.sticks(slip, pair) {
            let by_velocity = Matrix::identity() * -self.damping;
            SlipJacobian { by_velocity, ..SlipJacobian::default() }
        } else {
            Kinetic.derivative(slip, pair)
        }
    }

    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        self.damping * slip.velocity.norm() < pair.static_friction * slip.normal_force
    }

    fn damping(&self, _slip: &Slip, _pair: &Coefficients) -> f64 {
        self.damping
    }

    fn creep(&self, load_ratio: f64, normal_force: f64, pair: &Coefficients) -> Option<f64> {
        let load = load_ratio * pair.static_friction * normal_force;
        (load_ratio < 1.0).then_some(load / self.damping)
    }

    fn form(&self) -> FrictionForm {
        FrictionForm::CappedDamper { damping: self.damping }
    }

    /// The threshold μ_s N/k falls as the damping k grows.
    fn regularisation(&self) -> Regularisation {
        Regularisation::Keys(vec![(ENTRY.keys[0].name, self.damping, -1.0)])
    }
}
