//! Marks of an axis, and their labels.

use super::PlotAxis;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;
use stiction_core::math::log10;

/// An axis with its range and marks, in the evenly spaced coordinate: the value or its logarithm.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    range: Range<f64>,
    marks: Marks,
    logarithmic: bool,
}

/// Marks of an axis.
#[derive(Debug, Clone, Default, PartialEq)]
struct Marks {
    /// Those with a label.
    labelled: Vec<(f64, String)>,
    /// Those without a label.
    minor: Vec<f64>,
    /// Exponent of the power of ten common to all labels; 0 for none.
    exponent: i32,
}

impl Scale {
    /// The scale of an axis that shows all `values`, with about `most` labels; a `tight` one ends
    /// at the data.
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
        // a constant also needs a range
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
        let found = self.marks.labelled.iter().find(|(mark, _)| *mark == at);
        found.map_or(String::new(), |(_, label)| label.clone())
    }

    /// Marks without a label.
    pub fn minor(&self) -> &[f64] {
        &self.marks.minor
    }

    /// The common factor of all labels, `×10⁻⁵`; empty if it is 1.
    pub fn factor(&self) -> String {
        match self.marks.exponent {
            0 => String::new(),
            exponent => format!("×10{}", raised(exponent)),
        }
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
        self.marks.labelled.iter().map(|(at, _)| *at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// Labelled marks at multiples of 1, 2 or 5 times a power of ten; unlabelled ones at fifths or
/// quarters.
fn even(range: &Range<f64>, most: usize) -> Marks {
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
    let numbers = |step: f64| {
        (range.start / step - 1e-9).ceil() as i64..=(range.end / step + 1e-9).floor() as i64
    };
    let size = if range.end.abs() > range.start.abs() { range.end } else { range.start };
    let common = match exponent_of(size) {
        -3..=4 => 0,
        large => large,
    };
    let label = |k: i64| written(k * multiple, exponent - common);
    let parts = if multiple == 2 { 4 } else { 5 };
    Marks {
        labelled: numbers(step).map(|k| (k as f64 * step, label(k))).collect(),
        minor: numbers(step / parts as f64)
            .filter(|k| k % parts != 0)
            .map(|k| k as f64 * step / parts as f64)
            .collect(),
        exponent: common,
    }
}

/// Labelled marks at powers of ten, or at every second, third … of them. Over a short range also 2
/// and 5 times them; over a still shorter one even marks of the logarithm.
fn decades(range: &Range<f64>, most: usize) -> Marks {
    let (first, last) = (range.start.ceil() as i64, range.end.floor() as i64);
    let multiples = |of: &[i64]| {
        let all = (first - 1..=last).flat_map(|k| of.iter().map(move |m| (*m, k as i32)));
        let marks = all.map(|(m, k)| (log10(power(m, k)), m, k));
        marks.filter(|(at, ..)| range.contains(at)).collect::<Vec<_>>()
    };
    if last > first + 1 {
        let stride = (last - first + most as i64) / most as i64;
        let all = (first..=last).filter(|k| k.rem_euclid(stride) == 0);
        let between = if stride == 1 { multiples(&[2, 3, 4, 5, 6, 7, 8, 9]) } else { Vec::new() };
        let skipped = (first..=last).filter(|k| k.rem_euclid(stride) != 0).map(|k| k as f64);
        return Marks {
            labelled: all.map(|k| (k as f64, format!("10{}", raised(k as i32)))).collect(),
            minor: between.into_iter().map(|(at, ..)| at).chain(skipped).collect(),
            exponent: 0,
        };
    }
    let label = |m: i64, k: i32| match (m, k) {
        (_, -2..=3) => written(m, k),
        (1, _) => format!("10{}", raised(k)),
        _ => format!("{m}·10{}", raised(k)),
    };
    let labelled: Vec<_> =
        multiples(&[1, 2, 5]).into_iter().map(|(at, m, k)| (at, label(m, k))).collect();
    if labelled.len() > 1 {
        let minor = multiples(&[3, 4, 6, 7, 8, 9]).into_iter().map(|(at, ..)| at).collect();
        return Marks { labelled, minor, exponent: 0 };
    }
    let between = even(range, most).labelled.into_iter().map(|(at, _)| at);
    let labelled = between.map(|at| (at, scientific(stiction_core::math::pow(10.0, at)))).collect();
    Marks { labelled, ..Marks::default() }
}

/// An exponent in superscript.
fn raised(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| match c.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => '⁻',
    };
    exponent.to_string().chars().map(raise).collect()
}

/// A number with two digits: `0.35`, `3.5·10⁻⁵`.
pub fn scientific(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let text = format!("{x:.1e}").replace('-', "−");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = mantissa.trim_end_matches(".0");
    let exponent = exponent.replace('−', "-").parse().unwrap_or(0);
    match exponent {
        -2..=-1 => format!("{x:.*}", 1 + (-exponent) as usize).replace('-', "−"),
        0 => mantissa.into(),
        1 => format!("{x:.0}").replace('-', "−"),
        _ if mantissa == "1" => format!("10{}", raised(exponent)),
        _ => format!("{mantissa}·10{}", raised(exponent)),
    }
}

/// The power of ten in a number's scientific notation.
fn exponent_of(x: f64) -> i32 {
    let text = format!("{x:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

fn power(multiple: i64, exponent: i32) -> f64 {
    format!("{multiple}e{exponent}").parse().unwrap_or(1.0)
}

/// k · 10^exponent without unnecessary digits.
fn written(k: i64, exponent: i32) -> String {
    let text = match exponent {
        _ if k == 0 => "0".into(),
        0.. => format!("{:.0}", power(k, exponent)),
        _ => format!("{:.*}", exponent.unsigned_abs() as usize, power(k, exponent)),
    };
    text.replace('-', "−")
}
