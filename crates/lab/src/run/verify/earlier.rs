//! The last of several runs at smaller and smaller steps: its error bars come from those before it.
//!
//! The rules are those of every verified run: a symptom counts unless three runs show that it has no effect, a
//! fault that runs share is never outweighed, and two runs suffice only where both have no reason against them, every
//! bar is within what is asked, the drifts agree, and no contact began inside a step, which leaves an error by chance.

use super::super::advice::advise;
use super::super::course::{Keeper, Places};
use super::super::outcome::{Outcome, Status};
use super::super::verdict::{judge, mesh};
use super::super::verification::{MeasureBar, RefinedRun, Verification};
use super::super::{Observer, Run};
use super::goals::{Farthest, Goals};
use super::{Check, Further, forget_unfounded};
use crate::run::needs::{switches_decide, windows_inside};
use std::io;
use stiction_core::diagnosis::error_bar::{ErrorBar, LEAST_ORDER, TRUSTED};
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::math::{number, smaller};

/// Number of runs with which another is compared.
const COMPARED: usize = 2;

/// Runs of one scene that have ended, each at a smaller step than those before it.
#[derive(Default)]
pub struct EarlierRuns {
    /// the newest first
    runs: Vec<Further>,
}

impl Run {
    /// Runs to the end, or until `stop` returns true, and compares with earlier runs, to which this one is added. The
    /// second result is the measure that is farthest from its goal, by a bar that the verdict may not yet count;
    /// `None` without comparison.
    ///
    /// # Errors
    /// Those of the observer. A failed step is an [`Outcome::status`].
    pub fn finish_after(
        &mut self,
        (earlier, goals): (&mut EarlierRuns, &Goals),
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> io::Result<(Outcome, Option<Farthest>)> {
        let mut places = Places::of(self);
        let mut outcome = self.run(&mut Keeper { places: &mut places, next: observer }, stop)?;
        let mut farthest = None;
        // what runs may share says nothing of the next one either
        if outcome.status != Status::Completed || !outcome.verdict.can_be_outweighed() {
            earlier.runs.clear();
        } else {
            let check = Check::of(self, places);
            let about = about(self, &outcome);
            // those whose steps are cut by loads as these are prove nothing
            let comparable = |other: &&Further| {
                let step = other.about.step;
                !switches_decide(self, step) && !windows_inside(self, step)
            };
            let others: Vec<&Further> = earlier.runs.iter().filter(comparable).collect();
            (outcome, farthest) = check.judged_by_earlier(outcome, &others, goals);
            farthest
                .iter_mut()
                .for_each(|farthest| farthest.order = check.falls_by(farthest.order));
            earlier.runs.insert(0, Further { about, course: check.own });
            earlier.runs.truncate(COMPARED);
        }
        outcome.advice = advise(self, &outcome);
        Ok((outcome, farthest))
    }
}

/// The run as others are compared with it.
fn about(run: &Run, outcome: &Outcome) -> RefinedRun {
    let scene = run.scene();
    RefinedRun {
        name: format!("the run at step {} s", number(scene.time.step)),
        integrator: scene.integrator.name,
        step: scene.time.step,
        is_refined: false,
        status: outcome.status.word(),
        evaluations: outcome.work.evaluations,
        state_hash: outcome.state_hash,
        verdict: outcome.verdict.clone(),
    }
}

impl Check<'_> {
    /// The outcome with error bars and level where the runs suffice for them, and the measure that is farthest from
    /// its goal.
    fn judged_by_earlier(
        &self,
        mut outcome: Outcome,
        earlier: &[&Further],
        goals: &Goals,
    ) -> (Outcome, Option<Farthest>) {
        if earlier.is_empty() {
            return (outcome, None);
        }
        let mut verification = self.by_earlier(earlier, goals);
        let farthest = goals.farthest(&verification);
        let faultless = outcome.verdict.faultless() && earlier[0].about.verdict.faultless();
        let within = farthest.as_ref().is_none_or(|farthest| farthest.excess <= 1.0);
        let two_suffice = faultless && within && self.two_suffice(&verification, earlier);
        if earlier.len() < COMPARED && !two_suffice {
            return (outcome, farthest);
        }
        if let (true, Some(nearest)) = (verification.share() > TRUSTED, earlier.first().copied()) {
            verification.parting = self.parting(&verification, nearest);
        }
        let alike = self.motions_agree(earlier, &verification.bodies);
        let model = &self.run.simulation().model;
        let moves_alike = |reason: &Reason| reason.body(model).is_some_and(|body| alike[body]);
        let can_outweigh =
            |verdict: &Verdict| verdict.can_be_outweighed() && verdict.of_drifts().all(moves_alike);
        let of = (self.run, self.own.times.as_slice());
        self.split_drifts(earlier, &mut outcome.creep);
        judge(&mut outcome.verdict, &verification, Vec::new(), of, can_outweigh);
        if !outcome.verdict.faultless() {
            forget_unfounded(&mut outcome, &mut verification);
        }
        mesh::note(&mut verification, model);
        outcome.verification = Some(verification);
        outcome.doubt();
        (outcome, farthest)
    }

    /// Whether one earlier run suffices.
    fn two_suffice(&self, verification: &Verification, earlier: &[&Further]) -> bool {
        let all = verification.measures.iter().chain(&verification.bodies);
        let close = all.map(|measure| measure.bar.share).all(|share| share <= TRUSTED);
        close && self.drifts_agree(earlier) && !self.is_erratic()
    }

    /// The order by which a bar falls to smaller steps, from the observed one; `None` where runs do not converge.
    fn falls_by(&self, observed: Option<f64>) -> Option<f64> {
        let nominal = f64::from(self.run.simulation().integrator().capabilities().order);
        let most = smaller(nominal, self.run.most_order());
        if self.is_erratic() {
            return Some(1.0);
        }
        observed.filter(|p| *p >= LEAST_ORDER).map(|p| smaller(p, most))
    }

    /// The error bars by earlier runs; only those asked for count.
    fn by_earlier(&self, earlier: &[&Further], goals: &Goals) -> Verification {
        let method = self.run.simulation().integrator().capabilities();
        let nominal = (!self.is_erratic()).then_some(f64::from(method.order));
        let own = self.run.simulation().time_step();
        let steps: Vec<f64> =
            std::iter::once(own).chain(earlier.iter().map(|run| run.about.step)).collect();
        let (mut measures, bodies) = self.each(earlier, |columns, zero, unit, number| {
            let least = self.scales.least(unit);
            let bar = ErrorBar::estimate(columns, &steps, (zero, least), nominal);
            self.with_shared_errors(bar, columns, (zero, unit), number)
        });
        let asked = |measure: &MeasureBar| measure.counts && goals.asks_for(measure);
        measures.iter_mut().for_each(|measure| measure.counts = asked(measure));
        let runs = earlier.iter().map(|run| run.about.clone()).collect();
        let notes = goals.names_some().then(|| {
            "the verdict counts the errors of those measures alone that an accuracy is asked of"
                .into()
        });
        let (parting, causes) = (None, Vec::new());
        Verification { runs, measures, bodies, parting, causes, notes: notes.into_iter().collect() }
    }
}
