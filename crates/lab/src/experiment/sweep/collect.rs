//! The results of a sweep as a table: one row per job, keys and figures as columns.

use super::folder::Folder;
use serde_json::Value;

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CollectedTable {
    /// Its columns, all of the same length.
    pub columns: Vec<CollectedColumn>,
    /// Jobs without a result.
    pub missing: Vec<usize>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectedColumn {
    /// Its name.
    pub name: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// Its cells.
    pub cells: Vec<CollectedCell>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum CollectedCell {
    /// No value.
    Empty,
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A text.
    Text(String),
}

impl CollectedCell {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            CollectedCell::Number(x) => Some(*x),
            _ => None,
        }
    }
}

impl std::fmt::Display for CollectedCell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CollectedCell::Empty => Ok(()),
            CollectedCell::Number(x) if *x == x.trunc() && x.abs() < 1e15 => write!(f, "{x}"),
            CollectedCell::Number(x) => write!(f, "{x:?}"),
            CollectedCell::Flag(flag) => write!(f, "{flag}"),
            CollectedCell::Text(text) => f.write_str(text),
        }
    }
}

impl CollectedTable {
    /// Reads all results of a sweep. A job without one has a row with the status "missing".
    ///
    /// Columns: `job`, the keys that are varied, `status`, `trusted`, `level`, `reasons`, every
    /// figure of [`crate::experiment::trial::Trial::figure`], `expectations_met`, `state_hash`,
    /// `message` and `cpu_seconds`, the only one that differs from run to run.
    pub fn of(folder: &Folder) -> CollectedTable {
        let mut table = CollectedTable::default();
        for (job, settings) in folder.jobs.iter().enumerate() {
            table.set(job, "job", CollectedCell::Number(job as f64));
            for (key, value) in &settings {
                table.set(job, key, setting(value));
            }
            let outcome = folder.outcome(job);
            let status = outcome.as_ref().map_or("missing", |outcome| &outcome.status);
            table.set(job, "status", CollectedCell::Text(status.into()));
            let Some(outcome) = outcome else {
                table.missing.push(job);
                continue;
            };
            let results = Value::Object(outcome.results);
            table.set(job, "trusted", cell(&results["trust"]["trusted"]));
            table.set(job, "level", cell(&results["trust"]["level"]));
            table.set(job, "reasons", reasons(&results["trust"]["reasons"]));
            for (name, value) in results["figures"].as_object().into_iter().flatten() {
                let column = table.set(job, name, cell(value));
                column.unit = results["units"][name].as_str().unwrap_or_default().into();
            }
            table.set(job, "expectations_met", expectations(&results["expectations"]));
            table.set(job, "state_hash", cell(&results["state_hash"]));
            table.set(
                job,
                "message",
                outcome.message.map_or(CollectedCell::Empty, CollectedCell::Text),
            );
            let seconds = folder.cpu_seconds(job);
            table.set(
                job,
                "cpu_seconds",
                seconds.map_or(CollectedCell::Empty, CollectedCell::Number),
            );
        }
        let rows = folder.jobs.count();
        table.columns.iter_mut().for_each(|column| column.cells.resize(rows, CollectedCell::Empty));
        // jobs that failed before any measurement must not decide the order of columns
        let last = ["expectations_met", "state_hash", "message", "cpu_seconds"];
        table.columns.sort_by_key(|column| {
            last.iter().position(|name| *name == column.name).map_or(0, |k| k + 1)
        });
        table
    }

    fn set(&mut self, row: usize, name: &str, cell: CollectedCell) -> &mut CollectedColumn {
        let at = self.columns.iter().position(|column| column.name == name);
        let at = at.unwrap_or_else(|| {
            self.columns.push(CollectedColumn {
                name: name.into(),
                unit: String::new(),
                cells: Vec::new(),
            });
            self.columns.len() - 1
        });
        let column = &mut self.columns[at];
        column.cells.resize(row, CollectedCell::Empty);
        column.cells.push(cell);
        column
    }

    /// A column by name.
    pub fn column(&self, name: &str) -> Option<&CollectedColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }
}

/// The value of a key, as a number if it is one.
fn setting(value: &str) -> CollectedCell {
    match value.parse::<f64>() {
        Ok(x) if x.is_finite() => CollectedCell::Number(x),
        _ => CollectedCell::Text(value.trim_matches('"').into()),
    }
}

fn cell(value: &Value) -> CollectedCell {
    match value {
        Value::Number(number) => {
            number.as_f64().map_or(CollectedCell::Empty, CollectedCell::Number)
        }
        Value::Bool(flag) => CollectedCell::Flag(*flag),
        Value::String(text) => CollectedCell::Text(text.clone()),
        _ => CollectedCell::Empty,
    }
}

/// The names of the reasons against trusting a run.
fn reasons(list: &Value) -> CollectedCell {
    let names = list.as_array().into_iter().flatten().filter_map(|reason| reason["name"].as_str());
    CollectedCell::Text(names.collect::<Vec<_>>().join(" "))
}

/// Whether all expectations were met; empty if there are none.
fn expectations(list: &Value) -> CollectedCell {
    let met: Vec<bool> =
        list.as_array().into_iter().flatten().filter_map(|one| one["met"].as_bool()).collect();
    if met.is_empty() {
        CollectedCell::Empty
    } else {
        CollectedCell::Flag(met.iter().all(|met| *met))
    }
}
