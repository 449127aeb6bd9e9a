//! `check`: is the scene sound, and does it do what it expects of itself?

use super::run::Watcher;
use crate::cli::failures::step_exit;
use crate::cli::machine::StopSignal;
use crate::cli::scene::SceneOptions;
use crate::cli::summary::{EXPECTATION_HEADER, expectations, met};
use crate::cli::terminal::{self, Exit, Failure, number, progress, table};
use crate::cli::verify::{self, VerifyOptions};
use std::cell::OnceCell;
use stiction_lab::run::{Outcome, Run, Status};
use stiction_scene::Scene;
use stiction_scene::build::build;

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
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

/// Runs the verb.
pub fn check(options: &Options) -> Result<Exit, Failure> {
    let (scene, warnings) = options.scene.load()?;
    let mut run = options.scene.open(&scene)?;
    let doubts = options.scene.forecast(&scene, &run).len();
    if options.strict {
        refuse_doubts(warnings.len(), doubts)?;
    }
    if options.show {
        terminal::print(&stiction_scene::show(&options.scene.load_with(&[])?))?;
    }
    say_sound(&scene, &run);
    if !options.run {
        if !options.show {
            say_next(&scene);
        }
        if options.verify.means().is_some() {
            let message = "--verify is about a run: give --run too";
            return Err(Failure::new(Exit::Usage, message));
        }
        return Ok(Exit::Ok);
    }
    compare(options, &scene, &mut run)
}

/// With --strict a warning of the scene, or a doubt about its run, is an error.
fn refuse_doubts(warnings: usize, doubts: usize) -> Result<(), Failure> {
    let message = match (warnings, doubts) {
        (0, 0) => return Ok(()),
        (_, 0) => format!("{warnings} warnings, with --strict"),
        _ => format!("{warnings} warnings and {doubts} notes on the run, with --strict"),
    };
    Err(Failure::new(Exit::Scene, message))
}

fn say_sound(scene: &Scene, run: &Run) {
    let model = &run.simulation().model;
    terminal::say(&format!(
        "scene is sound: {} bodies, {} particles, {} springs, {} steps of {} s with {}, {} frames",
        model.bodies.len(),
        model.particles(),
        model.springs.len(),
        scene.time.steps,
        number(scene.time.step),
        scene.integrator.name,
        scene.time.frames()
    ));
}

fn say_next(scene: &Scene) {
    let to_do = match scene.expectations.is_empty() {
        true => "stiction run it, with --verify for error bars",
        false => "check --run compares it with its [expect]",
    };
    terminal::say(&format!(
        "next: {to_do}; stiction watch shows it, stiction stiffness says which steps it allows"
    ));
}

/// Runs the scene, and compares it with its expectations.
fn compare(options: &Options, scene: &Scene, run: &mut Run) -> Result<Exit, Failure> {
    if let Some(means) = options.verify.means_or_step() {
        let limits = options.scene.build_options();
        run.verify(means, Box::new(move |scene| build(scene, &limits)));
    }
    let bar = progress(scene.time.steps, "checking");
    let mut watcher = Watcher { directory: None, bar: bar.clone(), failed: &OnceCell::new() };
    let signal = StopSignal::listen();
    let outcome = run
        .finish_with(&mut watcher, &|| signal.heard().is_some())
        .map_err(|error| Failure::new(Exit::Output, error.to_string()))?;
    bar.finish_and_clear();
    let verified = options.verify.means_or_step().is_some();
    terminal::print(&compared(run, &outcome, verified))?;
    if let Status::Failed(error) = &outcome.status {
        terminal::complain(&error.describe(&run.simulation().model));
        return Ok(step_exit(error));
    }
    if let Some(exit) = signal.heard() {
        return Ok(exit);
    }
    let verdict = &outcome.verdict;
    let proven = !verified || verdict.trusted();
    let all = outcome.status == Status::Completed
        && verdict.faultless()
        && proven
        && outcome.checked.iter().all(|c| c.met() && !c.in_doubt());
    Ok(if all { Exit::Ok } else { Exit::Regression })
}

/// Expectations and verdict as a table, and the reasons for the verdict.
fn compared(run: &Run, outcome: &Outcome, verified: bool) -> String {
    let mut rows = expectations(outcome);
    let wanted = if verified { "trusted" } else { "no fault found" };
    let verdict = &outcome.verdict;
    rows.push(vec!["verdict".into(), wanted.into(), verdict.marks(), met(verdict.faultless())]);
    let mut text = table(&EXPECTATION_HEADER, &rows);
    for reason in &verdict.reasons {
        text += &format!("  {}: {}\n", reason.name(), reason.describe(&run.simulation().model));
    }
    text + &outcome.verification.as_ref().map_or(String::new(), verify::describe)
}
