//! Checkpoint of a run between two steps, and resuming it.

use super::bodies::center;
use super::checkpoint::{Recorded, Recovered, RunCheckpoint};
use super::course::{Places, touching};
use super::{Frame, Run};
use stiction_scene::Time;

impl Run {
    /// Whether a checkpoint can be of this run, which stands at t = 0: its lists are as long, and all
    /// indices are of this scene.
    pub fn fits(&self, checkpoint: &RunCheckpoint) -> bool {
        let bodies = self.simulation().model.bodies.len();
        let probes = || self.probes.iter().zip(&checkpoint.probes);
        checkpoint.probes.len() == self.probes.len()
            && probes().all(|(probe, memory)| probe.fits(memory))
            && self.simulation().fits(&checkpoint.simulation, self.steps)
            && self.extremes.fits(&checkpoint.extremes, bodies)
            && self.tally.fits(&checkpoint.tally, bodies, self.columns.len())
            && checkpoint.tally.count as u64 <= checkpoint.step() + 1
    }

    /// All that is needed to resume here, between two steps.
    pub fn checkpoint(&self) -> RunCheckpoint {
        RunCheckpoint {
            simulation: self.timeline.simulation.checkpoint(),
            tally: self.tally.clone(),
            probes: self.probes.iter().map(|probe| probe.memory().clone()).collect(),
            extremes: self.extremes.checkpoint(),
        }
    }

    /// Resumes from a checkpoint of the same scene, with the frames before it.
    pub fn resume(&mut self, checkpoint: RunCheckpoint, frames: Vec<Recovered>) {
        self.timeline.simulation.restore(&checkpoint.simulation);
        self.tally = checkpoint.tally;
        for (probe, memory) in self.probes.iter_mut().zip(checkpoint.probes) {
            probe.restore(memory);
        }
        self.extremes.restore(checkpoint.extremes);
        if self.keeps_frames {
            self.centers = frames.iter().map(|frame| frame.recorded.centers.clone()).collect();
            self.frames = frames.iter().map(|frame| frame.recorded.frame.clone()).collect();
        }
        self.recovered = frames;
        self.begun = true;
    }

    /// The last step before the drift is taken: a checkpoint before it serves a run that ends later too.
    pub fn quarter(&self) -> u64 {
        self.quarter_of_steps(self.steps)
    }

    /// [`Self::quarter`] of a run that ends at the time `end` \[s\].
    pub(crate) fn quarter_of(&self, end: f64) -> u64 {
        let steps = (end / self.timeline.scene.time.step).round() as u64;
        self.quarter_of_steps(steps)
    }

    fn quarter_of_steps(&self, steps: u64) -> u64 {
        Time { steps, ..self.timeline.scene.time }.steps_before_drift()
    }

    /// One in this many particles is compared with its place in other runs.
    pub fn stride(&self) -> usize {
        Places::of(self).stride
    }

    /// Whether frames are kept, so that [`Self::resume`] wants them.
    pub(crate) fn keeps_frames(&self) -> bool {
        self.keeps_frames
    }

    /// Whether the run is verified at its end.
    pub(crate) fn is_verified(&self) -> bool {
        self.verifier.is_some()
    }

    pub(super) fn recorded(&self, frame: Frame) -> Recorded {
        let simulation = &self.timeline.simulation;
        let (model, state) = (&simulation.model, &simulation.state);
        Recorded {
            step: state.step_count,
            frame,
            centers: model.bodies.iter().map(|body| center(model, state, body)).collect(),
            touching: touching(simulation),
        }
    }
}
