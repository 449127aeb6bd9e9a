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
use std::path::{Path, PathBuf};

/// A complete run, of which every file is as written ([`super::directory::RunDirectory::check`]).
pub struct EndedRun {
    /// Its folder.
    path: PathBuf,
    /// The content of `run.json`.
    pub document: Value,
}

/// Frames, and error bars by the names of columns, one per frame.
type Measures = (Vec<Frame>, BTreeMap<String, Vec<f64>>);

impl EndedRun {
    /// Reads the summary in a folder.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(path: &Path) -> Result<Self, OutputError> {
        let document = serde_json::from_slice(&all_of(&path.join(DOCUMENT))?)
            .map_err(|error| named(&path.join(DOCUMENT), &error.into()))?;
        Ok(EndedRun { path: path.to_path_buf(), document })
    }

    /// All frames, and the error bars of a verified run, which is one of the same scene as `run`.
    ///
    /// # Errors
    /// The file that cannot be read.
    pub fn measures(&self, run: &Run) -> Result<Measures, OutputError> {
        let [journal, table] = [JOURNAL, MEASURES].map(|name| self.path.join(name));
        let bytes = journal::load(&Disk, &journal).map_err(|error| named(&journal, &error))?;
        let entries = journal::read(&bytes).entries;
        let bars = match self.document["verification"].is_object() {
            true => measures_csv::errors(&all_of(&table)?, &run.columns)
                .map_err(|error| named(&table, &error))?,
            false => BTreeMap::new(),
        };
        Ok((entries.into_iter().map(|entry| entry.recorded.frame).collect(), bars))
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
