//! `creep`: the creep of an engine under a load and its largest stable step, by its formula.

use crate::cli::model;
use crate::cli::terminal::{self, Exit, Failure, prose, table};
use serde_json::{Map, Value};
use std::path::PathBuf;
use stiction_core::math::{at_most, number};
use stiction_engines::creep::document::speed;
use stiction_engines::creep::{EngineError, catalogue, document};

const EXAMPLES: &str = "Examples:
  stiction creep                                    the engines with their parameters
  stiction creep --engine mujoco --mass 1 --slope 15 --friction 0.5
  stiction creep --engine mujoco --set cone=elliptic --set impratio=10 --budget 1e-6
  stiction creep --engine stiction --set law=quadratic --set epsilon=1e-4 --step 1e-5
  stiction creep --engine mujoco --mass 0.3 --grip 16 --friction 1 --set other_mass=0.1 --set other_held=slide
  stiction creep --engine mujoco --mjcf scene.xml --set body=brick --set other=left,right --grip 16
  stiction creep --engine mujoco --set solref='0.01 1' --set solimp='0.95 0.99 0.001'
  stiction creep --engine lammps --set geometry=even --set normal_force=20 --set tangential_force=5

Nothing is run: speeds and steps follow from formulas, and an estimate is called one.";

/// Options of `creep`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Engine; without it engines and their parameters are listed
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Mass of the body in kg [default: 1]
    #[arg(long, value_name = "KG", allow_hyphen_values = true, requires = "engine")]
    mass: Option<f64>,
    /// Angle of the slope in degrees [default: 15]
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true, requires = "engine")]
    slope: Option<f64>,
    /// A grip instead of a slope: the force of each of its two pads in N
    #[arg(
        long,
        value_name = "NEWTONS",
        allow_hyphen_values = true,
        requires = "engine",
        conflicts_with = "slope"
    )]
    grip: Option<f64>,
    /// Static coefficient of friction [default: 0.5]
    #[arg(long, value_name = "MU", allow_hyphen_values = true, requires = "engine")]
    friction: Option<f64>,
    /// Time step of the engine in s
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, requires = "engine")]
    step: Option<f64>,
    /// Find the parameters that keep creep below this speed in m/s
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true, requires = "engine")]
    budget: Option<f64>,
    /// MuJoCo's XML: the parameters of its contact are read from it, where none is given
    #[arg(long, value_name = "FILE", requires = "engine")]
    mjcf: Option<PathBuf>,
    /// Set a parameter, `timeconst=0.02`; may be given more than once
    #[arg(long, value_name = "KEY=VALUE", requires = "engine")]
    set: Vec<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Tables for people
    Table,
    /// JSON
    Json,
    /// Markdown tables
    Markdown,
}

/// Runs the verb.
pub fn creep(options: &Options) -> Result<Exit, Failure> {
    let Some(engine) = &options.engine else {
        let all = catalogue();
        let text = match options.format {
            Format::Json => json(&all),
            format => engines(&all, format),
        };
        terminal::print(&text)?;
        return Ok(Exit::Ok);
    };
    let answer = document(engine, &request(options)?.into()).map_err(|error| {
        let exit = match error {
            EngineError::Model { .. } => Exit::Input,
            _ => Exit::Usage,
        };
        Failure::new(exit, error.to_string())
    })?;
    let text = match options.format {
        Format::Json => json(&answer),
        format => report(&answer, format),
    };
    terminal::print(&text)?;
    Ok(Exit::Ok)
}

fn json(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a JSON value can be written") + "\n"
}

/// The values of all options.
fn request(options: &Options) -> Result<Map<String, Value>, Failure> {
    let mut given = Map::new();
    for one in &options.set {
        let Some((key, value)) = one.split_once('=') else {
            let message = format!("--set {one}: a parameter and its value are needed, KEY=VALUE");
            return Err(Failure::new(Exit::Usage, message));
        };
        let value = value.trim();
        // a table of constants is JSON, everything else a text parsed by its key
        let value = match value.starts_with('{') {
            true => serde_json::from_str(value).unwrap_or_else(|_| value.into()),
            false => value.into(),
        };
        given.insert(key.trim().into(), value);
    }
    if let Some(path) = &options.mjcf {
        given.insert("mjcf".into(), model::read(path)?.into());
    }
    if options.grip.is_some() {
        given.entry("geometry").or_insert("grip".into());
    }
    for (key, value) in [
        ("mass", options.mass),
        ("slope", options.slope),
        ("grip_force", options.grip),
        ("friction", options.friction),
        ("step", options.step),
        ("budget", options.budget),
    ] {
        // as text, so that a value that is not finite is refused with its name
        if let Some(value) = value
            && given.insert(key.into(), value.to_string().into()).is_some()
        {
            let message = format!("{key} is given twice, by its option and by --set {key}");
            return Err(Failure::new(Exit::Usage, message));
        }
    }
    Ok(given)
}

