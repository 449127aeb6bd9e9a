//! Experiments: the functions called by the command line, with their results as documents.

use crate::attended::{Course, Stop, attended};
use crate::failures::{build_failure, failure, scene_failure};
use crate::running::{AskedText, means_of_bar};
use crate::scene::Scene;
use crate::values::to_python;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use stiction_core::impulses::CONTACT_METHODS;
use stiction_core::{COLLIDERS, FRICTION_LAWS, INTEGRATORS, MEASURES, NORMAL_LAWS};
use stiction_lab::experiment::accuracy::asked::{AskedAccuracy, limit};
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::compare::compare as compare_all;
use stiction_lab::experiment::plan::{Plan, PlanError};
use stiction_lab::experiment::stiffness::{AnalysisSetting, analyse};
use stiction_lab::experiment::tune::{Cost, SearchGrid, TuneBudget, Tuning};
use stiction_lab::experiment::{documents, report, table};
use stiction_lab::run::Run;
use stiction_lab::validation::{CasePlan, RigSetting, document, groups};
use stiction_scene::diagnostics::SceneErrors;

/// The scene as the base of an experiment, with the request to stop.
pub fn base(py: Python<'_>, scene: &Scene, verify: Option<&str>, stop: &Stop) -> PyResult<Base> {
    let mut base = scene.base.clone();
    base.options.halt = stop.halt();
    base.verify = verify.map(|word| means_of_bar(py, word)).transpose()?;
    Ok(base)
}

/// The accuracy asked of the runs of a base, and the CPU time of each search \[s\]; `set` are settings of one of them.
pub fn asked(
    py: Python<'_>,
    base: &Base,
    set: &[String],
    accuracy: Option<AskedText>,
) -> PyResult<Option<AskedAccuracy>> {
    let Some((text, limit)) = accuracy else { return Ok(None) };
    let found = py.detach(|| -> Result<Result<AskedAccuracy, String>, SceneErrors> {
        let scene = base.load(set)?.scene;
        let run = Run::of(&scene, base.build(&scene)?).map_err(|error| error.in_scene(&scene))?;
        let given = limit.map(|limit| Duration::try_from_secs_f64(limit).unwrap_or(Duration::MAX));
        Ok(AskedAccuracy::parse(&text, given.unwrap_or(self::limit(&scene)), &run))
    });
    let found = found.map_err(|errors| scene_failure(py, &errors))?;
    found.map(Some).map_err(|why| failure(py, "UsageError", &why))
}

/// Refuses forces in Python: they are not part of the scene's text, from which experiments build.
pub fn without_forces(py: Python<'_>, scene: &Scene, what: &str) -> PyResult<()> {
    if scene.forces.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{what} builds its scenes from their text, where a force from Python does not stand: run, Simulation and compare know it"
    );
    Err(failure(py, "UsageError", &message))
}

/// One scene under several settings: the document of `compare --format json`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn compare<'py>(
    py: Python<'py>,
    scene: &Scene,
    lists: [Vec<String>; 7],
    reference: bool,
    verify: Option<&str>,
    accuracy: Option<AskedText>,
    jobs: usize,
    folder: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (stop, course) = (Stop::default(), Course::default());
    let mut base = base(py, scene, verify, &stop)?;
    base.accuracy = asked(py, &base, &[], accuracy)?;
    let mut plan = Plan::of(base);
    [
        plan.methods,
        plan.integrators,
        plan.laws,
        plan.epsilons,
        plan.steps,
        plan.lags,
        plan.solvers,
    ] = lists;
    plan.reference = reference;
    if !scene.forces.is_empty() {
        let forces = scene.forces.clone();
        plan.change(move |built| Scene::add_forces(&forces, built));
    }
    let comparison = attended(py, &stop, &course, progress.as_ref(), || {
        let mut seen = |label: &str, done, total| course.report(label, done, total);
        compare_all(&plan, jobs, &mut seen, &|| stop.is_asked())
    })?;
    let comparison = comparison.map_err(|error| match &error {
        PlanError::Scene(errors) | PlanError::Law { errors, .. } => scene_failure(py, errors),
        other => failure(py, "UsageError", &other.to_string()),
    })?;
    if let Some(folder) = folder {
        report::write(&comparison, "stiction.compare(...)", &folder)
            .map_err(|error| failure(py, "OutputError", &error.to_string()))?;
    }
    to_python(py, &table::json(&comparison))
}

/// The grid that is searched: the given names of laws and integrators, ε and steps; those of
/// [`SearchGrid::of`] where none are given.
fn grid(
    py: Python<'_>,
    base: &Base,
    (laws, integrators): (Option<Vec<String>>, Option<Vec<String>>),
    (epsilons, steps): (Option<Vec<f64>>, Option<Vec<f64>>),
) -> PyResult<SearchGrid> {
    let own = SearchGrid::of(base).map_err(|errors| scene_failure(py, &errors))?;
    let descending = |given: Option<Vec<f64>>, own: Vec<f64>| {
        let mut values = given.unwrap_or(own);
        values.sort_by(|a, b| b.total_cmp(a));
        values.dedup();
        values
    };
    let as_it_is = laws.is_none() && integrators.is_none() && epsilons.is_none() && steps.is_none();
    let grid = SearchGrid {
        own: as_it_is,
        laws: laws.unwrap_or(own.laws),
        integrators: integrators.unwrap_or(own.integrators),
        epsilons: descending(epsilons, own.epsilons),
        steps: descending(steps, own.steps),
    };
    grid.check().map_err(|why| failure(py, "UsageError", &why))?;
    Ok(grid)
}

