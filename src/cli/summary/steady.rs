//! Whether the drifts of a summary are steady, the law's closed form beside them, and when bodies slipped.

use super::ROUNDED_AWAY;
use crate::cli::terminal::{number, prose};
use stiction_core::diagnosis::trust::percent;
use stiction_core::registry::words::LISTED;
use stiction_lab::run::{Creep, Outcome};

/// A line for each body whose drift is for the most part the law's creep, and still changes.
pub fn steadiness(outcome: &Outcome) -> String {
    // of a run that is not trusted the creep is not the law's
    if !outcome.verdict.faultless() {
        return String::new();
    }
    let creeps =
        outcome.creep.iter().filter(|creep| is_creep(creep) && creep.steadiness.is_unsteady());
    creeps.take(LISTED).map(|creep| prose(0, &not_steady(creep))).collect()
}

/// Share of a run at its beginning in which bodies that settle slip.
const BEGINNING: f64 = 0.1;

/// A line for each body that slipped after it had settled, and does not slide over the window of its drift.
pub fn slips(outcome: &Outcome) -> String {
    let slipped = outcome.creep.iter().filter(|creep| {
        let window = creep.window[1] - creep.window[0];
        let late = |between: [f64; 2]| between[1] > BEGINNING * creep.window[1];
        creep.slip.between.is_some_and(late) && creep.time_sliding() < 0.5 * window
    });
    let line = |creep: &Creep| format!("{} slipped {}", creep.body, slid(creep));
    slipped.take(LISTED).map(|creep| prose(0, &line(creep))).collect()
}

/// "for 12 ms, between 0.1 and 0.12 s", or "never".
fn slid(creep: &Creep) -> String {
    match creep.slip.between {
        None => "never".into(),
        Some(between) => {
            let [from, until] = between.map(number);
            format!("for {} s, between {from} and {until} s", number(creep.slip.time))
        }
    }
}

/// The row of the details: when the contacts of a body slid.
pub fn slip_row(creep: &Creep) -> (String, String) {
    (format!("slid of {}", creep.body), slid(creep))
}

/// Whether a drift is for the most part the law's creep.
fn is_creep(creep: &Creep) -> bool {
    let law = creep.parts.map_or(0.0, |parts| parts.law.abs());
    creep.measured >= ROUNDED_AWAY && law >= 0.5 * creep.measured
}

/// "not steady: creep of box still changes by 3.4 % over 0.75–1 s; …".
fn not_steady(creep: &Creep) -> String {
    let steadiness = &creep.steadiness;
    let [from, until] = creep.window.map(number);
    let change = percent(steadiness.change.unwrap_or_default().abs());
    let mut text = format!(
        "not steady: creep of {} still changes by {change} over {from}–{until} s",
        creep.body
    );
    text += "; a longer time.end shows whether it settles";
    if let Some(end) = steadiness.end {
        let end = number(rounded_up(end));
        text += &format!(" (it would by {end} s, if all that changes is that it relaxes)");
    }
    if let Some(speed) = steadiness.closed_form {
        text += &format!("; {} m/s by the law at its load ratio now", number(speed));
    }
    text
}

/// Rounded up to two digits.
fn rounded_up(value: f64) -> f64 {
    let text = format!("{value:.1e}");
    let Ok(near) = text.parse::<f64>() else { return value };
    let step = text.split('e').nth(1).map_or(0.0, |e| format!("1e{e}").parse().unwrap_or(0.0));
    let up = if near < value { near + 0.1 * step } else { near };
    format!("{up:.1e}").parse().unwrap_or(up)
}

/// The row of the details: the closed form at the load ratio of a body, and its change.
pub fn row(creep: &Creep) -> Option<(String, String)> {
    let speed = creep.steadiness.closed_form?;
    let ratio = creep.load_ratio.map_or(String::new(), |ratio| format!(" {}", number(ratio)));
    let change = creep.steadiness.change.map_or(String::new(), |change| {
        format!("; its drift changes by {} over the window", percent(change.abs()))
    });
    let text = format!("{} m/s by the law at load ratio{ratio}{change}", number(speed));
    Some((format!("steady creep of {}", creep.body), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_rounded_up() {
        for (value, up) in [(2.11, 2.2), (2.2, 2.2), (0.0123, 0.013), (9.91, 10.0)] {
            assert_eq!(rounded_up(value), up);
        }
    }
}
