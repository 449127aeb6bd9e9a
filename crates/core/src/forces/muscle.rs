//! Springs whose rest length follows time.

use super::{Axial, BlockSink, Force};
use crate::expression::time_curve::TimeCurve;
use crate::forces::account::Ledger;
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::Memory;

/// Springs of rest length l0 s(t), added to the model's springs of rest length l0: the tension
/// k l0 (1 − s) is added to k (l − l0) + c l'.
///
/// The added energy is ½ k (l − l0 s)² − ½ k (l − l0)²; the power put in is −k (l − l0 s) l0 s'.
#[derive(Debug, Clone)]
pub struct MuscleForce {
    /// The springs.
    pub fibres: Vec<Fibre>,
    /// s(t), or s(t, x, y, z) with the middle of a spring at t = 0.
    pub factor: TimeCurve,
}

/// A spring of a muscle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fibre {
    /// Its particles.
    pub ends: [usize; 2],
    /// k \[N/m\].
    pub stiffness: f64,
    /// l0 \[m\].
    pub rest_length: f64,
    /// Its middle at t = 0 \[m\].
    pub middle: Vector,
}

impl MuscleForce {
    /// Calls `visit` for each spring with n, the unit vector from its first to its second end, its
    /// length \[m\], and s and s'.
    fn for_each(&self, at: &Configuration, mut visit: impl FnMut(&Fibre, Vector, f64, [f64; 2])) {
        for fibre in &self.fibres {
            let [i, j] = fibre.ends;
            let d = at.positions[j] - at.positions[i];
            let length = d.norm();
            if length > 0.0 {
                let factor = self.factor.over(at.time, fibre.middle, at.within_step);
                visit(fibre, d / length, length, factor);
            }
        }
    }

    /// Calls `visit` for each spring with its ends and the added tension \[N\].
    pub(crate) fn for_each_tension(
        &self,
        at: &Configuration,
        mut visit: impl FnMut([usize; 2], f64),
    ) {
        self.for_each(at, |fibre, _, _, [factor, _]| {
            visit(fibre.ends, MuscleForce::tension(fibre, factor));
        });
    }

    fn tension(fibre: &Fibre, factor: f64) -> f64 {
        fibre.stiffness * fibre.rest_length * (1.0 - factor)
    }
}

impl Force for MuscleForce {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.for_each(at, |fibre, n, _, [factor, _]| {
            let pull = n * MuscleForce::tension(fibre, factor);
            f[fibre.ends[0]] += pull;
            f[fibre.ends[1]] -= pull;
        });
    }

    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.for_each(at, |fibre, direction, length, [factor, _]| {
            let axial = Axial {
                direction,
                stiffness: 0.0,
                damping: 0.0,
                across: MuscleForce::tension(fibre, factor) / length,
                turning: Vector::zeros(),
            };
            into.add_axial(fibre.ends[0], fibre.ends[1], &axial);
        });
    }

    fn add_switches(&self, into: &mut Vec<f64>) {
        into.extend(self.factor.corners());
    }

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        ledger: &mut Ledger,
        _next: &mut Memory,
    ) {
        self.add_force(at, f);
        self.for_each(at, |fibre, _, length, [factor, rate]| {
            let (k, rest) = (fibre.stiffness, fibre.rest_length);
            let (own, usual) = (length - rest * factor, length - rest);
            ledger.enter(fibre.ends[0], |account| {
                account.spring += 0.5 * k * (own * own - usual * usual);
                account.work -= k * own * rest * rate;
            });
        });
    }
}
