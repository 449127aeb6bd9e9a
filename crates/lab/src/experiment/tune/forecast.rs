//! How long a search will take, from the measured speed of steps.

use super::super::trial::Trial;
use super::answer::{Cost, TuneCandidate};
use super::foresight::Foresight;
use super::tuning::{Clock, Purse, Tuning};
use crate::experiment::stiffness::stable_step;
use std::cell::RefCell;
use stiction_core::integrators::symplectic_euler;
use stiction_core::math::{larger, smaller};
use stiction_scene::Scene;
use stiction_scene::build::Built;
use stiction_scene::diagnostics::SceneErrors;

/// Where a search stands.
pub struct Progress<'a> {
    /// Present activity.
    pub doing: &'a str,
    /// Wall time so far \[s\].
    pub elapsed: f64,
    /// Wall time that it will still take, about \[s\].
    pub remaining: f64,
    /// Runs so far.
    pub runs: usize,
    /// The cheapest that holds so far.
    pub best: Option<&'a TuneCandidate>,
}

/// CPU time that the speed of steps is measured for \[s\].
const MEASURED: f64 = 0.5;

/// Largest share of a run that a scene settles in for what happens until then to be verified alone.
const SHORT: f64 = 0.125;

/// The integrator whose steps are measured: one evaluation each.
pub(super) const METHOD: &str = symplectic_euler::ENTRY.name;

/// Share of the largest stable step that is taken to hold.
const SHARE: f64 = 0.5;

/// Lengths of run, at the answer's cost, that verify it: 2 at half the step, and one each at the step,
/// at half and at a quarter of it.
const VERIFYING: f64 = 4.0 + 7.0;

/// Room for a machine that others use too.
const ROOM: f64 = 2.0;

/// Runs, at the answer's cost, that a pair of law and integrator takes.
const SHARE_OF_A_RUN: f64 = 0.7;

/// Speed of a scene's steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speed {
    /// CPU time of an evaluation with what belongs to it \[s\].
    pub evaluation: f64,
    /// Evaluations per simulated second at a step that may hold.
    pub rate: f64,
    /// The length of a run \[s\].
    pub length: f64,
    /// Runs side by side.
    pub threads: f64,
    /// Twice the time after which the scene has settled, where that is short \[s\].
    pub settled: Option<f64>,
}

impl Speed {
    /// Measured by steps of an explicit method.
    pub(super) fn measure(tuning: &Tuning) -> Result<Speed, SceneErrors> {
        let length = tuning.length(1.0);
        let built = |sets: &[String]| {
            let scene = tuning.base.load(sets)?.scene;
            tuning.base.build(&scene).map(|built| (scene, built))
        };
        let explicit = [length.clone(), vec![format!("integrator.method={METHOD}")]].concat();
        // where the method does not take the scene, its own does
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

    /// A cost per simulated second that one step of the size of a frame has.
    pub(super) fn cost_at(&self, step: f64, cost: Cost) -> f64 {
        self.unit(cost) / step
    }

    /// The wall time of so many lanes, each of which costs about as much as the answer, and of its
    /// verification \[s\]; before something holds the answer is taken to cost what the largest stable
    /// step does.
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
            (false, _) => 4.0,
            (true, true) => 7.0,
            (true, false) => VERIFYING,
        }
    }
}

/// The next smaller of 1, 2 and 5 of every decade.
fn round(step: f64) -> f64 {
    super::series(1e-12, step).first().copied().unwrap_or(step)
}

/// CPU time of an evaluation \[s\], and the time at which the scene has settled \[s\], if that is seen
/// soon.
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
    /// Now.
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
