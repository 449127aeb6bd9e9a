//! A prescribed force on some particles.

use super::regime::{Acting, Regime};
use super::span::Span;
use super::{BlockSink, Force};
use crate::expression::time_curve::TimeCurve;
use crate::forces::account::Ledger;
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::Memory;

/// The same force F s(t) on each particle within a span of time; it rises linearly over `ramp` from the
/// start.
#[derive(Debug, Clone)]
pub struct PushForce {
    /// The particles.
    pub particles: Vec<usize>,
    /// Force on each \[N\].
    pub force: Vector,
    /// Time span.
    pub span: Span,
    /// Rise time counted from the start \[s\]; zero for a sudden push.
    pub ramp: f64,
    /// s(t); 1 where there is none.
    pub factor: Option<TimeCurve>,
}

impl PushForce {
    /// The force on each particle \[N\].
    pub(crate) fn force_at(&self, at: &Configuration) -> Vector {
        let since = at.time - self.span.from;
        let factor = self.factor.as_ref().map_or(1.0, |s| s.at(at.time, at.within_step)[0]);
        if !self.span.contains(at) {
            Vector::zeros()
        } else if self.ramp == 0.0 || since >= self.ramp {
            self.force * factor
        } else {
            self.force * (factor * since / self.ramp)
        }
    }
}

impl Force for PushForce {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        let force = self.force_at(at);
        for &i in &self.particles {
            f[i] += force;
        }
    }

    fn add_jacobian(&self, _at: &Configuration, _into: &mut dyn BlockSink) {}

    fn add_regimes(&self, at: &Configuration, into: &mut Vec<Regime>) {
        into.push(Regime::Load(if !self.span.contains(at) {
            Acting::Not
        } else if at.time - self.span.from < self.ramp {
            Acting::Rising
        } else {
            Acting::Fully
        }));
    }

    fn pushed(&self, at: &Configuration) -> Option<(&[usize], Vector)> {
        Some((&self.particles, self.force_at(at)))
    }

    fn time_curve(&self) -> Option<(&'static str, &TimeCurve)> {
        self.factor.as_ref().map(|curve| ("the factor of a push", curve))
    }

    fn add_switches(&self, into: &mut Vec<f64>) {
        into.extend([self.span.from, self.span.from + self.ramp, self.span.until]);
        into.extend(self.factor.iter().flat_map(TimeCurve::corners));
    }

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        ledger: &mut Ledger,
        _next: &mut Memory,
    ) {
        let force = self.force_at(at);
        for &i in &self.particles {
            f[i] += force;
            let power = force.dot(&at.velocities[i]);
            ledger.enter(i, |account| account.work += power);
        }
    }
}
