//! Varied quantities: axes of values, crossed with sampled points, and the resulting jobs.

use super::random::{SamplePlan, points};
use crate::experiment::list::split;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use stiction_core::math::{larger, pow, smaller};

/// Most numbers that are drawn for a sweep: 128 MiB of them.
const MOST_NUMBERS: usize = 1 << 24;

/// One key of the scene and its values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepAxis {
    /// A key as of `--set`.
    pub key: String,
    /// Its values.
    #[serde(flatten)]
    pub values: Values,
}

/// The values of an axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    /// A list, each as after the `=` of `--set`; crossed with all other axes.
    Values(Vec<String>),
    /// A range, sampled at points common to all sampled axes.
    Sampled(SweptRange),
}

/// A range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SweptRange {
    /// The first value.
    pub from: f64,
    /// The last value.
    pub to: f64,
    /// Whether values are spaced logarithmically.
    pub logarithmic: bool,
}

/// All varied quantities. Job 0 has the first value of every axis; the last axis changes fastest,
/// the sampled points faster still.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepGrid {
    /// The axes in the order they were given.
    pub axes: Vec<SweepAxis>,
    /// Sampling of the sampled axes; absent if there are none.
    pub sample: Option<SamplePlan>,
}

/// Reason why a sweep is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GridError {
    /// A text is not an axis, or the axes contradict each other (exit 2).
    #[error("{0}")]
    Usage(String),
    /// Too many jobs (exit 9).
    #[error(
        "the sweep has {jobs} jobs, at most {most} are allowed; vary less, or allow more with --max-jobs"
    )]
    TooMany {
        /// Number of jobs.
        jobs: u128,
        /// The limit.
        most: u64,
    },
}

/// Settings of one job: keys with their values.
pub type SweepSettings = Vec<(String, String)>;

impl SweepAxis {
    /// Refuses an axis without values, and one whose jobs would be equal.
    fn check(&self) -> Result<(), String> {
        let list = match &self.values {
            Values::Sampled(range) => {
                return range.check().map_err(|why| format!("`{}`: {why}", self.key));
            }
            Values::Values(list) => list,
        };
        if list.is_empty() {
            return Err(format!("`{}` has no values", self.key));
        }
        let mut seen = BTreeSet::new();
        match list.iter().find(|value| !seen.insert(plain(value))) {
            None => Ok(()),
            Some(value) => Err(format!(
                "`{}` takes the value {value} twice, so that jobs would be equal; give it once",
                self.key
            )),
        }
    }

    /// Reads `KEY=VALUES`: a list `a,b,c`, a range `lo..hi:N`, `lo..hi:linear:N` or
    /// `lo..hi:log:N`, or a range to be sampled, `lo..hi` or `lo..hi:log`. Commas inside brackets
    /// and quotation marks do not split.
    pub fn parse(text: &str) -> Result<SweepAxis, String> {
        let parts = split(text, '=', 2);
        let [key, values] = &parts[..] else {
            return Err(format!(
                "--vary takes KEY=VALUES, got `{text}`; for example --vary contact.friction.epsilon=1e-5..1e-2:log:4"
            ));
        };
        let (key, values) = (key.trim().to_string(), values.trim());
        let under = |why: String| format!("--vary {key}: {why}");
        if values.is_empty() {
            return Err(under("the list of values is empty; give at least one".into()));
        }
        let list: Vec<String> =
            split(values, ',', usize::MAX).iter().map(|item| item.trim().into()).collect();
        if let [only] = &list[..]
            && let Some(values) = SweptRange::parse(only).map_err(under)?
        {
            return Ok(SweepAxis { key, values });
        }
        if let Some(gap) = list.iter().position(String::is_empty) {
            return Err(under(format!(
                "value {} of {} is empty; is there a comma too many?",
                gap + 1,
                list.len()
            )));
        }
        if let Some(range) = list.iter().find(|item| matches!(SweptRange::parse(item), Ok(Some(_))))
        {
            return Err(under(format!("the range `{range}` cannot be one of several values")));
        }
        Ok(SweepAxis { key, values: Values::Values(list) })
    }

