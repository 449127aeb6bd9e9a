//! Coulomb's law, set-valued: in stick any force inside the cone, and no creep. Contacts that jump
//! velocities obey it; a scene cannot choose it as a force.

use super::super::regularisation::Regularisation;
use super::{FrictionLaw, Slip};
use crate::math::Vector;
use crate::state::memory::Coefficients;

/// |F| ≤ μ_s N at s = 0, F = −μ_k N v/s at s > 0.
#[derive(Debug, Clone, Copy)]
pub struct Coulomb;

impl FrictionLaw for Coulomb {
    /// The force in slip; zero at rest, where the law allows a set of forces.
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        match slip.velocity.norm() {
            0.0 => Vector::zeros(),
            s => slip.velocity * (-pair.kinetic_friction * slip.normal_force / s),
        }
    }

    fn sticks(&self, slip: &Slip, _pair: &Coefficients) -> bool {
        slip.velocity == Vector::zeros()
    }

    /// Zero: velocities jump, so no step has to resolve a friction rate.
    fn damping(&self, _slip: &Slip, _pair: &Coefficients) -> f64 {
        0.0
    }

    fn creep(&self, load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        (load_ratio <= 1.0).then_some(0.0)
    }

    /// None: it is the ideal.
    fn regularisation(&self) -> Regularisation {
        Regularisation::None
    }
}
