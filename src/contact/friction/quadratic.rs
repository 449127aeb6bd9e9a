//! Quadratic mollifier: the threshold law without the kink, at twice the slope.

use super::threshold::EPSILON;
use super::{Coefficients, FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector, sqrt};
use crate::registry::Entry;

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
    make: |values| Ok(Box::new(Quadratic { epsilon: values.number("epsilon") })),
};

impl FrictionLaw for Quadratic {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let s = slip.velocity.norm();
        let u = s / self.epsilon;
        if u < 1.0 {
            let per_speed = pair.static_friction * slip.normal_force / self.epsilon * (2.0 - u);
            slip.velocity * -per_speed
        } else {
            slip.velocity * (-pair.kinetic_friction * slip.normal_force / s)
        }
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        let s = slip.velocity.norm();
        let u = s / self.epsilon;
        let t = if s > 0.0 { slip.velocity / s } else { Vector::zeros() };
        let (by_velocity, by_normal_force) = if u < 1.0 {
            let slope = pair.static_friction * slip.normal_force / self.epsilon;
            (
                (t * t.transpose() * u - Matrix::identity() * (2.0 - u)) * slope,
                slip.velocity * (-pair.static_friction / self.epsilon * (2.0 - u)),
            )
        } else {
            let scale = pair.kinetic_friction * slip.normal_force / s;
            ((t * t.transpose() - Matrix::identity()) * scale, t * -pair.kinetic_friction)
        };
        SlipJacobian { by_displacement: Matrix::zeros(), by_velocity, by_normal_force }
    }

    fn sticks(&self, slip: &Slip, _pair: &Coefficients) -> bool {
        slip.velocity.norm() < self.epsilon
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        2.0 * pair.static_friction * slip.normal_force / self.epsilon
    }

    fn crawl(&self, load_ratio: f64) -> Option<f64> {
        (load_ratio < 1.0).then(|| self.epsilon * (1.0 - sqrt(1.0 - load_ratio)))
    }

    fn threshold(&self) -> f64 {
        self.epsilon
    }
}