    /// Number of its own values; `None` if it is sampled.
    pub fn count(&self) -> Option<usize> {
        match &self.values {
            Values::Values(list) => Some(list.len()),
            Values::Sampled(_) => None,
        }
    }
}

impl SweptRange {
    /// Parses a range; `None` if the text is not a range.
    fn parse(text: &str) -> Result<Option<Values>, String> {
        let mut parts = text.split(':');
        let Some((from, to)) = parts.next().and_then(|ends| ends.split_once("..")) else {
            return Ok(None);
        };
        let (Ok(from), Ok(to)) = (from.trim().parse::<f64>(), to.trim().parse::<f64>()) else {
            return Ok(None);
        };
        let rest: Vec<&str> = parts.map(str::trim).collect();
        let (logarithmic, count) = match rest[..] {
            [] => (false, None),
            ["log"] => (true, None),
            ["linear"] => (false, None),
            [count] => (false, Some(count)),
            ["log", count] => (true, Some(count)),
            ["linear", count] => (false, Some(count)),
            _ => {
                return Err(format!(
                    "`{text}` is no range; write lo..hi:N, lo..hi:log:N, or lo..hi to sample it"
                ));
            }
        };
        let range = SweptRange { from, to, logarithmic };
        range.check()?;
        let Some(count) = count else { return Ok(Some(Values::Sampled(range))) };
        let Some(count) = count.parse::<u32>().ok().filter(|n| (2..=1_000_000).contains(n)) else {
            return Err(format!(
                "`{count}` values in `{text}`: give a whole number from 2 to 1000000"
            ));
        };
        let share = |k: u32| f64::from(k) / f64::from(count - 1);
        Ok(Some(Values::Values((0..count).map(|k| written(range.at(share(k)))).collect())))
    }

    fn check(&self) -> Result<(), String> {
        let SweptRange { from, to, logarithmic } = *self;
        if !from.is_finite() || !to.is_finite() || from == to {
            return Err(format!(
                "the ends {from:?} and {to:?} must be two different finite numbers"
            ));
        }
        if logarithmic && smaller(from, to) <= 0.0 {
            return Err(format!("a logarithmic range from {from:?} to {to:?} must lie above 0"));
        }
        Ok(())
    }

    /// The value at a share (0 to 1) of the range; exact at the ends.
    fn at(&self, share: f64) -> f64 {
        let SweptRange { from, to, logarithmic } = *self;
        if share == 0.0 || share == 1.0 {
            return if share == 0.0 { from } else { to };
        }
        if logarithmic { from * pow(to / from, share) } else { from + share * (to - from) }
    }
}

/// The shortest decimal of a number, without rounding errors of computation: 0.3, not
/// 0.30000000000000004.
fn written(x: f64) -> String {
    let short: f64 = format!("{x:.11e}").parse().unwrap_or(x);
    let x = if (short - x).abs() <= 1e-15 * larger(x.abs(), short.abs()) { short } else { x };
    if x == x.trunc() && x.abs() < 1e15 { format!("{x:.0}") } else { format!("{x:?}") }
}

impl SweepGrid {
    /// The grid of axes.
    ///
    /// # Errors
    /// No axis, a key given twice, two equal jobs, sampled ranges without a sample or the reverse,
    /// or more than `most` jobs.
    pub fn new(
        axes: Vec<SweepAxis>,
        sample: Option<SamplePlan>,
        most: u64,
    ) -> Result<SweepGrid, GridError> {
        let usage = |message: String| Err(GridError::Usage(message));
        if axes.is_empty() {
            return usage("nothing is varied; give at least one --vary KEY=VALUES".into());
        }
        let mut keys = BTreeSet::new();
        if let Some(axis) = axes.iter().find(|axis| !keys.insert(plain(&axis.key))) {
            return usage(format!(
                "`{}` is varied twice; give all its values in one --vary",
                axis.key
            ));
        }
        let sampled = axes.iter().find(|axis| axis.count().is_none());
        match (sampled, &sample) {
            (Some(axis), None) => {
                return usage(format!(
                    "`{0}` is a range without a number of values; write {0}=lo..hi:N, or say --sample latin --samples N",
                    axis.key
                ));
            }
            (None, Some(_)) => {
                return usage("--sample has nothing to sample; write --vary KEY=lo..hi".into());
            }
            _ => {}
        }
        let ranges = axes.iter().filter(|axis| axis.count().is_none()).count();
        if let Some(SamplePlan { count, .. }) = sample
            && (count == 0 || (count as usize).saturating_mul(ranges) > MOST_NUMBERS)
        {
            return usage(format!(
                "{count} points of {ranges} keys cannot be drawn: at least one point, and {MOST_NUMBERS} numbers at most"
            ));
        }
        axes.iter().try_for_each(SweepAxis::check).map_err(GridError::Usage)?;
        let grid = SweepGrid { axes, sample };
        match grid.product() {
            jobs if jobs > u128::from(most) => Err(GridError::TooMany { jobs, most }),
            _ => Ok(grid),
        }
    }

