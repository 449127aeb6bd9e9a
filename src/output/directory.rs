//! The output folder of a run.

use super::atomic;
use super::measures_csv::MeasuresCsv;
use super::npy::GrowingArray;
use super::run_json;
use crate::run::{Frame, Observer, Run, Verification};
use crate::scene::Scene;
use crate::simulation::Simulation;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files a run writes.
const FILES: [&str; 6] = [
    "run.json",
    "measures.csv",
    "trajectory/time.npy",
    "trajectory/position.npy",
    "trajectory/velocity.npy",
    "trajectory/creep.npy",
];

/// Why an output folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Something is there already (exit 8).
    #[error("`{}` is not empty", .0.display())]
    WouldOverwrite(PathBuf),
    /// The content of the folder is not an earlier run (exit 8).
    #[error("`{}` holds no earlier run of this program", .0.display())]
    NotARun(PathBuf),
    /// The file system said no (exit 5).
    #[error("`{}`: {cause}", .path.display())]
    Io {
        /// The path written.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
}

/// The open output folder of one run.
pub struct RunDirectory {
    path: PathBuf,
    measures: MeasuresCsv,
    time: GrowingArray,
    position: GrowingArray,
    velocity: GrowingArray,
    /// since the frame before: law, integrator, lag \[m/s\]; NaN where it has no meaning
    creep: GrowingArray,
}

impl RunDirectory {
    /// Creates the folder and its files. A folder that holds anything is refused, unless `force`
    /// allows what an earlier run left there to be replaced; other files are never touched.
    pub fn create(path: &Path, scene: &Scene, run: &Run, force: bool) -> Result<Self, OutputError> {
        let io = |at: &Path| {
            let path = at.to_path_buf();
            move |cause| OutputError::Io { path, cause }
        };
        if path.exists() {
            let occupied = fs::read_dir(path).map_err(io(path))?.next().is_some();
            if occupied && !force {
                return Err(OutputError::WouldOverwrite(path.to_path_buf()));
            }
            if occupied && !is_run(path) {
                return Err(OutputError::NotARun(path.to_path_buf()));
            }
            for name in FILES {
                remove(&path.join(name)).map_err(io(path))?;
            }
        }
        let trajectory = path.join("trajectory");
        fs::create_dir_all(&trajectory).map_err(io(&trajectory))?;
        let n = run.simulation().model.particles();
        let bodies: Vec<&str> =
            run.simulation().model.bodies.iter().map(|body| body.name.as_str()).collect();
        let open = || -> io::Result<Self> {
            Ok(RunDirectory {
                path: path.to_path_buf(),
                measures: MeasuresCsv::create(&path.join("measures.csv"), &run.columns, &bodies)?,
                time: GrowingArray::create(&trajectory.join("time.npy"), &[])?,
                position: GrowingArray::create(&trajectory.join("position.npy"), &[n, 3])?,
                velocity: GrowingArray::create(&trajectory.join("velocity.npy"), &[n, 3])?,
                creep: GrowingArray::create(&trajectory.join("creep.npy"), &[n, 3])?,
            })
        };
        let directory = open().map_err(io(path))?;
        directory
            .write_document(&run_json::document(scene, run, None, &[], None))
            .map_err(io(path))?;
        Ok(directory)
    }

    /// Gives the measures their error bars.
    pub fn add_errors(&mut self, run: &Run, by: &Verification) -> Result<(), OutputError> {
        let path = self.path.join("measures.csv");
        let bodies: Vec<&str> =
            run.simulation().model.bodies.iter().map(|body| body.name.as_str()).collect();
        MeasuresCsv::rewrite(&path, run, by, &bodies)
            .map_err(|cause| OutputError::Io { path, cause })
    }

    /// Completes the folder.
    pub fn finish(&mut self, document: &serde_json::Value) -> Result<(), OutputError> {
        let path = self.path.clone();
        self.sync()
            .and_then(|()| self.write_document(document))
            .map_err(|cause| OutputError::Io { path, cause })
    }

    /// Writes everything through to the disk, before `run.json` calls it complete.
    fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        FILES[1..].iter().try_for_each(|name| fs::File::open(self.path.join(name))?.sync_all())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.measures.flush()?;
        let Self { time, position, velocity, creep, .. } = self;
        for array in [time, position, velocity, creep] {
            array.flush()?;
        }
        Ok(())
    }

    fn write_document(&self, document: &serde_json::Value) -> io::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(document)?;
        bytes.push(b'\n');
        atomic::write(&self.path.join("run.json"), &bytes)
    }
}

/// Whether the folder's `run.json` is one of ours.
fn is_run(path: &Path) -> bool {
    let text = fs::read(path.join("run.json")).unwrap_or_default();
    serde_json::from_slice::<serde_json::Value>(&text)
        .is_ok_and(|document| document.get("stiction").is_some())
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Observer for RunDirectory {
    fn frame(&mut self, simulation: &Simulation, frame: &Frame) -> io::Result<()> {
        let state = &simulation.state;
        self.measures.push(frame)?;
        self.time.push(std::iter::once(frame.time))?;
        self.position.push(state.positions.iter().flat_map(|x| [x.x, x.y, x.z]))?;
        self.velocity.push(state.velocities.iter().flat_map(|v| [v.x, v.y, v.z]))?;
        self.creep.push(simulation.watches.stick.creep.iter().flatten())?;
        self.flush()
    }
}
