//! Resuming a run from its newest sound checkpoint.

use super::{OutputError, RunDirectory, clear, hold, io_of};
use crate::output::arrays::measures_csv;
use crate::output::arrays::npy::GrowingArray;
use crate::output::arrays::topology;
use crate::output::arrays::trajectory::{MEASURES, POSITION, Trajectory, data_of};
use crate::output::exports::frames::{FrameFiles, digest_of, is_frame};
use crate::output::folder::atomic;
use crate::output::folder::checkpoint::{self, Stored, Unusable};
use crate::output::folder::digest::Digest;
use crate::output::folder::files::{Disk, Files, named};
use crate::output::folder::growing::{Growing, Piece};
use crate::output::folder::journal::{self, Entry};
use crate::output::folder::manifest::{self, Manifest};
use crate::output::folder::names::{
    CHECKPOINTS, DOCUMENT, JOURNAL, MANIFEST, is_left, name_of, steps_of,
};
use crate::run::{Recovered, Run, Status};
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
        manifest::at(files, path).map_err(|error| unusable(&error.path, error.why))
    }

    /// Locks the folder and resumes its run: `run`, which stands at t = 0, is brought to the
    /// folder's newest sound checkpoint. With `force` by another program too, and even if
    /// frames are discarded.
    pub fn resume(
        path: &Path,
        run: &mut Run,
        manifest: Manifest,
        force: bool,
    ) -> Result<Resumed, OutputError> {
        // a mistyped name must not become a folder
        RunDirectory::manifest_of(&Disk, path)?;
        let lock = hold(path)?;
        let mut resumed = RunDirectory::resume_at(Arc::new(Disk), path, run, manifest, force)?;
        resumed.directory.lock = Some(lock);
        Ok(resumed)
    }

    /// As [`RunDirectory::resume`], on any file system and without a lock.
    pub fn resume_at(
        files: Arc<dyn Files>,
        path: &Path,
        run: &mut Run,
        manifest: Manifest,
        force: bool,
    ) -> Result<Resumed, OutputError> {
        let old = RunDirectory::manifest_of(&*files, path)?;
        let manifest = identified(path, &old, manifest, force)?;
        let checkpoints = path.join(CHECKPOINTS);
        clear(&*files, path, is_left)?;
        clear(&*files, &checkpoints, is_left)?;
        let bytes = journal_of(&*files, path)?;
        check_discarded(path, &old, &manifest, &bytes, force)?;
        // checkpoints before the last quarter of the old and of the new run depend on neither end
        let common = match manifest.end == old.end {
            true => u64::MAX,
            false => run.quarter().min(run.quarter_of(old.end)),
        };
        let names = files.list(&checkpoints).map_err(io_of(&checkpoints))?;
        let of = (manifest.identity(), run.simulation().model.particles());
        let mut notices = Vec::new();
        let steps = steps_of(&names);
        for step in steps.iter().copied().rev().filter(|step| *step < common) {
            let at = checkpoints.join(name_of(step));
            let attempt = checkpoint::open(&*files, path, step, of)
                .map_err(|why| Refusal::Unfit(why.to_string()))
                .and_then(|(stored, _)| {
                    restore(&files, path, run, &bytes, stored, [&old, &manifest])
                });
            match attempt {
                Ok(directory) => {
                    let serves = |notice| format!("{notice}; an earlier checkpoint serves");
                    let mut notices: Vec<String> = notices.into_iter().map(serves).collect();
                    let earlier = steps.iter().copied().filter(|it| *it < step);
                    notices.extend(without_unfit(&*files, path, earlier, &bytes, of)?);
                    notices.extend(without_quarter(&*files, path, run.quarter(), step)?);
                    return Ok(Resumed { directory, step: Some(step), notices });
                }
                Err(Refusal::Unfit(why)) => notices.push(format!("`{}`: {why}", at.display())),
                Err(Refusal::Write(error)) => return Err(OutputError::Named(error)),
            }
        }
        if !notices.is_empty() {
            let why = format!("no checkpoint can be resumed:\n  {}", notices.join("\n  "));
            return Err(unusable(path, why));
        }
        if (old.status != Status::RUNNING || !steps.is_empty()) && !force {
            let why = "no checkpoint serves: the run would begin anew, and its results be lost";
            return Err(OutputError::Discards { path: path.to_path_buf(), why: why.into() });
        }
        let directory = RunDirectory::begin(files, path, run, manifest)?;
        Ok(Resumed { directory, step: None, notices })
    }
}

/// The journal of a folder; empty if the run was stopped before it had one.
fn journal_of(files: &dyn Files, path: &Path) -> Result<Vec<u8>, OutputError> {
    let path = path.join(JOURNAL);
    match journal::load(files, &path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| unusable(&path, error.to_string())),
    }
}

