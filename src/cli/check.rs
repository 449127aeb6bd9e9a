//! `check`: is the scene sound, and does it do what it expects of itself?

use super::run::{EXPECTATION_HEADER, Watcher, expectations, met};
use super::scene::SceneOptions;
use super::terminal::{self, Exit, Failure, number, progress, table};
use crate::run::Status;

/// Options of `check`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// Print the scene with every default filled in, as TOML
    #[arg(long)]
    show: bool,
    /// Run it and compare with its [expect]; exit 11 when something is not met
    #[arg(long)]
    run: bool,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

/// Runs the verb.
pub fn check(options: &Options) -> Result<Exit, Failure> {
    let (scene, warnings) = options.scene.load()?;
    let mut run = options.scene.open(&scene)?;
    let doubts = options.scene.forecast(&scene, &run).len();
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
        terminal::print(&crate::scene::show(&options.scene.load_with(&[])?))?;
    }
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
    if !options.run {
        return Ok(Exit::Ok);
    }
    let bar = progress(scene.time.steps, "checking");
    let mut watcher = Watcher { directory: None, bar: bar.clone() };
    let outcome = run
        .finish_with(&mut watcher, &|| false)
        .map_err(|error| Failure::new(Exit::Output, error.to_string()))?;
    bar.finish_and_clear();
    let mut rows = expectations(&outcome);
    let verdict = &outcome.verdict;
    rows.push(vec!["verdict".into(), "trusted".into(), verdict.marks(), met(verdict.trusted())]);
    terminal::print(&table(&EXPECTATION_HEADER, &rows))?;
    if let Status::Failed(error) = &outcome.status {
        terminal::complain(&error.describe(&run.simulation().model));
        return Ok(Exit::Simulation);
    }
    let all = outcome.status == Status::Completed
        && verdict.trusted()
        && outcome.checked.iter().all(|c| c.met());
    Ok(if all { Exit::Ok } else { Exit::Regression })
}
