//! A search for an accuracy over the runs of a scene: which run comes next, what each of them reached, and how the
//! search ended. Whoever makes the runs gives them here one by one.

use super::ladder::Ladder;
use super::{Next, SearchedRun, StepSearch, Stop};
use crate::run::verify::earlier::EarlierRuns;
use crate::run::verify::goals::{Farthest, Goals};
use crate::run::{Outcome, Run, Status};
use serde_json::{Value, json};
use stiction_core::diagnosis::error_bar::{ErrorTooLarge, NotDetermined, RefinedRunAtFault};
use stiction_core::diagnosis::watch::{Cure, Reason};
use stiction_core::math::{larger, number};
use stiction_scene::Scene;

/// A search in progress. Costs are CPU times \[s\].
pub struct AccuracySearch {
    goals: Goals,
    ladder: Ladder,
    search: StepSearch,
    limit: f64,
    /// The runs with which the next one is compared.
    earlier: EarlierRuns,
    tried: Vec<ListedRun>,
    /// the number of the run that is the answer so far
    answer: usize,
    /// of the last run
    end: Standing,
    why: String,
}

/// How a search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Another run comes.
    Open,
    /// The last run has the accuracy asked for.
    Delivered,
    /// No step gives it.
    Unattainable,
    /// It takes more than the limit.
    Limit,
    /// The last run was stopped before its end, and before the limit.
    Interrupted,
}

/// One run of a search.
struct ListedRun {
    step: f64,
    evaluations: u64,
    status: &'static str,
    level: &'static str,
    /// of a run whose bars count
    farthest: Option<Farthest>,
}

impl AccuracySearch {
    /// A search for `goals` that may take `limit` in all.
    pub fn new(goals: Goals, ladder: Ladder, limit: f64) -> AccuracySearch {
        let search = StepSearch::new(ladder.first, limit);
        AccuracySearch {
            goals,
            ladder,
            search,
            limit,
            earlier: EarlierRuns::default(),
            tried: Vec::new(),
            answer: 0,
            end: Standing::Open,
            why: String::new(),
        }
    }

    /// The settings of the run that comes next, as `key=value`; `None` at the end of the search.
    pub fn next(&self) -> Option<Vec<String>> {
        match self.search.next() {
            Next::Run(parts) if self.end == Standing::Open => Some(self.ladder.sets(parts)),
            _ => None,
        }
    }

    /// The scene of the run that comes next.
    pub fn next_scene(&self) -> Option<Scene> {
        match self.search.next() {
            Next::Run(parts) if self.end == Standing::Open => Some(self.ladder.scene(parts)),
            _ => None,
        }
    }

    /// The settings of the answer so far: of the last run that came to its end, or of the first one if none did.
    pub fn settings(&self) -> Vec<String> {
        self.ladder.sets(self.search.tried()[self.answer].parts)
    }

    /// Whether the answer so far is the last run.
    pub fn is_last(&self) -> bool {
        self.answer + 1 == self.tried.len()
    }

    /// The runs that the next one is compared with, and the goals: for [`Run::finish_after`].
    pub fn comparison(&mut self) -> (&mut EarlierRuns, &Goals) {
        (&mut self.earlier, &self.goals)
    }

    /// Number of runs so far.
    pub fn runs(&self) -> usize {
        self.tried.len()
    }

    /// The time that is left for the next run.
    pub fn left(&self) -> f64 {
        larger(self.limit - self.search.spent(), 0.0)
    }

    /// How it stands.
    pub fn end(&self) -> Standing {
        self.end
    }

    /// Adds a run with its outcome, its measure farthest from its goal and its cost.
    pub fn add(&mut self, run: &Run, outcome: &Outcome, farthest: Option<Farthest>, cost: f64) {
        // a stopped run, too, is one of the search
        let Next::Run(parts) = self.search.next() else { return };
        let step = run.simulation().time_step();
        let (asked, incurable) = asked(outcome, step);
        let excess = farthest.as_ref().map(|farthest| farthest.excess);
        let within = excess.is_some_and(|excess| excess <= 1.0);
        let delivers = within && outcome.verdict.trusted();
        let order = farthest.as_ref().and_then(|farthest| farthest.order);
        self.search.add(SearchedRun { parts, delivers, excess, order, asked, incurable, cost });
        self.tried.push(ListedRun {
            step,
            evaluations: outcome.work.evaluations,
            status: outcome.status.word(),
            level: outcome.verdict.level().word(),
            farthest: farthest.filter(|_| outcome.verdict.error.is_some()),
        });
        if outcome.status == Status::Completed {
            self.answer = self.tried.len() - 1;
        }
        (self.end, self.why) = self.ending(run, outcome);
    }

