//! Kinetic friction only: the sign law. It opposes velocity, never sticks, and chatters about
//! zero at any fixed step; it is here so that this can be seen.

use super::{Coefficients, FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector};
use crate::registry::Entry;

/// F = −μ_k N v/s, zero at s = 0.
#[derive(Debug, Clone, Copy)]
pub struct Kinetic;

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "kinetic",
    about: "sign law −μ_k N v/|v|: right while sliding, chatters about zero instead of sticking",
    keys: &[],
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

    /// Across the slip direction the law damps with μ_k N/s, without bound as s → 0.
    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        let s = slip.velocity.norm();
        if s > 0.0 { pair.kinetic_friction * slip.normal_force / s } else { 0.0 }
    }

    fn crawl(&self, _load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        None
    }
}
