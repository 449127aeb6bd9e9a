//! The runs that a verification needs: at larger steps first, which take less than the run itself, and at smaller ones
//! where these do not settle it.
//!
//! A run without a fault is settled by one at twice the step that has none either, where every error bar is at most
//! `SETTLED`, all drifts are the same and no expectation is in doubt; where its errors are chance, as of contacts that
//! begin inside steps, by one at four times the step too. Where such a step is at fault, or does not divide the times of the
//! scene, other ratios do. Half of the step is compared alone, unless two runs may agree by chance. Which runs are needed
//! follows from the results of others, and not from the order in which they end.

use super::outcome::Outcome;
use super::refinement::{Ratio, enlarged};
use super::verify::{Check, Further, Made};
use super::{Run, stability};
use std::collections::{BTreeMap, BTreeSet};
use stiction_core::diagnosis::watch::Reason;

/// A run that verifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Which {
    Method,
    /// at one of [`RATIOS`]
    Larger(usize),
    Half,
    Quarter,
}

/// Larger steps, ascending.
pub(super) const RATIOS: [Ratio; 8] = [
    (5, 4, "the run at 5/4 of the step"),
    (4, 3, "the run at 4/3 of the step"),
    (3, 2, "the run at 3/2 of the step"),
    (8, 5, "the run at 8/5 of the step"),
    (2, 1, "the run at twice the step"),
    (5, 2, "the run at 5/2 of the step"),
    (3, 1, "the run at three times the step"),
    (4, 1, "the run at four times the step"),
];

/// The one that is tried first, and runs at larger steps that may be made.
const TWICE: usize = 4;
const TRIES: usize = 4;

/// Number of kinds of runs, and of those that one verification may make.
pub(super) const KINDS: usize = RATIOS.len() + 3;
pub(super) const MOST: usize = TRIES + 3;

impl Which {
    /// Its place among all kinds.
    pub(super) fn number(self) -> usize {
        match self {
            Which::Method => 0,
            Which::Half => 1,
            Which::Quarter => 2,
            Which::Larger(ratio) => 3 + ratio,
        }
    }
}

/// The runs that were made, or the fault of each.
pub(super) type Results = BTreeMap<Which, Result<Further, Reason>>;

/// The runs that can be compared with a verified one.
pub(super) struct Needs {
    pub method: bool,
    pub step: bool,
    /// places in [`RATIOS`] of the steps at which the scene can be run, ascending
    pub larger: Vec<usize>,
}

/// The runs at larger steps with which a run is compared: those without a fault, ascending, and those to be made.
#[derive(Default)]
struct LargerSteps {
    clean: Vec<usize>,
    next: Vec<usize>,
    /// whether there are as many as are needed, and they settle it
    settled: bool,
}

/// Distance of a time from the boundary of a step, as a share of the step, that is rounding.
const BOUNDARY: f64 = 1e-9;

/// The larger steps with which a run may be compared: stable ones by its start. None where loads switch inside such
/// steps: their parts are the steps of the run itself, or the same at a larger one, and prove nothing.
pub(super) fn larger_steps(run: &Run) -> Vec<usize> {
    let (scene, switches) = (&run.timeline.scene, run.simulation().model.switches());
    let fits = |ratio: &usize| {
        let Some(larger) = enlarged(scene, RATIOS[*ratio]) else { return false };
        let step = larger.scene.time.step;
        let inside = |time: &f64| *time < scene.time.end() && is_inside(*time, step);
        !switches.iter().any(inside)
    };
    let mut able: Vec<usize> = (0..RATIOS.len()).filter(fits).collect();
    // ascending, so that those above the limit are the last
    let stable = |ratio: &usize| {
        let (times, parts, _) = RATIOS[*ratio];
        stability::above(run, scene.time.step * f64::from(times) / f64::from(parts)).is_none()
    };
    able.truncate(able.partition_point(stable));
    able
}

/// Whether loads switch inside so many steps of a size \[s\] that the parts of these steps, which runs at other steps
/// share, decide the result: inside more than a tenth of them.
pub(super) fn switches_decide(run: &Run, step: f64) -> bool {
    let (scene, switches) = (&run.timeline.scene, run.simulation().model.switches());
    let steps: BTreeSet<u64> = switches
        .iter()
        .filter(|time| **time < scene.time.end() && is_inside(**time, step))
        .map(|time| (time / step) as u64)
        .collect();
    10.0 * steps.len() as f64 > scene.time.end() / step
}

