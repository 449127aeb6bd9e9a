//! Storing a run between two steps, and resuming it.

use super::course::{Places, touching};
use super::kept::{Kept, Recorded, Recovered};
use super::{Frame, Run, center};

impl Run {
    /// Whether stored data have the numbers of particles and measures of this run.
    pub fn fits(&self, kept: &Kept) -> bool {
        let particles = self.simulation().model.particles();
        let state = kept.simulation.state();
        let of_each = [&state.positions, &state.velocities, &state.forces];
        of_each.iter().all(|vectors| vectors.len() == particles)
            && kept.probes.len() == self.probes.len()
    }

    /// All data needed to resume from here, between two steps.
    pub fn kept(&self) -> Kept {
        Kept {
            simulation: self.timeline.simulation.checkpoint(),
            tally: self.tally.clone(),
            probes: self.probes.iter().map(|probe| probe.last()).collect(),
            extremes: self.extremes.kept(),
        }
    }

    /// Resumes from stored data of a run of the same scene, with the frames until then.
    pub fn go_on(&mut self, kept: Kept, frames: Vec<Recovered>) {
        self.timeline.simulation.restore(&kept.simulation);
        self.tally = kept.tally;
        for (probe, last) in self.probes.iter_mut().zip(kept.probes) {
            probe.go_on(last);
        }
        self.extremes.go_on(kept.extremes);
        if self.keeps_frames {
            self.centers = frames.iter().map(|frame| frame.recorded.centers.clone()).collect();
            self.frames = frames.iter().map(|frame| frame.recorded.frame.clone()).collect();
        }
        self.recovered = frames;
        self.begun = true;
    }

    /// The last step before the last quarter of the run, over which creep is averaged. Data until
    /// then do not depend on the end of the run, if it is later.
    pub fn quarter(&self) -> u64 {
        self.steps - self.steps.div_ceil(4)
    }

    /// The same for a run that ends at a time \[s\].
    pub(crate) fn quarter_of(&self, end: f64) -> u64 {
        let steps = (end / self.timeline.scene.time.step).round() as u64;
        steps - steps.div_ceil(4)
    }

    /// Interval of the particles compared with those of other runs.
    pub fn stride(&self) -> usize {
        Places::of(self).stride
    }

    /// Whether frames are kept in memory, so that [`Self::go_on`] needs them.
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
