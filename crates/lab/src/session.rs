//! One session: a scene opened as a run, run to its end, kept in a folder if one is given, and
//! summed up in the document `run.json`. Command line, Python and browser page show a session each
//! in its own way.

use crate::experiment::accuracy::search::AccuracySearch;
use crate::experiment::sweep::job::fingerprint;
use crate::output::folder::directory::{OutputError, Resumed, RunDirectory};
use crate::output::folder::files::Disk;
use crate::output::folder::manifest::{Manifest, Settings};
use crate::output::folder::run_json;
use crate::run::profile::{Profiled, Stopwatch};
use crate::run::{Observer, Outcome, Recorded, Run, RunCheckpoint, Status, Unobserved};
use serde_json::Value;
use std::cell::{Cell, OnceCell, RefCell};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use stiction_core::simulation::Simulation;
use stiction_scene::Scene;
use stiction_scene::build::{BuildError, BuildOptions, Built};

/// Builds a scene: `stiction_scene::build::build`, or that with forces of the caller's own.
pub type Build = dyn Fn(&Scene, &BuildOptions) -> Result<Built, BuildError> + Send + Sync;

/// One run with its settings, its folder and the warnings about its scene.
pub struct Session {
    /// The run.
    pub run: Run,
    settings: Settings,
    warnings: Vec<String>,
    directory: Option<RunDirectory>,
    stopwatch: Option<Arc<Stopwatch>>,
    /// of a search, which keeps another run and the frames of those with which it compares
    searching: bool,
}

/// The end of a session.
pub struct Ended {
    /// The outcome of the run.
    pub outcome: Outcome,
    /// The content of `run.json`.
    pub document: Value,
    /// Whether the run is complete, but its verification was stopped.
    pub unverified: bool,
    /// Where its time went ([`Session::profile`]).
    pub profiled: Option<Profiled>,
    /// The first error of writing, which ended the run.
    pub written: Result<(), OutputError>,
}

impl Session {
    /// Builds a scene; the run stands at t = 0. A verified run has half of the memory that `limits`
    /// allow, since the run it is compared with stands beside it.
    ///
    /// # Errors
    /// Those of the scene.
    pub fn open(
        scene: &Scene,
        settings: Settings,
        limits: &BuildOptions,
        build: Arc<Build>,
    ) -> Result<Self, BuildError> {
        Session::open_beside(scene, settings, limits, build, 1)
    }

    /// As [`Session::open`]. Of a verified run and those that verify it up to `at_once` go side by side, as far as they
    /// fit into memory together; each has its share of the threads, and the last one all of them.
    ///
    /// # Errors
    /// Those of the scene.
    pub fn open_beside(
        scene: &Scene,
        settings: Settings,
        limits: &BuildOptions,
        build: Arc<Build>,
        at_once: usize,
    ) -> Result<Self, BuildError> {
        let most = settings.verify.map_or(1, |means| at_once.clamp(1, means.at_once()));
        // the run stands beside as many others, also at its end
        let shared = |at_once: usize| BuildOptions {
            max_memory: limits.max_memory / (1 + at_once as u64),
            threads: (limits.threads / at_once).max(1),
            ..limits.clone()
        };
        let Some(means) = settings.verify else {
            return Session::of(scene, settings, build(scene, limits)?);
        };
        let several = (2..=most).rev();
        let fitting =
            several.filter_map(|at_once| Some((at_once, build(scene, &shared(at_once)).ok()?)));
        let (at_once, built) = match fitting.into_iter().next() {
            Some(fitting) => fitting,
            None => (1, build(scene, &shared(1))?),
        };
        let (alone, sharing) =
            (BuildOptions { threads: limits.threads, ..shared(1) }, shared(at_once));
        let mut session = Session::of(scene, settings, built)?;
        let build_sharing = build.clone();
        session.run.verify(means, Box::new(move |scene| build(scene, &alone)));
        session
            .run
            .verify_side_by_side(at_once, Box::new(move |scene| build_sharing(scene, &sharing)));
        session.run.fit_into(limits.max_memory.into());
        Ok(session)
    }

    fn of(scene: &Scene, settings: Settings, built: Built) -> Result<Self, BuildError> {
        let mut run = Run::of(scene, built)?;
        if settings.observe_order {
            run.observe_order(scene);
        }
        let (warnings, directory, stopwatch) = (Vec::new(), None, None);
        Ok(Session { run, settings, warnings, directory, stopwatch, searching: false })
    }

    /// Puts warnings about the scene into the document.
    pub fn warn(&mut self, warnings: Vec<String>) {
        self.warnings = warnings;
    }

    /// Says that it is a run of a search ([`Session::finish_in`]).
    pub fn search(&mut self) {
        self.searching = true;
    }

    /// Discards every frame once it is written, unless error bars or orders need it.
    pub fn keep_no_frames(&mut self) {
        if self.settings.verify.is_none() && !self.settings.observe_order {
            self.run.keep_no_frames();
        }
    }