/// Whether loads that act between two switches do so inside one step of a size \[s\] of a method that does not choose
/// its steps: all such steps have the same part there.
pub(super) fn windows_inside(run: &Run, step: f64) -> bool {
    let (end, switches) = (run.timeline.scene.time.end(), run.simulation().model.switches());
    // the step that begins, and the one that ends, at or around these
    let first = |time: &f64| (time / step + BOUNDARY).floor();
    let last = |time: &f64| (time / step - BOUNDARY).ceil() - 1.0;
    let pairs = switches.windows(2).filter(|pair| pair[1] < end);
    let inside = |pair: &[f64]| first(&pair[0]) == last(&pair[1]);
    !run.simulation().integrator().capabilities().adaptive && pairs.into_iter().any(inside)
}

/// Whether a time lies inside a step, and not at the boundary of two.
fn is_inside(time: f64, step: f64) -> bool {
    let steps = time / step;
    (steps - steps.round()).abs() > BOUNDARY
}

impl Needs {
    /// The runs that are begun beside the verified one.
    pub(super) fn first(&self) -> Vec<Which> {
        let by_step = self.choice(&[], RATIOS.len()).map_or(Which::Half, Which::Larger);
        let method = Some(Which::Method).filter(|_| self.method);
        method.into_iter().chain(self.step.then_some(by_step)).collect()
    }

    /// The next larger step beside `clean` ones, below the smallest one with a fault: first twice the step or what is
    /// next to it, after a fault the smallest, which is the most likely to have none, and beside one without the
    /// largest.
    fn choice(&self, clean: &[usize], most: usize) -> Option<usize> {
        let larger = self.larger.iter().copied();
        let free = larger.filter(|ratio| *ratio < most && !clean.contains(ratio));
        match (clean.is_empty(), most < RATIOS.len()) {
            (false, _) => free.max(),
            (true, false) => free.min_by_key(|ratio| ratio.abs_diff(TWICE)),
            (true, true) => free.min(),
        }
    }

    /// The run that follows one at a larger step beside the verified run, before that has come to its end.
    pub(super) fn ahead(&self, which: Which, made: &Result<Further, Reason>) -> Option<Which> {
        let Which::Larger(first) = which else { return None };
        let next = match is_clean(made) {
            true => self.choice(&[first], RATIOS.len()),
            // one alone below twice the step says too little
            false => {
                let left = self.larger.iter().filter(|ratio| **ratio < first).count();
                self.choice(&[], first).filter(|_| left > 1)
            }
        };
        next.map(Which::Larger)
    }

    /// The larger steps with which a run is compared, once it has ended: two where its errors are chance or less than
    /// twice the step is compared, else one. They are tried in one order, whatever the order in which runs end.
    fn larger(&self, check: &Check, outcome: &Outcome, results: &Results) -> LargerSteps {
        let mut found = LargerSteps::default();
        if !self.step || !outcome.verdict.faultless() {
            return found;
        }
        let erratic = check.is_erratic();
        let count = |least: usize| if erratic || least < TWICE { 2 } else { 1 };
        let mut most = RATIOS.len();
        for _ in 0..TRIES {
            let Some(ratio) = self.choice(&found.clean, most) else { return found };
            let least = found.clean.first().map_or(ratio, |clean| ratio.min(*clean));
            let free = self.larger.iter().filter(|free| **free < most).count();
            if free < count(least) {
                return found;
            }
            match results.get(&Which::Larger(ratio)) {
                None => {
                    found.next.push(ratio);
                    // after a fault both of those that are left to be made can go side by side
                    let both = most < RATIOS.len() && found.clean.len() + 1 < count(least);
                    found.next.extend(self.choice(&[ratio], most).filter(|_| both));
                    return found;
                }
                Some(made) if is_clean(made) => {
                    found.clean.push(ratio);
                    found.clean.sort_unstable();
                    if !settles(check, outcome, results, &found.clean) {
                        return found;
                    }
                }
                Some(_) => {
                    most = ratio;
                    found.clean.retain(|clean| *clean < most);
                }
            }
            found.settled =
                found.clean.first().is_some_and(|least| found.clean.len() >= count(*least));
            if found.settled {
                return found;
            }
        }
        found
    }

