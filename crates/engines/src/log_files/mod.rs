//! Logs of runs of other engines: docs/judging.md.

pub mod arrays;
mod csv;
mod npz;

use crate::judge::{Log, LogError};
use std::io::Cursor;
use std::path::Path;
use stiction_scene::regular;

/// Largest size of a file \[bytes\].
const MOST: u64 = 192 << 20;

/// Largest number of rows: states of bodies and contacts.
const ROWS: usize = 1_000_000;

/// Refuses more rows than are judged.
fn check_rows(rows: usize) -> Result<(), LogError> {
    if rows <= ROWS {
        return Ok(());
    }
    let what = "states of bodies and contacts, one for each time";
    Err(LogError(format!(
        "it has {rows} {what}, or more; at most {ROWS} are judged: keep every tenth time, or judge a part of the run"
    )))
}

/// Reads a log according to the ending of its name and checks it; `mass` is that of bodies for which the log has
/// none \[kg\].
///
/// # Errors
/// The file is no regular one or too large, an array or a column is missing or of another shape, or a number is
/// invalid; the text names the place.
pub fn read(path: &Path, mass: Option<f64>) -> Result<Log, LogError> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let file = regular::open(path, MOST).map_err(|refusal| LogError(refusal.to_string()))?;
    match ending {
        "npz" => checked(npz::read(file.into_inner(), mass)),
        "csv" => checked(csv::read(file, mass)),
        _ => Err(LogError(format!("a log ends in .npz or .csv, not in `.{ending}`"))),
    }
}

/// As [`read`], of the bytes of a `.npz` or else of a `.csv`.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(bytes: &[u8], npz: bool, mass: Option<f64>) -> Result<Log, LogError> {
    match npz {
        true => checked(npz::read(Cursor::new(bytes), mass)),
        false => checked(csv::read(bytes, mass)),
    }
}

fn checked(log: Result<Log, LogError>) -> Result<Log, LogError> {
    let log = log?;
    log.check()?;
    Ok(log)
}
