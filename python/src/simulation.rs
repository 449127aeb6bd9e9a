//! A simulation stepped from Python.
//!
//! It is protected by a lock. Steps are taken without the interpreter's lock, for some milliseconds
//! at a time; between these turns another thread may read. An array of the state is lent: the
//! memory of the simulation is moved into NumPy and never written again, and the simulation copies
//! it before its next step. So an array keeps the state of its time, whatever happens to the
//! simulation.

mod looking;
mod stepping;

use crate::attended::Stop;
use crate::failures::{build_failure, failure};
use crate::scene::Scene;
use crate::slots::take_fault;
use crate::values::{rows, to_python, vectors};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyList};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use stiction_core::Vector;
use stiction_core::state::hash_text;
use stiction_lab::run::Timeline;
use stiction_lab::run::timeline::Earlier;
use stiction_scene::build::build;

/// Arrays of the state.
#[derive(Clone, Copy)]
enum Part {
    Positions,
    Velocities,
    Forces,
}

const PARTS: [Part; 3] = [Part::Positions, Part::Velocities, Part::Forces];

/// One array of the state, in NumPy.
struct Lent {
    array: Py<PyArray2<f64>>,
    /// whether the simulation has its own copy
    copied: bool,
}

/// The simulation and its lent arrays.
struct Inner {
    timeline: Timeline,
    lent: [Option<Lent>; 3],
    /// number of changes of the scene
    changes: u64,
}

/// A simulation.
#[pyclass(frozen, module = "stiction._core")]
pub struct Simulation {
    inner: Mutex<Inner>,
    /// number of threads waiting for the lock
    waiting: AtomicUsize,
    /// whether steps may take so long that signals must be checked within them
    slow: AtomicBool,
    stop: Stop,
    scene: Mutex<Py<Scene>>,
}

/// A state to which the simulation can go back.
#[pyclass(frozen, module = "stiction._core")]
pub struct Checkpoint {
    kept: stiction_core::simulation::Checkpoint,
    earlier: Earlier,
    changes: u64,
    #[pyo3(get)]
    time: f64,
    #[pyo3(get)]
    step: u64,
}

impl Inner {
    fn part(&mut self, part: Part) -> &mut Vec<Vector> {
        let state = &mut self.timeline.simulation.state;
        match part {
            Part::Positions => &mut state.positions,
            Part::Velocities => &mut state.velocities,
            Part::Forces => &mut state.forces,
        }
    }

    /// Lends one array of the state; the same one until the state changes.
    fn lend(&mut self, py: Python<'_>, part: Part) -> PyResult<Py<PyArray2<f64>>> {
        if let Some(lent) = &self.lent[part as usize] {
            return Ok(lent.array.clone_ref(py));
        }
        let own = std::mem::take(self.part(part));
        let array = rows(py, own)?.unbind();
        self.lent[part as usize] = Some(Lent { array: array.clone_ref(py), copied: false });
        Ok(array)
    }

    /// Copies lent arrays, so that the state is complete.
    fn whole(&mut self, py: Python<'_>) -> PyResult<&mut Timeline> {
        for part in PARTS {
            if let Some(lent) = &mut self.lent[part as usize]
                && !lent.copied
            {
                let copy = vectors(lent.array.bind(py))?;
                lent.copied = true;
                *self.part(part) = copy;
            }
        }
        Ok(&mut self.timeline)
    }

    /// As `whole`, before a change of the state: lent arrays then belong to the previous state.
    fn moving(&mut self, py: Python<'_>) -> PyResult<&mut Timeline> {
        self.whole(py)?;
        self.lent = [None, None, None];
        Ok(&mut self.timeline)
    }
}

impl Simulation {
    /// Waits until no step is being taken.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Inner> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let inner = self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        inner
    }

    fn array(&self, py: Python<'_>, part: Part) -> PyResult<Py<PyArray2<f64>>> {
        self.lock(py).lend(py, part)
    }
}

/// Number of particles above which a step of an implicit method may take long.
const SLOW_PARTICLES: usize = 2000;

#[pymethods]
impl Simulation {
    /// Builds a scene; the simulation is at t = 0.
    #[new]
    fn start(py: Python<'_>, scene: Py<Scene>) -> PyResult<Simulation> {
        let stop = Stop::default();
        let built = scene.get().build(py, stop.halt())?;
        let implicit = built.integrator.capabilities().implicit || !built.method.is_force();
        let slow = implicit && built.model.particles() > SLOW_PARTICLES;
        let of = scene.clone_ref(py);
        let timeline = py.detach(|| Timeline::start(&of.get().scene, built));
        if let Some(error) = take_fault() {
            return Err(error);
        }
        Ok(Simulation {
            inner: Mutex::new(Inner { timeline, lent: [None, None, None], changes: 0 }),
            waiting: AtomicUsize::new(0),
            slow: AtomicBool::new(slow),
            stop,
            scene: Mutex::new(scene),
        })
    }

