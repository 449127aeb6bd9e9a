//! Names in the folder of a run.

use super::atomic::HALF;
use crate::output::arrays::topology::TOPOLOGY;
use crate::output::arrays::trajectory::MEASURES;
use crate::output::exports::frames::{FRAMES, SURFACES};
use std::path::{Path, PathBuf};

/// The journal.
pub(crate) const JOURNAL: &str = "trajectory/journal.bin";

/// The summary of a run that has ended.
pub(crate) const DOCUMENT: &str = "run.json";

/// The plan of a sweep, in a folder of its own.
pub(crate) const PLAN: &str = "sweep.json";

/// The manifest.
pub(crate) const MANIFEST: &str = "manifest.toml";

/// The folder of checkpoints, and the ending of their names.
pub(crate) const CHECKPOINTS: &str = "checkpoints";
const ENDING: &str = ".ck";

/// The folder of the growing arrays and their journal.
pub(crate) const TRAJECTORY: &str = "trajectory";

/// The folders within that of a run.
pub(crate) const FOLDERS: [&str; 5] = [TRAJECTORY, CHECKPOINTS, TOPOLOGY, FRAMES, SURFACES];

/// The first folder within that of a run in whose place a link stands, which leads elsewhere.
pub(crate) fn linked(path: &Path) -> Option<PathBuf> {
    let mut inner = FOLDERS.iter().map(|name| path.join(name));
    inner.find(|at| std::fs::symlink_metadata(at).is_ok_and(|about| about.is_symlink()))
}

/// The name that a file was to have which was not written to its end.
pub(crate) fn intended(name: &str) -> Option<&str> {
    name.strip_suffix(HALF)?.strip_suffix('.')
}

/// Whether a file in the folder of a run, or in that of its checkpoints, is one of those that are replaced
/// as a whole, not written to its end.
pub(crate) fn is_left(name: &str) -> bool {
    intended(name)
        .is_some_and(|name| [MANIFEST, DOCUMENT, MEASURES].contains(&name) || is_checkpoint(name))
}

/// Whether a file in the folder of checkpoints has the name of one.
pub(crate) fn is_checkpoint(name: &str) -> bool {
    name.strip_suffix(ENDING).is_some_and(|step| step.parse::<u64>().is_ok())
}

/// Name of the checkpoint at a step.
pub(crate) fn name_of(step: u64) -> String {
    format!("{step:012}{ENDING}")
}

/// The steps of checkpoints with these names, ascending.
pub(crate) fn steps_of(names: &[String]) -> Vec<u64> {
    let step = |name: &String| name.strip_suffix(ENDING)?.parse().ok();
    let mut steps: Vec<u64> = names.iter().filter_map(step).collect();
    steps.sort_unstable();
    steps
}
