//! Sweeps: one scene with some of its keys varied, in a folder with one file per job.

use crate::attended::{Course, Stop, attended};
use crate::experiments::{asked, base, without_forces};
use crate::failures::{failure, scene_failure};
use crate::running::AskedText;
use crate::scene::Scene;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::{Path, PathBuf};
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::sweep::collect::{CollectedCell, CollectedRows, CollectedTable};
use stiction_lab::experiment::sweep::folder::{Folder, FolderError, FolderPlan};
use stiction_lab::experiment::sweep::grid::{SweepAxis, SweepGrid, SweepSettings};
use stiction_lab::experiment::sweep::job::{attempt, texts};
use stiction_lab::experiment::sweep::plan::PlanError;
use stiction_lab::experiment::sweep::random::{SampleKind, SamplePlan};
use stiction_lab::experiment::sweep::run::run;
use stiction_lab::run::machine::cores;
use stiction_scene::files::MAX_BYTES;
use stiction_scene::regular;

/// Drawing of points: kind, number, seed.
type Sample = (String, u32, u64);

/// Runs the missing jobs of a sweep in its folder: columns, units, and indices of failed jobs.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn sweep<'py>(
    py: Python<'py>,
    scene: &Scene,
    vary: Vec<String>,
    out: PathBuf,
    sample: Option<Sample>,
    verify: Option<&str>,
    accuracy: Option<AskedText>,
    jobs: Option<usize>,
    retry: bool,
    max_jobs: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>, Vec<usize>)> {
    without_forces(py, scene, "sweep")?;
    let usage = |message: String| failure(py, "UsageError", &message);
    let axes: Result<Vec<SweepAxis>, String> = vary.iter().map(|v| SweepAxis::parse(v)).collect();
    let sample = sample.map(|(kind, count, seed)| {
        let kind = if kind == "latin" { SampleKind::Latin } else { SampleKind::Random };
        SamplePlan { kind, count, seed }
    });
    let grid = SweepGrid::new(axes.map_err(usage)?, sample, max_jobs);
    let grid = grid.map_err(|error| usage(error.to_string()))?;
    let (stop, course) = (Stop::default(), Course::default());
    let mut base = named_by_file(py, scene, base(py, scene, verify, &stop)?)?;
    let first = texts(&grid.jobs().settings(0));
    base.accuracy = asked(py, &base, &first, accuracy)?;
    let plan = FolderPlan::of(&base, grid).map_err(|error| match error {
        PlanError::Scene(errors) => scene_failure(py, &errors),
        PlanError::Overruled(message) => usage(message),
    })?;
    let fails = |error: FolderError| folder_failure(py, &error);
    let folder = Folder::create(&out, plan).map_err(fails)?;
    let all: Vec<usize> = (0..folder.jobs.count()).collect();
    folder.clean(&all.iter().copied().collect()).map_err(fails)?;
    let missing = folder.missing(&all, &folder.damaged().map_err(fails)?, retry);
    let (ends, total) = (|| stop.is_asked(), missing.len() as u64);
    let ran = attended(py, &stop, &course, progress.as_ref(), || {
        let one = |settings: &SweepSettings| attempt(&base, settings, &ends);
        let mut report = |done: usize, failed: usize| {
            let label = match failed {
                0 => "sweeping".to_string(),
                failed => format!("sweeping ({failed} failed)"),
            };
            course.report(&label, done as u64, total);
        };
        let (workers, unchanged) =
            (jobs.unwrap_or_else(cores).max(1), folder.plan.watch_inputs(&base));
        run(&folder, &missing, workers, &one, &unchanged, &ends, &mut report)
    })?;
    ran.map_err(fails)?;
    table(py, &folder)
}

/// The scene under the name of its file alone, since its folder differs between machines.
fn named_by_file(py: Python<'_>, scene: &Scene, base: Base) -> PyResult<Base> {
    if scene.path.as_os_str() == "-" {
        return Ok(base);
    }
    let bytes = regular::read(&scene.path, MAX_BYTES).map_err(|error| {
        failure(py, "OutputError", &format!("`{}`: {error}", scene.path.display()))
    })?;
    let parent = scene.path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let name = scene.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let named = Base::bytes(&name, &bytes, parent.unwrap_or(Path::new(".")));
    let Base { set, allow_path, options, verify, .. } = base;
    let mut named = named.verified(verify);
    (named.set, named.allow_path, named.options) = (set, allow_path, options);
    Ok(named)
}

/// The exception of a folder that cannot be used.
fn folder_failure(py: Python<'_>, error: &FolderError) -> PyErr {
    failure(py, "OutputError", error.to_string().trim_end())
}

fn table<'py>(
    py: Python<'py>,
    folder: &Folder,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>, Vec<usize>)> {
    let collected = py.detach(|| CollectedTable::of(&CollectedRows::of(folder)?));
    let collected = collected.map_err(|error| folder_failure(py, &error))?;
    let (columns, units) = (PyDict::new(py), PyDict::new(py));
    for column in &collected.columns {
        let cells: PyResult<Vec<Bound<'py, PyAny>>> =
            column.cells.iter().map(|cell| cell_of(py, cell)).collect();
        columns.set_item(&column.name, PyList::new(py, cells?)?)?;
        units.set_item(&column.name, &column.unit)?;
    }
    let failed = |job: &usize| folder.outcome(*job).is_some_and(|outcome| outcome.failed());
    Ok((columns, units, (0..folder.jobs.count()).filter(failed).collect()))
}

fn cell_of<'py>(py: Python<'py>, cell: &CollectedCell) -> PyResult<Bound<'py, PyAny>> {
    Ok(match cell {
        CollectedCell::Empty => py.None().into_bound(py),
        CollectedCell::Number(x) => x.into_pyobject(py)?.into_any(),
        CollectedCell::Flag(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        CollectedCell::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}
