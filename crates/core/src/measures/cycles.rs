//! Swing and period of a measure, from its values so far.

use crate::math::{larger, smaller};
use serde::{Deserialize, Serialize};

/// One number in place of the course of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// Greatest less least value of the cycles, in the unit of the measure.
    Swing,
    /// Mean time of a cycle \[s\].
    Period,
}

/// The words of a scene for [`Reduction`].
pub const REDUCTIONS: &[&str] = &["swing", "period"];

impl Reduction {
    /// The reduction of a word of [`REDUCTIONS`].
    pub fn named(word: &str) -> Reduction {
        if word == "period" { Reduction::Period } else { Reduction::Swing }
    }

    /// The unit of what is reduced from values in `unit`.
    pub fn unit(self, unit: &'static str) -> &'static str {
        match self {
            Reduction::Swing => unit,
            Reduction::Period => "s",
        }
    }
}

/// Fewest complete cycles that give a period.
const FEWEST: u64 = 2;

/// Longest cycle over the shortest, above which there is no single period.
const UNEVEN: f64 = 1.1;

/// Growth of the range, as a share of it, after which cycles are counted anew.
const GROWTH: f64 = 1.0 / 16.0;

/// Cycles of a value y(t). A cycle begins where y rises through the middle of its range, on the straight
/// line between two readings, if it was in the lowest quarter before and comes to the highest after:
/// smaller ripples are no cycles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cycles {
    /// least and greatest value
    range: (f64, f64),
    /// the range by which cycles are counted
    levels: (f64, f64),
    /// time and value of the last reading
    last: Option<(f64, f64)>,
    /// whether it has been in the lowest quarter since the last cycle began
    low: bool,
    /// the last rise through the middle, before y is in the highest quarter \[s\]
    rise: Option<f64>,
    /// least and greatest value since the first cycle began
    cycling: (f64, f64),
    /// number of beginnings of cycles, the first and the last of them \[s\]
    begun: u64,
    ends: (f64, f64),
    /// shortest and longest cycle \[s\]
    lengths: (f64, f64),
}

/// Bounds of no value at all.
const NOTHING: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

impl Default for Cycles {
    fn default() -> Self {
        Cycles {
            range: NOTHING,
            levels: NOTHING,
            last: None,
            low: false,
            rise: None,
            cycling: NOTHING,
            begun: 0,
            ends: (0.0, 0.0),
            lengths: NOTHING,
        }
    }
}

impl Cycles {
    /// Adds the value y at the time t \[s\]; one that is not finite is left out.
    pub fn add(&mut self, t: f64, y: f64) {
        if !y.is_finite() {
            return;
        }
        self.range = (smaller(self.range.0, y), larger(self.range.1, y));
        if span(self.range) > (1.0 + GROWTH) * larger(span(self.levels), 0.0) {
            *self = Cycles { range: self.range, levels: self.range, ..Cycles::default() };
        }
        let (middle, quarter) = (0.5 * (self.levels.0 + self.levels.1), 0.25 * span(self.levels));
        if let Some((before, from)) = self.last
            && self.low
            && from < middle
            && y >= middle
        {
            self.rise = Some(before + (t - before) * (middle - from) / (y - from));
        }
        if y <= middle - quarter {
            self.low = true;
        } else if y >= middle + quarter {
            self.rise.take().filter(|_| self.low).into_iter().for_each(|at| self.begin(at));
            self.low = false;
        }
        if self.begun > 0 {
            self.cycling = (smaller(self.cycling.0, y), larger(self.cycling.1, y));
        }
        self.last = Some((t, y));
    }

    /// A cycle begins.
    fn begin(&mut self, at: f64) {
        if self.begun == 0 {
            self.ends.0 = at;
        } else {
            let length = at - self.ends.1;
            self.lengths = (smaller(self.lengths.0, length), larger(self.lengths.1, length));
        }
        self.ends.1 = at;
        self.begun += 1;
    }

    /// The number that stands for them, NaN where there is none: a swing needs a complete cycle, a period like
    /// ones. The values before the first cycle, such as a first stroke from rest, are in neither.
    pub fn reduced(&self, by: Reduction) -> f64 {
        match by {
            Reduction::Swing if self.begun > 1 => span(self.cycling),
            Reduction::Swing => f64::NAN,
            Reduction::Period => self.period().unwrap_or(f64::NAN),
        }
    }

