//! The text of a model in MJCF, from a file.

use super::terminal::{Exit, Failure};
use std::path::Path;
use stiction_scene::mjcf::LARGEST;
use stiction_scene::regular;

/// Reads a regular file of at most [`LARGEST`] bytes.
pub fn read(path: &Path) -> Result<String, Failure> {
    let fail = |exit, why: &dyn std::fmt::Display| {
        Failure::new(exit, format!("{} cannot be read: {why}", path.display()))
    };
    let bytes = regular::read(path, LARGEST as u64).map_err(|why| fail(Exit::Usage, &why))?;
    String::from_utf8(bytes).map_err(|why| fail(Exit::Input, &why.utf8_error()))
}
