//! The results folder of a run: append-only data files, a journal of their checksums, checkpoints,
//! and a manifest that identifies the run.
//!
//! Order of a checkpoint: data files and journal are synced; the checkpoint is written under
//! another name, synced, read back, renamed, and the folder synced; then older ones are removed. So
//! the newest checkpoint refers only to existing bytes, even after a power failure.

use super::atomic;
use super::checkpoint::{self, Stored};
use super::digest::Digest;
use super::files::{Disk, Files, named};
use super::growing::Growing;
use super::inspect::{self, Finding};
use super::journal::{self, Entry, Link};
use super::lock::{self, LOCK, Lock, LockError};
use super::manifest::{self, Manifest};
use super::names::{
    CHECKPOINTS, DOCUMENT, FOLDERS, JOURNAL, MANIFEST, TRAJECTORY, intended, is_checkpoint,
    is_left, linked, name_of, steps_of,
};
use crate::output::arrays::measures_csv;
use crate::output::arrays::table::FrameView;
use crate::output::arrays::topology::{self, TOPOLOGY};
use crate::output::arrays::trajectory::{MEASURES, Trajectory, data_of, layout_of};
use crate::output::exports::frames::{FrameFiles, PVD};
use crate::run::{Observer, Recorded, Run, RunCheckpoint, Status, Verification};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction_core::measures::contact_fields::ContactFields;
use stiction_core::simulation::Simulation;
use web_time::{Duration, Instant};

mod read_back;
mod resume;

pub use resume::Resumed;

/// Largest summary that is read \[bytes\].
const DOCUMENT_MOST: u64 = 64 << 20;

