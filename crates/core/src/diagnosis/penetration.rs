//! The watch over depths. Beyond the middle of a thin collider, or of a body with unsigned distance, a
//! contact pushes a particle out on the wrong side.

use super::watch::{Cure, Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::contact::tunnelling::is_thickness_unknown;
use crate::math::{Vector, larger, number};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::{Contact, ContactKey};
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
    /// Whether the step cannot be blamed: all of them were so at the start, or deepened by less than
    /// a twentieth of the limit in a step.
    pub is_resolved: bool,
}

/// Share of a limit by which a contact deepens within a step that resolves it.
const SLOWLY: f64 = 0.05;

/// Watches the depth of contacts at accepted states.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Penetration {
    /// The worst so far, by its depth over the limit.
    pub worst: Option<TooDeep>,
    /// contacts with colliders of unknown thickness at the last state, ascending by key
    inside: Vec<Inside>,
    spare: Vec<Inside>,
}

/// A contact with a collider of unknown thickness.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Inside {
    key: ContactKey,
    normal: Vector,
    depth: f64,
}

/// Cosine of the angle by which the normal of a contact turns over within a step: past the middle of a
/// collider it points to the other side.
const TURNED: f64 = -0.5;

impl Penetration {
    /// Checks the contacts of an accepted state.
    fn look(&mut self, model: &Model, state: &State, way: impl Fn(&Contact) -> f64) {
        let too_deep = |contact: &&Contact| contact.depth > contact.deepest;
        for contact in state.memory.contacts.iter().filter(too_deep) {
            let is_resolved = way(contact) < SLOWLY * contact.deepest;
            self.note(contact, contact.depth, contact.deepest, (state.time, is_resolved));
        }
        if model.surfaces.colliders.iter().any(is_thickness_unknown) {
            self.look_for_turns(model, state);
        }
    }

    /// Compares normals with those of the last state, where no thickness says how deep is too deep. Two
    /// sides that are as deep as the contact before and after lie their sum apart.
    fn look_for_turns(&mut self, model: &Model, state: &State) {
        let unknown = |contact: &&Contact| {
            let collider = contact.key.collider().map(|number| &model.surfaces.colliders[number]);
            // a ball whose centre is outside touches two walls of a groove in turn
            let inside = contact.depth > model.surfaces.radii[contact.particle()];
            inside && collider.is_some_and(is_thickness_unknown)
        };
        for contact in state.memory.contacts.iter().filter(unknown) {
            let Contact { key, normal, depth, .. } = *contact;
            let before = self.inside.binary_search_by(|inside| inside.key.cmp(&key));
            let before = before.ok().map(|place| self.inside[place]);
            if let Some(before) = before.filter(|before| before.normal.dot(&normal) < TURNED) {
                let half = 0.5 * (before.depth + depth);
                self.note(contact, larger(before.depth, depth), half, (state.time, false));
            }
            self.spare.push(Inside { key, normal, depth });
        }
        std::mem::swap(&mut self.inside, &mut self.spare);
        self.spare.clear();
    }

    fn note(&mut self, contact: &Contact, depth: f64, limit: f64, when: (f64, bool)) {
        let (particle, (time, is_resolved)) = (contact.particle(), when);
        let found = TooDeep { particle, depth, limit, time, particle_steps: 0, is_resolved };
        let worst = self.worst.get_or_insert(found);
        worst.particle_steps += 1;
        worst.is_resolved &= is_resolved;
        if found.depth / found.limit > worst.depth / worst.limit {
            (worst.particle, worst.depth, worst.limit) = (particle, depth, limit);
        }
    }
}

impl Watch for Penetration {
    const SEES_CONTACTS_ALONE: bool = true;

    fn start(start: &Start) -> Self {
        let mut watch = Penetration::default();
        watch.look(start.model, start.state, |_| 0.0);
        watch
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        record.worst.is_none_or(|found| found.particle < model.particles())
    }

    fn observe(&mut self, step: &Observation) {
        let substep = step.taken.h / step.report.substeps as f64;
        let ends = [&step.state.velocities[..], step.taken.velocities];
        self.look(step.model, step.state, |contact| {
            substep * ends.map(|v| contact.closing(v).abs()).into_iter().fold(0.0, larger)
        });
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.worst.map(Reason::from));
    }
}

/// See [`TooDeep`].
pub(crate) static TOO_DEEP: FaultKind = FaultKind::shared(
    "too-deep",
    "What passes the middle of a ball, box, capsule or round bar is pushed out on the other side. Ropes, cloth, loose particles and a body's own surface have no inside at all: distance to them has no sign. A contact came within a tenth of the middle, or half as deep into a closed body as it can be followed; or, at a mesh or a formula, whose thickness is not known beforehand, its normal turned over within a step. What follows may be a passage through. Use a stiffer normal law, a larger radius, a thicker collider or a smaller step, and see that nothing overlaps at t = 0.",
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

    fn cure(&self, _: f64) -> Cure {
        if self.is_resolved { Cure::NoStep } else { Cure::SmallerStep }
    }
}
