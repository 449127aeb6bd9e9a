//! The reverse: from a budget of creep to the values of parameters that keep it.
//!
//! Each [`Knob`] is turned alone, the others stay. Creep falls along it, so the least turn that keeps the
//! budget follows by bisection of the closed form. It is then rounded to three digits towards less creep, so
//! that the values can be copied, and the closed form is asked again: its answer is what is told.

use super::answer::{Knob, Toward};
use super::{Engine, Load};
use stiction_core::math::{bisect, log2, log10, pow};
use stiction_core::registry::{Entry, Problem, Value, Values};

/// A change of parameters that keeps a budget.
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
    /// Price, one sentence.
    pub price: &'static str,
}

/// All changes, one for each parameter that can keep the budget \[m/s\] by itself; none where the creep of
/// the present values keeps it.
///
/// # Errors
/// The values do not go together.
pub fn changes(
    entry: &Entry<dyn Engine>,
    values: &Values,
    budget: f64,
) -> Result<Vec<Change>, Problem> {
    let load = Load::of(values)?;
    let engine = (entry.make)(values)?;
    let kept = |creep: f64| creep <= budget;
    if engine.answer(&load).motion.creep().is_none_or(kept) {
        return Ok(Vec::new());
    }
    let knobs = engine.knobs(&load);
    Ok(knobs.iter().filter_map(|knob| turned(entry, values, knob, budget)).collect())
}

/// One parameter turned until the budget is kept.
fn turned(entry: &Entry<dyn Engine>, values: &Values, knob: &Knob, budget: f64) -> Option<Change> {
    let with = |set: &[(&'static str, f64)]| {
        let mut values = values.clone();
        for (key, value) in set {
            values = values.set(key, Value::Number(*value));
        }
        let load = Load::of(&values).ok()?;
        Some((entry.make)(&values).ok()?.answer(&load))
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
    // a step that was stable before and is not with this value must follow
    if let Some(most) = answer.limit.largest.filter(|most| answer.step > *most) {
        set.retain(|(key, _)| *key != "step");
        set.push(("step", three_digits(most, -1.0)));
        answer = with(&set)?;
    }
    Some(Change {
        set,
        creep: answer.motion.creep()?,
        largest_step: answer.limit.largest,
        estimate: answer.estimate.is_some(),
        price: knob.price,
    })
}

impl Knob {
    /// Its value after a turn: halved, doubled, or with half the distance to 1, for each unit.
    fn value(&self, turn: f64) -> f64 {
        match self.toward {
            Toward::Zero => self.start * pow(2.0, -turn),
            Toward::Infinity => self.start * pow(2.0, turn),
            Toward::One => 1.0 - (1.0 - self.start) * pow(2.0, -turn),
        }
    }

    /// The values of keys that a value of it means; those that follow are rounded down.
    fn values(&self, value: f64) -> Vec<(&'static str, f64)> {
        let set = (self.set)(value);
        let own = |(at, (key, value)): (usize, &(&'static str, f64))| {
            let followed = at > 0 && *key == "step";
            (*key, if followed { three_digits(*value, -1.0) } else { *value })
        };
        set.iter().enumerate().map(own).collect()
    }

    /// The turns to its end.
    fn turns(&self) -> f64 {
        let ratio = match self.toward {
            Toward::Zero => self.start / self.end,
            Toward::Infinity => self.end / self.start,
            Toward::One => (1.0 - self.start) / (1.0 - self.end),
        };
        if ratio > 1.0 { log2(ratio) } else { 0.0 }
    }

    /// Rounded to three digits towards its end.
    fn rounded(&self, value: f64) -> f64 {
        match self.toward {
            Toward::Zero => three_digits(value, -1.0),
            Toward::Infinity => three_digits(value, 1.0),
            // without the rounding of the difference
            Toward::One => shortest(1.0 - three_digits(1.0 - value, -1.0), 12),
        }
    }
}

/// A number > 0 rounded to three digits, upwards for `side` 1 and downwards for −1.
fn three_digits(x: f64, side: f64) -> f64 {
    let near: f64 = format!("{x:.2e}").parse().unwrap_or(x);
    if side * (near - x) >= 0.0 {
        return near;
    }
    let unit = pow(10.0, log10(x).floor() - 2.0);
    format!("{:.2e}", near + side * unit).parse().unwrap_or(x)
}

/// The number with so many decimals.
fn shortest(x: f64, decimals: usize) -> f64 {
    format!("{x:.decimals$}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::three_digits;

    #[test]
    fn values_are_rounded_to_the_side_that_is_asked_for() {
        for (x, up, down) in
            [(0.123456, 0.124, 0.123), (9.999, 10.0, 9.99), (661.8, 662.0, 661.0), (5.0, 5.0, 5.0)]
        {
            assert_eq!((three_digits(x, 1.0), three_digits(x, -1.0)), (up, down), "{x}");
        }
    }
}
