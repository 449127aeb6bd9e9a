//! Reference of a comparison: the exact solution if it is known, else a run refined to estimate its
//! error bar.

use super::analysis::Block;
use super::plan::Variant;
use super::trial::Trial;
use std::collections::BTreeMap;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::math::{Vector, larger, log2, sqrt};

/// Origin of a reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReferenceOrigin {
    /// The exact solution of [`Block`].
    Analysis,
    /// Dormand–Prince runs, each with half the step of the one before.
    Refined {
        /// Number of runs.
        runs: usize,
        /// The order of convergence used for extrapolation, if any.
        order: Option<f64>,
        /// Whether the runs converge, or agreed from the start.
        settled: bool,
    },
}

/// The reference of the variants that share their physics.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The law, and ε if it was varied.
    pub name: String,
    /// Its origin.
    pub origin: ReferenceOrigin,
    /// Positions at the end \[m\]; `None` if the run did not reach it.
    pub end: Option<Vec<Vector>>,
    /// Error bar of these positions \[m\], RMS; smaller errors cannot be resolved.
    pub uncertainty: f64,
    /// Centre of mass of the first body at every frame: time \[s\], position \[m\].
    pub path: Vec<(f64, Vector)>,
    /// Largest distance of the centres of mass from their start, RMS over the bodies \[m\].
    pub length: f64,
    /// Whether its runs can be trusted.
    pub verdict: Verdict,
}

impl Reference {
    /// Description in one sentence.
    pub fn describe(&self) -> String {
        let what = match self.origin {
            ReferenceOrigin::Analysis => "the exact solution of the block on a plane".to_string(),
            ReferenceOrigin::Refined { runs, order: None, settled } => {
                let unsettled = if settled { "" } else { ", which do not settle" };
                format!("dopri5, rtol 1e-10, {runs} runs with the step halved{unsettled}")
            }
            ReferenceOrigin::Refined { runs, order: Some(order), .. } => format!(
                "dopri5, rtol 1e-10, {runs} runs with the step halved, extrapolated (Richardson, order {order:.2})"
            ),
        };
        let off = match self.end {
            Some(_) => format!("off by about {:.1e} m", self.uncertainty),
            None => "it did not get to the end".into(),
        };
        format!("reference for {}: {what}; {off}", self.name)
    }
}

/// Difference of runs, as a share of the distance travelled, up to which they are not refined
/// further.
const AGREE: f64 = 1e-9;

/// Smallest error bar of a reference, as a share of the distance travelled.
const ROUNDING: f64 = 1e-11;

/// Orders of convergence accepted for extrapolation.
const ORDERS: std::ops::Range<f64> = 0.5..6.0;

/// The search for the common reference of variants. Its runs are made by the caller, at the step divided by 1
/// and 2, and by 4 if these do not agree.
pub(super) struct Search {
    name: String,
    solved: Option<Reference>,
    /// by the parts of the step
    runs: BTreeMap<u32, Trial>,
}

impl Search {
    /// The search of a group; `coarse` is its variant at the undivided step.
    pub(super) fn of(name: &str, coarse: &Variant) -> Search {
        let block = Block::of(&coarse.scene).filter(|_| !coarse.is_changed());
        let solved = block.map(|block| solved(name, &block, coarse));
        Search { name: name.into(), solved, runs: BTreeMap::new() }
    }

    /// The parts of the step with which runs are made first, the longest run first; none if the solution is known.
    pub(super) fn first(&self) -> &'static [u32] {
        if self.solved.is_some() { &[] } else { &[2, 1] }
    }

    /// Takes a run; returns the parts of a further one, if that is needed.
    pub(super) fn add(&mut self, parts: u32, run: Trial) -> Option<u32> {
        self.runs.insert(parts, run);
        let (coarse, fine) = (self.runs.get(&1)?, self.runs.get(&2)?);
        let both = coarse.completed() && fine.completed();
        let apart = rms_distance(&coarse.end, &fine.end);
        (self.runs.len() == 2 && both && apart > AGREE * rms_travelled(fine)).then_some(4)
    }

    /// Whether it needs no further run than those of which [`Self::add`] has spoken.
    pub(super) fn has_ended(&self) -> bool {
        self.solved.is_some() || self.runs.len() > 1
    }

    /// The reference; `None` if a run is missing.
    pub(super) fn found(self) -> Option<Reference> {
        let Search { name, solved, runs } = self;
        if solved.is_some() {
            return solved;
        }
        let runs: Vec<Trial> = runs.into_values().collect();
        (runs.len() > 1).then(|| converged(&name, runs))
    }
}

