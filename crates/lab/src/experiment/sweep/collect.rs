//! The results of a sweep as a table: one row per job, keys and figures as columns.

use super::folder::{Folder, FolderError, JobOutcome, LARGEST_TABLE, LARGEST_TEXT, MOST_COLUMNS};
use crate::run::changes;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Headings of the table of a sweep, whose rows are made one at a time.
///
/// Columns: `job`, the keys that are varied, `status`, `trusted`, `level`, `reasons`, every figure of
/// [`crate::experiment::trial::Trial::figure`], `expectations_met`, `state_hash`, `message` and `cpu_seconds`, the only
/// one that differs from run to run.
#[derive(Debug)]
pub struct CollectedRows<'a> {
    folder: &'a Folder,
    /// Names of the columns with their units; a unit is empty if there is none.
    pub headings: Vec<(String, String)>,
    /// place of each name
    places: BTreeMap<String, usize>,
    /// jobs with a result
    done: BTreeSet<usize>,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CollectedTable {
    /// Its columns, all of the same length.
    pub columns: Vec<CollectedColumn>,
    /// place of each name
    places: BTreeMap<String, usize>,
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

/// The last columns: jobs that failed before any measurement do not decide the order of the others.
const LAST: [&str; 4] = ["expectations_met", "state_hash", "message", "cpu_seconds"];

impl<'a> CollectedRows<'a> {
    /// Reads the headings of all results.
    ///
    /// # Errors
    /// The folder of results cannot be read.
    pub fn of(folder: &'a Folder) -> Result<Self, FolderError> {
        let keys = folder.plan.grid.axes.iter().map(|axis| axis.key.as_str());
        let first = ["job"].into_iter().chain(keys).chain(["status"]);
        let mut headings: Vec<(String, String)> =
            first.map(|name| (name.into(), String::new())).collect();
        let names = headings.iter().enumerate();
        let mut places: BTreeMap<String, usize> =
            names.map(|(place, (name, _))| (name.clone(), place)).collect();
        let mut done = BTreeSet::new();
        for job in folder.recorded()? {
            let Some(outcome) = folder.outcome(job) else { continue };
            done.insert(job);
            for (name, unit, _) in results(folder, job, outcome) {
                let place = *places.entry(name.clone()).or_insert(headings.len());
                match headings.get_mut(place) {
                    Some(heading) => heading.1 = unit,
                    None => headings.push((name, unit)),
                }
            }
        }
        headings.sort_by_key(|(name, _)| {
            LAST.iter().position(|last| last == name).map_or(0, |k| k + 1)
        });
        for (place, (name, _)) in headings.iter().enumerate() {
            places.insert(name.clone(), place);
        }
        Ok(CollectedRows { folder, headings, places, done })
    }

    /// Number of rows: of jobs.
    pub fn count(&self) -> usize {
        self.folder.jobs.count()
    }

    /// Number of jobs without a result, and the first of them.
    pub fn missing(&self, listed: usize) -> (usize, Vec<usize>) {
        let first = (0..self.count()).filter(|job| !self.done.contains(job)).take(listed);
        (self.count() - self.done.len(), first.collect())
    }

    /// Refuses rows that cannot be a text.
    ///
    /// # Errors
    /// They take more than [`LARGEST_TEXT`].
    pub fn check_text(&self) -> Result<(), FolderError> {
        // a comma for each cell
        self.check(1, LARGEST_TEXT)
    }

    /// Refuses to make a text longer than its first bytes.
    ///
    /// # Errors
    /// They are more than [`LARGEST_TEXT`].
    pub fn check_length(&self, bytes: usize) -> Result<(), FolderError> {
        let (jobs, bytes, most) = (self.count(), bytes as u128, LARGEST_TEXT);
        if bytes <= most { Ok(()) } else { Err(FolderError::TableTooLarge { jobs, bytes, most }) }
    }

    /// Refuses rows of cells of some bytes and the texts of settings; those of results do not count, as the folder
    /// has them.
    fn check(&self, cell: usize, most: u128) -> Result<(), FolderError> {
        let jobs = self.count();
        let cells = jobs as u128 * self.headings.len() as u128;
        let texts = self.folder.plan.grid.length();
        match cells.saturating_mul(cell as u128).saturating_add(texts) {
            bytes if bytes > most => Err(FolderError::TableTooLarge { jobs, bytes, most }),
            _ => Ok(()),
        }
    }

    /// The row of a job, a cell for each heading. A job without a result has the status "missing".
    pub fn row(&self, job: usize) -> Vec<CollectedCell> {
        let mut row = vec![CollectedCell::Empty; self.headings.len()];
        let mut set = |name: &str, cell: CollectedCell| {
            if let Some(place) = self.places.get(name) {
                row[*place] = cell;
            }
        };
        set("job", CollectedCell::Number(job as f64));
        for (key, value) in &self.folder.jobs.settings(job) {
            set(key, setting(value));
        }
        let outcome = self.done.contains(&job).then(|| self.folder.outcome(job)).flatten();
        match outcome {
            Some(outcome) => {
                for (name, _, cell) in results(self.folder, job, outcome) {
                    set(&name, cell);
                }
            }
            None => set("status", CollectedCell::Text("missing".into())),
        }
        row
    }

    /// The rows of all jobs.
    pub fn rows(&self) -> impl Iterator<Item = Vec<CollectedCell>> + '_ {
        (0..self.count()).map(|job| self.row(job))
    }
}

