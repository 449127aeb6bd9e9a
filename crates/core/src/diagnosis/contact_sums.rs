//! A contact at an accepted state, its change over a step, and sums over the contacts of a body.

use super::window::{Instant, StepChange};
use crate::contact::anisotropy::LawFrame;
use crate::math::{Vector, tangential};
use crate::model::Model;
use crate::state::memory::Contact;
use crate::state::{LastStep, State};
use serde::{Deserialize, Serialize};

/// Sums over the contacts of a body at one state. Slips are weighted by the law's damping |∂F/∂v|: in
/// proportion to it contacts share a load.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct ContactSums {
    pub(super) pressure: Vector,
    pub(super) normal_force: f64,
    pub(super) normal_force_squared: f64,
    pub(super) weight: f64,
    pub(super) slip: Vector,
    pub(super) slip_squared: f64,
    pub(super) moved: Vector,
    pub(super) friction: Vector,
    pub(super) stretch: Vector,
    /// the law's variables, if the contacts are anisotropic
    pub(super) frame: Option<LawFrame>,
    /// the contacts have different frames
    pub(super) mixed: bool,
}

impl ContactSums {
    /// Adds a contact on the side that takes `share` of its force, +1 or −1.
    #[inline]
    pub(super) fn add(
        &mut self,
        (contact, frame): (&Contact, Option<LawFrame>),
        share: f64,
        instant: &Instant,
        change: &StepChange,
    ) {
        let n = contact.normal_force;
        let weight = if contact.damping > 0.0 { contact.damping } else { n };
        self.mixed |= self.normal_force > 0.0 && self.frame != frame;
        self.frame = frame;
        self.pressure += contact.normal * (share * n);
        self.normal_force += n;
        self.normal_force_squared += n * n;
        self.weight += weight;
        self.slip += instant.slip * (share * weight);
        self.slip_squared += instant.slip.norm_squared() * weight;
        self.moved += change.moved * (share * weight);
        self.friction += instant.friction * share;
        self.stretch += contact.stretch * (share * weight);
    }
}

/// A contact at the accepted state.
#[inline(always)]
pub(super) fn instant(model: &Model, state: &State, contact: &Contact) -> Instant {
    let mut acceleration = Vector::zeros();
    for (i, c) in contact.ends.iter() {
        acceleration += model.inverse_masses[i].component_mul(&state.forces[i]) * c;
    }
    // between rotating bodies slip is that of the contact point, not of the particles
    let surface_velocity = if contact.key.collider().is_some() {
        contact.surface_velocity
    } else {
        let velocity: Vector = contact.ends.iter().map(|(i, c)| state.velocities[i] * c).sum();
        tangential(velocity, contact.normal) - contact.slip
    };
    Instant {
        slip: contact.slip,
        acceleration: tangential(acceleration, contact.normal),
        friction: contact.friction,
        normal_force: contact.normal_force,
        unevenness: contact.normal_force,
        stretch: contact.stretch,
        slides: !contact.sticking,
        spread: 0.0,
        surface_velocity,
    }
}

/// A contact at the accepted state, and its changes over the step.
#[inline(always)]
pub(super) fn instant_and_change(
    model: &Model,
    state: &State,
    last_step: &LastStep,
    contact: &Contact,
    last: &Instant,
) -> (Instant, StepChange) {
    let mut now = instant(model, state, contact);
    let mut moved = (now.surface_velocity + last.surface_velocity) * (-0.5 * last_step.h);
    let mut gained = Vector::zeros();
    for (i, c) in contact.ends.iter() {
        moved += (state.positions[i] - last_step.positions[i]) * c;
        gained += (state.velocities[i] - last_step.velocities[i]) * c;
    }
    let along = |v| tangential(v, contact.normal);
    if model.laws.is_none() {
        // impulses are not among the forces: they show in the change of velocity
        now.acceleration = along(gained / last_step.h);
    }
    (now, StepChange { moved: along(moved), gained: along(gained) })
}
