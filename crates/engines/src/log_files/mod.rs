//! Logs of runs of other engines, one format per file: docs/judging.md.

mod csv;
mod npz;

use crate::judge::{Log, LogError};
use std::path::Path;

/// Reads a log according to the ending of its name and checks it.
///
/// # Errors
/// The file cannot be read, an array or a column is missing or of another shape, or a number is
/// invalid; the text names the place.
pub fn read(path: &Path) -> Result<Log, LogError> {
    let bytes = std::fs::read(path).map_err(|error| LogError(error.to_string()))?;
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let log = match ending {
        "npz" => npz::read(&bytes)?,
        "csv" => csv::read(&bytes)?,
        _ => return Err(LogError(format!("a log ends in .npz or .csv, not in `.{ending}`"))),
    };
    log.check()?;
    Ok(log)
}
