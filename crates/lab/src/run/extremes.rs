//! Extremes of all accepted states, however few frames are kept of them: the largest depth, the
//! extremes of measures that are expected at "max" or "min", and creep over the last quarter.

use serde::{Deserialize, Serialize};
use stiction_core::diagnosis::creep::Budget;
use stiction_core::math::{Vector, larger};
use stiction_core::measures::Probe;
use stiction_core::simulation::Simulation;
use stiction_scene::{Expectation, Moment};

/// A measure whose extremes are expected.
struct Watched {
    probe: Probe,
    /// the first of its columns in the run
    first: usize,
    /// least and largest value of each of its columns
    range: Vec<(f64, f64)>,
}

/// Least and largest values of a measure, and when and where it was last read.
#[derive(Clone, Serialize, Deserialize)]
struct RangeCheckpoint {
    range: Vec<(f64, f64)>,
    last: Option<(f64, Vector)>,
}

/// The part of [`Extremes`] that changes during a run.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ExtremesCheckpoint {
    watched: Vec<RangeCheckpoint>,
    deepest: f64,
    pending: Vec<Budget>,
    quarter: Vec<Budget>,
}

/// Sums and extremes over accepted states.
#[derive(Default)]
pub(super) struct Extremes {
    watched: Vec<Watched>,
    /// since the last frame \[m\]
    deepest: f64,
    /// creep of each body since the last frame, and over the last quarter
    pending: Vec<Budget>,
    quarter: Vec<Budget>,
    values: Vec<f64>,
}

impl Extremes {
    /// Of the measures in these probes that some expectation wants the extremes of. What depends on
    /// the frame before is a matter of frames.
    pub(super) fn of(probes: &[Probe], expectations: &[Expectation]) -> Self {
        let (mut watched, mut first) = (Vec::new(), 0);
        for probe in probes {
            let wanted = |e: &Expectation| {
                probe.columns.contains(&e.column)
                    && matches!(e.at, Moment::Maximum | Moment::Minimum)
            };
            if expectations.iter().any(wanted) && !probe.is_of_frames() {
                let range = vec![(f64::INFINITY, f64::NEG_INFINITY); probe.columns.len()];
                watched.push(Watched { probe: probe.anew(), first, range });
            }
            first += probe.columns.len();
        }
        Extremes { watched, ..Extremes::default() }
    }

    /// Takes in an accepted state, the last one before the last quarter among them.
    pub(super) fn look(&mut self, simulation: &mut Simulation, begins_quarter: bool) {
        if begins_quarter {
            self.end_creep(simulation);
            self.quarter = vec![Budget::default(); self.pending.len()];
        }
        let depths = simulation.state.memory.contacts.iter().map(|contact| contact.depth);
        self.deepest = depths.fold(self.deepest, larger);
        for watched in &mut self.watched {
            self.values.clear();
            watched.probe.read(simulation, &mut self.values);
            for (range, value) in watched.range.iter_mut().zip(&self.values) {
                range.0 = if *value < range.0 { *value } else { range.0 };
                range.1 = if *value > range.1 { *value } else { range.1 };
            }
        }
    }

    /// The largest depth since the last frame \[m\].
    pub(super) fn take_deepest(&mut self) -> f64 {
        std::mem::take(&mut self.deepest)
    }

    /// Least and largest value of a column, where they are watched.
    pub(super) fn range(&self, column: usize) -> Option<(f64, f64)> {
        let of = |w: &Watched| w.range.get(column.checked_sub(w.first)?).copied();
        self.watched.iter().find_map(of).filter(|range| range.0 <= range.1)
    }

    /// The creep of each body since the last frame.
    pub(super) fn take_creep(&mut self, simulation: &mut Simulation) -> Vec<Budget> {
        self.end_creep(simulation);
        std::mem::take(&mut self.pending)
    }

    /// The creep of each body over the last quarter; of all of the run where it did not get there.
    pub(super) fn quarter(&self) -> &[Budget] {
        &self.quarter
    }

    /// All of it that changes during a run.
    pub(super) fn checkpoint(&self) -> ExtremesCheckpoint {
        let range = |w: &Watched| RangeCheckpoint { range: w.range.clone(), last: w.probe.last() };
        ExtremesCheckpoint {
            watched: self.watched.iter().map(range).collect(),
            deepest: self.deepest,
            pending: self.pending.clone(),
            quarter: self.quarter.clone(),
        }
    }

    /// Restores what [`Self::checkpoint`] gave of the same scene.
    pub(super) fn restore(&mut self, from: ExtremesCheckpoint) {
        for (watched, before) in self.watched.iter_mut().zip(from.watched) {
            watched.range = before.range;
            watched.probe.restore(before.last);
        }
        (self.deepest, self.pending, self.quarter) = (from.deepest, from.pending, from.quarter);
    }

    fn end_creep(&mut self, simulation: &mut Simulation) {
        let h = simulation.time_step();
        let creep = simulation.watches.stick.end_frame(&simulation.model, &simulation.state, h);
        for sums in [&mut self.pending, &mut self.quarter] {
            sums.resize(creep.len(), Budget::default());
            sums.iter_mut().zip(&creep).for_each(|(sum, since)| sum.append(since));
        }
    }
}
