//! The watch over sticking contacts, for each contact and each body.
//!
//! A friction force is bounded by μN, so a method that does not resolve it stays finite: it creeps at a
//! wrong speed, its slip reverses with every step, or its reported velocity disagrees with its
//! positions. Three balances hold for every resolved motion and any method. They are checked over
//! windows of 16, 32, … 1024 steps, for each contact, identified by its key, and for each body:
//!
//! ```text
//! m Δv = Σ h F              momentum: m [kg], v [m/s], forces F at accepted states [N]
//! Δx   = Σ h v              displacement: from positions [m], and from reported velocities
//! law(Δx/t, N) = T          the law's force at the measured drift is the tangential load T [N]
//! ```

mod bodies;
mod drifts;

use super::contact_sums::{instant, instant_and_change};
use super::drift::Drift;
use super::loaded_law::{LoadedContact, LoadedLaw};
use super::particle_creep::ParticleCreep;
use super::record::{Circumstances, WindowRecord};
use super::watch::{Observation, Reason, RunSoFar, Start, Subject, Watch};
use super::window::{Instant, StepChange};
use super::wrongs::{CreepOffTheLaw, Flipping, Ringing, SpuriousSteadyState, Wrongs, note};
use crate::contact::anisotropy::LawFrame;
use crate::math::{Vector, larger};
use crate::model::Model;
use crate::state::memory::{Contact, ContactKey};
use crate::state::{Lag, LastStep, State};
use bodies::{WatchedBody, fill, owner, shares};
use drifts::DriftRule;
use serde::{Deserialize, Serialize};

/// A contact, identified by its key from step to step, with its record.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct ContactRecord {
    key: ContactKey,
    particle: u32,
    /// numbers of the watched bodies at its two sides, or [`NONE`]
    bodies: [u32; 2],
    /// some of its particles can move, and its frame does not turn: its creep is recorded
    judged: bool,
    /// some of its particles are held on some axes by an unknown force: its balances cannot be checked,
    /// and its load is taken from its friction
    held: bool,
    /// anisotropic: balances are in the frame in which the law is isotropic
    grained: bool,
    /// of a rigid body, judged as a whole only: the reaction on one particle is due to all its contacts
    rigid: bool,
    /// before its first step
    fresh: bool,
    record: WindowRecord,
    /// its drift since the last frame, up to the window in progress
    drift: Drift,
}

/// The watch over contacts in stick.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Stick {
    /// The quantities that the method takes from the start of the step.
    lag: Lag,
    /// Creep since the last frame, particle by particle: see [`Self::end_frame`].
    pub creep: ParticleCreep,
    kept: Vec<ContactRecord>,
    spare: Vec<ContactRecord>,
    /// step count at the start of the watch
    started: u64,
    bodies: Vec<WatchedBody>,
    /// per body of the model: its number in `bodies`; [`NONE`] with one particle or with pins
    owners: Vec<u32>,
    wrongs: Wrongs,
    /// drift of every body of the model since the last frame, without that of present contacts
    drifts: Vec<Drift>,
}

/// Slip that counts as rest where velocities are solved to a tolerance \[m/s\].
const STILL: f64 = 4e-8;

/// The same as a share of g h, the speed of one step of free fall: the corner about which a rigid body
/// turns moves by terms of that order.
const FALL: f64 = 2e-3;

const NONE: u32 = u32::MAX;

impl Watch for Stick {
    const SEES_CONTACTS_ALONE: bool = true;

    fn start(start: &Start) -> Self {
        let Start { model, state, .. } = *start;
        let mut owners = vec![NONE; model.bodies.len()];
        let mut bodies = Vec::new();
        for (body, what) in model.bodies.iter().enumerate() {
            let range = what.particles.clone();
            let free = |i: usize| !is_held(model, i) && model.inverse_masses[i] != Vector::zeros();
            if range.len() > 1 && range.clone().all(free) {
                owners[body] = bodies.len() as u32;
                let mass = model.masses[range].iter().sum();
                bodies.push(WatchedBody { body, mass, ..WatchedBody::default() });
            }
        }
        let drifts = vec![Drift::default(); model.bodies.len()];
        let started = state.step_count;
        let mut stick =
            Stick { lag: start.method.lag, started, owners, bodies, drifts, ..Stick::default() };
        stick.match_contacts(model, state, 0.0);
        stick.kept.iter_mut().for_each(|kept| kept.fresh = false);
        stick
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        let of =
            |stick: &Stick| stick.bodies.iter().map(|watched| watched.body).collect::<Vec<_>>();
        let owned = |body: u32| body == NONE || (body as usize) < self.bodies.len();
        let known = |it: &ContactRecord| {
            (it.particle as usize) < model.particles() && it.bodies.iter().all(|body| owned(*body))
        };
        record.owners == self.owners
            && of(record) == of(self)
            && record.drifts.len() == self.drifts.len()
            && record.kept.iter().all(known)
            && record.wrongs.subjects().all(|subject| subject.is_of(model))
            && record.creep.fits(model.particles())
    }

