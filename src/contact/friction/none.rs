//! No friction at all: the yardstick.

use super::{Coefficients, FrictionLaw, Slip, SlipJacobian};
use crate::math::Vector;
use crate::registry::Entry;

/// F = 0.
#[derive(Debug, Clone, Copy)]
pub struct None;

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> =
    Entry { name: "none", about: "no friction", keys: &[], make: |_| Ok(Box::new(None)) };

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

    fn damping(&self, _slip: &Slip, _pair: &Coefficients) -> f64 {
        0.0
    }

    fn crawl(&self, _load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        Option::None
    }
}