    /// Memory of the run with the frames that it keeps until its end \[bytes\]: an estimate. A run with
    /// error bars stands beside those that go side by side, one of a search beside the answer so far.
    pub fn memory(&self) -> u128 {
        match self.settings.verify {
            Some(_) => self.run.memory_beside(self.run.at_once()),
            None => self.run.memory_beside(usize::from(self.searching)),
        }
    }

    /// Measures where the time goes.
    pub fn profile(&mut self) {
        self.stopwatch = Some(self.run.profile());
    }

    /// The manifest of a folder that keeps this run; `scene` is its file, or `-`.
    fn manifest(&self, scene: &Path) -> Manifest {
        let of = self.run.scene();
        // absolute, since a run may be resumed from another folder
        let path = match scene.as_os_str() == "-" {
            true => "-".into(),
            false => std::path::absolute(scene).unwrap_or_else(|_| scene.to_path_buf()),
        };
        Manifest::begin(&path, fingerprint(of, &[]), of.time.end(), self.settings.clone())
    }

    /// Keeps the results in a folder; an earlier run there is refused unless `replace`.
    ///
    /// # Errors
    /// The folder cannot be used.
    pub fn keep(&mut self, folder: &Path, scene: &Path, replace: bool) -> Result<(), OutputError> {
        let manifest = self.manifest(scene);
        self.directory = Some(RunDirectory::create(folder, &self.run, manifest, replace)?);
        Ok(())
    }

    /// Whether the run in a folder has come to the end of this one, and all its files are sound; leftovers of
    /// an earlier stop are then removed.
    ///
    /// # Errors
    /// The folder cannot be used, or a file of the complete run is damaged.
    pub fn is_complete(&self, folder: &Path, scene: &Path) -> Result<bool, OutputError> {
        let begun = RunDirectory::manifest_of(&Disk, folder)?;
        // also a run that another program has completed
        let manifest = Manifest { stiction: begun.stiction.clone(), ..self.manifest(scene) };
        let complete = begun.status == Status::Completed.word()
            && begun.end == manifest.end
            && begun.identity() == manifest.identity();
        if complete {
            RunDirectory::check(folder)?;
            RunDirectory::clear_up(folder, &self.run)?;
        }
        Ok(complete)
    }

    /// Resumes the run in a folder from its newest sound checkpoint. Returns the step at which it
    /// stands (none without a checkpoint) and notices of unsound checkpoints.
    ///
    /// # Errors
    /// The folder cannot be used, or is of another run.
    pub fn resume(
        &mut self,
        folder: &Path,
        scene: &Path,
        force: bool,
    ) -> Result<(Option<u64>, Vec<String>), OutputError> {
        let manifest = self.manifest(scene);
        let Resumed { directory, step, notices } =
            RunDirectory::resume(folder, &mut self.run, manifest, force)?;
        self.directory = Some(directory);
        Ok((step, notices))
    }

    /// Whether its results go into a folder.
    pub fn has_folder(&self) -> bool {
        self.directory.is_some()
    }

    /// Sets the time between checkpoints. With zero there are only the one before the last quarter
    /// and the one at a stop.
    pub fn checkpoint_every(&mut self, interval: Duration) {
        if let Some(directory) = &mut self.directory {
            directory.checkpoint_every((interval > Duration::ZERO).then_some(interval));
        }
    }

