//! Going on with a run from the newest checkpoint that can be trusted.

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

/// A folder whose run goes on.
pub struct GoneOn {
    /// The folder.
    pub directory: RunDirectory,
    /// The step from which the run goes on; none where no checkpoint was made, and it begins anew.
    pub step: Option<u64>,
    /// Checkpoints that could not be used, with the reason.
    pub notices: Vec<String>,
}

impl RunDirectory {
    /// The manifest of a folder.
    ///
    /// # Errors
    /// Why the folder is of no run that could be gone on with.
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

    /// Holds the folder and goes on with its run: `run`, which stands at t = 0, is brought to where
    /// the newest checkpoint that can be trusted has it.
    pub fn go_on(path: &Path, run: &mut Run, manifest: Manifest) -> Result<GoneOn, OutputError> {
        // a name that was mistyped is not to become a folder
        RunDirectory::manifest_of(&Disk, path)?;
        let lock = hold(path)?;
        let mut gone_on = RunDirectory::go_on_at(Arc::new(Disk), path, run, manifest)?;
        gone_on.directory.lock = Some(lock);
        Ok(gone_on)
    }

    /// The same on any file system, without a lock.
    pub fn go_on_at(
        files: Arc<dyn Files>,
        path: &Path,
        run: &mut Run,
        manifest: Manifest,
    ) -> Result<GoneOn, OutputError> {
        let old = RunDirectory::manifest_of(&*files, path)?;
        if old.identity() != manifest.identity() {
            return Err(unusable(path, manifest.differences(&old)));
        }
        let checkpoints = path.join(CHECKPOINTS);
        let half = |name: &str| name.rsplit('.').next() == Some(HALF);
        clear(&*files, path, half)?;
        clear(&*files, &checkpoints, half)?;
        let bytes = files.read(&path.join(JOURNAL)).unwrap_or_default();
        // what comes before the last quarter of both is the same whenever the run ends
        let common = match manifest.end == old.end {
            true => u64::MAX,
            false => run.quarter().min(run.quarter_of(old.end)),
        };
        let names = files.list(&checkpoints).map_err(io_of(&checkpoints))?;
        let mut notices = Vec::new();
        for step in steps_of(&names).into_iter().rev().filter(|step| *step < common) {
            let at = checkpoints.join(name_of(step));
            let attempt = read_stored(&*files, &at, &manifest)
                .and_then(|stored| take_up(&files, path, run, &bytes, stored, &manifest));
            match attempt {
                Ok(directory) => {
                    directory.is_under_way_again()?;
                    return Ok(GoneOn { directory, step: Some(step), notices });
                }
                Err(why) => notices.push(format!("`{}`: {why}", at.display())),
            }
        }
        if !notices.is_empty() {
            let why = format!("no checkpoint can be gone on with:\n  {}", notices.join("\n  "));
            return Err(unusable(path, why));
        }
        let directory = RunDirectory::begin(files, path, run, manifest)?;
        Ok(GoneOn { directory, step: None, notices })
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

/// Brings the run to a checkpoint, if everything it speaks of is there as it was written. Nothing is
/// changed before that is known.
fn take_up(
    files: &Arc<dyn Files>,
    path: &Path,
    run: &mut Run,
    journal: &[u8],
    stored: Stored,
    manifest: &Manifest,
) -> Result<RunDirectory, String> {
    let Stored { kept, frames, journal: (length, crc) } = stored;
    if !run.fits(&kept) {
        return Err("it is of another scene".into());
    }
    let damaged = || format!("`{JOURNAL}` is not what it was then");
    let mut journal_crc = crc32fast::Hasher::new();
    let entries = entries_of(journal, length, crc, frames, &mut journal_crc).ok_or_else(damaged)?;
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
    let shown = FrameFiles::go_on(files, path, &output, &times).map_err(text)?;
    run.go_on(kept, recovered);
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

/// The entries of a journal's first `length` bytes, if these are as they were written.
fn entries_of(
    journal: &[u8],
    length: u64,
    crc: u32,
    frames: u64,
    hasher: &mut crc32fast::Hasher,
) -> Option<Vec<Entry>> {
    let sound = journal.get(..length as usize)?;
    hasher.update(sound);
    if hasher.clone().finalize() != crc || length < HEAD as u64 {
        return None;
    }
    let entries = journal::read(sound).entries;
    let complete = entries.len() as u64 == frames;
    complete.then(|| entries.into_iter().map(|(entry, _)| entry).collect())
}

/// The table of measures until then. It follows from the journal, and is written anew where it is not
/// what it was, as when error bars were added to it.
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

/// The frames, as far as the run wants them again.
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
