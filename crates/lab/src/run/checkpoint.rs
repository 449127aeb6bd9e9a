//! A run between two steps, as files hold it, to resume with the same bits.

use super::extremes::ExtremesCheckpoint;
use super::{Frame, Tally};
use serde::{Deserialize, Serialize};
use stiction_core::math::Vector;
use stiction_core::measures::ProbeMemory;
use stiction_core::simulation::Checkpoint;

/// All changing data of a run except its frames, which are in its results.
#[derive(Clone, Serialize, Deserialize)]
pub struct RunCheckpoint {
    pub(super) simulation: Checkpoint,
    pub(super) tally: Tally,
    /// of each measure
    pub(super) probes: Vec<ProbeMemory>,
    pub(super) extremes: ExtremesCheckpoint,
}

/// One recorded frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// Steps taken.
    pub step: u64,
    /// The numbers.
    pub frame: Frame,
    /// Centre of mass of each body \[m\].
    pub centers: Vec<Vector>,
    /// Number of contacts of each body, and of sticking ones.
    pub touching: Vec<(usize, usize)>,
}

/// A frame from before a run was resumed.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// The recorded values.
    pub recorded: Recorded,
    /// Positions of every [`super::Run::stride`]-th particle \[m\]; empty for a run that is not
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
