//! `inspect` and `repair`: a results folder against its checksums.

use crate::cli::terminal::{self, Exit, Failure, say, table};
use std::path::PathBuf;
use stiction_lab::output::folder::files::Disk;
use stiction_lab::output::folder::repair::repair;
use stiction_lab::run::Status;

/// Options of `inspect`.
#[derive(clap::Args)]
pub struct InspectFolder {
    /// The results folder: `--out` of a run
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
        let message = format!(
            "{faults} of {} files are damaged; `stiction repair {folder} --out NEW` salvages every frame that is sound",
            findings.len()
        );
        return Err(Failure::new(Exit::Unusable, message));
    }
    let text = match manifest.status.as_str() {
        Status::COMPLETED => format!("{folder}: a complete run, every checksum right\n"),
        status => format!(
            "{folder}: every checksum right; the run is not complete ({status}); {}\n",
            crate::cli::results::how_to_resume(&options.folder)
        ),
    };
    terminal::print(&text)?;
    Ok(Exit::Ok)
}

/// Runs the verb `repair`.
pub fn mend(options: &RepairFolder) -> Result<Exit, Failure> {
    let into = &options.out;
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
    say(&match repaired.step {
        Some(step) => {
            format!("step {step} has a checkpoint; {}", crate::cli::results::how_to_resume(into))
        }
        None => "no checkpoint serves it: the run itself would begin anew".into(),
    });
    Ok(Exit::Ok)
}
