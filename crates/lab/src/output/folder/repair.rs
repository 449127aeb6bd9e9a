//! Salvages a results folder: every frame whose bytes are all as written is copied into a new
//! folder; the damaged folder is not changed.

use super::atomic;
use super::checkpoint;
use super::directory::{CHECKPOINTS, JOURNAL, RunDirectory, name_of, steps_of};
use super::files::{Files, named};
use super::growing::{Growing, Piece};
use super::journal::{self, Entry};
use super::manifest::{MANIFEST, Manifest};
use crate::output::arrays::topology::{TOPOLOGY, TOPOLOGY_ARRAYS};
use crate::output::arrays::trajectory::layout_of;
use crate::run::Status;
use std::io;
use std::path::Path;

/// The outcome of a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Number of frames with a sound record in the journal.
    pub known: usize,
    /// Indices of the salvaged frames in the damaged folder.
    pub frames: Vec<usize>,
    /// Step from which the run can be resumed in the new folder; none without a usable checkpoint.
    pub step: Option<u64>,
}

/// Copies the sound frames into a new folder.
///
/// # Errors
/// The manifest or journal that cannot be read, or that another version of the program wrote, or the
/// file that cannot be written.
pub fn repair(files: &dyn Files, path: &Path, into: &Path) -> io::Result<Repaired> {
    let manifest = RunDirectory::manifest_of(files, path).map_err(io::Error::other)?;
    let bytes = files.read(&path.join(JOURNAL)).map_err(|error| named(path, &error))?;
    journal::check_layout(&bytes)
        .map_err(|other| io::Error::other(format!("{JOURNAL}: {other}")))?;
    let names = manifest.data.clone();
    let mut entries = journal::salvage(&bytes);
    entries.retain(|entry| entry.pieces.len() == names.len());
    let mut data = Vec::new();
    for name in &names {
        // a missing file has no sound frame
        let length = files.read(&path.join(name)).map_or(0, |bytes| bytes.len() as u64);
        data.push(Growing::open(files, &path.join(name), length).ok());
    }
    let is_sound = |entry: &Entry, data: &mut [Option<Growing>]| {
        // the table of measures follows from the journal
        (1..names.len()).all(|number| {
            let read = data[number].as_mut().and_then(|file| file.piece(entry.pieces[number]));
            read.is_some()
        })
    };
    let sound: Vec<usize> =
        (0..entries.len()).filter(|number| is_sound(&entries[*number], &mut data)).collect();
    for folder in ["trajectory", CHECKPOINTS] {
        files.make_folder(&into.join(folder))?;
    }
    let begun = Manifest { status: Status::RUNNING.into(), files: Default::default(), ..manifest };
    let write = |name: &str, bytes: &[u8]| {
        let at = into.join(name);
        atomic::write_to(files, &at, bytes).map_err(|error| named(&at, &error))
    };
    let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); sound.len()];
    for (number, name) in names.iter().enumerate() {
        let rows = rows_of(&begun, number, sound.iter().map(|frame| &entries[*frame]));
        let mut bytes = head(files, path, &begun, number, &entries, rows);
        for (frame, pieces) in sound.iter().zip(&mut pieces) {
            let entry = &entries[*frame];
            let row = match number {
                0 => crate::output::arrays::measures_csv::line_of(&entry.recorded.frame)?,
                _ => data[number]
                    .as_mut()
                    .and_then(|file| file.piece(entry.pieces[number]))
                    .unwrap_or_default(),
            };
            let start = bytes.len() as u64;
            bytes.extend(&row);
            pieces.push(Piece { start, end: bytes.len() as u64, crc: crc32fast::hash(&row) });
        }
        write(name, &bytes)?;
    }
    let mut records = journal::head(begun.identity());
    for (frame, pieces) in sound.iter().zip(pieces) {
        let recorded = entries[*frame].recorded.clone();
        records.extend(journal::record(&Entry { recorded, pieces }));
    }
    write(JOURNAL, &records)?;
    // constant arrays have no checksum in the journal, and are copied as they are
    for array in TOPOLOGY_ARRAYS {
        if let Ok(bytes) = files.read(&path.join(array.file())) {
            files.make_folder(&into.join(TOPOLOGY))?;
            write(&array.file(), &bytes)?;
        }
    }
    let mut step = None;
    for (number, name, bytes) in checkpoints(files, path, begun.identity(), &records)? {
        write(&name, &bytes)?;
        step = Some(number);
    }
    write(MANIFEST, begun.text().as_bytes())?;
    Ok(Repaired { known: entries.len(), frames: sound, step })
}

/// Step, name and bytes of the usable checkpoints: those before which nothing was lost from the
/// journal.
fn checkpoints(
    files: &dyn Files,
    path: &Path,
    identity: u64,
    journal: &[u8],
) -> io::Result<Vec<(u64, String, Vec<u8>)>> {
    let is_whole = |stored: &checkpoint::Stored| {
        let prefix = journal.get(..stored.journal.0 as usize);
        prefix.is_some_and(|prefix| crc32fast::hash(prefix) == stored.journal.1)
    };
    let mut usable = Vec::new();
    for number in steps_of(&files.list(&path.join(CHECKPOINTS))?) {
        let name = format!("{CHECKPOINTS}/{}", name_of(number));
        let Ok(bytes) = files.read(&path.join(&name)) else { continue };
        if checkpoint::read(&bytes, Some(identity)).is_ok_and(|stored| is_whole(&stored)) {
            usable.push((number, name, bytes));
        }
    }
    Ok(usable)
}

/// Number of rows of an array in these frames.
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

/// The head of a data file with `rows` rows.
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
