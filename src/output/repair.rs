//! Salvaging a results folder: every frame whose bytes are all as they were written goes into a new
//! folder; the damaged one is not touched.

use super::atomic;
use super::checkpoint;
use super::directory::{CHECKPOINTS, DATA, JOURNAL, RunDirectory, name_of, steps_of};
use super::files::{Files, named};
use super::growing::{Growing, Piece};
use super::journal::{self, Entry};
use super::manifest::{MANIFEST, Manifest};
use super::npy;
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
    let manifest = RunDirectory::manifest_of(files, path).map_err(io::Error::other)?;
    let bytes = files.read(&path.join(JOURNAL)).map_err(|error| named(path, &error))?;
    let entries = journal::salvage(&bytes);
    let mut data = Vec::new();
    for name in DATA {
        // a file that is gone has no sound frame
        let length = files.read(&path.join(name)).map_or(0, |bytes| bytes.len() as u64);
        data.push(Growing::open(files, &path.join(name), length).ok());
    }
    let is_sound = |entry: &Entry, data: &mut [Option<Growing>]| {
        // the table of measures follows from the journal
        (1..DATA.len()).all(|number| {
            let read = data[number].as_mut().and_then(|file| file.piece(entry.pieces[number]));
            read.is_some()
        })
    };
    let sound: Vec<usize> =
        (0..entries.len()).filter(|number| is_sound(&entries[*number], &mut data)).collect();
    for folder in ["trajectory", CHECKPOINTS] {
        files.make_folder(&into.join(folder))?;
    }
    let begun = Manifest { status: "running".into(), files: Default::default(), ..manifest };
    let write = |name: &str, bytes: &[u8]| {
        let at = into.join(name);
        atomic::write_to(files, &at, bytes).map_err(|error| named(&at, &error))
    };
    let mut pieces: Vec<Vec<Piece>> = vec![Vec::new(); sound.len()];
    for (number, name) in DATA.iter().enumerate() {
        let mut bytes = head(files, path, number, &entries, sound.len());
        for (frame, pieces) in sound.iter().zip(&mut pieces) {
            let entry = &entries[*frame];
            let row = match number {
                0 => super::measures_csv::line_of(&entry.recorded.frame)?,
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
    // a checkpoint serves where nothing before it was lost
    let whole = |stored: &checkpoint::Stored| {
        let prefix = records.get(..stored.journal.0 as usize);
        prefix.is_some_and(|prefix| crc32fast::hash(prefix) == stored.journal.1)
    };
    let mut step = None;
    for number in steps_of(&files.list(&path.join(CHECKPOINTS))?) {
        let name = format!("{CHECKPOINTS}/{}", name_of(number));
        let Ok(bytes) = files.read(&path.join(&name)) else { continue };
        if checkpoint::read(&bytes, Some(begun.identity())).is_ok_and(|stored| whole(&stored)) {
            write(&name, &bytes)?;
            step = Some(number);
        }
    }
    write(MANIFEST, begun.text().as_bytes())?;
    Ok(Repaired { known: entries.len(), frames: sound, step })
}

/// The head of a data file with so many frames.
fn head(files: &dyn Files, path: &Path, number: usize, entries: &[Entry], rows: usize) -> Vec<u8> {
    let row = |number: usize| {
        entries.first().map_or(0, |entry| entry.pieces[number].end - entry.pieces[number].start)
    };
    let n = (row(number) / 24) as usize;
    match number {
        0 => {
            let end = entries.first().map_or(0, |entry| entry.pieces[0].start) as usize;
            let bytes = files.read(&path.join(DATA[0])).unwrap_or_default();
            bytes.get(..end).unwrap_or_default().to_vec()
        }
        1 => npy::header(rows, &[]),
        _ => npy::header(rows, &[n, 3]),
    }
}
