//! `sweep`: one scene with some of its keys varied, on all cores, restartable.

use crate::cli::accuracy::AccuracyOptions;
use crate::cli::failures::{failure, folder_failure};
use crate::cli::machine::StopSignal;
use crate::cli::scene::{SceneOptions, standard_input};
use crate::cli::terminal::{self, Exit, Failure, say};
use crate::cli::verify::VerifyOptions;
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use stiction_core::diagnosis::trust::Level;
use stiction_core::registry::words::LISTED;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::sweep::folder::{Folder, FolderError, FolderPlan, MOST_JOBS};
use stiction_lab::experiment::sweep::grid::{
    GridError, SweepAxis, SweepGrid, SweepJobs, SweepSettings,
};
use stiction_lab::experiment::sweep::job::{Attempt, attempt, load, texts};
use stiction_lab::experiment::sweep::plan::PlanError;
use stiction_lab::experiment::sweep::random::{SampleKind, SamplePlan};
use stiction_lab::experiment::sweep::run::run;
use stiction_lab::experiment::sweep::shard::Shard;
use stiction_lab::run::{Means, machine};
use stiction_scene::build::BuildOptions;
use stiction_scene::files::MAX_BYTES;
use stiction_scene::regular;

mod results;

/// Options of `sweep`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Options {
    #[command(subcommand)]
    results: Option<results::Verb>,
    // a group of its own: clap detects an optional group by its direct arguments
    #[command(flatten)]
    scene: Option<SceneOptions>,
    #[command(flatten)]
    sweep: Option<SweepRun>,
    #[command(flatten)]
    verify: VerifyOptions,
    #[command(flatten)]
    accuracy: AccuracyOptions,
}

/// Options of a sweep that is run.
#[derive(clap::Args)]
struct SweepRun {
    /// Vary a scene key: a list a,b,c; a range lo..hi:N or lo..hi:log:N; or lo..hi and lo..hi:log,
    /// from which --sample draws (repeatable, all are crossed)
    #[arg(long, value_name = "KEY=VALUES", required = true)]
    vary: Vec<String>,
    /// Keep the results in this folder, one file per job; the same sweep again does what is missing
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// How to draw from the ranges without a number of values
    #[arg(long, value_enum, requires = "samples")]
    sample: Option<Drawing>,
    /// How many points to draw
    #[arg(long, value_name = "N", requires = "sample", value_parser = clap::value_parser!(u32).range(1..))]
    samples: Option<u32>,
    /// Where the drawing starts; another seed draws other points
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Jobs at a time, as far as they fit into memory together (default: as many as there are cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: Option<u16>,
    /// Do only a share of the jobs: i/n, with i from 0; or auto, in a Slurm array or a Kubernetes
    /// indexed Job
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Do only these jobs, by number, separated by commas
    #[arg(long, value_name = "JOBS", value_delimiter = ',')]
    only: Vec<usize>,
    /// Run those that failed again
    #[arg(long)]
    retry: bool,
    /// Print the jobs without running them
    #[arg(long)]
    list: bool,
    /// Most jobs that a sweep may have
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_jobs: u64,
}

/// How to draw.
#[derive(clap::ValueEnum, Clone, Copy)]
enum Drawing {
    /// Each point by itself
    Random,
    /// Latin hypercube: every key has one point in each of N equal slices of its range
    Latin,
}

/// Runs the verb.
pub fn sweep(options: &Options) -> Result<Exit, Failure> {
    match (&options.results, &options.scene, &options.sweep) {
        (Some(verb), ..) => results::show(verb),
        (None, Some(scene), Some(run)) => {
            go(scene, run, (options.verify.of_bar()?, &options.accuracy))
        }
        _ => Err(Failure::new(Exit::Usage, "name a scene, and what to --vary")),
    }
}

fn go(
    scene: &SceneOptions,
    options: &SweepRun,
    compared: (Option<Means>, &AccuracyOptions),
) -> Result<Exit, Failure> {
    let grid = grid(options)?;
    let all = grid.jobs();
    if options.out.is_some() && all.count() > MOST_JOBS {
        return Err(folder_failure(FolderError::TooMany(all.count())));
    }
    let selected = selected(options, all.count())?;
    let (base, plan) = plan(scene, grid, &all.settings(0), compared)?;
    if options.list {
        return list(&all, &selected);
    }
    let Some(out) = &options.out else {
        return Err(Failure::new(Exit::Usage, "say with --out DIR where the results go"));
    };
    let folder = Folder::create(out, plan).map_err(folder_failure)?;
    folder.clean(&selected.iter().copied().collect()).map_err(folder_failure)?;
    let damaged = folder.damaged().map_err(folder_failure)?;
    if let Some(damage) = damage(&damaged) {
        say(&format!("warning: {damage}"));
    }
    let missing = folder.missing(&selected, &damaged, options.retry);
    let known = selected.len() - missing.len();
    if known > 0 {
        say(&format!("{known} of {} jobs are done already", selected.len()));
    }
    let workers = workers(options.jobs, &base, missing.first().map(|job| all.settings(*job)));
    let signal = StopSignal::listen();
    let stop = || signal.heard().is_some();
    let mut talk = Talk::new(missing.len());
    let unstored = Unstored::default();
    let attempt = |settings: &SweepSettings| unstored.seen(attempt(&base, settings, &stop));
    let unchanged = folder.plan.watch_inputs(&base);
    let ran = run(&folder, &missing, workers, &attempt, &unchanged, &stop, &mut |done, failed| {
        talk.report(done, failed);
    });
    talk.bar.finish_and_clear();
    ran.map_err(folder_failure)?;
    if let Some(exit) = signal.heard() {
        say(&format!(
            "stopped; the same command goes on with what is missing in {}",
            out.display()
        ));
        return Ok(exit);
    }
    let exit = summary(&folder, &selected, out);
    Ok(if unstored.say() { Exit::FailedJobs } else { exit })
}

/// Jobs whose failure depends on the machine, counted by their messages: they are missing in the folder.
#[derive(Default)]
struct Unstored(Mutex<BTreeMap<String, usize>>);

impl Unstored {
    fn seen(&self, attempt: Option<Attempt>) -> Option<Attempt> {
        let message = attempt.as_ref().filter(|attempt| !attempt.kept);
        if let (Some(message), Ok(mut known)) =
            (message.and_then(|a| a.failure.clone()), self.0.lock())
        {
            *known.entry(message).or_default() += 1;
        }
        attempt
    }

