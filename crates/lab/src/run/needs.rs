//! The runs that a verification needs: at larger steps first, which take less than the run itself, and at smaller ones
//! where these do not settle it.
//!
//! A run without a fault is settled by one at twice the step that has none either, where every error bar is at most
//! `SETTLED`, all drifts are the same and no expectation is in doubt; where its errors are chance, as of contacts that
//! begin inside steps, by one at four times the step too. Which runs are needed follows from the results of others, and
//! not from the order in which they end.

use super::outcome::Outcome;
use super::refinement::doubled;
use super::verify::{Check, Further, Made};
use super::{Run, stability};
use std::collections::{BTreeMap, BTreeSet};
use stiction_core::diagnosis::watch::Reason;

/// A run that verifies, in the order in which they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Which {
    Method,
    Double,
    Quadruple,
    Half,
    Quarter,
}

/// Number of all of them.
pub(super) const KINDS: usize = Which::Quarter as usize + 1;

/// The runs that were made, or the fault of each.
pub(super) type Results = BTreeMap<Which, Result<Further, Reason>>;

/// The runs that can be compared with a verified one.
pub(super) struct Needs {
    pub method: bool,
    pub step: bool,
    /// by 2 and by 4, as far as the scene can be run at such steps
    pub larger: Vec<Which>,
}

/// Distance of a time from the boundary of a step, as a share of the step, that is rounding.
const BOUNDARY: f64 = 1e-9;

/// The larger steps with which a run may be compared: stable ones by its start. None where loads switch inside such
/// steps: their parts are the steps of the run itself, or the same at a larger one, and prove nothing.
pub(super) fn larger_steps(run: &Run) -> Vec<Which> {
    let (scene, switches) = (&run.timeline.scene, run.simulation().model.switches());
    let can_run = |doublings: &u32| {
        let Some(larger) = doubled(scene, *doublings) else { return false };
        let step = larger.scene.time.step;
        let inside = |time: &f64| *time < scene.time.end() && is_inside(*time, step);
        !switches.iter().any(inside) && stability::above(run, step).is_none()
    };
    let able = [1, 2].into_iter().take_while(can_run);
    able.zip([Which::Double, Which::Quadruple]).map(|(_, which)| which).collect()
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

/// Whether a time lies inside a step, and not at the boundary of two.
fn is_inside(time: f64, step: f64) -> bool {
    let steps = time / step;
    (steps - steps.round()).abs() > BOUNDARY
}

impl Needs {
    /// The runs that are begun beside the verified one.
    pub(super) fn first(&self) -> Vec<Which> {
        let by_step = self.larger.first().copied().unwrap_or(Which::Half);
        let method = Some(Which::Method).filter(|_| self.method);
        method.into_iter().chain(self.step.then_some(by_step)).collect()
    }

    /// The larger steps with which a run is compared, once it has ended.
    fn larger(&self, check: &Check, outcome: &Outcome) -> &[Which] {
        let count = if check.is_erratic() { 2 } else { 1 };
        let comparable = self.step && outcome.verdict.faultless() && self.larger.len() >= count;
        if comparable { &self.larger[..count] } else { &[] }
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
        let larger = self.larger(check, outcome);
        let known = larger.iter().take_while(|which| results.contains_key(which)).count();
        let settled = known == 0 || settles(check, outcome, results, &larger[..known]);
        match larger.get(known) {
            Some(which) if settled => return vec![*which],
            None if settled && !larger.is_empty() => return Vec::new(),
            _ => {}
        }
        let clean = outcome.verdict.faultless();
        match results.get(&Which::Half) {
            // then half the step will not do
            None if !clean => vec![Which::Half, Which::Quarter],
            Some(Ok(half))
                if !(clean && half.about.verdict.faultless() && check.settled(&[half])) =>
            {
                vec![Which::Quarter]
            }
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
        let larger = self.larger(check, outcome);
        let by_larger = !larger.is_empty() && settles(check, outcome, &results, larger);
        let by = if by_larger { larger } else { &[Which::Half, Which::Quarter] };
        for which in by {
            match results.remove(which) {
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

/// Whether these runs at larger steps have all been made, have no fault, and agree with the run so well that no smaller
/// step is needed.
fn settles(check: &Check, outcome: &Outcome, results: &Results, larger: &[Which]) -> bool {
    let made = larger.iter().map(|which| results.get(which)?.as_ref().ok());
    let Some(made) = made.collect::<Option<Vec<&Further>>>() else { return false };
    let clean = made.iter().all(|run| run.about.verdict.faultless());
    clean && check.settled(&made) && check.decided(&outcome.checked, &made)
}
