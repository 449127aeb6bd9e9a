//! Kinetic friction only: the sign law. It opposes velocity, never sticks, and chatters about zero at
//! any fixed step; included to show that.

use super::super::regularisation::Regularisation;
use super::{FrictionForm, FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector};
use crate::registry::{Entry, Page};
use crate::state::memory::Coefficients;

/// F = −μ_k N v/s, zero at s = 0.
#[derive(Debug, Clone, Copy)]
pub struct Kinetic;

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "kinetic",
    about: "sign law −μ_k N v/|v|: right while sliding, chatters about zero instead of sticking",
    keys: &[],
    page: Page {
        formula: "F = −μ_k N v/s, zero at s = 0\n\
            s = |v| slip speed [m/s], N normal force [N], F force on the particle [N]",
        creep: "No steady creep: it cannot hold. At any fixed step the velocity flips its sign with every step.",
        stiffness: "Unbounded as s → 0: across the slip it damps with μ_k N/s [N·s/m]. No step is small enough to stick.",
        when: "For bodies that slide throughout, and to see what chatter is. Not for anything that should come to rest.",
        source: "David Baraff 1991, Coping with Friction for Non-penetrating Rigid Body Simulation [baraff1991]",
    },
    make: |_| Ok(Box::new(Kinetic)),
};

impl FrictionLaw for Kinetic {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let s = slip.velocity.norm();
        if s > 0.0 {
            slip.velocity * (-pair.kinetic_friction * slip.normal_force / s)
        } else {
            Vector::zeros()
        }
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        let s = slip.velocity.norm();
        if s <= 0.0 {
            return SlipJacobian::default();
        }
        let t = slip.velocity / s;
        let scale = pair.kinetic_friction * slip.normal_force / s;
        SlipJacobian {
            by_displacement: Matrix::zeros(),
            by_velocity: (t * t.transpose() - Matrix::identity()) * scale,
            by_normal_force: t * -pair.kinetic_friction,
        }
    }

    fn sticks(&self, _slip: &Slip, _pair: &Coefficients) -> bool {
        false
    }

    /// Across the slip direction the law's damping is μ_k N/s, unbounded as s → 0.
    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        let s = slip.velocity.norm();
        if s > 0.0 { pair.kinetic_friction * slip.normal_force / s } else { 0.0 }
    }

    fn creep(&self, _load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        None
    }

    fn form(&self) -> FrictionForm {
        FrictionForm::Coulomb
    }

    /// None: in slip it is Coulomb's law, and at rest its chatter falls with the step.
    fn regularisation(&self) -> Regularisation {
        Regularisation::None
    }
}
