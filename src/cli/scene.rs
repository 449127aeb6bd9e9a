//! The scene argument and the options common to all verbs that read a scene.

use super::failures::{build_failure, failure};
use super::machine;
use super::terminal::{Exit, Failure, colours, say};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use stiction_core::diagnosis::forecast::Forecast;
use stiction_core::registry::words::LISTED;
use stiction_core::simulation::Simulation;
use stiction_lab::experiment::base::Base;
use stiction_lab::run::phase::phase_errors;
use stiction_lab::run::{self, Means, Run};
use stiction_scene::build::BuildOptions;
use stiction_scene::files::MAX_BYTES;
use stiction_scene::{Loaded, Scene, excerpt};

/// The place of the scene where none is given; no file has this name.
pub const NO_SCENE: &str = "\0";

/// A scene and how to change it from the command line.
#[derive(clap::Args, Clone)]
pub struct SceneOptions {
    /// Scene file, or `-` for standard input
    pub scene: PathBuf,
    /// Change any scene key: contact.friction.epsilon=1e-4, body.box.mass=3 (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Use this integrator instead of the scene's
    #[arg(long, value_name = "NAME")]
    pub integrator: Option<String>,
    /// Use this step instead of the scene's, in seconds
    #[arg(long, value_name = "SECONDS")]
    pub step: Option<String>,
    /// Threads for large scenes, shared by a run and those that verify it, which go side by side
    /// (1: one at a time); results do not depend on it (default: one for each core)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Most memory the scene may take, for example 500M or 4G (default: 80 % of the machine's);
    /// with --verify, which runs it beside another, half of that
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
    /// Let includes lie outside the scene's folder
    #[arg(long)]
    pub allow_path: bool,
}

/// Parses 500M, 4G, 1000000.
fn size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.char_indices().last() {
        Some((i, 'k' | 'K')) => (&text[..i], 10),
        Some((i, 'm' | 'M')) => (&text[..i], 20),
        Some((i, 'g' | 'G')) => (&text[..i], 30),
        _ => (text, 0),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(1 << shift))
        .ok_or_else(|| "give bytes, or a number followed by K, M or G".into())
}

impl SceneOptions {
    /// All `--set` values; those of --integrator and --step come last.
    pub fn sets(&self) -> Vec<String> {
        let mut sets = self.set.clone();
        sets.extend(self.integrator.iter().map(|name| format!("integrator.method={name}")));
        sets.extend(self.step.iter().map(|step| format!("time.step={step}")));
        sets
    }

    /// The scene as the base of experiments.
    pub fn base(&self) -> Result<Base, Failure> {
        self.base_verified(None)
    }

    /// As [`SceneOptions::base`], with every run verified by `verify`.
    pub fn base_verified(&self, verify: Option<Means>) -> Result<Base, Failure> {
        let mut base = match self.scene.as_os_str() == "-" {
            false => Base::file(&self.scene),
            true => Base::bytes("<stdin>", standard_input()?, Path::new(".")),
        };
        base.set = self.sets();
        base.allow_path = self.allow_path;
        base.verify = verify;
        // many runs share the cores, and the CPU time of a run is that of its own thread
        base.options = BuildOptions { threads: 1, ..self.build_options() };
        Ok(base)
    }

    /// Loads the scene, with further `--set` values.
    pub fn load_with(&self, more: &[String]) -> Result<Loaded, Failure> {
        self.base()?.load(more).map_err(failure)
    }

    /// Loads the scene and prints its warnings.
    pub fn load(&self) -> Result<(Scene, Vec<String>), Failure> {
        let Loaded { scene, warnings, .. } = self.load_with(&[])?;
        if !warnings.is_empty() {
            let shown = &warnings[..warnings.len().min(LISTED)];
            say(excerpt::render(shown, &scene.sources, colours()).trim_end());
            if warnings.len() > LISTED {
                say(&format!("... and at least {} more warnings", warnings.len() - LISTED));
            }
        }
        let lines = warnings.into_iter().map(|warning| warning.message).collect();
        Ok((scene, lines))
    }

    /// Limits for building.
    pub fn build_options(&self) -> BuildOptions {
        let threads = self.threads.map_or_else(run::machine::threads, usize::from);
        BuildOptions {
            threads,
            max_memory: self.max_memory.unwrap_or_else(|| free_memory(threads)),
            halt: machine::halt(),
        }
    }

    /// Builds a run, and says its remarks and forecasts.
    pub fn open(&self, scene: &Scene) -> Result<Run, Failure> {
        let run = Run::new(scene, &self.build_options()).map_err(|e| build_failure(scene, e))?;
        self.say_notes(scene, &run);
        Ok(run)
    }

    /// Says remarks and forecasts on a run.
    pub fn say_notes(&self, scene: &Scene, run: &Run) {
        say_all(run, self.forecast(scene, run));
    }

    /// Says remarks on a run, and forecasts that hold whatever its step.
    pub fn say_start(&self, run: &Run) {
        say_all(run, run.start.clone());
    }

    /// Forecasts of faults before a run.
    pub fn forecast(&self, scene: &Scene, run: &Run) -> Vec<Forecast> {
        let Simulation { model, state, .. } = run.simulation();
        let mut told = run.start.clone();
        told.extend(phase_errors(scene, model, state));
        told
    }
}

fn say_all(run: &Run, forecasts: Vec<Forecast>) {
    say_some_of_each(run.remarks.iter().map(|remark| ("", remark.clone())));
    let forecasts = forecasts.into_iter();
    say_some_of_each(forecasts.map(|Forecast { kind, text, .. }| (kind, text)));
}

/// Says the first notes of each kind, and counts the rest.
fn say_some_of_each(notes: impl Iterator<Item = (&'static str, String)>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let prefix = |kind: &str| if kind.is_empty() { "note".into() } else { format!("note: {kind}") };
    for (kind, text) in notes {
        let count = counts.entry(kind).or_default();
        *count += 1;
        if *count <= LISTED {
            say(&format!("{}: {text}", prefix(kind)));
        }
    }
    for (kind, count) in counts.iter().filter(|(_, count)| **count > LISTED) {
        say(&format!("{}: ... and {} more of them", prefix(kind), count - LISTED));
    }
}

/// The memory limit at its first call: later the scene itself takes a part of what is left.
fn free_memory(threads: usize) -> u64 {
    static LIMIT: OnceLock<u64> = OnceLock::new();
    *LIMIT.get_or_init(|| run::machine::memory_limit(threads))
}

/// All of standard input. It can be read once, but a scene may be loaded several times.
pub fn standard_input() -> Result<&'static [u8], Failure> {
    static INPUT: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let input = INPUT.get_or_init(|| {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| error.to_string())
    });
    input
        .as_deref()
        .map_err(|error| Failure::new(Exit::Usage, format!("cannot read standard input: {error}")))
}
