//! Scenes: loaded from a file or a text, changed, run.

use crate::failures::{build_failure, problem, scene_failure};
use crate::forces::PythonForce;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction_core::halt::Halt;
use stiction_lab::experiment::base::Base;
use stiction_lab::run::machine;
use stiction_scene::build::{BuildOptions, Built, build};
use stiction_scene::diagnostics::Diagnostic;
use stiction_scene::{Loaded, show};

/// A scene that passed all checks.
#[pyclass(frozen, module = "stiction._core")]
pub struct Scene {
    /// Its origin and settings, for loading by experiments.
    pub base: Base,
    /// The scene.
    pub scene: stiction_scene::Scene,
    /// Forces written in Python.
    pub forces: Vec<PythonForce>,
    /// The file, or `-` for a text.
    pub path: PathBuf,
    /// Number of threads of one run.
    pub threads: usize,
    /// Warnings: oddities that are not errors.
    pub warnings: Vec<Diagnostic>,
    resolved: String,
}

impl Scene {
    fn of(
        py: Python<'_>,
        base: Base,
        path: PathBuf,
        threads: usize,
        forces: Vec<PythonForce>,
    ) -> PyResult<Scene> {
        let loaded = py.detach(|| base.load(&[]));
        let loaded = loaded.map_err(|errors| scene_failure(py, &errors))?;
        let resolved = show(&loaded);
        let Loaded { scene, warnings, .. } = loaded;
        Ok(Scene { base, scene, forces, path, threads, warnings, resolved })
    }

    fn limited(
        mut base: Base,
        set: Vec<String>,
        allow_path: bool,
        threads: Option<usize>,
        max_memory: Option<u64>,
    ) -> (Base, usize) {
        base.set = set;
        base.allow_path = allow_path;
        let threads = threads.unwrap_or_else(machine::threads).max(1);
        let max_memory = max_memory.unwrap_or_else(|| machine::memory_limit(threads));
        base.options = BuildOptions { threads: 1, max_memory, halt: Halt::default() };
        (base, threads)
    }

    /// Limits of one run.
    pub fn options(&self, halt: Halt) -> BuildOptions {
        BuildOptions { threads: self.threads, halt, ..self.base.options }
    }

    /// Adds the forces written in Python to a built scene.
    pub fn add_forces(forces: &[PythonForce], built: &mut Built) {
        for force in forces {
            built.model.loads.push(Box::new(force.clone()));
        }
    }

    /// Builds the scene, including its forces from Python.
    pub fn build(&self, py: Python<'_>, halt: Halt) -> PyResult<Built> {
        let options = self.options(halt);
        let built = py.detach(|| build(&self.scene, &options));
        let mut built = built.map_err(|error| build_failure(py, &self.scene, &error))?;
        Scene::add_forces(&self.forces, &mut built);
        Ok(built)
    }

    /// The same scene with further settings.
    pub fn changed(&self, py: Python<'_>, set: Vec<String>) -> PyResult<Scene> {
        let mut base = self.base.clone();
        base.set.extend(set);
        Scene::of(py, base, self.path.clone(), self.threads, self.forces.clone())
    }
}

#[pymethods]
impl Scene {
    #[staticmethod]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        set: Vec<String>,
        allow_path: bool,
        threads: Option<usize>,
        max_memory: Option<u64>,
    ) -> PyResult<Scene> {
        let base = Base::file(&path);
        let (base, threads) = Scene::limited(base, set, allow_path, threads, max_memory);
        Scene::of(py, base, path, threads, Vec::new())
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn from_text(
        py: Python<'_>,
        text: &str,
        name: &str,
        folder: PathBuf,
        set: Vec<String>,
        allow_path: bool,
        threads: Option<usize>,
        max_memory: Option<u64>,
    ) -> PyResult<Scene> {
        let base = Base::bytes(name, text.as_bytes(), &folder);
        let (base, threads) = Scene::limited(base, set, allow_path, threads, max_memory);
        Scene::of(py, base, Path::new("-").into(), threads, Vec::new())
    }

    fn with_set(&self, py: Python<'_>, set: Vec<String>) -> PyResult<Scene> {
        self.changed(py, set)
    }

    fn with_force(&self, py: Python<'_>, force: Py<PyAny>) -> PyResult<Scene> {
        let mut forces = self.forces.clone();
        forces.push(PythonForce(Arc::new(force)));
        Scene::of(py, self.base.clone(), self.path.clone(), self.threads, forces)
    }

    #[getter]
    fn title(&self) -> &str {
        &self.scene.title
    }

    #[getter]
    fn step(&self) -> f64 {
        self.scene.time.step
    }

    #[getter]
    fn end(&self) -> f64 {
        self.scene.time.end()
    }

    #[getter]
    fn frame_interval(&self) -> f64 {
        self.scene.time.step * self.scene.time.steps_per_frame as f64
    }

    #[getter]
    fn integrator(&self) -> &str {
        self.scene.integrator.name
    }

    #[getter]
    fn friction_law(&self) -> &str {
        if self.scene.contact.jumps() { "coulomb" } else { self.scene.contact.friction.name }
    }

    #[getter]
    fn body_names(&self) -> Vec<String> {
        self.scene.bodies.iter().map(|body| body.name.clone()).collect()
    }

    #[getter]
    fn collider_names(&self) -> Vec<String> {
        self.scene.colliders.iter().map(|collider| collider.name.clone()).collect()
    }

    #[getter]
    fn resolved(&self) -> &str {
        &self.resolved
    }

    #[getter]
    fn settings(&self) -> Vec<String> {
        self.base.set.clone()
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.warnings.iter().map(|one| problem(py, one, &self.scene.sources)).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Scene {:?}>", self.scene.title)
    }
}
