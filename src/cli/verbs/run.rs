//! `run`: headless, with a summary.

use crate::cli::accuracy::{self, AccuracyOptions, Found};
use crate::cli::failures::{output_failure, plot_failure, step_exit, try_out};
use crate::cli::figure::FigureOptions;
use crate::cli::machine::{self, StopSignal};
use crate::cli::profile;
use crate::cli::request::Request;
use crate::cli::results::{self, FolderOptions, how_to_resume};
use crate::cli::scene::{NO_SCENE, SceneOptions};
use crate::cli::space;
use crate::cli::summary::summary;
use crate::cli::terminal::{self, Exit, Failure, StepBar, progress, prose, say};
use crate::cli::verify::VerifyOptions;
use clap::builder::ArgPredicate;
use cpu_time::ProcessTime;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stiction_core::diagnosis::friction_limit::chatters;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::integrators::imex;
use stiction_core::simulation::SimulationError;
use stiction_lab::output::folder::directory::OutputError;
use stiction_lab::output::folder::ended::EndedRun;
use stiction_lab::output::plots::figure::FigureFormat;
use stiction_lab::output::plots::figure::picture::Picture;
use stiction_lab::output::plots::run_plot;
use stiction_lab::output::space::Space;
use stiction_lab::run::{Run, Status, Verification};
use stiction_lab::session::{Ended, Session};
use stiction_scene::Scene;

/// Options of `run`.
#[derive(clap::Args, Clone)]
#[command(mut_arg("scene", |scene| {
    scene
        .required(false)
        .required_unless_present("resume")
        .default_value_if("resume", ArgPredicate::IsPresent, NO_SCENE)
}))]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    #[command(flatten)]
    folder: FolderOptions,
    /// Stop after this time of the clock, as 200ms, 90s, 10m or 2h, with a checkpoint to resume from, and
    /// exit with 9
    #[arg(long, value_name = "TIME", value_parser = results::duration, conflicts_with_all = ["accuracy", "max_time"])]
    max_wall: Option<Duration>,
    /// Observe at every frame the order the method has there, by going over a few steps again with
    /// half and a quarter of them
    #[arg(long, conflicts_with_all = ["accuracy", "max_time"])]
    observe_order: bool,
    /// Draw every measure of the scene over time into this file, as SVG or PNG by its ending, or PDF in
    /// a build with the feature `pdf`
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    verify: VerifyOptions,
    #[command(flatten)]
    accuracy: AccuracyOptions,
    /// Make one run, by the cheapest method that the forecasts allow where the scene names none and at a step that
    /// is to give about 1 %, and compare it with nothing: the verdict says draft
    #[arg(long, conflicts_with_all = ["verify", "accuracy", "max_time", "observe_order", "resume", "replay"])]
    draft: bool,
    /// Do again what `watch --record` wrote to this file, step by step
    #[arg(long, value_name = "FILE", conflicts_with_all = ["observe_order", "verify", "accuracy", "max_time"])]
    replay: Option<PathBuf>,
    /// Say where the time went: springs, search for contacts, laws of contact, solvers, watches,
    /// output; how many springs and contacts a second, and what share of this machine's limit
    #[arg(long, conflicts_with_all = ["verify", "accuracy", "max_time"])]
    profile: bool,
    /// Form of the output on stdout
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Add loads, contacts, drift of every body, work of the method and energy books to the summary
    #[arg(long)]
    details: bool,
    /// Exit with 6 when the run is not trusted and with 11 when an expectation is not met
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    figure: FigureOptions,
}

/// Form of the output on stdout.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A summary for people
    Table,
    /// One JSON document, the content of run.json
    Json,
}

impl Options {
    /// The run that is asked for: a new one, or the one in the folder of `--resume`.
    fn request(&self) -> Result<Request, Failure> {
        match &self.folder.resume {
            Some(folder) => Request::resumed(&self.scene, folder),
            None => {
                let mut request = Request::new(&self.scene);
                request.keep(self.folder.contacts, self.folder.vtu);
                request.settings.verify = self.verify.means();
                request.settings.observe_order = self.observe_order;
                request.settings.replays = self.replay.is_some();
                Ok(request)
            }
        }
    }
}

