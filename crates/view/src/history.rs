//! Data of live plots: quantities of a run over time, thinned so that the whole run stays in view,
//! and the path of one particle.

use std::collections::VecDeque;
use stiction_core::diagnosis::audit::Energies;
use stiction_core::diagnosis::particle_creep::PARTS;
use stiction_core::forces::account::Flows;
use stiction_core::math::Vector;

/// Number of samples above which every second one is removed.
const MOST: usize = 800;

/// Number of stored points of the chosen particle's path.
const PATH: usize = 3000;

/// Quantities of a run at one instant.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Time \[s\].
    pub time: f64,
    /// Energies \[J\].
    pub energies: Energies,
    /// Dissipated energy and work since the audit began \[J\].
    pub flows: Flows,
    /// Energy that the method created or lost \[J\].
    pub residual: f64,
    /// The largest h λ since the previous sample.
    pub hlambda: f64,
    /// Whether the run was trusted at that time.
    pub trusted: bool,
    /// Creep of each body since the previous sample, and its parts due to law, integrator and lag
    /// \[m/s\]; NaN if there is none or it is unknown.
    pub creep: Vec<[f64; 1 + PARTS]>,
    /// Largest distance of a particle from its position in the reference \[m\]; NaN without
    /// reference.
    pub difference: f64,
    /// The scene's measures, one number per column.
    pub measures: Vec<f64>,
}

/// The chosen particle after one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passing {
    /// Time \[s\].
    pub time: f64,
    /// Position \[m\].
    pub position: Vector,
    /// Velocity \[m/s\].
    pub velocity: Vector,
}

/// Quantities of a run over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    samples: Vec<Sample>,
    /// least time between stored samples \[s\]
    interval: f64,
    /// whether the last sample is of a picture alone
    passing: bool,
    path: VecDeque<Passing>,
}

impl History {
    /// The stored samples, ascending in time.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The path of the chosen particle, step by step.
    pub fn path(&self) -> &VecDeque<Passing> {
        &self.path
    }

    /// Adds a sample; one too close to the previous replaces it, so that the last one is always
    /// present.
    pub fn add(&mut self, sample: Sample) {
        self.drop_passing();
        if let [.., before, _] = &self.samples[..]
            && sample.time - before.time < self.interval
        {
            self.samples.pop();
        }
        self.samples.push(sample);
        if self.samples.len() > MOST {
            let mut number = 0;
            self.samples.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            let span = self.samples[self.samples.len() - 1].time - self.samples[0].time;
            self.interval = span / (self.samples.len() - 1) as f64;
        }
    }

    /// Adds a sample for a picture, until the next one is added.
    pub fn show(&mut self, sample: Sample) {
        self.drop_passing();
        self.samples.push(sample);
        self.passing = true;
    }

    fn drop_passing(&mut self) {
        if std::mem::take(&mut self.passing) {
            self.samples.pop();
        }
    }

    /// Adds a step of the chosen particle.
    pub fn pass(&mut self, passing: Passing) {
        if self.path.len() == PATH {
            self.path.pop_front();
        }
        self.path.push_back(passing);
    }

    /// Clears the path, for another particle.
    pub(crate) fn forget_path(&mut self) {
        self.path.clear();
    }

    /// Removes all data after `time` \[s\].
    pub fn truncate(&mut self, time: f64) {
        self.drop_passing();
        self.samples.retain(|sample| sample.time <= time);
        self.path.retain(|passing| passing.time <= time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(k: usize) -> Sample {
        Sample { time: k as f64, ..Sample::default() }
    }

    #[test]
    fn a_sample_of_a_picture_gives_way_to_the_next() {
        let mut history = History::default();
        history.add(sample(1));
        history.show(sample(2));
        history.show(sample(3));
        let times =
            |history: &History| -> Vec<f64> { history.samples().iter().map(|s| s.time).collect() };
        assert_eq!(times(&history), [1.0, 3.0]);
        history.add(sample(4));
        assert_eq!(times(&history), [1.0, 4.0]);
    }

    #[test]
    fn the_whole_run_stays_in_view() {
        let mut history = History::default();
        (0..10_000).for_each(|k| history.add(sample(k)));
        let times: Vec<f64> = history.samples().iter().map(|s| s.time).collect();
        assert!(times.len() <= MOST && times.len() > MOST / 4, "{}", times.len());
        assert_eq!((times[0], times[times.len() - 1]), (0.0, 9999.0));
        let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
        let (least, most) = gaps.fold((f64::MAX, 0.0f64), |(a, b), g| (a.min(g), b.max(g)));
        assert!(least >= 1.0 && most <= 64.0, "{least} {most}");
        history.truncate(100.0);
        assert!(history.samples().iter().all(|s| s.time <= 100.0));
    }
}
