//! An axis of a plot: a range, linear or logarithmic, and its round ticks.

use crate::canvas::Rect;
use crate::painter::{round_down, round_up};
use crate::text::{FULL, prefix};
use stiction_core::math::{larger, log10, pow};

/// Largest number of decades of a logarithmic axis.
const DECADES: f64 = 8.0;

/// Values larger than this are not shown.
const LARGEST: f64 = 1e200;

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisKind {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths; only positive values are shown.
    Log,
}

/// A tick: its position from 0 to 1, and its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// From 0 at the low end to 1.
    pub share: f64,
    /// Its number, or the base of a power of ten.
    pub text: String,
    /// The exponent of a power of ten, written raised.
    pub power: Option<i32>,
}

/// A range with its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Its kind.
    pub kind: AxisKind,
    /// The low end, or its decimal logarithm.
    low: f64,
    /// The high end, or its decimal logarithm.
    high: f64,
    /// Divisor of the numbers written at ticks.
    unit: f64,
    /// Whether numbers have a power of ten in place of a prefix.
    plain: bool,
}

impl Axis {
    /// An axis that shows all finite `values`; `None` without any.
    pub fn showing(kind: AxisKind, values: impl Iterator<Item = f64>) -> Option<Axis> {
        let shown =
            values.filter(|v| v.abs() <= LARGEST && (kind == AxisKind::Linear || *v > 1e-200));
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = shown.fold(none, |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            return None;
        }
        Some(match kind {
            AxisKind::Linear => Axis::linear(low, high),
            AxisKind::Log => {
                let (low, high) = (log10(low).floor(), (log10(high) - 1e-9).ceil());
                let high = high.max(low + 1.0);
                Axis { kind, low: low.max(high - DECADES), high, unit: 1.0, plain: false }
            }
        })
    }

    fn linear(low: f64, high: f64) -> Axis {
        let size = low.abs().max(high.abs());
        let flat = high - low <= 1e-6 * size;
        let rim = match flat {
            true if size == 0.0 => 1.0,
            true => 0.1 * size,
            false => 0.06 * (high - low),
        };
        let kind = AxisKind::Linear;
        Axis { kind, low: low - rim, high: high + rim, unit: unit(size).0, plain: false }
    }

    /// The same axis of plain numbers: written in full where they can be, else with a power of ten.
    pub fn of_ratio(self) -> Axis {
        let size = larger(self.low.abs(), self.high.abs());
        let full = FULL.contains(&size) || !(size > 0.0 && size.is_finite());
        let unit = match self.kind {
            AxisKind::Linear if !full => power(size).0,
            _ => 1.0,
        };
        Axis { unit, plain: true, ..self }
    }

    /// The times from `from` to `to`, without margins.
    pub fn times(from: f64, to: f64) -> Axis {
        let known = from.is_finite() && to.is_finite() && to - from > 0.0 && to < LARGEST;
        let (low, high) = if known { (from, to) } else { (0.0, 1.0) };
        let unit = unit(high.abs().max(low.abs())).0;
        Axis { kind: AxisKind::Linear, low, high, unit, plain: false }
    }

    /// Position of a value, from 0 to 1; `None` if the axis cannot show it. On a logarithmic axis a
    /// value below the smallest decade is drawn at the low end.
    pub fn share(&self, value: f64) -> Option<f64> {
        let value = match self.kind {
            AxisKind::Linear if value.abs() <= LARGEST => value,
            AxisKind::Log if value > 0.0 && value <= LARGEST => log10(value).max(self.low),
            _ => return None,
        };
        Some((value - self.low) / (self.high - self.low)).filter(|share| share.is_finite())
    }

    /// Name of the unit of the ticks.
    pub fn unit(&self, name: &str) -> String {
        match self.kind {
            AxisKind::Log => name.to_string(),
            AxisKind::Linear if self.plain && self.unit == 1.0 => name.to_string(),
            AxisKind::Linear if self.plain => format!("{}{name}", power(self.unit).1),
            AxisKind::Linear => format!("{}{name}", unit(self.unit).1),
        }
    }

    /// At most `most` round ticks and one; at least two, since a single number has no scale.
    pub fn ticks(&self, most: usize) -> Vec<Tick> {
        match self.kind {
            AxisKind::Linear => self.steps(most.max(2)),
            AxisKind::Log => self.decades(most.max(2)),
        }
    }

    fn steps(&self, most: usize) -> Vec<Tick> {
        let (low, high) = (self.low / self.unit, self.high / self.unit);
        let round = round_up((high - low) / most as f64);
        let inside = |step: f64| (high / step + 1e-9).floor() - (low / step).ceil() >= 1.0;
        let finer = [1.0, 0.5, 0.2].map(|share| round_down(share * round));
        let step = finer.into_iter().find(|step| inside(*step)).unwrap_or(round);
        let digits = (-log10(step) - 1e-9).ceil().clamp(0.0, 9.0) as usize;
        let first = (low / step).ceil();
        let at = (0..=most + 1).map(|k| (first + k as f64) * step);
        let shown = at.take_while(|value| *value <= high + 1e-9 * step);
        let ticks = shown.map(|value| {
            let value = if value.abs() < 1e-6 * step { 0.0 } else { value };
            let text = format!("{value:.digits$}").replace('-', "−");
            Tick { share: (value - low) / (high - low), text, power: None }
        });
        ticks.filter(|tick| tick.share.is_finite()).collect()
    }

