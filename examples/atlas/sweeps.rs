//! Runs the grid of a study: a sweep whose jobs keep the figures that the atlas needs.

use super::judge::{Run, Survey};
use super::plan::{Part, Study};
use serde_json::json;
use std::error::Error;
use std::path::Path;
use stiction_core::math::Vector;
use stiction_core::state::memory::Coefficients;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::sweep::folder::{FORMAT, Folder, FolderPlan};
use stiction_lab::experiment::sweep::grid::{SweepAxis, SweepGrid, SweepSettings, Values};
use stiction_lab::experiment::sweep::job::{Attempt, fingerprint, load};
use stiction_lab::experiment::sweep::run::run;
use stiction_lab::experiment::trial::Trial;
use stiction_lab::output::folder::manifest::PROGRAM;
use stiction_lab::run::Status;

/// Most jobs of one sweep.
const MOST: u64 = 100_000;

/// Keys that are varied.
const KEYS: [&str; 3] = ["contact.friction", "integrator.method", "time.step"];

/// Runs what is missing of a study and judges all of it.
pub fn survey<'s>(study: &'s Study, out: &Path) -> Result<Survey<'s>, Box<dyn Error>> {
    let mut base = Base::file(study.scene);
    base.set = study.set.clone();
    let mut runs = Vec::new();
    for (number, part) in study.parts.iter().enumerate() {
        let folder = folder(study, part, &base, &out.join(format!("{}-{number}", study.name)))?;
        go(study, &base, &folder)?;
        let laws = friction(study);
        for job in 0..folder.jobs.count() {
            let outcome = folder.outcome(job).ok_or("a job has no result; run the same again")?;
            let [friction, method, step] = KEYS.map(|key| value(&outcome.settings, key));
            let law = laws.iter().find(|(_, _, text)| *text == friction);
            let (law, epsilon, _) = law.ok_or("a job of another grid")?;
            let seconds = folder.cpu_seconds(job).unwrap_or(f64::NAN);
            runs.push(Run::of((*law, *epsilon), (&method, &step), &outcome, seconds));
        }
    }
    Ok(Survey::of(study, runs))
}

/// All laws of a study at all their stiffnesses, with their texts.
fn friction(study: &Study) -> Vec<(&'static str, f64, String)> {
    let at = |law: &'static str| {
        study.epsilons.iter().map(move |epsilon| (law, *epsilon, study.law(law, *epsilon)))
    };
    study.laws.iter().flat_map(|law| at(law)).collect()
}

fn value(settings: &SweepSettings, key: &str) -> String {
    let found = settings.iter().find(|(known, _)| known == key);
    found.map(|(_, value)| value.trim_matches('"').to_string()).unwrap_or_default()
}

fn folder(study: &Study, part: &Part, base: &Base, path: &Path) -> Result<Folder, Box<dyn Error>> {
    let laws = friction(study).into_iter().map(|(_, _, text)| text).collect();
    let methods = part.methods.iter().map(|name| format!("\"{name}\"")).collect();
    let steps = part.steps.iter().map(|step| step.to_string()).collect();
    let axes = KEYS.iter().zip([laws, methods, steps]);
    let axes =
        axes.map(|(key, list)| SweepAxis { key: key.to_string(), values: Values::Values(list) });
    let grid = SweepGrid::new(axes.collect(), None, MOST)?;
    let first = load(base, &grid.jobs().settings(0)).map_err(|errors| errors.render(false))?;
    let plan = FolderPlan {
        verify: None,
        accuracy: None,
        format: FORMAT,
        stiction: PROGRAM.into(),
        scene_sha256: fingerprint(&first.scene, &grid.axes),
        set: base.set.clone(),
        jobs: grid.count(),
        grid,
    };
    Ok(Folder::create(path, plan)?)
}

/// Runs the jobs of which there is no result yet, on all cores.
fn go(study: &Study, base: &Base, folder: &Folder) -> Result<(), Box<dyn Error>> {
    let missing: Vec<usize> =
        (0..folder.jobs.count()).filter(|job| folder.outcome(*job).is_none()).collect();
    folder.clean(&missing.iter().copied().collect())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let attempt = |settings: &SweepSettings| attempt(study, base, settings);
    eprintln!("{}: {} of {} runs to do", study.name, missing.len(), folder.jobs.count());
    let unchanged = folder.plan.watch_inputs(base);
    run(folder, &missing, cores, &attempt, &unchanged, &|| false, &mut |_, _| {})?;
    Ok(())
}

/// Runs one job; keeps the creep over the last quarter by displacement, as reported and in closed
/// form, the work, and the verdict.
fn attempt(study: &Study, base: &Base, settings: &SweepSettings) -> Option<Attempt> {
    let failed = |message: String| Some(Attempt { failure: Some(message), ..Attempt::default() });
    let loaded = load(base, settings).and_then(|loaded| {
        let built = base.build(&loaded.scene)?;
        Ok((loaded.scene, built))
    });
    let (scene, built) = match loaded {
        Ok(both) => both,
        Err(errors) => return failed(errors.render(false)),
    };
    let pair = Coefficients { static_friction: study.friction, kinetic_friction: study.friction };
    let law = built.model.friction().creep(study.load_ratio, study.normal_force, &pair);
    let trial = match Trial::of_built(&scene, built, None, &|| false) {
        Ok(trial) => trial,
        Err(error) => return failed(error.to_string()),
    };
    let failure = match &trial.status {
        Status::Failed(error) => Some(error.to_string()),
        _ => None,
    };
    let simulated = trial.trace.times.last().copied().unwrap_or_default();
    let figures = json!({
        "drift": drift(study, &trial),
        "speed": trial.figure("speed").map(|speed| speed - study.surface),
        "law": law,
        "simulated": simulated,
        "evaluations": trial.work.evaluations,
        "hlambda": trial.figure("hlambda"),
    });
    let trust = trial.document["trust"].clone();
    let results = [("figures".to_string(), figures), ("trust".to_string(), trust)];
    let results = results.into_iter().collect();
    Some(Attempt { failure, results, cpu_seconds: trial.cpu_seconds, kept: true })
}

/// Mean velocity of the body relative to the surface below it, over the last quarter of the run
/// \[m/s\].
fn drift(study: &Study, trial: &Trial) -> f64 {
    let (times, centers) = (&trial.trace.times, &trial.trace.centers);
    let last = times.len() - 1;
    let from = times.iter().position(|time| *time >= 0.7499 * times[last]).unwrap_or(last);
    let way = (centers[last][0] - centers[from][0]).dot(&Vector::from(study.direction));
    way / (times[last] - times[from]) - study.surface
}