    /// The further runs that are needed once a run has ended, of those without a result.
    pub(super) fn next(&self, check: &Check, outcome: &Outcome, results: &Results) -> Vec<Which> {
        let mut needed = Vec::new();
        if self.method {
            needed.push(Which::Method);
        }
        if self.step {
            needed.extend(self.by_step(check, outcome, results));
        }
        needed.retain(|which| !results.contains_key(which));
        needed
    }

    fn by_step(&self, check: &Check, outcome: &Outcome, results: &Results) -> Vec<Which> {
        let LargerSteps { next, settled, .. } = self.larger(check, outcome, results);
        if settled || !next.is_empty() {
            return next.into_iter().map(Which::Larger).collect();
        }
        let clean = outcome.verdict.faultless();
        let settles = |half: &Further| {
            let settled = check.settled(&[half]) && check.decided(&outcome.checked, &[half]);
            clean && half.about.verdict.faultless() && settled && !check.may_agree_by_chance()
        };
        match results.get(&Which::Half) {
            // then half the step will not do
            None if !clean => vec![Which::Half, Which::Quarter],
            Some(Ok(half)) if !settles(half) => vec![Which::Quarter],
            None => vec![Which::Half],
            Some(_) => Vec::new(),
        }
    }

    /// The runs by which another is verified, and why others are missing.
    pub(super) fn made(
        &self,
        check: &Check,
        outcome: &Outcome,
        mut results: Results,
        notes: Vec<String>,
    ) -> Made {
        let mut made = Made { notes, ..Made::default() };
        match results.remove(&Which::Method) {
            Some(Ok(other)) => made.other = Some(other),
            Some(Err(fault)) => made.faults.push(fault),
            None => {}
        }
        let LargerSteps { clean, settled, .. } = self.larger(check, outcome, &results);
        let by = match settled {
            true => clean.into_iter().map(Which::Larger).collect(),
            false => vec![Which::Half, Which::Quarter],
        };
        for which in by {
            match results.remove(&which) {
                Some(Ok(run)) => made.steps.push(run),
                // a quarter of the step says nothing without half of it
                Some(Err(fault)) => {
                    made.faults.push(fault);
                    break;
                }
                None => {}
            }
        }
        made
    }
}

/// Whether a run came to its end without a fault.
fn is_clean(made: &Result<Further, Reason>) -> bool {
    made.as_ref().is_ok_and(|run| run.about.verdict.faultless())
}

/// Whether runs at these larger steps, which have no fault, agree with the run so well that no smaller step is needed.
fn settles(check: &Check, outcome: &Outcome, results: &Results, larger: &[usize]) -> bool {
    let made = larger.iter().map(|ratio| results.get(&Which::Larger(*ratio))?.as_ref().ok());
    let made = made.collect::<Option<Vec<&Further>>>();
    made.is_some_and(|made| check.settled(&made) && check.decided(&outcome.checked, &made))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::diagnosis::trust::TooFewSteps;

    fn needs(larger: &[usize]) -> Needs {
        Needs { method: false, step: true, larger: larger.to_vec() }
    }

    #[test]
    fn larger_steps_begin_at_twice_the_step_or_next_to_it() {
        let all = needs(&[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(all.first(), [Which::Larger(TWICE)]);
        assert_eq!(needs(&[0, 3, 7]).first(), [Which::Larger(3)]);
        assert_eq!(needs(&[]).first(), [Which::Half]);
        // beside one without a fault the largest; below one with a fault the smallest, then the largest left
        assert_eq!(all.choice(&[TWICE], RATIOS.len()), Some(7));
        assert_eq!(all.choice(&[], TWICE), Some(0));
        assert_eq!(all.choice(&[0], TWICE), Some(3));
        assert_eq!(all.choice(&[], 0), None);
    }

    /// After a fault two smaller steps are needed: with one alone left nothing is begun.
    #[test]
    fn nothing_is_begun_ahead_that_cannot_settle_it() {
        let fault = || Err(Reason::from(TooFewSteps { steps: 3 }));
        let twice = Which::Larger(TWICE);
        assert_eq!(needs(&[0, 3, TWICE]).ahead(twice, &fault()), Some(Which::Larger(0)));
        assert_eq!(needs(&[3, TWICE]).ahead(twice, &fault()), None);
        assert_eq!(needs(&[0, 3, TWICE]).ahead(Which::Half, &fault()), None);
    }
}
