//! A quantity that follows time: through points, or by a formula.

use super::{Bundle, Expression, FormulaFault};
use crate::math::Vector;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Interpolation between the points of a [`TimeCurve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Between {
    /// f = f₀ + (f₁ − f₀)(10u³ − 15u⁴ + 6u⁵), u = (t − t₀)/(t₁ − t₀): least jerk, at rest in every
    /// point \[flash1985\].
    #[default]
    Smooth,
    /// f = f₀ + (f₁ − f₀) u: the rate jumps in every point.
    Linear,
}

/// The words of a scene for [`Between`].
pub const BETWEEN: &[&str] = &["smooth", "linear"];

impl Between {
    /// The interpolation of a word of [`BETWEEN`].
    pub fn named(word: &str) -> Between {
        if word == "linear" { Between::Linear } else { Between::Smooth }
    }

    /// The share (f − f₀)/(f₁ − f₀) and its derivative by u.
    fn share(self, u: f64) -> [f64; 2] {
        match self {
            Between::Smooth => {
                let (square, rest) = (u * u, 1.0 - u);
                [square * u * (10.0 - 15.0 * u + 6.0 * square), 30.0 * square * rest * rest]
            }
            Between::Linear => [u, 1.0],
        }
    }
}

/// A quantity over time: value and rate at every t. Before the time `from` the quantity keeps its
/// value at `from`, after the time `until` that at `until`.
#[derive(Debug, Clone)]
pub struct TimeCurve {
    course: Course,
    from: f64,
    until: f64,
}

#[derive(Debug, Clone)]
enum Course {
    Points(Arc<[[f64; 2]]>, Between),
    Formula(Arc<Bundle<1>>),
}

/// Room for the rounding of step count × step at a boundary \[s\], relative beyond 1 s.
const ROUNDING: f64 = 1e-12;

impl TimeCurve {
    /// The variables of a formula: time \[s\], and a position \[m\] for a quantity that differs
    /// from place to place.
    pub const VARIABLES: &'static [&'static str] = &["t", "x", "y", "z"];

    /// Through the points \[t, value\], constant before the first and after the last.
    ///
    /// # Errors
    /// No point, times that do not ascend, numbers that are not finite.
    pub fn through(points: Vec<[f64; 2]>, between: Between) -> Result<TimeCurve, FormulaFault> {
        let fault = |message: String, help: &str| {
            Err(FormulaFault { message, help: help.into(), position: None })
        };
        if points.is_empty() {
            return fault("there is no point [t, value]".into(), "give two points or more");
        }
        if points.iter().flatten().any(|x| !x.is_finite()) {
            return fault("a point is not finite".into(), "give finite numbers");
        }
        if let Some(pair) = points.windows(2).find(|pair| pair[1][0] <= pair[0][0]) {
            let message = format!(
                "times must ascend: t = {:?} s is followed by t = {:?} s",
                pair[0][0], pair[1][0]
            );
            return fault(message, "sort the points by time, each time once");
        }
        let course = Course::Points(points.into(), between);
        Ok(TimeCurve { course, from: f64::NEG_INFINITY, until: f64::INFINITY })
    }

    /// By a formula in t \[s\], or in t and a position x, y, z \[m\].
    ///
    /// # Errors
    /// A formula that cannot be read.
    pub fn formula(
        text: &str,
        variables: &'static [&'static str],
        constants: &BTreeMap<String, f64>,
    ) -> Result<TimeCurve, FormulaFault> {
        let formula = Expression::parse(text, variables, constants)?.with_partials([0]);
        let course = Course::Formula(Arc::new(formula));
        Ok(TimeCurve { course, from: f64::NEG_INFINITY, until: f64::INFINITY })
    }

    /// The same curve, constant before the time `from` and after `until` \[s\].
    #[must_use]
    pub fn during(mut self, from: f64, until: f64) -> TimeCurve {
        (self.from, self.until) = (from, until);
        self
    }

    /// Value and rate at t \[s\]. At a corner the rate is that after it, or, with `within_step`,
    /// that before it.
    pub fn at(&self, t: f64, within_step: bool) -> [f64; 2] {
        self.over(t, Vector::zeros(), within_step)
    }

    /// The same at a position \[m\].
    pub fn over(&self, t: f64, position: Vector, within_step: bool) -> [f64; 2] {
        let room = ROUNDING * if t > 1.0 { t } else { 1.0 };
        let side = t + if within_step { -room } else { room };
        if side < self.from {
            return [self.inside(self.from, self.from, position)[0], 0.0];
        }
        if side >= self.until {
            return [self.inside(self.until, self.until, position)[0], 0.0];
        }
        self.inside(t, side, position)
    }

    /// Whether value and rate are numbers at t and a position, before a corner and after it.
    pub fn is_defined(&self, t: f64, position: Vector) -> bool {
        let number =
            |within_step| self.over(t, position, within_step).iter().all(|x| x.is_finite());
        number(true) && number(false)
    }

    fn inside(&self, t: f64, side: f64, position: Vector) -> [f64; 2] {
        match &self.course {
            Course::Formula(formula) => {
                let (value, [rate]) = formula.eval(&[t, position.x, position.y, position.z]);
                [value, rate]
            }
            Course::Points(points, between) => {
                let after = points.partition_point(|point| point[0] <= side);
                match (after.checked_sub(1).map(|k| points[k]), points.get(after)) {
                    (None, None) => [0.0, 0.0],
                    (None, Some(first)) => [first[1], 0.0],
                    (Some(last), None) => [last[1], 0.0],
                    (Some([t0, f0]), Some([t1, f1])) => {
                        let length = t1 - t0;
                        let [share, slope] = between.share(((t - t0) / length).clamp(0.0, 1.0));
                        [f0 + (f1 - f0) * share, (f1 - f0) * slope / length]
                    }
                }
            }
        }
    }

    /// Whether a formula gives it.
    pub fn is_formula(&self) -> bool {
        matches!(self.course, Course::Formula(_))
    }

    /// The time after which the quantity is constant \[s\].
    pub fn ends(&self) -> f64 {
        let last = match &self.course {
            Course::Points(points, _) => points.last().map_or(0.0, |point| point[0]),
            Course::Formula(_) => f64::INFINITY,
        };
        if last < self.until { last } else { self.until }
    }

    /// The times of the corners \[s\], where steps end: points, beginning and end.
    pub fn corners(&self) -> Vec<f64> {
        let mut times = vec![self.from, self.until];
        if let Course::Points(points, _) = &self.course {
            times.extend(points.iter().map(|point| point[0]));
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(between: Between) -> TimeCurve {
        TimeCurve::through(vec![[0.5, 1.0], [1.0, 3.0], [3.0, -1.0]], between).expect("it is right")
    }

    #[test]
    fn a_curve_passes_its_points_and_keeps_the_outer_values() {
        for between in [Between::Smooth, Between::Linear] {
            let curve = curve(between);
            for (t, value) in [
                (0.0, 1.0),
                (0.5, 1.0),
                (0.75, 2.0),
                (1.0, 3.0),
                (2.0, 1.0),
                (3.0, -1.0),
                (9.0, -1.0),
            ] {
                assert!((curve.at(t, false)[0] - value).abs() < 1e-15, "{between:?} {t}");
            }
        }
        assert_eq!(curve(Between::Linear).at(1.0, true)[1], 4.0);
        assert_eq!(curve(Between::Linear).at(1.0, false)[1], -2.0);
        assert_eq!(curve(Between::Smooth).at(1.0, false)[1], 0.0);
    }

    #[test]
    fn the_rate_is_the_derivative_of_the_value() {
        let formula =
            TimeCurve::formula("sin(3*t)*t^2 + x", TimeCurve::VARIABLES, &BTreeMap::new());
        let formula = formula.expect("it is right").during(0.4, 2.5);
        for curve in [curve(Between::Smooth), curve(Between::Linear), formula] {
            for t in [0.1, 0.6, 0.83, 1.7, 2.4, 2.6, 4.0] {
                let h = 1e-6;
                let difference =
                    (curve.at(t + h, false)[0] - curve.at(t - h, false)[0]) / (2.0 * h);
                assert!((difference - curve.at(t, false)[1]).abs() < 1e-7, "{t}");
            }
        }
    }

    #[test]
    fn beyond_its_span_a_formula_stands_still() {
        let none = BTreeMap::new();
        let curve = TimeCurve::formula("t + x", TimeCurve::VARIABLES, &none).expect("it is right");
        let curve = curve.during(1.0, 2.0);
        let far = Vector::new(10.0, 0.0, 0.0);
        assert_eq!(curve.over(0.0, far, false), [11.0, 0.0]);
        assert_eq!(curve.over(1.5, far, false), [11.5, 1.0]);
        assert_eq!(curve.over(2.0, far, true), [12.0, 1.0]);
        assert_eq!(curve.over(2.0, far, false), [12.0, 0.0]);
    }

    #[test]
    fn points_out_of_order_are_refused() {
        for points in [vec![], vec![[1.0, 0.0], [1.0, 2.0]], vec![[0.0, f64::NAN]]] {
            assert!(TimeCurve::through(points, Between::Smooth).is_err());
        }
    }
}
