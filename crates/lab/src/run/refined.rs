//! The runs that verify another: made one by one after it, or side by side.

use super::course::{Course, Keeper, Places};
use super::outcome::{Outcome, Status};
use super::refinement::{Refinement, halved, other_method};
use super::verification::RefinedRun;
use super::verify::{Check, Further, Made, Verifier};
use super::{Observer, Run};
use crate::jobs::{Desk, Event, side_by_side};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use stiction_core::diagnosis::error_bar::RefinedRunAtFault;
use stiction_core::diagnosis::watch::Reason;
use stiction_scene::Scene;

/// A run that verifies, in the order in which they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Which {
    Method,
    Half,
    Quarter,
}

const ALL: [Which; 3] = [Which::Method, Which::Half, Which::Quarter];

/// The runs that were made, or the fault of each.
type Results = BTreeMap<Which, Result<Further, Reason>>;

/// The runs by which another is verified, and why others are missing.
fn gathered(results: Results, notes: Vec<String>) -> Made {
    let mut made = Made { notes, ..Made::default() };
    let mut missing = false;
    for (which, result) in results {
        match result {
            // a quarter of the step says nothing without half of it
            _ if which == Which::Quarter && missing => {}
            Ok(other) if which == Which::Method => made.other = Some(other),
            Ok(half) => made.halves.push(half),
            Err(fault) => {
                missing |= which == Which::Half;
                made.faults.push(fault);
            }
        }
    }
    made
}

/// Whether a run at a quarter of the step is needed, once that at half of it is known.
fn needs_quarter(check: &Check, outcome: &Outcome, results: &Results) -> bool {
    let Some(Ok(half)) = results.get(&Which::Half) else { return false };
    let clean = outcome.verdict.faultless() && half.about.verdict.faultless();
    !(clean && check.settled(std::slice::from_ref(half)))
}

/// Makes the runs that verify another.
struct Maker<'a> {
    verifier: &'a Verifier,
    scene: Scene,
    /// step of the verified run \[s\]
    step: f64,
    stride: usize,
}

impl Maker<'_> {
    fn refinement(&self, which: Which) -> Option<Refinement> {
        match which {
            Which::Method => other_method(&self.scene),
            Which::Half => Some(halved(&self.scene, 1)),
            Which::Quarter => Some(halved(&self.scene, 2)),
        }
    }

    /// Name and number of steps of a run.
    fn name(&self, which: Which) -> (&'static str, u64) {
        self.refinement(which).map_or(("", 0), |refined| (refined.name, refined.scene.time.steps))
    }

    /// The runs that are needed whatever comes of the verified one, and notes on missing ones.
    fn first(&self) -> (Vec<Which>, Vec<String>) {
        let means = self.verifier.means;
        let fits = |refined: &Refinement| (self.verifier.build)(&refined.scene).is_ok();
        let other = means.method && self.refinement(Which::Method).is_some_and(|r| fits(&r));
        let (mut first, mut notes) = (Vec::new(), Vec::new());
        match other {
            true => first.push(Which::Method),
            false if means.method => {
                notes.push("no other method fits this scene: half the step alone".into());
            }
            false => {}
        }
        if means.step || !other {
            first.push(Which::Half);
        }
        (first, notes)
    }

    /// Makes a run, which shares the cores with others or has them alone; failure or interruption is a fault.
    fn make(
        &self,
        which: Which,
        shares: bool,
        progress: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> Option<Result<Further, Reason>> {
        let Refinement { name, scene, pieces } = self.refinement(which)?;
        let fault = |marks: String| Some(Err(RefinedRunAtFault { run: name.into(), marks }.into()));
        let Verifier { build, build_sharing, .. } = self.verifier;
        let build = build_sharing.as_ref().filter(|_| shares).unwrap_or(build);
        let mut run = match build(&scene).and_then(|built| Run::of(&scene, built)) {
            Ok(run) => run,
            Err(error) => return fault(format!("it cannot be built: {error}")),
        };
        run.simulation_mut().refine_parts(pieces);
        let mut places = Places { stride: self.stride, ..Places::default() };
        let mut keeper = Keeper { places: &mut places, next: progress };
        let outcome = run.finish_with(&mut keeper, stop).ok()?;
        match &outcome.status {
            Status::Interrupted => return fault("it was stopped".into()),
            Status::Failed(error) => return fault(error.describe(&run.simulation().model)),
            Status::Completed => {}
        }
        let about = RefinedRun {
            name: name.into(),
            integrator: scene.integrator.name,
            step: scene.time.step,
            is_refined: scene.time.step < self.step,
            status: outcome.status.word(),
            evaluations: outcome.work.evaluations,
            state_hash: outcome.state_hash,
            verdict: outcome.verdict,
        };
        Some(Ok(Further { about, course: Course::of(&run, places) }))
    }
}

