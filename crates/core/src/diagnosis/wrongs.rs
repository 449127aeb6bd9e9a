//! Faults of sticking contacts: the worst window of each kind, and the number of such windows.

use super::friction_limit::CHATTER;
use super::record::{Faults, Findings};
use super::watch::{Fault, FaultKind, Subject};
use crate::math::{larger, number};
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// The worst of all windows with a fault, and the number of these windows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WorstWindow {
    /// The contact or body at fault.
    pub subject: Subject,
    /// Its numbers.
    pub findings: Findings,
    /// When the first such window ended \[s\].
    pub time: f64,
    /// Number of such windows.
    pub windows: u64,
}

/// All faults found so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Wrongs {
    /// Drift other than the law's.
    pub off_law: Option<WorstWindow>,
    /// A steady state that contradicts itself.
    pub spurious: Option<WorstWindow>,
    /// A slip that keeps reversing with every step.
    pub chatter: Option<WorstWindow>,
    /// A slip that alternates about its mean with every step and dies slowly.
    pub ringing: Option<WorstWindow>,
}

impl Wrongs {
    /// The contacts and bodies at fault.
    pub(super) fn subjects(&self) -> impl Iterator<Item = Subject> {
        let all = [self.off_law, self.spurious, self.chatter, self.ringing];
        all.into_iter().flatten().map(|worst| worst.subject)
    }

    pub(super) fn enter(
        &mut self,
        faults: Faults,
        subject: Subject,
        findings: &Findings,
        time: f64,
    ) {
        let slots = [
            (faults.off_law, &mut self.off_law),
            (faults.spurious, &mut self.spurious),
            (faults.chatter, &mut self.chatter),
        ];
        for (is, slot) in slots {
            if is {
                note(slot, subject, findings, time);
            }
        }
    }
}

pub(super) fn note(
    slot: &mut Option<WorstWindow>,
    subject: Subject,
    findings: &Findings,
    time: f64,
) {
    let found = slot.get_or_insert(WorstWindow { subject, findings: *findings, time, windows: 0 });
    found.windows += 1;
    let size = |f: &Findings| larger((f.drift - f.law.unwrap_or(0.0)).abs(), f.amplitude);
    if size(findings) > size(&found.findings) {
        (found.subject, found.findings) = (subject, *findings);
    }
}

/// A steady state that contradicts its own velocities or forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpuriousSteadyState(pub WorstWindow);

/// See [`SpuriousSteadyState`].
pub static SPURIOUS_STEADY_STATE: FaultKind = FaultKind::of_drift(
    "spurious-steady-state",
    "A contact slips at a perfectly steady velocity, but either its positions advance at another speed than the one reported, or the forces at accepted states do not add up to the change of its momentum. A Runge–Kutta method above its friction limit settles on such a state: rk4 at 1.5 times 2/λ reports 1.000 ε and moves at 0.652 ε where 0.536 ε is right. Use a smaller step or an implicit method.",
);

impl Fault for SpuriousSteadyState {
    fn kind(&self) -> &'static FaultKind {
        &SPURIOUS_STEADY_STATE
    }

    fn describe(&self, model: &Model) -> String {
        let f = &self.0;
        format!(
            "a spurious steady state: {} reports a slip of {} m/s and moves at {} m/s{}, with friction short of the load by {:.2} of it and no acceleration to match, first at t = {:.4} s ({} windows in all). Use a smaller step or another method",
            f.subject.name(model),
            number(f.findings.reported),
            number(f.findings.drift),
            lawful(f),
            f.findings.imbalance,
            f.time,
            f.windows
        )
    }

    fn subject(&self) -> Option<Subject> {
        Some(self.0.subject)
    }
}

/// A slip that keeps reversing with every step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flipping(pub WorstWindow);

impl Fault for Flipping {
    fn kind(&self) -> &'static FaultKind {
        &CHATTER
    }

    fn describe(&self, model: &Model) -> String {
        let f = &self.0;
        format!(
            "friction chatters: the slip of {} reverses with every step, with an amplitude of {} m/s about a drift of {} m/s{}, until t = {:.4} s ({} windows in all). Use a smaller step or implicit-euler",
            f.subject.name(model),
            number(f.findings.amplitude),
            number(f.findings.drift),
            lawful(f),
            f.time,
            f.windows
        )
    }

    fn subject(&self) -> Option<Subject> {
        Some(self.0.subject)
    }
}

/// Creep at a speed other than the law's under its load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CreepOffTheLaw(pub WorstWindow);

/// See `CreepOffTheLaw`.
pub static CREEP_OFF_THE_LAW: FaultKind = FaultKind::symptom(
    "creep-off-the-law",
    "Over a window in which N and friction were steady a contact, or a body, moved at a speed at which its friction law does not bear the load it had to bear: the momentum says what friction must have been, displacement says how fast it went, and the law says what belongs together. More than 2.5 % are not let pass (for a law that holds by a stretch, 2.5 % of the creep of a damper as stiff). The law's own creep is not a fault. Use a smaller step or an implicit method.",
);

impl Fault for CreepOffTheLaw {
    fn kind(&self) -> &'static FaultKind {
        &CREEP_OFF_THE_LAW
    }

    fn describe(&self, model: &Model) -> String {
        let f = &self.0;
        let first = match f.windows {
            1 => " until".into(),
            windows => {
                format!(": the worst of {windows} such windows, of which the first ended at")
            }
        };
        format!(
            "creep is not the law's: {} drifts at {} m/s{} under a load of {:.3} of what friction holds, so {} m/s are the integrator's, over {:.0} steps{first} t = {:.4} s. Use a smaller step or another integrator",
            f.subject.name(model),
            number(f.findings.drift),
            lawful(f),
            f.findings.load_ratio,
            number(f.findings.drift - f.findings.law.unwrap_or(0.0)),
            f.findings.steps,
            f.time
        )
    }

    fn subject(&self) -> Option<Subject> {
        Some(self.0.subject)
    }
}

/// A slip that alternates about its mean with every step and dies slowly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ringing(pub WorstWindow);

/// See [`Ringing`].
pub static RINGING: FaultKind = FaultKind::symptom(
    "ringing",
    "The slip of a contact alternates about its mean with every step, dies slowly, and is still so large that the reported velocity is off by more than 2.5 % of the creep: at the end of the run, or for more than three quarters of it. The trapezoidal rule and the implicit midpoint rule turn a decay of rate λ into (1 − hλ/2)/(1 + hλ/2) per step, which is −0.96 at hλ = 100. The mean drift may well be right. Use a smaller step, or a method that damps what it does not resolve: implicit-euler.",
);

impl Fault for Ringing {
    fn kind(&self) -> &'static FaultKind {
        &RINGING
    }

    fn describe(&self, model: &Model) -> String {
        let f = &self.0;
        format!(
            "the reported velocity rings: the slip of {} alternates with every step by ±{} m/s about its mean{}, at t = {:.4} s ({} contacts in all); the drift may be right, the velocities are not. Use a smaller step or implicit-euler",
            f.subject.name(model),
            number(f.findings.amplitude),
            lawful(f),
            f.time,
            f.windows
        )
    }

    fn subject(&self) -> Option<Subject> {
        Some(self.0.subject)
    }
}

/// The law's own creep, in words.
fn lawful(found: &WorstWindow) -> String {
    match found.findings.law {
        Some(speed) => format!(" where the law creeps at {speed} m/s", speed = number(speed)),
        None => String::new(),
    }
}
