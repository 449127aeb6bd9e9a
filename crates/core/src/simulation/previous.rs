//! The start of a step.

use crate::integrators::Capabilities;
use crate::math::{Rotation, Vector};
use crate::state::{LastStep, Past, State};

/// The state at the start of a step, which a failed step is taken back to.
#[derive(Default)]
pub(super) struct Previous {
    pub(super) positions: Vec<Vector>,
    pub(super) velocities: Vec<Vector>,
    stretch: Vec<Vector>,
    past: Past,
    attitudes: Vec<Rotation>,
}

impl Previous {
    pub(super) fn keep(&mut self, state: &State) {
        self.positions.clone_from(&state.positions);
        self.velocities.clone_from(&state.velocities);
        self.stretch.clone_from(&state.stretch);
        self.past.clone_from(&state.past);
        self.attitudes.clone_from(&state.attitudes);
    }

    /// The step of length `h` that began here and ended at `end` \[s\].
    pub(super) fn last_step(&self, end: f64, h: f64, method: &Capabilities) -> LastStep<'_> {
        let Previous { positions, velocities, .. } = self;
        LastStep { positions, velocities, end, h, kick_share: method.kick_share.unwrap_or(0.5) }
    }

    /// Restores positions and velocities, for a step that changes nothing else.
    pub(super) fn restore_motion(&self, state: &mut State) {
        state.positions.clone_from(&self.positions);
        state.velocities.clone_from(&self.velocities);
    }

    pub(super) fn restore(&self, state: &mut State) {
        self.restore_motion(state);
        state.stretch.clone_from(&self.stretch);
        state.past.clone_from(&self.past);
        state.attitudes.clone_from(&self.attitudes);
    }
}
