//! States to which a run can go back: a ring of checkpoints.

use super::changes::Changes;
use super::measuring::MeasuringPoint;
use super::partings::Partings;
use std::collections::VecDeque;
use std::sync::Arc;
use stiction_core::simulation::Checkpoint;
use stiction_lab::run::timeline::Earlier;

/// Memory of the ring \[bytes\].
const ROOM: usize = 192 << 20;

/// Least and largest number of checkpoints.
const COUNT: (usize, usize) = (8, 1200);

/// Bytes of a checkpoint per particle, and per contact.
const BYTES: (usize, usize) = (200, 1200);

/// A run at one instant, with the actions until then.
#[derive(Clone)]
pub(crate) struct RewindPoint {
    /// The run.
    pub checkpoint: Checkpoint,
    /// Changes of the scene.
    pub changes: Arc<Changes>,
    /// The changes as `key=value` texts.
    pub set: Arc<Vec<String>>,
    /// Number of events until then.
    pub events: usize,
    /// Number of remarks on faults before changes.
    pub before: usize,
    /// Start of the period covered by the verdict \[s\].
    pub since: Option<f64>,
    /// Sums and reasons from before the last change.
    pub earlier: Earlier,
    /// Contacts and partings until then.
    pub partings: Partings,
    /// The readings of measures until then.
    pub measures: MeasuringPoint,
}

/// The ring, ascending in time.
#[derive(Default)]
pub(crate) struct RewindRing {
    kept: VecDeque<RewindPoint>,
}

impl RewindRing {
    /// Adds a checkpoint; removes the oldest if the ring is full.
    pub fn add(&mut self, kept: RewindPoint) {
        let state = kept.checkpoint.state();
        let bytes = BYTES.0 * state.positions.len() + BYTES.1 * state.memory.contacts.len();
        let most = (ROOM / bytes.max(1)).clamp(COUNT.0, COUNT.1);
        while self.kept.len() >= most {
            self.kept.pop_front();
        }
        self.kept.push_back(kept);
    }

    /// The time of the last checkpoint \[s\].
    pub(crate) fn last_time(&self) -> Option<f64> {
        self.kept.back().map(|kept| kept.checkpoint.state().time)
    }

    /// The time of the last checkpoint before a step \[s\].
    pub(crate) fn time_before(&self, step: u64) -> Option<f64> {
        let states = self.kept.iter().rev().map(|kept| kept.checkpoint.state());
        let mut earlier = states.filter(|state| state.step_count < step);
        earlier.next().map(|state| state.time)
    }

    /// The last checkpoint not after `time` \[s\], else the first; later ones are removed.
    pub(crate) fn back_to(&mut self, time: f64) -> Option<RewindPoint> {
        while self.kept.len() > 1 && self.last_time().is_some_and(|last| last > time) {
            self.kept.pop_back();
        }
        self.kept.back().cloned()
    }

    /// Removes all checkpoints.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}
