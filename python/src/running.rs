//! One run: computed on a separate thread, its frames stored as arrays and, if requested, in a
//! results folder like that of the command line.

use crate::attended::{Course, Stop, attended};
use crate::failures::{build_failure, failure, output_failure, scene_failure, step_failure};
use crate::scene::Scene;
use crate::values::to_python;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::state::hash_text;
use stiction_core::{Model, Simulation, SimulationError};
use stiction_lab::experiment::accuracy::asked::{limit, wanted};
use stiction_lab::experiment::accuracy::draft;
use stiction_lab::experiment::accuracy::ladder::methods;
use stiction_lab::experiment::accuracy::search::AccuracySearch;
use stiction_lab::experiment::base::is_step;
use stiction_lab::experiment::purse::Purse;
use stiction_lab::experiment::thread_time::ProcessTime;
use stiction_lab::output::arrays::measures_csv::{columns_of, standard_values};
use stiction_lab::output::folder::directory::OutputError;
use stiction_lab::output::folder::manifest::Settings;
use stiction_lab::run::verify::goals::Goals;
use stiction_lab::run::{Means, Observer, Outcome, Recorded, Run, Status};
use stiction_lab::session::{Ended, Session, answer};
use stiction_scene::build::{BuildError, BuildOptions, build};
use stiction_scene::diagnostics::SceneErrors;

/// An accuracy as text, and the CPU time of its search \[s\]; `None`: that of the scene.
pub type AskedText = (String, Option<f64>);

/// Options of a run.
pub struct RunOptions {
    /// The results folder.
    pub out: Option<PathBuf>,
    /// Whether results of an earlier run there may be replaced.
    pub replace: bool,
    /// Means of verifying it.
    pub verify: Option<Means>,
    /// The accuracy asked of it, and the CPU time of the search \[s\].
    pub accuracy: Option<AskedText>,
    /// Whether method and step are those of a draft.
    pub draft: bool,
    /// Whether positions and velocities of all particles are stored at every frame.
    pub frames: bool,
    /// Wall time between checkpoints; zero for none.
    pub checkpoint_every: Duration,
    /// Whether the order of the method is observed at every frame.
    pub observe_order: bool,
}

/// Reason why there is no outcome.
enum Fault {
    Build(BuildError),
    Scene(SceneErrors),
    Accuracy(String),
    Output(OutputError),
}

/// Arrays of the frames of a run.
#[derive(Default)]
struct Frames {
    particles: usize,
    positions: Vec<f64>,
    velocities: Vec<f64>,
}

/// Name, unit if known, values, error bars.
type FinishedColumn = (String, Option<&'static str>, Vec<f64>, Option<Vec<f64>>);

/// A run that has ended.
struct Finished {
    document: Value,
    /// Name, unit if known, values, error bars.
    columns: Vec<FinishedColumn>,
    frames: Option<Frames>,
    remarks: Vec<String>,
    failed: Option<(SimulationError, Arc<Model>)>,
    hash: String,
}

/// Keeps the particles of every frame, and reports progress.
struct Keeper<'a> {
    frames: Option<Frames>,
    course: &'a Course,
    label: String,
    steps: u64,
}

impl Observer for Keeper<'_> {
    fn frame(&mut self, simulation: &Simulation, _: &Recorded) -> io::Result<()> {
        if let Some(frames) = &mut self.frames {
            let state = &simulation.state;
            frames.particles = state.positions.len();
            frames.positions.extend(state.positions.iter().flat_map(|x| [x.x, x.y, x.z]));
            frames.velocities.extend(state.velocities.iter().flat_map(|v| [v.x, v.y, v.z]));
        }
        Ok(())
    }

    fn progress(&mut self, step: u64) {
        self.course.report(&self.label, step, self.steps);
    }

    fn verifying(&mut self, run: &str, steps: u64) {
        self.label = run.into();
        self.steps = steps;
        self.course.report(run, 0, steps);
    }
}

/// Runs a scene to its end, or until a step fails: a dict of arrays and documents.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub fn run<'py>(
    py: Python<'py>,
    scene: &Scene,
    out: Option<PathBuf>,
    replace: bool,
    verify: Option<&str>,
    accuracy: Option<AskedText>,
    draft: bool,
    frames: bool,
    checkpoint_every: f64,
    observe_order: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = RunOptions {
        out,
        replace,
        verify: verify.map(|word| means(py, word)).transpose()?,
        accuracy,
        draft,
        frames,
        checkpoint_every: Duration::try_from_secs_f64(checkpoint_every).unwrap_or_default(),
        observe_order,
    };
    let (stop, course) = (Stop::default(), Course::default());
    let work = || work(scene, &options, &stop, &course);
    let finished = attended(py, &stop, &course, progress.as_ref(), work)?;
    let finished = finished.map_err(|fault| match fault {
        Fault::Build(error) => build_failure(py, &scene.scene, &error),
        Fault::Scene(errors) => scene_failure(py, &errors),
        Fault::Accuracy(why) => failure(py, "UsageError", &why),
        Fault::Output(error) => output_failure(py, &error),
    })?;
    to_dict(py, finished)
}

