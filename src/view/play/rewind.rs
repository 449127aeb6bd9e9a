//! Where a run can go back to: a ring of checkpoints.

use super::changes::Changes;
use crate::diagnosis::audit::Flows;
use crate::simulation::{Checkpoint, Simulation};
use std::collections::VecDeque;
use std::sync::Arc;

/// Memory the ring may take \[bytes\].
const ROOM: usize = 192 << 20;

/// Checkpoints kept: at least, at most.
const COUNT: (usize, usize) = (8, 1200);

/// Bytes of a checkpoint per particle, and per contact.
const BYTES: (usize, usize) = (200, 1200);

/// A run at one instant, with what had been done to it.
#[derive(Clone)]
pub struct Kept {
    /// The run.
    pub checkpoint: Checkpoint,
    /// What was changed of the scene.
    pub changes: Arc<Changes>,
    /// Events until then.
    pub events: usize,
    /// Remarks on what was before changes.
    pub before: usize,
    /// Since when the verdict speaks \[s\].
    pub since: Option<f64>,
    /// What was dissipated and put in before the audit began.
    pub earlier: Flows,
}

/// The ring, ascending in time.
#[derive(Default)]
pub struct Ring {
    kept: VecDeque<Kept>,
}

impl Ring {
    /// Adds a checkpoint; the oldest gives way.
    pub fn add(&mut self, kept: Kept) {
        let state = kept.checkpoint.state();
        let bytes = BYTES.0 * state.positions.len() + BYTES.1 * state.memory.contacts.len();
        let most = (ROOM / bytes.max(1)).clamp(COUNT.0, COUNT.1);
        while self.kept.len() >= most {
            self.kept.pop_front();
        }
        self.kept.push_back(kept);
    }

    /// The time of the last checkpoint \[s\].
    pub fn last_time(&self) -> Option<f64> {
        self.kept.back().map(|kept| kept.checkpoint.state().time)
    }

    /// Takes out the last checkpoint before what `simulation` is at now; the oldest one is left in.
    pub fn back(&mut self, simulation: &Simulation) -> Option<Kept> {
        while let Some(last) = self.kept.back() {
            let earlier = last.checkpoint.state().step < simulation.state.step;
            if self.kept.len() == 1 {
                return earlier.then(|| last.clone());
            }
            let last = self.kept.pop_back()?;
            if earlier {
                return Some(last);
            }
        }
        None
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}