/// The reasons why a results folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The folder is not empty (exit 8).
    #[error("`{}` is not empty", .0.display())]
    WouldOverwrite(PathBuf),
    /// The content of the folder is not an earlier run (exit 8).
    #[error("`{}` holds no earlier run of this program", .0.display())]
    NotARun(PathBuf),
    /// A part of it is a symbolic link (exit 8).
    #[error("`{}` is a symbolic link: what is written there would lie outside the folder", .0.display())]
    Link(PathBuf),
    /// Another process writes there (exit 8).
    #[error("`{}` is held by {by}, which writes its results there", .path.display())]
    Held {
        /// The folder.
        path: PathBuf,
        /// The process.
        by: String,
    },
    /// The folder cannot be resumed from (exit 7).
    #[error("`{}`: {why}", .path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// Results would be lost (exit 8).
    #[error("`{}`: {why}; --force allows it", .path.display())]
    Discards {
        /// The folder.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The file system refused (exit 5).
    #[error("`{}`: {cause}", .path.display())]
    Io {
        /// The path written.
        path: PathBuf,
        /// The reason.
        cause: io::Error,
    },
    /// The file system refused, with the file named (exit 5).
    #[error("{0}")]
    Named(#[from] io::Error),
}

impl OutputError {
    /// Whether the folder was moved, removed or replaced: the run cannot be resumed at its name.
    pub fn is_moved(&self) -> bool {
        matches!(self, OutputError::Named(error) if lock::is_moved(error))
    }
}

/// The open results folder of one run.
pub struct RunDirectory {
    files: Arc<dyn Files>,
    path: PathBuf,
    manifest: Manifest,
    measures: Growing,
    trajectory: Trajectory,
    shown: FrameFiles,
    /// whether contacts are computed at every frame
    contacts: bool,
    journal: Growing,
    /// the link of its last record
    link: Link,
    frames: u64,
    /// step from which on checkpoints depend on the end of the run
    quarter: u64,
    /// time between checkpoints; none: only before the last quarter and at a stop
    every: Option<Duration>,
    last: Instant,
    lock: Option<Lock>,
}

impl RunDirectory {
    /// Locks the folder and begins a run there. A folder with any content is refused, unless
    /// `force` allows the files of an earlier run to be replaced; other files are never touched.
    pub fn create(
        path: &Path,
        run: &Run,
        manifest: Manifest,
        force: bool,
    ) -> Result<Self, OutputError> {
        let names = || Disk.list(path).map_err(io_of(path));
        if let Err(error) = may_begin(path, &names()?, force) {
            // whoever writes there is named; a folder of somebody else gets no lock
            return match lock::is_one(path).then(|| hold(path)) {
                Some(Err(held @ OutputError::Held { .. })) => Err(held),
                _ => Err(error),
            };
        }
        let lock = hold(path)?;
        let others: Vec<String> = names()?.into_iter().filter(|name| name != LOCK).collect();
        may_begin(path, &others, force)?;
        let mut directory = RunDirectory::begin(Arc::new(Disk), path, run, manifest)?;
        directory.lock = Some(lock);
        Ok(directory)
    }

    /// Starts a run in a folder on any file system, replacing the files of an earlier one.
    pub fn begin(
        files: Arc<dyn Files>,
        path: &Path,
        run: &Run,
        mut manifest: Manifest,
    ) -> Result<Self, OutputError> {
        let output = run.scene().output;
        let n = run.simulation().model.particles();
        let head = measures_csv::line(measures_csv::columns_of(run).into_iter())?;
        manifest.describe(run, &head);
        let trajectory = path.join(TRAJECTORY);
        for folder in [&trajectory, &path.join(CHECKPOINTS)] {
            files.make_folder(folder).map_err(io_of(folder))?;
        }
        atomic::write_alone(&*files, &path.join(MANIFEST), manifest.text().as_bytes())
            .map_err(io_of(&path.join(MANIFEST)))?;
        let earlier = data_of(true).into_iter().filter(|name| !manifest.data.contains(name));
        for name in earlier.chain([DOCUMENT.to_string()]) {
            files.remove(&path.join(&name)).map_err(io_of(&path.join(&name)))?;
        }
        clear(&*files, &path.join(CHECKPOINTS), |name| is_checkpoint(name) || is_left(name))?;
        let begun = journal::head(manifest.identity());
        let at = |name: &str| path.join(name);
        topology::write(&*files, path, &run.simulation().model)?;
        let directory = RunDirectory {
            measures: Growing::create(&*files, &at(MEASURES), &head)?,
            trajectory: Trajectory::create(&*files, path, &output, n)?,
            shown: FrameFiles::begin(&files, path, &output)?,
            contacts: output.contacts,
            journal: Growing::create(&*files, &at(JOURNAL), &begun)?,
            link: journal::link(&begun),
            frames: 0,
            quarter: run.quarter(),
            every: None,
            last: Instant::now(),
            lock: None,
            files: files.clone(),
            path: path.to_path_buf(),
            manifest,
        };
        // the names of the folder and of its content must survive a power failure
        for folder in [path, &trajectory, &path.join(TOPOLOGY)] {
            files.sync_folder(folder).map_err(io_of(folder))?;
        }
        if let Some(above) = path.parent() {
            let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
            // an unreadable folder cannot be synced either
            let _ = files.sync_folder(above);
        }
        Ok(directory)
    }

    /// Sets the interval between checkpoints.
    pub fn checkpoint_every(&mut self, interval: Option<Duration>) {
        self.every = interval;
    }

    /// The append-only files, in the order of the manifest.
    fn data(&mut self) -> impl Iterator<Item = &mut Growing> {
        let arrays = self.trajectory.arrays().iter_mut().map(|array| &mut array.file);
        std::iter::once(&mut self.measures).chain(arrays)
    }

    /// Completes the folder: `document` is the summary, `errors` the error bars of its measures.
    ///
    /// # Errors
    /// The file that could not be written, or does not read back as written.
    pub fn finish(
        &mut self,
        document: &serde_json::Value,
        run: &Run,
        errors: Option<&Verification>,
    ) -> Result<(), OutputError> {
        self.check_place()?;
        self.sync()?;
        let mut digests = self.read_back()?;
        if let Some(errors) = errors {
            let table = measures_csv::with_errors(run, errors)?;
            self.write(MEASURES, &table)?;
            digests.insert(MEASURES.into(), Digest::of(&table));
        }
        let text = pretty(document)?;
        self.write(DOCUMENT, &text)?;
        digests.insert(DOCUMENT.into(), Digest::of(&text));
        self.manifest.files.extend(digests);
        self.manifest.status = document["status"].as_str().unwrap_or(Status::INTERRUPTED).into();
        // only a completed run needs none but the one from which it is extended
        let last = if self.manifest.status == Status::COMPLETED { 0 } else { usize::MAX };
        let folder = self.path.join(CHECKPOINTS);
        let steps = steps_of(&self.files.list(&folder).map_err(io_of(&folder))?);
        let old = superseded(&steps, self.quarter, last);
        self.manifest.checkpoints = steps.into_iter().filter(|step| !old.contains(step)).collect();
        let text = self.manifest.text();
        self.write(MANIFEST, text.as_bytes())?;
        Ok(self.prune(last)?)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), OutputError> {
        self.check_place()?;
        let path = self.path.join(name);
        atomic::write_alone(&*self.files, &path, bytes).map_err(io_of(&path))
    }

    /// Checks that a file written by its name does not land in another folder of this name.
    fn check_place(&self) -> io::Result<()> {
        self.lock.as_ref().map_or(Ok(()), Lock::check_place)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.data().try_for_each(Growing::sync)?;
        self.shown.sync()?;
        self.journal.sync()
    }

    /// Removes all checkpoints but the `last` newest ones and the newest one before the run's last
    /// quarter, from which the run can be extended.
    fn prune(&self, last: usize) -> io::Result<()> {
        self.check_place()?;
        prune(&*self.files, &self.path, self.quarter, last)
    }

    /// Checks all files of a run that has ended.
    ///
    /// # Errors
    /// The first damaged file.
    pub fn check(path: &Path) -> Result<(), OutputError> {
        let unusable = |why: String| OutputError::Unusable { path: path.to_path_buf(), why };
        let (_, findings) = inspect::verify(&Disk, path).map_err(unusable)?;
        let faulty: Vec<&Finding> = findings.iter().filter(|it| it.fault.is_some()).collect();
        let Some((first, fault)) = faulty.iter().find_map(|it| Some((it, it.fault.as_ref()?)))
        else {
            return Ok(());
        };
        Err(unusable(format!(
            "the run is complete, but not all of its folder is as written: `{}`: {fault}; {}",
            first.file,
            inspect::remedy_of(path, &faulty)
        )))
    }

    /// Removes the leftovers of a completed run that was killed before their removal. They remain in a
    /// folder that may only be read.
    ///
    /// # Errors
    /// Another process uses the folder, or the file system refused.
    pub fn clear_up(path: &Path, run: &Run) -> Result<(), OutputError> {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        match RunDirectory::remove_leftovers(path, run) {
            Err(OutputError::Io { cause, .. } | OutputError::Named(cause))
                if [PermissionDenied, ReadOnlyFilesystem].contains(&cause.kind()) =>
            {
                Ok(())
            }
            removed => removed,
        }
    }

    fn remove_leftovers(path: &Path, run: &Run) -> Result<(), OutputError> {
        let _lock = hold(path)?;
        for folder in [path, &path.join(CHECKPOINTS)] {
            clear(&Disk, folder, is_left)?;
        }
        Ok(prune(&Disk, path, run.quarter(), 0)?)
    }

    fn store(&mut self, run: RunCheckpoint) -> io::Result<()> {
        self.check_place()?;
        self.sync()?;
        // a sync may take long
        self.check_place()?;
        let path = self.path.join(CHECKPOINTS).join(name_of(run.step()));
        let journal = (self.journal.length(), self.link);
        let stored = Stored { checkpoint: run, frames: self.frames, journal };
        let bytes = checkpoint::bytes(&stored, self.manifest.identity());
        atomic::write_alone(&*self.files, &path, &bytes).map_err(|error| named(&path, &error))?;
        // a surplus old checkpoint is not an error
        let _ = self.prune(2);
        Ok(())
    }
}

impl Observer for RunDirectory {
    fn frame(&mut self, simulation: &Simulation, frame: &Recorded) -> io::Result<()> {
        self.check_place()?;
        let number = self.frames as usize;
        let wanted = self.contacts || self.shown.wants(number);
        let contacts = wanted.then(|| ContactFields::of(&simulation.model, &simulation.state));
        let view = FrameView { simulation, contacts: contacts.as_ref() };
        let mut pieces = vec![self.measures.append(&measures_csv::line_of(&frame.frame)?)?];
        pieces.extend(self.trajectory.push(&view, number)?);
        let shown = self.shown.add(&view, number)?;
        let record = journal::record(&Entry { recorded: frame.clone(), pieces, shown }, &self.link);
        self.journal.append(&record)?;
        self.link = journal::link(&record);
        self.frames += 1;
        Ok(())
    }

    fn wants_checkpoint(&mut self, step: u64) -> bool {
        // the checkpoint for extending the run is always made
        step + 1 == self.quarter || self.every.is_some_and(|every| self.last.elapsed() >= every)
    }

    fn checkpoint(&mut self, checkpoint: RunCheckpoint) -> io::Result<()> {
        let stored = self.store(checkpoint);
        self.last = Instant::now();
        stored
    }
}

/// The checkpoints that are no longer needed, see [`RunDirectory::prune`].
fn superseded(steps: &[u64], quarter: u64, last: usize) -> Vec<u64> {
    // at t = 0 a run begins anew, with or without one
    let longer = steps.iter().rev().find(|step| (1..quarter).contains(*step));
    let old = &steps[..steps.len().saturating_sub(last)];
    old.iter().filter(|step| Some(*step) != longer).copied().collect()
}

fn prune(files: &dyn Files, path: &Path, quarter: u64, last: usize) -> io::Result<()> {
    let folder = path.join(CHECKPOINTS);
    let steps = steps_of(&files.list(&folder).map_err(|error| named(&folder, &error))?);
    for step in superseded(&steps, quarter, last) {
        let path = folder.join(name_of(step));
        files.remove(&path).map_err(|error| named(&path, &error))?;
    }
    Ok(())
}

/// A document as text. Its length is counted first: it is long where there are many bodies, and would take
/// up to three times as much while its memory grows.
fn pretty(document: &serde_json::Value) -> io::Result<Vec<u8>> {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer_pretty(&mut count, document)?;
    let mut text = Vec::new();
    text.try_reserve_exact(count.0 + 1)?;
    serde_json::to_writer_pretty(&mut text, document)?;
    text.push(b'\n');
    Ok(text)
}

/// Whether a run may begin in a folder with these entries: an empty or absent one, or, with `force`, that of an earlier
/// run.
fn may_begin(path: &Path, names: &[String], force: bool) -> Result<(), OutputError> {
    if names.iter().all(|name| is_left_over(path, name)) {
        return Ok(());
    }
    match force {
        false => Err(OutputError::WouldOverwrite(path.to_path_buf())),
        true if !is_run(path, names) => Err(OutputError::NotARun(path.to_path_buf())),
        true => Ok(()),
    }
}

/// Makes the folder and locks it.
fn hold(path: &Path) -> Result<Lock, OutputError> {
    Disk.make_folder(path).map_err(io_of(path))?;
    if let Some(inner) = linked(path) {
        return Err(OutputError::Link(inner));
    }
    // before anything of an earlier run is removed
    for inner in FOLDERS.map(|name| path.join(name)) {
        Disk.list(&inner).map_err(io_of(&inner))?;
    }
    Lock::take(path).map_err(|error| match error {
        LockError::Held(by) => OutputError::Held { path: path.to_path_buf(), by },
        LockError::Io(path, cause) => OutputError::Io { path, cause },
    })
}

fn io_of(at: &Path) -> impl Fn(io::Error) -> OutputError {
    let path = at.to_path_buf();
    move |cause| OutputError::Io { path: path.clone(), cause }
}

/// Whether an entry of a folder is what a run leaves that was killed before its manifest had a name.
fn is_left_over(path: &Path, name: &str) -> bool {
    let is_empty = || Disk.list(&path.join(name)).is_ok_and(|names| names.is_empty());
    name == LOCK && lock::is_one(path)
        || intended(name) == Some(MANIFEST) && manifest::is_begun(&path.join(name))
        || [TRAJECTORY, CHECKPOINTS].contains(&name) && is_empty()
}

/// Whether the folder holds a run: by its manifest or summary, or because all its files have names
/// of a run.
fn is_run(path: &Path, names: &[String]) -> bool {
    let ours = |name: &String| {
        let name = intended(name).unwrap_or(name);
        let is_its = [MANIFEST, DOCUMENT, MEASURES, PVD].contains(&name) || FOLDERS.contains(&name);
        is_its || name == LOCK && lock::is_one(path)
    };
    let inner = [TRAJECTORY, CHECKPOINTS].map(|folder| {
        let held = Disk.list(&path.join(folder)).unwrap_or_default();
        held.iter().all(|name| {
            let name = format!("{folder}/{}", intended(name).unwrap_or(name));
            name == JOURNAL
                || layout_of(&name, 0).is_some()
                || is_checkpoint(&name[folder.len() + 1..])
        })
    });
    let of_old = || {
        let text = Disk.read(&path.join(DOCUMENT), DOCUMENT_MOST).unwrap_or_default();
        serde_json::from_slice::<serde_json::Value>(&text)
            .is_ok_and(|document| document.get("stiction").is_some())
    };
    let manifest = Disk.read(&path.join(MANIFEST), manifest::MOST).unwrap_or_default();
    let only_ours = names.iter().all(ours) && inner == [true; 2];
    Manifest::read(&manifest).is_ok() || only_ours || of_old()
}

/// Removes the files of a folder that `which` chooses.
fn clear(
    files: &dyn Files,
    folder: &Path,
    which: impl Fn(&str) -> bool,
) -> Result<(), OutputError> {
    for name in files.list(folder).map_err(io_of(folder))? {
        let path = folder.join(&name);
        if which(&name) {
            files.remove(&path).map_err(io_of(&path))?;
        }
    }
    Ok(())
}
