//! Frames for other programs: `frames/*.vtu` with `run.pvd`, and `surfaces/*.obj` or `*.ply`. Each
//! frame has files of its own, whose digests its record in the journal holds; files written since the last
//! checkpoint are synced before the next.

use super::surfaces;
use super::vtu::Grid;
use super::vtu_frame;
use crate::output::arrays::table::FrameView;
use crate::output::folder::digest::Digest;
use crate::output::folder::files::{Files, Handle, named};
use crate::output::folder::growing::Growing;
use crate::output::folder::journal::Entry;
use crate::output::folder::sha256::Hasher;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction_scene::sections::{Output, Surface};

/// The folder of `.vtu` files.
pub const FRAMES: &str = "frames";

/// The folder of surfaces.
pub(crate) const SURFACES: &str = "surfaces";

/// The list of frames with their times, which ParaView opens.
pub(crate) const PVD: &str = "run.pvd";

/// The file of colliders that never move.
const AT_REST: &str = "frames/colliders.vtu";

const HEAD: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
const TAIL: &str = "</Collection>\n</VTKFile>\n";

/// The files of frames of one run.
pub(crate) struct FrameFiles {
    files: Arc<dyn Files>,
    path: PathBuf,
    output: Output,
    /// the list, and the offset of its next line
    list: Option<(Box<dyn Handle>, u64)>,
    /// whether one file shows the colliders of all frames
    at_rest: bool,
    unsynced: Vec<String>,
    /// the files of the frame being written
    shown: Vec<(String, Digest)>,
    /// buffer for the numbers of a file
    numbers: Vec<u8>,
}

