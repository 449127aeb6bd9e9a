//! Salvages a results folder: every frame whose bytes are all as written is copied into a new
//! folder; the damaged folder is not changed.

use super::atomic;
use super::checkpoint;
use super::digest::Digest;
use super::files::{Files, named};
use super::growing::{Growing, Piece};
use super::inspect::HEAD_MOST;
use super::journal::{self, Entry};
use super::manifest::{self, Manifest};
use super::names::{CHECKPOINTS, JOURNAL, MANIFEST, linked, name_of, steps_of};
use crate::output::arrays::measures_csv;
use crate::output::arrays::topology::is_topology;
use crate::output::arrays::trajectory::layout_of;
use crate::output::exports::frames::{PVD, is_frame, is_listed, list_of};
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
    /// Steps of checkpoints that do not serve: damaged, or behind a lost frame.
    pub lost: Vec<u64>,
}

/// Copies the sound frames into a new folder, if there are any. A frame is sound if its record and all its bytes in all
/// files are.
///
/// # Errors
/// The manifest, journal or array that cannot be read, or that another version of the program wrote, or the
/// file that cannot be written.
pub fn repair(files: &dyn Files, path: &Path, into: &Path) -> io::Result<Repaired> {
    if let Some(link) = linked(path) {
        return Err(named(
            &link,
            &io::Error::other("it is a symbolic link, which leads elsewhere"),
        ));
    }
    let manifest = manifest::at(files, path).map_err(io::Error::other)?;
    let bytes = match journal::load(files, &path.join(JOURNAL)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|error| named(&path.join(JOURNAL), &error))?,
    };
    journal::check_layout(&bytes)
        .map_err(|other| io::Error::other(format!("{JOURNAL}: {other}")))?;
    let entries = in_order(journal::salvage(&bytes), manifest.data.len());
    let checkpoints = path.join(CHECKPOINTS);
    let names = files.list(&checkpoints).map_err(|error| named(&checkpoints, &error))?;
    let mut damaged = Damaged::open(files, path, &manifest, entries)?;
    let sound: Vec<usize> =
        (0..damaged.entries.len()).filter(|frame| damaged.is_sound(*frame)).collect();
    if sound.is_empty() {
        return Ok(Repaired {
            known: damaged.entries.len(),
            frames: sound,
            step: None,
            lost: Vec::new(),
        });
    }
    let of_topology = manifest.files.iter().filter(|(name, _)| is_topology(name));
    let begun = Manifest {
        status: Status::RUNNING.into(),
        checkpoints: Vec::new(),
        files: of_topology.map(|(name, digest)| (name.clone(), digest.clone())).collect(),
        ..manifest.clone()
    };
    let new = NewFolder { files, path: into };
    let mut entries: Vec<Entry> =
        sound.iter().map(|frame| damaged.entries[*frame].clone()).collect();
    for number in 0..manifest.data.len() {
        let pieces = damaged.copy(&new, number, &sound)?;
        entries.iter_mut().zip(pieces).for_each(|(entry, piece)| entry.pieces[number] = piece);
    }
    let records = records(begun.identity(), &entries);
    new.write(JOURNAL, &records)?;
    let shown = entries.iter().flat_map(|entry| &entry.shown).map(|(name, digest)| (name, digest));
    for (name, digest) in shown.chain(&begun.files) {
        // a constant array that is damaged is written anew when the run is resumed
        if let Some(mut file) = as_written(files, path, name, digest) {
            new.copy(name, &mut file, digest)?;
        }
    }
    if entries.iter().any(is_listed) {
        new.write(PVD, list_of(&entries).as_bytes())?;
    }
    let of = (begun.identity(), begun.particles);
    let (usable, lost) = new.checkpoints(path, steps_of(&names), of, &records)?;
    let step = usable.last().copied();
    new.write(MANIFEST, begun.text().as_bytes())?;
    Ok(Repaired { known: damaged.entries.len(), frames: sound, step, lost })
}

/// The journal of these frames.
fn records(identity: u64, entries: &[Entry]) -> Vec<u8> {
    let mut records = journal::head(identity);
    let mut link = journal::link(&records);
    for entry in entries {
        let record = journal::record(entry, &link);
        link = journal::link(&record);
        records.extend(record);
    }
    records
}

/// The folder that is made.
struct NewFolder<'a> {
    files: &'a dyn Files,
    path: &'a Path,
}

impl NewFolder<'_> {
    fn make(&self, folder: &str) -> io::Result<()> {
        let at = self.path.join(folder);
        self.files.make_folder(&at).map_err(|error| named(&at, &error))
    }

    /// Writes a file of this name, and makes its folder.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let (folder, _) = name.rsplit_once('/').unwrap_or_default();
        self.make(folder)?;
        let at = self.path.join(name);
        atomic::write_alone(self.files, &at, bytes).map_err(|error| named(&at, &error))
    }

    /// Copies the checkpoints of a run, its identity and number of particles, that can be read, and before which no
    /// frame was lost: the steps of these and of the others.
    fn checkpoints(
        &self,
        from: &Path,
        steps: Vec<u64>,
        of: (u64, usize),
        records: &[u8],
    ) -> io::Result<(Vec<u64>, Vec<u64>)> {
        self.make(CHECKPOINTS)?;
        let (mut usable, mut lost) = (Vec::new(), Vec::new());
        for step in steps {
            match checkpoint::open(self.files, from, step, of) {
                Ok((stored, bytes)) if stored.entries(records).is_ok() => {
                    self.write(&format!("{CHECKPOINTS}/{}", name_of(step)), &bytes)?;
                    usable.push(step);
                }
                _ => lost.push(step),
            }
        }
        Ok((usable, lost))
    }

    /// Copies a file of this digest, and makes its folder.
    fn copy(&self, name: &str, from: &mut Growing, digest: &Digest) -> io::Result<()> {
        let (folder, _) = name.rsplit_once('/').unwrap_or_default();
        self.make(folder)?;
        let mut file = Growing::create(self.files, &self.path.join(name), &[])?;
        file.append_from(from, 0, digest.bytes)?;
        file.sync()?;
        match file.digest()? == *digest {
            true => Ok(()),
            false => Err(named(file.path(), &io::Error::other("it does not read back as written"))),
        }
    }
}

