//! The watch over the sign of friction's power: friction takes energy and may not give any.

use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::forces::account::{Account, Flows};
use crate::math::{larger, number};
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// Share of friction's dissipation whose sign rounding may change.
const ROUNDING: f64 = 1e-6;

/// Share of the energy through jumps that jumps may return: a jump knows only its step's mean forces.
const GIVEN: f64 = 1e-3;

/// Energy below this counts as zero \[J\].
const NOTHING: f64 = 1e-12;

/// Energy given by friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Created {
    /// Sum over accepted states \[J\].
    pub energy: f64,
    /// Energy dissipated meanwhile at contacts where friction brakes; of jumps, their throughput \[J\].
    pub dissipated: f64,
    /// When it began \[s\].
    pub time: f64,
}

/// Watches the power of friction, contact by contact, at accepted states.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Passivity {
    created: f64,
    dissipated: f64,
    since: Option<f64>,
    /// of jumps \[J\]: total taken, its maximum, the largest return from that maximum, the throughput,
    /// and the return that counts as zero
    taken: f64,
    most_taken: f64,
    given: f64,
    passed: f64,
    nothing: f64,
}

impl Passivity {
    /// Enters the powers of an accepted state, `h` \[s\] after the one before.
    pub fn observe_powers(&mut self, account: &Account, time: f64, h: f64) {
        let driven = account.friction_driven;
        let taken = account.dissipated_friction_stick + account.dissipated_friction_slip + driven;
        self.dissipated += larger(taken, 0.0) * h;
        if driven > 0.0 {
            self.created += driven * h;
            self.since.get_or_insert(time);
        }
    }

    /// Adds the energies of the jumps of the step ending at `time` \[s\]. A jump may return a little of
    /// what earlier jumps took; the return from the largest total so far is a fault above `nothing`
    /// \[J\] and above `GIVEN` times the throughput.
    fn observe_jump(&mut self, jumped: &Flows, nothing: f64, time: f64) {
        self.nothing = larger(nothing, NOTHING);
        let channels = [jumped.normal, jumped.friction_stick, jumped.friction_slip];
        self.taken += channels.iter().sum::<f64>();
        self.passed += channels.iter().map(|energy| energy.abs()).sum::<f64>();
        self.most_taken = larger(self.most_taken, self.taken);
        let given = self.most_taken - self.taken;
        if given > larger(GIVEN * self.passed, self.nothing) {
            self.since.get_or_insert(time);
        }
        self.given = larger(self.given, given);
    }

    /// The energy created by friction, beyond rounding, in a run with the throughput `throughput` \[J\].
    pub fn created(&self, throughput: f64) -> Option<Created> {
        if self.given > larger(GIVEN * larger(self.passed, throughput), self.nothing) {
            let time = self.since?;
            return Some(Created { energy: self.given, dissipated: self.passed, time });
        }
        let most = larger(ROUNDING * self.dissipated, 1e-15);
        let time = self.since.filter(|_| self.created > most)?;
        Some(Created { energy: self.created, dissipated: self.dissipated, time })
    }
}

impl Watch for Passivity {
    fn start(_start: &Start) -> Self {
        Passivity::default()
    }

    fn observe(&mut self, step: &Observation) {
        let (model, time, h) = (step.model, step.state.time, step.taken.h);
        // a share of the energy of one step of free fall
        if *step.jumped != Flows::default() {
            let fallen = model.gravity.norm() * h;
            let nothing = 5e-2 * model.masses.iter().sum::<f64>() * fallen * fallen;
            self.observe_jump(step.jumped, nothing, time);
        }
        self.observe_powers(step.account, time, h);
    }

    /// It has no lists and names nothing.
    fn fits(&self, _record: &Self, _model: &Model) -> bool {
        true
    }

    fn add_reasons(&self, run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.created(run.audit.throughput()).map(Reason::from));
    }
}

/// See [`Created`].
pub static FRICTION_CREATES_ENERGY: FaultKind = FaultKind::symptom(
    "friction-creates-energy",
    "At accepted states the power of friction was positive: it drove what it should brake. No law does so in truth, but for LuGre's with a large σ1 and for a law of one's own. Lower σ1, or look at the formula.",
);

impl Fault for Created {
    fn kind(&self) -> &'static FaultKind {
        &FRICTION_CREATES_ENERGY
    }

    fn describe(&self, model: &Model) -> String {
        let c = self;
        if model.laws.is_none() {
            return format!(
                "contacts gave back {} J, from t = {:.4} s on, of {} J that went through them: what rests bounces, or is moved by what it should hold. Use a smaller step or symplectic-euler, and under `impulse` remove_acceleration or velocity_limit",
                number(c.energy),
                c.time,
                number(c.dissipated)
            );
        }
        format!(
            "friction created {} J, from t = {:.4} s on, while it dissipated {} J. Use a smaller step, or a law that only takes",
            number(c.energy),
            c.time,
            number(c.dissipated)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Energy returned by a jump is reported in every channel, and only energy taken before may be
    /// returned.
    #[test]
    fn energy_that_jumps_give_is_told_in_every_channel() {
        let channel = |k: usize, energy: f64| match k {
            0 => Flows { normal: energy, ..Flows::default() },
            1 => Flows { friction_stick: energy, ..Flows::default() },
            _ => Flows { friction_slip: energy, ..Flows::default() },
        };
        for (taking, giving) in (0..9).map(|k| (k / 3, k % 3)) {
            let mut watch = Passivity::default();
            watch.observe_jump(&channel(taking, 2.0), 0.0, 0.1);
            assert_eq!(watch.created(0.0), None, "what is taken is not given");
            watch.observe_jump(&channel(giving, -0.5), 0.0, 0.2);
            let created = watch.created(0.0).expect("half a joule");
            assert!((created.energy - 0.5).abs() < 1e-15, "{taking} {giving}: {created:?}");
            assert_eq!((created.dissipated, created.time), (2.5, 0.2), "{taking} {giving}");
        }
        // a jump's mean force may err by a thousandth of the throughput
        let mut watch = Passivity::default();
        watch.observe_jump(&channel(1, 2.0), 0.0, 0.1);
        watch.observe_jump(&channel(1, -1.9e-3), 0.0, 0.2);
        assert_eq!(watch.created(0.0), None);
    }
}
