//! A search for an accuracy over the runs of a scene: which run comes next, what each of them reached, and how the
//! search ended. Whoever makes the runs gives them here one by one.

use super::ladder::{Ladder, SearchedMethod, work_of};
use super::{Next, SearchedRun, StepSearch, Stop};
use crate::run::verify::earlier::EarlierRuns;
use crate::run::verify::goals::{Farthest, Goals};
use crate::run::{Outcome, Run, Status};
use serde_json::{Value, json};
use stiction_core::diagnosis::error_bar::{ErrorTooLarge, NotDetermined, RefinedRunAtFault};
use stiction_core::diagnosis::watch::{Cure, Reason};
use stiction_core::math::{larger, number, smaller};
use stiction_scene::Scene;

/// A search in progress, by one method or by several of which one is chosen. Costs are CPU times \[s\]; they count
/// for the limit alone, so that a search for which no run is left out is the same on every machine.
///
/// Of several methods the one comes next whose work to come is least: that of all its runs to come by its last error
/// bar, else of those that a bar takes. So none of them ever takes much more than the answer.
pub struct AccuracySearch {
    goals: Goals,
    limit: f64,
    lanes: Vec<Lane>,
    tried: Vec<ListedRun>,
    /// the number of the run that is the answer so far
    answer: usize,
    end: Standing,
    why: String,
}

/// The search by one method.
struct Lane {
    /// if it is not the scene's own
    method: Option<&'static str>,
    ladder: Ladder,
    /// the work of its first run, by forecast
    work: f64,
    /// the work of each run beside its steps
    beside: f64,
    search: StepSearch,
    /// the runs with which the next one is compared
    earlier: EarlierRuns,
    /// why it ended without an answer
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
    lane: usize,
    parts: u64,
    step: f64,
    evaluations: u64,
    status: &'static str,
    level: &'static str,
    /// its largest error over what is asked
    excess: f64,
    /// of a run whose bars count
    farthest: Option<Farthest>,
}

impl AccuracySearch {
    /// A search for `goals` that may take `limit` in all, by methods that are chosen or by the scene's own, `None`,
    /// each with its steps.
    pub fn new(goals: Goals, methods: Vec<SearchedMethod>, limit: f64) -> AccuracySearch {
        let lane = |SearchedMethod { name, ladder, work, beside }: SearchedMethod| {
            let (search, earlier) = (StepSearch::new(ladder.first), EarlierRuns::default());
            Lane { method: name, ladder, work, beside, search, earlier, why: String::new() }
        };
        AccuracySearch {
            goals,
            limit,
            lanes: methods.into_iter().map(lane).collect(),
            tried: Vec::new(),
            answer: 0,
            end: Standing::Open,
            why: String::new(),
        }
    }

    /// The method, by its number, and the parts of the run that comes next.
    fn next_run(&self) -> Option<(usize, u64)> {
        let runs = self.lanes.iter().enumerate().filter_map(|(number, lane)| {
            let Next::Run(parts) = self.next_of(lane) else { return None };
            Some((number, parts))
        });
        let work = |(number, parts): &(usize, u64)| self.lanes[*number].work_to_come(*parts);
        runs.min_by(|a, b| work(a).total_cmp(&work(b)))
    }

    /// The next step of the search by one method. Once a run has shown what an evaluation costs, the first run of
    /// another method is made only where its forecast is within what is left.
    fn next_of(&self, lane: &Lane) -> Next {
        let left = self.left();
        let priced = self.tried.iter().any(|run| run.status == Status::COMPLETED);
        if lane.search.tried().is_empty() && priced {
            let needs = (lane.work + lane.beside) * self.price();
            if needs > left {
                return Next::Stop(Stop::Limit { needs, left });
            }
        }
        lane.search.next(left)
    }

    /// The cost of a unit of work, by the runs so far.
    fn price(&self) -> f64 {
        let of =
            |lane: &Lane| lane.search.tried().iter().map(|run| run.work + lane.beside).sum::<f64>();
        let work: f64 = self.lanes.iter().map(of).sum();
        if work > 0.0 { self.spent() / work } else { 0.0 }
    }

    fn spent(&self) -> f64 {
        self.lanes.iter().map(|lane| lane.search.spent()).sum()
    }

    /// The settings of the run that comes next, as `key=value`; `None` at the end of the search.
    pub fn next(&self) -> Option<Vec<String>> {
        let (lane, parts) = self.next_run().filter(|_| self.end == Standing::Open)?;
        Some(self.lanes[lane].sets(parts))
    }

