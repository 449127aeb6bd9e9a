//! The inverse problem: parameter values that meet a budget of creep.
//!
//! Each [`Knob`] is changed alone. Creep decreases along it, so the smallest sufficient change
//! follows by bisection of the closed form. The value is then rounded to three digits towards less
//! creep, so that it can be copied; the creep of the rounded value is the one reported.

use super::answer::{Knob, Toward};
use super::{Engine, Load, answer_of};
use stiction_core::math::{bisect, log2, log10, pow};
use stiction_core::registry::{Entry, Problem, Value, Values};

/// A change of parameters that meets a budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Keys and their values.
    pub set: Vec<(&'static str, f64)>,
    /// Creep with them \[m/s\].
    pub creep: f64,
    /// The largest stable step with them \[s\]; `None`: no limit.
    pub largest_step: Option<f64>,
    /// Whether that creep is an estimate.
    pub estimate: bool,
    /// Drawback, one sentence.
    pub price: &'static str,
}

/// All changes, one for each parameter that can meet the budget \[m/s\] by itself; none if the
/// present values meet it, or the body has no steady creep.
///
/// # Errors
/// The values contradict each other.
pub fn changes(
    entry: &Entry<dyn Engine>,
    values: &Values,
    budget: f64,
) -> Result<Vec<Change>, Problem> {
    let load = Load::of(values)?;
    let engine = (entry.make)(values)?;
    let kept = |creep: f64| creep <= budget;
    if answer_of(&*engine, &load).motion.creep().is_none_or(kept) {
        return Ok(Vec::new());
    }
    let knobs = engine.knobs(&load);
    Ok(knobs.iter().filter_map(|knob| turned(entry, values, knob, budget)).collect())
}

/// The change of one parameter that meets the budget.
fn turned(entry: &Entry<dyn Engine>, values: &Values, knob: &Knob, budget: f64) -> Option<Change> {
    let with = |set: &[(&'static str, f64)]| {
        let mut values = values.clone();
        for (key, value) in set {
            values = values.set(key, Value::Number(*value));
        }
        let load = Load::of(&values).ok()?;
        Some(answer_of(&*(entry.make)(&values).ok()?, &load))
    };
    let creep = |value: f64| with(&knob.values(value))?.motion.creep();
    let above = |turn: f64| creep(knob.value(turn)).is_none_or(|creep| creep > budget);
    let most = knob.turns();
    if above(most) {
        return None;
    }
    let exact = knob.value(bisect(0.0, most, above));
    let value = knob.rounded(exact);
    let value = if creep(value).is_some_and(|creep| creep <= budget) { value } else { exact };
    let mut set = knob.values(value);
    let mut answer = with(&set)?;
    // a step that becomes unstable with this value must follow
    if let Some(most) = answer.limit.largest.filter(|most| answer.step > *most) {
        set.retain(|(key, _)| *key != "step");
        set.push(("step", three_digits(most, -1.0)));
        answer = with(&set)?;
    }
    Some(Change {
        set,
        creep: answer.motion.creep()?,
        largest_step: answer.limit.largest,
        estimate: answer.standing.estimate().is_some(),
        price: knob.price,
    })
}

impl Knob {
    /// Value after `turn` doublings towards its end: halved, doubled, or the distance to 1 halved
    /// for each.
    fn value(&self, turn: f64) -> f64 {
        match self.toward {
            Toward::Zero => self.start * pow(2.0, -turn),
            Toward::Infinity => self.start * pow(2.0, turn),
            Toward::One => 1.0 - (1.0 - self.start) * pow(2.0, -turn),
        }
    }

    /// Key values for a value of the parameter; a step that follows is rounded down.
    fn values(&self, value: f64) -> Vec<(&'static str, f64)> {
        let set = (self.set)(value);
        let own = |(at, (key, value)): (usize, &(&'static str, f64))| {
            let followed = at > 0 && *key == "step";
            (*key, if followed { three_digits(*value, -1.0) } else { *value })
        };
        set.iter().enumerate().map(own).collect()
    }

    /// Number of doublings to its end.
    fn turns(&self) -> f64 {
        let ratio = match self.toward {
            Toward::Zero => self.start / self.end,
            Toward::Infinity => self.end / self.start,
            Toward::One => (1.0 - self.start) / (1.0 - self.end),
        };
        if ratio > 1.0 { log2(ratio) } else { 0.0 }
    }

    /// A value rounded to three digits towards its end.
    fn rounded(&self, value: f64) -> f64 {
        match self.toward {
            Toward::Zero => three_digits(value, -1.0),
            Toward::Infinity => three_digits(value, 1.0),
            // removes the rounding error of the difference
            Toward::One => shortest(1.0 - three_digits(1.0 - value, -1.0), 12),
        }
    }
}

/// A number > 0 rounded to three digits, up for `side` 1 and down for −1.
fn three_digits(x: f64, side: f64) -> f64 {
    let near: f64 = format!("{x:.2e}").parse().unwrap_or(x);
    if side * (near - x) >= 0.0 {
        return near;
    }
    let unit = pow(10.0, log10(x).floor() - 2.0);
    format!("{:.2e}", near + side * unit).parse().unwrap_or(x)
}

/// The number rounded to `decimals` decimals.
fn shortest(x: f64, decimals: usize) -> f64 {
    format!("{x:.decimals$}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::{Knob, Toward, three_digits};

    /// Towards 1 the distance to 1 has three digits.
    #[test]
    fn a_value_is_rounded_towards_its_end() {
        for (toward, value, rounded) in [
            (Toward::One, 0.987654, 0.9877),
            (Toward::One, 0.987622, 0.9877),
            (Toward::One, 0.876222, 0.877),
            (Toward::One, 0.5, 0.5),
            (Toward::Zero, 0.0123456, 0.0123),
            (Toward::Infinity, 1234.5, 1240.0),
        ] {
            let set = Box::new(|_| Vec::new());
            let knob = Knob { start: 1.0, toward, end: 1.0, set, price: "" };
            assert_eq!(knob.rounded(value), rounded, "{value}");
        }
    }

    #[test]
    fn values_are_rounded_to_the_side_that_is_asked_for() {
        for (x, up, down) in
            [(0.123456, 0.124, 0.123), (9.999, 10.0, 9.99), (661.8, 662.0, 661.0), (5.0, 5.0, 5.0)]
        {
            assert_eq!((three_digits(x, 1.0), three_digits(x, -1.0)), (up, down), "{x}");
        }
    }
}
