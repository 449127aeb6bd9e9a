//! Marks of an axis, and their labels: numbers of one format, no two of them equal.

use super::PlotAxis;
use std::ops::Range;
use stiction_core::math::{log10, pow, smaller};

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
    /// Decimals of the labels.
    decimals: usize,
}

/// Whether two labels, each with its share of the axis, do not touch.
pub(super) type Apart<'a> = dyn Fn((f64, &str), (f64, &str)) -> bool + 'a;

/// Largest number of labels on an axis.
const MOST: usize = 10;

impl Scale {
    /// The scale of an axis that shows all `values`, with about `most` labels, and with a margin at
    /// both ends, a share of the range of the data.
    pub fn new(
        axis: &PlotAxis,
        values: impl Iterator<Item = f64>,
        most: usize,
        margin: f64,
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
            width if width > 1e-9 * size => width * margin,
            _ if size > 0.0 => 0.1 * size,
            _ => 1.0,
        };
        let range = low - room..high + room;
        let logarithmic = axis.logarithmic;
        let marks = if logarithmic { decades(&range, most) } else { even(&range, most) };
        Scale { range, marks, logarithmic }
    }

    /// The same axis with as many labels as fit: `apart` says whether two labels at these shares
    /// of its length do not touch.
    pub fn fitted(self, apart: &Apart<'_>) -> Self {
        let fits = |labelled: &[(f64, String)]| {
            let at = |(place, label): &'_ (f64, String)| (self.share(*place), label.clone());
            labelled.windows(2).all(|pair| {
                let [a, b] = [at(&pair[0]), at(&pair[1])];
                apart((a.0, &a.1), (b.0, &b.1))
            })
        };
        let of = |most: usize| match self.logarithmic {
            true => decades(&self.range, most),
            false => even(&self.range, most),
        };
        let mut marks = of(2);
        if let Some(found) = (2..=MOST).rev().map(of).find(|marks| fits(&marks.labelled)) {
            marks = found;
        }
        // still too many: every second, third … has a label
        let all = std::mem::take(&mut marks.labelled);
        for stride in 1..=all.len() {
            let shown = all.iter().step_by(stride).cloned().collect::<Vec<_>>();
            if fits(&shown) {
                let rest = all.iter().enumerate().filter(|(k, _)| k % stride != 0);
                marks.minor.extend(rest.map(|(_, (at, _))| *at));
                marks.labelled = shown;
                break;
            }
        }
        Scale { marks, ..self }
    }

    /// Coordinate at which a value is drawn; not finite for a value that cannot be drawn.
    pub fn place(&self, x: f64) -> f64 {
        if self.logarithmic { log10(x) } else { x }
    }

    /// Share of the axis before a coordinate, 0 at its beginning and 1 at its end.
    pub fn share(&self, at: f64) -> f64 {
        (at - self.range.start) / (self.range.end - self.range.start)
    }

    /// Range of the coordinate.
    #[cfg(test)]
    pub fn range(&self) -> Range<f64> {
        self.range.clone()
    }

    /// Marks with their labels, in ascending order.
    pub fn labelled(&self) -> &[(f64, String)] {
        &self.marks.labelled
    }

    /// Marks without a label.
    pub fn minor(&self) -> &[f64] {
        &self.marks.minor
    }

    /// A name of the axis with the common factor of all labels: `creep [10⁻³ m/s]`.
    pub fn name(&self, label: &str) -> String {
        with_factor(label, self.marks.exponent)
    }

    /// Labels of values, of one format: on a logarithmic axis with powers of ten, else with one
    /// digit more than its marks have, without their common factor.
    pub fn values(&self, values: &[f64]) -> Vec<String> {
        if self.logarithmic {
            return values.iter().map(|x| mantissa(*x, 1)).collect();
        }
        let factor = power(1, -self.marks.exponent);
        let decimals = self.marks.decimals + 1;
        values.iter().map(|x| signed(format!("{:.decimals$}", x * factor))).collect()
    }
}

/// A label with a common factor of the numbers in its unit: `creep [10⁻³ m/s]`.
pub fn with_factor(label: &str, exponent: i32) -> String {
    if exponent == 0 {
        return label.into();
    }
    let factor = format!("10{}", raised(exponent));
    match label.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((name, unit)) => format!("{name}[{factor} {unit}]"),
        None if label.is_empty() => format!("[{factor}]"),
        None => format!("{label} [{factor}]"),
    }
}

/// Exponent of the power of ten that numbers up to a size have in common; 0 for sizes that are
/// read without.
fn common(size: f64) -> i32 {
    match exponent_of(size) {
        -2..=4 => 0,
        exponent => exponent,
    }
}

/// Labelled marks at multiples of 1, 2 or 5 times a power of ten; unlabelled ones at fifths or
/// quarters. At least two have a label.
fn even(range: &Range<f64>, most: usize) -> Marks {
    let numbers = |step: f64| {
        (range.start / step - 1e-9).ceil() as i64..=(range.end / step + 1e-9).floor() as i64
    };
    let wanted = (range.end - range.start) / most as f64;
    let (mut multiple, mut exponent) = (1, exponent_of(wanted));
    while power(multiple, exponent) < wanted {
        (multiple, exponent) = match multiple {
            1 => (2, exponent),
            2 => (5, exponent),
            _ => (1, exponent + 1),
        };
    }
    while numbers(power(multiple, exponent)).count() < 2 {
        (multiple, exponent) = match multiple {
            5 => (2, exponent),
            2 => (1, exponent),
            _ => (5, exponent - 1),
        };
    }
    let step = power(multiple, exponent);
    let size = if range.end.abs() > range.start.abs() { range.end } else { range.start };
    let common = common(size);
    let decimals = (common - exponent).max(0) as usize;
    let label = |k: i64| fixed(k * multiple, exponent - common);
    let parts = if multiple == 2 { 4 } else { 5 };
    Marks {
        labelled: numbers(step).map(|k| (k as f64 * step, label(k))).collect(),
        minor: numbers(step / parts as f64)
            .filter(|k| k % parts != 0)
            .map(|k| k as f64 * step / parts as f64)
            .collect(),
        exponent: common,
        decimals,
    }
}

