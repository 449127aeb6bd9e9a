//! A run as it is kept between two steps, to go on later with the same bits.

use super::course::{Places, touching};
use super::extremes::KeptExtremes;
use super::{Frame, Run, Tally, center};
use crate::math::Vector;
use crate::simulation::Checkpoint;
use serde::{Deserialize, Serialize};

/// Everything of a run that changes, but for its frames: those stand in its results.
#[derive(Clone, Serialize, Deserialize)]
pub struct Kept {
    simulation: Checkpoint,
    tally: Tally,
    /// of each measure: when it was last read, and the centre of mass then
    probes: Vec<Option<(f64, Vector)>>,
    extremes: KeptExtremes,
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
    /// Position of every so many particles, as [`Run::stride`] says \[m\]; empty for a run that is not
    /// verified.
    pub positions: Vec<Vector>,
}

impl Kept {
    /// Steps taken.
    pub fn step(&self) -> u64 {
        self.simulation.state().step_count
    }

    /// The time \[s\].
    pub fn time(&self) -> f64 {
        self.simulation.state().time
    }

    /// Whether it is of a run with so many particles and measures.
    pub fn fits(&self, run: &Run) -> bool {
        let particles = run.simulation().model.particles();
        let state = self.simulation.state();
        let of_each = [&state.positions, &state.velocities, &state.forces];
        of_each.iter().all(|vectors| vectors.len() == particles)
            && self.probes.len() == run.probes.len()
    }
}

impl Run {
    /// All that is needed to go on from here, between two steps.
    pub fn kept(&self) -> Kept {
        Kept {
            simulation: self.timeline.simulation.checkpoint(),
            tally: self.tally.clone(),
            probes: self.probes.iter().map(|probe| probe.last()).collect(),
            extremes: self.extremes.kept(),
        }
    }

    /// Goes on from what was kept of a run of the same scene, with the frames until then.
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

    /// The last step before the last quarter of the run, over which creep is averaged: what is kept
    /// until then is the same whenever the run ends later.
    pub fn quarter(&self) -> u64 {
        self.steps - self.steps.div_ceil(4)
    }

    /// The same of a run that ends at a time \[s\].
    pub fn quarter_of(&self, end: f64) -> u64 {
        let steps = (end / self.timeline.scene.time.step).round() as u64;
        steps - steps.div_ceil(4)
    }

    /// One particle in so many is compared with that of other runs.
    pub fn stride(&self) -> usize {
        Places::of(self).stride
    }

    /// Whether frames are kept, so that [`Self::go_on`] wants them.
    pub fn keeps_frames(&self) -> bool {
        self.keeps_frames
    }

    /// Whether the run is verified when it has come to its end.
    pub fn is_verified(&self) -> bool {
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
