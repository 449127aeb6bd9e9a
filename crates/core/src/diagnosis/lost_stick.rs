//! Contacts that lose stick within a step although friction holds their load.
//!
//! Under a load that the law bears at a creep below its threshold a slip below the threshold stays
//! below it: no motion leaves stick while T is held. For `stribeck` that is .76 μ_s N, tanh 1: under
//! more it creeps faster than ε. Where μ_s > μ_k, a step too long for the friction rate, or a trapezoidal rule
//! without friction at its start, throws the slip over the threshold, where it runs away. Half and a
//! quarter of the step may do the same. A step in which the slip reverses passes over the threshold too: the contact
//! should stick there, and under a load between μ_k N and μ_s N it runs away on the other side.

use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Subject, Watch};
use crate::contact::friction::FrictionLaw;
use crate::math::{Vector, larger, number, smaller, tangential};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::{Contact, ContactKey};
use serde::{Deserialize, Serialize};

/// Factor on the load: forces between two states are unknown.
const MARGIN: f64 = 1.25;

/// The same under a load that is steady, and what its changes from state to state, as a share of μ_s N, add to it.
const MARGIN_OF_STEADY: f64 = 1.0001;
const BY_CHANGE: f64 = 4.0;

/// The same where the slip reverses, between two states whose loads are both known.
const MARGIN_OF_REVERSAL: f64 = 1.02;

/// A contact that slides though friction held its load.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StickLost {
    /// Its particle.
    pub particle: usize,
    /// Largest tangential load since it last stuck, as a share of μ_s N.
    pub load_ratio: f64,
    /// Slip speed when stick counts as lost \[m/s\].
    pub slip: f64,
    /// Time at which it last stuck \[s\].
    pub time: f64,
    /// Number of lost sticks.
    pub count: u64,
}

/// See [`StickLost`].
pub(crate) static STICK_LOST: FaultKind = FaultKind::shared(
    "stick-lost",
    "A contact that stuck, or whose slip reversed, slides from one state on, though its load was less than μ_s N all the time: no motion leaves stick so, or passes through it. The step is too long for the friction rate λ = μ_s N/(m ε), and where μ_s > μ_k what slides once goes on sliding. Half the step may do the same. Use a step below 2/λ, an adaptive method or implicit-euler.",
)
.lasting();

impl Fault for StickLost {
    fn kind(&self) -> &'static FaultKind {
        &STICK_LOST
    }

    fn describe(&self, model: &Model) -> String {
        let s = self;
        format!(
            "static friction is lost in a step: {} slides at {} m/s though its load was {} of what friction holds, first at t = {:.4} s ({} such steps). Use a smaller step, an adaptive method or implicit-euler",
            model.particle_name(s.particle),
            number(s.slip),
            held_share(s.load_ratio),
            s.time,
            s.count
        )
    }

    fn subject(&self) -> Option<Subject> {
        Some(Subject::Particle(self.particle))
    }
}

/// A share below 1 by as many digits as tell it from 1.
fn held_share(ratio: f64) -> String {
    let text = format!("{ratio:.2}");
    if text == "1.00" { format!("{ratio:.4}") } else { text }
}

/// States in a row in slip before stick counts as lost: a slip thrown over the threshold by one step and
/// back by the next is chatter, another fault.
const GONE: u32 = 4;

/// A contact under a load that friction holds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Held {
    key: ContactKey,
    /// the largest, and the least, since it stuck
    load_ratio: f64,
    least_ratio: f64,
    /// states in slip since it stuck, or its slip reversed
    slid: u32,
    since: f64,
    /// whether its slip reversed
    reversed: bool,
}

impl Held {
    /// By how much its load changed, as a share of μ_s N.
    fn change(&self) -> f64 {
        self.load_ratio - self.least_ratio
    }
}

/// A contact in slip.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Sliding {
    key: ContactKey,
    /// \[m/s\]
    slip: Vector,
    /// whether friction would hold its load
    held: bool,
}

/// Watches contacts of single particles with colliders that do not accelerate.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct LostStick {
    /// The first fault.
    pub first: Option<StickLost>,
    held: Vec<Held>,
    next: Vec<Held>,
    sliding: Vec<Sliding>,
    next_sliding: Vec<Sliding>,
}

impl LostStick {
    fn look(&mut self, model: &Model, state: &State) {
        // only where μ_s > μ_k can a slip run away
        let falls =
            |contact: &&Contact| contact.pair.static_friction > contact.pair.kinetic_friction;
        if !state.memory.contacts.iter().any(|contact| falls(&contact)) {
            self.sliding.clear();
            return self.held.clear();
        }
        let law = model.friction();
        let threshold = law.threshold();
        for contact in state.memory.contacts.iter().filter(falls) {
            let load = |margin: f64| held_load(model, state, contact, (law, threshold), margin);
            if contact.sticking {
                self.sticks(contact, load, state.time);
            } else {
                self.slides(contact, load, state.time);
            }
        }
        std::mem::swap(&mut self.held, &mut self.next);
        std::mem::swap(&mut self.sliding, &mut self.next_sliding);
        self.next.clear();
        self.next_sliding.clear();
    }

