//! Contact by velocities that jump: no law of depth and slip velocity, but conditions on the state at
//! the end of a step. The forces that remain are smooth, and any explicit method takes them over the
//! step; then the contacts jump the velocities it has made.

pub mod coulomb;
pub mod depth;
pub mod entry;
mod even;
pub mod exact;
pub mod micro_collisions;
pub mod penalty;
pub mod problem;

use crate::forces::account::Jump;
use crate::model::Model;
use crate::registry::Entry;
use crate::state::memory::Memory;
use crate::state::{State, Taken};
use crate::step_error::StepError;

/// How contact is enforced: `[contact] method`.
pub trait ContactMethod: Send {
    /// Whether contacts are forces of the right-hand side; [`Self::apply`] is then not called.
    fn is_force(&self) -> bool {
        false
    }

    /// How far ahead of touching contacts have to be known \[m\], in a scene of step `h` \[s\].
    fn reach(&self, h: f64) -> f64 {
        let _ = h;
        0.0
    }

    /// Makes the state at t = 0 one the method can start from: what may not overlap is moved apart.
    fn begin(&self, model: &Model, state: &mut State) {
        if !self.is_force() {
            depth::push_out(model, state, state.time, &mut Vec::new());
        }
    }

    /// Jumps the velocities of the state a method has made under all other forces, and moves it out of
    /// what it has entered. The contacts go to `next`, with impulse/h as forces; energies and work to
    /// `jump`. On error the state may be anything: the caller takes it back.
    fn apply(
        &mut self,
        model: &Model,
        state: &mut State,
        taken: &Taken,
        next: &mut Memory,
        jump: &mut Jump,
    ) -> Result<(), StepError>;
}

/// All contact methods.
pub const CONTACT_METHODS: &[Entry<dyn ContactMethod>] =
    &[penalty::ENTRY, micro_collisions::ENTRY, exact::ENTRY];
