//! `run`: headless, with a summary.

use crate::cli::failures::{output_failure, plot_failure, step_exit, try_out};
use crate::cli::machine::StopSignal;
use crate::cli::profile;
use crate::cli::results::{self, FolderOptions};
use crate::cli::scene::SceneOptions;
use crate::cli::summary::summary;
use crate::cli::terminal::{self, Exit, Failure, progress, say};
use crate::cli::verify::VerifyOptions;
use clap::builder::ArgPredicate;
use cpu_time::ProcessTime;
use serde_json::Value;
use std::cell::OnceCell;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stiction_core::simulation::{Simulation, SimulationError};
use stiction_lab::experiment::recording::Replay;
use stiction_lab::output::folder::directory::{OutputError, RunDirectory};
use stiction_lab::output::folder::run_json;
use stiction_lab::output::plots::figure;
use stiction_lab::output::plots::run_plot;
use stiction_lab::run::profile::Profiled;
use stiction_lab::run::{Kept, Observer, Outcome, Recorded, Run, Status};
use stiction_scene::Scene;
use stiction_scene::build::build;

/// Options of `run`.
#[derive(clap::Args, Clone)]
#[command(mut_arg("scene", |scene| {
    scene
        .required(false)
        .required_unless_present("resume")
        .default_value_if("resume", ArgPredicate::IsPresent, results::NO_SCENE)
}))]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    #[command(flatten)]
    folder: FolderOptions,
    /// Stop when so much time of the clock has passed, as 90s, 10m or 2h, with a checkpoint to go on
    /// from, and exit with 9
    #[arg(long, value_name = "TIME", value_parser = results::duration)]
    max_wall: Option<Duration>,
    /// Observe at every frame the order the method has there, by going over a few steps again with
    /// half and a quarter of them
    #[arg(long)]
    observe_order: bool,
    /// Draw every measure of the scene over time into this file, as SVG, PNG or PDF by its ending
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    verify: VerifyOptions,
    /// Do again what `watch --record` wrote to this file, step by step
    #[arg(long, value_name = "FILE", conflicts_with_all = ["observe_order", "verify"])]
    replay: Option<PathBuf>,
    /// Say where the time went: springs, search for contacts, laws of contact, solvers, watches,
    /// output; how many springs and contacts a second, and what share of this machine's limit
    #[arg(long, conflicts_with = "verify")]
    profile: bool,
    /// Form of the output on stdout
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Exit with 6 when the run is not trusted and with 11 when an expectation is not met
    #[arg(long)]
    strict: bool,
}

/// Form of the output on stdout.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A summary for people
    Table,
    /// One JSON document, the content of run.json
    Json,
}

/// Passes frames to the results folder and shows progress. The first error of writing ends the run,
/// but the summary is still printed.
pub struct Watcher<'a> {
    /// The folder, if results are stored.
    pub directory: Option<&'a mut RunDirectory>,
    /// The progress bar.
    pub bar: indicatif::ProgressBar,
    /// The error that ended the writing.
    pub failed: &'a OnceCell<io::Error>,
}

impl Watcher<'_> {
    fn write(&mut self, what: impl FnOnce(&mut RunDirectory) -> io::Result<()>) -> io::Result<()> {
        if self.failed.get().is_some() {
            return Ok(());
        }
        if let Some(Err(error)) = self.directory.as_deref_mut().map(what) {
            let _ = self.failed.set(error);
        }
        Ok(())
    }
}

impl Observer for Watcher<'_> {
    fn frame(&mut self, simulation: &Simulation, frame: &Recorded) -> io::Result<()> {
        self.write(|directory| directory.frame(simulation, frame))
    }

    fn wants_checkpoint(&mut self, step: u64) -> bool {
        self.directory.as_deref_mut().is_some_and(|directory| directory.wants_checkpoint(step))
    }

    fn checkpoint(&mut self, kept: Kept) -> io::Result<()> {
        self.write(|directory| directory.checkpoint(kept))
    }

    fn progress(&mut self, step: u64) {
        self.bar.set_position(step);
    }

    fn verifying(&mut self, run: &str, steps: u64) {
        self.bar.set_message(run.to_string());
        self.bar.set_length(steps);
        self.bar.set_position(0);
    }
}

impl Options {
    /// The scene with the requested output in its `[output]`.
    fn with_output(mut self) -> Self {
        let wanted = [("contacts", self.folder.contacts), ("vtu", self.folder.vtu)];
        for (key, _) in wanted.iter().filter(|(_, wanted)| *wanted) {
            self.scene.set.push(format!("output.{key}=true"));
        }
        self
    }
}

