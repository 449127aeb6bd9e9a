//! Baselines: the numbers of a comparison stored in a file, and changes against them.

use super::compare::{ComparedRow, Comparison};
use crate::output::folder::atomic;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use stiction_scene::regular;

/// Largest file of a baseline \[bytes\].
const LARGEST: u64 = 64 << 20;

/// The numbers of a comparison and their tolerances. The file can be read and edited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Version of the format: [`FORMAT`].
    pub stiction_baseline: u32,
    /// Version of the program that wrote it.
    pub program: String,
    /// The scene's title.
    pub title: String,
    /// Tolerance of each number.
    pub tolerances: BTreeMap<String, Tolerance>,
    /// The rows.
    pub rows: Vec<BaselineRow>,
}

/// Allowed change of a number: `absolute` + `relative` × its size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// Share of the stored value.
    pub relative: f64,
    /// In the number's unit.
    pub absolute: f64,
}

/// One stored row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineRow {
    /// Settings of the run.
    pub settings: BTreeMap<String, String>,
    /// Its final status.
    pub status: String,
    /// Names of the verdict's reasons; none if no fault was found.
    pub reasons: Vec<String>,
    /// Its numbers; undefined ones are left out.
    pub figures: BTreeMap<String, f64>,
}

/// The only format.
pub const FORMAT: u32 = 1;

/// A change against the baseline.
#[derive(Debug, Clone, PartialEq)]
pub enum Deviation {
    /// A row of the baseline was not run.
    Missing {
        /// The row.
        row: String,
    },
    /// A row that is not in the baseline.
    New {
        /// The row.
        row: String,
    },
    /// Another status or verdict.
    Words {
        /// The row.
        row: String,
        /// Stored value.
        before: String,
        /// Present value.
        now: String,
    },
    /// A number changed by more than allowed, appeared or disappeared.
    Number {
        /// The row.
        row: String,
        /// The number.
        name: String,
        /// Stored value.
        before: Option<f64>,
        /// Present value.
        now: Option<f64>,
        /// The largest change allowed.
        allowed: f64,
    },
}

/// Reason why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file cannot be read or written.
    #[error("`{path}`: {cause}")]
    Io {
        /// The file.
        path: String,
        /// The reason.
        cause: std::io::Error,
    },
    /// The file is not a baseline.
    #[error("`{path}` is no baseline of this program: {why}")]
    Content {
        /// The file.
        path: String,
        /// The reason.
        why: String,
    },
}

/// Tolerance of a number in a new baseline. An unchanged program gives the same numbers to the last
/// bit; the tolerance allows for a changed order of additions, and for work that varies a little.
fn tolerance(name: &str) -> Tolerance {
    match name {
        "steps" => Tolerance { relative: 0.0, absolute: 0.0 },
        "evaluations" | "iterations" | "linear_iterations" => {
            Tolerance { relative: 0.05, absolute: 0.0 }
        }
        "error" => Tolerance { relative: 1e-3, absolute: 1e-11 },
        "energy_error" | "energy_residual" => Tolerance { relative: 1e-3, absolute: 1e-9 },
        _ => Tolerance { relative: 1e-6, absolute: 1e-12 },
    }
}

impl Baseline {
    /// The baseline of a comparison.
    pub fn of(comparison: &Comparison) -> Baseline {
        let rows: Vec<BaselineRow> = comparison.rows.iter().map(BaselineRow::of).collect();
        let names = rows.iter().flat_map(|row| row.figures.keys().cloned());
        Baseline {
            stiction_baseline: FORMAT,
            program: env!("CARGO_PKG_VERSION").into(),
            title: comparison.title.clone(),
            tolerances: names.map(|name| (name.clone(), tolerance(&name))).collect(),
            rows,
        }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// The file cannot be read, or is not a baseline.
    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        let name = path.display().to_string();
        match regular::text(path, LARGEST) {
            Ok(text) => Baseline::parse(&name, &text),
            Err(refusal) => Err(BaselineError::Io { path: name, cause: refusal.into() }),
        }
    }

    /// Reads the text of a baseline; `name` is the file's name.
    ///
    /// # Errors
    /// It is not a baseline.
    pub fn parse(name: &str, text: &str) -> Result<Baseline, BaselineError> {
        let content = |why| BaselineError::Content { path: name.into(), why };
        let baseline: Baseline =
            serde_json::from_str(text).map_err(|error| content(error.to_string()))?;
        let negative = |t: &Tolerance| t.relative < 0.0 || t.absolute < 0.0;
        let kept: BTreeSet<&String> =
            baseline.rows.iter().flat_map(|row| row.figures.keys()).collect();
        let unknown = baseline.tolerances.keys().find(|name| !kept.contains(name));
        match baseline.tolerances.iter().find(|(_, tolerance)| negative(tolerance)) {
            _ if baseline.stiction_baseline != FORMAT => {
                let format = baseline.stiction_baseline;
                Err(content(format!("its format is {format}, and this program knows {FORMAT}")))
            }
            None if unknown.is_some() => Err(content(format!(
                "it has a tolerance for `{}`, which no row has",
                unknown.map_or("", String::as_str)
            ))),
            Some((name, _)) => Err(content(format!("the tolerance of `{name}` is negative"))),
            None => Ok(baseline),
        }
    }

