//! The results folder of a run: its options, and resuming in it.

use super::failures::output_failure;
use super::request::Request;
use super::terminal::{Failure, say};
use std::path::{Path, PathBuf};
use std::time::Duration;
use stiction_core::math::number;
use stiction_lab::output::shell;
use stiction_lab::run::Run;
use stiction_lab::session::Session;

/// Where results are kept, and how often a checkpoint is made.
#[derive(clap::Args, Clone)]
pub struct FolderOptions {
    /// Keep the results in this folder: run.json, measures.csv, trajectory/*.npy
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the results of an earlier run in that folder, and a file in the place of --plot. With
    /// --resume: resume the run although another program began it, or although frames are discarded
    #[arg(long)]
    pub force: bool,
    /// Keep forces, slip and dissipated work of contacts at every frame too, as arrays of particles
    /// and as one row per contact (the scene's `output.contacts`)
    #[arg(long, requires = "out")]
    pub contacts: bool,
    /// Write every frame for ParaView: frames/*.vtu and run.pvd (the scene's `output.vtu`)
    #[arg(long, requires = "out")]
    pub vtu: bool,
    /// Resume the run in this folder from its last checkpoint, with the same bits as if it had not
    /// stopped. Scene and options are those it was begun with; `--set time.end=...` alone may
    /// differ
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "contacts", "vtu", "replay", "integrator", "step", "verify", "observe_order", "accuracy"])]
    pub resume: Option<PathBuf>,
    /// Time of the clock between checkpoints, as 200ms, 90s, 10m or 2h; 0 for none but when a signal or
    /// --max-wall stops the run
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = duration)]
    pub checkpoint_every: Duration,
}

impl FolderOptions {
    /// The folder of results, of a new run or of a resumed one.
    pub fn path(&self) -> Option<&Path> {
        self.out.as_deref().or(self.resume.as_deref())
    }
}

/// Parses 90, 90s, 200ms, 10m, 1.5h.
pub fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 5] =
        [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let with = |(unit, seconds): (&str, f64)| Some((text.strip_suffix(unit)?, seconds));
    UNITS
        .into_iter()
        .find_map(with)
        .and_then(|(digits, seconds)| Some(digits.trim_end().parse::<f64>().ok()? * seconds))
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "give seconds, or a number followed by ms, s, m or h".into())
}

/// Whether the run to be resumed has come to its end already; if so, says it.
pub fn is_complete(
    options: &FolderOptions,
    request: &Request,
    session: &Session,
) -> Result<bool, Failure> {
    let Some(folder) = &options.resume else { return Ok(false) };
    let complete = session.is_complete(folder, request.path()).map_err(output_failure)?;
    if complete {
        say(&format!("the run in {} is complete: nothing is left to do", folder.display()));
    }
    Ok(complete)
}

/// Opens the folder that was asked for, and brings the run to where it is resumed.
pub fn keep(
    options: &FolderOptions,
    request: &Request,
    session: &mut Session,
) -> Result<(), Failure> {
    if let Some(folder) = &options.resume {
        let resumed =
            session.resume(folder, request.path(), options.force).map_err(output_failure)?;
        say_resumed(&resumed, &session.run);
    } else if let Some(folder) = &options.out {
        session.keep(folder, request.path(), options.force).map_err(output_failure)?;
    }
    session.checkpoint_every(options.checkpoint_every);
    Ok(())
}

fn say_resumed((step, notices): &(Option<u64>, Vec<String>), run: &Run) {
    for notice in notices {
        say(&format!("warning: {notice}"));
    }
    let time = number(run.simulation().state.time);
    say(&match step {
        Some(step) => {
            format!("resumed at the checkpoint at t = {time} s, step {step} of {}", run.steps())
        }
        None => "there is no checkpoint to resume from: the run begins anew".into(),
    });
}

/// How to resume a run that was stopped.
pub fn how_to_resume(folder: &Path) -> String {
    format!("to resume: stiction run --resume {}", shell::path(folder))
}