/// Runs the verb.
pub fn run(options: &Options) -> Result<Exit, Failure> {
    let begun = Instant::now();
    let request = options.request()?;
    let replaced = check_plot(options)?;
    if let Some(recording) = &options.replay {
        let (session, recorded) = request.replay(recording)?;
        return run_once(options, &request, (session, recorded), begun, replaced);
    }
    let (scene, warnings) = request.load()?;
    if options.draft {
        let request = accuracy::draft(&request, &scene)?;
        let session = request.open_again()?;
        return run_once(options, &request, (session, None), begun, replaced);
    }
    match asked(options, &request, &scene)? {
        Some(asked) => find(options, (&request, &scene), &asked, replaced),
        None => {
            let mut session = request.open(&scene)?;
            session.warn(warnings);
            say_own_step(&scene);
            run_once(options, &request, (session, None), begun, replaced)
        }
    }
}

/// Says which step a run takes whose scene has none, where none is sought.
fn say_own_step(scene: &Scene) {
    if !scene.time.given {
        terminal::note(&format!(
            "the scene has no step: this run takes {} of {} s by {}; a step is sought by a run without --verify, --observe-order, --profile and --max-wall",
            terminal::counted(scene.time.steps, "step", "steps"),
            terminal::number(scene.time.step),
            scene.integrator.name
        ));
    }
}

/// The accuracy of the options or of the scene, and the time to find it in; `None` for a run at its own step.
fn asked(
    options: &Options,
    request: &Request,
    scene: &Scene,
) -> Result<Option<(String, Duration)>, Failure> {
    let compared = request.settings.verify.is_some() || options.observe_order;
    let alone = options.folder.resume.is_some() || options.profile || options.max_wall.is_some();
    options.accuracy.wanted(scene, !compared && !alone)
}

/// Makes one run, whose time counts from `begun`; a replay has the hash that was `recorded`.
fn run_once(
    options: &Options,
    request: &Request,
    (mut session, recorded): (Session, Option<String>),
    begun: Instant,
    replaced: bool,
) -> Result<Exit, Failure> {
    check_panels(options, &session.run)?;
    if options.plot.is_none() {
        session.keep_no_frames();
    }
    if results::is_complete(&options.folder, request, &session)? {
        return complete(options, &mut session, replaced);
    }
    check_room(options, &mut session)?;
    results::keep(&options.folder, request, &mut session)?;
    if options.profile {
        session.profile();
    }
    // a replay has no checkpoint
    let resumable = options.folder.path().filter(|_| options.replay.is_none());
    let signal = StopSignal::listen_or(last_word(resumable));
    // a limit beyond the reach of the clock is none
    if let Some(deadline) = options.max_wall.and_then(|most| begun.checked_add(most)) {
        machine::stop_at(deadline);
    }
    let (started, mut bar) =
        (ProcessTime::now(), StepBar(progress(session.run.steps(), "running")));
    let ended = session.finish(&mut bar, &|| signal.heard().is_some() || machine::is_late());
    let mut ended = ended.map_err(|error| Failure::new(Exit::Output, error.to_string()))?;
    bar.0.finish_and_clear();
    let cpu = started.elapsed().as_secs_f64();
    ended.document["cpu_seconds"] = cpu.into();
    show(options, &session.run, &ended, cpu)?;
    // a figure that cannot be written does not take the summary with it
    if let Some(path) = &options.plot {
        let bars = ended.outcome.verification.as_ref().map(Verification::all_bars);
        let standing = standing(&session.run, &ended);
        plot(options, path, (&session.run, &bars.unwrap_or_default(), &standing), replaced)?;
    }
    let interrupted = ended.outcome.status == Status::Interrupted;
    if let (Some(path), Format::Table) = (options.folder.path(), options.format) {
        say(&format!("results are in {}", path.display()));
        resumable.filter(|_| interrupted).iter().for_each(|path| say(&how_to_resume(path)));
    }
    if let Err(error) = ended.written {
        return Err(unwritten(resumable, error));
    }
    if let (Some(recorded), Status::Completed) = (recorded, &ended.outcome.status) {
        compare_hashes(&recorded, ended.outcome.state_hash)?;
    }
    if ended.unverified {
        options.folder.path().iter().for_each(|path| say(&how_to_resume(path)));
        return Ok(signal.heard().unwrap_or(Exit::Limit));
    }
    Ok(exit(options.strict, &session.run, &ended, &signal))
}