    /// Mean time of a cycle \[s\]. `None` for fewer than two complete ones, where the longest exceeds
    /// the shortest by more than a tenth, and once none has begun for twice the longest.
    fn period(&self) -> Option<f64> {
        let complete = self.begun.checked_sub(1).filter(|complete| *complete >= FEWEST)?;
        let even = self.lengths.1 <= UNEVEN * self.lengths.0;
        let ongoing = self.last?.0 - self.ends.1 <= 2.0 * self.lengths.1;
        (even && ongoing).then(|| (self.ends.1 - self.ends.0) / complete as f64)
    }
}

/// Greatest less least.
fn span(range: (f64, f64)) -> f64 {
    range.1 - range.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{cos, exp, sin};
    use std::f64::consts::TAU;

    /// Swing and period of a course over `seconds`, read every `frame`.
    fn of(course: impl Fn(f64) -> f64, seconds: f64, frame: f64) -> (f64, f64) {
        let mut cycles = Cycles::default();
        for k in 0..=(seconds / frame).round() as u32 {
            let t = f64::from(k) * frame;
            cycles.add(t, course(t));
        }
        (cycles.reduced(Reduction::Swing), cycles.reduced(Reduction::Period))
    }

    #[test]
    fn a_sine_has_its_swing_and_its_period() {
        for (period, phase) in [(1.7, 0.0), (0.31, 2.0), (2.0, -1.0)] {
            let (swing, found) = of(|t| 5.0 + 3.0 * sin(TAU * t / period + phase), 20.0, 1e-2);
            assert!((swing - 6.0).abs() < 6.0 * 3e-3, "{swing}");
            assert!((found / period - 1.0).abs() < 1e-4, "{found} s, not {period} s");
        }
    }

    /// Ripples of another period neither count as cycles nor split them.
    #[test]
    fn of_two_periods_that_of_the_large_swings_is_found() {
        for ripple in [0.13, 0.45, 0.71] {
            let course = |t: f64| sin(TAU * t / 2.1) + 0.15 * cos(TAU * t / ripple);
            let (swing, found) = of(course, 60.0, 5e-3);
            assert!((2.2..=2.3).contains(&swing), "{swing}");
            assert!((found / 2.1 - 1.0).abs() < 5e-3, "{found} s with a ripple of {ripple} s");
        }
    }

    #[test]
    fn no_period_is_given_for_what_has_none() {
        let sine = |t: f64| sin(TAU * t);
        assert!(of(sine, 1.9, 1e-2).1.is_nan(), "fewer than two cycles");
        assert!(of(|t| t, 20.0, 1e-2).1.is_nan(), "a line");
        assert!(of(|_| 4.0, 20.0, 1e-2).1.is_nan(), "a constant");
        let equal = |t: f64| sin(TAU * t) + sin(TAU * t / 0.617);
        assert!(of(equal, 20.0, 1e-2).1.is_nan(), "two periods of the same size");
        let ends = |t: f64| if t < 10.0 { sin(TAU * t) } else { 0.0 };
        assert!((of(ends, 11.0, 1e-2).1 - 1.0).abs() < 1e-3, "just ended");
        assert!(of(ends, 20.0, 1e-2).1.is_nan(), "long ended");
        let dies = |t: f64| exp(-0.05 * t) * sin(TAU * t);
        let (swing, period) = of(dies, 40.0, 1e-2);
        assert!(period.is_nan() && (1.8..2.0).contains(&swing), "died down from {swing}");
        assert!(Cycles::default().reduced(Reduction::Swing).is_nan(), "no value");
    }

    /// A spring that is loaded from rest: its first stroke begins lower than any later one.
    #[test]
    fn a_first_stroke_is_no_part_of_the_swing() {
        let course = |t: f64| {
            let cycle = (t - 3.0) % 1.5;
            if t < 3.0 {
                2.0 * t
            } else {
                6.0 - 5.0 * if cycle < 0.5 { 2.0 * cycle } else { 1.5 - cycle }
            }
        };
        let (swing, period) = of(course, 12.0, 1e-2);
        assert!((swing - 5.0).abs() < 0.1 && (period - 1.5).abs() < 1e-3, "{swing} in {period} s");
        assert!(of(|t| t, 20.0, 1e-2).0.is_nan(), "no cycle, no swing");
        assert!(of(|_| 4.0, 20.0, 1e-2).0.is_nan(), "nor of a constant");
    }

    /// The start, from another value and with other swings, is left out once the range has grown.
    #[test]
    fn cycles_are_counted_anew_when_the_range_grows() {
        let course = |t: f64| if t < 3.0 { 0.2 * sin(TAU * t / 0.4) } else { sin(TAU * t / 1.3) };
        let found = of(course, 20.0, 1e-2).1;
        assert!((found - 1.3).abs() < 1e-3, "{found}");
    }
}
