//! Thresholded static friction: below the slip speed ε friction is viscous with the slope that
//! reaches the cone at ε. It holds by creeping.

use super::{Coefficients, FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector};
use crate::registry::{Entry, Fallback, Key, Kind, Range};

/// F = −(μ_s N/ε) v for s < ε, and −(μ_k N/s) v for s ≥ ε.
///
/// Creeps at ε T/(μ_s N) under a tangential load T. With μ_s > μ_k it is discontinuous and
/// bistable at s = ε. Source: \[baraff1991\], \[lander2000\].
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    /// ε \[m/s\].
    pub epsilon: f64,
}

/// The key of the threshold speed, shared by the regularised laws.
pub(super) const EPSILON: Key = Key {
    name: "epsilon",
    kind: Kind::Number { unit: "m/s", range: Range::Positive },
    default: Fallback::Number(1e-3),
    about: "threshold slip speed ε below which the contact sticks, by creeping",
};

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "threshold",
    about: "Baraff's ramp to μ_s N below ε, then μ_k N; holds by creeping at ε T/(μ_s N)",
    keys: &[EPSILON],
    make: |values| Ok(Box::new(Threshold { epsilon: values.number("epsilon") })),
};

impl FrictionLaw for Threshold {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let s = slip.velocity.norm();
        if s < self.epsilon {
            slip.velocity * (-pair.static_friction * slip.normal_force / self.epsilon)
        } else {
            slip.velocity * (-pair.kinetic_friction * slip.normal_force / s)
        }
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        let s = slip.velocity.norm();
        if s < self.epsilon {
            SlipJacobian {
                by_displacement: Matrix::zeros(),
                by_velocity: Matrix::identity()
                    * (-pair.static_friction * slip.normal_force / self.epsilon),
                by_normal_force: slip.velocity * (-pair.static_friction / self.epsilon),
            }
        } else {
            let t = slip.velocity / s;
            let scale = pair.kinetic_friction * slip.normal_force / s;
            SlipJacobian {
                by_displacement: Matrix::zeros(),
                by_velocity: (t * t.transpose() - Matrix::identity()) * scale,
                by_normal_force: t * -pair.kinetic_friction,
            }
        }
    }

    fn sticks(&self, slip: &Slip, _pair: &Coefficients) -> bool {
        slip.velocity.norm() < self.epsilon
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        pair.static_friction * slip.normal_force / self.epsilon
    }

    fn crawl(&self, load_ratio: f64) -> Option<f64> {
        (load_ratio < 1.0).then_some(self.epsilon * load_ratio)
    }

    fn threshold(&self) -> f64 {
        self.epsilon
    }
}