/// The reason why a checkpoint is not resumed.
enum Refusal {
    /// It, or a file it refers to, is not as it was written: an earlier one may serve.
    Unfit(String),
    /// A file cannot be written: neither can it for an earlier one.
    Write(io::Error),
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Refusal::Unfit(why)
    }
}

/// Says in a folder that its run has not ended, and removes the checkpoints behind the step it is resumed at:
/// they may depend on the end that the run was to have. Only then has it another end.
fn is_under_way(
    files: &dyn Files,
    path: &Path,
    [old, new]: [&Manifest; 2],
    step: u64,
) -> io::Result<()> {
    let remove = |at: &Path| files.remove(at).map_err(|error| named(at, &error));
    let write = |manifest: &Manifest| {
        let at = path.join(MANIFEST);
        atomic::write_alone(files, &at, manifest.text().as_bytes())
            .map_err(|error| named(&at, &error))
    };
    let with_old_end = Manifest { end: old.end, settings: old.settings.clone(), ..new.clone() };
    write(&with_old_end)?;
    remove(&path.join(DOCUMENT))?;
    let folder = path.join(CHECKPOINTS);
    let names = files.list(&folder).map_err(|error| named(&folder, &error))?;
    for later in steps_of(&names).into_iter().filter(|later| *later > step) {
        remove(&folder.join(name_of(later)))?;
    }
    files.sync_folder(&folder).map_err(|error| named(&folder, &error))?;
    if with_old_end == *new { Ok(()) } else { write(new) }
}

/// Removes earlier checkpoints that are damaged, since an ended run has sound ones alone; says which. Those that
/// cannot be read, or are of another program, remain.
fn without_unfit(
    files: &dyn Files,
    path: &Path,
    earlier: impl Iterator<Item = u64>,
    journal: &[u8],
    of: (u64, usize),
) -> Result<Vec<String>, OutputError> {
    let mut notices = Vec::new();
    for step in earlier {
        let at = path.join(CHECKPOINTS).join(name_of(step));
        let (why, remains) = match checkpoint::open(files, path, step, of) {
            Ok((stored, _)) => match stored.entries(journal) {
                Ok(_) => continue,
                Err(why) => (why, false),
            },
            Err(why @ (Unusable::Unread(_) | Unusable::Layout(_) | Unusable::ByteOrder)) => {
                (why.to_string(), true)
            }
            Err(why) => (why.to_string(), false),
        };
        let mut notice = format!("`{}`: {why}", at.display());
        if !remains {
            files.remove(&at).map_err(io_of(&at))?;
            notice.push_str("; it is removed");
        }
        notices.push(notice);
    }
    Ok(notices)
}

/// Says that a run, resumed at a step, will lack the checkpoint from which it could be made longer.
fn without_quarter(
    files: &dyn Files,
    path: &Path,
    quarter: u64,
    step: u64,
) -> Result<Option<String>, OutputError> {
    let checkpoints = path.join(CHECKPOINTS);
    let names = files.list(&checkpoints).map_err(io_of(&checkpoints))?;
    let is_lost =
        step >= quarter && quarter > 0 && !steps_of(&names).iter().any(|it| *it < quarter);
    Ok(is_lost.then(|| {
        format!(
            "`{}`: no checkpoint before step {quarter} is left: the run can be completed, and not be made longer then",
            checkpoints.display()
        )
    }))
}

/// The manifest of a resumed run, which has the identity of the run begun.
fn identified(
    path: &Path,
    old: &Manifest,
    new: Manifest,
    force: bool,
) -> Result<Manifest, OutputError> {
    let mut as_begun = Manifest { stiction: old.stiction.clone(), ..new.clone() };
    if old.identity() != as_begun.identity() {
        return Err(unusable(path, new.differences(old)));
    }
    as_begun.resumed_by.clone_from(&old.resumed_by);
    let last = old.resumed_by.last().unwrap_or(&old.stiction);
    if *last != new.stiction && !force {
        let why = format!(
            "its last program was {last}, and this is {}, whose bits may differ; --force resumes it all the same, and the manifest says so",
            new.stiction
        );
        return Err(unusable(path, why));
    }
    if *last != new.stiction {
        as_begun.resumed_by.push(new.stiction);
    }
    Ok(as_begun)
}

/// Refuses an end that discards frames of the run, unless `force`.
fn check_discarded(
    path: &Path,
    old: &Manifest,
    new: &Manifest,
    journal: &[u8],
    force: bool,
) -> Result<(), OutputError> {
    if force || new.end >= old.end {
        return Ok(());
    }
    let last = journal::read(journal).entries.last().map_or(0.0, |entry| entry.recorded.frame.time);
    if last <= new.end {
        return Ok(());
    }
    let why =
        format!("it has frames up to t = {last} s, and an end at {} s discards them", new.end);
    Err(OutputError::Discards { path: path.to_path_buf(), why })
}

fn unusable(path: &Path, why: String) -> OutputError {
    OutputError::Unusable { path: path.to_path_buf(), why }
}