    /// The scene of the run that comes next.
    pub fn next_scene(&self) -> Option<Scene> {
        let (lane, parts) = self.next_run().filter(|_| self.end == Standing::Open)?;
        Some(self.lanes[lane].ladder.scene(parts))
    }

    /// The settings of the answer so far: of the last completed run, by the method with the least error over what is
    /// asked; of the first run if none was completed.
    pub fn settings(&self) -> Vec<String> {
        let answer = &self.tried[self.answer];
        self.lanes[answer.lane].sets(answer.parts)
    }

    /// Whether the answer so far is the last run.
    pub fn is_last(&self) -> bool {
        self.answer + 1 == self.tried.len()
    }

    /// The runs that the next one is compared with, and the goals: for [`Run::finish_after`].
    pub fn comparison(&mut self) -> (&mut EarlierRuns, &Goals) {
        let lane = self.next_run().map_or(0, |(lane, _)| lane);
        (&mut self.lanes[lane].earlier, &self.goals)
    }

    /// Number of runs so far.
    pub fn runs(&self) -> usize {
        self.tried.len()
    }

    /// The time that is left for the next run.
    pub fn left(&self) -> f64 {
        larger(self.limit - self.spent(), 0.0)
    }

    /// How it stands.
    pub fn end(&self) -> Standing {
        self.end
    }

    /// Adds a run with its outcome, its measure farthest from its goal and its cost.
    pub fn add(&mut self, run: &Run, outcome: &Outcome, farthest: Option<Farthest>, cost: f64) {
        // a stopped run, too, is one of the search
        let Some((number, parts)) = self.next_run() else { return };
        let step = run.simulation().time_step();
        let (asked, incurable) = asked(outcome, step);
        let excess = farthest.as_ref().map(|farthest| farthest.excess);
        let within = excess.is_some_and(|excess| excess <= 1.0);
        let delivers = within && outcome.verdict.trusted();
        let order = farthest.as_ref().and_then(|farthest| farthest.order);
        let failed = matches!(outcome.status, Status::Failed(_));
        let work = work_of(&outcome.work, run.simulation().model.particles());
        let searched =
            SearchedRun { parts, delivers, excess, order, asked, incurable, failed, cost, work };
        self.lanes[number].search.add(searched);
        let before = self.tried.get(self.answer);
        let better = before.is_none_or(|before| {
            let excess = excess.unwrap_or(f64::INFINITY);
            let finer = before.lane == number || delivers;
            before.status != Status::COMPLETED || finer || excess < before.excess
        });
        self.tried.push(ListedRun {
            lane: number,
            parts,
            step,
            evaluations: outcome.work.evaluations,
            status: outcome.status.word(),
            level: outcome.verdict.level().word(),
            excess: excess.unwrap_or(f64::INFINITY),
            farthest: farthest.filter(|_| outcome.verdict.error.is_some()),
        });
        if outcome.status == Status::Completed && better {
            self.answer = self.tried.len() - 1;
        }
        self.lanes[number].why = match self.next_of(&self.lanes[number]) {
            Next::Stop(stop) => why(stop, (run, outcome)),
            Next::Run(_) | Next::Done => String::new(),
        };
        (self.end, self.why) = self.ending(number, outcome);
    }

    /// How the search stands after a run of one of its methods, and why it ends without an answer.
    fn ending(&self, last: usize, outcome: &Outcome) -> (Standing, String) {
        let left = self.left();
        if outcome.status == Status::Interrupted {
            return match left > 0.0 {
                true => (Standing::Interrupted, "it was stopped".into()),
                false => (
                    Standing::Limit,
                    format!("the limit of {} s of CPU time ended inside a run", number(self.limit)),
                ),
            };
        }
        if self.next_of(&self.lanes[last]) == Next::Done {
            return (Standing::Delivered, String::new());
        }
        if self.next_run().is_some() {
            return (Standing::Open, String::new());
        }
        let limited = |lane: &Lane| matches!(self.next_of(lane), Next::Stop(Stop::Limit { .. }));
        let standing = match self.lanes.iter().any(limited) {
            true => Standing::Limit,
            false => Standing::Unattainable,
        };
        (standing, self.why_not())
    }

    /// Why no method gives an answer.
    fn why_not(&self) -> String {
        let of = |lane: &Lane| {
            let why = match self.next_of(lane) {
                Next::Stop(stop @ Stop::Limit { .. }) => limit_words(stop, self.limit),
                _ => lane.why.clone(),
            };
            lane.method.map_or(why.clone(), |method| format!("by {method} {why}"))
        };
        self.lanes.iter().map(of).collect::<Vec<_>>().join("; ")
    }