    fn observe(&mut self, step: &Observation) {
        self.lag = step.method.lag;
        self.look(step.model, step.state, step.taken);
    }

    fn add_reasons(&self, run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let wrongs = self.wrongs(run.model, run.state, run.dt);
        reasons.extend(wrongs.spurious.map(|found| SpuriousSteadyState(found).into()));
        reasons.extend(wrongs.chatter.map(|found| Flipping(found).into()));
        reasons.extend(wrongs.off_law.map(|found| CreepOffTheLaw(found).into()));
        reasons.extend(wrongs.ringing.map(|found| Ringing(found).into()));
    }
}

impl Stick {
    /// Enters the next accepted state, at the end of a step.
    fn look(&mut self, model: &Model, state: &State, last_step: &LastStep) {
        let h = last_step.h;
        let contacts = &state.memory.contacts;
        let same = self.kept.len() == contacts.len()
            && self.kept.iter().zip(contacts).all(|(kept, contact)| kept.key == contact.key);
        if !same {
            self.match_contacts(model, state, h);
        }
        let law = model.friction();
        let lag = self.lag;
        let rule = || DriftRule::of(model, &lag);
        for (kept, contact) in self.kept.iter_mut().zip(contacts).filter(|(kept, _)| kept.judged) {
            let fresh = std::mem::take(&mut kept.fresh);
            if kept.held {
                if !fresh {
                    advance_held(kept, model, state, last_step, contact);
                    kept.follow(rule, contact, h);
                }
                continue;
            }
            let frame = frame(model, contact, state.time);
            let last = kept.record.last();
            let (mut instant, mut change) = (*last, StepChange::default());
            if !fresh {
                (instant, change) = instant_and_change(model, state, last_step, contact, last);
                if let Some(frame) = &frame {
                    (instant, change) = (instant.within(frame), change.within(frame));
                }
            }
            if !self.bodies.is_empty() {
                let mut enter = |(owner, share): (u32, f64)| {
                    let sums = &mut self.bodies[owner as usize].sums;
                    sums.add((contact, frame), share, &instant, &change);
                };
                // a particle on a collider has one owner, which bears all
                match (contact.ends.count, kept.bodies[0]) {
                    (1, NONE) => (),
                    (1, only) => enter((only, 1.0)),
                    _ => shares(|i| owner(model, &self.owners, i), contact).for_each(enter),
                }
            }
            let full = !fresh && kept.record.advance(&instant, &change, h);
            kept.follow(rule, contact, h);
            if full && !kept.rigid {
                let part = [loaded(model, contact, state.time)];
                let loaded_law = LoadedLaw::new(law, &part);
                let given = circumstances(model, loaded_law, contact.inverse_mass, contact, h);
                let (faults, findings) = kept.record.turn(&given);
                let subject = Subject::Particle(kept.particle as usize);
                self.wrongs.enter(faults, subject, &findings, state.time);
            }
        }
        for b in 0..self.bodies.len() {
            self.observe_body(b, model, state, last_step);
        }
    }

    /// All faults so far, including those of windows in progress. Ringing counts if it goes on now, or
    /// did for more than three quarters of the run.
    pub fn wrongs(&self, model: &Model, state: &State, h: f64) -> Wrongs {
        let mut wrongs = self.wrongs;
        let law = model.friction();
        let mut look = |record: &WindowRecord, subject: Subject, given: &Circumstances| {
            let Some((faults, findings, rings)) = record.look(given) else { return };
            wrongs.enter(faults, subject, &findings, state.time);
            if rings || record.rang > 0.75 * (state.step_count - self.started) as f64 {
                note(&mut wrongs.ringing, subject, &findings, state.time);
            }
        };
        for (kept, contact) in self.kept.iter().zip(&state.memory.contacts) {
            if kept.judged && !kept.held && !kept.rigid {
                let part = [loaded(model, contact, state.time)];
                let given = circumstances(
                    model,
                    LoadedLaw::new(law, &part),
                    contact.inverse_mass,
                    contact,
                    h,
                );
                look(&kept.record, Subject::Particle(kept.particle as usize), &given);
            }
        }
        let mut parts = Vec::new();
        for whole in &self.bodies {
            let Some(record) = &whole.record else { continue };
            let contacts = &state.memory.contacts;
            let one = fill(&mut parts, contacts, &whole.contacts, (model, state.time));
            if let Some(one) = one {
                let given =
                    circumstances(model, LoadedLaw::new(law, &parts), 1.0 / whole.mass, one, h);
                look(record, Subject::Body(whole.body), &given);
            }
        }
        wrongs
    }

