//! One job of a sweep: a scene run with the job's settings, and the results that do not depend on
//! the machine.

use super::grid::{SweepAxis, SweepSettings, Values};
use crate::experiment::accuracy::search::Standing;
use crate::experiment::base::Base;
use crate::experiment::trial::Trial;
use crate::output::folder::sha256::sha256;
use crate::run::Status;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use stiction_core::diagnosis::trust::Failed;
use stiction_core::diagnosis::watch::Reason;
use stiction_scene::build::BuildError;
use stiction_scene::diagnostics::SceneErrors;
use stiction_scene::{Loaded, Scene, overrides};

/// Outcome of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Reason of a failure; absent if the run reached its end.
    pub failure: Option<String>,
    /// The measured quantities; of a run that failed, those measured until then.
    pub results: Map<String, Value>,
    /// CPU time \[s\].
    pub cpu_seconds: f64,
    /// Whether it is stored as a result; one that depends on the machine is only reported.
    pub kept: bool,
}

impl Default for Attempt {
    fn default() -> Self {
        Attempt { failure: None, results: Map::new(), cpu_seconds: 0.0, kept: true }
    }
}

/// The settings of a job as `key=value`.
pub fn texts(settings: &SweepSettings) -> Vec<String> {
    settings.iter().map(|(key, value)| format!("{key}={value}")).collect()
}

/// The scene with the settings of a job.
///
/// # Errors
/// All faults of the scene.
pub fn load(base: &Base, settings: &SweepSettings) -> Result<Loaded, SceneErrors> {
    base.load(&texts(settings))
}

/// Runs a job; `None` when `stop` ended it.
pub fn attempt(base: &Base, settings: &SweepSettings, stop: &dyn Fn() -> bool) -> Option<Attempt> {
    let failed = |message: String| Attempt { failure: Some(message), ..Attempt::default() };
    let scene = match load(base, settings) {
        Ok(loaded) => loaded.scene,
        Err(errors) => return Some(failed(errors.render(false).trim_end().to_string())),
    };
    match base.trial((&scene, &texts(settings)), &[], stop) {
        // another machine may have the memory: not a result
        Err(BuildError::TooLarge { needed, .. }) => Some(Attempt {
            kept: false,
            ..failed(format!("it needs about {needed} of memory; allow more with --max-memory"))
        }),
        Err(error) => Some(failed(error.to_string())),
        // another machine may have the time
        Ok(trial) if trial.accuracy == Some(Standing::Limit) => Some(Attempt {
            kept: false,
            ..failed("its accuracy takes more time; allow more with --max-time".into())
        }),
        Ok(trial) if trial.status == Status::Interrupted => None,
        Ok(trial) => Some(Attempt {
            failure: failure(&trial),
            cpu_seconds: trial.cpu_seconds,
            results: results(trial),
            kept: true,
        }),
    }
}

fn failure(trial: &Trial) -> Option<String> {
    if trial.completed() {
        return None;
    }
    let failed = |reason: &Reason| reason.numbers::<Failed>().map(|f| f.message.clone());
    trial.verdict.reasons.iter().find_map(failed)
}

/// The figures of a trial by name, with their units, and `run.json` without the entries that depend
/// on the machine.
fn results(trial: Trial) -> Map<String, Value> {
    let (mut figures, mut units) = (Map::new(), Map::new());
    for figure in trial.figures {
        units.insert(figure.name.clone(), json!(figure.unit));
        figures.insert(figure.name, json!(figure.value));
    }
    let mut results = match trial.document {
        Value::Object(fields) => fields,
        _ => unreachable!("run.json is an object"),
    };
    // names of files, arrays that no job stores, versions, and the status, which is kept apart
    ["inputs", "files", "topology", "format", "stiction", "status"].iter().for_each(|key| {
        results.remove(*key);
    });
    results.insert("figures".into(), Value::Object(figures));
    results.insert("units".into(), Value::Object(units));
    results
}

/// The files that a shape of a scene or a value of an axis names, each once.
pub(super) fn named_files(scene: &Scene, axes: &[SweepAxis]) -> Vec<String> {
    let bodies = scene.bodies.iter().map(|body| &body.shape);
    let shapes = bodies.chain(scene.colliders.iter().map(|collider| &collider.shape));
    let own = shapes.filter_map(|shape| shape.values.get_text("path").map(String::from));
    let mut seen = BTreeSet::new();
    own.chain(axes.iter().flat_map(files)).filter(|path| seen.insert(path.clone())).collect()
}

/// SHA-256 of the bytes of a scene, of all its includes, and of every file that a shape of the scene or a value of an
/// axis names.
pub fn fingerprint(scene: &Scene, axes: &[SweepAxis]) -> String {
    fingerprint_with(scene, &named_files(scene, axes))
}

/// As [`fingerprint`], given the [`named_files`].
pub(super) fn fingerprint_with(scene: &Scene, named: &[String]) -> String {
    let texts = scene.sources.iter().filter(|source| source.name != "--set");
    let texts = texts.map(|source| sha256(source.text.as_bytes()));
    // a file that cannot be read fails in the jobs, with a message
    let files = named.iter().map(|path| sha256(&scene.folder.read(path).unwrap_or_default()));
    let hashes: Vec<String> = texts.chain(files).collect();
    sha256(hashes.join("\n").as_bytes())
}

/// The files that the values of an axis name.
fn files(axis: &SweepAxis) -> Vec<String> {
    let Values::Values(values) = &axis.values else { return Vec::new() };
    values.iter().flat_map(|value| overrides::files(&format!("{}={value}", axis.key))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Means;
    use std::cell::Cell;

    const SCENE: &str = "format = 1
        time = { end = 0.02, step = 1e-3, output = 0.01 }
        integrator.method = \"rk4\"
        materials.any.static_friction = 0.5
        contact = { normal = { stiffness = 1e4, damping = 10 }, friction = { law = \"threshold\", epsilon = 0.1 } }
        [[body]]
        name = \"block\"
        mass = 1
        shape.particle = {}
        position = [0, 0, -0.000981]
        velocity = [1, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        ";

    /// A job that is stopped while a run that verifies it goes on has no results, instead of the verdict that a
    /// refined run is at fault.
    #[test]
    fn a_job_stopped_at_any_moment_has_all_its_results_or_none() {
        let base = Base::bytes("block", SCENE.as_bytes(), std::path::Path::new("."));
        let base = base.verified(Some(Means::STEP));
        let stopped_after = |looks: usize| {
            let looked = Cell::new(0);
            let stop = || looked.replace(looked.get() + 1) >= looks;
            let results = attempt(&base, &Vec::new(), &stop).map(|attempt| attempt.results);
            (results, looked.get())
        };
        let (done, looks) = stopped_after(usize::MAX);
        let done = done.expect("not stopped");
        assert_eq!(done["trust"]["trusted"], true, "{done:?}");
        assert!(looks > 40, "{looks} looks");
        let stopped = (0..looks).filter_map(|looks| stopped_after(looks).0);
        stopped.for_each(|results| assert_eq!(results, done));
    }
}
