//! A run that has ended, as its folder has it: for a complete run nothing is computed again.

use super::directory::OutputError;
use super::files::{Disk, Files, named};
use super::journal;
use super::names::{DOCUMENT, JOURNAL};
use crate::output::arrays::measures_csv;
use crate::output::arrays::trajectory::MEASURES;
use crate::run::{Frame, Run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// A complete run, of which every file is as written ([`super::directory::RunDirectory::check`]).
pub struct EndedRun {
    /// The content of `run.json`.
    pub document: Value,
    /// All frames.
    pub frames: Vec<Frame>,
    /// Error bars of a verified run by the names of columns, one per frame.
    pub bars: BTreeMap<String, Vec<f64>>,
}

impl EndedRun {
    /// Reads that of a folder, which is a run of the same scene as `run`.
    ///
    /// # Errors
    /// The file that cannot be read.
    pub fn read(path: &Path, run: &Run) -> Result<Self, OutputError> {
        let document: Value = serde_json::from_slice(&all_of(&path.join(DOCUMENT))?)
            .map_err(|error| named(&path.join(DOCUMENT), &error.into()))?;
        let journal = journal::load(&Disk, &path.join(JOURNAL))
            .map_err(|error| named(&path.join(JOURNAL), &error))?;
        let entries = journal::read(&journal).entries;
        let bars = match document["verification"].is_object() {
            true => {
                let table = all_of(&path.join(MEASURES))?;
                measures_csv::errors(&table, &run.columns)
                    .map_err(|error| named(&path.join(MEASURES), &error))?
            }
            false => BTreeMap::new(),
        };
        let frames = entries.into_iter().map(|entry| entry.recorded.frame).collect();
        Ok(EndedRun { document, frames, bars })
    }

    /// Whether no reason stands against the run.
    pub fn faultless(&self) -> bool {
        self.document["trust"]["reasons"].as_array().is_some_and(Vec::is_empty)
    }

    /// Whether every expectation is met, and none is in doubt.
    pub fn meets_expectations(&self) -> bool {
        let is_met = |it: &Value| it["met"] == true && it["in_doubt"] == false;
        self.document["expectations"].as_array().is_some_and(|all| all.iter().all(is_met))
    }
}

/// The bytes of a file whose length was checked.
fn all_of(path: &Path) -> io::Result<Vec<u8>> {
    let length = Disk.view(path).and_then(|mut file| file.length());
    length.and_then(|length| Disk.read(path, length)).map_err(|error| named(path, &error))
}
