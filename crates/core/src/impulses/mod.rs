//! Contact by velocity jumps: instead of a law of depth and slip velocity, conditions on the state at
//! the end of a step. The remaining forces are smooth, so any explicit method can take the step; the
//! contacts then jump the velocities.

pub mod depth;
pub mod entry;
mod even;
pub mod exact;
mod holding;
mod islands;
pub mod micro_collisions;
pub mod penalty;
pub mod problem;
mod rebound;
pub mod start;

pub use rebound::IMPACT_ERROR;

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

    /// Prepares the state at t = 0: moves overlapping bodies apart where contacts allow no overlap, for
    /// steps of `dt` \[s\].
    pub fn begin(&self, model: &Model, state: &mut State, dt: f64) {
        if let ContactMethod::Impulse(method) = self {
            let range = model.surfaces.look_ahead(method.range(dt));
            depth::push_out(model, state, state.time, range, &mut Vec::new());
        }
    }
}

/// Contact by velocity jumps after a step.
pub trait Impulse: Send {
    /// Gap up to which contacts are found \[m\], for steps of `dt` \[s\].
    fn range(&self, dt: f64) -> f64;

    /// Jumps the velocities of the state that an integrator has made under all other forces, and
    /// moves the state out of penetrations. Contacts go to `next`, with impulse/h as forces;
    /// energies and work to `jump`. On error the state is undefined: the caller restores it.
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
