//! Reference of a comparison: the exact solution if it is known, else a run refined to estimate its
//! error bar.

use super::analysis::Block;
use super::plan::Variant;
use super::trial::Trial;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::math::{Vector, larger, log2, sqrt};
use stiction_scene::diagnostics::SceneErrors;

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

/// The common reference of variants, solved or run. `at(n)` makes the variant with the step divided
/// by n.
pub fn find(
    name: &str,
    at: &(dyn Fn(u32) -> Result<Variant, SceneErrors> + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Reference, SceneErrors> {
    let coarse = at(1)?;
    if let (Some(block), false) = (Block::of(&coarse.scene), coarse.is_changed()) {
        return Ok(solved(name, &block, &coarse));
    }
    let (first, second) = rayon::join(|| coarse.run(stop), || at(2)?.run(stop));
    let mut runs = vec![first?, second?];
    let distance = |a: &Trial, b: &Trial| rms_distance(&a.end, &b.end);
    let apart = distance(&runs[0], &runs[1]);
    let travelled = rms_travelled(&runs[1]);
    let floor = |uncertainty: f64| larger(uncertainty, ROUNDING * travelled);
    let both = runs.iter().all(Trial::completed);
    if !both || apart <= AGREE * travelled || stop() {
        return Ok(refined(name, &runs, floor(apart), None, both));
    }
    runs.push(at(4)?.run(stop)?);
    let closer = distance(&runs[1], &runs[2]);
    let order = log2(apart / closer);
    if !ORDERS.contains(&order) || !runs[2].completed() {
        let settled = closer < apart;
        return Ok(refined(name, &runs, floor(larger(apart, closer)), None, settled));
    }
    // x* = x₂ + (x₂ − x₁)/(2^p − 1) of the last two runs, p the order
    let share = closer / (apart - closer);
    let (before, last) = (runs[1].end.clone(), &mut runs[2].end);
    for (x, before) in last.iter_mut().zip(&before) {
        *x += (*x - before) * share;
    }
    // an order from three runs may be chance: the error bar is at least the last two's difference
    Ok(refined(name, &runs, floor(larger(closer, closer * share)), Some(order), true))
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