/// Means of verifying by their name.
pub fn means(py: Python<'_>, word: &str) -> PyResult<Means> {
    Means::named(word).ok_or_else(|| {
        let message = format!(
            "verify is \"step\", \"method\", \"both\", \"model\", \"mesh\" or \"all\", not {word:?}"
        );
        failure(py, "UsageError", &message)
    })
}

/// As [`means`], of what reports error bars alone.
pub fn means_of_bar(py: Python<'_>, word: &str) -> PyResult<Means> {
    let means = means(py, word)?;
    if means.causes().next().is_some() {
        let message = format!(
            "verify={word:?} gives the shares of one run: use scene.run, and here \"step\", \"method\" or \"both\""
        );
        return Err(failure(py, "UsageError", &message));
    }
    Ok(means)
}

fn to_dict(py: Python<'_>, finished: Finished) -> PyResult<Bound<'_, PyDict>> {
    let result = PyDict::new(py);
    let (measures, units, errors) = (PyDict::new(py), PyDict::new(py), PyDict::new(py));
    for (name, unit, values, bars) in finished.columns {
        measures.set_item(&name, PyArray1::from_vec(py, values))?;
        units.set_item(&name, unit)?;
        if let Some(bars) = bars {
            errors.set_item(&name, PyArray1::from_vec(py, bars))?;
        }
    }
    result.set_item("measures", measures)?;
    result.set_item("units", units)?;
    result.set_item("errors", errors)?;
    if let Some(Frames { particles, positions, velocities }) = finished.frames {
        for (name, values) in [("positions", positions), ("velocities", velocities)] {
            let frames = values.len() / (3 * particles).max(1);
            let array = PyArray1::from_vec(py, values).reshape([frames, particles, 3])?;
            result.set_item(name, array)?;
        }
    }
    result.set_item("document", to_python(py, &finished.document)?)?;
    result.set_item("state_hash", finished.hash)?;
    result.set_item("remarks", finished.remarks)?;
    let failed = finished.failed.map(|(error, model)| step_failure(py, &error, &model));
    result.set_item("failure", failed)?;
    Ok(result)
}

/// The run itself, without the interpreter.
fn work(
    scene: &Scene,
    options: &RunOptions,
    stop: &Stop,
    course: &Course,
) -> Result<Finished, Fault> {
    let frames = || options.frames.then(Frames::default);
    let mut keeper = Keeper { frames: frames(), course, label: "running".into(), steps: 0 };
    let alone = options.verify.is_some() || options.observe_order || options.draft;
    let of_scene = || wanted(&scene.scene).filter(|_| !alone);
    let of_scene = || of_scene().map(|(text, limit)| (text, limit.as_secs_f64()));
    let own = limit(&scene.scene).as_secs_f64();
    let asked = options.accuracy.clone().map(|(text, given)| (text, given.unwrap_or(own)));
    let (session, ended) = match asked.or_else(of_scene) {
        Some((text, limit)) => searched(scene, (&text, limit), (options, stop), &mut keeper)?,
        None => {
            let mut session = match options.draft {
                true => drafted(scene, (options, stop))?,
                false => opened(scene, &scene.scene, &[], (options, stop))?,
            };
            kept(&mut session, scene, options, options.replace)?;
            keeper.steps = session.run.steps();
            let ended = session.finish(&mut keeper, &|| stop.is_asked());
            let ended = ended.map_err(|error| Fault::Output(OutputError::Named(error)))?;
            (session, ended)
        }
    };
    ended.written.map_err(Fault::Output)?;
    let (run, outcome) = (session.run, ended.outcome);
    let columns = columns(&run, &outcome);
    let failed = match outcome.status {
        Status::Failed(error) => Some((error, run.simulation().model.clone())),
        _ => None,
    };
    Ok(Finished {
        document: ended.document,
        columns,
        frames: keeper.frames,
        remarks: run.remarks,
        failed,
        hash: hash_text(outcome.state_hash),
    })
}

/// The session of a draft.
fn drafted(scene: &Scene, (options, stop): (&RunOptions, &Stop)) -> Result<Session, Fault> {
    let start = opened(scene, &scene.scene, &[], (options, stop))?;
    let options_of = scene.options(stop.halt());
    let built = |scene: &stiction_scene::Scene| build(scene, &options_of);
    let settings = draft::settings((&scene.scene, &start.run), has_step(scene), &built);
    drop(start);
    let loaded = scene.base.load(&settings).map_err(Fault::Scene)?;
    opened(scene, &loaded.scene, &settings, (options, stop))
}

/// Whether a step is given beside the scene.
fn has_step(scene: &Scene) -> bool {
    scene.base.set.iter().any(|set| is_step(set))
}

/// Keeps the results in the folder that was asked for.
fn kept(
    session: &mut Session,
    scene: &Scene,
    options: &RunOptions,
    replace: bool,
) -> Result<(), Fault> {
    if let Some(out) = &options.out {
        session.keep(out, &scene.path, replace).map_err(Fault::Output)?;
        session.checkpoint_every(options.checkpoint_every);
    }
    Ok(())
}

/// The run that has an accuracy within a CPU time \[s\], or the last of those that lead towards it.
fn searched(
    scene: &Scene,
    (text, limit): (&str, f64),
    (options, stop): (&RunOptions, &Stop),
    keeper: &mut Keeper<'_>,
) -> Result<(Session, Ended), Fault> {
    let start = opened(scene, &scene.scene, &[], (options, stop))?;
    let goals = Goals::parse(text, &start.run).map_err(Fault::Accuracy)?;
    let options_of = scene.options(stop.halt());
    let built = |scene: &stiction_scene::Scene| build(scene, &options_of);
    let methods = methods((&scene.scene, &start.run), has_step(scene), goals.least_share(), &built);
    drop(start);
    let mut finding = AccuracySearch::new(goals, methods, limit);
    let mut open = |settings: &[String], number: usize| {
        let loaded = scene.base.load(settings).map_err(Fault::Scene)?;
        let mut session = opened(scene, &loaded.scene, settings, (options, stop))?;
        kept(&mut session, scene, options, options.replace || number > 0)?;
        Ok(session)
    };
    // frames are those of the answer
    let mut shown = None;
    let run = |finding: &mut AccuracySearch, session: &mut Session| {
        let (started, left, number) = (ProcessTime::now(), finding.left(), finding.runs());
        let cost = || started.elapsed().as_secs_f64();
        let purse = Purse::of(left, Box::new(cost));
        keeper.frames = options.frames.then(Frames::default);
        (keeper.label, keeper.steps) = (format!("run {}", number + 1), session.run.steps());
        let ended =
            session.finish_in(finding, &cost, keeper, &|| purse.is_empty(&|| stop.is_asked()));
        let ended = ended.map_err(|error| Fault::Output(OutputError::Named(error)))?;
        if finding.is_last() {
            shown = keeper.frames.replace(Frames::default());
        }
        Ok(ended)
    };
    let (session, mut ended) = answer(&mut finding, &mut open, run)?;
    keeper.frames = shown.filter(|_| options.frames);
    if options.out.is_some() && !finding.is_last() && !stop.is_asked() {
        let mut again = open(&finding.settings(), finding.runs())?;
        ended.written = again.write_again(&ended, &|| stop.is_asked());
    }
    Ok((session, ended))
}

/// A scene with the forces written in Python, as a session with further settings.
fn opened(
    scene: &Scene,
    loaded: &stiction_scene::Scene,
    set: &[String],
    (options, stop): (&RunOptions, &Stop),
) -> Result<Session, Fault> {
    let forces = scene.forces.clone();
    let build = move |scene: &stiction_scene::Scene, limits: &BuildOptions| {
        let mut built = build(scene, limits)?;
        Scene::add_forces(&forces, &mut built);
        Ok(built)
    };
    let settings = Settings {
        set: [&scene.base.set[..], set].concat(),
        verify: options.verify,
        observe_order: options.observe_order,
        draft: options.draft,
        replays: false,
        allow_path: scene.base.allow_path,
    };
    let limits = scene.options(stop.halt());
    let session = Session::open(loaded, settings, &limits, Arc::new(build));
    let mut session = session.map_err(Fault::Build)?;
    session.warn(scene.warnings.iter().map(|warning| warning.message.clone()).collect());
    Ok(session)
}

/// Columns of `measures.csv`, with the units of the measures and their error bars.
fn columns(run: &Run, outcome: &Outcome) -> Vec<FinishedColumn> {
    let names = columns_of(run);
    let mut values: Vec<Vec<f64>> = vec![Vec::with_capacity(run.frames.len()); names.len()];
    for frame in &run.frames {
        let creep = frame.creep.iter().flat_map(Drift::row);
        let row = std::iter::once(frame.time)
            .chain(frame.measures.iter().copied())
            .chain(standard_values(frame))
            .chain(creep);
        values.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let measured = run.units();
    let count = measured.len();
    let columns = names.into_iter().zip(values).enumerate().map(|(k, (name, values))| {
        let unit = match k {
            0 => Some("s"),
            k if k <= count => Some(measured[k - 1]),
            k => standard_unit(&name, k > count + STANDARD),
        };
        let bars = outcome.verification.as_ref().and_then(|by| by.bars(&name));
        (name, unit, values, bars.map(<[f64]>::to_vec))
    });
    columns.collect()
}

/// Number of standard columns, without the time.
const STANDARD: usize = stiction_core::measures::columns::STANDARD.len();

/// The unit of a standard column, or of a column of every body.
fn standard_unit(name: &str, of_body: bool) -> Option<&'static str> {
    Some(match name {
        _ if of_body => "m/s",
        "contacts" | "sticking" | "sliding" | "max_hlambda" => "1",
        "max_penetration" => "m",
        _ if name.starts_with("momentum") => "kg·m/s",
        _ => "J",
    })
}
