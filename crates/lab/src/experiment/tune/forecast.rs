//! Forecast of the duration of a search, from the measured speed of steps.

use super::super::trial::Trial;
use super::answer::{Cost, TuneCandidate};
use super::foresight::Foresight;
use super::tuning::{Clock, Tuning};
use crate::experiment::purse::Purse;
use crate::experiment::stable_step::stable_step;
use std::cell::RefCell;
use stiction_core::integrators::symplectic_euler;
use stiction_core::math::{larger, smaller};
use stiction_scene::Scene;
use stiction_scene::build::Built;
use stiction_scene::diagnostics::SceneErrors;

/// State of a search.
pub struct Progress<'a> {
    /// Present activity.
    pub doing: &'a str,
    /// Wall time so far \[s\].
    pub elapsed: f64,
    /// Estimate of the remaining wall time \[s\].
    pub remaining: f64,
    /// Runs so far.
    pub runs: usize,
    /// The cheapest that holds so far.
    pub best: Option<&'a TuneCandidate>,
}

/// CPU time for measuring the speed of steps \[s\].
const MEASURED: f64 = 0.5;

/// Twice the settling time, as a share of a run, up to which the settling is verified separately.
const SHORT: f64 = 0.125;

/// The integrator whose steps are measured: one evaluation each.
pub(super) const METHOD: &str = symplectic_euler::ENTRY.name;

/// Share of the largest stable step that is expected to hold.
const SHARE: f64 = 0.5;

/// Most of the cost of verification in runs at the answer's cost: a run of twice the length at half the step is
/// [`LONGER`]; one each at the step, at twice, at four times, at half and at a quarter of it are [`OTHER_STEPS`].
const VERIFYING: f64 = LONGER + OTHER_STEPS;
const LONGER: f64 = 4.0;
const OTHER_STEPS: f64 = 1.0 + 0.5 + 0.25 + 2.0 + 4.0;

/// Safety factor for a machine that others use too.
const ROOM: f64 = 2.0;

/// Cost of a lane, in runs at the answer's cost.
const SHARE_OF_A_RUN: f64 = 0.7;

/// Speed of a scene's steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speed {
    /// CPU time of an evaluation and its overhead \[s\].
    pub evaluation: f64,
    /// Evaluations per simulated second at a step that is expected to hold.
    pub rate: f64,
    /// The length of a run \[s\].
    pub length: f64,
    /// Number of parallel runs.
    pub threads: f64,
    /// Twice the settling time of the scene \[s\], if it is short.
    pub settled: Option<f64>,
}

impl Speed {
    /// Measures the speed by steps of an explicit method.
    pub(super) fn measure(tuning: &Tuning) -> Result<Speed, SceneErrors> {
        let length = tuning.length(1.0);
        let built = |sets: &[String]| {
            let scene = tuning.base.load(sets)?.scene;
            tuning.base.build(&scene).map(|built| (scene, built))
        };
        let explicit = [length.clone(), vec![format!("integrator.method={METHOD}")]].concat();
        // if the scene refuses that method, its own is used
        let (scene, first) = built(&explicit).or_else(|_| built(&length))?;
        let limit = stable_step(&scene, &first.model, first.state.clone()).ok().flatten();
        let step = limit.map(|(limit, _)| limit).filter(|limit| *limit > 0.0);
        let step = step.map_or(scene.time.step, |limit| SHARE * limit);
        let mut sets = explicit;
        sets.extend([format!("time.step={:e}", round(step))]);
        let (steps, settled) = match built(&sets) {
            Ok((stable, built)) => settling(&stable, built)?,
            Err(_) => settling(&scene, first)?,
        };
        let length = scene.time.end();
        let settled = settled.map(|time| 2.0 * time).filter(|short| *short <= length * SHORT);
        let threads = rayon::current_num_threads() as f64;
        Ok(Speed { evaluation: steps, rate: 1.0 / step, length, threads, settled })
    }

    /// The cost of one evaluation per simulated second.
    fn unit(&self, cost: Cost) -> f64 {
        if cost == Cost::Cpu { self.evaluation } else { 1.0 }
    }

    /// Cost per simulated second with one evaluation per time `step` \[s\].
    pub(super) fn cost_at(&self, step: f64, cost: Cost) -> f64 {
        self.unit(cost) / step
    }

    /// Cost per simulated second of a run that takes `seconds` \[s\] of one thread.
    pub(super) fn affordable(&self, seconds: f64, cost: Cost) -> f64 {
        seconds / (self.evaluation * self.length) * self.unit(cost)
    }

    /// Wall time \[s\] of `lanes` lanes, each about as expensive as the answer, and of the answer's
    /// verification. Before something holds, the answer's cost is estimated from the largest stable
    /// step.
    pub(super) fn remaining(&self, tuning: &Tuning, lanes: usize, best: Option<f64>) -> f64 {
        let best = best.unwrap_or(self.rate * self.unit(tuning.cost));
        let run = best / self.unit(tuning.cost) * self.evaluation * self.length;
        run * (lanes as f64 * SHARE_OF_A_RUN / self.threads + self.verifying(tuning))
    }

    /// Wall time of the verification of a candidate \[s\].
    pub(super) fn verification(&self, tuning: &Tuning, best: f64) -> f64 {
        let run = best / self.unit(tuning.cost) * self.evaluation * self.length;
        ROOM * run * self.verifying(tuning)
    }

    fn verifying(&self, tuning: &Tuning) -> f64 {
        match (tuning.verify.is_some(), self.threads > 1.0) {
            (false, _) => LONGER,
            (true, true) => OTHER_STEPS,
            (true, false) => VERIFYING,
        }
    }
}

/// The nearest smaller value of 1, 2, 5 × 10ⁿ.
fn round(step: f64) -> f64 {
    super::series(1e-12, step).first().copied().unwrap_or(step)
}

/// CPU time of an evaluation \[s\], and the settling time of the scene \[s\], if it is found within
/// [`MEASURED`].
fn settling(scene: &Scene, built: Built) -> Result<(f64, Option<f64>), SceneErrors> {
    let cut = RefCell::new(None);
    let mut seen = Foresight::new(&built.model, 0.0, f64::INFINITY, &cut);
    let purse = Purse::new(MEASURED);
    let ends = || cut.borrow().is_some() || purse.is_empty(&|| false);
    let trial = Trial::observed(scene, built, None, &mut seen, &ends)
        .map_err(|error| error.in_scene(scene))?;
    let evaluation = trial.cpu_seconds / trial.work.evaluations.max(1) as f64;
    Ok((evaluation, seen.settled_at()))
}

impl Progress<'_> {
    /// The progress at this moment.
    pub(super) fn now<'a>(
        doing: &'a str,
        clock: &Clock,
        remaining: f64,
        runs: usize,
        best: Option<&'a TuneCandidate>,
    ) -> Progress<'a> {
        let remaining = smaller(remaining, larger(clock.left(), 0.0));
        Progress { doing, elapsed: clock.elapsed(), remaining, runs, best }
    }
}