/// Labelled marks at powers of ten, or at every second, third … of them. Over a short range also 2
/// and 5 times them; over a still shorter one even marks of the value.
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
            ..Marks::default()
        };
    }
    let labelled = multiples(&[1, 2, 5]);
    if labelled.len() > 2 {
        let largest = labelled.iter().map(|(_, _, k)| *k).max().unwrap_or(0);
        let common = common(power(1, largest));
        let label = |m: i64, k: i32| plain(m, k - common);
        let minor = multiples(&[3, 4, 6, 7, 8, 9]).into_iter().map(|(at, ..)| at).collect();
        let labelled = labelled.into_iter().map(|(at, m, k)| (at, label(m, k))).collect();
        return Marks { labelled, minor, exponent: common, decimals: 1 };
    }
    let marks = even(&(pow(10.0, range.start)..pow(10.0, range.end)), most);
    Marks {
        labelled: marks.labelled.into_iter().map(|(x, label)| (log10(x), label)).collect(),
        minor: marks.minor.into_iter().map(log10).collect(),
        ..marks
    }
}

/// Largest share of a number by which its label may differ from it: four digits.
const NEAR: f64 = 5e-4;

/// Labels of one format for given numbers, and the exponent of a factor that all have in common.
/// Decimals where the largest is less than a hundred times the least, else powers of ten; as many
/// digits as tell them apart, and as say each within `NEAR`.
pub fn uniform(numbers: &[f64]) -> (Vec<String>, i32) {
    let sizes = || numbers.iter().map(|x| x.abs()).filter(|x| *x > 0.0 && x.is_finite());
    let largest = sizes().fold(0.0, |a, b| if b > a { b } else { a });
    let least = sizes().fold(largest, |a, b| if b < a { b } else { a });
    if largest >= 100.0 * least && largest > 0.0 {
        return (powers(numbers), 0);
    }
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0);
    let gap = gaps.fold(largest, |a, b| if b < a { b } else { a });
    let exponent = common(largest);
    let factor = power(1, -exponent);
    let with = |decimals: usize| -> Vec<String> {
        numbers.iter().map(|x| signed(format!("{:.decimals$}", x * factor))).collect()
    };
    let near = |decimals: usize| {
        let rounded = |x: f64| format!("{x:.decimals$}").parse().unwrap_or(x);
        let off = |x: &f64| (rounded(x * factor) - x * factor).abs();
        numbers.iter().all(|x| off(x) <= smaller(0.03 * gap, NEAR * x.abs()) * factor)
    };
    let labels = (0..17).filter(|decimals| near(*decimals)).map(with);
    let found = labels.into_iter().find(|labels| differ(numbers, labels));
    (found.unwrap_or_else(|| with(17)), exponent)
}

/// Labels of one format that stand alone, as in a legend: those of [`uniform`], or powers of ten in
/// place of a factor that all have in common.
pub fn complete(numbers: &[f64]) -> Vec<String> {
    match uniform(numbers) {
        (labels, 0) => labels,
        _ => powers(numbers),
    }
}

/// Numbers with powers of ten, all with the same number of digits.
fn powers(numbers: &[f64]) -> Vec<String> {
    let with =
        |digits: usize| -> Vec<String> { numbers.iter().map(|x| mantissa(*x, digits)).collect() };
    let near = |digits: usize| {
        let rounded = |x: &f64| format!("{x:.digits$e}").parse().unwrap_or(*x);
        numbers.iter().all(|x| (rounded(x) - x).abs() <= NEAR * x.abs())
    };
    let found = (0..3).find(|digits| near(*digits)).unwrap_or(3);
    let labels = (found..17).map(with).find(|labels| differ(numbers, labels));
    labels.unwrap_or_else(|| with(17))
}

/// Whether labels of different numbers are different.
fn differ(numbers: &[f64], labels: &[String]) -> bool {
    let pairs = || (0..numbers.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs().all(|(a, b)| numbers[a] == numbers[b] || labels[a] != labels[b])
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

/// A number with a power of ten and decimals before it: `3.5·10⁻⁵`; without decimals `10⁻⁵` and
/// `3·10⁻⁵`.
fn mantissa(x: f64, decimals: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return signed(x.to_string());
    }
    let text = format!("{x:.decimals$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let power = raised(exponent.parse().unwrap_or(0));
    match digits {
        "1" => format!("10{power}"),
        "-1" => format!("−10{power}"),
        _ => signed(format!("{digits}·10{power}")),
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

/// k · 10^exponent with the decimals of the exponent.
fn fixed(k: i64, exponent: i32) -> String {
    match exponent {
        0.. => signed(format!("{:.0}", power(k, exponent))),
        _ => signed(format!("{:.*}", exponent.unsigned_abs() as usize, power(k, exponent))),
    }
}

/// k · 10^exponent without a zero at the end of its decimals.
fn plain(k: i64, exponent: i32) -> String {
    let text = fixed(k, exponent);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A number with a typographic minus, and no minus before a zero.
fn signed(text: String) -> String {
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.into(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}
