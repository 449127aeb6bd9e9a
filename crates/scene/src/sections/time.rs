//! `[time]`.

use super::table::*;
use crate::diagnostics::Diagnostic;
use stiction_core::math::{larger, round_parts, smaller};

table! {
    /// `[time]`: everything in whole steps; time is step count × step, never a sum.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct Time: TIME {
        with {
            /// Place of `step` in the text.
            place: Place = step_place;
            /// Whether the scene has a step; else it is a part of all times, about a thousandth of the run.
            given: bool = has_step;
        }
        keys {
            steps as "end": u64 [whole_steps] = number("s", Positive), Required, "end of the run; a multiple of `step`";
            step: f64 [step] = number("s", Positive), Optional("`run` seeks one that gives an accuracy, of 1e-2 unless another is asked; elsewhere a part of all times, about a thousandth of the run"), "fixed step and commit interval; adaptive methods sub-step inside it";
            steps_per_frame as "output": u64 [frame_steps] = number("s", Positive), Required, "time between recorded frames; a multiple of `step`";
            drift_steps as "drift_from": Option<u64> [drift_steps] = number("s", NonNegative), Optional("the last quarter of the run"), "time from which the drift of contacts and its parts are taken, until the end; a multiple of `step`";
        }
    }
}

impl Time {
    /// The end \[s\].
    pub fn end(&self) -> f64 {
        self.steps as f64 * self.step
    }
    /// The number of steps before the drift is taken: three quarters of the run unless told.
    pub fn steps_before_drift(&self) -> u64 {
        self.drift_steps.unwrap_or(self.steps - self.steps.div_ceil(4))
    }
    /// The number of frames, the ones at t = 0 and at the end included.
    pub fn frames(&self) -> u64 {
        self.steps.div_ceil(self.steps_per_frame) + 1
    }
}

fn step_place(record: &Record, _: &mut Names) -> Place {
    record.place_of("step")
}

fn has_step(record: &Record, _: &mut Names) -> bool {
    record.values.has("step")
}

/// The step that is given; else a product of twos and fives divides the longest time that all times are multiples of,
/// so that the run has at least a thousand steps.
fn step(record: &Record, _: &str, _: &mut Names) -> f64 {
    step_of(record)
}

/// Fewest steps of a run whose step is not given.
const FEWEST: f64 = 1000.0;

fn step_of(record: &Record) -> f64 {
    if let Some(step) = record.values.get_number("step") {
        return step;
    }
    let times = ["end", "output", "drift_from"].map(|key| record.number(key));
    let all = times.into_iter().filter(|time| *time > 0.0).reduce(common);
    let (Some(all), end) = (all, record.number("end")) else { return 0.0 };
    let least = (FEWEST * all / end).ceil() as u64;
    all / round_parts(least.max(1)) as f64
}

/// The longest time of which both are multiples, to rounding; the shorter one if there is none of a sensible size.
fn common(a: f64, b: f64) -> f64 {
    let (mut long, mut short) = (larger(a, b), smaller(a, b));
    let rounding = 1e-9 * short;
    let shorter = short;
    while short > rounding {
        let rest = long - (long / short).floor() * short;
        let rest = if short - rest < rounding { 0.0 } else { rest };
        (long, short) = (short, rest);
    }
    if long > 1e-6 * shorter { long } else { shorter }
}

/// Number of steps in a time; `None` if it is not a whole number.
fn steps(record: &Record, key: &str) -> Option<u64> {
    let ratio = record.number(key) / step_of(record);
    let steps = ratio.round();
    (ratio <= MOST && steps >= 1.0 && (ratio - steps).abs() <= 1e-9 * steps).then_some(steps as u64)
}

/// Largest number of steps that f64 counts exactly: 2⁵³.
const MOST: f64 = 9_007_199_254_740_992.0;

