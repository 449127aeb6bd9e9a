//! Runs of scenes with overrides, and what is read from them.

use cpu_time::ProcessTime;
use std::path::Path;
use stiction_core::diagnosis::trust::Verdict;
use stiction_lab::run::{Run, Status, Unobserved};
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load};

/// A run that reached its end.
pub struct Ran {
    pub verdict: Verdict,
    pub steps: u64,
    pub cpu_seconds: f64,
    run: Run,
}

/// Runs a scene, named from the top of the project, with `--set` values.
///
/// # Panics
/// Where the scene is wrong or a step cannot be taken: both are faults of the league itself.
pub fn run(scene: &str, sets: &[String]) -> Ran {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(scene);
    let options = LoadOptions { set: sets.to_vec(), ..LoadOptions::default() };
    let scene = load(&path, &options).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    let scene = scene.scene;
    let mut run = Run::new(&scene, &BuildOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let started = ProcessTime::now();
    let outcome = run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
    let cpu_seconds = started.elapsed().as_secs_f64();
    if let Status::Failed(error) = &outcome.status {
        panic!("{} {sets:?}: {}", path.display(), error.describe(&run.simulation().model));
    }
    Ran { verdict: outcome.verdict, steps: outcome.steps, cpu_seconds, run }
}

/// `--set` values from words.
pub fn sets(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

impl Ran {
    /// All values of a measure's column, frame by frame.
    pub fn values(&self, column: &str) -> Vec<f64> {
        let column = self.run.columns.iter().position(|name| name == column);
        let column = column.unwrap_or_else(|| panic!("the scene measures {:?}", self.run.columns));
        self.run.frames.iter().map(|frame| frame.measures[column]).collect()
    }

    /// A measure in the frame nearest to a time [s].
    pub fn at(&self, column: &str, time: f64) -> f64 {
        let far = |&(_, frame): &(usize, &stiction_lab::run::Frame)| (frame.time - time).abs();
        let frames = self.run.frames.iter().enumerate();
        let nearest = frames.min_by(|a, b| far(a).total_cmp(&far(b)));
        self.values(column)[nearest.map_or(0, |(number, _)| number)]
    }

    /// By how much a measure grew from one time to another [s].
    pub fn growth(&self, column: &str, [from, to]: [f64; 2]) -> f64 {
        self.at(column, to) - self.at(column, from)
    }

    /// The law's own creep of the only body, as the run's diagnosis has it [m/s].
    pub fn lawful_creep(&self) -> Option<f64> {
        let frame = self.run.frames.last()?;
        Some(frame.creep.first()?.parts()?.law)
    }

    /// Contacts at the end.
    pub fn contacts(&self) -> usize {
        self.run.simulation().state.memory.contacts.len()
    }

    /// CPU time per step and contact [µs].
    pub fn cost(&self) -> f64 {
        1e6 * self.cpu_seconds / (self.steps as f64 * self.contacts() as f64)
    }
}
