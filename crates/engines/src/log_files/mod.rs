//! Logs of runs of other engines: docs/judging.md.

pub mod arrays;
mod csv;
mod npz;

use crate::judge::{Log, LogError};
use std::fs::File;
use std::path::Path;

/// Largest size of a file \[bytes\].
const MOST: u64 = 1 << 30;

/// Reads a log according to the ending of its name and checks it; `mass` is that of bodies for which the log has
/// none \[kg\].
///
/// # Errors
/// The file is no regular one or too large, an array or a column is missing or of another shape, or a number is
/// invalid; the text names the place.
pub fn read(path: &Path, mass: Option<f64>) -> Result<Log, LogError> {
    let fail = |error: std::io::Error| LogError(error.to_string());
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let about = std::fs::metadata(path).map_err(fail)?;
    if !about.is_file() {
        return Err(LogError("it is no regular file".into()));
    }
    if about.len() > MOST {
        let size = about.len();
        return Err(LogError(format!("it has {size} bytes, at most {MOST} are read")));
    }
    let open = || File::open(path).map_err(fail);
    let log = match ending {
        "npz" => npz::read(open()?, mass)?,
        "csv" => csv::read(open()?, mass)?,
        _ => return Err(LogError(format!("a log ends in .npz or .csv, not in `.{ending}`"))),
    };
    log.check()?;
    Ok(log)
}