    fn decades(&self, most: usize) -> Vec<Tick> {
        let count = (self.high - self.low) as usize;
        let stride = (count + 1).div_ceil(most).max(1);
        let ticks = (0..=count).step_by(stride).map(|k| {
            let exponent = self.low as i32 + k as i32;
            let plain = (-2..=3).contains(&exponent);
            let (text, power) = match plain {
                true => (plain_power(exponent), None),
                false => ("10".to_string(), Some(exponent)),
            };
            Tick { share: k as f64 / (self.high - self.low), text, power }
        });
        ticks.collect()
    }
}

/// The height on the canvas of a share of a y axis.
pub(super) fn height_of(inner: &Rect, share: f64) -> f64 {
    f64::from(inner.y1) - f64::from(inner.height()) * share
}

fn plain_power(exponent: i32) -> String {
    let decimals = usize::try_from(-exponent).unwrap_or(0);
    format!("{:.decimals$}", pow(10.0, f64::from(exponent)))
}

/// The divisor with which numbers of this size are written, and the prefix that stands for it.
fn unit(size: f64) -> (f64, String) {
    if let Some((scale, prefix)) = prefix(size) {
        return (scale, prefix.to_string());
    }
    if size == 0.0 || !size.is_finite() {
        return (1.0, String::new());
    }
    power(size)
}

/// The power of ten not above a size, and its text.
fn power(size: f64) -> (f64, String) {
    let exponent = (log10(size) + 1e-9).floor();
    (pow(10.0, exponent), format!("1e{exponent} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: Axis, most: usize) -> Vec<String> {
        axis.ticks(most).into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        let axis = Axis::showing(AxisKind::Linear, [0.0, 0.0234].into_iter()).unwrap();
        assert_eq!(texts(axis, 6), ["0", "5", "10", "15", "20"]);
        assert_eq!(texts(axis, 5), ["0", "10", "20"]);
        assert_eq!(axis.unit("J"), "mJ");
        let ratio = Axis::showing(AxisKind::Linear, [0.0, 0.328].into_iter()).unwrap().of_ratio();
        assert_eq!(
            (texts(ratio, 5), ratio.unit("")),
            (["0.0", "0.1", "0.2", "0.3"].map(String::from).to_vec(), String::new())
        );
        let tiny = Axis::showing(AxisKind::Linear, [0.0, 1.3e-8].into_iter()).unwrap().of_ratio();
        assert_eq!((texts(tiny, 5)[1].as_str(), tiny.unit("")), ("0.5", "1e-8 ".into()));
        let axis = Axis::showing(AxisKind::Log, [2e-6, 0.5].into_iter()).unwrap();
        assert_eq!(axis.ticks(20).len(), 7);
        assert_eq!(axis.ticks(20)[0].power, Some(-6));
        assert_eq!((axis.share(1e-6), axis.share(1.0)), (Some(0.0), Some(1.0)));
        assert_eq!(axis.share(1e-9), Some(0.0));
    }

    #[test]
    fn an_axis_has_two_numbers_at_least() {
        for (low, high) in [(-1e-6, 1e-6), (0.0, 1.7), (-0.3, 4.4), (0.1, 9.7), (3.0, 3.0)] {
            let axis = Axis::showing(AxisKind::Linear, [low, high].into_iter()).unwrap();
            for most in 0..8 {
                let count = texts(axis, most).len();
                assert!((2..=most.max(2) + 2).contains(&count), "{low} to {high}: {count}");
            }
        }
    }

    #[test]
    fn wild_values_make_an_axis_or_none() {
        let wild = [0.0, -0.0, 1.0, -3.0, 1e-30, 1e30, 1e-300, 1e300, f64::NAN, f64::INFINITY];
        for kind in [AxisKind::Linear, AxisKind::Log] {
            assert!(Axis::showing(kind, [f64::NAN].into_iter()).is_none());
            for a in wild {
                for b in wild {
                    let Some(axis) = Axis::showing(kind, [a, b].into_iter()) else { continue };
                    for most in [0, 1, 3, 9] {
                        let ticks = axis.ticks(most);
                        assert!(ticks.len() <= most.max(2) + 2, "{a} {b}: {ticks:?}");
                        let inside = |t: &Tick| (-1e-6..=1.0 + 1e-6).contains(&t.share);
                        assert!(ticks.iter().all(inside), "{a} {b}: {ticks:?}");
                    }
                    for value in wild {
                        assert!(axis.share(value).is_none_or(f64::is_finite), "{a} {b} {value}");
                    }
                }
            }
        }
    }
}
