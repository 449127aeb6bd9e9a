//! Swing and period of a measure, from its values so far.

use super::vertex::vertex;
use crate::math::{PI, larger, smaller};
use serde::{Deserialize, Serialize};

/// One number in place of the course of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// The mean of the mean fall and the mean rise between turning points, in the unit of the measure.
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

/// Or up to this share of the largest value, which is rounding.
const ROUNDING: f64 = 1e-12;

/// Allowance for extremes that are narrower than those of a sine.
const NARROW: f64 = 10.0;

/// Turning points by whose range ripples are told apart.
const RECENT: usize = 3;

/// Strokes of their mean time after which turning points are sought anew.
const WAIT: f64 = 6.0;

/// Growth of a stroke over all recent ones, as a factor, at which cycles are counted anew.
const GROWTH: f64 = 1.5;

/// Cycles of a value y(t), by its turning points: where y turns back by more than half the range of the last three.
/// A cycle begins where y rises through the middle of the last two, on the straight line between two readings, so that
/// steady growth or decay, or a drift of up to a fifth of the swing a cycle, moves neither its length nor the mean of a
/// fall and a rise. Where y has not turned for the time of six strokes, turning points are sought anew; if strokes are
/// then less than two thirds of those before, some were left out in between, and there is no swing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cycles {
    /// times and values of the last three readings, the newest first
    last: [Option<(f64, f64)>; 3],
    /// the largest size of a value
    size: f64,
    /// times and values of the last turning points, the first reading in front while it is among them
    turning_points: Vec<(f64, f64)>,
    /// their number since they are sought
    turns: u64,
    /// the next one, as far as y has come
    extreme: (f64, f64),
    /// how far it lies beyond the readings, and the sum of that over all turning points that count
    between: f64,
    beyond: (u64, f64),
    /// whether that is a greatest value; not known while y has not moved
    rises: Option<bool>,
    /// the time of the last rise through the middle, until the turning point before it is one \[s\]
    crossed: Option<f64>,
    /// whether a cycle began in this rise
    counted: bool,
    /// number and sum of falls, and of rises, between turning points; the largest of them
    falls: (u64, f64),
    climbs: (u64, f64),
    largest: f64,
    /// the last stroke before turning points were sought anew, until the next one; whether that was smaller by far
    before: Option<f64>,
    fell: bool,
    /// the beginning of the cycle that is not complete \[s\]
    began: Option<f64>,
    /// number and sum of the complete cycles \[s\], the shortest and the longest
    complete: (u64, f64),
    lengths: Option<(f64, f64)>,
}

impl Cycles {
    /// Adds the value y at the time t \[s\]; one that is not finite is left out, and so is a second one at that time.
    pub fn add(&mut self, t: f64, y: f64) {
        if !y.is_finite() || self.last[0].is_some_and(|(before, _)| t <= before) {
            return;
        }
        self.size = larger(self.size, y.abs());
        let [last, second, third] = std::mem::replace(&mut self.last, [Some((t, y)), None, None]);
        (self.last[1], self.last[2]) = (last, second);
        let Some((before, from)) = last else {
            self.seek(t, y);
            return;
        };
        if self.rises.is_none() && y != from {
            self.rises = Some(y > from);
        }
        let Some(rises) = self.rises else { return };
        let beyond = |of: f64, other: f64| if rises { of > other } else { of < other };
        if let (Some(second), Some(third)) = (second, third)
            && from == self.extreme.1
            && !beyond(y, from)
        {
            // between readings y may have been beyond all of them
            let peak = vertex([third, second, (before, from), (t, y)]);
            self.extreme = peak.filter(|peak| beyond(peak.1, from)).unwrap_or(self.extreme);
            self.between = (self.extreme.1 - from).abs();
        }
        if beyond(y, self.extreme.1) {
            (self.extreme, self.between) = ((t, y), 0.0);
            // the middle moves with a lower end
            self.crossed = self.crossed.filter(|_| rises);
        }
        if let Some(middle) = self.middle()
            && from < middle
            && y >= middle
        {
            self.crossed = Some(before + (t - before) * (middle - from) / (y - from));
            if rises {
                self.begin();
            }
        }
        let back = (y - self.extreme.1).abs();
        let ripple = larger(RIPPLE * self.recent_range(), DEAD * self.largest);
        if back > larger(ripple, ROUNDING * self.size) {
            self.turn(rises, (t, y));
        } else if self.stroke_time().is_some_and(|one| t - self.last_turn().0 > WAIT * one) {
            self.before = self.strokes().last();
            self.seek(t, y);
        }
    }