    /// A contact in stick, under a load that friction holds at a creep.
    fn sticks(&mut self, contact: &Contact, load: impl Fn(f64) -> Option<(f64, f64)>, time: f64) {
        // a contact that slips faster than its load creeps is entering or leaving stick
        let creeps = |(_, creep): &(f64, f64)| contact.slip.norm() <= *creep;
        let Some((load_ratio, _)) = load(MARGIN).or_else(|| load(MARGIN_OF_STEADY)).filter(creeps)
        else {
            return;
        };
        let (key, slid, since, reversed) = (contact.key, 0, time, false);
        self.next.push(Held { key, load_ratio, least_ratio: load_ratio, slid, since, reversed });
    }

    /// A contact in slip, which may have been held before, or has reversed under a load that should hold it.
    fn slides(&mut self, contact: &Contact, load: impl Fn(f64) -> Option<(f64, f64)>, time: f64) {
        let (key, slip) = (contact.key, contact.slip);
        let close = load(MARGIN_OF_REVERSAL);
        self.next_sliding.push(Sliding { key, slip, held: close.is_some() });
        if let Ok(at) = self.held.binary_search_by(|held| held.key.cmp(&key)) {
            let before = self.held[at];
            let now = if before.reversed { close } else { load(MARGIN_OF_STEADY) };
            let Some((ratio, _)) = now else { return };
            let held = Held {
                load_ratio: larger(ratio, before.load_ratio),
                least_ratio: smaller(ratio, before.least_ratio),
                slid: before.slid + 1,
                ..before
            };
            let margin = smaller(MARGIN_OF_STEADY + BY_CHANGE * held.change(), MARGIN);
            let to_largest = if ratio > 0.0 { held.load_ratio / ratio } else { 1.0 };
            if !before.reversed && load(margin * to_largest).is_none() {
                return;
            }
            let slid = held.slid;
            if slid == GONE {
                self.note(contact, &held);
            } else {
                self.next.push(held);
            }
            return;
        }
        let Ok(at) = self.sliding.binary_search_by(|sliding| sliding.key.cmp(&key)) else { return };
        let before = self.sliding[at];
        // under less than μ_k N it comes to rest again
        let kinetic = contact.pair.kinetic_friction / contact.pair.static_friction;
        let runs_away = close.filter(|(ratio, _)| before.held && *ratio > kinetic);
        if let (Some((load_ratio, _)), true) = (runs_away, before.slip.dot(&slip) < 0.0) {
            let (least_ratio, since) = (load_ratio, time);
            self.next.push(Held { key, load_ratio, least_ratio, slid: 1, since, reversed: true });
        }
    }

    fn note(&mut self, contact: &Contact, held: &Held) {
        let (slip, particle) = (contact.slip.norm(), contact.particle());
        let Held { load_ratio, since: time, .. } = *held;
        let found = StickLost { particle, load_ratio, slip, time, count: 0 };
        self.first.get_or_insert(found).count += 1;
    }
}

/// T/(μ_s N) of a contact of one free particle with an isotropic collider in uniform motion, and the creep
/// under a margin times this load \[m/s\], if the law, without memory, holds it: it creeps below its threshold, if it
/// has one.
fn held_load(
    model: &Model,
    state: &State,
    contact: &Contact,
    (law, threshold): (&dyn FrictionLaw, f64),
    margin: f64,
) -> Option<(f64, f64)> {
    let collider = &model.surfaces.colliders[contact.key.collider()?];
    let particle = contact.particle();
    let free = (0..3)
        .all(|axis| Some(axis) == model.locked_axis || model.inverse_masses[particle][axis] > 0.0);
    let alone = contact.ends.iter().count() == 1 && model.rigid_of(particle).is_none();
    let pair = &contact.pair;
    if !(free && alone && collider.motion.is_uniform())
        || collider.anisotropy.is_some()
        || law.has_memory()
    {
        return None;
    }
    let load = tangential(state.forces[particle] - contact.friction, contact.normal).norm();
    let capacity = pair.static_friction * contact.normal_force;
    let ratio = load / capacity;
    if !(capacity > 0.0 && margin * ratio < 1.0) {
        return None;
    }
    let creep = law.creep(margin * ratio, contact.normal_force, pair)?;
    let holds = creep.is_finite() && (threshold == 0.0 || creep < threshold);
    holds.then_some((ratio, creep))
}

impl Watch for LostStick {
    const SEES_CONTACTS_ALONE: bool = true;

    fn start(start: &Start) -> Self {
        let mut watch = LostStick::default();
        if start.model.laws.is_some() {
            watch.look(start.model, start.state);
        }
        watch
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        record.first.is_none_or(|found| found.particle < model.particles())
    }

    fn observe(&mut self, step: &Observation) {
        if step.model.laws.is_some() {
            self.look(step.model, step.state);
        }
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.first.map(Reason::from));
    }
}
