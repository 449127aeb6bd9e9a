//! Space on disk that a results folder will take, estimated before the run.

use super::arrays::contact_rows;
use super::arrays::measures_csv;
use super::arrays::npy::Layout;
use super::arrays::table::{FrameView, recorded};
use super::arrays::trajectory::TIME;
use super::exports::{surfaces, vtu_frame};
use crate::run::Run;
use std::path::Path;
use stiction_core::measures::contact_fields::ContactFields;
use stiction_core::model::Model;
use stiction_scene::sections::Surface;

/// A number in a line of `measures.csv`, with its comma \[bytes\].
const CSV_NUMBER: u128 = 12;

/// A record of the journal: its frame, a body of it, a measure, the piece of a data file \[bytes\].
const RECORD: u128 = 312;
const RECORD_OF_BODY: u128 = 60;
const RECORD_OF_MEASURE: u128 = 8;
const RECORD_OF_FILE: u128 = 12;

/// `run.json`, and the rows of a body in it, 370 bytes of them about its drift where it touches something
/// \[bytes\].
const DOCUMENT: u128 = 4096;
const DOCUMENT_OF_BODY: u128 = 960;

/// A checkpoint, and a particle in it \[bytes\]; there are up to three.
const CHECKPOINT: u128 = 4096;
const CHECKPOINT_OF_PARTICLE: u128 = 300;
const CHECKPOINTS: u128 = 3;

/// Memory of a particle while a checkpoint is made and read back \[bytes\].
const WRITTEN_PARTICLE: u128 = 560;

/// Size of the results of a run \[bytes\]: an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// Number of frames.
    pub frames: u64,
    /// Size of all files if nothing touches.
    pub least: u128,
    /// Size of all files if every particle of a surface touches something in every frame. Equal to
    /// `least` without `[output] contacts` and `vtu`: no file then lists contacts.
    pub most: u128,
    /// Memory that writing them takes.
    pub memory: u128,
}

impl Space {
    /// The estimate for a run at t = 0. Files for other programs are measured on its first frame.
    pub fn of(run: &Run) -> Space {
        Space::of_frames(run, run.scene().time.frames())
    }

    /// The estimate of what a run still takes that is resumed in a folder: its frames that are not there, and the
    /// files that are written anew.
    pub fn more(run: &Run, folder: &Path) -> Space {
        let there = frames_in(folder);
        let topology = topology(&run.simulation().model);
        let space = Space::of_frames(run, run.scene().time.frames().saturating_sub(there));
        let [least, most] = [space.least, space.most].map(|bytes| bytes - topology);
        Space { least, most, ..space }
    }

    fn of_frames(run: &Run, frames: u64) -> Space {
        let (scene, simulation) = (run.scene(), run.simulation());
        let (output, model) = (&scene.output, &simulation.model);
        let [n, bodies] = [model.particles(), model.bodies.len()].map(|n| n as u128);
        let columns = measures_csv::columns_of(run).len() as u128;
        let (mut files, mut numbers) = (2, 1);
        for array in recorded(output.contacts) {
            (files, numbers) = (files + 1, numbers + n * array.width() as u128);
        }
        let record = RECORD
            + RECORD_OF_BODY * bodies
            + RECORD_OF_MEASURE * run.columns.len() as u128
            + RECORD_OF_FILE * files;
        let checkpoints = CHECKPOINTS * (CHECKPOINT + CHECKPOINT_OF_PARTICLE * n);
        let shown = u128::from(frames).div_ceil(output.every.max(1) as u128);
        let others = frame_for_others(run);
        let least = u128::from(frames) * (8 * numbers + CSV_NUMBER * columns + record)
            + shown * others
            + DOCUMENT
            + DOCUMENT_OF_BODY * bodies
            + checkpoints
            + topology(model);
        let rows = touchable(model) * contact_rows::length() as u128;
        let kept = if output.contacts { u128::from(frames) } else { 0 };
        let drawn = if output.vtu { shown } else { 0 };
        let most = least + rows * (kept + drawn);
        Space { frames, least, most, memory: WRITTEN_PARTICLE * n + 2 * others }
    }
}

/// One frame for ParaView and one of surfaces, those that are wanted, as they are at t = 0; of OBJ, whose numbers
/// are decimals, as it may become \[bytes\].
fn frame_for_others(run: &Run) -> u128 {
    let (output, simulation) = (&run.scene().output, run.simulation());
    let (model, state) = (&simulation.model, &simulation.state);
    let surface = match output.surface {
        Some(Surface::Obj) => surfaces::obj_later(model, state),
        Some(Surface::Ply) => surfaces::ply(model, state).len(),
        None => 0,
    };
    if !output.vtu {
        return surface as u128;
    }
    let contacts = ContactFields::of(model, state);
    let view = FrameView { simulation, contacts: Some(&contacts) };
    let moving = (!vtu_frame::colliders_rest(model)).then(|| vtu_frame::colliders(&view));
    let grids = [vtu_frame::bodies(&view), vtu_frame::contacts(&view, 0)];
    let mut appended = Vec::new();
    let sizes = grids.into_iter().chain(moving).map(|grid| {
        let heads = grid.pieces(output.compressed, &mut appended);
        heads.map_or(0, |heads| heads.iter().map(String::len).sum::<usize>() + appended.len())
    });
    (surface + sizes.sum::<usize>()) as u128
}

/// The arrays that no frame changes \[bytes\].
fn topology(model: &Model) -> u128 {
    let (mut triangles, mut tetrahedra) = (0, 0);
    for body in &model.bodies {
        triangles += body.triangles.len() as u128;
        tetrahedra += body.tetrahedra.len() as u128;
    }
    20 * model.particles() as u128
        + 32 * model.springs.len() as u128
        + 12 * triangles
        + 16 * tetrahedra
}

/// Number of particles that may touch something: those of triangles, and all of bodies without any.
fn touchable(model: &Model) -> u128 {
    let surfaces = &model.surfaces;
    if surfaces.colliders.is_empty() && surfaces.between.is_none() {
        return 0;
    }
    let mut outside = vec![false; model.particles()];
    for body in &model.bodies {
        if body.triangles.is_empty() {
            outside[body.particles.clone()].fill(true);
        }
        body.triangles.iter().flatten().for_each(|i| outside[*i as usize] = true);
    }
    outside.iter().filter(|outside| **outside).count() as u128
}

/// Number of frames in the folder of a run.
fn frames_in(folder: &Path) -> u64 {
    let layout = Layout::numbers(&[]);
    let bytes = std::fs::metadata(folder.join(TIME)).map_or(0, |about| about.len());
    bytes.saturating_sub(layout.head() as u64) / layout.row() as u64
}

/// Free space on the disk of a path, or of the nearest folder above it that exists \[bytes\]; none if
/// the system does not say.
pub fn free(path: &Path) -> Option<u128> {
    let absolute = std::path::absolute(path).ok()?;
    let folder = absolute.ancestors().find(|folder| folder.is_dir())?;
    of_system(folder)
}

#[cfg(unix)]
fn of_system(folder: &Path) -> Option<u128> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(u128::from(disk.f_bavail) * u128::from(disk.f_frsize))
}

#[cfg(not(unix))]
fn of_system(_: &Path) -> Option<u128> {
    None
}
