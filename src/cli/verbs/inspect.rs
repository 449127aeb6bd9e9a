//! `inspect` and `repair`: a results folder against its checksums.

use super::sweep::damage;
use crate::cli::terminal::{self, Exit, Failure, say, table};
use std::path::{Component, Path, PathBuf};
use stiction_lab::experiment::sweep::folder::{Folder, FolderError};
use stiction_lab::output::folder::files::Disk;
use stiction_lab::output::folder::inspect::{Finding, Remedy, remedy_of, without_records};
use stiction_lab::output::folder::repair::repair;
use stiction_lab::run::Status;

/// Options of `inspect`.
#[derive(clap::Args)]
pub struct InspectFolder {
    /// The results folder: `--out` of a run or a sweep
    pub folder: PathBuf,
}

/// Options of `repair`.
#[derive(clap::Args)]
pub struct RepairFolder {
    /// The damaged results folder; it is not changed
    folder: PathBuf,
    /// The new folder for all frames that are sound
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Runs the verb `inspect`.
pub fn inspect(options: &InspectFolder) -> Result<Exit, Failure> {
    if Folder::is_one(&options.folder) {
        return inspect_sweep(&options.folder);
    }
    let (manifest, findings) =
        stiction_lab::output::folder::inspect::verify(&Disk, &options.folder)
            .map_err(|why| Failure::new(Exit::Unusable, why))?;
    let rows: Vec<Vec<String>> = findings
        .iter()
        .map(|finding| {
            let state = finding.fault.clone().unwrap_or("sound".into());
            vec![finding.file.clone(), finding.about.clone(), state]
        })
        .collect();
    terminal::print(&table(&["file", "content", ""], &rows))?;
    let faults = findings.iter().filter(|finding| finding.fault.is_some()).count();
    let folder = options.folder.display();
    if faults > 0 {
        return Err(damaged(&options.folder, &findings));
    }
    let text = match manifest.status.as_str() {
        Status::COMPLETED => format!("{folder}: a complete run, every checksum right\n"),
        // nothing of it was kept to resume from
        Status::FAILED if !findings.iter().any(Finding::is_checkpoint) => {
            format!("{folder}: every checksum right; the run failed\n")
        }
        status => format!(
            "{folder}: every checksum right; the run is not complete ({status}); {}\n",
            crate::cli::results::how_to_resume(&options.folder)
        ),
    };
    terminal::print(&text)?;
    if let Some(last) = manifest.resumed_by.last() {
        terminal::print(&format!("begun by {}, resumed by {last}\n", manifest.stiction))?;
    }
    Ok(Exit::Ok)
}

/// The failure of a damaged folder, with the remedy.
fn damaged(folder: &Path, findings: &[Finding]) -> Failure {
    let faulty: Vec<&Finding> = findings.iter().filter(|finding| finding.fault.is_some()).collect();
    let remedy = remedy_of(folder, &faulty);
    if faulty.iter().any(|finding| finding.remedy == Remedy::Read) {
        return Failure::new(Exit::Output, format!("{}: {remedy}", folder.display()));
    }
    let message = format!("{} of {} files are damaged; {remedy}", faulty.len(), findings.len());
    Failure::new(Exit::Unusable, message)
}

/// Checks the folder of a sweep.
fn inspect_sweep(path: &Path) -> Result<Exit, Failure> {
    let unusable = |error: FolderError| Failure::new(Exit::Unusable, error.to_string());
    let folder = Folder::open(path).map_err(unusable)?;
    let all = folder.jobs.count();
    let recorded = folder.recorded().map_err(unusable)?;
    let done = recorded.iter().filter(|job| folder.outcome(**job).is_some()).count();
    let at = path.display();
    if let Some(damage) = damage(&folder.damaged().map_err(unusable)?) {
        return Err(Failure::new(Exit::Unusable, format!("{at}: {damage}")));
    }
    terminal::print(&format!("{at}: a sweep, {done} of {all} jobs done, every digest right\n"))?;
    Ok(Exit::Ok)
}

/// Whether a folder, which need not be there yet, lies in another.
fn is_inside(new: &Path, other: &Path) -> bool {
    let mut place = PathBuf::new();
    for part in std::path::absolute(new).unwrap_or_else(|_| new.to_path_buf()).components() {
        match part {
            Component::ParentDir => _ = place.pop(),
            part => place.push(part),
        }
        if let Ok(there) = place.canonicalize() {
            place = there;
        }
    }
    other.canonicalize().is_ok_and(|other| place.starts_with(other))
}

/// Runs the verb `repair`.
pub fn mend(options: &RepairFolder) -> Result<Exit, Failure> {
    let into = &options.out;
    if is_inside(into, &options.folder) {
        let message = format!("`{}` is inside the damaged folder", into.display());
        return Err(Failure::new(Exit::Refused, message));
    }
    let occupied = std::fs::read_dir(into).is_ok_and(|mut entries| entries.next().is_some());
    if occupied {
        let message = format!("`{}` is not empty; choose another folder", into.display());
        return Err(Failure::new(Exit::Refused, message));
    }
    if let Err(why) =
        stiction_lab::output::folder::directory::RunDirectory::manifest_of(&Disk, &options.folder)
    {
        return Err(Failure::new(Exit::Unusable, why.to_string()));
    }
    let repaired = repair(&Disk, &options.folder, into)
        .map_err(|error| Failure::new(Exit::Output, error.to_string()))?;
    let salvaged = repaired.frames.len();
    if salvaged == 0 {
        let folder = options.folder.display();
        let message = match repaired.known {
            0 => format!("{folder}: {}", without_records(&options.folder)),
            known => format!("none of the {known} frames of {folder} is sound in every file"),
        };
        return Err(Failure::new(Exit::Unusable, message));
    }
    say(&format!(
        "{salvaged} of {} frames are sound and stand in {}",
        repaired.known,
        into.display()
    ));
    let lost: Vec<String> = (0..repaired.known)
        .filter(|frame| !repaired.frames.contains(frame))
        .map(|frame| frame.to_string())
        .collect();
    if !lost.is_empty() {
        say(&format!("lost: frames {}", lost.join(", ")));
    }
    if !repaired.lost.is_empty() {
        let steps: Vec<String> = repaired.lost.iter().map(u64::to_string).collect();
        say(&format!("lost: checkpoints of steps {}", steps.join(", ")));
    }
    say(&match repaired.step {
        Some(step) => {
            format!("step {step} has a checkpoint; {}", crate::cli::results::how_to_resume(into))
        }
        None => "no checkpoint serves it: the run itself would begin anew".into(),
    });
    Ok(Exit::Ok)
}
