//! Swing and period of a measure, from its values so far.

use crate::math::{larger, smaller};
use serde::{Deserialize, Serialize};

/// One number in place of the course of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// Mean distance of a turning point from the next, in the unit of the measure.
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

/// Turns back that are no turning point: up to this share of the range of the last turning points.
const RIPPLE: f64 = 0.5;

/// Or up to this share of the largest stroke: what has died down to it no longer counts.
const DEAD: f64 = 0.02;

/// Turning points by whose range ripples are told apart: those of three cycles, and one.
const RECENT: usize = 7;

/// Growth of a stroke over all recent ones, as a factor, at which cycles are counted anew.
const GROWTH: f64 = 1.5;

/// Cycles of a value y(t), by its turning points: where y turns back by more than half the range of the last seven.
/// A cycle begins where y rises through the middle of the last two, on the straight line between two readings, so that
/// a steady drift, growth or decay moves neither its length nor the mean of a fall and a rise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cycles {
    /// time and value of the last reading
    last: Option<(f64, f64)>,
    /// the last turning points, the first value of all in front while it is among them
    turned: Vec<f64>,
    /// the next turning point, as far as y has come
    extreme: f64,
    /// whether that is a greatest value; not known before the first one
    rises: Option<bool>,
    /// number of turning points
    turns: u64,
    /// the last rise through the middle, until the turning point before it is one \[s\]
    rise: Option<f64>,
    /// whether a cycle began in this rise
    counted: bool,
    /// number and sum of falls, and of rises, between turning points; the largest of them
    falls: (u64, f64),
    climbs: (u64, f64),
    largest: f64,
    /// number of beginnings of cycles, the first and the last of them \[s\]
    begun: u64,
    ends: (f64, f64),
    /// shortest and longest cycle \[s\]
    lengths: Option<(f64, f64)>,
}

impl Cycles {
    /// Adds the value y at the time t \[s\]; one that is not finite is left out.
    pub fn add(&mut self, t: f64, y: f64) {
        if !y.is_finite() {
            return;
        }
        let Some((before, from)) = self.last.replace((t, y)) else {
            (self.turned, self.extreme) = (vec![y], y);
            return;
        };
        let rises = *self.rises.get_or_insert(y > from);
        let beyond = if rises { y > self.extreme } else { y < self.extreme };
        if beyond {
            self.extreme = y;
            // the middle moves with a lower end
            self.rise = self.rise.filter(|_| rises);
        }
        if let Some(middle) = self.middle()
            && from < middle
            && y >= middle
        {
            self.rise = Some(before + (t - before) * (middle - from) / (y - from));
            if rises {
                self.begin();
            }
        }
        if (y - self.extreme).abs() > larger(RIPPLE * self.recent_range(), DEAD * self.largest) {
            self.turn(rises, y);
        }
    }

    /// The middle through which the next rise goes: between the last greatest and the last least value.
    fn middle(&self) -> Option<f64> {
        let last = *self.turned.last()?;
        match self.rises {
            Some(false) if self.turns > 0 => Some(0.5 * (last + self.extreme)),
            Some(true) if self.turns > 1 => Some(0.5 * (last + self.turned[self.turned.len() - 2])),
            _ => None,
        }
    }

