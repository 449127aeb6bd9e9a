//! The text of a model in MJCF, from a file.

use super::terminal::{Exit, Failure};
use std::path::Path;
use stiction_scene::mjcf::LARGEST;
use stiction_scene::regular;

/// Reads a regular file of at most [`LARGEST`] bytes.
pub fn read(path: &Path) -> Result<String, Failure> {
    let fail = |why: String| {
        Failure::new(Exit::Usage, format!("{} cannot be read: {why}", path.display()))
    };
    regular::text(path, LARGEST as u64).map_err(|refusal| fail(refusal.to_string()))
}
