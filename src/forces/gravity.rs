//! Uniform gravity.

use super::{BlockSink, Force};
use crate::forces::account::Ledger;
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::Memory;

/// F_i = m_i g; potential energy −Σ m_i g·x_i.
#[derive(Debug, Clone)]
pub struct Gravity {
    /// g \[m/s²\].
    pub acceleration: Vector,
    /// m_i \[kg\].
    pub masses: Vec<f64>,
}

impl Force for Gravity {
    fn add_force(&self, _at: &Configuration, f: &mut [Vector]) {
        for (f, m) in f.iter_mut().zip(&self.masses) {
            *f += self.acceleration * *m;
        }
    }

    fn add_jacobian(&self, _at: &Configuration, _into: &mut dyn BlockSink) {}

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        ledger: &mut Ledger,
        _next: &mut Memory,
    ) {
        self.add_force(at, f);
        let Ledger { census, total, shares, .. } = ledger;
        for (group, moments) in census.iter() {
            let stored = self.acceleration.dot(&moments.first);
            total.gravity -= stored;
            if let Some(share) = shares.get_mut(group.island) {
                share.gravity -= stored;
            }
        }
    }
}
