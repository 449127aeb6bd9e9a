//! `judge`: the verdict on a run of any engine, from its log.

use crate::cli::terminal::{self, Exit, Failure, table};
use serde_json::{Map, Value};
use std::path::PathBuf;
use stiction_core::math::Vector;
use stiction_engines::creep::document as creep_of;
use stiction_engines::judge::document::{document, verdict};
use stiction_engines::judge::{Finding, JudgeOptions, Outcome, judge as judged};
use stiction_engines::log_files;

const EXAMPLES: &str = "Examples:
  stiction judge run.npz
  stiction judge run.csv --gravity 0,0,-9.81 --friction 0.5
  stiction judge run.npz --engine mujoco --set slope=15 --set friction=0.5
  stiction exam --engine mujoco --question creep-on-slope --log logs
  stiction judge logs/creep-on-slope.value.npz --strict

A log has times, masses, positions, and as far as there are: velocities, and of each contact normal force,
friction, normal and coefficient. docs/judging.md has its arrays and columns, and all thresholds.";

/// Options of `judge`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The log: .npz or .csv
    log: PathBuf,
    /// Gravity in m/s², in place of the log's
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', num_args = 1.., allow_hyphen_values = true)]
    gravity: Vec<f64>,
    /// Coefficient of static friction of contacts that have none
    #[arg(long, value_name = "MU")]
    friction: Option<f64>,
    /// The surroundings may move: their slip is not known, and they may do work
    #[arg(long)]
    moving: bool,
    /// Engine whose closed form says the law's part of creep, as in `stiction creep`
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Set a parameter of that engine, `cone=elliptic`; may be given more than once
    #[arg(long, value_name = "KEY=VALUE", requires = "engine")]
    set: Vec<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Exit with 11 when a fault was found
    #[arg(long)]
    strict: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A table for people
    Table,
    /// JSON
    Json,
}

/// Runs the verb.
pub fn judge(options: &Options) -> Result<Exit, Failure> {
    let usage = |text: String| Failure::new(Exit::Usage, text);
    let gravity = match options.gravity[..] {
        [] => None,
        [x, y, z] => Some(Vector::new(x, y, z)),
        _ => return Err(usage("--gravity: three numbers are needed, X,Y,Z".into())),
    };
    let name = options.log.display();
    let log = log_files::read(&options.log)
        .map_err(|error| Failure::new(Exit::Input, format!("{name}: {error}")))?;
    let given = JudgeOptions {
        gravity,
        friction: options.friction,
        moving: options.moving,
        law: law(options)?,
    };
    let said = judged(&log, &given);
    let text = match options.format {
        Format::Json => {
            serde_json::to_string_pretty(&document(&log, &said))
                .expect("a JSON value can be written")
                + "\n"
        }
        Format::Table => report(&log, &said),
    };
    terminal::print(&text)?;
    let faults = said.iter().any(|one| matches!(one.outcome, Outcome::Fault(..)));
    Ok(if faults && options.strict { Exit::Regression } else { Exit::Ok })
}

/// Creep from the closed form of an engine.
fn law(options: &Options) -> Result<Option<(f64, String)>, Failure> {
    let Some(engine) = &options.engine else { return Ok(None) };
    let usage = |text: String| Failure::new(Exit::Usage, text);
    let mut given = Map::new();
    for one in &options.set {
        let (key, value) = one
            .split_once('=')
            .ok_or_else(|| usage(format!("--set {one}: KEY=VALUE is needed")))?;
        given.insert(key.trim().into(), value.trim().into());
    }
    let answer =
        creep_of(engine, &Value::Object(given)).map_err(|error| usage(error.to_string()))?;
    let creep = answer["creep"].as_f64().ok_or_else(|| {
        usage(format!(
            "{engine}: with these parameters it does not creep steadily ({})",
            answer["motion"]
        ))
    })?;
    Ok(Some((creep, format!("{engine}, `stiction creep --engine {engine}`"))))
}

/// The verdict, its reasons, and all answers.
fn report(log: &stiction_engines::judge::Log, said: &[Finding]) -> String {
    let engine = if log.engine.is_empty() { "an engine" } else { &log.engine };
    let (first, last) = (log.time[0], log.time[log.time.len() - 1]);
    let mut text = format!(
        "{engine}: {} bodies, {} frames from {first} s to {last} s\n",
        log.bodies.len(),
        log.time.len()
    );
    let rows: Vec<Vec<String>> = said.iter().map(row).collect();
    text += &table(&["body", "check", "", "what"], &rows);
    text += &format!("verdict: {}", verdict(said));
    let reasons: Vec<&str> = said
        .iter()
        .filter_map(|one| match &one.outcome {
            Outcome::Fault(kind, _) => Some(kind.name),
            _ => None,
        })
        .collect();
    if !reasons.is_empty() {
        text += &format!(": {}", reasons.join(", "));
    }
    let unjudged = said.iter().filter(|one| matches!(one.outcome, Outcome::Unjudged(_))).count();
    text += &format!(" ({unjudged} of {} answers could not be given)\n", said.len());
    if let Some(reason) = reasons.first() {
        text += &format!("more: stiction explain {reason}\n");
    }
    text
}

fn row(one: &Finding) -> Vec<String> {
    let (kind, what) = match &one.outcome {
        Outcome::Clear(text) => ("clear".into(), text.clone()),
        Outcome::Found(text) => ("found".into(), text.clone()),
        Outcome::Fault(kind, text) => (kind.name.to_string(), text.clone()),
        Outcome::Unjudged(text) => ("cannot be judged".into(), text.clone()),
    };
    vec![one.body.clone(), one.check.into(), kind, what]
}