/// The results of a job: names, units and cells.
fn results(
    folder: &Folder,
    job: usize,
    outcome: JobOutcome,
) -> Vec<(String, String, CollectedCell)> {
    let results = Value::Object(outcome.results);
    let mut cells = Vec::new();
    let mut add = |name: &str, unit: &str, cell| cells.push((name.into(), unit.into(), cell));
    add("status", "", CollectedCell::Text(outcome.status));
    add("trusted", "", cell(&results["trust"]["trusted"]));
    add("level", "", cell(&results["trust"]["level"]));
    add("reasons", "", reasons(&results["trust"]["reasons"]));
    for (name, value) in results["figures"].as_object().into_iter().flatten() {
        add(name, results["units"][name].as_str().unwrap_or_default(), cell(value));
    }
    // the expectations are for the scene as written
    let keys = folder.plan.grid.axes.iter().map(|axis| axis.key.clone());
    let changed =
        !changes(&folder.plan.set.iter().cloned().chain(keys).collect::<Vec<_>>()).is_empty();
    let met = if changed { CollectedCell::Empty } else { expectations(&results["expectations"]) };
    add("expectations_met", "", met);
    add("state_hash", "", cell(&results["state_hash"]));
    add("message", "", outcome.message.map_or(CollectedCell::Empty, CollectedCell::Text));
    let seconds = folder.cpu_seconds(job);
    add("cpu_seconds", "", seconds.map_or(CollectedCell::Empty, CollectedCell::Number));
    cells
}

impl CollectedTable {
    /// All rows of a sweep.
    ///
    /// # Errors
    /// The table takes more than [`LARGEST_TABLE`], or has more than [`MOST_COLUMNS`] columns.
    pub fn of(rows: &CollectedRows) -> Result<CollectedTable, FolderError> {
        rows.check(size_of::<CollectedCell>(), LARGEST_TABLE)?;
        if rows.headings.len() > MOST_COLUMNS {
            return Err(FolderError::TooWide(rows.headings.len()));
        }
        let column = |(name, unit): &(String, String)| CollectedColumn {
            name: name.clone(),
            unit: unit.clone(),
            cells: Vec::with_capacity(rows.count()),
        };
        let mut columns: Vec<CollectedColumn> = rows.headings.iter().map(column).collect();
        for row in rows.rows() {
            columns.iter_mut().zip(row).for_each(|(column, cell)| column.cells.push(cell));
        }
        Ok(CollectedTable { columns, places: rows.places.clone() })
    }