/// A table in the requested form.
fn formed(format: Format, header: &[&str], rows: &[Vec<String>]) -> String {
    if format != Format::Markdown {
        return table(header, rows);
    }
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let escaped = |row: &Vec<String>| row.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let mut text = row(header.iter().map(|cell| (*cell).to_string()).collect());
    text += &row(vec!["---".into(); header.len()]);
    text.extend(rows.iter().map(|cells| row(escaped(cells))));
    text
}

/// A line of text: in a terminal no wider than it.
fn line(format: Format, text: &str) -> String {
    if format == Format::Markdown { format!("{text}\n") } else { prose(0, text) }
}

fn heading(format: Format, text: &str) -> String {
    if format == Format::Markdown { format!("\n## {text}\n\n") } else { format!("\n{text}\n") }
}

/// Engines and their parameters.
fn engines(all: &Value, format: Format) -> String {
    let header = ["parameter", "default", "unit", "what it is"];
    let mut text = String::new();
    for engine in list(&all["engines"]) {
        text += &heading(format, &word(&engine["name"]));
        text += &(line(format, &word(&engine["about"])) + "\n");
        text += &formed(format, &header, &parameters(&engine["keys"]));
        if format != Format::Markdown {
            continue;
        }
        text += "\n";
    }
    text += &heading(format, "the load, for every engine");
    text += "\n";
    text += &formed(format, &header, &parameters(&all["load"]));
    text + "\n"
        + &line(format, "stiction creep --engine NAME answers with these; --set changes one.")
}

