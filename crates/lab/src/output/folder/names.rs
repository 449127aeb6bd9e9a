//! Names in the folder of a run.

use super::atomic::HALF;

/// The journal.
pub(crate) const JOURNAL: &str = "trajectory/journal.bin";

/// The summary of a run that has ended.
pub(crate) const DOCUMENT: &str = "run.json";

/// The folder of checkpoints, and the ending of their names.
pub(crate) const CHECKPOINTS: &str = "checkpoints";
const ENDING: &str = ".ck";

/// Whether a file was not written to its end.
pub(crate) fn is_half(name: &str) -> bool {
    name.rsplit('.').next() == Some(HALF)
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