    /// Seeks turning points from a reading on.
    fn seek(&mut self, t: f64, y: f64) {
        (self.turning_points, self.turns, self.extreme) = (vec![(t, y)], 0, (t, y));
        (self.rises, self.crossed, self.counted, self.began) = (None, None, false, None);
    }

    /// The last turning points, without the reading from which they are sought.
    fn genuine(&self) -> &[(f64, f64)] {
        let count = self.turning_points.len().min(self.turns as usize);
        &self.turning_points[self.turning_points.len() - count..]
    }

    /// Mean time of a stroke between turning points \[s\]; `None` for fewer than two.
    fn stroke_time(&self) -> Option<f64> {
        match self.genuine() {
            [first, .., last] if self.turns > 2 => {
                Some((last.0 - first.0) / (self.genuine().len() - 1) as f64)
            }
            _ => None,
        }
    }

    /// Strokes between the last turning points, in the unit of y.
    fn strokes(&self) -> impl Iterator<Item = f64> {
        self.genuine().windows(2).map(|two| (two[1].1 - two[0].1).abs())
    }

    /// The last turning point; before the first one the reading from which they are sought.
    fn last_turn(&self) -> (f64, f64) {
        self.turning_points[self.turning_points.len() - 1]
    }

    /// The middle through which the next rise goes: between the last greatest and the last least value.
    fn middle(&self) -> Option<f64> {
        let last = self.last_turn().1;
        match self.rises {
            Some(false) if self.turns > 0 => Some(0.5 * (last + self.extreme.1)),
            Some(true) if self.turns > 1 => {
                Some(0.5 * (last + self.turning_points[self.turning_points.len() - 2].1))
            }
            _ => None,
        }
    }

