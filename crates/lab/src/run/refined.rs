//! The runs that verify another: made one by one after it, or side by side.

use super::course::{Course, Keeper, Places};
use super::needs::{KINDS, Needs, RATIOS, Results, Which, larger_steps};
use super::outcome::{Outcome, Status};
use super::refinement::{Refinement, enlarged, halved, other_method};
use super::verification::RefinedRun;
use super::verify::{Check, Further, Verifier};
use super::{Observer, Run};
use crate::jobs::{Desk, Event, side_by_side};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use stiction_core::diagnosis::error_bar::RefinedRunAtFault;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::impulses::start::scale_depths;
use stiction_scene::Scene;
use stiction_scene::build::Built;

mod cause_runs;

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
            Which::Larger(ratio) => enlarged(&self.scene, RATIOS[ratio]),
            Which::Half => Some(halved(&self.scene, 1)),
            Which::Quarter => Some(halved(&self.scene, 2)),
        }
    }

    /// Name and number of steps of a run.
    fn name(&self, which: Which) -> (&'static str, u64) {
        self.refinement(which).map_or(("", 0), |refined| (refined.name, refined.scene.time.steps))
    }

    /// The runs with which a run can be compared, and notes on missing ones.
    fn needs(&self, run: &Run) -> (Needs, Vec<String>) {
        let means = self.verifier.means;
        let fits = |refined: &Refinement| (self.verifier.build)(&refined.scene).is_ok();
        let method = means.method && self.refinement(Which::Method).is_some_and(|r| fits(&r));
        let missing = means.method && !method;
        let note = missing.then(|| "no other method fits this scene: other steps alone".into());
        let step = means.step || !method;
        let larger = if step { larger_steps(run) } else { Vec::new() };
        (Needs { method, step, larger }, note.into_iter().collect())
    }

    /// Makes a run, which shares the cores with others or has them alone; failure or interruption is a fault.
    fn make(
        &self,
        which: Which,
        shares: bool,
        progress: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> Option<Result<Further, Reason>> {
        self.run(self.refinement(which)?, shares, progress, stop)
    }

    /// As [`Self::make`], of any scene.
    fn run(
        &self,
        Refinement { name, scene, depths, pieces }: Refinement,
        shares: bool,
        progress: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> Option<Result<Further, Reason>> {
        let fault = |marks: String| Some(Err(RefinedRunAtFault { run: name.into(), marks }.into()));
        let Verifier { build, build_sharing, .. } = self.verifier;
        let build = build_sharing.as_ref().filter(|_| shares).unwrap_or(build);
        let moved = |mut built: Built| {
            if depths != 1.0 {
                scale_depths(&mut built.model, &mut built.state, depths);
            }
            Run::of(&scene, built)
        };
        let mut run = match build(&scene).and_then(moved) {
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
        let (needs, notes) = maker.needs(self);
        let mut results = Results::new();
        while let Some(which) = needs.next(&check, &outcome, &results).first().copied() {
            let (name, steps) = maker.name(which);
            observer.verifying(name, steps);
            match maker.make(which, false, &mut ProgressOnly(observer), stop) {
                Some(made) => drop(results.insert(which, made)),
                None => break,
            }
        }
        let made = needs.made(&check, &outcome, results, notes);
        Ok(maker.with_causes(check, outcome, made, (observer, stop)))
    }

    /// As [`Self::finish_verified`], on several threads: this one runs the verified run.
    fn verified_side_by_side(
        &mut self,
        maker: &Maker,
        mut places: Places,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> io::Result<Outcome> {
        let (needs, notes) = maker.needs(self);
        let first = needs.first();
        let runs: [Underway; KINDS] = Default::default();
        let make = |which: Which, shares: bool| {
            let run = &runs[which.number()];
            let stop = || run.stops();
            (which, maker.make(which, shares, &mut { run }, &stop))
        };
        // what comes first is followed by what may be needed, while the verified run is underway: then what is is known
        let ended = AtomicBool::new(false);
        let work = |(which, shares): (Which, bool)| {
            let made = make(which, shares);
            let early = first.contains(&which) && !ended.load(Ordering::Relaxed);
            let next = made.1.as_ref().filter(|_| early);
            let next = next.and_then(|made| needs.ahead(which, made));
            let next = next.filter(|next| !runs[next.number()].stops());
            std::iter::once(made).chain(next.map(|which| make(which, shares))).collect()
        };
        let workers = maker.verifier.at_once.min(KINDS);
        side_by_side(workers, &work, |desk| {
            first.iter().for_each(|which| desk.put((*which, true)));
            let mut keeper = Keeper { places: &mut places, next: observer };
            let outcome = desk.meanwhile(|| self.run(&mut keeper, stop));
            ended.store(true, Ordering::Relaxed);
            let complete = |outcome: &Outcome| outcome.status == Status::Completed;
            if !outcome.as_ref().is_ok_and(complete) {
                runs.iter().for_each(Underway::stop);
                return outcome;
            }
            let (outcome, check) = (outcome?, Check::of(self, places));
            let begun = first.clone();
            let mut others =
                Others { maker, needs: &needs, runs: &runs, begun, results: Results::new() };
            others.collect(desk, (&check, &outcome), observer, stop);
            let made = needs.made(&check, &outcome, others.results, notes);
            Ok(maker.with_causes(check, outcome, made, (observer, stop)))
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

    /// Whether it shall stop.
    fn stops(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Steps taken.
    fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
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
    needs: &'a Needs,
    runs: &'a [Underway; KINDS],
    begun: Vec<Which>,
    results: Results,
}

type VerifyDesk<'a> = Desk<'a, (Which, bool), Vec<(Which, Option<Result<Further, Reason>>)>>;

impl Others<'_> {
    /// Waits for all runs that are needed, and stops those that are no longer.
    fn collect(
        &mut self,
        desk: &mut VerifyDesk,
        (check, outcome): (&Check, &Outcome),
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) {
        self.begin(desk, &self.needs.next(check, outcome, &self.results));
        self.show(observer);
        while let Some(event) = desk.wait() {
            if stop() {
                self.runs.iter().for_each(Underway::stop);
            }
            if let Event::Ended(made) = event {
                for (which, made) in made {
                    made.into_iter().for_each(|made| drop(self.results.insert(which, made)));
                }
                self.begin(desk, &self.needs.next(check, outcome, &self.results));
                self.show(observer);
            }
            let underway = self.underway().map(|which| &self.runs[which.number()]);
            observer.progress(underway.map(Underway::steps).sum());
        }
    }

    fn begin(&mut self, desk: &mut VerifyDesk, needed: &[Which]) {
        let idle = self.underway().filter(|which| !needed.contains(which));
        idle.for_each(|which| self.runs[which.number()].stop());
        // also what has been begun ahead; larger steps that were given up are not asked again
        if !needed.iter().any(|which| matches!(which, Which::Larger(_))) {
            let larger = (0..RATIOS.len()).map(Which::Larger);
            larger.for_each(|which| self.runs[which.number()].stop());
        }
        for which in needed {
            if !self.begun.contains(which) {
                let shares = self.underway().next().is_some();
                self.begun.push(*which);
                desk.put((*which, shares));
            }
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