    /// A column by name.
    pub fn column(&self, name: &str) -> Option<&CollectedColumn> {
        self.columns.get(*self.places.get(name)?)
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

#[cfg(test)]
mod tests {
    use super::super::folder::{FORMAT, FolderPlan};
    use super::super::grid::{SweepAxis, SweepGrid, Values};
    use super::super::job::Attempt;
    use super::*;
    use serde_json::json;

    /// A sweep over axes with these values.
    fn folder(path: &std::path::Path, axes: &[(&str, Vec<String>)]) -> Folder {
        let axis = |(key, values): &(&str, Vec<String>)| SweepAxis {
            key: (*key).into(),
            values: Values::Values(values.clone()),
        };
        let grid = SweepGrid::new(axes.iter().map(axis).collect(), None, 4_000_000);
        let grid = grid.expect("a grid");
        let plan = FolderPlan {
            format: FORMAT,
            stiction: "test".into(),
            scene_sha256: String::new(),
            set: Vec::new(),
            verify: None,
            accuracy: None,
            jobs: grid.count(),
            grid,
        };
        Folder::create(path, plan).expect("a folder")
    }

    fn numbers(count: usize) -> Vec<String> {
        (0..count).map(|k| k.to_string()).collect()
    }

    #[test]
    fn a_table_of_long_texts_is_refused_before_it_is_made() {
        let path = tempfile::tempdir().expect("a folder");
        let long = || (0..1000).map(|k| format!("{k:02000}a")).collect();
        let folder = folder(path.path(), &[("a", long()), ("b", long())]);
        let rows = CollectedRows::of(&folder).expect("readable");
        let error = rows.check_text().expect_err("4 GB");
        let FolderError::TableTooLarge { jobs, bytes, most } = error else {
            panic!("{error}");
        };
        assert!(jobs == 1_000_000 && bytes > 4_000_000_000 && most == LARGEST_TEXT);

        assert!(CollectedTable::of(&rows).is_err());
    }

    #[test]
    fn a_table_of_too_many_columns_is_refused() {
        let path = tempfile::tempdir().expect("a folder");
        let names: Vec<String> = (0..MOST_COLUMNS).map(|k| format!("a{k}")).collect();
        let axes: Vec<(&str, Vec<String>)> =
            names.iter().map(|name| (name.as_str(), numbers(1))).collect();
        let folder = folder(path.path(), &axes);
        let rows = CollectedRows::of(&folder).expect("readable");
        // and the job and its status
        let wide = MOST_COLUMNS + 2;
        assert!(rows.check_text().is_ok());
        assert!(matches!(CollectedTable::of(&rows), Err(FolderError::TooWide(n)) if n == wide));
    }

    #[test]
    fn the_cells_of_wide_tables_count() {
        let path = tempfile::tempdir().expect("a folder");
        let folder = folder(path.path(), &[("a", numbers(2000)), ("b", numbers(2000))]);
        let figures: serde_json::Map<String, Value> =
            (0..1000).map(|k| (format!("m{k}"), json!(1.0))).collect();
        let results = serde_json::Map::from_iter([("figures".into(), Value::Object(figures))]);
        assert!(CollectedRows::of(&folder).expect("readable").check_text().is_ok());
        folder.keep(7, Attempt { results, ..Attempt::default() }).expect("written");
        let rows = CollectedRows::of(&folder).expect("readable");
        assert_eq!(rows.missing(3), (3_999_999, vec![0, 1, 2]));
        assert!(rows.check_text().is_err(), "1,010 cells of four million jobs");
    }

    /// Results are found from the names in the folder, so that the size of the plan does not matter.
    #[test]
    fn files_that_are_no_results_are_not_counted() {
        let path = tempfile::tempdir().expect("a folder");
        let folder = folder(path.path(), &[("a", numbers(12))]);
        folder.keep(3, Attempt::default()).expect("written");
        for (name, text) in [
            ("jobs/00005.json", "{}"),
            ("jobs/5.json", "{}"),
            ("jobs/00012.json", "{}"),
            ("jobs/00004.json.0123456789abcdef.tmp", ""),
            ("jobs/letter.txt", "dear"),
            ("cpu/00002", "soon"),
        ] {
            std::fs::write(path.path().join(name), text).expect("written");
        }
        assert_eq!(folder.recorded().expect("readable").into_iter().collect::<Vec<_>>(), [3, 5]);
        assert_eq!(folder.damaged().expect("readable"), [2, 5]);
        assert_eq!(
            CollectedRows::of(&folder).expect("readable").missing(4),
            (11, vec![0, 1, 2, 4])
        );
    }

    /// The first jobs decide nothing of the order: they failed before any measurement, or have not run.
    #[test]
    fn columns_have_their_order_and_units_whatever_ran_first() {
        let path = tempfile::tempdir().expect("a folder");
        let folder = folder(path.path(), &[("a", numbers(4)), ("b", vec!["\"x\"".into()])]);
        let failure = Some("no".to_string());
        folder.keep(1, Attempt { failure, ..Attempt::default() }).expect("written");
        let Value::Object(results) =
            json!({ "figures": { "creep": 2.5, "a": 9.0 }, "units": { "creep": "m/s" } })
        else {
            unreachable!("an object")
        };
        folder.keep(2, Attempt { results, ..Attempt::default() }).expect("written");
        let table = CollectedTable::of(&CollectedRows::of(&folder).expect("readable"))
            .expect("a small table");
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let measured = ["trusted", "level", "reasons", "creep"];
        assert_eq!(names[..4], ["job", "a", "b", "status"]);
        assert_eq!(names[4..8], measured);
        assert_eq!(names[8..], LAST);
        let cells = |name: &str| -> Vec<String> {
            let column = table.column(name).expect(name);
            column.cells.iter().map(CollectedCell::to_string).collect()
        };
        assert_eq!(cells("job"), ["0", "1", "2", "3"]);
        assert_eq!(cells("b"), ["x"; 4]);
        assert_eq!(cells("status"), ["missing", "failed", "completed", "missing"]);
        assert_eq!(cells("message"), ["", "no", "", ""]);
        assert_eq!(cells("creep"), ["", "", "2.5", ""]);
        assert_eq!(table.column("creep").map(|column| column.unit.as_str()), Some("m/s"));
        // of two columns of one name the later cell counts
        assert_eq!(cells("a"), ["0", "1", "9", "3"]);
        assert_eq!(table.rows(), 4);
    }
}
