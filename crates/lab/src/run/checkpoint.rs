//! A run between two steps, as files hold it, to resume with the same bits.

use super::extremes::ExtremesCheckpoint;
use super::{Frame, Tally};
use serde::{Deserialize, Serialize};
use stiction_core::math::Vector;
use stiction_core::simulation::Checkpoint;

/// Everything of a run that changes, but for its frames: those stand in its results.
#[derive(Clone, Serialize, Deserialize)]
pub struct RunCheckpoint {
    pub(super) simulation: Checkpoint,
    pub(super) tally: Tally,
    /// of each measure: when it was last read, and the centre of mass then
    pub(super) probes: Vec<Option<(f64, Vector)>>,
    pub(super) extremes: ExtremesCheckpoint,
}

/// One frame as it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// Steps taken.
    pub step: u64,
    /// The numbers.
    pub frame: Frame,
    /// Mass centre of each body \[m\].
    pub centers: Vec<Vector>,
    /// Contacts of each body, and how many of them stick.
    pub touching: Vec<(usize, usize)>,
}

/// A frame from before a run was gone on with.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// As it was recorded.
    pub recorded: Recorded,
    /// Position of every so many particles, as [`super::Run::stride`] says \[m\]; empty for a run that is not
    /// verified.
    pub positions: Vec<Vector>,
}

impl RunCheckpoint {
    /// Steps taken.
    pub fn step(&self) -> u64 {
        self.simulation.state().step_count
    }

    /// The time \[s\].
    pub fn time(&self) -> f64 {
        self.simulation.state().time
    }
}
