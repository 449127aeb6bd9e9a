//! Bodies judged with all their contacts: their sums over contacts, and their balances.

use super::super::contact_sums::ContactSums;
use super::super::loaded_law::{LoadedContact, LoadedLaw};
use super::super::record::WindowRecord;
use super::super::watch::Subject;
use super::super::window::{Instant, StepChange};
use super::{NONE, Stick, circumstances, loaded};
use crate::forces::crew::CHUNK;
use crate::math::weighted::gained;
use crate::math::{Vector, flat, larger, sqrt, tangential};
use crate::model::Model;
use crate::state::memory::Contact;
use crate::state::{LastStep, State};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A body of several free particles, judged with all its contacts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct WatchedBody {
    pub body: usize,
    pub mass: f64,
    pub sums: ContactSums,
    pub record: Option<WindowRecord>,
    /// numbers of its contacts in the list of all contacts
    pub contacts: Vec<u32>,
    pub parts: Vec<LoadedContact>,
}

impl Stick {
    /// Enters the next accepted state of a body with all its contacts, if these share one normal.
    pub(super) fn observe_body(
        &mut self,
        b: usize,
        model: &Model,
        state: &State,
        last_step: &LastStep,
    ) {
        let h = last_step.h;
        let whole = &mut self.bodies[b];
        let sum = std::mem::take(&mut whole.sums);
        let pressure = sum.pressure.norm();
        if sum.normal_force <= 0.0 || pressure < 0.999 * sum.normal_force || sum.mixed {
            whole.record = None;
            return;
        }
        let particles = model.bodies[whole.body].particles.clone();
        let (gained, force) = momentum_and_force(model, state, last_step, particles);
        let normal = sum.pressure / pressure;
        let slip = sum.slip / sum.weight;
        let spread = sum.slip_squared / sum.weight - slip.norm_squared();
        let mut instant = Instant {
            slip,
            spread: larger(spread, 0.0),
            slides: false,
            acceleration: tangential(force, normal) / whole.mass,
            friction: sum.friction,
            normal_force: sum.normal_force,
            unevenness: sqrt(sum.normal_force_squared),
            stretch: sum.stretch / sum.weight,
            surface_velocity: Vector::zeros(),
        };
        let moved = sum.moved / sum.weight;
        let mut change = StepChange { moved, gained: tangential(gained, normal) / whole.mass };
        if let Some(frame) = &sum.frame {
            // the sums over contacts are already in the law's frame
            instant.acceleration = frame.force * instant.acceleration;
            change.gained = frame.force * change.gained;
        }
        let Some(record) = &mut whole.record else {
            whole.record = Some(WindowRecord::start(instant));
            return;
        };
        if record.advance(&instant, &change, h) {
            let law = model.friction();
            let contacts = &state.memory.contacts;
            let parts = &mut whole.parts;
            let one = fill(parts, contacts, &whole.contacts, (model, state.time));
            let Some(one) = one else { return };
            let given =
                circumstances(model, LoadedLaw::new(law, &whole.parts), 1.0 / whole.mass, one, h);
            let (faults, findings) = record.turn(&given);
            self.wrongs.enter(faults, Subject::Body(whole.body), &findings, state.time);
        }
    }
}

/// Momentum gained over the step \[kg·m/s\] and present force \[N\] of particles.
fn momentum_and_force(
    model: &Model,
    state: &State,
    last_step: &LastStep,
    particles: Range<usize>,
) -> (Vector, Vector) {
    let sums = |own: Range<usize>| {
        let vectors = [&state.velocities, last_step.velocities, &state.forces];
        gained(&model.masses[own.clone()], vectors.map(|all| flat(&all[own.clone()])))
    };
    let pieces = particles.clone().step_by(CHUNK).map(|first| {
        let end = particles.end.min(first + CHUNK);
        first..end
    });
    let mut all = [Vector::zeros(); 2];
    let mut add = |sums: [Vector; 2]| all.iter_mut().zip(sums).for_each(|(all, one)| *all += one);
    let crew = &model.crew;
    if crew.is_alone() || particles.len() <= CHUNK {
        pieces.for_each(|own| add(sums(own)));
    } else {
        let mut found: Vec<_> = pieces.map(|own| (own, [Vector::zeros(); 2])).collect();
        crew.divide(&mut found, |_, pieces| {
            pieces.iter_mut().for_each(|(own, found)| *found = sums(own.clone()));
        });
        found.into_iter().for_each(|(_, found)| add(found));
    }
    let [gained, mut force] = all;
    if model.laws.is_none() {
        // impulses are not among the forces: they show in the change of velocity
        force = gained / last_step.h;
    }
    if let Some(axis) = model.locked_axis {
        force[axis] = 0.0;
    }
    (gained, force)
}

/// The number of a particle's body, or [`NONE`].
pub(super) fn body_of(model: &Model, i: usize) -> u32 {
    model.body_of(i).map_or(NONE, |body| body as u32)
}

/// The number of a particle's watched body, or [`NONE`]; `owners` has the numbers of all bodies.
pub(super) fn owner(model: &Model, owners: &[u32], i: usize) -> u32 {
    owners.get(body_of(model, i) as usize).copied().unwrap_or(NONE)
}

/// The owners of a contact's two sides, with the share of its force on each: +1 or −1.
pub(super) fn shares(
    owner_of: impl Fn(usize) -> u32,
    contact: &Contact,
) -> impl Iterator<Item = (u32, f64)> {
    let ends = contact.ends;
    let first = owner_of(contact.particle());
    let other = ends.iter().map(|(i, _)| owner_of(i)).find(|owner| *owner != first);
    [first, other.unwrap_or(NONE)].into_iter().filter(|owner| *owner != NONE).filter_map(
        move |owner| {
            let share = ends.share(|i| owner_of(i) == owner);
            (share != 0.0).then_some((owner, share))
        },
    )
}

/// Fills the parts of a body's loaded law from the numbers of its contacts; returns one contact, if any.
pub(super) fn fill<'a>(
    parts: &mut Vec<LoadedContact>,
    contacts: &'a [Contact],
    own: &[u32],
    (model, time): (&Model, f64),
) -> Option<&'a Contact> {
    parts.clear();
    let mut own = own.iter().filter_map(|number| contacts.get(*number as usize));
    parts.extend(own.clone().map(|contact| loaded(model, contact, time)));
    own.next()
}