    /// Says them; whether there are any.
    fn say(&self) -> bool {
        let Ok(known) = self.0.lock() else { return false };
        for (message, count) in known.iter() {
            let jobs = terminal::counted(*count as u64, "job has", "jobs have");
            say(&format!("{jobs} no result on this machine: {message}"));
        }
        !known.is_empty()
    }
}

/// Number of jobs at a time, by the memory of the first: jobs that need more are refused where they do not fit alone.
fn workers(jobs: Option<u16>, base: &Base, first: Option<SweepSettings>) -> usize {
    let most = jobs.map_or_else(machine::cores, usize::from);
    let scene = first.and_then(|settings| load(base, &settings).ok());
    let each = scene.and_then(|loaded| base.memory(&loaded.scene).ok());
    machine::that_fit(most, each.unwrap_or(0), base.options.max_memory)
}

/// The damaged jobs of a folder and their remedy, in words.
pub(super) fn damage(damaged: &[usize]) -> Option<String> {
    let first: Vec<String> = damaged.iter().take(LISTED).map(usize::to_string).collect();
    let more = if damaged.len() > LISTED { ", …" } else { "" };
    (!damaged.is_empty()).then(|| {
        format!(
            "the results of jobs {}{more} are not what was written; the command of the sweep runs them again",
            first.join(", ")
        )
    })
}

/// The grid; reports its faults.
fn grid(options: &SweepRun) -> Result<SweepGrid, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    let axes: Result<Vec<SweepAxis>, String> =
        options.vary.iter().map(|text| SweepAxis::parse(text)).collect();
    let axes = axes.map_err(usage)?;
    let sample = options.sample.zip(options.samples).map(|(drawing, count)| SamplePlan {
        kind: match drawing {
            Drawing::Random => SampleKind::Random,
            Drawing::Latin => SampleKind::Latin,
        },
        count,
        seed: options.seed,
    });
    SweepGrid::new(axes, sample, options.max_jobs).map_err(|error| {
        let exit = match error {
            GridError::Usage(_) => Exit::Usage,
            GridError::TooMany { .. } => Exit::Limit,
        };
        Failure::new(exit, error.to_string())
    })
}

/// Indices of the jobs to run here, in order.
fn selected(options: &SweepRun, count: usize) -> Result<Vec<usize>, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    let environment = |name: &str| std::env::var(name).ok();
    let shard = options.shard.as_ref().map(|text| Shard::parse(text, &environment));
    let shard = shard.transpose().map_err(usage)?;
    if let Some(job) = options.only.iter().find(|job| **job >= count) {
        return Err(usage(format!("there is no job {job}: {count} jobs are numbered from 0")));
    }
    let only: BTreeSet<usize> = options.only.iter().copied().collect();
    let chosen = |job: &usize| {
        (only.is_empty() || only.contains(job)) && shard.is_none_or(|shard| shard.has(*job))
    };
    Ok((0..count).filter(chosen).collect())
}

