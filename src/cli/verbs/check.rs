//! `check`: whether a scene is valid and meets its own expectations.

use crate::cli::accuracy::{self, AccuracyOptions, Found};
use crate::cli::causes;
use crate::cli::failures::step_exit;
use crate::cli::machine::StopSignal;
use crate::cli::request::Request;
use crate::cli::scene::SceneOptions;
use crate::cli::space;
use crate::cli::summary::{EXPECTATION_HEADER, expectations, met};
use crate::cli::terminal::{self, Exit, Failure, StepBar, number, progress, prose, table};
use crate::cli::verify::{self, VerifyOptions};
use std::path::Path;
use std::time::Duration;
use stiction_lab::output::space::Space;
use stiction_lab::run::{Means, Outcome, Run, Status};
use stiction_lab::session::Session;
use stiction_scene::Scene;

/// Options of `check`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// Print the scene with every default filled in, as TOML
    #[arg(long)]
    show: bool,
    /// Run it, verified, and compare with its [expect]; exit 11 when something is not met, in
    /// doubt, or the run not trusted
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    verify: VerifyOptions,
    #[command(flatten)]
    accuracy: AccuracyOptions,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

/// Runs the verb.
pub fn check(options: &Options) -> Result<Exit, Failure> {
    let (scene, warnings) = options.scene.load()?;
    let mut request = Request::new(&options.scene);
    request.settings.verify = options.verify_by(&scene)?.filter(|_| options.run);
    let session = request.open(&scene)?;
    let run = &session.run;
    let doubts = options.scene.forecast(&scene, run).len();
    if options.strict && warnings.len() + doubts > 0 {
        let message = match doubts {
            0 => format!("{} warnings, with --strict", warnings.len()),
            _ => {
                format!("{} warnings and {doubts} notes on the run, with --strict", warnings.len())
            }
        };
        return Err(Failure::new(Exit::Scene, message));
    }
    if options.show {
        terminal::print(&stiction_scene::show(&options.scene.load_with(&[])?))?;
    }
    let space = Space::of(run);
    say_sound(&scene, run, doubts, &space);
    space::check_disk(&space, Path::new("."), false)?;
    if options.run {
        space::check_memory(&session, 0, options.scene.build_options().max_memory)?;
    }
    if !options.run {
        return unrun(options, &scene);
    }
    compared(options, &request, session)
}

impl Options {
    /// The accuracy of the options or, without --verify, of the scene, and the time to find it in.
    fn asked(&self, scene: &Scene) -> Result<Option<(String, Duration)>, Failure> {
        self.accuracy.wanted(scene, self.verify.is_default())
    }

    /// Means of verifying the run; none where an accuracy is asked, whose runs do.
    fn verify_by(&self, scene: &Scene) -> Result<Option<Means>, Failure> {
        let asked = self.asked(scene)?;
        Ok(self.verify.means_or_step().filter(|_| asked.is_none()))
    }
}

fn say_sound(scene: &Scene, run: &Run, doubts: usize, space: &Space) {
    let model = &run.simulation().model;
    let sound = match doubts {
        0 => "scene is sound".into(),
        1 => "scene can run; see the note above".into(),
        n => format!("scene can run; see the {n} notes above"),
    };
    let (time, method) = (&scene.time, &scene.integrator);
    let steps = match (time.given, method.given) {
        (true, _) => format!(
            "{} of {} s with {}",
            terminal::counted(time.steps, "step", "steps"),
            number(time.step),
            method.name
        ),
        (false, true) => format!("a step for {} that a run finds", method.name),
        (false, false) => "a step and a method that a run finds".into(),
    };
    let elements = match model.elements.len() as u64 {
        0 => String::new(),
        n => format!(", {}", terminal::counted(n, "element", "elements")),
    };
    let all = format!(
        "{sound}: {}, {}, {}{elements}, {steps}, {}, {} with --out",
        terminal::counted(model.bodies.len() as u64, "body", "bodies"),
        terminal::counted(model.particles() as u64, "particle", "particles"),
        terminal::counted(model.springs.len() as u64, "spring", "springs"),
        terminal::counted(space.frames, "frame", "frames"),
        space::describe(space)
    );
    terminal::say(&all);
}

/// The end of a check without a run.
fn unrun(options: &Options, scene: &Scene) -> Result<Exit, Failure> {
    let to_do = match scene.expectations.is_empty() {
        true => "stiction run it, with --verify for error bars",
        false => "check --run compares it with its [expect]",
    };
    if !options.show {
        terminal::say(&format!(
            "next: {to_do}; stiction watch shows it, stiction stiffness says which steps it allows"
        ));
    }
    let AccuracyOptions { accuracy, max_time } = &options.accuracy;
    if options.verify.means().is_some() || accuracy.is_some() || max_time.is_some() {
        let message = "--verify, --accuracy and --max-time are about a run: give --run too";
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(Exit::Ok)
}

/// The run, with the accuracy asked or verified, its outcome, a sentence on the search for the accuracy, and the exit
/// code of one without an answer.
fn finished(
    options: &Options,
    request: &Request,
    mut session: Session,
    signal: &StopSignal,
) -> Result<(Session, Outcome, String, Exit), Failure> {
    if let Some((text, limit)) = options.asked(session.run.scene())? {
        let open = |request: &Request, _| {
            let mut session = request.open_again()?;
            session.search();
            space::check_memory(&session, 0, options.scene.build_options().max_memory)?;
            Ok(session)
        };
        let Found { session, ended, about, exit, .. } =
            accuracy::search((&text, limit), (request, session), signal, &open)?;
        return Ok((session, ended.outcome, about, exit));
    }
    let mut bar = StepBar(progress(session.run.steps(), "checking"));
    let ended = session.finish(&mut bar, &|| signal.heard().is_some());
    bar.0.finish_and_clear();
    let outcome = ended.map_err(|error| Failure::new(Exit::Output, error.to_string()))?.outcome;
    Ok((session, outcome, String::new(), Exit::Ok))
}

/// Runs the scene and compares it with its `[expect]`.
fn compared(options: &Options, request: &Request, session: Session) -> Result<Exit, Failure> {
    let signal = StopSignal::listen();
    let (session, outcome, about, unfound) = finished(options, request, session, &signal)?;
    let model = &session.run.simulation().model;
    let mut rows = expectations(&outcome);
    let proven = options.verify.means_or_step().is_some();
    let wanted = if proven { "trusted" } else { "no fault found" };
    let verdict = &outcome.verdict;
    rows.push(vec!["verdict".into(), wanted.into(), verdict.marks(), met(verdict.faultless())]);
    let mut text = table(&EXPECTATION_HEADER, &rows);
    let mut lines = String::new();
    for reason in &verdict.reasons {
        lines += &format!("{}: {}\n", reason.name(), reason.describe(model));
    }
    lines += &outcome.verification.as_ref().map_or(String::new(), verify::describe);
    text += &prose(2, &lines);
    text += &outcome.verification.as_ref().map_or(String::new(), causes::describe);
    text += &prose(0, &about);
    terminal::print(&text)?;
    if let Status::Failed(error) = &outcome.status {
        terminal::complain(&error.describe(model));
        return Ok(step_exit(error));
    }
    if let Some(exit) = signal.heard() {
        return Ok(exit);
    }
    if unfound != Exit::Ok {
        return Ok(unfound);
    }
    let all = outcome.status == Status::Completed
        && verdict.faultless()
        && (!proven || verdict.trusted())
        && outcome.checked.iter().all(|c| c.met() && !c.in_doubt());
    Ok(if all { Exit::Ok } else { Exit::Regression })
}
