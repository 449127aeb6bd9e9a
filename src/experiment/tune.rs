//! The cheapest combination of friction law, ε, integrator and step that keeps a scene within a
//! budget of creep.
//!
//! For every law the ε of the grid are taken from the largest whose own creep is within the budget
//! downwards, until two in a row bring nothing; for every integrator the largest step that holds.
//! A combination that can no longer beat the best so far is not run. The answer is verified by
//! a run twice as long at half the step; where that fails, the next smaller step takes its place.

use super::base::Base;
use super::law;
pub use super::search_grid::{SearchGrid, series};
use super::trial::Trial;
use crate::integrators::INTEGRATORS;
use crate::math::{larger, smaller};
use crate::run::Means;
use crate::scene::diagnostics::SceneErrors;
use rayon::prelude::*;

/// Bounds that a combination must keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TuneBudget {
    /// Creep of every body over the last quarter of the run \[m/s\].
    pub creep: f64,
    /// Largest penetration \[m\].
    pub penetration: Option<f64>,
    /// Largest residual of the energy audit, as a share of the energy that went through.
    pub energy: Option<f64>,
}

/// Measure of a combination's cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// CPU seconds per simulated second.
    Cpu,
    /// Force evaluations per simulated second: the same on every machine.
    Evaluations,
}

/// One combination.
#[derive(Debug, Clone, PartialEq)]
pub struct Combination {
    /// The law.
    pub law: String,
    /// Its ε \[m/s\], if it has one.
    pub epsilon: Option<f64>,
    /// The integrator.
    pub integrator: String,
    /// The step \[s\].
    pub step: f64,
}

/// Result for one law and one integrator.
#[derive(Debug, Clone)]
pub struct TuneCandidate {
    /// The combination with the largest step that was run.
    pub combination: Combination,
    /// Cost per simulated second; of a run that did not hold, what it cost as far as it came.
    pub cost: f64,
    /// Whether its run came to the end.
    pub completed: bool,
    /// Largest creep of a body \[m/s\], if any touches anything.
    pub creep: Option<f64>,
    /// Why it was left, or that it holds.
    pub end: SearchEnd,
    /// Runs it took to find.
    pub runs: usize,
}

/// End of the search for one law and one integrator.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchEnd {
    /// It holds.
    Holds,
    /// Smaller steps could not beat what had been found.
    TooDear,
    /// No step of the grid holds; what was wrong at the smallest.
    Fails(String),
    /// The scene refuses it.
    Refused(String),
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Everything that was looked at, in the order of the grid.
    pub candidates: Vec<TuneCandidate>,
    /// The cheapest that holds and was verified.
    pub best: Option<TuneCandidate>,
    /// Laws that could not be tried at all, and why.
    pub dropped: Vec<(String, String)>,
    /// Those cheaper that did not pass the run twice as long at half the step, and why.
    pub unverified: Vec<(Combination, String)>,
    /// The verifying run's creep \[m/s\].
    pub verified_creep: Option<f64>,
    /// Its largest error as a share of a measure's scale; `None` where it was not verified.
    pub error: Option<f64>,
    /// Runs in all.
    pub runs: usize,
}

/// A search.
pub struct Tuning<'a> {
    /// The scene.
    pub base: &'a Base,
    /// Bounds that must be kept.
    pub budget: TuneBudget,
    /// Length of each run \[s\]; the scene's own end when absent.
    pub seconds: Option<f64>,
    /// Values that are tried.
    pub grid: SearchGrid,
    /// Cost that is minimised.
    pub cost: Cost,
    /// Runs every point of the grid, so that nothing is left to reasoning.
    pub exhaustive: bool,
    /// What the winner is verified by; nothing where absent.
    pub verify: Option<Means>,
    /// Asked between steps whether to give up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// A step of an implicit method may cost this share of a larger one, which takes more iterations; one
/// of an explicit method costs the same but for what clocks are worth.
const CHEAPER_IMPLICIT: f64 = 0.15;
const CHEAPER_EXPLICIT: f64 = 0.6;

/// So many ε in a row that are no cheaper end the search of a law.
const NO_CHEAPER: usize = 2;

/// Candidates within this factor of the cheapest are timed again.
const CLOSE: f64 = 1.5;

/// Times each of them is.
const TIMINGS: usize = 3;

