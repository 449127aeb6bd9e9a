//! The result of a verification: error bars, the runs behind them, and the point where they
//! diverge.

use super::cause::Cause;
use std::collections::BTreeMap;
use stiction_core::diagnosis::error_bar::ErrorBar;
use stiction_core::diagnosis::friction_limit::AboveLimit;
use stiction_core::diagnosis::stable_step::StepAboveStableStep;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::math::larger;

/// A measure with its error bar.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureBar {
    /// Its columns, or the body of the centre of mass.
    pub columns: Vec<String>,
    /// Its unit.
    pub unit: &'static str,
    /// Its last values, `ends[column][run]`, the run itself first.
    pub ends: Vec<Vec<f64>>,
    /// The frame at which the runs at all steps differ most, and their values there, column by column.
    pub apart: Vec<(usize, Vec<f64>)>,
    /// Its error bar.
    pub bar: ErrorBar,
    /// Whether its error counts in the verdict. If the measure is itself an error, it does not.
    pub counts: bool,
}

impl MeasureBar {
    /// Its error at the end, in one column; NaN if it is not known.
    pub fn error_at_end(&self, column: usize) -> f64 {
        self.bar.bars[column].last().copied().unwrap_or_default()
    }

    /// The error bars of one of its columns, one per frame.
    pub fn bars(&self, column: &str) -> Option<&[f64]> {
        let place = self.columns.iter().position(|c| c == column)?;
        Some(&self.bar.bars[place][..])
    }

    /// The column of the largest error.
    pub fn widest(&self) -> usize {
        let sum = |c: &usize| self.bar.bars[*c].iter().sum::<f64>();
        let columns = 0..self.columns.len();
        columns.reduce(|a, b| if sum(&b) > sum(&a) { b } else { a }).unwrap_or_default()
    }
}

/// A run with which another was compared.
#[derive(Debug, Clone, PartialEq)]
pub struct RefinedRun {
    /// Name in words: "the run at twice the step".
    pub name: String,
    /// Its method.
    pub integrator: &'static str,
    /// Step \[s\].
    pub step: f64,
    /// Whether its step is smaller than that of the compared run.
    pub is_refined: bool,
    /// Its final status.
    pub status: &'static str,
    /// Its own verdict.
    pub verdict: Verdict,
    /// Force evaluations it took.
    pub evaluations: u64,
    /// Hash of its last state.
    pub state_hash: u64,
}

/// A run at another value of the parameter of a cause.
#[derive(Debug, Clone, PartialEq)]
pub struct CauseRun {
    /// The parameter.
    pub value: f64,
    /// Its factor.
    pub factor: f64,
    /// The q of the run, over that of the run it is compared with: the ratio of the grid convergence index.
    pub ratio: f64,
    /// Its step \[s\].
    pub step: f64,
    /// Its final status.
    pub status: &'static str,
    /// Its own verdict.
    pub verdict: Verdict,
}

/// The errors by one cause.
#[derive(Debug, Clone, PartialEq)]
pub struct CauseBars {
    /// The cause.
    pub cause: Cause,
    /// The key that is scaled and its value in the scene, `None` by default; nothing where nothing is scaled.
    pub parameter: Option<(String, Option<f64>)>,
    /// Whether the errors are known: from runs, or zero since there is nothing to scale.
    pub known: bool,
    /// The runs behind them; none where nothing was compared.
    pub runs: Vec<CauseRun>,
    /// The scene's measures; none where nothing was compared.
    pub measures: Vec<MeasureBar>,
    /// The centres of mass of the bodies.
    pub bodies: Vec<MeasureBar>,
    /// The reason why nothing was compared, or what else there is to say.
    pub note: Option<String>,
}

impl CauseBars {
    /// The measure or body of a column, with the number of the column in it.
    pub fn find(&self, column: &str) -> Option<(&MeasureBar, usize)> {
        let place = |bar: &MeasureBar| bar.columns.iter().position(|c| c == column);
        self.measures.iter().chain(&self.bodies).find_map(|bar| Some((bar, place(bar)?)))
    }

    /// The error of a column at the end by this cause; `None` if it is not known.
    pub fn error(&self, column: &str) -> Option<f64> {
        match self.find(column) {
            Some((bar, place)) => Some(bar.error_at_end(place)).filter(|error| error.is_finite()),
            None => self.known.then_some(0.0),
        }
    }
}