impl Run {
    /// Runs to the end, and verifies.
    pub(super) fn finish_verified(
        &mut self,
        verifier: &Verifier,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> io::Result<Outcome> {
        let mut places = Places::of(self);
        self.recovered.iter().for_each(|frame| places.recover(frame));
        let (scene, step) = (self.timeline.scene.clone(), self.simulation().time_step());
        let maker = Maker { verifier, scene, step, stride: places.stride };
        if verifier.at_once > 1 {
            return self.verified_side_by_side(&maker, places, observer, stop);
        }
        let outcome = self.run(&mut Keeper { places: &mut places, next: observer }, stop)?;
        if outcome.status != Status::Completed {
            return Ok(outcome);
        }
        let check = Check::of(self, places);
        let (first, notes) = maker.first();
        let mut results = Results::new();
        let mut make = |which, results: &mut Results| {
            let (name, steps) = maker.name(which);
            observer.verifying(name, steps);
            let made = maker.make(which, false, &mut ProgressOnly(observer), stop);
            made.into_iter().for_each(|made| drop(results.insert(which, made)));
        };
        first.into_iter().for_each(|which| make(which, &mut results));
        if needs_quarter(&check, &outcome, &results) {
            make(Which::Quarter, &mut results);
        }
        Ok(check.judged(outcome, gathered(results, notes)))
    }

    /// As [`Self::finish_verified`], on several threads: this one runs the verified run.
    fn verified_side_by_side(
        &mut self,
        maker: &Maker,
        mut places: Places,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> io::Result<Outcome> {
        let (first, notes) = maker.first();
        let runs: [Underway; 3] = Default::default();
        let work = |(which, shares): (Which, bool)| {
            let run = &runs[which as usize];
            let stop = || run.stopped.load(Ordering::Relaxed);
            (which, maker.make(which, shares, &mut { run }, &stop))
        };
        let workers = maker.verifier.at_once.min(ALL.len());
        side_by_side(workers, &work, |desk| {
            first.iter().for_each(|which| desk.put((*which, true)));
            let mut keeper = Keeper { places: &mut places, next: observer };
            let outcome = desk.meanwhile(|| self.run(&mut keeper, stop));
            let complete = |outcome: &Outcome| outcome.status == Status::Completed;
            if !outcome.as_ref().is_ok_and(complete) {
                runs.iter().for_each(Underway::stop);
                return outcome;
            }
            let (outcome, check) = (outcome?, Check::of(self, places));
            let mut others = Others { maker, runs: &runs, begun: first, results: Results::new() };
            others.gather(desk, (&check, &outcome), observer, stop);
            Ok(check.judged(outcome, gathered(others.results, notes)))
        })
    }
}

/// A run on another thread.
#[derive(Default)]
struct Underway {
    steps: AtomicU64,
    stopped: AtomicBool,
}

impl Underway {
    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl Observer for &Underway {
    fn progress(&mut self, step: u64) {
        self.steps.store(step, Ordering::Relaxed);
    }
}

/// The runs beside a verified one, once that has come to its end.
struct Others<'a> {
    maker: &'a Maker<'a>,
    runs: &'a [Underway; 3],
    begun: Vec<Which>,
    results: Results,
}

type VerifyDesk<'a> = Desk<'a, (Which, bool), (Which, Option<Result<Further, Reason>>)>;

impl Others<'_> {
    /// Waits for all runs, that at a quarter of the step included if it is needed.
    fn gather(
        &mut self,
        desk: &mut VerifyDesk,
        of: (&Check, &Outcome),
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) {
        let (check, outcome) = of;
        let half = self.begun.contains(&Which::Half);
        // then half the step will not do
        if half && !outcome.verdict.faultless() {
            self.begin_quarter(desk);
        }
        self.show(observer);
        while let Some(event) = desk.wait() {
            if stop() {
                self.runs.iter().for_each(Underway::stop);
            }
            if let Event::Ended((which, made)) = event {
                made.into_iter().for_each(|made| drop(self.results.insert(which, made)));
                if which == Which::Half && !matches!(self.results.get(&which), Some(Ok(_))) {
                    self.runs[Which::Quarter as usize].stop();
                } else if which == Which::Half && needs_quarter(check, outcome, &self.results) {
                    self.begin_quarter(desk);
                }
                self.show(observer);
            }
            let underway = self.underway().map(|which| &self.runs[which as usize].steps);
            observer.progress(underway.map(|steps| steps.load(Ordering::Relaxed)).sum());
        }
    }

    fn begin_quarter(&mut self, desk: &mut VerifyDesk) {
        if !self.begun.contains(&Which::Quarter) {
            let shares = self.underway().next().is_some();
            self.begun.push(Which::Quarter);
            desk.put((Which::Quarter, shares));
        }
    }

    fn underway(&self) -> impl Iterator<Item = Which> {
        self.begun.iter().copied().filter(|which| !self.results.contains_key(which))
    }

    /// Tells the observer which runs are underway; its progress is that of all of them.
    fn show(&self, observer: &mut dyn Observer) {
        let underway: Vec<_> = self.underway().map(|which| self.maker.name(which)).collect();
        let Some((name, _)) = underway.first() else { return };
        let more = match underway.len() {
            1 => String::new(),
            several => format!(", and {} more", several - 1),
        };
        let steps = underway.iter().map(|(_, steps)| steps).sum();
        observer.verifying(&format!("{name}{more}"), steps);
    }
}

/// Passes on the progress only.
struct ProgressOnly<'a>(&'a mut dyn Observer);

impl Observer for ProgressOnly<'_> {
    fn progress(&mut self, step: u64) {
        self.0.progress(step);
    }
}
