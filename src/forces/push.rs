//! A prescribed force on some particles.

use super::{Account, BlockSink, Force};
use crate::contact::Memory;
use crate::math::Vector;
use crate::state::Configuration;

/// The same force on each of its particles, from a time, rising linearly over `ramp`, until a
/// time.
#[derive(Debug, Clone)]
pub struct Push {
    /// Which particles.
    pub particles: Vec<usize>,
    /// Force on each \[N\].
    pub force: Vector,
    /// Start \[s\].
    pub from: f64,
    /// End \[s\].
    pub until: f64,
    /// Rise time counted from the start \[s\]; zero for a sudden push.
    pub ramp: f64,
}

impl Push {
    /// The force on each particle at time `t` \[N\].
    pub fn force_at(&self, t: f64) -> Vector {
        if t < self.from || t >= self.until {
            Vector::zeros()
        } else if t - self.from < self.ramp {
            self.force * ((t - self.from) / self.ramp)
        } else {
            self.force
        }
    }
}

impl Force for Push {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        let force = self.force_at(at.time);
        for &i in &self.particles {
            f[i] += force;
        }
    }

    fn add_jacobian(&self, _at: &Configuration, _into: &mut dyn BlockSink) {}

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        account: &mut Account,
        _next: &mut Memory,
    ) {
        let force = self.force_at(at.time);
        for &i in &self.particles {
            f[i] += force;
            account.work += force.dot(&at.velocities[i]);
        }
    }
}
