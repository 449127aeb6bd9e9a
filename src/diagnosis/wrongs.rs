//! What watches found wrong: the worst of each kind, and how often.

use super::record::{Faults, Findings};
use crate::math::larger;
use crate::model::Model;

/// Who was found at fault.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Subject {
    /// A contact, by its first particle.
    Particle(usize),
    /// A body with all its contacts, by its number.
    Body(usize),
}

impl Subject {
    /// Its name for a scene's author.
    pub fn name(&self, model: &Model) -> String {
        match self {
            Subject::Particle(i) => model.particle_name(*i),
            Subject::Body(b) => format!("`{}`", model.bodies[*b].name),
        }
    }
}

/// The worst window with one fault, and how many there were.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Who.
    pub subject: Subject,
    /// Its numbers.
    pub findings: Findings,
    /// When the first such window ended \[s\].
    pub time: f64,
    /// How many windows.
    pub windows: u64,
}

/// All faults found so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wrongs {
    /// Drift that is not the law's.
    pub off_law: Option<Found>,
    /// A steady state that contradicts itself.
    pub spurious: Option<Found>,
    /// A slip that flips with every step and goes on so.
    pub chatter: Option<Found>,
    /// A slip that alternates about its mean with every step and dies slowly.
    pub ringing: Option<Found>,
}

impl Wrongs {
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

pub(super) fn note(slot: &mut Option<Found>, subject: Subject, findings: &Findings, time: f64) {
    let found = slot.get_or_insert(Found { subject, findings: *findings, time, windows: 0 });
    found.windows += 1;
    let size = |f: &Findings| larger((f.drift - f.law.unwrap_or(0.0)).abs(), f.amplitude);
    if size(findings) > size(&found.findings) {
        (found.subject, found.findings) = (subject, *findings);
    }
}