/// Number of steps in a time; reports an error if it is not a whole number.
fn whole_steps(record: &Record, key: &'static str, names: &mut Names) -> u64 {
    let (length, step) = (record.number(key), step_of(record));
    // missing values and values out of range have been refused
    if step <= 0.0 || length <= 0.0 {
        return 0;
    }
    if let Some(steps) = steps(record, key) {
        return steps;
    }
    let ratio = length / step;
    if ratio > MOST {
        let message = format!(
            "`{key}` = {length:?} s is {ratio:.3e} steps of {step:?} s; at most 2^53 = {MOST:e} can be counted"
        );
        names.fault("E309", (record, key), message, "make `step` longer or the run shorter");
        return 0;
    }
    let message = format!("`{key}` = {length:?} s is not a whole number of steps of {step:?} s");
    let below = ratio.floor();
    let near = |steps: f64| trimmed(steps * step);
    let help = if below >= 1.0 {
        format!(
            "the nearest values are {} and {}{}",
            near(below),
            near(below + 1.0),
            divisors(record, key)
        )
    } else {
        format!("it must be at least one step, {}", near(1.0))
    };
    let diagnostic = Diagnostic::error("E309", record.place_of(key), message).help(help);
    names.push(diagnostic.beside("`step` is", record.place_of("step")));
    0
}

/// The nearest steps that divide `end` and `output`, the shorter of which they are found from: " or …".
fn divisors(record: &Record, key: &str) -> String {
    let [end, output] = ["end", "output"].map(|key| record.number(key));
    let step = step_of(record);
    let divides = |whole: f64, part: f64| {
        part > 0.0 && {
            let ratio = whole / part;
            ratio.round() >= 1.0 && (ratio - ratio.round()).abs() <= 1e-9 * ratio
        }
    };
    let length = if divides(end, output) { output } else { record.number(key) };
    let least = (length / step).floor();
    // short decimals: parts of 2 and 5
    let short = |parts: &f64| {
        let mut rest = *parts as u64;
        [2, 5].into_iter().for_each(|prime| {
            while rest > 0 && rest.is_multiple_of(prime) {
                rest /= prime;
            }
        });
        rest == 1
    };
    let count = |k: u64| k as f64;
    let fewer = (1..=least.clamp(0.0, 1e6) as u64).rev().map(count).find(short);
    let more = (least.clamp(0.0, 1e6) as u64 + 1..=2_000_000).map(count).find(short);
    let steps = fewer.into_iter().chain(more).map(|parts| trimmed(length / parts));
    match steps.collect::<Vec<_>>()[..] {
        [ref only] => format!(", or `step` = {only}, which divides it"),
        // the shorter one first: a longer one may be unstable
        [ref long, ref brief] => format!(", or `step` = {brief} or {long}, which divide it"),
        _ => String::new(),
    }
}

/// Number of steps between frames, at most that of the run.
fn frame_steps(record: &Record, key: &'static str, names: &mut Names) -> u64 {
    let per_frame = whole_steps(record, key, names);
    let all = steps(record, "end").unwrap_or(0);
    let (end, output) = (record.number("end"), record.number(key));
    if all > 0 && per_frame > all {
        let message = format!("`output` ({output:?} s) is longer than the run: `end` is {end:?} s");
        names.fault("E309", (record, key), message, "make `output` at most `end`");
    } else if per_frame > 0 && !all.is_multiple_of(per_frame) {
        let rest = (all % per_frame) as f64 * step_of(record);
        let message = format!(
            "`end` ({end:?} s) is not a multiple of `output` ({output:?} s): the last frame follows after {rest:.3e} s"
        );
        names.push(Diagnostic::warning("W402", record.place_of(key), message));
    }
    per_frame
}

/// Number of steps before the drift is taken, if it is given; less than that of the run.
fn drift_steps(record: &Record, key: &'static str, names: &mut Names) -> Option<u64> {
    let from = record.values.get_number(key)?;
    let all = steps(record, "end").unwrap_or(0);
    let before = if from == 0.0 { 0 } else { whole_steps(record, key, names) };
    if all > 0 && before >= all {
        let message = format!("`drift_from` ({from:?} s) is not before the `end` of the run");
        names.fault("E309", (record, key), message, "leave at least one step");
    }
    Some(before)
}

/// A multiple of a step \[s\] as text, without the digits that rounding adds.
fn trimmed(x: f64) -> String {
    let short: f64 = format!("{x:.12e}").parse().unwrap_or(x);
    format!("{short:?} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_common_time_is_found_to_rounding() {
        for (a, b, all) in [(0.6, 0.09, 0.03), (10.0, 0.01, 0.01), (0.3, 0.1, 0.1), (1.0, 1.0, 1.0)]
        {
            assert!((common(a, b) / all - 1.0).abs() < 1e-12, "{a} {b}: {}", common(a, b));
        }
        // no common time of a sensible size
        assert_eq!(common(1.0, std::f64::consts::FRAC_1_SQRT_2), std::f64::consts::FRAC_1_SQRT_2);
    }
}