impl Combination {
    /// `key=value` texts that set it.
    pub fn sets(&self) -> Vec<String> {
        let mut sets = law::sets(&self.law);
        sets.extend(self.epsilon.map(|epsilon| format!("contact.friction.epsilon={epsilon:e}")));
        sets.push(format!("integrator.method={}", self.integrator));
        sets.push(format!("time.step={:e}", self.step));
        sets
    }

    /// The part of a scene file that says so.
    pub fn fragment(&self) -> String {
        let mut friction = format!("law = \"{}\"", law::name(&self.law));
        for key in law::keys(&self.law) {
            friction += &format!(", {}", key.replacen('=', " = ", 1));
        }
        if let Some(epsilon) = self.epsilon {
            friction += &format!(", epsilon = {epsilon:e}");
        }
        format!(
            "[time]\nstep = {:e}\n\n[integrator]\nmethod = \"{}\"\n\n[contact]\nfriction = {{ {friction} }}\n",
            self.step, self.integrator
        )
    }
}

/// One run of a combination.
struct Tried {
    cost: f64,
    completed: bool,
    creep: Option<f64>,
    /// what is wrong with it, if anything
    fault: Option<String>,
}

impl Tuning<'_> {
    /// Searches.
    ///
    /// # Errors
    /// The scene itself is wrong, or under none of the laws right.
    pub fn run(&self, progress: &mut dyn FnMut(&str, u64, u64)) -> Result<Answer, SceneErrors> {
        let scene = self.base.load(&self.length(1.0))?.scene;
        self.base.build(&scene)?;
        let mut candidates: Vec<TuneCandidate> = Vec::new();
        let total = self.grid.laws.len() as u64;
        let (mut refusal, mut dropped) = (None, Vec::new());
        for (number, law) in self.grid.laws.iter().enumerate() {
            progress(law, number as u64, total);
            let epsilons = match self.epsilons(law, scene.time.step) {
                Ok(epsilons) => epsilons,
                Err(errors) => {
                    dropped.push((law.clone(), errors.diagnostics[0].message.clone()));
                    refusal = Some(errors);
                    continue;
                }
            };
            let mut idle = 0;
            for epsilon in epsilons {
                let bound = cheapest(&candidates);
                let before = cheapest_of(&candidates, law);
                let found: Vec<TuneCandidate> = self
                    .grid
                    .integrators
                    .par_iter()
                    .map(|integrator| self.search(law, epsilon, integrator, bound))
                    .collect();
                candidates.extend(found);
                let now = cheapest_of(&candidates, law);
                idle = if now.is_some() && now == before { idle + 1 } else { 0 };
                if (idle == NO_CHEAPER && !self.exhaustive) || (self.stop)() {
                    break;
                }
            }
        }
        match refusal {
            Some(errors) if candidates.is_empty() => Err(errors),
            _ => Ok(Answer { dropped, ..self.decide(candidates, progress) }),
        }
    }

    /// ε of a law from the largest whose own creep is within the budget; `None` where it has none.
    fn epsilons(&self, law: &str, step: f64) -> Result<Vec<Option<f64>>, SceneErrors> {
        if !law::has_epsilon(law) {
            return Ok(vec![None]);
        }
        let all = || self.grid.epsilons.iter().map(|epsilon| Some(*epsilon)).collect();
        if self.exhaustive {
            return Ok(all());
        }
        // creep is in proportion to ε, so that one run tells it for all of them
        let epsilon = self.grid.epsilons[self.grid.epsilons.len() / 2];
        let own = self.base.load(&[])?.scene.integrator.name;
        let probe = |integrator: &str| -> Result<Trial, SceneErrors> {
            let (law, integrator) = (law.to_string(), integrator.to_string());
            let mut sets = Combination { law, epsilon: Some(epsilon), integrator, step }.sets();
            sets.extend(self.length(1.0));
            let loaded = self.base.load(&sets)?.scene;
            let built = self.base.build(&loaded)?;
            Trial::of_built(&loaded, built, None, &|| (self.stop)())
                .map_err(|error| error.in_scene(&loaded))
        };
        // without a step limit, if the scene lets it
        let trial = probe("implicit-euler").or_else(|_| probe(own))?;
        let creep = trial.creep.iter().filter_map(|creep| creep.law).reduce(larger);
        let Some(creep) = creep.filter(|creep| *creep > 0.0 && trial.completed()) else {
            return Ok(all());
        };
        let most = epsilon * self.budget.creep / creep;
        let within = self.grid.epsilons.iter().filter(|epsilon| **epsilon <= most);
        Ok(within.map(|epsilon| Some(*epsilon)).collect())
    }

    /// The largest step that holds.
    fn search(
        &self,
        law: &str,
        epsilon: Option<f64>,
        integrator: &str,
        bound: Option<f64>,
    ) -> TuneCandidate {
        let combination = |step: f64| Combination {
            law: law.into(),
            epsilon,
            integrator: integrator.into(),
            step,
        };
        let first = combination(self.grid.steps.first().copied().unwrap_or_default());
        let end = SearchEnd::Fails("no step was tried".into());
        let (cost, completed) = (0.0, false);
        let mut last =
            TuneCandidate { combination: first, cost, completed, creep: None, end, runs: 0 };
        let mut best: Option<TuneCandidate> = None;
        for step in &self.grid.steps {
            let least = last.cost * cheaper(integrator, last.combination.step / step);
            let tells = last.completed && !self.exhaustive;
            if tells && bound.is_some_and(|bound| least > bound) {
                last.end = SearchEnd::TooDear;
                return last;
            }
            let combination = combination(*step);
            let tried = match self.run_one(&combination, 1.0) {
                Ok(tried) => tried,
                Err(errors) => {
                    // another step may fit into the frames
                    let why = errors.diagnostics[0].message.clone();
                    last.end = SearchEnd::Refused(why);
                    continue;
                }
            };
            let end = tried.fault.map_or(SearchEnd::Holds, SearchEnd::Fails);
            let runs = last.runs + 1;
            let Tried { cost, creep, completed, .. } = tried;
            last = TuneCandidate { combination, cost, completed, creep, end, runs };
            if (self.stop)() {
                break;
            }
            if last.end == SearchEnd::Holds {
                if !self.exhaustive {
                    return last;
                }
                if best.as_ref().is_none_or(|best| last.cost < best.cost) {
                    best = Some(last.clone());
                }
            }
        }
        let runs = last.runs;
        best.map_or(last, |best| TuneCandidate { runs, ..best })
    }

    /// Runs a combination for the time of the budget, or a multiple of it.
    fn run_one(&self, combination: &Combination, times: f64) -> Result<Tried, SceneErrors> {
        let mut sets = combination.sets();
        sets.extend(self.length(times));
        let scene = self.base.load(&sets)?.scene;
        let built = self.base.build(&scene)?;
        let trial = Trial::of_built(&scene, built, None, &|| (self.stop)())
            .map_err(|error| error.in_scene(&scene))?;
        let reached = trial.trace.times.last().copied().unwrap_or_default();
        let cost = match self.cost {
            Cost::Cpu => trial.cpu_seconds,
            Cost::Evaluations => trial.work.evaluations as f64,
        };
        let creep = trial.creep.iter().map(|creep| creep.measured).reduce(larger);
        Ok(Tried {
            cost: cost / larger(reached, scene.time.step),
            completed: trial.completed(),
            creep,
            fault: self.fault(&trial),
        })
    }

    fn length(&self, times: f64) -> Vec<String> {
        let seconds = self.seconds.or_else(|| {
            let own = self.base.load(&[]).ok()?.scene.time.end();
            (times != 1.0).then_some(own)
        });
        seconds.map(|seconds| format!("time.end={:e}", times * seconds)).into_iter().collect()
    }

    /// Reason why a run is not within the budget, if any.
    fn fault(&self, trial: &Trial) -> Option<String> {
        let creep = trial.creep.iter().map(|creep| creep.measured).reduce(larger);
        let above = |name: &str, limit: Option<f64>| {
            let value = trial.figure(name)?;
            (value > limit?).then(|| format!("{name} {value:.3e}"))
        };
        if !trial.completed() {
            return Some(trial.status.word().into());
        }
        if !trial.verdict.faultless() {
            return Some(trial.verdict.marks());
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

    /// The cheapest of those that hold, timed again where they are close, that passes a run twice as
    /// long at half the step.
    fn decide(
        &self,
        mut candidates: Vec<TuneCandidate>,
        progress: &mut dyn FnMut(&str, u64, u64),
    ) -> Answer {
        let mut runs: usize = candidates.iter().map(|candidate| candidate.runs).sum();
        if let (Cost::Cpu, Some(bound)) = (self.cost, cheapest(&candidates)) {
            progress("timing the best again", 1, 1);
            let close =
                |c: &&mut TuneCandidate| c.end == SearchEnd::Holds && c.cost <= CLOSE * bound;
            for _ in 0..TIMINGS {
                for candidate in candidates.iter_mut().filter(close) {
                    if let Ok(again) = self.run_one(&candidate.combination, 1.0) {
                        candidate.cost =
                            if again.cost < candidate.cost { again.cost } else { candidate.cost };
                        runs += 1;
                    }
                }
            }
        }
        let mut holding: Vec<TuneCandidate> = candidates
            .iter()
            .filter(|candidate| candidate.end == SearchEnd::Holds)
            .cloned()
            .collect();
        let (mut best, mut unverified, mut verified_creep) = (None, Vec::new(), None);
        let mut error = None;
        // the cheapest first; those at smaller steps join as they are found
        while !(self.stop)() {
            let order = |a: &usize, b: &usize| holding[*a].cost.total_cmp(&holding[*b].cost);
            let Some(next) = (0..holding.len()).min_by(order) else { break };
            let candidate = holding.swap_remove(next);
            progress("verifying", 1, 1);
            runs += 1;
            let mut finer = candidate.combination.clone();
            finer.step *= 0.5;
            let fault = match self.run_one(&finer, 2.0) {
                Ok(Tried { fault: None, creep, .. }) => match self.verified(&candidate) {
                    Ok(share) => {
                        (verified_creep, error) = (creep, share);
                        best = Some(candidate);
                        break;
                    }
                    Err(fault) => format!("verified: {fault}"),
                },
                Ok(Tried { fault: Some(fault), .. }) => fault,
                Err(errors) => errors.diagnostics[0].message.clone(),
            };
            let smaller = self.next_smaller(&candidate);
            runs += smaller.as_ref().map_or(0, |smaller| smaller.runs);
            unverified.push((candidate.combination, fault));
            holding.extend(smaller);
        }
        Answer { candidates, best, dropped: Vec::new(), unverified, verified_creep, error, runs }
    }

    /// The error of a candidate against refined runs, as a share; why it is not trusted.
    fn verified(&self, candidate: &TuneCandidate) -> Result<Option<f64>, String> {
        if self.verify.is_none() {
            return Ok(None);
        }
        let first = |errors: SceneErrors| errors.diagnostics[0].message.clone();
        let mut sets = candidate.combination.sets();
        sets.extend(self.length(1.0));
        let base = self.base.verified(self.verify);
        let scene = base.load(&sets).map_err(first)?.scene;
        let built = base.build(&scene).map_err(first)?;
        let trial = Trial::of_built(&scene, built, base.verifier(&[]), &|| (self.stop)())
            .map_err(|error| error.to_string())?;
        match trial.verdict.faultless() {
            true => Ok(trial.verdict.error),
            false => Err(trial.verdict.marks()),
        }
    }

    /// The same at the next smaller step that holds.
    fn next_smaller(&self, candidate: &TuneCandidate) -> Option<TuneCandidate> {
        let mut combination = candidate.combination.clone();
        let smaller = self.grid.steps.iter().filter(|step| **step < candidate.combination.step);
        for (earlier, step) in smaller.enumerate() {
            combination.step = *step;
            if let Ok(Tried { fault: None, cost, completed, creep }) =
                self.run_one(&combination, 1.0)
            {
                let (end, runs) = (SearchEnd::Holds, earlier + 1);
                return Some(TuneCandidate { combination, cost, completed, creep, end, runs });
            }
        }
        None
    }
}

/// The least that a step smaller by a factor may cost per simulated second, in shares of what the
/// larger one does. Adaptive methods take the substeps they need, whatever the step.
fn cheaper(integrator: &str, factor: f64) -> f64 {
    let Some(row) = INTEGRATORS.find(integrator) else { return 0.0 };
    let Ok(method) = row.from_defaults() else { return 0.0 };
    let capabilities = method.capabilities();
    match (capabilities.adaptive, capabilities.implicit) {
        (true, _) => CHEAPER_EXPLICIT,
        (false, false) => CHEAPER_EXPLICIT * factor,
        (false, true) => CHEAPER_IMPLICIT * factor,
    }
}

/// The least cost of a law's candidates that hold.
fn cheapest_of(candidates: &[TuneCandidate], law: &str) -> Option<f64> {
    let own = candidates.iter().filter(|c| c.combination.law == law && c.end == SearchEnd::Holds);
    own.map(|candidate| candidate.cost).reduce(smaller)
}

fn cheapest(candidates: &[TuneCandidate]) -> Option<f64> {
    let holding = candidates.iter().filter(|candidate| candidate.end == SearchEnd::Holds);
    holding.map(|candidate| candidate.cost).reduce(smaller)
}
