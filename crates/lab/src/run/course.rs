//! The course of a run, as far as it is compared with another.

use super::checkpoint::{Recovered, RunCheckpoint};
use super::{Observer, Recorded, Run};
use std::io;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::math::Vector;
use stiction_core::simulation::Simulation;

/// Largest number of positions stored for comparison, over all frames; beyond it particles are
/// sampled.
const KEPT: usize = 4_000_000;

/// The course of a run, as far as it is compared.
#[derive(Default)]
pub(super) struct Course {
    /// \[s\]
    pub times: Vec<f64>,
    /// `measures[column][frame]`
    pub measures: Vec<Vec<f64>>,
    /// `centers[3 body + axis][frame]` \[m\]
    pub centers: Vec<Vec<f64>>,
    /// drift of every body at the end of the run
    pub drifts: Vec<Drift>,
    pub places: Places,
}

/// Positions of particles and numbers of contacts at every frame.
#[derive(Default)]
pub(super) struct Places {
    /// every `stride`-th particle is stored
    pub stride: usize,
    /// `positions[frame]` \[m\]
    pub positions: Vec<Vec<Vector>>,
    /// number of contacts of each body, and of sticking ones
    pub contacts: Vec<Vec<(usize, usize)>>,
}

impl Places {
    pub(super) fn of(run: &Run) -> Self {
        let numbers =
            run.simulation().model.particles() * (run.timeline.scene.time.frames() as usize);
        Places { stride: numbers.div_ceil(KEPT).max(1), ..Places::default() }
    }

    fn keep(&mut self, simulation: &Simulation) {
        let positions = &simulation.state.positions;
        self.positions.push(positions.iter().step_by(self.stride).copied().collect());
        self.contacts.push(touching(simulation));
    }

    /// Whether a body that touched nothing at a frame after the start touches something at the next.
    pub(super) fn land(&self) -> bool {
        let lands = |(before, now): (&(usize, usize), &(usize, usize))| before.0 == 0 && now.0 > 0;
        let mut frames = self.contacts.windows(2).skip(1);
        frames.any(|pair| pair[0].iter().zip(&pair[1]).any(lands))
    }

    /// Adds a frame from before the run was resumed.
    pub(super) fn recover(&mut self, frame: &Recovered) {
        self.positions.push(frame.positions.clone());
        self.contacts.push(frame.recorded.touching.clone());
    }
}

/// Number of contacts of each body, and of sticking ones.
pub(super) fn touching(simulation: &Simulation) -> Vec<(usize, usize)> {
    let model = &simulation.model;
    let mut contacts = vec![(0, 0); model.bodies.len()];
    for contact in &simulation.state.memory.contacts {
        if let Some(body) = model.body_of(contact.particle()) {
            contacts[body].0 += 1;
            contacts[body].1 += usize::from(contact.sticking);
        }
    }
    contacts
}

/// Stores the compared quantities, and passes frames on to `next`.
pub(super) struct Keeper<'a> {
    pub places: &'a mut Places,
    pub next: &'a mut dyn Observer,
}

impl Observer for Keeper<'_> {
    fn frame(&mut self, simulation: &Simulation, frame: &Recorded) -> io::Result<()> {
        self.places.keep(simulation);
        self.next.frame(simulation, frame)
    }

    fn progress(&mut self, step: u64) {
        self.next.progress(step);
    }

    fn wants_checkpoint(&mut self, step: u64) -> bool {
        self.next.wants_checkpoint(step)
    }

    fn checkpoint(&mut self, checkpoint: RunCheckpoint) -> io::Result<()> {
        self.next.checkpoint(checkpoint)
    }
}

impl Course {
    pub(super) fn of(run: &Run, places: Places) -> Self {
        let columns = 0..run.columns.len();
        let measure = |c: usize| run.frames.iter().map(|frame| frame.measures[c]).collect();
        let axes = 0..3 * run.simulation().model.bodies.len();
        let center = |k: usize| run.centers.iter().map(|frame| frame[k / 3][k % 3]).collect();
        Course {
            times: run.frames.iter().map(|frame| frame.time).collect(),
            measures: columns.map(measure).collect(),
            centers: axes.map(center).collect(),
            drifts: run.extremes.quarter().to_vec(),
            places,
        }
    }
}