    /// Greatest less least of the last turning points and of the next one.
    fn recent_range(&self) -> f64 {
        let all = self.turned.iter().copied().chain([self.extreme]);
        let (least, most) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), y| {
            (smaller(least, y), larger(most, y))
        });
        most - least
    }

    /// The value has turned, from a rise or a fall, and has come back to y.
    fn turn(&mut self, rose: bool, y: f64) {
        let stroke = (self.extreme - self.turned[self.turned.len() - 1]).abs();
        if self.turns > 0 {
            let genuine = self.turned.len().min(self.turns as usize);
            let recent = self.turned[self.turned.len() - genuine..].windows(2);
            let largest = recent.map(|two| (two[1] - two[0]).abs()).fold(0.0, larger);
            if largest > 0.0 && stroke > GROWTH * largest {
                self.count_anew(rose);
            }
            let strokes = if rose { &mut self.climbs } else { &mut self.falls };
            *strokes = (strokes.0 + 1, strokes.1 + stroke);
            self.largest = larger(self.largest, stroke);
        }
        self.turned.push(self.extreme);
        if self.turned.len() > RECENT {
            self.turned.remove(0);
        }
        self.turns += 1;
        (self.extreme, self.rises) = (y, Some(!rose));
        if rose {
            (self.rise, self.counted) = (None, false);
        } else {
            self.begin();
        }
    }

    /// The strokes so far were no cycles of the size of those to come, of which a rise may be the first.
    fn count_anew(&mut self, rose: bool) {
        (self.falls, self.climbs, self.largest) = ((0, 0.0), (0, 0.0), 0.0);
        (self.begun, self.lengths) = (u64::from(rose && self.counted), None);
        self.ends.0 = self.ends.1;
    }

    /// A cycle begins, if y has risen through the middle and none has begun in this rise.
    fn begin(&mut self) {
        let Some(at) = self.rise.filter(|_| !self.counted) else { return };
        self.counted = true;
        if self.begun == 0 {
            self.ends.0 = at;
        } else {
            let length = at - self.ends.1;
            let (least, most) = self.lengths.unwrap_or((length, length));
            self.lengths = Some((smaller(least, length), larger(most, length)));
        }
        self.ends.1 = at;
        self.begun += 1;
    }

    /// The number that stands for them, NaN where there is none: a swing needs a fall and a rise between turning
    /// points, a period like cycles. A first stroke from rest is in neither.
    pub fn reduced(&self, by: Reduction) -> f64 {
        match by {
            Reduction::Swing => self.swing().unwrap_or(f64::NAN),
            Reduction::Period => self.period().unwrap_or(f64::NAN),
        }
    }

    /// Half the mean fall and half the mean rise, in the unit of y.
    fn swing(&self) -> Option<f64> {
        let mean = |(count, sum): (u64, f64)| (count > 0).then(|| sum / count as f64);
        Some(0.5 * (mean(self.falls)? + mean(self.climbs)?))
    }

    /// Mean time of a cycle \[s\]. `None` for fewer than two complete ones, and where the longest exceeds the shortest
    /// by more than a tenth.
    fn period(&self) -> Option<f64> {
        let complete = self.begun.checked_sub(1).filter(|complete| *complete >= FEWEST)?;
        let (shortest, longest) = self.lengths?;
        (longest <= UNEVEN * shortest).then(|| (self.ends.1 - self.ends.0) / complete as f64)
    }
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

    /// Ripples of another period neither count as cycles nor split them; strokes reach from peak to peak.
    #[test]
    fn of_two_periods_that_of_the_large_swings_is_found() {
        for ripple in [0.13, 0.45, 0.71] {
            let course = |t: f64| sin(TAU * t / 2.1) + 0.15 * cos(TAU * t / ripple);
            let (swing, found) = of(course, 60.0, 5e-3);
            assert!((2.0..=2.3).contains(&swing), "{swing}");
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
        let faster = |t: f64| sin(TAU * t * (1.0 + 0.1 * t));
        assert!(of(faster, 10.0, 1e-3).1.is_nan(), "cycles that become shorter");
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
        assert!((swing - 5.0).abs() < 0.06 && (period - 1.5).abs() < 1e-3, "{swing} in {period} s");
        assert!(of(|t| t, 20.0, 1e-2).0.is_nan(), "no cycle, no swing");
        assert!(of(|_| 4.0, 20.0, 1e-2).0.is_nan(), "nor of a constant");
    }

    /// Cycles that drift, grow, die down or have ended have the swing and period that they had.
    #[test]
    fn neither_drift_nor_growth_nor_decay_moves_a_period() {
        for rate in [1e-4, 1e-3, 3e-3, 1e-2, 3e-2, -3e-2] {
            let (swing, period) = of(|t| rate * t + 0.1 * sin(TAU * t), 10.0, 1e-3);
            assert!((period - 1.0).abs() < 1e-6, "{period} s at {rate}");
            // the turning points are at cos = -rate/(0.1 τ)
            assert!(
                (swing / 0.2 - 1.0).abs() < 2.0 * (rate / 0.2) * (rate / 0.2) + 1e-5,
                "{swing}"
            );
        }
        for rate in [-0.2, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1] {
            for seconds in [10.0, 40.0] {
                let (_, period) = of(|t| exp(rate * t) * sin(TAU * t), seconds, 1e-3);
                assert!((period - 1.0).abs() < 1e-6, "{period} s at {rate} after {seconds} s");
            }
        }
        let ends = |t: f64| if t < 10.0 { sin(TAU * t) } else { 0.0 };
        for seconds in [11.0, 20.0] {
            let (swing, period) = of(ends, seconds, 1e-3);
            assert!((swing - 2.0).abs() < 1e-4 && (period - 1.0).abs() < 1e-3, "{swing} {period}");
        }
    }

    /// Turning points of exp(−t/10) cos(2π t) are at every half second.
    #[test]
    fn a_swing_is_the_mean_of_strokes() {
        let course = |t: f64| exp(-0.1 * t) * cos(TAU * t);
        let strokes = (1..40).map(|k| f64::from(k) * 0.5).take_while(|t| t + 0.5 < 9.9);
        let lengths: Vec<f64> = strokes.map(|t| exp(-0.1 * t) + exp(-0.1 * (t + 0.5))).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        let (swing, _) = of(course, 10.0, 1e-3);
        assert!((swing / mean - 1.0).abs() < 0.01, "{swing}, not {mean}");
    }

    /// The start, from another value and with other swings, is left out once the range has grown.
    #[test]
    fn cycles_are_counted_anew_when_the_range_grows() {
        let course = |t: f64| if t < 3.0 { 0.2 * sin(TAU * t / 0.4) } else { sin(TAU * t / 1.3) };
        let found = of(course, 20.0, 1e-2).1;
        assert!((found - 1.3).abs() < 1e-3, "{found}");
    }
}