fn parameters(keys: &Value) -> Vec<Vec<String>> {
    let row = |key: &Value| {
        let default = match (&key["default"], &key["without"]) {
            (Value::Null, Value::String(without)) => format!("({without})"),
            (Value::Null, _) => "required".into(),
            (value, _) => cell(value),
        };
        let words: Vec<String> = list(&key["words"]).map(word).collect();
        let about = match words.is_empty() {
            true => word(&key["about"]),
            false => format!("{}: {}", word(&key["about"]), words.join(", ")),
        };
        vec![word(&key["name"]), default, word(&key["unit"]), about]
    };
    list(keys).map(row).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

/// A number, a word or a flag.
fn cell(value: &Value) -> String {
    match value {
        Value::Number(_) => value.as_f64().map_or_else(String::new, number),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The answer of an engine as text.
fn report(answer: &Value, format: Format) -> String {
    let of = |value: &Value, unit: &str| {
        value.as_f64().map_or("–".into(), |x| format!("{} {unit}", number(x)).trim().to_string())
    };
    let (load, step) = (&answer["load"], &answer["step"]);
    let title = format!("{}: {}", word(&answer["engine"]), headline(answer));
    let mut text = match format {
        Format::Markdown => format!("# {title}\n\n"),
        _ => prose(0, &title) + "\n",
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: &str, value: String, how: String| rows.push(vec![name.into(), value, how]);
    let ratio = of(&load["load_ratio"], "");
    let forces = [("normal force N", "normal_force"), ("load T", "tangential_force")];
    for (name, key) in forces {
        row(name, of(&load[key], "N"), String::new());
    }
    row("contacts n", of(&load["contacts"], ""), word(&answer["parameters"]["geometry"]));
    row("load ratio ρ", ratio, "T/(μ_s N); it slides from 1 on".into());
    row("creep v", answer["creep"].as_f64().map_or("–".into(), speed), String::new());
    if let Some(minute) = answer["per_minute"].as_f64() {
        row("in a minute", format!("{} mm", number(1e3 * minute)), String::new());
    }
    if let Some(offset) = answer["offset"].as_f64().filter(|offset| *offset > 0.0) {
        row("elastic offset", format!("{} mm", number(1e3 * offset)), String::new());
    }
    if let Some(acceleration) = answer["acceleration"].as_f64() {
        row("acceleration", format!("{} m/s²", number(acceleration)), "(T − μ_k N)/m".into());
    }
    let largest = step["largest"].as_f64().map_or("none".into(), |h| format!("{} s", at_most(h)));
    row("largest step", largest, word(&step["formula"]));
    let fits = if step["fits"] == true { "below the limit" } else { "ABOVE the limit" };
    row("step reckoned with", of(&step["used"], "s"), fits.into());
    for one in list(&answer["details"]) {
        row(&word(&one["name"]), of(&one["value"], &word(&one["unit"])), String::new());
    }
    text += &formed(format, &["quantity", "value", "how"], &rows);
    let kind = match &answer["estimate"] {
        Value::String(reason) => format!("ESTIMATE: {reason}."),
        _ => format!("Exact where it was compared: {}.", word(&answer["compared"])),
    };
    let sources: Vec<String> =
        list(&answer["sources"]).map(|key| format!("[{}]", word(key))).collect();
    let formula = format!("Formula: {}", word(&answer["formula"]));
    let sources = format!("Sources: {} (references.bib)", sources.join(", "));
    text += "\n";
    text.extend([&formula, &kind, &sources].map(|sentence| line(format, sentence)));
    text += &read(&answer["model"], format);
    if list(&answer["advice"]).next().is_some() {
        text += &heading(format, "Advice");
        for sentence in list(&answer["advice"]) {
            text += &line(format, &format!("- {}", word(sentence)));
        }
    }
    text + &budget(answer, format)
}

/// The values of a model, and what of it is not read.
fn read(model: &Value, format: Format) -> String {
    let Some(values) = model["read"].as_object() else { return String::new() };
    let pairs: Vec<String> = values.iter().map(|(key, x)| format!("{key}={}", cell(x))).collect();
    let mut text = heading(format, "With the model");
    text += &line(format, &pairs.join(" "));
    for reason in list(&model["left_out"]) {
        text += &line(format, &format!("Not read: {}", word(reason)));
    }
    text
}

/// The motion in one line.
fn headline(answer: &Value) -> String {
    let about = if answer["exact"] == true { "" } else { "about " };
    match answer["motion"].as_str() {
        Some("creeps") => {
            let speed = answer["creep"].as_f64().map_or(String::new(), speed);
            match answer["step"]["fits"] == false {
                true => format!("creeps by its law at {speed}; its step is above the limit"),
                false => format!("creeps at {about}{speed}"),
            }
        }
        Some("rests") if answer["exact"] == true => "holds without creep".into(),
        Some("rests") => "holds without creep by its law".into(),
        Some("chatters") => "chatters, without a steady creep".into(),
        Some("tips") => "tips over its front edge".into(),
        Some("unknown") => "no form here says how it moves".into(),
        _ => {
            let acceleration = answer["acceleration"].as_f64().map_or(String::new(), number);
            format!("slides, {acceleration} m/s² faster every second")
        }
    }
}

/// The changes that meet the budget of an answer.
fn budget(answer: &Value, format: Format) -> String {
    let budget = &answer["budget"];
    let Some(most) = budget["speed"].as_f64() else { return String::new() };
    let title = format!("Budget of {}", speed(most));
    let mut text = heading(format, &title);
    if budget["kept"] == true {
        return text + "It is kept as it is.\n";
    }
    let row = |change: &Value| {
        let pairs = change["set"].as_object().into_iter().flatten();
        // values in full, to be copied
        let set: Vec<String> = pairs
            .map(|(key, value)| format!("{key}={}", value.as_f64().unwrap_or(f64::NAN)))
            .collect();
        let creep = change["creep"].as_f64().map_or(String::new(), speed);
        let step = change["largest_step"].as_f64();
        let step = step.map_or("none".into(), |h| format!("{} s", at_most(h)));
        vec![set.join(" "), creep, step, word(&change["price"])]
    };
    let rows: Vec<Vec<String>> = list(&budget["changes"]).map(row).collect();
    if rows.is_empty() && answer["creep"].is_null() {
        return text
            + &line(format, "No speed is known with these parameters, and none was tried.");
    }
    if rows.is_empty() {
        let none = "No parameter keeps it by itself: lower the load, or take a law that holds without creep.";
        return text + &line(format, none);
    }
    text += "Each of these keeps it by itself:\n\n";
    text + &formed(format, &["--set", "creep", "largest step", "price"], &rows)
}
