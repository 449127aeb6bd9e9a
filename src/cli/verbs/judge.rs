//! `judge`: the verdict on a run of any engine, from its log.

use crate::cli::terminal::{self, Exit, Failure, table};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use stiction_core::math::Vector;
use stiction_core::registry::words::nearest;
use stiction_engines::creep::document as creep_of;
use stiction_engines::judge::document::{document, verdict};
use stiction_engines::judge::{Finding, JudgeOptions, judge as judged};
use stiction_engines::log_files;

const EXAMPLES: &str = "Examples:
  stiction judge run.npz
  stiction judge run.csv --gravity 0,0,-9.81 --friction 0.5
  stiction judge positions.csv --slope 15 --friction 0.5 --creep 1e-5 --strict
  stiction judge run.npz --engine mujoco --set slope=15 --set friction=0.5
  stiction exam --engine mujoco --question creep-on-slope --log logs
  stiction judge logs/creep-on-slope.value.npz --strict

A log has times, masses, positions, and as far as there are: velocities, spins, forces of drives and joints, and
of each contact normal force, friction, normal and coefficient. Each check answers `clear` with what was compared,
`found`, a fault, or `not judged` with what is missing. docs/judging.md has arrays, columns and all thresholds.";

/// Largest number of arrays that are not read and are named.
const SHOWN: usize = 8;

/// Options of `judge`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The log: .npz or .csv
    log: PathBuf,
    /// Gravity in m/s², in place of the log's
    #[arg(
        long,
        value_name = "X,Y,Z",
        value_delimiter = ',',
        num_args = 1,
        allow_hyphen_values = true
    )]
    gravity: Vec<f64>,
    /// Coefficient of static friction of contacts that have none
    #[arg(long, value_name = "MU", allow_negative_numbers = true)]
    friction: Option<f64>,
    /// Mass in kg of bodies for which the log has none
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    mass: Option<f64>,
    /// Inclination of a plane that bears the bodies of a log without contacts, in degrees
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    slope: Option<f64>,
    /// Creep in m/s above which a body does not hold: a fault
    #[arg(long, value_name = "SPEED", allow_negative_numbers = true)]
    creep: Option<f64>,
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
    let given = JudgeOptions {
        gravity,
        friction: options.friction,
        slope: options.slope.map(|slope| slope.abs().to_radians()),
        moving: options.moving,
        law: law(options)?,
        creep: options.creep,
    };
    given.check().map_err(|error| usage(format!("--{error}")))?;
    if let Some(mass) = options.mass.filter(|mass| !mass.is_finite() || *mass <= 0.0) {
        return Err(usage(format!("--mass {mass}: a number above 0 is needed")));
    }
    let log = log_files::read(&options.log, options.mass)
        .map_err(|error| Failure::new(Exit::Input, format!("{name}: {error}")))?;
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
    Ok(match verdict(&said) {
        "not judged" => Exit::NotJudged,
        "not trusted" if options.strict => Exit::Regression,
        // a hold was asked for, and there is no answer
        _ if options.creep.is_some() && !creep_is_judged(&said) => Exit::NotJudged,
        _ => Exit::Ok,
    })
}

/// Whether the creep of a body is judged, and none is hidden by noise.
fn creep_is_judged(said: &[Finding]) -> bool {
    let all = || said.iter().filter(|one| one.check == "creep");
    let hidden = |one: &Finding| !one.outcome.is_judged() && one.outcome.text().contains("hides");
    all().any(|one| one.outcome.is_judged()) && !all().any(hidden)
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
        "{engine}: {}, {} frames from {first} s to {last} s\n",
        bodies(log.bodies.len()),
        log.time.len()
    );
    text += &unread(log);
    let rows: Vec<Vec<String>> =
        said.iter().filter(|one| one.outcome.is_judged()).map(row).collect();
    if !rows.is_empty() {
        text += &table(&["body", "check", "", "compared"], &rows);
    }
    text += &not_judged(said);
    let (all, judged) = (said.len(), said.iter().filter(|one| one.outcome.is_judged()).count());
    let reasons: BTreeSet<&str> =
        said.iter().filter_map(|one| one.outcome.fault()).map(|kind| kind.name).collect();
    text += &format!("verdict: {}", verdict(said));
    if let Some(reason) = reasons.first() {
        let names: Vec<&str> = reasons.iter().copied().collect();
        text += &format!(": {} ({judged} of {all} answers compare something)\n", names.join(", "));
        text += &format!("more: stiction explain {reason}\n");
    } else {
        text +=
            &format!(": {judged} of {all} answers compare something, {} do not\n", all - judged);
    }
    text
}

fn bodies(count: usize) -> String {
    if count == 1 { "1 body".into() } else { format!("{count} bodies") }
}

/// The checks that could compare nothing, by body and by what is missing.
fn not_judged(said: &[Finding]) -> String {
    let mut groups: Vec<((&str, &str), Vec<&str>)> = Vec::new();
    // their places
    let mut places = BTreeMap::new();
    for one in said.iter().filter(|one| !one.outcome.is_judged()) {
        let of = (one.body.as_str(), one.outcome.text());
        let place = *places.entry(of).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, checks)) => checks.push(one.check),
            None => groups.push((of, vec![one.check])),
        }
    }
    let line = |((body, why), checks): &((&str, &str), Vec<&str>)| {
        format!(" {body}: {}: {why}\n", checks.join(", "))
    };
    let lines: String = groups.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("not judged\n{lines}") }
}

/// Names in the log that are not read.
fn unread(log: &stiction_engines::judge::Log) -> String {
    let hint = |name: &String| {
        let near = nearest(&name.to_lowercase(), log_files::arrays::NAMES);
        near.map_or(String::new(), |near| format!(", did you mean `{near}`?"))
    };
    let all: Vec<String> =
        log.unread.iter().take(SHOWN).map(|name| format!("`{name}`{}", hint(name))).collect();
    let more = match log.unread.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    match all.is_empty() {
        true => String::new(),
        false => format!("not read: {}{more}\n", all.join("; ")),
    }
}

fn row(one: &Finding) -> Vec<String> {
    let kind = one.outcome.fault().map_or(one.outcome.word(), |kind| kind.name);
    vec![one.body.clone(), one.check.into(), kind.into(), one.outcome.text().into()]
}
