//! Marks of an axis, and their labels.

use super::PlotAxis;
use crate::math::log10;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// An axis with its range and marks, in the coordinate that is evenly spaced: the value, or its
/// logarithm.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    range: Range<f64>,
    marks: Vec<(f64, String)>,
    logarithmic: bool,
}

impl Scale {
    /// The scale of an axis that shows all `values`, with about `most` marks; a `tight` one ends
    /// with the data.
    pub fn new(
        axis: &PlotAxis,
        values: impl Iterator<Item = f64>,
        most: usize,
        tight: bool,
    ) -> Self {
        let place = |x: f64| if axis.logarithmic { log10(x) } else { x };
        let finite = values.map(place).filter(|x| x.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (if x < low { x } else { low }, if x > high { x } else { high })
        });
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let size = if low.abs() > high.abs() { low.abs() } else { high.abs() };
        // a constant needs room too
        let room = match high - low {
            width if width > 1e-9 * size => width * if tight { 0.0 } else { 0.06 },
            _ if size > 0.0 => 0.1 * size,
            _ => 1.0,
        };
        let range = low - room..high + room;
        let marks = if axis.logarithmic { decades(&range, most) } else { even(&range, most) };
        Scale { range, marks, logarithmic: axis.logarithmic }
    }

    /// Coordinate at which a value is drawn; not finite for a value that cannot be drawn.
    pub fn place(&self, x: f64) -> f64 {
        if self.logarithmic { log10(x) } else { x }
    }

    /// Label of a mark.
    pub fn label(&self, at: f64) -> String {
        let found = self.marks.iter().find(|(mark, _)| *mark == at);
        found.map_or(String::new(), |(_, label)| label.clone())
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.marks.iter().map(|(at, _)| *at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn even(range: &Range<f64>, most: usize) -> Vec<(f64, String)> {
    let wanted = (range.end - range.start) / most as f64;
    let mut exponent = exponent_of(wanted);
    let mut multiple = 1;
    while power(multiple, exponent) < wanted {
        (multiple, exponent) = match multiple {
            1 => (2, exponent),
            2 => (5, exponent),
            _ => (1, exponent + 1),
        };
    }
    let step = power(multiple, exponent);
    let first = (range.start / step - 1e-9).ceil() as i64;
    let last = (range.end / step + 1e-9).floor() as i64;
    (first..=last).map(|k| (k as f64 * step, written(k * multiple, exponent))).collect()
}

/// Powers of ten, or every second, third ... of them; 1, 2 and 5 times them where there are few; and
/// with less than that, even marks of the logarithm.
fn decades(range: &Range<f64>, most: usize) -> Vec<(f64, String)> {
    let (first, last) = (range.start.ceil() as i64, range.end.floor() as i64);
    if last > first + 1 {
        let stride = (last - first + most as i64) / most as i64;
        let all = (first..=last).filter(|k| k.rem_euclid(stride) == 0);
        return all.map(|k| (k as f64, format!("1e{k}"))).collect();
    }
    let multiples = (first - 1..=last).flat_map(|k| [1, 2, 5].map(|m| (m, k as i32)));
    let marks = multiples.map(|(m, k)| (log10(power(m, k)), format!("{m}e{k}")));
    let inside: Vec<(f64, String)> = marks.filter(|(at, _)| range.contains(at)).collect();
    if inside.len() > 1 {
        return inside;
    }
    let label = |at: f64| format!("{:.1e}", crate::math::pow(10.0, at));
    even(range, most).into_iter().map(|(at, _)| (at, label(at))).collect()
}

/// The power of ten in a number's scientific notation.
fn exponent_of(x: f64) -> i32 {
    let text = format!("{x:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

fn power(multiple: i64, exponent: i32) -> f64 {
    format!("{multiple}e{exponent}").parse().unwrap_or(1.0)
}

/// k · 10^exponent without needless digits.
fn written(k: i64, exponent: i32) -> String {
    let text = match exponent {
        _ if k == 0 => "0".into(),
        0..=3 => format!("{:.0}", power(k, exponent)),
        -4..=-1 => format!("{:.*}", exponent.unsigned_abs() as usize, power(k, exponent)),
        _ => format!("{:e}", power(k, exponent)),
    };
    text.replace('-', "−").replace("e−", "e-")
}
