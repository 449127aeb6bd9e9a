//! Resuming a run from its newest sound checkpoint.

use super::{
    CHECKPOINTS, DOCUMENT, JOURNAL, OutputError, RunDirectory, clear, hold, io_of, name_of,
    steps_of,
};
use crate::output::arrays::measures_csv;
use crate::output::arrays::npy::GrowingArray;
use crate::output::arrays::trajectory::{MEASURES, POSITION, Trajectory, data_of};
use crate::output::exports::frames::FrameFiles;
use crate::output::folder::atomic::{self, HALF};
use crate::output::folder::checkpoint::{self, Stored};
use crate::output::folder::files::{Disk, Files};
use crate::output::folder::growing::{Growing, Piece};
use crate::output::folder::journal::{self, Entry, HEAD};
use crate::output::folder::manifest::{MANIFEST, Manifest};
use crate::run::{Recovered, Run};
use std::io;
use std::path::Path;
use std::sync::Arc;
use stiction_core::math::Vector;
use web_time::Instant;

/// A folder whose run is resumed.
pub struct Resumed {
    /// The folder.
    pub directory: RunDirectory,
    /// The step it is resumed at; none without a checkpoint: the run begins anew.
    pub step: Option<u64>,
    /// Unusable checkpoints, with the reason.
    pub notices: Vec<String>,
}

impl RunDirectory {
    /// The manifest of a folder.
    ///
    /// # Errors
    /// The folder is of no run that could be resumed.
    pub fn manifest_of(files: &dyn Files, path: &Path) -> Result<Manifest, OutputError> {
        let file = path.join(MANIFEST);
        let bytes = files.read(&file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                unusable(path, format!("there is no {MANIFEST}: no run was begun here"))
            }
            _ => unusable(&file, error.to_string()),
        })?;
        Manifest::read(&bytes).map_err(|why| unusable(&file, why))
    }

    /// Locks the folder and resumes its run: `run`, which stands at t = 0, is brought to the
    /// folder's newest sound checkpoint.
    pub fn resume(path: &Path, run: &mut Run, manifest: Manifest) -> Result<Resumed, OutputError> {
        // a mistyped name must not become a folder
        RunDirectory::manifest_of(&Disk, path)?;
        let lock = hold(path)?;
        let mut resumed = RunDirectory::resume_at(Arc::new(Disk), path, run, manifest)?;
        resumed.directory.lock = Some(lock);
        Ok(resumed)
    }

    /// As [`RunDirectory::resume`], on any file system and without a lock.
    pub fn resume_at(
        files: Arc<dyn Files>,
        path: &Path,
        run: &mut Run,
        manifest: Manifest,
    ) -> Result<Resumed, OutputError> {
        let old = RunDirectory::manifest_of(&*files, path)?;
        if old.identity() != manifest.identity() {
            return Err(unusable(path, manifest.differences(&old)));
        }
        let checkpoints = path.join(CHECKPOINTS);
        let half = |name: &str| name.rsplit('.').next() == Some(HALF);
        clear(&*files, path, half)?;
        clear(&*files, &checkpoints, half)?;
        let bytes = files.read(&path.join(JOURNAL)).unwrap_or_default();
        // checkpoints before the last quarter of the old and of the new run depend on neither end
        let common = match manifest.end == old.end {
            true => u64::MAX,
            false => run.quarter().min(run.quarter_of(old.end)),
        };
        let names = files.list(&checkpoints).map_err(io_of(&checkpoints))?;
        let mut notices = Vec::new();
        for step in steps_of(&names).into_iter().rev().filter(|step| *step < common) {
            let at = checkpoints.join(name_of(step));
            let attempt = read_stored(&*files, &at, &manifest)
                .and_then(|stored| restore(&files, path, run, &bytes, stored, &manifest));
            match attempt {
                Ok(directory) => {
                    directory.is_under_way_again()?;
                    return Ok(Resumed { directory, step: Some(step), notices });
                }
                Err(why) => notices.push(format!("`{}`: {why}", at.display())),
            }
        }
        if !notices.is_empty() {
            let why = format!("no checkpoint can be resumed:\n  {}", notices.join("\n  "));
            return Err(unusable(path, why));
        }
        let directory = RunDirectory::begin(files, path, run, manifest)?;
        Ok(Resumed { directory, step: None, notices })
    }

    fn is_under_way_again(&self) -> Result<(), OutputError> {
        self.write(MANIFEST, self.manifest.text().as_bytes())?;
        let document = self.path.join(DOCUMENT);
        self.files.remove(&document).map_err(io_of(&document))
    }
}

fn unusable(path: &Path, why: String) -> OutputError {
    OutputError::Unusable { path: path.to_path_buf(), why }
}

fn read_stored(files: &dyn Files, at: &Path, manifest: &Manifest) -> Result<Stored, String> {
    let bytes = files.read(at).map_err(|error| error.to_string())?;
    checkpoint::read(&bytes, Some(manifest.identity())).map_err(|error| error.to_string())
}