/// First difference between two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Parting {
    /// Time \[s\].
    pub time: f64,
    /// The particle with the largest difference then.
    pub particle: String,
    /// Distance between its places in the two runs \[m\].
    pub distance: f64,
    /// The first difference in contacts until then, in words.
    pub event: Option<String>,
}

/// A verified run.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    /// The runs with which it was compared.
    pub runs: Vec<RefinedRun>,
    /// The scene's measures.
    pub measures: Vec<MeasureBar>,
    /// The centres of mass of the bodies.
    pub bodies: Vec<MeasureBar>,
    /// The first difference of the runs; `None` if they agree.
    pub parting: Option<Parting>,
    /// The errors by causes other than time; none where they were not asked for.
    pub causes: Vec<CauseBars>,
    /// Comparisons that could not be made, in sentences.
    pub notes: Vec<String>,
}

impl Verification {
    /// The measures that decide: those of the scene that count, or the bodies if there are none.
    pub fn judged(&self) -> impl Iterator<Item = &MeasureBar> {
        let none = !self.measures.iter().any(|measure| measure.counts);
        let all = if none { &self.bodies } else { &self.measures };
        all.iter().filter(|measure| measure.counts)
    }

    /// The largest error of a deciding measure by the step, as a share of its scale.
    pub fn share(&self) -> f64 {
        self.judged().map(|measure| measure.bar.share).fold(0.0, larger)
    }

    /// The sum of the errors of a column at the end by all causes, time the first; `None` if one is not known.
    pub fn sum_of_causes(&self, column: &str) -> Option<f64> {
        let mut bars = self.measures.iter().chain(&self.bodies);
        let time = bars.find_map(|bar| bar.bars(column)?.last().copied())?;
        let others = self.causes.iter().map(|by| by.error(column));
        let sum = others.sum::<Option<f64>>()? + time;
        Some(sum).filter(|sum| sum.is_finite())
    }

    /// Makes the errors unknown where the steps of all runs are above a limit: that runs agree on a wrong result
    /// is no measure of its error. Returns whether that is so.
    pub(super) fn forget_unfounded(&mut self) -> bool {
        let above = |run: &RefinedRun| run.verdict.reasons.iter().any(is_above_a_limit);
        let unfounded = !self.runs.is_empty() && self.runs.iter().all(above);
        if unfounded {
            let all = self.measures.iter_mut().chain(&mut self.bodies);
            all.for_each(|measure| measure.bar.forget());
            self.notes.push(
                "no error bars: every run that this one was compared with is above a limit of its step, too"
                    .into(),
            );
        }
        unfounded
    }

    /// The error bars of a column, one per frame; NaN where an error is not known.
    pub fn bars(&self, column: &str) -> Option<&[f64]> {
        self.measures.iter().find_map(|measure| measure.bars(column))
    }

    /// The error bars of all columns of the scene's measures, one per frame.
    pub fn all_bars(&self) -> BTreeMap<String, Vec<f64>> {
        let of = |measure: &MeasureBar| {
            measure.columns.clone().into_iter().zip(measure.bar.bars.clone()).collect::<Vec<_>>()
        };
        self.measures.iter().flat_map(of).collect()
    }

    /// The error bar of a column at a frame.
    pub fn error(&self, column: &str, frame: usize) -> Option<f64> {
        self.bars(column)?.get(frame).copied()
    }
}

/// Whether the step is too large for the method to be stable, or for friction to be right.
fn is_above_a_limit(reason: &Reason) -> bool {
    reason.numbers::<StepAboveStableStep>().is_some() || reason.numbers::<AboveLimit>().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_column_has_the_largest_errors() {
        for (bars, widest) in [([1.0, 2.0, 3.0], 2), ([1.0, 3.0, 2.0], 1), ([3.0, 1.0, 2.0], 0)] {
            let bar = ErrorBar {
                bars: bars.map(|bar| vec![0.0, bar]).to_vec(),
                scale: 1.0,
                share: 1.0,
                order: None,
                converges: true,
                safety: None,
            };
            let columns = ["x", "y", "z"].map(String::from).to_vec();
            let measure = MeasureBar {
                columns,
                unit: "m",
                ends: Vec::new(),
                apart: Vec::new(),
                bar,
                counts: true,
            };
            assert_eq!(measure.widest(), widest);
            assert_eq!(measure.error_at_end(widest), 3.0);
        }
    }
}