/// Runs the verb.
pub fn run(options: &Options) -> Result<Exit, Failure> {
    let begun = Instant::now();
    let options = &match &options.folder.resume {
        Some(folder) => begun_with(options, folder)?,
        None => options.clone().with_output(),
    };
    check_paths(options)?;
    let (scene, warnings, mut run, recorded) = open(options)?;
    prepare(options, &scene, &mut run)?;
    let manifest = results::manifest(
        &options.scene,
        &options.verify,
        options.observe_order,
        options.replay.is_some(),
        &scene,
    );
    if let Some(folder) = &options.folder.resume
        && results::is_complete(folder, &manifest)?
    {
        RunDirectory::clear_up(folder, &run).map_err(output_failure)?;
        say(&format!("the run in {} is complete: nothing is left to do", folder.display()));
        return Ok(Exit::Ok);
    }
    let mut directory = results::open(&options.folder, &mut run, manifest)?;
    let signal =
        StopSignal::listen_or(match options.folder.path().filter(|_| options.replay.is_none()) {
            Some(folder) => format!(
                "stopped inside a step; what was written until then is kept; {}",
                results::to_go_on(folder)
            ),
            None => {
                "stopped inside a step: there is nothing to go on with (--out keeps results)".into()
            }
        });
    let stopwatch = options.profile.then(|| run.profile());
    let started = ProcessTime::now();
    let bar = progress(run.steps(), "running");
    let failed = OnceCell::new();
    let mut watcher = Watcher { directory: directory.as_mut(), bar: bar.clone(), failed: &failed };
    let late = || options.max_wall.is_some_and(|most| begun.elapsed() >= most);
    let stop = || signal.heard().is_some() || failed.get().is_some() || late();
    let outcome = run
        .finish_with(&mut watcher, &stop)
        .map_err(|error| Failure::new(Exit::Output, error.to_string()))?;
    bar.finish_and_clear();
    let cpu = started.elapsed().as_secs_f64();
    let profiled = stopwatch.map(|stopwatch| stopwatch.read());
    let mut document = run_json::document(&scene, &run, Some(&outcome), &warnings);
    // the run is complete, its verification is not
    let verifies = options.verify.means().is_some();
    let unverified = verifies && outcome.status == Status::Completed && stop();
    if unverified {
        document["status"] = Status::Interrupted.word().into();
    }
    if let Some(profiled) = &profiled {
        document["profile"] = run_json::profile(profiled);
    }
    let mut written = failed.into_inner().map_or(Ok(()), |error| Err(OutputError::Named(error)));
    if let (Some(directory), Ok(())) = (&mut directory, &written) {
        written = directory.finish(&document, &run, outcome.verification.as_ref());
    }
    document["cpu_seconds"] = cpu.into();
    show(options, &scene, &run, (&outcome, cpu), profiled.as_ref(), &document)?;
    if let Err(error) = written {
        return Err(unwritten(options, error));
    }
    if let Some(recorded) = recorded
        && outcome.status == Status::Completed
    {
        compare_hashes(&recorded, outcome.state_hash)?;
    }
    if unverified {
        options.folder.path().iter().for_each(|folder| say(&results::to_go_on(folder)));
        return Ok(signal.heard().unwrap_or(Exit::Limit));
    }
    Ok(exit(options, &run, &outcome, &signal))
}