    /// Carries the records of lasting contacts over to the present contacts. The record of a body
    /// restarts when one of its contacts begins or ends.
    fn match_contacts(&mut self, model: &Model, state: &State, h: f64) {
        let mut old = std::mem::take(&mut self.kept);
        let mut new = std::mem::take(&mut self.spare);
        new.clear();
        new.reserve(state.memory.contacts.len());
        let turning = model.surfaces.grains.iter().any(Option::is_some);
        let mut passed = 0;
        for contact in &state.memory.contacts {
            while passed < old.len() && old[passed].key < contact.key {
                self.part_with(&mut old[passed], model, h);
                passed += 1;
            }
            if passed < old.len() && old[passed].key == contact.key {
                new.push(old[passed]);
                passed += 1;
            } else {
                let instant = instant(model, state, contact);
                let frame = frame(model, contact, state.time);
                let instant = frame.map_or(instant, |frame| instant.within(&frame));
                let judged = contact.inverse_mass > 0.0 && !turning && !turns(model, contact);
                let held = contact.ends.iter().any(|(i, _)| is_held(model, i));
                let particle = contact.particle() as u32;
                let mut bodies = [NONE; 2];
                let owner = |i: usize| owner(model, &self.owners, i);
                for (slot, (number, _)) in bodies.iter_mut().zip(shares(owner, contact)) {
                    *slot = number;
                }
                let of_rigid =
                    |i: usize| model.rigid_of(i).is_some_and(|body| body.particles.len() > 1);
                let rigid = contact.ends.iter().any(|(i, _)| of_rigid(i));
                let acceleration = if held { Vector::zeros() } else { instant.acceleration };
                let record = WindowRecord::start(Instant { acceleration, ..instant });
                let kept = ContactRecord {
                    key: contact.key,
                    particle,
                    bodies,
                    judged,
                    held,
                    grained: frame.is_some(),
                    rigid,
                    fresh: true,
                    record,
                    drift: Drift::default(),
                };
                self.begin_anew(&kept);
                new.push(kept);
            }
        }
        for gone in &mut old[passed..] {
            self.part_with(gone, model, h);
        }
        old.clear();
        (self.kept, self.spare) = (new, old);
        self.bodies.iter_mut().for_each(|whole| whole.contacts.clear());
        for (number, kept) in self.kept.iter().enumerate() {
            for body in kept.bodies.iter().filter(|body| **body != NONE) {
                self.bodies[*body as usize].contacts.push(number as u32);
            }
        }
    }

    /// Restarts the records of the bodies of a contact that opened or closed: their load is now shared
    /// by other contacts.
    fn begin_anew(&mut self, changed: &ContactRecord) {
        for body in changed.bodies.iter().filter(|body| **body != NONE) {
            self.bodies[*body as usize].record = None;
        }
    }
}

/// Enters a step of a contact whose load is taken from its friction.
fn advance_held(
    kept: &mut ContactRecord,
    model: &Model,
    state: &State,
    last_step: &LastStep,
    contact: &Contact,
) {
    let (instant, change) =
        instant_and_change(model, state, last_step, contact, kept.record.last());
    let instant = Instant { acceleration: Vector::zeros(), ..instant };
    let change = StepChange { gained: Vector::zeros(), ..change };
    let h = last_step.h;
    if kept.record.advance(&instant, &change, h) {
        let part = [loaded(model, contact, state.time)];
        let law = LoadedLaw::new(model.friction(), &part);
        kept.record.turn(&circumstances(model, law, contact.inverse_mass, contact, h));
    }
}

fn circumstances<'a>(
    model: &Model,
    loaded_law: LoadedLaw<'a>,
    inverse_mass: f64,
    at: &Contact,
    h: f64,
) -> Circumstances<'a> {
    // positions are rounded at every step, possibly always in one direction
    let rounding = f64::EPSILON * at.point.norm() / h;
    let fall = FALL * model.gravity.norm() * h;
    let still = if loaded_law.is_set_valued() { larger(STILL, fall) } else { 0.0 };
    Circumstances { loaded_law, h, inverse_mass, rounding: larger(rounding, still) }
}

/// The frame in which the law of an anisotropic contact is isotropic.
fn frame(model: &Model, contact: &Contact, time: f64) -> Option<LawFrame> {
    model.surfaces.anisotropic.then(|| model.surfaces.law_frame(contact, time)).flatten()
}

/// Whether the direction of an anisotropic collider turns: its frame is then not constant over a window.
fn turns(model: &Model, contact: &Contact) -> bool {
    contact.key.collider().is_some_and(|number| {
        let collider = &model.surfaces.colliders[number];
        collider.anisotropy.is_some() && collider.motion.turns()
    })
}

/// A contact in its law's variables.
fn loaded(model: &Model, contact: &Contact, time: f64) -> LoadedContact {
    let loaded = LoadedContact::of(contact, model.friction());
    frame(model, contact, time).map_or(loaded, |frame| loaded.within(&frame))
}

/// Whether some axes of a particle are held, by an unknown force, and some are free.
fn is_held(model: &Model, i: usize) -> bool {
    let m = &model.inverse_masses[i];
    let free = (0..3).filter(|axis| Some(*axis) != model.locked_axis);
    free.clone().any(|axis| m[axis] == 0.0) && free.clone().any(|axis| m[axis] != 0.0)
}

#[cfg(test)]
mod tests;
