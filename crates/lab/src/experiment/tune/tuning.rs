//! A search, and one run of a combination in it.

use super::super::base::Base;
use super::super::search_grid::SearchGrid;
use super::super::trial::Trial;
use super::answer::{Combination, Cost, TuneBudget};
use super::foresight::{Cut, Foresight};
use crate::experiment::purse::Purse;
use crate::run::Means;
use std::cell::RefCell;
use stiction_core::math::larger;
use stiction_scene::diagnostics::SceneErrors;
use web_time::{Duration, Instant};

/// A search.
pub struct Tuning<'a> {
    /// The scene.
    pub base: &'a Base,
    /// Bounds to be met.
    pub budget: TuneBudget,
    /// Length of each run \[s\]; the scene's own end if absent.
    pub seconds: Option<f64>,
    /// Values to try.
    pub grid: SearchGrid,
    /// Cost to minimise.
    pub cost: Cost,
    /// Whether every point of the grid is run, without exclusion by reasoning.
    pub exhaustive: bool,
    /// Means of verifying the winner; not verified if absent.
    pub verify: Option<Means>,
    /// Wall time after which no further combination is tried; unlimited if absent.
    pub max_time: Option<Duration>,
    /// Asked between steps whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// Start and end of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    started: Instant,
    most: Option<Duration>,
}

/// One run of a combination.
pub(super) struct Tried {
    /// per simulated second, until its end
    pub cost: f64,
    pub completed: bool,
    pub creep: Option<f64>,
    /// fault, if any
    pub fault: Option<String>,
    /// stopped because its cost reached the limit of a whole run
    pub too_dear: bool,
}

impl Clock {
    pub(super) fn start(most: Option<Duration>) -> Clock {
        Clock { started: Instant::now(), most }
    }

    /// A clock that ends earlier by `seconds` \[s\].
    pub(super) fn earlier(&self, seconds: f64) -> Clock {
        let kept = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Clock { most: self.most.map(|most| most.saturating_sub(kept)), ..*self }
    }

    /// Wall time so far \[s\].
    pub(super) fn elapsed(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Wall time left \[s\].
    pub(super) fn left(&self) -> f64 {
        self.most.map_or(f64::INFINITY, |most| most.as_secs_f64() - self.elapsed())
    }
}

impl Tuning<'_> {
    /// Whether the search must end now.
    pub(super) fn over(&self, clock: &Clock) -> bool {
        (self.stop)() || clock.left() <= 0.0
    }

    /// Runs a combination for `times` the length of a run. Stops when the run has cost `most` per
    /// simulated second of the whole length, or when the combination is certain not to hold.
    pub(super) fn run_one(
        &self,
        combination: &Combination,
        times: f64,
        most: f64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Tried, SceneErrors> {
        let mut sets = combination.sets();
        sets.extend(self.length(times));
        let scene = self.base.load(&sets)?.scene;
        let built = self.base.build(&scene)?;
        let spend = most * scene.time.end();
        let cut = RefCell::new(None);
        let evaluations = if self.cost == Cost::Evaluations { spend } else { f64::INFINITY };
        let mut foresight = Foresight::new(&built.model, self.budget.creep, evaluations, &cut);
        foresight.blind = self.exhaustive;
        let purse = Purse::new(if self.cost == Cost::Cpu { spend } else { f64::INFINITY });
        let ends = || {
            let empty = purse.is_empty(stop);
            if empty && !purse.is_stopped() {
                *cut.borrow_mut() = Some(Cut::TooDear);
            }
            empty || cut.borrow().is_some()
        };
        let trial = Trial::observed(&scene, built, None, &mut foresight, &ends)
            .map_err(|error| error.in_scene(&scene))?;
        let reached = trial.trace.times.last().copied().unwrap_or_default();
        let cost = match self.cost {
            Cost::Cpu => trial.cpu_seconds,
            Cost::Evaluations => trial.work.evaluations as f64,
        };
        let creep = trial.creep.iter().map(|creep| creep.measured).reduce(larger);
        let cut = cut.take().filter(|_| !trial.completed());
        let too_dear = cut == Some(Cut::TooDear);
        let fault = match cut {
            Some(Cut::Fault(why)) => Some(why),
            _ => self.fault(&trial, &[]),
        };
        let (completed, cost) = (trial.completed(), cost / larger(reached, scene.time.step));
        Ok(Tried { cost, completed, creep, fault, too_dear })
    }

    /// `key=value` text that sets the length of a run to `times` its usual length; none for the
    /// scene's own.
    pub(super) fn length(&self, times: f64) -> Vec<String> {
        let seconds = self.seconds.or_else(|| {
            let own = self.base.load(&[]).ok()?.scene.time.end();
            (times != 1.0).then_some(own)
        });
        seconds.map(|seconds| format!("time.end={:e}", times * seconds)).into_iter().collect()
    }

    /// The fault of a run that is not within the budget, if any; reasons of `excused` are passed over.
    pub(super) fn fault(&self, trial: &Trial, excused: &[&str]) -> Option<String> {
        let creep = trial.creep.iter().map(|creep| creep.measured).reduce(larger);
        let above = |name: &str, limit: Option<f64>| {
            let value = trial.figure(name)?;
            (value > limit?).then(|| format!("{name} {value:.3e}"))
        };
        if !trial.completed() {
            return Some(trial.status.word().into());
        }
        let reasons = trial.verdict.reasons.iter().map(|reason| reason.name());
        let reasons: Vec<&str> = reasons.filter(|name| !excused.contains(name)).collect();
        if !reasons.is_empty() {
            return Some(reasons.join(", "));
        }
        match creep {
            None => return Some("nothing is in contact at the end".into()),
            Some(creep) if creep > self.budget.creep => {
                return Some(format!("creep {creep:.3e} m/s"));
            }
            Some(_) => {}
        }
        above("penetration", self.budget.penetration)
            .or_else(|| above("energy_error", self.budget.energy))
    }
}
