//! Uniform gravity.

use super::{BlockSink, Force};
use crate::expression::time_curve::TimeCurve;
use crate::forces::account::{Account, Ledger};
use crate::forces::crew::Crew;
use crate::math::weighted::add_along;
use crate::math::{Vector, flat_mut};
use crate::state::Configuration;
use crate::state::memory::Memory;
use std::sync::Arc;

/// F_i = m_i g s(t); potential energy −Σ m_i g·x_i. Where s follows time there is no potential: gravity
/// then puts in the power s Σ m_i g·v_i, whatever the origin.
#[derive(Debug, Clone)]
pub struct Gravity {
    /// g \[m/s²\].
    pub acceleration: Vector,
    /// m_i \[kg\].
    pub masses: Vec<f64>,
    /// s(t); 1 where there is none.
    pub factor: Option<TimeCurve>,
    /// The threads that share the particles.
    pub crew: Arc<Crew>,
}

impl Gravity {
    /// s.
    fn factor_at(&self, at: &Configuration) -> f64 {
        self.factor.as_ref().map_or(1.0, |s| s.at(at.time, at.within_step)[0])
    }
}

impl Force for Gravity {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        let acceleration = self.acceleration * self.factor_at(at);
        self.crew.share(f, |own, f| add_along(flat_mut(f), acceleration, &self.masses[own]));
    }

    fn add_jacobian(&self, _at: &Configuration, _into: &mut dyn BlockSink) {}

    fn time_curve(&self) -> Option<(&'static str, &TimeCurve)> {
        self.factor.as_ref().map(|curve| ("the factor of gravity", curve))
    }

    fn add_switches(&self, into: &mut Vec<f64>) {
        into.extend(self.factor.iter().flat_map(TimeCurve::corners));
    }

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        ledger: &mut Ledger,
        _next: &mut Memory,
    ) {
        self.add_force(at, f);
        let factor = self.factor_at(at);
        let Ledger { census, total, shares, .. } = ledger;
        for (group, moments) in census.iter() {
            let enter = |account: &mut Account| match &self.factor {
                None => account.gravity -= self.acceleration.dot(&moments.first),
                Some(_) => account.work += factor * self.acceleration.dot(&moments.momentum),
            };
            enter(total);
            if let Some(share) = shares.get_mut(group.island) {
                enter(share);
            }
        }
    }
}