/// Plan of the sweep. The first job is loaded, so that an unknown key is found before anything
/// runs.
fn plan(
    scene: &SceneOptions,
    grid: SweepGrid,
    first: &SweepSettings,
    (verify, accuracy): (Option<Means>, &AccuracyOptions),
) -> Result<(Base, FolderPlan), Failure> {
    let settings = texts(first);
    // as in `run`, with the same message
    scene.load_with(&settings)?;
    let piped = scene.scene.as_os_str() == "-";
    let bytes = if piped {
        standard_input()?.to_vec()
    } else {
        regular::read(&scene.scene, MAX_BYTES).map_err(|error| {
            Failure::new(Exit::Usage, format!("cannot read `{}`: {error}", scene.scene.display()))
        })?
    };
    let parent = scene.scene.parent().filter(|parent| !parent.as_os_str().is_empty());
    let name = scene.scene.file_name().filter(|_| !piped);
    let name = name.map_or("<stdin>".into(), |name| name.to_string_lossy().into_owned());
    // read only once; the name is that of the file alone, since its folder differs between machines
    let mut base = Base::bytes(&name, &bytes, parent.unwrap_or(Path::new(".")));
    base.set = scene.sets();
    base.allow_path = scene.allow_path;
    base.verify = verify;
    base.options = BuildOptions { threads: 1, ..scene.build_options() };
    base.accuracy = accuracy.asked(&base, &settings)?;
    if base.accuracy.is_some() && first.iter().any(|(key, _)| key == "time.step") {
        let message = "--accuracy finds the step of every job: vary another key than time.step";
        return Err(Failure::new(Exit::Usage, message));
    }
    let plan = FolderPlan::of(&base, grid).map_err(|error| match error {
        PlanError::Scene(errors) => failure(errors),
        PlanError::Overruled(message) => Failure::new(Exit::Usage, message),
    })?;
    Ok((base, plan))
}

fn list(all: &SweepJobs, selected: &[usize]) -> Result<Exit, Failure> {
    let line = |job: &usize| {
        let settings = all.settings(*job).into_iter();
        let settings = settings.map(|(key, value)| format!("\t{key}={value}"));
        format!("{job}{}\n", settings.collect::<String>())
    };
    terminal::print(&selected.iter().map(line).collect::<String>())?;
    Ok(Exit::Ok)
}

/// Interval between lines without a terminal.
const QUIET: Duration = Duration::from_secs(30);

/// Progress: a bar on a terminal, else a line from time to time.
struct Talk {
    bar: indicatif::ProgressBar,
    jobs: usize,
    started: Instant,
    said: Instant,
    shown: bool,
}

impl Talk {
    fn new(jobs: usize) -> Self {
        let bar = terminal::progress(jobs as u64, "sweeping");
        let style = "{msg} {wide_bar} {pos} of {len} jobs, {elapsed}, about {eta} left";
        if let Ok(style) = indicatif::ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        let now = Instant::now();
        let shown = std::io::stderr().is_terminal();
        Talk { bar, jobs, started: now, said: now, shown }
    }

    fn report(&mut self, done: usize, failed: usize) {
        self.bar.set_position(done as u64);
        if failed > 0 {
            self.bar.set_message(format!("sweeping ({failed} failed)"));
        }
        if self.shown || self.said.elapsed() < QUIET || done == 0 || done == self.jobs {
            return;
        }
        self.said = Instant::now();
        let left = self.started.elapsed().as_secs_f64() * (self.jobs - done) as f64 / done as f64;
        say(&format!("{done} of {} jobs done, {failed} failed, about {left:.0} s left", self.jobs));
    }
}

/// Outcome of the selected jobs, all finished.
fn summary(folder: &Folder, selected: &[usize], out: &Path) -> Exit {
    let outcomes: Vec<_> = selected.iter().filter_map(|job| folder.outcome(*job)).collect();
    let (mut failed, mut doubtful, done) = (Vec::new(), 0, outcomes.len());
    for outcome in outcomes {
        if outcome.failed() {
            failed.push(outcome);
            continue;
        }
        let level = outcome.results.get("trust").map(|trust| &trust["level"]);
        doubtful += usize::from(level.is_some_and(|level| level == Level::NotTrusted.word()));
    }
    let untrusted = match doubtful {
        0 => String::new(),
        _ => format!(", {doubtful} not trusted"),
    };
    say(&format!(
        "{} jobs done, {} of them failed{untrusted}; results are in {}",
        done,
        failed.len(),
        out.display()
    ));
    for outcome in failed.iter().take(LISTED) {
        let settings = outcome.settings.iter().map(|(key, value)| format!(" {key}={value}"));
        let message = outcome.message.as_deref().unwrap_or_default();
        let line = message.lines().next().unwrap_or_default();
        say(&format!("  job {}:{}: {line}", outcome.job, settings.collect::<String>()));
    }
    if failed.len() > LISTED {
        say(&format!("  and {} more", failed.len() - LISTED));
    }
    if failed.is_empty() { Exit::Ok } else { Exit::FailedJobs }
}