    /// Greatest less least of the last turning points and of the next one.
    fn recent_range(&self) -> f64 {
        let all = self.turning_points.iter().chain([&self.extreme]);
        let (least, most) = all
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), (_, y)| {
                (smaller(least, *y), larger(most, *y))
            });
        most - least
    }

    /// The value has turned, from a rise or a fall, and has come back to `now`.
    fn turn(&mut self, rose: bool, now: (f64, f64)) {
        if self.turns > 0 {
            let stroke = (self.extreme.1 - self.last_turn().1).abs();
            let largest = self.strokes().reduce(larger).unwrap_or(self.largest);
            self.fell |= self.before.take().is_some_and(|before| before > GROWTH * stroke);
            if largest > 0.0 && stroke > GROWTH * largest {
                self.count_anew();
            } else {
                let strokes = if rose { &mut self.climbs } else { &mut self.falls };
                *strokes = (strokes.0 + 1, strokes.1 + stroke);
                self.largest = larger(self.largest, stroke);
            }
        }
        self.beyond = (self.beyond.0 + 1, self.beyond.1 + self.between);
        self.turning_points.push(self.extreme);
        if self.turning_points.len() > RECENT {
            self.turning_points.remove(0);
        }
        self.turns += 1;
        (self.extreme, self.rises) = (now, Some(!rose));
        if rose {
            (self.crossed, self.counted) = (None, false);
        } else {
            self.begin();
        }
    }

    /// The strokes so far, and this first one of another size, are no cycles of the size of those to come.
    fn count_anew(&mut self) {
        (self.falls, self.climbs, self.largest) = ((0, 0.0), (0, 0.0), 0.0);
        (self.began, self.complete, self.lengths, self.fell) = (None, (0, 0.0), None, false);
        self.beyond = (0, 0.0);
    }

    /// A cycle begins, if y has risen through the middle and none has begun in this rise.
    fn begin(&mut self) {
        let Some(at) = self.crossed.filter(|_| !self.counted) else { return };
        self.counted = true;
        if let Some(began) = self.began.replace(at) {
            let length = at - began;
            let (shortest, longest) = self.lengths.unwrap_or((length, length));
            self.lengths = Some((smaller(shortest, length), larger(longest, length)));
            self.complete = (self.complete.0 + 1, self.complete.1 + length);
        }
    }

    /// The number that stands for them, NaN where there is none: a swing needs a fall and a rise between turning
    /// points, a period like cycles. A first stroke from rest is in neither.
    pub fn reduced(&self, by: Reduction) -> f64 {
        match by {
            Reduction::Swing => self.swing().unwrap_or(f64::NAN),
            Reduction::Period => self.period().unwrap_or(f64::NAN),
        }
    }

    /// The error of that number by the distance of readings, beside those of the values read: an estimate. A smooth
    /// extreme lies beyond its nearest reading by up to (π/n)²/4 of a swing read n times a cycle, and the parabola
    /// through the readings finds it to a share of about (π/n)² of that; ten times as much is allowed for narrow
    /// extremes. The time of a cycle is off at both ends by what the middle is, and by a like share of a distance.
    pub fn reading_error(&self, by: Reduction) -> f64 {
        let ([Some((now, _)), Some((before, _)), _], Some(stroke)) =
            (self.last, self.stroke_time())
        else {
            return 0.0;
        };
        let apart = PI * (now - before) / (2.0 * stroke);
        let share = smaller(NARROW * apart * apart, 1.0);
        let mean = self.beyond.1 / larger(self.beyond.0 as f64, 1.0);
        let swing = 2.0 * mean * share;
        match by {
            Reduction::Swing => swing,
            Reduction::Period => {
                let slope = self.swing().map_or(f64::INFINITY, |swing| PI * swing / (2.0 * stroke));
                let end = 0.5 * swing / slope + (now - before) * share / NARROW;
                2.0 * end / larger(self.complete.0 as f64, 1.0)
            }
        }
    }

    /// Half the mean fall and half the mean rise, in the unit of y.
    fn swing(&self) -> Option<f64> {
        let mean = |(count, sum): (u64, f64)| (count > 0 && !self.fell).then(|| sum / count as f64);
        Some(0.5 * (mean(self.falls)? + mean(self.climbs)?))
    }

    /// Mean time of a cycle \[s\]. `None` for fewer than two complete ones, and where the longest exceeds the shortest
    /// by more than a tenth.
    fn period(&self) -> Option<f64> {
        let (complete, time) = self.complete;
        let (shortest, longest) = self.lengths?;
        (complete >= FEWEST && longest <= UNEVEN * shortest).then(|| time / complete as f64)
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

    /// Extremes lie between readings: at 20 readings a cycle the nearest is up to 1.2 % too low.
    #[test]
    fn a_swing_is_not_that_of_the_readings() {
        for phase in [0.0, 0.005, 0.0125, 0.025] {
            for (frame, error) in [(0.05, 4e-4), (0.025, 3e-5), (0.01, 1e-6)] {
                let (swing, _) = of(|t| 0.1 * sin(TAU * (t - phase)), 10.0, frame);
                assert!((swing / 0.2 - 1.0).abs() < error, "{swing} by {frame} s at {phase} s");
            }
        }
        let rounding = |t: f64| 1.0 + 1e-15 * sin(TAU * t);
        assert!(of(rounding, 10.0, 1e-2).0.is_nan());
    }

    /// A second reading at a time is none; what is left between readings is in the error.
    #[test]
    fn a_swing_lies_within_its_error_by_readings() {
        for count in [8.3, 13.9, 27.7, 60.1, 200.3] {
            for phase in [0.0, 0.1, 0.27] {
                let mut cycles = Cycles::default();
                for k in 0..(12.0 * count) as u32 {
                    let t = f64::from(k) / count;
                    let y = 0.1 * cos(TAU * (t - phase));
                    (0..2).for_each(|_| cycles.add(t, y));
                }
                let of = |by| (cycles.reduced(by), cycles.reading_error(by));
                let (swing, off) = of(Reduction::Swing);
                assert!((swing - 0.2).abs() <= off, "{count} {phase}: {swing} ± {off}");
                assert!(off <= 0.2 * 20.0 / (count * count), "{count} {phase}: {swing} ± {off}");
                let (period, off) = of(Reduction::Period);
                assert!((period - 1.0).abs() <= off, "{count} {phase}: {period} ± {off}");
                assert!(off <= 20.0 / (count * count), "{count} {phase}: {period} ± {off}");
            }
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
        for rate in [-0.4, -0.2, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1] {
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

    /// Strokes that are halved from one to the next are ripples of those before: none is left out without a word.
    #[test]
    fn no_swing_is_given_where_strokes_are_left_out() {
        for (rate, known) in [(-0.3, true), (-0.6, false), (-1.0, false)] {
            let (swing, _) = of(|t| exp(rate * t) * sin(TAU * t), 20.0, 1e-3);
            assert_eq!(!swing.is_nan(), known, "{swing} at {rate}");
        }
    }

    /// Velocities of bounces jump at the ends of their strokes: there is nothing beyond the readings.
    #[test]
    fn a_jump_is_no_extreme_between_readings() {
        for frame in [0.01, 0.03] {
            let (swing, _) = of(|t| 1.0 - 2.0 * (t % 1.0), 20.0, frame);
            assert!(swing <= 2.0 && swing > 2.0 - 4.0 * frame, "{swing} by {frame}");
        }
        let square = |t: f64| if t % 1.0 < 0.5 { 1.0 } else { -1.0 };
        assert_eq!(of(square, 20.0, 0.01).0, 2.0);
    }

    /// Rests, rounding and smaller cycles before the first stroke are in neither number.
    #[test]
    fn a_start_of_another_kind_is_left_out() {
        let saw = |t: f64| {
            let cycle = t % 1.5;
            if t < 3.0 {
                2.0 * t
            } else {
                1.0 + 5.0 * if cycle < 0.5 { 1.0 - 2.0 * cycle } else { cycle - 0.5 }
            }
        };
        let raised = |t: f64| 1.0 - cos(TAU * t / 1.5);
        let starts: [fn(f64) -> f64; 3] =
            [|_| 0.0, |t| 1e-15 * sin(3e4 * t * t), |t| 0.2 * sin(TAU * t / 0.4)];
        for (number, start) in starts.into_iter().enumerate() {
            let joined = |later: fn(f64) -> f64| {
                of(|t| if t < 2.0 { start(t) } else { later(t - 2.0) }, 30.0, 1e-3)
            };
            for (swing, found) in [(5.0, joined(saw)), (2.0, joined(raised))] {
                assert!((found.0 / swing - 1.0).abs() < 1e-2, "{number}: {found:?}, not {swing}");
                assert!((found.1 / 1.5 - 1.0).abs() < 1e-3, "{number}: {found:?}");
            }
        }
    }

    /// Larger cycles after a jump of the level count anew; beside smaller ones there is no single period.
    #[test]
    fn cycles_of_another_kind_later_are_seen() {
        let jumps = |t: f64| if t < 10.0 { sin(TAU * t) } else { 10.0 + 3.0 * sin(TAU * t / 3.0) };
        let smaller = |t: f64| if t < 10.0 { sin(TAU * t) } else { 0.45 * sin(TAU * t / 2.0) };
        let (swing, period) = of(jumps, 60.0, 1e-3);
        assert!((swing - 6.0).abs() < 1e-3 && (period - 3.0).abs() < 1e-3, "{swing} {period}");
        assert!(of(smaller, 60.0, 1e-3).1.is_nan());
    }

    /// The start, from another value and with other swings, is left out once the range has grown.
    #[test]
    fn cycles_are_counted_anew_when_the_range_grows() {
        let course = |t: f64| if t < 3.0 { 0.2 * sin(TAU * t / 0.4) } else { sin(TAU * t / 1.3) };
        let found = of(course, 20.0, 1e-2).1;
        assert!((found - 1.3).abs() < 1e-3, "{found}");
    }
}