/// The reference by two runs that agree or of which one failed, or by three.
fn converged(name: &str, mut runs: Vec<Trial>) -> Reference {
    let distance = |a: &Trial, b: &Trial| rms_distance(&a.end, &b.end);
    let apart = distance(&runs[0], &runs[1]);
    let travelled = rms_travelled(&runs[1]);
    let floor = |uncertainty: f64| larger(uncertainty, ROUNDING * travelled);
    if runs.len() == 2 {
        let both = runs.iter().all(Trial::completed);
        return refined(name, &runs, floor(apart), None, both);
    }
    let closer = distance(&runs[1], &runs[2]);
    let order = log2(apart / closer);
    if !ORDERS.contains(&order) || !runs[2].completed() {
        let settled = closer < apart;
        return refined(name, &runs, floor(larger(apart, closer)), None, settled);
    }
    // x* = x₂ + (x₂ − x₁)/(2^p − 1) of the last two runs, p the order
    let share = closer / (apart - closer);
    let (before, last) = (runs[1].end.clone(), &mut runs[2].end);
    for (x, before) in last.iter_mut().zip(&before) {
        *x += (*x - before) * share;
    }
    // an order from three runs may be chance: the error bar is at least the last two's difference
    refined(name, &runs, floor(larger(closer, closer * share)), Some(order), true)
}

fn solved(name: &str, block: &Block, variant: &Variant) -> Reference {
    let time = variant.scene.time;
    let frames = (0..time.frames()).map(|frame| {
        let step = (frame * time.steps_per_frame).min(time.steps);
        let at = step as f64 * time.step;
        (at, block.position(at))
    });
    let end = block.position(time.end());
    Reference {
        name: name.into(),
        origin: ReferenceOrigin::Analysis,
        uncertainty: larger(ROUNDING, block.off_balance) * (end - block.position(0.0)).norm(),
        end: Some(vec![end]),
        length: frames.clone().map(|(_, x)| (x - block.position(0.0)).norm()).fold(0.0, larger),
        path: frames.collect(),
        verdict: Verdict::default(),
    }
}

fn refined(
    name: &str,
    runs: &[Trial],
    uncertainty: f64,
    order: Option<f64>,
    settled: bool,
) -> Reference {
    let last = &runs[runs.len() - 1];
    let trace = &last.trace;
    let path = trace.times.iter().zip(&trace.centers);
    Reference {
        name: name.into(),
        origin: ReferenceOrigin::Refined { runs: runs.len(), order, settled },
        end: last.completed().then(|| last.end.clone()),
        uncertainty,
        length: length(last),
        path: path.filter_map(|(time, centers)| Some((*time, *centers.first()?))).collect(),
        verdict: last.verdict.clone(),
    }
}

/// Root of the mean square distance of particles \[m\].
pub(crate) fn rms_distance(a: &[Vector], b: &[Vector]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum();
    sqrt(sum / a.len() as f64)
}

/// See [`Reference::length`].
fn length(trial: &Trial) -> f64 {
    let Some(start) = trial.trace.centers.first() else { return 0.0 };
    trial.trace.centers.iter().map(|centers| rms_distance(start, centers)).fold(0.0, larger)
}

/// Distance from the first to the last centre of mass, RMS over the bodies \[m\].
fn rms_travelled(trial: &Trial) -> f64 {
    match &trial.trace.centers[..] {
        [first, .., last] => rms_distance(first, last),
        _ => 0.0,
    }
}