    #[getter]
    fn scene(&self, py: Python<'_>) -> Py<Scene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner).clone_ref(py)
    }

    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        self.array(py, Part::Positions)
    }

    #[getter]
    fn velocities(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        self.array(py, Part::Velocities)
    }

    #[getter]
    fn forces(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        self.array(py, Part::Forces)
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> f64 {
        self.lock(py).timeline.simulation.state.time
    }

    #[getter]
    fn step_count(&self, py: Python<'_>) -> u64 {
        self.lock(py).timeline.simulation.state.step_count
    }

    #[getter]
    fn time_step(&self, py: Python<'_>) -> f64 {
        self.lock(py).timeline.simulation.time_step()
    }

    #[getter]
    fn state_hash(&self, py: Python<'_>) -> PyResult<String> {
        let mut inner = self.lock(py);
        Ok(hash_text(inner.whole(py)?.simulation.state.hash()))
    }

    /// Level, its word, error bar, reasons and outweighed symptoms, as in `run.json`.
    fn verdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut inner = self.lock(py);
        let timeline = inner.whole(py)?;
        let verdict = timeline.verdict();
        let model = &timeline.simulation.model;
        let listed = |reasons: &[stiction_core::Reason]| -> Vec<serde_json::Value> {
            let one = |r: &stiction_core::Reason| json!({ "name": r.name(), "message": r.describe(model) });
            reasons.iter().map(one).collect()
        };
        let document = json!({
            "level": verdict.level().word(),
            "trusted": verdict.trusted(),
            "error": verdict.error,
            "reasons": listed(&verdict.reasons),
            "outweighed": listed(&verdict.outweighed),
        });
        drop(inner);
        to_python(py, &document)
    }

    fn checkpoint(&self, py: Python<'_>) -> PyResult<Checkpoint> {
        let mut inner = self.lock(py);
        let changes = inner.changes;
        let timeline = inner.whole(py)?;
        let kept = timeline.simulation.checkpoint();
        let (time, step) = (kept.state().time, kept.state().step_count);
        Ok(Checkpoint { kept, earlier: timeline.earlier().clone(), changes, time, step })
    }

    fn restore(&self, py: Python<'_>, to: &Checkpoint) -> PyResult<()> {
        let mut inner = self.lock(py);
        let same = inner.timeline.simulation.model.particles() == to.kept.state().positions.len();
        if inner.changes != to.changes || !same {
            let message =
                "the scene was changed since this checkpoint, or it is of another simulation";
            return Err(failure(py, "SimulationError", message));
        }
        inner.moving(py)?.restore(&to.kept, &to.earlier, None);
        Ok(())
    }

    /// Resumes under the scene with further settings.
    fn change(&self, py: Python<'_>, set: Vec<String>) -> PyResult<()> {
        let scene = self.scene(py).get().changed(py, set)?;
        let mut inner = self.lock(py);
        let options = scene.options(self.stop.halt());
        let built = py.detach(|| build(&scene.scene, &options));
        let mut built = built.map_err(|error| build_failure(py, &scene.scene, &error))?;
        Scene::add_forces(&scene.forces, &mut built);
        let now = inner.timeline.simulation.model.particles();
        if built.model.particles() != now {
            let message = format!(
                "the scene would have {} particles, and the simulation has {now}: bodies cannot be changed on the way",
                built.model.particles()
            );
            return Err(failure(py, "SimulationError", &message));
        }
        inner.moving(py)?.change(scene.scene.clone(), built);
        inner.changes += 1;
        drop(inner);
        let scene = Py::new(py, scene)?;
        *self.scene.lock().unwrap_or_else(PoisonError::into_inner) = scene;
        Ok(())
    }

    #[pyo3(signature = (count=1))]
    fn step(&self, py: Python<'_>, count: u64) -> PyResult<()> {
        self.do_step(py, count)
    }

    fn advance_to(&self, py: Python<'_>, time: f64) -> PyResult<()> {
        self.do_advance_to(py, time)
    }

    fn push(
        &self,
        py: Python<'_>,
        particles: Vec<usize>,
        force: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.do_push(py, particles, force)
    }

    fn grip(
        &self,
        py: Python<'_>,
        particles: Vec<usize>,
        target: &Bound<'_, PyAny>,
        stiffness: f64,
        damping: f64,
    ) -> PyResult<()> {
        self.do_grip(py, particles, target, stiffness, damping)
    }

    fn release(&self, py: Python<'_>) -> PyResult<()> {
        self.do_release(py)
    }

    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.now_energies(py)
    }

    fn contact_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.now_contact_fields(py)
    }

    fn contact_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.now_contact_columns(py)
    }

    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.now_measures(py)
    }

    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.now_masses(py)
    }

    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.now_bodies(py)
    }

    fn springs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.now_springs(py)
    }

    fn elements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.now_elements(py)
    }

    fn collider_triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.now_collider_triangles(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let inner = self.lock(py);
        let simulation = &inner.timeline.simulation;
        format!(
            "<Simulation of {} particles at t = {} s>",
            simulation.model.particles(),
            simulation.state.time
        )
    }
}
