//! The choice among combinations that hold: close ones are timed again, the cheapest is verified by
//! finer and longer runs.

use super::super::trial::Trial;
use super::answer::{Answer, Combination, Cost, Ending, Passed, TuneCandidate};
use super::forecast::{Progress, Speed};
use super::own::Own;
use super::tuning::{Clock, Tried, Tuning};
use crate::experiment::purse::Purse;
use std::sync::atomic::{AtomicBool, Ordering};
use stiction_core::diagnosis::error_bar::TRUSTED;
use stiction_core::math::{number, smaller};
use stiction_scene::diagnostics::SceneErrors;

/// Candidates within this factor of the cheapest are timed again.
const CLOSE: f64 = 1.5;

/// Largest number of repeated timings of each candidate, and CPU time for them \[s\].
const TIMINGS: usize = 3;
const TIMING: f64 = 1.0;

/// When a candidate fails verification, its smaller step is tried up to this many times the cost of
/// the cheapest other.
const FAR: f64 = 4.0;

impl Tuning<'_> {
    /// The cheapest that holds and passes verification; close ones are timed again first.
    pub(super) fn decide(
        &self,
        (mut candidates, own): (Vec<TuneCandidate>, Option<Own>),
        ending: Ending,
        speed: &Speed,
        clock: &Clock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Answer {
        let own_passed: Option<Passed> = own.as_ref().and_then(|own| own.passed);
        let own = own.map(|own| own.candidate.combination);
        let tried = own.clone();
        let mut runs: usize = candidates.iter().map(|candidate| candidate.runs).sum();
        if self.cost == Cost::Cpu && ending == Ending::Complete {
            progress(&Progress::now("timing the best again", clock, 0.0, runs, None));
            runs += self.time_again(&mut candidates, speed, clock);
        }
        let holding = candidates.iter().filter(|candidate| candidate.holds()).cloned().collect();
        let passed = own.zip(own_passed);
        let found = self.verify(holding, passed, (speed, clock), runs, progress);
        let ending = match ending {
            Ending::Complete if (self.stop)() => Ending::Stopped,
            Ending::Complete if found.so_far.is_some() => Ending::OutOfTime,
            known => known,
        };
        Answer { own: tried, candidates, ending, ..found }
    }

    /// Verifies those that hold, the cheapest first, until one passes; `passed` is the scene's own combination, if
    /// it is verified already. Smaller steps are added as they are found.
    fn verify(
        &self,
        mut holding: Vec<TuneCandidate>,
        passed: Option<(Combination, Passed)>,
        (speed, clock): (&Speed, &Clock),
        runs: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Answer {
        let mut found = Answer { runs, ..Answer::default() };
        while let Some(next) = cheapest(&holding) {
            let candidate = holding.swap_remove(next);
            if let Some((_, (creep, share))) =
                passed.as_ref().filter(|(own, _)| *own == candidate.combination)
            {
                (found.verified_creep, found.error) = (*creep, *share);
                found.best = Some(candidate);
                break;
            }
            let fault = if self.over(clock) {
                None
            } else {
                self.say_verifying(&candidate, speed, clock, found.runs, progress);
                found.runs += 1;
                match self.passes(&candidate, clock) {
                    Ok((creep, share)) => {
                        (found.verified_creep, found.error) = (creep, share);
                        found.best = Some(candidate);
                        break;
                    }
                    Err(fault) => Some(fault).filter(|_| !self.over(clock)),
                }
            };
            match fault {
                Some(fault) => {
                    let smaller = self.smaller_beside(&candidate, &holding, clock);
                    found.runs += smaller.as_ref().map_or(0, |smaller| smaller.runs);
                    found.unverified.push((candidate.combination, fault));
                    holding.extend(smaller);
                }
                // the time is up: what is verified already is the answer
                None => {
                    found.so_far.get_or_insert(candidate);
                    if passed.is_none() {
                        break;
                    }
                }
            }
        }
        found
    }

    fn say_verifying(
        &self,
        candidate: &TuneCandidate,
        speed: &Speed,
        clock: &Clock,
        runs: usize,
        progress: &mut dyn FnMut(&Progress),
    ) {
        let left = speed.verification(self, candidate.cost);
        progress(&Progress::now("verifying", clock, left, runs, Some(candidate)));
    }

    /// The candidate at a smaller step, if that costs at most [`FAR`] times the cheapest other.
    fn smaller_beside(
        &self,
        candidate: &TuneCandidate,
        others: &[TuneCandidate],
        clock: &Clock,
    ) -> Option<TuneCandidate> {
        let cost = cheapest(others).map(|next| others[next].cost);
        let most = cost.map_or(f64::INFINITY, |cost| FAR * cost);
        self.next_smaller(candidate, most, clock)
    }

    /// Times candidates close to the cheapest again and keeps the least cost of each; returns the
    /// number of runs.
    fn time_again(&self, candidates: &mut [TuneCandidate], speed: &Speed, clock: &Clock) -> usize {
        let costs = candidates.iter().filter(|candidate| candidate.holds()).map(|c| c.cost);
        let Some(bound) = costs.reduce(smaller) else { return 0 };
        let times = (TIMING / (bound * speed.length)) as usize;
        let mut runs = 0;
        for _ in 0..times.clamp(1, TIMINGS) {
            let close = |c: &&mut TuneCandidate| c.holds() && c.cost <= CLOSE * bound;
            for candidate in candidates.iter_mut().filter(close) {
                let again =
                    self.run_one(&candidate.combination, 1.0, f64::INFINITY, &|| self.over(clock));
                if let Ok(Tried { completed: true, cost, .. }) = again {
                    candidate.cost = smaller(cost, candidate.cost);
                    runs += 1;
                }
            }
        }
        runs
    }

    /// Verifies a candidate by a run twice as long at half the step and by runs at other steps, in
    /// parallel. Returns the creep of the former \[m/s\] and the error against the latter as a
    /// share, or the fault.
    fn passes(
        &self,
        candidate: &TuneCandidate,
        clock: &Clock,
    ) -> Result<(Option<f64>, Option<f64>), String> {
        let failed = AtomicBool::new(false);
        let over = || self.over(clock) || failed.load(Ordering::Relaxed);
        let first = |errors: SceneErrors| errors.diagnostics[0].message.clone();
        let finer =
            Combination { step: 0.5 * candidate.combination.step, ..candidate.combination.clone() };
        let (twice, error) = rayon::join(
            || {
                let tried = self.run_one(&finer, 2.0, f64::INFINITY, &|| self.over(clock));
                let found = tried.map_err(first).and_then(|tried| match tried.fault {
                    None => Ok(tried.creep),
                    Some(fault) => Err(fault),
                });
                failed.fetch_or(found.is_err(), Ordering::Relaxed);
                found
            },
            || self.verified(candidate, &over),
        );
        let creep = twice?;
        error.map(|share| (creep, share)).map_err(|fault| format!("verified: {fault}"))
    }

    /// The fault with which verification will fail, judged from the first `seconds` of a run, if
    /// they take at most `spend` \[s\] of CPU time: an error above twice the trusted share. Motion
    /// after a scene has settled adds to the scale of its measures, not to that error.
    pub(super) fn fails_early(
        &self,
        combination: &Combination,
        seconds: f64,
        spend: f64,
        stop: &dyn Fn() -> bool,
    ) -> Option<String> {
        self.verify?;
        let mut sets = combination.sets();
        sets.push(format!("time.end={seconds:e}"));
        let base = self.base.verified(self.verify);
        let scene = base.load(&sets).ok()?.scene;
        let built = base.build(&scene).ok()?;
        let spend = if self.cost == Cost::Cpu { spend } else { f64::INFINITY };
        let purse = Purse::new(spend);
        let ends = || purse.is_empty(stop);
        let trial = Trial::of_built(&scene, built, base.verifier(&[]), &ends).ok()?;
        // an error that is not known is none that would do
        let error = trial.figure("error_share");
        let wrong = !trial.verdict.faultless() && error.is_none_or(|share| share > 2.0 * TRUSTED);
        (trial.completed() && wrong).then(|| format!("verified: {}", trial.verdict.marks()))
    }

    /// The error of a candidate against runs at other steps, as a share; else the reason why it is not
    /// trusted.
    fn verified(
        &self,
        candidate: &TuneCandidate,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<f64>, String> {
        match self.verified_run(&candidate.combination, stop)? {
            None => Ok(None),
            Some(trial) => self.error(&trial),
        }
    }

    /// The error of a verified run; else the reason why it is not trusted, or not as accurate as asked.
    pub(super) fn error(&self, trial: &Trial) -> Result<Option<f64>, String> {
        if !trial.verdict.faultless() {
            return Err(trial.verdict.marks());
        }
        let (error, asked) = (trial.verdict.error, self.budget.accuracy);
        let percent = |share: f64| number(100.0 * share);
        match asked.filter(|most| !error.is_some_and(|error| error <= *most)) {
            None => Ok(error),
            Some(most) => Err(format!(
                "error bars {}, {} % asked",
                error.map_or("are not known".into(), |error| format!("up to {} %", percent(error))),
                percent(most)
            )),
        }
    }

    /// A run of a combination, verified by runs at other steps; none if the search does not verify.
    pub(super) fn verified_run(
        &self,
        combination: &Combination,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Trial>, String> {
        if self.verify.is_none() {
            return Ok(None);
        }
        let first = |errors: SceneErrors| errors.diagnostics[0].message.clone();
        let mut sets = combination.sets();
        sets.extend(self.length(1.0));
        let base = self.base.verified(self.verify);
        let scene = base.load(&sets).map_err(first)?.scene;
        let built = base.build(&scene).map_err(first)?;
        let trial = Trial::of_built(&scene, built, base.verifier(&[]), stop);
        trial.map(Some).map_err(|error| error.to_string())
    }

    /// The candidate with the next smaller step that holds, at a cost of at most `most` per
    /// simulated second.
    fn next_smaller(
        &self,
        candidate: &TuneCandidate,
        most: f64,
        clock: &Clock,
    ) -> Option<TuneCandidate> {
        let mut combination = candidate.combination.clone();
        let smaller = self.grid.steps.iter().filter(|step| **step < candidate.combination.step);
        for (earlier, step) in smaller.enumerate() {
            combination.step = *step;
            if self.over(clock) {
                return None;
            }
            let tried = self.run_one(&combination, 1.0, most, &|| self.over(clock));
            if tried.as_ref().is_ok_and(|tried| tried.too_dear) {
                return None;
            }
            if let Ok(Tried { fault: None, cost, completed: true, creep, .. }) = tried {
                let (completed, end) = (true, super::answer::SearchEnd::Holds);
                let runs = earlier + 1;
                return Some(TuneCandidate { combination, cost, completed, creep, end, runs });
            }
        }
        None
    }
}

fn cheapest(candidates: &[TuneCandidate]) -> Option<usize> {
    let order = |a: &usize, b: &usize| candidates[*a].cost.total_cmp(&candidates[*b].cost);
    (0..candidates.len()).min_by(order)
}
