//! The watch over depths. Beyond the middle of a thin collider, or of a body with unsigned distance, a
//! contact pushes a particle out on the wrong side.

use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::math::number;
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Contact;
use serde::{Deserialize, Serialize};

/// A contact that is too deep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TooDeep {
    /// Its first particle.
    pub particle: usize,
    /// Depth \[m\].
    pub depth: f64,
    /// The depth beyond which the side may be mistaken \[m\].
    pub limit: f64,
    /// When it began \[s\].
    pub time: f64,
    /// Number of accepted contacts that were too deep.
    pub particle_steps: u64,
}

/// Watches the depth of contacts at accepted states.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Penetration {
    /// The worst so far, by its depth over the limit.
    pub worst: Option<TooDeep>,
}

impl Penetration {
    /// Checks the contacts of an accepted state.
    fn look(&mut self, state: &State) {
        let too_deep = |contact: &&Contact| contact.depth > contact.deepest;
        for contact in state.memory.contacts.iter().filter(too_deep) {
            let found = TooDeep {
                particle: contact.particle(),
                depth: contact.depth,
                limit: contact.deepest,
                time: state.time,
                particle_steps: 0,
            };
            let worst = self.worst.get_or_insert(found);
            worst.particle_steps += 1;
            if found.depth / found.limit > worst.depth / worst.limit {
                (worst.particle, worst.depth, worst.limit) =
                    (found.particle, found.depth, found.limit);
            }
        }
    }
}

impl Watch for Penetration {
    fn start(start: &Start) -> Self {
        let mut watch = Penetration::default();
        watch.look(start.state);
        watch
    }

    fn observe(&mut self, step: &Observation) {
        self.look(step.state);
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.worst.map(Reason::from));
    }
}

/// See [`TooDeep`].
pub(crate) static TOO_DEEP: FaultKind = FaultKind::shared(
    "too-deep",
    "What passes the middle of a ball, box, capsule or round bar is pushed out on the other side. Ropes, cloth, loose particles and a body's own surface have no inside at all: distance to them has no sign. A contact came within a tenth of the middle, or half as deep into a closed body as it can be followed. What follows may be a passage through. Use a stiffer normal law, a larger radius, a thicker collider or a smaller step, and see that nothing overlaps at t = 0. Meshes and formulas as colliders are not watched.",
)
.lasting();

impl Fault for TooDeep {
    fn kind(&self) -> &'static FaultKind {
        &TOO_DEEP
    }

    fn describe(&self, model: &Model) -> String {
        let t = self;
        format!(
            "a contact is too deep: {} went in by {} m, {} m is where its sides may be mistaken, first at t = {:.4} s ({} contacts in all); it may pass through. Use a stiffer normal law, a larger radius or a smaller step, and see that nothing overlaps at t = 0",
            model.particle_name(t.particle),
            number(t.depth),
            number(t.limit),
            t.time,
            t.particle_steps
        )
    }
}