/// Finds the run that has the accuracy asked for, and gives its results.
fn find(
    options: &Options,
    (request, scene): (&Request, &Scene),
    (text, limit): &(String, Duration),
    replaced: bool,
) -> Result<Exit, Failure> {
    // no run of a search is resumed: another search finds its answer again
    let signal = StopSignal::listen_or(last_word(None));
    let open = |request: &Request, first: bool| -> Result<Session, Failure> {
        let mut session = request.open_again()?;
        session.search();
        check_panels(options, &session.run)?;
        check_room(options, &mut session)?;
        if let Some(folder) = &options.folder.out {
            let replace = options.folder.force || !first;
            session.keep(folder, request.path(), replace).map_err(output_failure)?;
            session.checkpoint_every(options.folder.checkpoint_every);
        }
        Ok(session)
    };
    let started = ProcessTime::now();
    let found = accuracy::search(
        (text.as_str(), *limit),
        (request, request.open_first(scene)?),
        &signal,
        &open,
    )?;
    let Found { session, mut ended, about, exit: unfound, .. } = found;
    let cpu = started.elapsed().as_secs_f64();
    ended.document["cpu_seconds"] = cpu.into();
    show(options, &session.run, &ended, cpu)?;
    if options.format == Format::Table {
        terminal::print(&prose(0, &about))?;
    }
    if let Some(path) = &options.plot {
        let bars = ended.outcome.verification.as_ref().map(Verification::all_bars);
        let standing = standing(&session.run, &ended);
        plot(options, path, (&session.run, &bars.unwrap_or_default(), &standing), replaced)?;
    }
    let unmet = exit(options.strict, &session.run, &ended, &signal);
    if let Err(error) = ended.written {
        return Err(unwritten(None, error));
    }
    if let (Some(path), Format::Table) = (options.folder.path(), options.format) {
        say(&format!("results are in {}", path.display()));
    }
    Ok(if unfound == Exit::Ok { unmet } else { unfound })
}

/// Gives what is asked for of a run that is complete already, from its folder.
fn complete(options: &Options, session: &mut Session, replaced: bool) -> Result<Exit, Failure> {
    let Some(folder) = &options.folder.resume else { return Ok(Exit::Ok) };
    let ended = EndedRun::read(folder).map_err(output_failure)?;
    if options.format == Format::Json {
        terminal::print(&text_of(&ended.document))?;
    }
    let exit = match options.strict {
        true if !ended.faultless() => Exit::Simulation,
        true if !ended.meets_expectations() => Exit::Regression,
        _ => Exit::Ok,
    };
    if let Some(path) = &options.plot {
        let (frames, bars) = ended.measures(&session.run).map_err(output_failure)?;
        session.run.frames = frames;
        let standing = run_plot::standing(&ended.document, None);
        plot(options, path, (&session.run, &bars, &standing), replaced)?;
    }
    Ok(exit)
}

/// Refuses a run whose frames and results do not fit into memory and on the disk.
fn check_room(options: &Options, session: &mut Session) -> Result<(), Failure> {
    let limit = options.scene.build_options().max_memory;
    let Some(folder) = options.folder.path() else {
        return space::check_memory(session, 0, limit);
    };
    let resumed = options.folder.resume.is_some();
    let space = if resumed { Space::more(&session.run, folder) } else { Space::of(&session.run) };
    session.run.fit_into(u128::from(limit).saturating_sub(space.memory));
    space::check_memory(session, space.memory, limit)?;
    space::check_disk(&space, folder, resumed)
}

/// Finds out before the run whether its plot can be written, and whether it replaces another.
fn check_plot(options: &Options) -> Result<bool, Failure> {
    options.figure.check_use(options.plot.is_some())?;
    let Some(path) = &options.plot else { return Ok(false) };
    FigureFormat::of(path).map_err(plot_failure)?;
    try_out([path])?;
    options.figure.check_file(path, options.folder.force)
}

