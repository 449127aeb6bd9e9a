//! Assertions for test suites: whether the runs of a comparison agree, and whether they rank as
//! expected.
//!
//! Each comes twice: `agree` and `rank` return the fault, `assert_agreement` and `assert_ranking`
//! panic with it, as tests want.

use super::compare::{ComparedRow, Comparison};
use std::fmt::Write;

/// Fault found by an assertion, as a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Disagreement(String);

impl Comparison {
    /// Checks that a number ([`ComparedRow::figure`]) is the same in all rows, to a share of the
    /// largest.
    ///
    /// # Errors
    /// The values if they differ, or if a row has no value, did not end or is not trusted.
    pub fn agree(&self, name: &str, share: f64) -> Result<(), Disagreement> {
        let values = self.values(name, |row| row.faultless())?;
        let sizes = values.iter().map(|value| value.abs());
        let largest = sizes.fold(0.0, |a, b| if b > a { b } else { a });
        let apart = |a: f64, b: f64| (a - b).abs() > share * largest;
        if values.iter().any(|a| values.iter().any(|b| apart(*a, *b))) {
            return Err(self.complaint(
                name,
                &format!("`{name}` differs by more than {share:e} of the largest"),
            ));
        }
        Ok(())
    }

    /// Checks that the magnitude of a number ([`ComparedRow::figure`]) decreases from each named
    /// row to the next. A row is named by its value on any axis, such as `rk4`; other rows are
    /// ignored.
    ///
    /// # Errors
    /// The values if they do not decrease, or a name that fits no row or several.
    pub fn rank(&self, name: &str, from_largest: &[&str]) -> Result<(), Disagreement> {
        if from_largest.len() < 2 {
            return Err(self.complaint(name, "there is nothing to rank: fewer than two names"));
        }
        let mut last: Option<(&str, f64)> = None;
        for which in from_largest {
            let row = self.named(which)?;
            let Some(value) = row.figure(name).filter(|x| x.is_finite() && row.trial.completed())
            else {
                return Err(self.complaint(name, &format!("`{which}` has no `{name}`")));
            };
            if let Some((before, _)) = last.filter(|(_, least)| value.abs() >= *least) {
                let message =
                    format!("`{name}` of `{which}` is not smaller than that of `{before}`");
                return Err(self.complaint(name, &message));
            }
            last = Some((which, value.abs()));
        }
        Ok(())
    }

    /// Panics if [`Self::agree`] finds a fault.
    ///
    /// # Panics
    /// With the values of all rows.
    pub fn assert_agreement(&self, name: &str, share: f64) {
        self.agree(name, share).unwrap_or_else(|wrong| panic!("{wrong}"));
    }

    /// Panics if [`Self::rank`] finds a fault.
    ///
    /// # Panics
    /// With the values of all rows.
    pub fn assert_ranking(&self, name: &str, from_largest: &[&str]) {
        self.rank(name, from_largest).unwrap_or_else(|wrong| panic!("{wrong}"));
    }

    /// Values of all rows.
    fn values(&self, name: &str, good: fn(&ComparedRow) -> bool) -> Result<Vec<f64>, Disagreement> {
        if self.rows.len() < 2 {
            return Err(self.complaint(name, "there is nothing to compare: fewer than two rows"));
        }
        if let Some(row) = self.rows.iter().find(|row| !good(row)) {
            let message = format!("`{}` is not to be trusted", self.label(row));
            return Err(self.complaint(name, &message));
        }
        let values = self.rows.iter().map(|row| row.figure(name).filter(|x| x.is_finite()));
        let values: Option<Vec<f64>> = values.collect();
        values.ok_or_else(|| self.complaint(name, &format!("not every row has a `{name}`")))
    }

    fn named(&self, which: &str) -> Result<&ComparedRow, Disagreement> {
        let is = |row: &&ComparedRow| row.settings.iter().any(|(_, value)| value == which);
        let mut rows = self.rows.iter().filter(is);
        match (rows.next(), rows.next()) {
            (Some(row), None) => Ok(row),
            (None, _) => Err(self.complaint("error", &format!("no row is called `{which}`"))),
            _ => Err(self.complaint("error", &format!("more than one row is called `{which}`"))),
        }
    }

    /// A message with the values of all rows below it.
    fn complaint(&self, name: &str, message: &str) -> Disagreement {
        let mut text = String::from(message);
        let width = self.rows.iter().map(|row| self.label(row).chars().count()).max().unwrap_or(0);
        for row in &self.rows {
            let value = row.figure(name).map_or("–".into(), |value| format!("{value:e}"));
            let mark = match (row.trial.completed(), row.trial.verdict.faultless()) {
                (false, _) => format!("  ({})", row.trial.status.word()),
                (true, false) => format!("  (not trusted: {})", row.trial.verdict.marks()),
                _ => String::new(),
            };
            let _ = write!(text, "\n  {:<width$}  {value}{mark}", self.label(row));
        }
        Disagreement(text)
    }
}