    /// Writes the baseline.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), BaselineError> {
        let text = serde_json::to_string_pretty(self).expect("a baseline is a JSON value");
        let io = |cause| BaselineError::Io { path: path.display().to_string(), cause };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        atomic::write(path, (text + "\n").as_bytes()).map_err(io)
    }

    /// Changes against this baseline.
    pub fn check(&self, comparison: &Comparison) -> Vec<Deviation> {
        let now: Vec<BaselineRow> = comparison.rows.iter().map(BaselineRow::of).collect();
        let mut deviations = Vec::new();
        for before in &self.rows {
            match now.iter().find(|row| row.settings == before.settings) {
                Some(row) => self.check_row(before, row, &mut deviations),
                None => deviations.push(Deviation::Missing { row: before.label() }),
            }
        }
        let unknown =
            |row: &&BaselineRow| !self.rows.iter().any(|known| known.settings == row.settings);
        deviations
            .extend(now.iter().filter(unknown).map(|row| Deviation::New { row: row.label() }));
        deviations
    }

    fn check_row(&self, before: &BaselineRow, now: &BaselineRow, deviations: &mut Vec<Deviation>) {
        let row = before.label();
        let words =
            [(before.status.clone(), now.status.clone()), (before.verdict(), now.verdict())];
        for (before, now) in words.into_iter().filter(|(before, now)| before != now) {
            deviations.push(Deviation::Words { row: row.clone(), before, now });
        }
        let mut names: Vec<&String> = before.figures.keys().chain(now.figures.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let given = self.tolerances.get(name).copied().unwrap_or_else(|| tolerance(name));
            let (was, is) = (before.figures.get(name).copied(), now.figures.get(name).copied());
            let allowed = given.absolute + given.relative * was.unwrap_or_default().abs();
            let moved = was.zip(is).is_none_or(|(was, is)| (is - was).abs() > allowed);
            if moved {
                deviations.push(Deviation::Number {
                    row: row.clone(),
                    name: name.clone(),
                    before: was,
                    now: is,
                    allowed,
                });
            }
        }
    }
}

impl BaselineRow {
    fn of(row: &ComparedRow) -> BaselineRow {
        let own = row.trial.figures.iter().map(|figure| (figure.name.clone(), figure.value));
        let figures = own.chain([("error".to_string(), row.error)]);
        BaselineRow {
            settings: row
                .settings
                .iter()
                .map(|(axis, value)| ((*axis).into(), value.clone()))
                .collect(),
            status: row.trial.status.word().into(),
            reasons: row.trial.verdict.reasons.iter().map(|reason| reason.name().into()).collect(),
            figures: figures
                .filter_map(|(name, value)| Some((name, value.filter(|x| x.is_finite())?)))
                .collect(),
        }
    }

    fn label(&self) -> String {
        let values: Vec<&str> = self.settings.values().map(String::as_str).collect();
        values.join(" ")
    }

    fn verdict(&self) -> String {
        if self.reasons.is_empty() { "trusted".into() } else { self.reasons.join(", ") }
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |x: &Option<f64>| x.map_or("–".into(), |x| format!("{x:e}"));
        match self {
            Deviation::Missing { row } => write!(f, "{row}: is in the baseline and was not run"),
            Deviation::New { row } => write!(f, "{row}: is not in the baseline"),
            Deviation::Words { row, before, now } => write!(f, "{row}: was {before}, is {now}"),
            Deviation::Number { row, name, before, now, allowed } => {
                let change = match before.zip(*now) {
                    Some((before, now)) if before != 0.0 => {
                        let share = |x: f64| x / before.abs();
                        let (moved, allowed) = (share(now - before), share(*allowed));
                        format!(" ({moved:+.2e} of it; {allowed:.1e} allowed)")
                    }
                    Some(_) => format!(" ({allowed:.1e} allowed)"),
                    None => String::new(),
                };
                write!(f, "{row}: {name} was {}, is {}{change}", number(before), number(now))
            }
        }
    }
}

/// The environment variable with which [`Comparison::assert_baseline`] writes.
pub(crate) const WRITE: &str = "STICTION_BASELINES";

impl Comparison {
    /// Panics if the comparison differs from a baseline in a file. With the environment variable
    /// `STICTION_BASELINES=write` the file is written instead.
    ///
    /// # Panics
    /// With all deviations, or if there is no baseline.
    pub fn assert_baseline(&self, path: impl AsRef<Path>) {
        let path = path.as_ref();
        if std::env::var_os(WRITE).is_some_and(|value| value == "write") {
            return Baseline::of(self).write(path).unwrap_or_else(|error| panic!("{error}"));
        }
        let baseline =
            Baseline::read(path).unwrap_or_else(|error| panic!("{error}; {WRITE}=write makes it"));
        let lines: Vec<String> = baseline.check(self).iter().map(Deviation::to_string).collect();
        assert!(lines.is_empty(), "changed since `{}`:\n  {}", path.display(), lines.join("\n  "));
    }
}