/// Refuses panels that the figure of the run will not have, and a height that will not do.
fn check_panels(options: &Options, run: &Run) -> Result<(), Failure> {
    let style = options.figure.style();
    let figure = run_plot::figure((run.scene(), run), &BTreeMap::new(), &style.panels, "");
    let names: Vec<_> = figure.panels.iter().map(|panel| panel.names.clone()).collect();
    style.check_panels(&names).map_err(plot_failure)?;
    options.figure.check_room(&figure)
}

/// The last word of a run that a signal ends inside a step.
fn last_word(resumable: Option<&Path>) -> String {
    match resumable {
        Some(folder) => format!(
            "stopped inside a step; what was written until then is kept; {}",
            how_to_resume(folder)
        ),
        None => "stopped inside a step: there is nothing to resume (--out keeps results)".into(),
    }
}

/// The failure of writing results, and how to resume.
fn unwritten(resumable: Option<&Path>, error: OutputError) -> Failure {
    let is_moved = error.is_moved();
    let failure = output_failure(error);
    let Some(folder) = resumable.filter(|_| !is_moved) else { return failure };
    let message = format!(
        "{}\nThe run was stopped there; its results up to the last checkpoint are kept. When the cause is mended, {}",
        failure.message,
        how_to_resume(folder)
    );
    Failure::new(failure.exit, message)
}

/// Prints the results.
fn show(options: &Options, run: &Run, ended: &Ended, cpu: f64) -> Result<(), Failure> {
    let text = match options.format {
        Format::Json => text_of(&ended.document),
        Format::Table => {
            let stages = &run.simulation().work.stages;
            let describe = |profiled| profile::describe(profiled) + &profile::iterations(stages);
            let profile = ended.profiled.as_ref().map_or(String::new(), describe);
            summary(run, &ended.outcome, cpu, options.details) + &profile
        }
    };
    terminal::print(&text)
}

fn text_of(document: &Value) -> String {
    serde_json::to_string_pretty(document).expect("a JSON value") + "\n"
}

/// Words on a run that failed or is not trusted, for its figure.
fn standing(run: &Run, ended: &Ended) -> String {
    let failure = match &ended.outcome.status {
        Status::Failed(error) => Some(error.describe(&run.simulation().model)),
        _ => None,
    };
    run_plot::standing(&ended.document, failure.as_deref())
}

/// Draws the measures with their error bars.
fn plot(
    options: &Options,
    path: &Path,
    (run, bars, standing): (&Run, &BTreeMap<String, Vec<f64>>, &str),
    replaced: bool,
) -> Result<(), Failure> {
    let style = options.figure.style();
    let figure = run_plot::figure((run.scene(), run), bars, &style.panels, standing);
    options.figure.write(&Picture::Lines(figure), path, replaced)
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

fn exit(strict: bool, run: &Run, ended: &Ended, signal: &StopSignal) -> Exit {
    let outcome = &ended.outcome;
    match &outcome.status {
        Status::Failed(error) => {
            let what = error.describe(&run.simulation().model);
            let advice = advice(error, run, &outcome.verdict);
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
fn advice(error: &SimulationError, run: &Run, verdict: &Verdict) -> &'static str {
    let simulation = run.simulation();
    let free = simulation.model.laws.is_some() && simulation.model.constraints().next().is_none();
    let implicit = simulation.integrator().capabilities().implicit;
    match error.remedy() {
        Some(remedy) => remedy,
        None if implicit && chatters(&verdict.reasons) => {
            "no smaller step helps where friction chatters: use threshold, quadratic or cundall-strack, or an explicit method"
        }
        None if run.scene().integrator.name == imex::ENTRY.name => {
            "try a smaller step or an explicit method"
        }
        None if implicit => {
            "try imex, which keeps the normal contact of the step's start and does not iterate on it, a smaller step, or an explicit method"
        }
        None if free => "try a smaller step or an implicit integrator",
        None => "try a smaller step",
    }
}
