//! Replaces `watch` in a build without the feature `viewer`.

use super::terminal::{Exit, Failure};
use super::verbs::watch::Options;

/// Checks the scene, and reports that there is no window.
pub fn watch(options: &Options) -> Result<Exit, Failure> {
    options.scene.load()?;
    Err(Failure::new(
        Exit::NoDisplay,
        "this build has no window (feature `viewer`); use `stiction run` or `stiction render`",
    ))
}