/// The frames among salvaged records, each step once, as long as steps and times grow.
fn in_order(salvaged: Vec<Entry>, files: usize) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for entry in salvaged.into_iter().filter(|entry| entry.pieces.len() == files) {
        let later = |last: &Entry| {
            entry.recorded.step > last.recorded.step
                && entry.recorded.frame.time > last.recorded.frame.time
        };
        if entries.last().is_none_or(later) {
            entries.push(entry);
        }
    }
    entries
}

/// A file, if it is as written.
fn as_written(files: &dyn Files, path: &Path, name: &str, digest: &Digest) -> Option<Growing> {
    let mut file = Growing::view(files, &path.join(name), None).ok()?;
    let is_its = file.length() == digest.bytes && file.digest().ok()? == *digest;
    is_its.then_some(file)
}

/// A damaged folder.
struct Damaged<'a> {
    files: &'a dyn Files,
    path: &'a Path,
    manifest: &'a Manifest,
    entries: Vec<Entry>,
    /// the data files; none for those that are not there
    data: Vec<Option<Growing>>,
}

impl<'a> Damaged<'a> {
    fn open(
        files: &'a dyn Files,
        path: &'a Path,
        manifest: &'a Manifest,
        entries: Vec<Entry>,
    ) -> io::Result<Self> {
        let open = |name: &String| match Growing::view(files, &path.join(name), None) {
            // nothing is known of its frames
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
            opened => Ok(opened.ok()),
        };
        let data = manifest.data.iter().map(open).collect::<io::Result<_>>()?;
        Ok(Damaged { files, path, manifest, entries, data })
    }

    /// Copies the bytes of frames in a data file; returns their pieces.
    fn copy(&mut self, new: &NewFolder, number: usize, frames: &[usize]) -> io::Result<Vec<Piece>> {
        let name = &self.manifest.data[number];
        let (folder, _) = name.rsplit_once('/').unwrap_or_default();
        new.make(folder)?;
        let head = self.head(number, frames);
        let mut file = Growing::create(new.files, &new.path.join(name), &head)?;
        let mut pieces = Vec::with_capacity(frames.len());
        for frame in frames {
            pieces.push(self.add(number, *frame, &mut file)?);
        }
        file.sync()?;
        match file.check(&pieces)? {
            Ok(_) => Ok(pieces),
            Err(frame) => {
                let why = format!("frame {frame} does not read back as written");
                Err(named(file.path(), &io::Error::other(why)))
            }
        }
    }

    /// The first line of the table of measures without error bars, if it is as written.
    fn columns(&mut self) -> Option<Vec<u8>> {
        let file = self.data[0].as_mut()?;
        let mut bytes = vec![0; file.length().min(HEAD_MOST) as usize];
        file.read_at(0, &mut bytes).ok()?;
        let line = bytes.split(|byte| *byte == b'\n').next()?;
        let names = line.split(|byte| *byte == b',').filter(|name| !name.starts_with(b"error_"));
        let mut line = names.collect::<Vec<_>>().join(&b',');
        line.push(b'\n');
        (Digest::of(&line) == self.manifest.columns).then_some(line)
    }

    fn is_sound(&mut self, frame: usize) -> bool {
        let shown = &self.entries[frame].shown;
        let is_there = |(name, digest): &(String, Digest)| {
            is_frame(name) && as_written(self.files, self.path, name, digest).is_some()
        };
        shown.iter().all(is_there)
            && (1..self.data.len()).all(|number| {
                let piece = self.entries[frame].pieces[number];
                self.data[number].as_mut().is_some_and(|file| file.is_sound(piece))
            })
    }

    /// Adds the bytes of a frame to a data file. Those of the table of measures follow from the journal.
    fn add(&mut self, number: usize, frame: usize, to: &mut Growing) -> io::Result<Piece> {
        let entry = &self.entries[frame];
        if number == 0 {
            return to.append(&measures_csv::line_of(&entry.recorded.frame)?);
        }
        let (piece, lost) =
            (entry.pieces[number], || io::Error::other("it is not what was written"));
        let from = self.data[number].as_mut().ok_or_else(lost)?;
        let added = to.append_from(from, piece.start, piece.end)?;
        if added.crc == piece.crc { Ok(added) } else { Err(named(from.path(), &lost())) }
    }

    /// The head of a data file with these frames.
    fn head(&mut self, number: usize, frames: &[usize]) -> Vec<u8> {
        let pieces = frames.iter().map(|frame| self.entries[*frame].pieces[number]);
        if let Some(layout) = layout_of(&self.manifest.data[number], self.manifest.particles) {
            let bytes: u64 = pieces.map(|piece| piece.end.saturating_sub(piece.start)).sum();
            return layout.header(bytes as usize / layout.row().max(1));
        }
        let end = self.entries.first().map_or(0, |entry| entry.pieces[number].start);
        let mut head = vec![0; end.min(HEAD_MOST) as usize];
        match self.data[number].as_mut().map(|file| file.read_at(0, &mut head)) {
            Some(Ok(())) if Digest::of(&head) == self.manifest.columns => head,
            // error bars were added to the table, or its first line is damaged
            _ => self.columns().unwrap_or_default(),
        }
    }
}
