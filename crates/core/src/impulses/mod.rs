//! Contact by velocities that jump: no law of depth and slip velocity, but conditions on the state at
//! the end of a step. The forces that remain are smooth, and any explicit method takes them over the
//! step; then the contacts jump the velocities it has made.

pub mod depth;
pub mod entry;
mod even;
pub mod exact;
pub mod micro_collisions;
pub mod penalty;
pub mod problem;

use crate::forces::account::Jump;
use crate::model::Model;
use crate::registry::{Entry, Table};
use crate::state::memory::Memory;
use crate::state::{LastStep, State};
use crate::step_error::StepError;

/// The contact method: `[contact] method`.
pub enum ContactMethod {
    /// Contacts are forces of the right-hand side.
    Penalty,
    /// Contacts jump velocities after each step.
    Impulse(Box<dyn Impulse>),
}

impl ContactMethod {
    /// Whether contacts are forces of the right-hand side.
    pub fn is_force(&self) -> bool {
        matches!(self, ContactMethod::Penalty)
    }

    /// Makes the state at t = 0 one the method can start from: bodies that contacts may not let
    /// overlap are moved apart, for steps of `dt` \[s\].
    pub fn begin(&self, model: &Model, state: &mut State, dt: f64) {
        if let ContactMethod::Impulse(method) = self {
            let range = model.surfaces.look_ahead(method.range(dt));
            depth::push_out(model, state, state.time, range, &mut Vec::new());
        }
    }
}

/// Contact by velocities that jump after a step.
pub trait Impulse: Send {
    /// Gap up to which contacts are looked for \[m\], in steps of `dt` \[s\].
    fn range(&self, dt: f64) -> f64;

    /// Jumps the velocities of the state a method has made under all other forces, and moves it out of
    /// what it has entered. The contacts go to `next`, with impulse/h as forces; energies and work to
    /// `jump`. On error the state may be anything: the caller takes it back.
    fn apply(
        &mut self,
        model: &Model,
        state: &mut State,
        taken: &LastStep,
        next: &mut Memory,
        jump: &mut Jump,
    ) -> Result<(), StepError>;
}

/// All contact methods.
pub static CONTACT_METHODS: Table<Entry<ContactMethod>> =
    Table::new("contact method", &[penalty::ENTRY, micro_collisions::ENTRY, exact::ENTRY]);