/// The options with which the run in a folder was started.
fn begun_with(options: &Options, folder: &Path) -> Result<Options, Failure> {
    let (scene, settings) = results::begun_with(&options.scene, folder)?;
    if scene.scene.as_os_str() == "-" && options.scene.scene.as_os_str() != "-" {
        let message = format!(
            "the run in {} was begun with a scene from standard input: give it again, as in `stiction run - --resume {} < scene.toml`",
            folder.display(),
            folder.display()
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    let verify = VerifyOptions::named(settings.verify.as_deref());
    let observe_order = settings.observe_order;
    Ok(Options { scene, verify, observe_order, ..options.clone() })
}

/// Checks before the run that its plot can be written.
fn check_paths(options: &Options) -> Result<(), Failure> {
    let Some(path) = &options.plot else { return Ok(()) };
    figure::FigureFormat::of(path).map_err(plot_failure)?;
    try_out([path])
}

/// Sets the observations of the run, and its verification.
fn prepare(options: &Options, scene: &Scene, run: &mut Run) -> Result<(), Failure> {
    if options.observe_order && scene.contact.jumps() {
        let message = format!(
            "--observe-order compares steps of a smooth motion, and contact by `{}` jumps velocities",
            scene.contact.method.name
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    if options.observe_order {
        run.observe_order(scene);
    }
    if let Some(means) = options.verify.means() {
        let limits = limited(options).build_options();
        run.verify(means, Box::new(move |scene| build(scene, &limits)));
    }
    if options.plot.is_none() && options.verify.means().is_none() && !options.observe_order {
        run.keep_no_frames();
    }
    Ok(())
}

/// The failure of writing results, and the command to resume.
fn unwritten(options: &Options, error: OutputError) -> Failure {
    let failure = output_failure(error);
    let Some(folder) = options.folder.path().filter(|_| options.replay.is_none()) else {
        return failure;
    };
    let message = format!(
        "{}\nThe run was stopped there; its results up to the last checkpoint are kept. When the cause is mended, {}",
        failure.message,
        results::to_go_on(folder)
    );
    Failure::new(failure.exit, message)
}

/// Prints the results and draws the plot.
fn show(
    options: &Options,
    scene: &Scene,
    run: &Run,
    (outcome, cpu): (&Outcome, f64),
    profiled: Option<&Profiled>,
    document: &Value,
) -> Result<(), Failure> {
    match options.format {
        Format::Json => {
            let text = serde_json::to_string_pretty(document).expect("a JSON value");
            terminal::print(&(text + "\n"))?;
        }
        Format::Table => {
            let profile = profiled.map_or(String::new(), profile::describe);
            terminal::print(&(summary(scene, run, outcome, cpu) + &profile))?;
        }
    }
    // after the summary, which must be printed even if the figure cannot be written
    if let Some(path) = &options.plot {
        let figure = run_plot::figure(scene, run, outcome.verification.as_ref());
        figure::write(&figure, path).map_err(plot_failure)?;
        say(&format!("the plot is in {}", path.display()));
    }
    if let (Some(path), Format::Table) = (options.folder.path(), options.format) {
        say(&format!("results are in {}", path.display()));
        if outcome.status == Status::Interrupted && options.replay.is_none() {
            say(&results::to_go_on(path));
        }
    }
    Ok(())
}

/// The scene's options with the memory limit of one run: a verified run and its comparison run are
/// in memory together.
fn limited(options: &Options) -> SceneOptions {
    let mut limited = options.scene.clone();
    if options.verify.means().is_some() {
        limited.max_memory = Some(limited.build_options().max_memory / 2);
    }
    limited
}

/// The run with its warnings, and the final hash required by a recording.
fn open(options: &Options) -> Result<(Scene, Vec<String>, Run, Option<String>), Failure> {
    let Some(path) = &options.replay else {
        let (scene, warnings) = options.scene.load()?;
        let run = limited(options).open(&scene)?;
        return Ok((scene, warnings, run, None));
    };
    let (base, scene, recording) = crate::cli::panes::recording(&options.scene, path)?;
    let mut run = options.scene.open(&scene)?;
    let (end, events) = (recording.end.clone(), recording.events.len());
    let replay = Replay::new(base, &scene, recording)
        .map_err(|error| Failure::new(Exit::Usage, format!("{}: {error}", path.display())))?;
    say(&format!(
        "what was recorded is done again: {} events in {} steps; the scene's own method and step are those it began with",
        events, end.end
    ));
    run.intervene(Box::new(replay), end.end);
    Ok((scene, Vec::new(), run, Some(end.state_hash)))
}

/// Reports whether a replay gave the same bits as recorded.
fn compare_hashes(recorded: &str, now: u64) -> Result<(), Failure> {
    let now = stiction_core::state::hash_text(now);
    if now == recorded {
        say(&format!("the same last state as recorded, bit by bit: {now}"));
        return Ok(());
    }
    let message = format!("the last state is not the recorded one: {now}, recorded {recorded}");
    Err(Failure::new(Exit::Regression, message))
}

fn exit(options: &Options, run: &Run, outcome: &Outcome, signal: &StopSignal) -> Exit {
    let strict = options.strict;
    match &outcome.status {
        Status::Failed(error) => {
            let what = error.describe(&run.simulation().model);
            let advice = advice(error, run);
            terminal::complain(&format!("{what}; {advice}"));
            step_exit(error)
        }
        Status::Interrupted => signal.heard().unwrap_or(Exit::Limit),
        Status::Completed if strict && !outcome.verdict.faultless() => Exit::Simulation,
        Status::Completed if strict && outcome.checked.iter().any(|c| !c.met() || c.in_doubt()) => {
            Exit::Regression
        }
        Status::Completed => Exit::Ok,
    }
}

/// Advice on a failed step.
fn advice(error: &SimulationError, run: &Run) -> &'static str {
    let simulation = run.simulation();
    let free = simulation.model.laws.is_some() && simulation.model.constraints().next().is_none();
    match error.remedy() {
        Some(remedy) => remedy,
        None if simulation.integrator().capabilities().implicit => {
            "try imex, which keeps the normal contact of the step's start and does not iterate on it, a smaller step, or an explicit method"
        }
        None if free => "try a smaller step or an implicit integrator",
        None => "try a smaller step",
    }
}