/// The entries of the first `length` bytes of a journal, and the hasher that has read these bytes;
/// `None` unless their checksum is `crc`.
fn sound(journal: &[u8], length: u64, crc: u32) -> Option<(Vec<Entry>, crc32fast::Hasher)> {
    let bytes = journal.get(..length as usize).filter(|_| length >= HEAD as u64)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(bytes);
    let entries = journal::read(bytes).entries.into_iter().map(|(entry, _)| entry).collect();
    (hasher.clone().finalize() == crc).then_some((entries, hasher))
}

/// Restores a checkpoint, if all data it refers to are as they were written. Nothing is
/// changed before that is known.
fn restore(
    files: &Arc<dyn Files>,
    path: &Path,
    run: &mut Run,
    journal: &[u8],
    stored: Stored,
    manifest: &Manifest,
) -> Result<RunDirectory, String> {
    let Stored { checkpoint, frames, journal: (length, crc) } = stored;
    if !run.fits(&checkpoint) {
        return Err("it is of another scene".into());
    }
    let damaged = || format!("`{JOURNAL}` is not what it was then");
    let (entries, journal_crc) = sound(journal, length, crc).ok_or_else(damaged)?;
    if entries.len() as u64 != frames {
        return Err(damaged());
    }
    let text = |error: io::Error| error.to_string();
    let (n, output) = (run.simulation().model.particles(), run.scene().output);
    let data = data_of(&output);
    let of = |number: usize| entries.iter().map(move |entry| entry.pieces[number]).collect();
    if entries.iter().any(|entry| entry.pieces.len() != data.len()) {
        return Err(damaged());
    }
    let pieces: Vec<Vec<Piece>> = (1..data.len()).map(of).collect();
    let mut trajectory = Trajectory::open(&**files, path, &output, n, &pieces).map_err(text)??;
    let times: Vec<f64> = entries.iter().map(|entry| entry.recorded.frame.time).collect();
    let measures = measures(&**files, path, run, &entries).map_err(text)?;
    let position = trajectory.named(POSITION).ok_or_else(damaged)?;
    let recovered = recover(run, entries, position).map_err(text)?;
    for array in trajectory.arrays() {
        array.cut().map_err(text)?;
    }
    let mut journal = Growing::open(&**files, &path.join(JOURNAL), length).map_err(text)?;
    journal.cut().map_err(text)?;
    let shown = FrameFiles::resume(files, path, &output, &times).map_err(text)?;
    run.resume(checkpoint, recovered);
    let mut manifest = manifest.clone();
    (manifest.data, manifest.particles) = (data, n);
    Ok(RunDirectory {
        files: files.clone(),
        path: path.to_path_buf(),
        manifest,
        measures,
        trajectory,
        shown,
        contacts: output.contacts,
        journal,
        journal_crc,
        frames,
        quarter: run.quarter(),
        every: None,
        last: Instant::now(),
        lock: None,
    })
}

/// The table of measures up to the checkpoint. It follows from the journal, and is rewritten if it
/// has changed, for example by added error bars.
fn measures(files: &dyn Files, path: &Path, run: &Run, entries: &[Entry]) -> io::Result<Growing> {
    let at = path.join(MEASURES);
    let pieces: Vec<Piece> = entries.iter().map(|entry| entry.pieces[0]).collect();
    let head = measures_csv::line(measures_csv::columns_of(run).into_iter())?;
    let length = pieces.last().map_or(head.len() as u64, |piece| piece.end);
    let mut bytes = head;
    if let Ok(mut file) = Growing::open(files, &at, length) {
        let mut first = vec![0; bytes.len()];
        file.read_at(0, &mut first)?;
        if first == bytes && file.check(&pieces)?.is_ok() {
            file.cut()?;
            return Ok(file);
        }
    }
    for entry in entries {
        bytes.extend(measures_csv::line_of(&entry.recorded.frame)?);
    }
    atomic::write_to(files, &at, &bytes)?;
    Growing::open(files, &at, length)
}

/// The frames, if the run needs them again.
fn recover(
    run: &Run,
    entries: Vec<Entry>,
    position: &mut GrowingArray,
) -> io::Result<Vec<Recovered>> {
    if !run.keeps_frames() {
        return Ok(Vec::new());
    }
    let n = run.simulation().model.particles();
    let (stride, mut row) = (run.stride(), vec![0; 24 * n]);
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let recover = |(frame, entry): (usize, Entry)| {
        let mut positions = Vec::new();
        if run.is_verified() {
            position.file.read_at(position.at(frame), &mut row)?;
            let vector =
                |b: &[u8]| Vector::new(number(&b[..8]), number(&b[8..16]), number(&b[16..]));
            positions.extend(row.chunks_exact(24).step_by(stride).map(vector));
        }
        Ok(Recovered { recorded: entry.recorded, positions })
    };
    entries.into_iter().enumerate().map(recover).collect()
}
