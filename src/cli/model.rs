//! The text of a model in MJCF, from a file.

use super::terminal::{Exit, Failure};
use std::fs::{File, metadata};
use std::io::Read;
use std::path::Path;
use stiction_scene::mjcf::LARGEST;

/// Reads a regular file of at most [`LARGEST`] bytes.
pub fn read(path: &Path) -> Result<String, Failure> {
    let fail = |why: String| {
        Failure::new(Exit::Usage, format!("{} cannot be read: {why}", path.display()))
    };
    let about = metadata(path).map_err(|error| fail(error.to_string()))?;
    if !about.is_file() {
        return Err(fail("it is no regular file".into()));
    }
    let mut text = String::new();
    let file = File::open(path).map_err(|error| fail(error.to_string()))?;
    let most = LARGEST as u64;
    file.take(most + 1).read_to_string(&mut text).map_err(|error| fail(error.to_string()))?;
    match text.len() as u64 > most {
        true => Err(fail(format!("it has more than {} MB", most >> 20))),
        false => Ok(text),
    }
}