/// The cheapest combination within a budget: the document of `tune --format json`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn tune<'py>(
    py: Python<'py>,
    scene: &Scene,
    budget: (f64, Option<f64>, Option<f64>, Option<f64>),
    seconds: Option<f64>,
    names: (Option<Vec<String>>, Option<Vec<String>>),
    numbers: (Option<Vec<f64>>, Option<Vec<f64>>),
    cost: &str,
    exhaustive: bool,
    verify: Option<&str>,
    max_time: Option<f64>,
    jobs: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    without_forces(py, scene, "tune")?;
    if scene.scene.contact.jumps() {
        let message = "contacts that jump velocities hold without a law: there is no ε to tune";
        return Err(failure(py, "UsageError", message));
    }
    let (stop, course) = (Stop::default(), Course::default());
    let base = base(py, scene, None, &stop)?;
    let grid = grid(py, &base, names, numbers)?;
    let (creep, penetration, energy, accuracy) = budget;
    let verify = verify.map(|word| means_of_bar(py, word)).transpose()?;
    let asked = || stop.is_asked();
    let tuning = Tuning {
        base: &base,
        budget: TuneBudget { creep, penetration, energy, accuracy },
        seconds,
        grid,
        cost: if cost == "evaluations" { Cost::Evaluations } else { Cost::Cpu },
        exhaustive,
        verify,
        max_time: max_time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        stop: &asked,
    };
    let answer = attended(py, &stop, &course, progress.as_ref(), || {
        let search = || {
            tuning.run(&mut |now| {
                let whole = (1e3 * (now.elapsed + now.remaining)) as u64;
                course.report(now.doing, (1e3 * now.elapsed) as u64, whole.max(1));
            })
        };
        match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
            Ok(pool) => pool.install(search),
            // the default number of threads
            Err(_) => search(),
        }
    })?;
    let answer = answer.map_err(|errors| scene_failure(py, &errors))?;
    to_python(py, &documents::tuning(&answer))
}

/// Rates, modes and stable steps: the document of `stiffness --format json`.
#[pyfunction]
pub fn stiffness<'py>(
    py: Python<'py>,
    scene: &Scene,
    at: Option<f64>,
    limit: f64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    without_forces(py, scene, "stiffness")?;
    if at.is_some_and(|time| !(0.0..=scene.scene.time.end()).contains(&time)) {
        let message = format!("`at` lies outside the run, 0 to {} s", scene.scene.time.end());
        return Err(failure(py, "UsageError", &message));
    }
    let (stop, course) = (Stop::default(), Course::default());
    let began = Instant::now();
    let found = attended(py, &stop, &course, progress.as_ref(), || {
        let over = || stop.is_asked() || began.elapsed().as_secs_f64() > limit;
        let told = Mutex::new(0);
        let stage = |what: &str| {
            let count = told.lock().map_or(0, |mut told| {
                *told += 1;
                *told
            });
            course.report(what, count, 0);
        };
        let setting = AnalysisSetting { at, stop: &over, stage: &stage };
        analyse(&scene.scene, &scene.options(stop.halt()), &setting)
            .map(|found| documents::stiffness(&scene.scene, &found))
    })?;
    let found = found.map_err(|error| build_failure(py, &scene.scene, &error))?;
    to_python(py, &found)
}

/// Cases with known answers: the document of `validate --format json`.
#[pyfunction]
pub fn validate<'py>(
    py: Python<'py>,
    only: Vec<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let known = groups();
    let unknown =
        only.iter().find(|name| !known.iter().any(|group| group.eq_ignore_ascii_case(name)));
    if let Some(unknown) = unknown {
        let message = format!("there is no group `{unknown}`; known are {}", known.join(", "));
        return Err(failure(py, "UsageError", &message));
    }
    let (stop, course) = (Stop::default(), Course::default());
    let plan = CasePlan::of(|case| {
        only.is_empty() || only.iter().any(|name| case.group.eq_ignore_ascii_case(name))
    });
    let outcomes = attended(py, &stop, &course, progress.as_ref(), || {
        let (asked, done) = (|| stop.is_asked(), Mutex::new(0));
        let total = plan.trials() as u64;
        let outcomes = plan.run(&RigSetting { stop: &asked }, &|name| {
            if let Ok(mut done) = done.lock() {
                *done += 1;
                course.report(name, *done, total);
            }
        });
        document(&outcomes)
    })?;
    to_python(py, &outcomes)
}

/// Names of a table: friction, normal, integrators, contact, colliders or measures.
#[pyfunction]
pub fn names(py: Python<'_>, table: &str) -> PyResult<Vec<&'static str>> {
    Ok(match table {
        "friction" => FRICTION_LAWS.names(),
        "normal" => NORMAL_LAWS.names(),
        "integrators" => INTEGRATORS.names(),
        "contact" => CONTACT_METHODS.names(),
        "colliders" => COLLIDERS.names(),
        "measures" => MEASURES.names(),
        other => {
            let message = format!(
                "there is no table {other:?}; there are friction, normal, integrators, contact, colliders, measures"
            );
            return Err(failure(py, "UsageError", &message));
        }
    })
}
