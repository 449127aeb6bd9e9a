//! Linear drag, to let a scene settle.

use super::regime::{Acting, Regime};
use super::span::Span;
use super::{BlockSink, Force};
use crate::forces::account::Ledger;
use crate::forces::census::Group;
use crate::math::weighted::subtract_damped;
use crate::math::{Matrix, Vector, flat, flat_mut};
use crate::state::Configuration;
use crate::state::memory::Memory;
use std::ops::Range;

/// F_i = −rate m_i v_i on all particles of a body, or of all, within a span of time.
#[derive(Debug, Clone)]
pub struct DragForce {
    /// The particles.
    pub particles: Range<usize>,
    /// Rate \[1/s\].
    pub rate: f64,
    /// Time span.
    pub span: Span,
    /// m_i of those particles \[kg\].
    pub masses: Vec<f64>,
}

impl Force for DragForce {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        if !self.span.contains(at) {
            return;
        }
        let own = self.particles.clone();
        let (f, v) = (flat_mut(&mut f[own.clone()]), flat(&at.velocities[own]));
        subtract_damped(f, v, self.rate, &self.masses);
    }

    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        if !self.span.contains(at) {
            return;
        }
        for (i, m) in self.particles.clone().zip(&self.masses) {
            into.add(i, i, &Matrix::zeros(), &(Matrix::identity() * (-self.rate * m)));
        }
    }

    fn add_regimes(&self, at: &Configuration, into: &mut Vec<Regime>) {
        let acts = self.span.contains(at);
        into.push(Regime::Load(if acts { Acting::Fully } else { Acting::Not }));
    }

    fn add_switches(&self, into: &mut Vec<f64>) {
        into.extend([self.span.from, self.span.until]);
    }

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        ledger: &mut Ledger,
        _next: &mut Memory,
    ) {
        self.add_force(at, f);
        if self.span.contains(at) {
            // bodies are braked as a whole
            let Ledger { census, total, shares, .. } = ledger;
            let braked = |group: &Group| self.particles.contains(&group.particles.start);
            for (group, moments) in census.iter().filter(|(group, _)| braked(group)) {
                let power = self.rate * moments.twice_kinetic;
                total.dissipated_drag += power;
                if let Some(share) = shares.get_mut(group.island) {
                    share.dissipated_drag += power;
                }
            }
        }
    }
}