/// Restores a checkpoint, if all data it refers to are as they were written. Nothing is changed before
/// that is known, and nothing is cut before the manifest says that the run is under way.
fn restore(
    files: &Arc<dyn Files>,
    path: &Path,
    run: &mut Run,
    journal: &[u8],
    stored: Stored,
    [old, new]: [&Manifest; 2],
) -> Result<RunDirectory, Refusal> {
    let entries = stored.entries(journal)?;
    let Stored { checkpoint, frames, journal: (length, link) } = stored;
    if !run.fits(&checkpoint) {
        return Err(Refusal::Unfit("it is of another scene".into()));
    }
    let damaged = || format!("`{JOURNAL}` is not what it was then");
    let text = |error: io::Error| error.to_string();
    let (n, output) = (run.simulation().model.particles(), run.scene().output);
    let data = data_of(output.contacts);
    let of = |number: usize| entries.iter().map(move |entry| entry.pieces[number]).collect();
    if entries.iter().any(|entry| entry.pieces.len() != data.len()) {
        return Err(damaged().into());
    }
    let pieces: Vec<Vec<Piece>> = (1..data.len()).map(of).collect();
    let mut trajectory = Trajectory::open(&**files, path, &output, n, &pieces).map_err(text)??;
    sound_frames(&**files, path, &entries)?;
    let position = trajectory.named(POSITION).ok_or_else(damaged)?;
    let recovered = recover(run, &entries, position).map_err(text)?;
    let mut manifest = new.clone();
    let columns = measures_csv::line(measures_csv::columns_of(run).into_iter()).map_err(text)?;
    manifest.describe(run, &columns);
    let step = checkpoint.step();
    is_under_way(&**files, path, [old, &manifest], step).map_err(Refusal::Write)?;
    // first, for files may have frames that it does not list, and not lack those that it does
    let mut journal =
        Growing::open(&**files, &path.join(JOURNAL), length).map_err(Refusal::Write)?;
    journal.cut().map_err(Refusal::Write)?;
    let measures = measures(&**files, path, columns, &entries).map_err(Refusal::Write)?;
    for array in trajectory.arrays() {
        array.cut().map_err(Refusal::Write)?;
    }
    let shown = FrameFiles::resume(files, path, &output, &entries).map_err(Refusal::Write)?;
    topology::write(&**files, path, &run.simulation().model).map_err(Refusal::Write)?;
    run.resume(checkpoint, recovered);
    Ok(RunDirectory {
        files: files.clone(),
        path: path.to_path_buf(),
        manifest,
        measures,
        trajectory,
        shown,
        contacts: output.contacts,
        journal,
        link,
        frames,
        quarter: run.quarter(),
        every: None,
        last: Instant::now(),
        lock: None,
    })
}

/// Checks the files that show single frames.
fn sound_frames(files: &dyn Files, path: &Path, entries: &[Entry]) -> Result<(), String> {
    let mut shown = entries.iter().flat_map(|entry| &entry.shown);
    let wrong = |(name, digest): &&(String, Digest)| {
        !is_frame(name) || digest_of(files, path, name).ok().as_ref() != Some(digest)
    };
    match shown.find(wrong) {
        Some((name, _)) => Err(format!("`{name}` is not what it was then")),
        None => Ok(()),
    }
}

/// The table of measures up to the checkpoint. It follows from the journal, and is rewritten if it
/// has changed, for example by added error bars.
fn measures(
    files: &dyn Files,
    path: &Path,
    columns: Vec<u8>,
    entries: &[Entry],
) -> io::Result<Growing> {
    let at = path.join(MEASURES);
    let pieces: Vec<Piece> = entries.iter().map(|entry| entry.pieces[0]).collect();
    let length = pieces.last().map_or(columns.len() as u64, |piece| piece.end);
    let mut bytes = columns;
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
    atomic::write_alone(files, &at, &bytes)?;
    Growing::open(files, &at, length)
}

/// The frames, if the run needs them again.
fn recover(
    run: &Run,
    entries: &[Entry],
    position: &mut GrowingArray,
) -> io::Result<Vec<Recovered>> {
    if !run.keeps_frames() {
        return Ok(Vec::new());
    }
    let n = run.simulation().model.particles();
    let (stride, mut row) = (run.stride(), vec![0; 24 * n]);
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let recover = |(frame, entry): (usize, &Entry)| {
        let mut positions = Vec::new();
        if run.is_verified() {
            position.file.read_at(position.at(frame), &mut row)?;
            let vector =
                |b: &[u8]| Vector::new(number(&b[..8]), number(&b[8..16]), number(&b[16..]));
            positions.extend(row.chunks_exact(24).step_by(stride).map(vector));
        }
        Ok(Recovered { recorded: entry.recorded.clone(), positions })
    };
    entries.iter().enumerate().map(recover).collect()
}