    /// A line on the last run.
    pub fn line(&self) -> String {
        let Some(last) = self.tried.last() else { return String::new() };
        let step = number(last.step);
        let asked = |farthest: &Farthest| {
            let of = if farthest.is_of_trust { "trusted" } else { "asked" };
            format!("{} times what is {of}", number(farthest.excess))
        };
        let bar = last.farthest.as_ref().map_or("no error bar yet".into(), asked);
        let level = if last.status == Status::COMPLETED { last.level } else { last.status };
        let lane = &self.lanes[last.lane];
        let to_come = self.lanes.iter().filter_map(Lane::known_to_come).reduce(smaller);
        let to_come = match (self.end, to_come) {
            (Standing::Open, Some(work)) => {
                format!("; about {} s of CPU time to come", number(work * self.price()))
            }
            _ => String::new(),
        };
        let method = lane.method.map_or(String::new(), |method| format!("{method}, "));
        format!("run {}: {method}step {step} s, {level}, {bar}{to_come}", self.tried.len())
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
                "method": self.lanes[entry.lane].method,
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

impl Lane {
    /// The work of what is to come, whose next run has so many parts: an estimate.
    fn work_to_come(&self, parts: u64) -> f64 {
        let next = || match self.search.tried().last() {
            Some(last) => last.work * parts as f64 / last.parts as f64,
            None => self.work,
        };
        self.known_to_come()
            .unwrap_or_else(|| self.with_beside(self.search.to_come_without_bar(next())))
    }

    /// The same by an error bar.
    fn known_to_come(&self) -> Option<f64> {
        self.search.to_come().map(|to_come| self.with_beside(to_come))
    }

    fn with_beside(&self, (work, runs): (f64, usize)) -> f64 {
        work + self.beside * runs as f64
    }

    /// The settings of its run with so many parts.
    fn sets(&self, parts: u64) -> Vec<String> {
        let method = self.method.map(|method| format!("integrator.method={method}"));
        method.into_iter().chain(self.ladder.sets(parts)).collect()
    }
}

/// Why the search by a method ends without an answer, after its last run.
fn why(stop: Stop, (run, outcome): (&Run, &Outcome)) -> String {
    match stop {
        // what is left changes with the runs of other methods
        Stop::Limit { .. } => String::new(),
        Stop::Fails => match &outcome.status {
            Status::Failed(error) => {
                let error = error.describe(&run.simulation().model);
                format!("runs fail at every step that was tried, the last one so: {error}")
            }
            _ => "runs fail at every step that was tried".into(),
        },
        Stop::Smallest => "no smaller step can be counted".into(),
        Stop::Stalled => {
            let parts = |reason: &Reason| reason.numbers::<NotDetermined>().is_some();
            match outcome.verdict.reasons.iter().any(parts) {
                true => "the last runs part: no result of theirs is determined".into(),
                false => "over the last runs the error bar did not fall to half: rounding, a jump of a law, or an outcome that no step determines can be the cause".into(),
            }
        }
        Stop::NoStepHelps => {
            let model = &run.simulation().model;
            let incurable = outcome.verdict.reasons.iter().filter(|r| is_incurable(r));
            let reasons = incurable.map(|reason| reason.describe(model));
            let failure = match &outcome.status {
                Status::Failed(error) => Some(error.describe(model)),
                _ => None,
            };
            let reasons: Vec<String> = failure.into_iter().chain(reasons).collect();
            let reasons = reasons.join("; ");
            format!("in three runs a reason that no smaller step mends: {reasons}")
        }
    }
}

/// The words on a run that would take more than is left of a limit.
fn limit_words(stop: Stop, limit: f64) -> String {
    let Stop::Limit { needs, left } = stop else { return String::new() };
    let [needs, left, limit] = [needs, larger(left, 0.0), limit].map(number);
    format!("the next run takes about {needs} s of CPU time, and {left} s of {limit} s are left")
}

/// "`distance` off by up to 1.2e-5 m in its worst eighth, or at the end, 0.3 of what was asked".
fn bar(farthest: &Farthest) -> String {
    let unit = if farthest.unit == "1" { String::new() } else { format!(" {}", farthest.unit) };
    let (error, excess) = (number(farthest.error), number(farthest.excess));
    let columns = &farthest.columns;
    // no run is trusted that is off by more, whatever was asked
    let of = if farthest.is_of_trust { "is trusted" } else { "was asked" };
    match farthest.excess.is_finite() {
        true => format!(
            "`{columns}` off by up to {error}{unit} in its worst eighth, or at the end, {excess} of what {of}"
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
