//! Elastic–plastic friction with memory: a tangential spring that slides at the cone. It does
//! not creep: under a load inside the cone the particle rests at the elastic offset T/k.

use super::super::regularisation::Regularisation;
use super::{FrictionForm, FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector, larger, smaller};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::memory::Coefficients;

/// With T = −(k ξ + c v), ξ the stretch since the contact began: F = T while |T| ≤ μ_s N; beyond,
/// F = μ_k N T/|T| and a stretch longer than μ_k N/k is cut to that.
///
/// A contact that slid at the last commit sticks again once |T| ≤ μ_k N. Source:
/// \[cundall1979\].
#[derive(Debug, Clone, Copy)]
pub struct CundallStrack {
    /// k \[N/m\].
    pub stiffness: f64,
    /// c \[N·s/m\].
    pub damping: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "cundall-strack",
    about: "tangential spring that slides at the cone: holds without creep, at the elastic offset T/k",
    keys: &[
        Key {
            name: "stiffness",
            kind: Kind::Number { unit: "N/m", range: Range::Positive },
            default: Fallback::Required,
            about: "tangential stiffness k",
        },
        Key {
            name: "damping",
            kind: Kind::Number { unit: "N·s/m", range: Range::NonNegative },
            default: Fallback::Number(0.0),
            about: "tangential damping c while sticking",
        },
    ],
    page: Page {
        formula: "With the stretch ξ since contact began and T = −(k ξ + c v):\n\
            F = T                   while |T| ≤ μ_s N\n\
            F = μ_k N T/|T|         beyond, and the stretch is cut to |ξ| ≤ μ_k N/k",
        creep: "None: it rests at the elastic offset T/k.",
        stiffness: "Stiffness k [N/m] and damping c [N·s/m]: ω = √(k/m) and c/m limit an explicit step, as for any spring.",
        when: "When something must really hold still. Choose k so that the offset μ N/k is small, and c near 2 √(k m) so that it comes to rest.",
        source: "Peter Cundall and Otto Strack 1979, A discrete numerical model for granular assemblies [cundall1979]",
    },
    make: |values| {
        Ok(Box::new(CundallStrack {
            stiffness: values.number("stiffness"),
            damping: values.number("damping"),
        }))
    },
};

impl CundallStrack {
    /// Minus the force the tangential spring and damper would give without a cone \[N\].
    fn load(&self, slip: &Slip) -> Vector {
        (slip.stretch + slip.displacement) * self.stiffness + slip.velocity * self.damping
    }

    /// The longest stretch in slip, μ_k N/k \[m\].
    fn longest(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        pair.kinetic_friction * slip.normal_force / self.stiffness
    }

    /// The largest load that still sticks \[N\].
    fn capacity(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        let mu = if slip.sliding { pair.kinetic_friction } else { pair.static_friction };
        mu * slip.normal_force
    }
}

impl FrictionLaw for CundallStrack {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let load = self.load(slip);
        let size = load.norm();
        if size <= self.capacity(slip, pair) {
            -load
        } else {
            load * (-pair.kinetic_friction * slip.normal_force / size)
        }
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        let load = self.load(slip);
        let size = load.norm();
        if size <= self.capacity(slip, pair) {
            return SlipJacobian {
                by_displacement: Matrix::identity() * -self.stiffness,
                by_velocity: Matrix::identity() * -self.damping,
                by_normal_force: Vector::zeros(),
            };
        }
        let t = load / size;
        let across = (t * t.transpose() - Matrix::identity())
            * (pair.kinetic_friction * slip.normal_force / size);
        SlipJacobian {
            by_displacement: across * self.stiffness,
            by_velocity: across * self.damping,
            by_normal_force: t * -pair.kinetic_friction,
        }
    }

    fn relax(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let stretch = slip.stretch + slip.displacement;
        if self.sticks(slip, pair) {
            return stretch;
        }
        let longest = self.longest(slip, pair);
        let length = stretch.norm();
        if length > 0.0 { stretch * (smaller(length, longest) / length) } else { stretch }
    }

    /// v, without the part that would lengthen a stretch at the cone.
    fn rate(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        if self.sticks(slip, pair) {
            return slip.velocity;
        }
        let stretch = self.relax(slip, pair);
        let (length, longest) = (stretch.norm(), self.longest(slip, pair));
        if length <= 0.0 || length < longest * (1.0 - 1e-9) {
            return slip.velocity;
        }
        let along = stretch / length;
        slip.velocity - along * larger(slip.velocity.dot(&along), 0.0)
    }

    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        self.load(slip).norm() <= self.capacity(slip, pair)
    }

    fn damping(&self, _slip: &Slip, _pair: &Coefficients) -> f64 {
        self.damping
    }

    fn stiffness(&self) -> f64 {
        self.stiffness
    }

    fn creep(&self, load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        (load_ratio < 1.0).then_some(0.0)
    }

    fn has_memory(&self) -> bool {
        true
    }

    fn form(&self) -> FrictionForm {
        FrictionForm::CappedSpring { stiffness: self.stiffness, damping: self.damping }
    }

    fn suits_search(&self) -> bool {
        true
    }

    /// The stretch T/k falls with k; c/√k stays, and with it the damping ratio.
    fn regularisation(&self) -> Regularisation {
        Regularisation::Keys(vec![
            ("stiffness", self.stiffness, -2.0),
            ("damping", self.damping, -1.0),
        ])
    }
}
