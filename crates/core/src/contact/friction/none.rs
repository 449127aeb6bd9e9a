//! No friction at all: the baseline of comparisons.

use super::super::regularisation::Regularisation;
use super::{FrictionForm, FrictionLaw, Slip, SlipJacobian};
use crate::math::Vector;
use crate::registry::{Entry, Page};
use crate::state::memory::Coefficients;

/// F = 0.
#[derive(Debug, Clone, Copy)]
pub struct None;

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "none",
    about: "no friction",
    keys: &[],
    page: Page {
        formula: "F = 0",
        creep: "No steady creep: a tangential load accelerates the contact.",
        stiffness: "None: it sets no limit to the step.",
        when: "As the yardstick: what a scene does without friction, and what its springs and contacts dissipate by themselves.",
        source: "By definition; the limit μ = 0 of Coulomb's law as told by David Baraff 1991, Coping with Friction for Non-penetrating Rigid Body Simulation [baraff1991]",
    },
    make: |_| Ok(Box::new(None)),
};

impl FrictionLaw for None {
    fn force(&self, _slip: &Slip, _pair: &Coefficients) -> Vector {
        Vector::zeros()
    }

    fn derivative(&self, _slip: &Slip, _pair: &Coefficients) -> SlipJacobian {
        SlipJacobian::default()
    }

    fn sticks(&self, _slip: &Slip, _pair: &Coefficients) -> bool {
        false
    }

    fn is_kinked(&self) -> bool {
        false
    }

    fn damping(&self, _slip: &Slip, _pair: &Coefficients) -> f64 {
        0.0
    }

    fn creep(&self, _load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        Option::None
    }

    fn form(&self) -> FrictionForm {
        FrictionForm::Frictionless
    }

    /// None: it is what it stands for.
    fn regularisation(&self) -> Regularisation {
        Regularisation::None
    }
}