    /// The number of jobs.
    pub fn count(&self) -> usize {
        usize::try_from(self.product()).unwrap_or(usize::MAX)
    }

    /// Length of the values of all jobs together \[bytes\]; sampled values count as nothing.
    pub fn length(&self) -> u128 {
        let jobs = self.product();
        let of = |axis: &SweepAxis| match &axis.values {
            Values::Values(list) => {
                let once: u128 = list.iter().map(|value| value.len() as u128).sum();
                (jobs / list.len() as u128).saturating_mul(once)
            }
            Values::Sampled(_) => 0,
        };
        self.axes.iter().map(of).fold(0, u128::saturating_add)
    }

    fn product(&self) -> u128 {
        let counts = self.axes.iter().filter_map(SweepAxis::count).map(|n| n as u128);
        let samples = self.sample.as_ref().map_or(1, |sample| u128::from(sample.count));
        counts.fold(samples, u128::saturating_mul)
    }

    /// The jobs.
    pub fn jobs(&self) -> SweepJobs {
        let ranges = self.axes.iter().filter(|axis| axis.count().is_none()).count();
        let drawn = match &self.sample {
            Some(sample) => points(sample, ranges),
            None => vec![Vec::new()],
        };
        SweepJobs { grid: self.clone(), drawn }
    }
}

/// The jobs of a grid, in order; the settings of one are made when they are asked for.
#[derive(Debug, Clone)]
pub struct SweepJobs {
    grid: SweepGrid,
    /// points of the sampled axes, in their order
    drawn: Vec<Vec<f64>>,
}

impl SweepJobs {
    /// Their number.
    pub fn count(&self) -> usize {
        self.grid.count()
    }

    /// The settings of a job.
    ///
    /// # Panics
    /// `job` is not below [`SweepJobs::count`].
    pub fn settings(&self, job: usize) -> SweepSettings {
        let mut shares = self.drawn[job % self.drawn.len()].iter();
        let mut rest = job / self.drawn.len();
        let axes = &self.grid.axes;
        let mut listed = Vec::with_capacity(axes.len());
        // the last axis changes fastest
        for axis in axes.iter().rev() {
            let Values::Values(list) = &axis.values else { continue };
            listed.push(&list[rest % list.len()]);
            rest /= list.len();
        }
        assert!(rest == 0, "there is no job {job}");
        let value = |axis: &SweepAxis| match axis.values {
            Values::Sampled(range) => {
                written(range.at(*shares.next().expect("one share for every sampled axis")))
            }
            Values::Values(_) => listed.pop().expect("one value for every listed axis").clone(),
        };
        let keys = axes.iter().map(|axis| axis.key.clone());
        keys.zip(axes.iter().map(value)).collect()
    }

    /// The settings of every job.
    pub fn iter(&self) -> impl Iterator<Item = SweepSettings> + '_ {
        (0..self.count()).map(|job| self.settings(job))
    }
}

/// A key or a value in the form used for comparison: numbers by value, texts without quotation
/// marks and blanks.
fn plain(text: &str) -> String {
    match text.replace('_', "").parse::<f64>() {
        // both zeros are equal
        Ok(x) => format!("{:?}", x + 0.0),
        Err(_) => text.chars().filter(|c| !matches!(c, '"' | '\'') && !c.is_whitespace()).collect(),
    }
}

#[cfg(test)]
mod tests;