    /// Runs to the end, or until a step fails, writing fails or `stop` returns true; then completes
    /// the folder.
    ///
    /// # Errors
    /// Those of `shown` and of an intervention ([`Run::intervene`]).
    pub fn finish(
        &mut self,
        shown: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> io::Result<Ended> {
        let run = |run: &mut Run, recorder: &mut dyn Observer, stop: &dyn Fn() -> bool| {
            run.finish_with(recorder, stop)
        };
        self.end(run, |_, _, _| {}, shown, stop)
    }

    /// As [`Session::finish`], for a run of a search, which takes its outcome and its `cost` \[s\]. The folder is then
    /// free for the next run.
    ///
    /// # Errors
    /// Those of `shown`.
    pub fn finish_in(
        &mut self,
        finding: &mut AccuracySearch,
        cost: &dyn Fn() -> f64,
        shown: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> io::Result<Ended> {
        let finding = RefCell::new(finding);
        let found = Cell::new(None);
        let run = |run: &mut Run, recorder: &mut dyn Observer, stop: &dyn Fn() -> bool| {
            let mut finding = finding.borrow_mut();
            let (outcome, farthest) = run.finish_after(finding.comparison(), recorder, stop)?;
            found.set(farthest);
            Ok(outcome)
        };
        let add = |run: &Run, outcome: &Outcome, document: &mut Value| {
            let mut finding = finding.borrow_mut();
            finding.add(run, outcome, found.take(), cost());
            document["accuracy"] = finding.document();
        };
        let ended = self.end(run, add, shown, stop);
        self.directory = None;
        ended
    }

    /// Runs again what has `ended` before, and completes the folder with the same document; one that is stopped is left
    /// as interrupted.
    ///
    /// # Errors
    /// The file that could not be written.
    pub fn write_again(
        &mut self,
        ended: &Ended,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), OutputError> {
        let run = |run: &mut Run, recorder: &mut dyn Observer, stop: &dyn Fn() -> bool| {
            let again = run.finish_with(recorder, stop)?;
            let same = again.status.word() == ended.outcome.status.word();
            Ok(if same { ended.outcome.clone() } else { again })
        };
        let same = |_: &Run, outcome: &Outcome, document: &mut Value| {
            if outcome.status.word() == ended.outcome.status.word() {
                document.clone_from(&ended.document);
            }
        };
        self.end(run, same, &mut Unobserved, stop).map_err(OutputError::Named)?.written
    }

    /// Makes the run by `run`, adds to its document by `add`, and completes the folder.
    fn end(
        &mut self,
        run: impl FnOnce(&mut Run, &mut dyn Observer, &dyn Fn() -> bool) -> io::Result<Outcome>,
        add: impl FnOnce(&Run, &Outcome, &mut Value),
        shown: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> io::Result<Ended> {
        let failed = OnceCell::new();
        let mut recorder =
            Recorder { directory: self.directory.as_mut(), failed: &failed, next: shown };
        let stop = || failed.get().is_some() || stop();
        let mut outcome = run(&mut self.run, &mut recorder, &stop)?;
        outcome.verdict.is_draft = self.settings.draft;
        let unverified =
            self.settings.verify.is_some() && outcome.status == Status::Completed && stop();
        let profiled = self.stopwatch.take().map(|stopwatch| stopwatch.read());
        let mut document =
            run_json::document(self.run.scene(), &self.run, Some(&outcome), &self.warnings);
        if unverified {
            document["status"] = Status::Interrupted.word().into();
        }
        if let Some(profiled) = &profiled {
            document["profile"] = run_json::profile(profiled);
        }
        add(&self.run, &outcome, &mut document);
        let written = match (failed.into_inner(), &mut self.directory) {
            (Some(error), _) => Err(OutputError::Named(error)),
            (None, Some(directory)) => {
                directory.finish(&document, &self.run, outcome.verification.as_ref())
            }
            (None, None) => Ok(()),
        };
        Ok(Ended { outcome, document, unverified, profiled, written })
    }
}

/// Makes the runs of a search until it ends, and returns its answer. `open` opens the session of the run of that number
/// with further settings, and `run` ends it ([`Session::finish_in`]).
///
/// # Errors
/// Those of `open` and `run`.
pub fn answer<E>(
    finding: &mut AccuracySearch,
    mut open: impl FnMut(&[String], usize) -> Result<Session, E>,
    mut run: impl FnMut(&mut AccuracySearch, &mut Session) -> Result<Ended, E>,
) -> Result<(Session, Ended), E> {
    let mut answer: Option<(Session, Ended)> = None;
    while let Some(settings) = finding.next() {
        let mut session = open(&settings, finding.runs())?;
        let ended = run(finding, &mut session)?;
        if finding.is_last() {
            answer = Some((session, ended));
        }
    }
    let (session, mut ended) = answer.expect("a search makes a run");
    ended.document["accuracy"] = finding.document();
    Ok((session, ended))
}

/// Writes frames and checkpoints into the folder, and passes frames and progress on. After the
/// first error of writing nothing more is written.
struct Recorder<'a> {
    directory: Option<&'a mut RunDirectory>,
    failed: &'a OnceCell<io::Error>,
    next: &'a mut dyn Observer,
}

impl Recorder<'_> {
    fn write(&mut self, write: impl FnOnce(&mut RunDirectory) -> io::Result<()>) {
        if self.failed.get().is_none()
            && let Some(Err(error)) = self.directory.as_deref_mut().map(write)
        {
            let _ = self.failed.set(error);
        }
    }
}

impl Observer for Recorder<'_> {
    fn frame(&mut self, simulation: &Simulation, frame: &Recorded) -> io::Result<()> {
        self.write(|directory| directory.frame(simulation, frame));
        self.next.frame(simulation, frame)
    }

    fn wants_checkpoint(&mut self, step: u64) -> bool {
        self.directory.as_deref_mut().is_some_and(|directory| directory.wants_checkpoint(step))
    }

    fn checkpoint(&mut self, checkpoint: RunCheckpoint) -> io::Result<()> {
        self.write(|directory| directory.checkpoint(checkpoint));
        Ok(())
    }

    fn progress(&mut self, step: u64) {
        self.next.progress(step);
    }

    fn verifying(&mut self, run: &str, steps: u64) {
        self.next.verifying(run, steps);
    }
}
