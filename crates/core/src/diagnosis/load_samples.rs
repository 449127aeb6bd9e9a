//! Whether steps show what a load does: a pulse between two states is not seen at all, whatever the method, and not at
//! half the step either.

use super::watch::{Cure, Fault, FaultKind};
use crate::expression::time_curve::TimeCurve;
use crate::integrators::Capabilities;
use crate::math::number;
use crate::model::Model;

/// Samples of a formula over a run: what is shorter than a few of them is not seen.
const SAMPLES: usize = 1 << 14;

/// Tolerated share of ∫ |s| dt that the steps miss: that of a sine with four steps in a period.
const ALLOWED: f64 = 0.22;

/// Intervals of a step at whose ends an adaptive method looks at least.
const LOOKS: usize = 4;

/// A load follows a formula s(t) that the step does not resolve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadUnresolved {
    /// The load.
    pub load: &'static str,
    /// ∫ |s − its straight lines between states| dt over ∫ |s| dt.
    pub missed: f64,
    /// A step that misses less than is tolerated \[s\]; `None` where none was found.
    pub needed: Option<f64>,
}

impl LoadUnresolved {
    /// The load of which steps of a size \[s\] until `end` \[s\] miss most, if that is too much. Loads through points
    /// are not asked: steps end at these.
    pub fn at(model: &Model, method: &Capabilities, end: f64, step: f64) -> Option<LoadUnresolved> {
        let intervals = match (method.adaptive, method.order) {
            (true, _) => LOOKS,
            (false, order) => 1 + usize::from(order > 2),
        };
        let curves = model.loads.iter().filter_map(|load| load.time_curve());
        let formulas = curves.filter(|(_, curve)| curve.is_formula());
        let found = formulas.filter_map(|(load, curve)| {
            let samples = Samples::of(curve, end)?;
            let missed = samples.missed(step, intervals);
            let finer = std::iter::successors(Some(0.5 * step), |step| Some(0.5 * step));
            let finer = finer.take_while(|step| end / step < SAMPLES as f64);
            let needed = finer.into_iter().find(|step| samples.missed(*step, intervals) <= ALLOWED);
            (missed > ALLOWED).then_some(LoadUnresolved { load, missed, needed })
        });
        found.reduce(|a, b| if b.missed > a.missed { b } else { a })
    }
}

/// Values of s at equal distances from 0 to the end of a run.
struct Samples {
    values: Vec<f64>,
    /// \[s\]
    distance: f64,
}

impl Samples {
    /// `None` where s is no number everywhere.
    fn of(curve: &TimeCurve, end: f64) -> Option<Samples> {
        let distance = end / SAMPLES as f64;
        let values: Vec<f64> =
            (0..=SAMPLES).map(|k| curve.at(k as f64 * distance, false)[0]).collect();
        values.iter().all(|value| value.is_finite()).then_some(Samples { values, distance })
    }

    /// ∫ |s − its straight lines between the ends of so many intervals of every step| dt over ∫ |s| dt; 0 where these
    /// are as short as samples.
    fn missed(&self, step: f64, intervals: usize) -> f64 {
        let length = (step / self.distance / intervals as f64).round() as usize;
        if length < 2 {
            return 0.0;
        }
        let off = |piece: &[f64]| {
            let (first, last) = (piece[0], piece[piece.len() - 1]);
            let line = |k: usize| first + (last - first) * k as f64 / (piece.len() - 1) as f64;
            piece.iter().enumerate().map(|(k, value)| (value - line(k)).abs()).sum::<f64>()
        };
        let ends = (0..SAMPLES).step_by(length).map(|from| from..=(from + length).min(SAMPLES));
        let missed: f64 = ends.map(|piece| off(&self.values[piece])).sum();
        let all: f64 = self.values.iter().map(|value| value.abs()).sum();
        if all > 0.0 { missed / all } else { 0.0 }
    }
}

/// See [`LoadUnresolved`].
pub(crate) static LOAD_UNRESOLVED: FaultKind = FaultKind::shared(
    "load-unresolved",
    "A load follows a formula of time that changes faster than the step: what it does between two states is not seen, at half the step neither, and runs agree on a motion without it. The formula is asked at 16,384 times of the run, so that what is much shorter than the distance of these is not known. Use the step that is named.",
);

impl Fault for LoadUnresolved {
    fn kind(&self) -> &'static FaultKind {
        &LOAD_UNRESOLVED
    }

    fn describe(&self, _: &Model) -> String {
        let remedy = self.needed.map_or("Use a much smaller step".into(), |needed| {
            format!("Use a step of at most {} s", number(needed))
        });
        format!(
            "a load is not resolved by the step: of {} the states show all but {:.0} % (at most {:.0} % may be missed). {remedy}",
            self.load,
            100.0 * self.missed,
            100.0 * ALLOWED,
        )
    }

    fn cure(&self, _: f64) -> Cure {
        self.needed.map_or(Cure::SmallerStep, Cure::Step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::PI;
    use std::collections::BTreeMap;

    fn missed(formula: &str, step: f64, intervals: usize) -> f64 {
        let curve = TimeCurve::formula(formula, TimeCurve::VARIABLES, &BTreeMap::new());
        let samples = Samples::of(&curve.expect("a formula"), 10.0).expect("numbers");
        samples.missed(step, intervals)
    }

    #[test]
    fn a_pulse_between_states_is_missed() {
        let pulse = "exp(-((t-3.33337)/0.01)^2)";
        for (step, seen) in [(0.1, false), (0.05, false), (0.005, true), (0.001, true)] {
            assert_eq!(missed(pulse, step, 1) <= ALLOWED, seen, "{step}");
        }
    }

    /// Straight lines through a sine lose (ω h)²/12 of it.
    #[test]
    fn a_swing_needs_four_steps_in_a_period() {
        let swing = "sin(2*3.141592653589793*t)";
        let phase = 0.1 * 2.0 * PI;
        let lost = missed(swing, 0.1, 1) / (phase * phase / 12.0);
        assert!((lost - 1.0).abs() < 0.1, "{lost}");
        // at whole and half periods it stands still
        for (step, seen) in [(1.0, false), (0.5, false), (0.25, true), (0.2, true)] {
            let lost = missed(swing, step, 1);
            assert_eq!(lost <= ALLOWED, seen, "{step}: {lost}");
        }
        assert!(missed(swing, 0.4, 1) > ALLOWED && missed(swing, 0.4, 2) < ALLOWED);
    }

    #[test]
    fn what_is_constant_or_switches_once_is_seen() {
        assert_eq!(missed("2", 1.0, 1), 0.0);
        assert!(missed("min(1, max(0, 1000000*(t - 5.03)))", 0.5, 1) < 0.06);
    }
}
