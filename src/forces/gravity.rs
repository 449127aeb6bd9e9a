//! Uniform gravity.

use super::{BlockSink, Force};
use crate::expression::time_curve::TimeCurve;
use crate::forces::account::{Account, Ledger};
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::Memory;

/// F_i = m_i g s(t); potential energy −s Σ m_i g·x_i, and where s changes, the power −s' Σ m_i g·x_i
/// is put in.
#[derive(Debug, Clone)]
pub struct Gravity {
    /// g \[m/s²\].
    pub acceleration: Vector,
    /// m_i \[kg\].
    pub masses: Vec<f64>,
    /// s(t); 1 where there is none.
    pub factor: Option<TimeCurve>,
}

impl Gravity {
    /// s and s' \[1/s\].
    fn factor_at(&self, at: &Configuration) -> [f64; 2] {
        self.factor.as_ref().map_or([1.0, 0.0], |s| s.at(at.time, at.within_step))
    }
}

impl Force for Gravity {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        let acceleration = self.acceleration * self.factor_at(at)[0];
        for (f, m) in f.iter_mut().zip(&self.masses) {
            *f += acceleration * *m;
        }
    }

    fn add_jacobian(&self, _at: &Configuration, _into: &mut dyn BlockSink) {}

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
        let [factor, rate] = self.factor_at(at);
        let Ledger { census, total, shares, .. } = ledger;
        for (group, moments) in census.iter() {
            let height = self.acceleration.dot(&moments.first);
            let enter = |account: &mut Account| {
                account.gravity -= factor * height;
                account.work -= rate * height;
            };
            enter(total);
            if let Some(share) = shares.get_mut(group.island) {
                enter(share);
            }
        }
    }
}
