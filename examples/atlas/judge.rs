//! Which runs are wrong, and which of those the verdict did not trust.

use super::plan::{Study, holds};
use serde_json::Value;
use stiction_core::math::larger;
use stiction_lab::experiment::sweep::folder::JobOutcome;

/// Share of the law's creep by which a run must be off to count as wrong, and within which it
/// counts as right. Between them it is neither.
pub const WRONG: f64 = 0.05;
pub const RIGHT: f64 = 0.01;

/// One run.
pub struct Run {
    pub law: &'static str,
    /// The ε of the threshold law that is as stiff at rest \[m/s\].
    pub epsilon: f64,
    pub method: String,
    pub step: String,
    /// The step \[s\].
    pub h: f64,
    /// Creep by displacement and as reported \[m/s\], and the law's own.
    pub drift: f64,
    pub speed: f64,
    pub creep_of_law: f64,
    /// CPU seconds of one simulated second, and force evaluations.
    pub cost: f64,
    pub evaluations: f64,
    pub cpu_seconds: f64,
    pub failed: bool,
    pub reasons: Vec<String>,
    /// Errors of the drift and of the reported speed, as shares of the law's creep; if the law has
    /// none, as shares of the creep of an equally stiff damper.
    pub off_drift: f64,
    pub off_speed: f64,
}

impl Run {
    /// Reads what a job kept.
    pub fn of(
        (law, epsilon): (&'static str, f64),
        (method, step): (&str, &str),
        outcome: &JobOutcome,
        cpu_seconds: f64,
    ) -> Run {
        let nothing = Value::Null;
        let figures = outcome.results.get("figures").unwrap_or(&nothing);
        let number = |name: &str| figures[name].as_f64().unwrap_or(f64::NAN);
        let trust = outcome.results.get("trust").unwrap_or(&nothing);
        let reasons = trust["reasons"].as_array().into_iter().flatten();
        let simulated = number("simulated");
        Run {
            law,
            epsilon,
            method: method.into(),
            step: step.into(),
            h: step.parse().unwrap_or(f64::NAN),
            drift: number("drift"),
            speed: number("speed"),
            creep_of_law: number("law"),
            cost: cpu_seconds / simulated,
            evaluations: number("evaluations") / simulated,
            cpu_seconds,
            failed: outcome.failed(),
            reasons: reasons.filter_map(|r| r["name"].as_str()).map(String::from).collect(),
            off_drift: f64::NAN,
            off_speed: f64::NAN,
        }
    }

    /// The larger of its two errors; infinite if it failed.
    pub fn off(&self) -> f64 {
        let most = larger(self.off_drift.abs(), self.off_speed.abs());
        if most.is_finite() && !self.failed { most } else { f64::INFINITY }
    }

    pub fn wrong(&self) -> bool {
        self.off() > WRONG
    }

    pub fn right(&self) -> bool {
        self.off() <= RIGHT
    }

    pub fn told(&self) -> bool {
        self.failed || !self.reasons.is_empty()
    }

    /// Right, and trusted.
    pub fn sound(&self) -> bool {
        self.right() && !self.told()
    }

    /// Wrong, though it came to its end.
    pub fn silent(&self) -> bool {
        self.wrong() && !self.failed
    }
}

/// All runs of a study, judged.
pub struct Survey<'s> {
    pub study: &'s Study,
    pub runs: Vec<Run>,
}

impl<'s> Survey<'s> {
    /// Compares every run with the law's own creep, or with the study's reference: under a law that
    /// holds, a body still moves on its way to rest, equally under every method.
    pub fn of(study: &'s Study, mut runs: Vec<Run>) -> Self {
        let truths: Vec<[f64; 2]> = runs.iter().map(|run| truth(study, run, &runs)).collect();
        for (run, [drift, speed]) in runs.iter_mut().zip(truths) {
            let damper = study.load_ratio * run.epsilon;
            let scale = if holds(run.law) { damper } else { run.creep_of_law };
            run.off_drift = (run.drift - drift) / scale;
            run.off_speed = (run.speed - speed) / scale;
        }
        Survey { study, runs }
    }

    pub fn count(&self, of: impl Fn(&Run) -> bool) -> usize {
        self.runs.iter().filter(|run| of(run)).count()
    }

    /// The cheapest sound run of a law at a stiffness, of those for which `wanted` is true.
    pub fn best(&self, law: &str, epsilon: f64, wanted: &dyn Fn(&Run) -> bool) -> Option<&Run> {
        let fit =
            |run: &&Run| run.law == law && run.epsilon == epsilon && run.sound() && wanted(run);
        self.runs.iter().filter(fit).min_by(|a, b| a.cost.total_cmp(&b.cost))
    }
}

/// Drift and reported speed that a run should have \[m/s\].
fn truth(study: &Study, run: &Run, runs: &[Run]) -> [f64; 2] {
    if study.closed && !holds(run.law) {
        return [run.creep_of_law; 2];
    }
    let (method, step) = study.reference;
    let same = |other: &&Run| {
        (other.law, other.method.as_str(), other.step.as_str()) == (run.law, method, step)
            && other.epsilon == run.epsilon
    };
    runs.iter().find(same).map_or([f64::NAN; 2], |found| [found.drift, found.speed])
}