    /// How the search stands after its last run, and why it ends without an answer.
    fn ending(&self, run: &Run, outcome: &Outcome) -> (Standing, String) {
        let limit = number(self.limit);
        if outcome.status == Status::Interrupted {
            return match self.left() > 0.0 {
                true => (Standing::Interrupted, "it was stopped".into()),
                false => (
                    Standing::Limit,
                    format!("the limit of {limit} s of CPU time ended inside a run"),
                ),
            };
        }
        match self.search.next() {
            Next::Done => (Standing::Delivered, String::new()),
            Next::Run(_) => (Standing::Open, String::new()),
            Next::Stop(Stop::Limit { needs, left }) => {
                let (needs, left) = (number(needs), number(larger(left, 0.0)));
                let why = format!(
                    "the next run takes about {needs} s of CPU time, and {left} s of {limit} s are left"
                );
                (Standing::Limit, why)
            }
            Next::Stop(Stop::Stalled) => {
                let parts = |reason: &Reason| reason.numbers::<NotDetermined>().is_some();
                let why = match outcome.verdict.reasons.iter().any(parts) {
                    true => "the last runs part: no result of theirs is determined",
                    false => {
                        "over the last runs the error bar did not fall to half: rounding, a jump of a law, or an outcome that no step determines can be the cause"
                    }
                };
                (Standing::Unattainable, why.into())
            }
            Next::Stop(Stop::NoStepHelps) => {
                let model = &run.simulation().model;
                let incurable = outcome.verdict.reasons.iter().filter(|r| is_incurable(r));
                let reasons = incurable.map(|reason| reason.describe(model));
                let failure = match &outcome.status {
                    Status::Failed(error) => Some(error.describe(model)),
                    _ => None,
                };
                let reasons: Vec<String> = failure.into_iter().chain(reasons).collect();
                let reasons = reasons.join("; ");
                let why = format!("in three runs a reason that no smaller step mends: {reasons}");
                (Standing::Unattainable, why)
            }
            Next::Stop(Stop::Smallest) => {
                (Standing::Unattainable, "no smaller step can be counted".into())
            }
        }
    }

    /// A line on the last run.
    pub fn line(&self) -> String {
        let Some(last) = self.tried.last() else { return String::new() };
        let step = number(last.step);
        let bar = last.farthest.as_ref().map_or("no error bar yet".into(), bar);
        let level = if last.status == Status::COMPLETED { last.level } else { last.status };
        let to_come = match (self.end, self.search.to_come()) {
            (Standing::Open, Some(cost)) => {
                format!("; about {} s of CPU time to come", number(cost))
            }
            _ => String::new(),
        };
        format!("run {}: step {step} s, {level}, {bar}{to_come}", self.tried.len())
    }

    /// One sentence on what was asked for and what the answer so far reached.
    pub fn about(&self) -> String {
        let evaluations: u64 = self.tried.iter().map(|entry| entry.evaluations).sum();
        let runs = match self.tried.len() {
            1 => "1 run".to_string(),
            count => format!("{count} runs"),
        };
        let work = format!("{runs}, {evaluations} force evaluations in all");
        let reached = self.tried[self.answer].farthest.as_ref().map_or("no error bar".into(), bar);
        let (asked, why) = (&self.goals.text, &self.why);
        match self.end {
            Standing::Delivered => format!("accuracy {asked} delivered: {reached}; {work}"),
            _ => format!("accuracy {asked} NOT delivered: {why}; reached: {reached}; {work}"),
        }
    }

    /// The object `accuracy` of run.json.
    pub fn document(&self) -> Value {
        let reached = |farthest: &Farthest| {
            json!({
                "measure": farthest.columns,
                "error": farthest.error,
                "unit": farthest.unit,
                "share_of_asked": farthest.excess,
            })
        };
        let run = |entry: &ListedRun| {
            json!({
                "step": entry.step,
                "status": entry.status,
                "level": entry.level,
                "evaluations": entry.evaluations,
                "reached": entry.farthest.as_ref().map(reached),
            })
        };
        json!({
            "asked": self.goals.text,
            "delivered": self.end == Standing::Delivered,
            "reached": self.tried[self.answer].farthest.as_ref().map(reached),
            "why": (!self.why.is_empty()).then_some(&self.why),
            "runs": self.tried.iter().map(run).collect::<Vec<_>>(),
        })
    }
}

/// "`distance` off by up to 1.2e-5 m in its worst eighth, or at the end, 0.3 of what was asked".
fn bar(farthest: &Farthest) -> String {
    let unit = if farthest.unit == "1" { String::new() } else { format!(" {}", farthest.unit) };
    let (error, excess) = (number(farthest.error), number(farthest.excess));
    let columns = &farthest.columns;
    match farthest.excess.is_finite() {
        true => format!(
            "`{columns}` off by up to {error}{unit} in its worst eighth, or at the end, {excess} of what was asked"
        ),
        false => format!("`{columns}` without an error bar"),
    }
}

/// How many times as many steps the reasons of a run ask for, and whether one says that no step helps; those that
/// come of a comparison are the search's own matter.
fn asked(outcome: &Outcome, step: f64) -> (f64, bool) {
    let compared = |reason: &&Reason| {
        reason.numbers::<ErrorTooLarge>().is_some()
            || reason.numbers::<NotDetermined>().is_some()
            || reason.numbers::<RefinedRunAtFault>().is_some()
    };
    let failed = matches!(&outcome.status, Status::Failed(error) if !error.step_helps());
    let (mut asked, mut incurable) = (1.0, failed);
    for reason in outcome.verdict.reasons.iter().filter(|reason| !compared(reason)) {
        let named = match reason.cure(step) {
            Cure::Step(smaller) => step / smaller,
            Cure::SmallerStep | Cure::NoStep => 2.0,
        };
        asked = larger(asked, larger(named, 2.0));
        incurable |= is_incurable(reason);
    }
    (asked, incurable)
}

fn is_incurable(reason: &Reason) -> bool {
    reason.cure(1.0) == Cure::NoStep
}
