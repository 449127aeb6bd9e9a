//! Salvaging a results folder: every frame whose bytes are all as they were written goes into a new
//! folder; the damaged one is not touched.

use super::atomic;
use super::checkpoint;
use super::directory::{CHECKPOINTS, JOURNAL, RunDirectory, name_of, steps_of};
use super::files::{Files, named};
use super::growing::{Growing, Piece};
use super::journal::{self, Entry};
use super::manifest::{MANIFEST, Manifest};
use crate::output::arrays::measures_csv;
use crate::output::arrays::topology::{TOPOLOGY, TOPOLOGY_ARRAYS};
use crate::output::arrays::trajectory::layout_of;
use std::io;
use std::path::Path;

/// The outcome of a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Frames of which the journal has a sound record.
    pub known: usize,
    /// Frames that were salvaged: their numbers in the damaged folder.
    pub frames: Vec<usize>,
    /// Whether the run can be gone on with from the new folder.
    pub step: Option<u64>,
}

/// Copies what is sound into a new folder.
///
/// # Errors
/// The manifest that cannot be read, or the file that cannot be written.
pub fn repair(files: &dyn Files, path: &Path, into: &Path) -> io::Result<Repaired> {
    let mut damaged = Damaged::open(files, path)?;
    let sound: Vec<usize> =
        (0..damaged.entries.len()).filter(|frame| damaged.is_sound(*frame)).collect();
    for folder in ["trajectory", CHECKPOINTS] {
        files.make_folder(&into.join(folder))?;
    }
    let write = |name: &str, bytes: &[u8]| {
        let at = into.join(name);
        atomic::write_to(files, &at, bytes).map_err(|error| named(&at, &error))
    };
    let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); sound.len()];
    for (number, name) in damaged.begun.data.clone().iter().enumerate() {
        write(name, &damaged.salvaged(number, &sound, &mut pieces)?)?;
    }
    let mut records = journal::head(damaged.begun.identity());
    for (frame, pieces) in sound.iter().zip(pieces) {
        let recorded = damaged.entries[*frame].recorded.clone();
        records.extend(journal::record(&Entry { recorded, pieces }));
    }
    write(JOURNAL, &records)?;
    // what does not change is copied as it is; `verify` tells whether it is sound
    for array in TOPOLOGY_ARRAYS {
        if let Ok(bytes) = files.read(&path.join(array.file())) {
            files.make_folder(&into.join(TOPOLOGY))?;
            write(&array.file(), &bytes)?;
        }
    }
    let mut step = None;
    for number in steps_of(&files.list(&path.join(CHECKPOINTS))?) {
        let name = format!("{CHECKPOINTS}/{}", name_of(number));
        if let Some(bytes) = damaged.checkpoint(&name, &records) {
            write(&name, &bytes)?;
            step = Some(number);
        }
    }
    write(MANIFEST, damaged.begun.text().as_bytes())?;
    Ok(Repaired { known: damaged.entries.len(), frames: sound, step })
}

/// A damaged folder: the manifest of a run that goes on, what the journal tells, and the data files.
struct Damaged<'a> {
    files: &'a dyn Files,
    path: &'a Path,
    begun: Manifest,
    entries: Vec<Entry>,
    /// none where a file is gone
    data: Vec<Option<Growing>>,
}

impl<'a> Damaged<'a> {
    fn open(files: &'a dyn Files, path: &'a Path) -> io::Result<Damaged<'a>> {
        let manifest = RunDirectory::manifest_of(files, path).map_err(io::Error::other)?;
        let bytes = files.read(&path.join(JOURNAL)).map_err(|error| named(path, &error))?;
        let mut entries = journal::salvage(&bytes);
        entries.retain(|entry| entry.pieces.len() == manifest.data.len());
        let mut data = Vec::new();
        for name in &manifest.data {
            // a file that is gone has no sound frame
            let length = files.read(&path.join(name)).map_or(0, |bytes| bytes.len() as u64);
            data.push(Growing::open(files, &path.join(name), length).ok());
        }
        let begun = Manifest { status: "running".into(), files: Default::default(), ..manifest };
        Ok(Damaged { files, path, begun, entries, data })
    }

    /// The bytes of a frame in a data file, if they are as they were written.
    fn piece(&mut self, number: usize, frame: usize) -> Option<Vec<u8>> {
        let piece = self.entries[frame].pieces[number];
        self.data[number].as_mut().and_then(|file| file.piece(piece))
    }

    /// Whether a frame is whole in all data files. The table of measures, the first of them, follows from
    /// the journal.
    fn is_sound(&mut self, frame: usize) -> bool {
        (1..self.data.len()).all(|number| self.piece(number, frame).is_some())
    }

    /// A data file with the sound frames alone, whose places in it are added to `pieces`.
    fn salvaged(
        &mut self,
        number: usize,
        sound: &[usize],
        pieces: &mut [Vec<Piece>],
    ) -> io::Result<Vec<u8>> {
        let rows = rows_of(&self.begun, number, sound.iter().map(|frame| &self.entries[*frame]));
        let mut bytes = head(self.files, self.path, &self.begun, number, &self.entries, rows);
        for (frame, pieces) in sound.iter().zip(pieces) {
            let row = match number {
                0 => measures_csv::line_of(&self.entries[*frame].recorded.frame)?,
                _ => self.piece(number, *frame).unwrap_or_default(),
            };
            let start = bytes.len() as u64;
            bytes.extend(&row);
            pieces.push(Piece { start, end: bytes.len() as u64, crc: crc32fast::hash(&row) });
        }
        Ok(bytes)
    }

    /// A checkpoint that serves with a new journal: nothing before it was lost.
    fn checkpoint(&self, name: &str, journal: &[u8]) -> Option<Vec<u8>> {
        let bytes = self.files.read(&self.path.join(name)).ok()?;
        let stored = checkpoint::read(&bytes, Some(self.begun.identity())).ok()?;
        let (length, crc) = stored.journal;
        let before = journal.get(..length as usize)?;
        (crc32fast::hash(before) == crc).then_some(bytes)
    }
}

/// Rows of an array in some frames.
fn rows_of<'a>(
    manifest: &Manifest,
    number: usize,
    entries: impl Iterator<Item = &'a Entry>,
) -> usize {
    let bytes: u64 = entries
        .map(|entry| entry.pieces[number].end.saturating_sub(entry.pieces[number].start))
        .sum();
    let layout = layout_of(&manifest.data[number], manifest.particles);
    layout.map_or(0, |layout| bytes as usize / layout.row().max(1))
}

/// The head of a data file with so many rows.
fn head(
    files: &dyn Files,
    path: &Path,
    manifest: &Manifest,
    number: usize,
    entries: &[Entry],
    rows: usize,
) -> Vec<u8> {
    let name = &manifest.data[number];
    if let Some(layout) = layout_of(name, manifest.particles) {
        return layout.header(rows);
    }
    let end = entries.first().map_or(0, |entry| entry.pieces[number].start) as usize;
    let bytes = files.read(&path.join(name)).unwrap_or_default();
    bytes.get(..end).unwrap_or_default().to_vec()
}