impl FrameFiles {
    fn of(files: &Arc<dyn Files>, path: &Path, output: &Output) -> Self {
        FrameFiles {
            files: files.clone(),
            path: path.to_path_buf(),
            output: *output,
            list: None,
            at_rest: false,
            unsynced: Vec::new(),
            shown: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Starts without frames; removes those of an earlier run.
    pub fn begin(files: &Arc<dyn Files>, path: &Path, output: &Output) -> io::Result<Self> {
        let mut frames = FrameFiles::of(files, path, output);
        for folder in [FRAMES, SURFACES] {
            for name in frames.names(folder)? {
                frames.remove(&name)?;
            }
        }
        frames.remove(PVD)?;
        frames.open()?;
        Ok(frames)
    }

    /// Resumes after these frames; removes later ones.
    pub fn resume(
        files: &Arc<dyn Files>,
        path: &Path,
        output: &Output,
        entries: &[Entry],
    ) -> io::Result<Self> {
        let mut frames = FrameFiles::of(files, path, output);
        frames.open()?;
        frames.at_rest = rest(entries);
        for entry in entries {
            if let Some(number) = number_of(entry) {
                frames.list(number, entry.recorded.frame.time)?;
            }
        }
        let shown: BTreeSet<&String> =
            entries.iter().flat_map(|entry| &entry.shown).map(|(name, _)| name).collect();
        for folder in [FRAMES, SURFACES] {
            for name in frames.names(folder)?.iter().filter(|name| !shown.contains(name)) {
                frames.remove(name)?;
            }
        }
        Ok(frames)
    }

    /// Creates the requested folders and the list.
    fn open(&mut self) -> io::Result<()> {
        let wanted = [(FRAMES, self.output.vtu), (SURFACES, self.output.surface.is_some())];
        for (folder, _) in wanted.iter().filter(|(_, wanted)| *wanted) {
            let folder = self.path.join(folder);
            self.files.make_folder(&folder).map_err(|error| named(&folder, &error))?;
        }
        if self.output.vtu {
            let path = self.path.join(PVD);
            let make = || {
                let mut handle = self.files.create(&path)?;
                handle.write_at(0, format!("{HEAD}{TAIL}").as_bytes())?;
                Ok(handle)
            };
            let handle = make().map_err(|error| named(&path, &error))?;
            self.list = Some((handle, HEAD.len() as u64));
        }
        Ok(())
    }

    /// Whether a frame is to be written.
    pub fn wants(&self, number: usize) -> bool {
        let any = self.output.vtu || self.output.surface.is_some();
        any && (number as i64) % self.output.every.max(1) == 0
    }

    /// Writes a frame, if requested; returns its files.
    pub fn add(&mut self, view: &FrameView, number: usize) -> io::Result<Vec<(String, Digest)>> {
        if !self.wants(number) {
            return Ok(Vec::new());
        }
        let simulation = view.simulation;
        let (model, state) = (&simulation.model, &simulation.state);
        if let Some(surface) = self.output.surface {
            let (ending, bytes) = match surface {
                Surface::Obj => ("obj", surfaces::obj(model, state)),
                Surface::Ply => ("ply", surfaces::ply(model, state)),
            };
            self.write(&format!("{SURFACES}/{number:06}.{ending}"), &[&bytes])?;
        }
        if self.output.vtu {
            self.grid(&name_of("bodies", number), vtu_frame::bodies(view))?;
            self.grid(&name_of("contacts", number), vtu_frame::contacts(view, number))?;
            if number == 0 && vtu_frame::colliders_rest(model) {
                self.grid(AT_REST, vtu_frame::colliders(view))?;
                self.at_rest = true;
            } else if !self.at_rest {
                self.grid(&name_of("colliders", number), vtu_frame::colliders(view))?;
            }
            self.list(number, state.time)?;
        }
        Ok(std::mem::take(&mut self.shown))
    }

    fn grid(&mut self, name: &str, grid: Grid) -> io::Result<()> {
        let mut numbers = std::mem::take(&mut self.numbers);
        let [head, tail] = grid.pieces(self.output.compressed, &mut numbers)?;
        let written = self.write(name, &[head.as_bytes(), &numbers, tail.as_bytes()]);
        self.numbers = numbers;
        written
    }

    fn write(&mut self, name: &str, pieces: &[&[u8]]) -> io::Result<()> {
        let path = self.path.join(name);
        let write = || {
            let (mut handle, mut at) = (self.files.create(&path)?, 0);
            let mut digest = Hasher::default();
            for piece in pieces {
                handle.write_at(at, piece)?;
                digest.update(piece);
                at += piece.len() as u64;
            }
            Ok(Digest { bytes: at, sha256: digest.text() })
        };
        let digest = write().map_err(|error| named(&path, &error))?;
        self.shown.push((name.into(), digest));
        self.unsynced.push(name.into());
        Ok(())
    }

    /// Adds a frame to the list, which is complete after each.
    fn list(&mut self, number: usize, time: f64) -> io::Result<()> {
        let lines = lines(number, time, self.at_rest);
        let Some((handle, end)) = &mut self.list else { return Ok(()) };
        let path = self.path.join(PVD);
        let text = format!("{lines}{TAIL}");
        handle.write_at(*end, text.as_bytes()).map_err(|error| named(&path, &error))?;
        *end += lines.len() as u64;
        Ok(())
    }

    /// Syncs the frames so far, so that they survive a power failure.
    pub fn sync(&mut self) -> io::Result<()> {
        for name in std::mem::take(&mut self.unsynced) {
            let path = self.path.join(name);
            let sync = || self.files.open(&path)?.sync();
            sync().map_err(|error| named(&path, &error))?;
        }
        if let Some((handle, _)) = &mut self.list {
            let path = self.path.join(PVD);
            handle.sync().map_err(|error| named(&path, &error))?;
        }
        let made = [(FRAMES, self.output.vtu), (SURFACES, self.output.surface.is_some())];
        for (folder, _) in made.iter().filter(|(_, made)| *made) {
            let folder = self.path.join(folder);
            self.files.sync_folder(&folder).map_err(|error| named(&folder, &error))?;
        }
        Ok(())
    }

    /// Length and digest of the list, if it and the files of these frames read back as written; else the
    /// file that does not.
    pub(crate) fn read_back(&self, entries: &[Entry]) -> Result<Option<(String, Digest)>, PathBuf> {
        for (name, digest) in entries.iter().flat_map(|entry| &entry.shown) {
            if digest_of(&*self.files, &self.path, name).ok().as_ref() != Some(digest) {
                return Err(self.path.join(name));
            }
        }
        if self.list.is_none() {
            return Ok(None);
        }
        let digest = Digest::of(list_of(entries).as_bytes());
        match digest_of(&*self.files, &self.path, PVD).is_ok_and(|found| found == digest) {
            true => Ok(Some((PVD.into(), digest))),
            false => Err(self.path.join(PVD)),
        }
    }

    /// The files of frames in a folder.
    fn names(&self, folder: &str) -> io::Result<Vec<String>> {
        let path = self.path.join(folder);
        let names = self.files.list(&path).map_err(|error| named(&path, &error))?;
        let named = names.into_iter().map(|name| format!("{folder}/{name}"));
        Ok(named.filter(|name| is_frame(name)).collect())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path.join(name);
        self.files.remove(&path).map_err(|error| named(&path, &error))
    }
}

fn name_of(part: &str, number: usize) -> String {
    format!("{FRAMES}/{part}_{number:06}.vtu")
}

/// Whether a file has a name of a frame.
pub(crate) fn is_frame(name: &str) -> bool {
    let numbered = |text: &str| text.len() >= 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    let shown = || {
        let (part, number) = name.strip_prefix(FRAMES)?.strip_prefix('/')?.split_once('_')?;
        let known = ["bodies", "colliders", "contacts"].contains(&part);
        number.strip_suffix(".vtu").map(|number| known && numbered(number))
    };
    let surface = || {
        let (number, ending) = name.strip_prefix(SURFACES)?.strip_prefix('/')?.split_once('.')?;
        Some(numbered(number) && ["obj", "ply"].contains(&ending))
    };
    name == AT_REST || shown() == Some(true) || surface() == Some(true)
}

/// Length and digest of a file.
pub(crate) fn digest_of(files: &dyn Files, path: &Path, name: &str) -> io::Result<Digest> {
    Growing::view(files, &path.join(name), None)?.digest()
}

/// Whether one file shows the colliders of all these frames.
fn rest(entries: &[Entry]) -> bool {
    let mut shown = entries.iter().flat_map(|entry| &entry.shown);
    shown.any(|(name, _)| name == AT_REST)
}

/// Whether a frame stands in the list.
pub(crate) fn is_listed(entry: &Entry) -> bool {
    number_of(entry).is_some()
}

/// The number in the names of the files of a frame.
fn number_of(entry: &Entry) -> Option<usize> {
    let number = |(name, _): &(String, Digest)| {
        name.strip_prefix(FRAMES)?.strip_prefix("/bodies_")?.strip_suffix(".vtu")?.parse().ok()
    };
    entry.shown.iter().find_map(number)
}

/// The list of these frames.
pub(crate) fn list_of(entries: &[Entry]) -> String {
    let at_rest = rest(entries);
    let of = |entry: &Entry| Some(lines(number_of(entry)?, entry.recorded.frame.time, at_rest));
    format!("{HEAD}{}{TAIL}", entries.iter().filter_map(of).collect::<String>())
}

/// The lines of a frame in the list.
fn lines(number: usize, time: f64, at_rest: bool) -> String {
    let colliders = if at_rest { AT_REST.into() } else { name_of("colliders", number) };
    let parts = [name_of("bodies", number), colliders, name_of("contacts", number)];
    let names = ["bodies", "colliders", "contacts"];
    let line = |(part, (file, name)): (usize, (&String, &str))| {
        format!("<DataSet timestep=\"{time}\" part=\"{part}\" name=\"{name}\" file=\"{file}\"/>\n")
    };
    parts.iter().zip(names).enumerate().map(line).collect()
}
