//! `exam`: the friction exam, a Python package that the program contains and runs with an engine.

use crate::cli::terminal::{Exit, Failure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

include!(concat!(env!("OUT_DIR"), "/exam.rs"));

const EXAMPLES: &str = "Examples:
  stiction exam                                     the questions and the engines
  stiction exam --engine mujoco                     all questions, at the engine's default settings
  stiction exam --engine rapier --settings best --question 'creep-*'
  stiction exam --engine mujoco --question creep-on-slope --log logs
  stiction exam --engine ./my_engine.py --out mine.json --strict
  stiction exam --scoreboard exam/results/*.json > scoreboard.md

Needs Python 3.11 with numpy and the engine: python3 -m venv venv && venv/bin/pip install numpy mujoco, then
--python venv/bin/python. docs/exam.md says how to add a question or an engine.";

/// Options of `exam`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Engine, or a file with an adapter of your own; without it questions and engines are listed
    #[arg(long, value_name = "NAME|FILE")]
    engine: Option<String>,
    /// Settings: `default`, `best` or `equal-cpu`
    #[arg(long, value_name = "NAME", default_value = "default")]
    settings: String,
    /// Ask only questions whose names fit this pattern
    #[arg(long, value_name = "PATTERN", default_value = "*")]
    question: String,
    /// Time step in s, in place of the setting's
    #[arg(long, value_name = "SECONDS")]
    step: Option<f64>,
    /// CPU time of a run in s with `--settings equal-cpu`
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    cpu: f64,
    /// Write the answers into this file, for the scoreboard
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a log of every run into this folder, for `stiction judge`
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Exit with 11 when a question was missed, or with --baseline when an answer got worse
    #[arg(long)]
    strict: bool,
    /// Answers of an earlier exam that must not get worse
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Print the scoreboard of these result files as Markdown
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "engine")]
    scoreboard: Vec<PathBuf>,
    /// Write the scoreboard as a page for the browser
    #[arg(long, value_name = "FILE", requires = "scoreboard")]
    html: Option<PathBuf>,
    /// Python with the engine
    #[arg(long, value_name = "PROGRAM", env = "STICTION_PYTHON", default_value = "python3")]
    python: PathBuf,
}

/// Runs the verb.
pub fn exam(options: &Options) -> Result<Exit, Failure> {
    let home = env::temp_dir().join(format!("stiction-exam-{}", process::id()));
    let unwritable = |error: std::io::Error| {
        Failure::new(
            Exit::Output,
            format!("{}: {error}; TMPDIR names another folder", home.display()),
        )
    };
    unfold(&home).map_err(unwritable)?;
    let mut command = Command::new(&options.python);
    command.args(["-m", "friction_exam"]).args(words(options)).env("PYTHONPATH", &home);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    if env::var_os("STICTION_PROGRAM").is_none()
        && let Ok(program) = env::current_exe()
    {
        command.env("STICTION_PROGRAM", program);
    }
    let done = command.status();
    // files left in a temporary folder do no harm
    let _ = fs::remove_dir_all(&home);
    let python = options.python.display();
    let status = done.map_err(|error| {
        Failure::new(
            Exit::Usage,
            format!("{python}: {error}; --python names a Python 3.11 with numpy and the engine"),
        )
    })?;
    match status.code() {
        Some(0) => Ok(Exit::Ok),
        Some(2) => Ok(Exit::Usage),
        Some(11) => Ok(Exit::Regression),
        Some(code) => {
            Err(Failure::new(Exit::Simulation, format!("{python} ended with exit code {code}")))
        }
        None => Ok(Exit::Interrupted),
    }
}

/// Writes the package into a folder.
fn unfold(home: &Path) -> std::io::Result<()> {
    for (name, text) in FILES {
        let path = home.join(name);
        fs::create_dir_all(path.parent().unwrap_or(home))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// The command line of the package.
fn words(options: &Options) -> Vec<String> {
    let path = |path: &PathBuf| path.display().to_string();
    let mut words = vec![
        "--settings".into(),
        options.settings.clone(),
        "--question".into(),
        options.question.clone(),
    ];
    let named = [
        ("--engine", options.engine.clone()),
        ("--step", options.step.map(|step| step.to_string())),
        ("--cpu", Some(options.cpu.to_string())),
        ("--out", options.out.as_ref().map(path)),
        ("--log", options.log.as_ref().map(path)),
        ("--baseline", options.baseline.as_ref().map(path)),
        ("--html", options.html.as_ref().map(path)),
    ];
    for (name, value) in named {
        words.extend(value.into_iter().flat_map(|value| [name.into(), value]));
    }
    if options.strict {
        words.push("--strict".into());
    }
    if !options.scoreboard.is_empty() {
        words.push("--scoreboard".into());
        words.extend(options.scoreboard.iter().map(path));
    }
    words
}
