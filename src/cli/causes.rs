//! The shares of an error bar by cause, as a table: `--verify=model`, `--verify=mesh` and `--verify=all`.

use super::terminal::{number, prose, table};
use stiction_core::math::with_unit;
use stiction_lab::run::Verification;
use stiction_lab::run::cause::Cause;
use stiction_lab::run::verification::{CauseBars, MeasureBar};

/// The words for an error that no run determines.
const NOT_KNOWN: &str = "not known";

/// A table of the errors at the end by cause, with order and factor of safety below, and what was compared; nothing
/// where no cause but time was asked for.
pub fn describe(verification: &Verification) -> String {
    if verification.causes.is_empty() {
        return String::new();
    }
    let heads = verification.causes.iter().map(|by| head(by.cause));
    let header: Vec<&str> =
        ["by cause", "value", "time"].into_iter().chain(heads).chain(["sum"]).collect();
    let shown = match verification.measures.is_empty() {
        true => &verification.bodies,
        false => &verification.measures,
    };
    let columns = shown.iter().flat_map(|bar| (0..bar.columns.len()).map(move |k| (bar, k)));
    let rows: Vec<Vec<String>> = columns.flat_map(|(bar, k)| rows(verification, bar, k)).collect();
    let notes: Vec<String> = verification.causes.iter().map(about).collect();
    table(&header, &rows) + &prose(0, &notes.join("\n"))
}

/// The column of a cause.
fn head(cause: Cause) -> &'static str {
    match cause {
        Cause::Epsilon => "ε",
        Cause::Depth => "depth",
        Cause::Solver => "solver",
        Cause::Mesh => "mesh",
    }
}

/// The errors of a column at the end, and below them order and factor of safety.
fn rows(verification: &Verification, time: &MeasureBar, k: usize) -> [Vec<String>; 2] {
    let column = &time.columns[k];
    let known = |error: Option<f64>| error.map_or(NOT_KNOWN.into(), short);
    let own = Some(time.error_at_end(k)).filter(|error| error.is_finite());
    let value = match time.ends[k][0] {
        value if value.is_finite() => with_unit(&number(value), time.unit),
        _ => "none".into(),
    };
    let mut errors = vec![column.clone(), value, known(own)];
    errors.extend(verification.causes.iter().map(|by| known(by.error(column))));
    errors.push(known(verification.sum_of_causes(column)));
    let mut orders = vec!["  p, F".into(), String::new(), order(Some(time))];
    let by_cause = |by: &CauseBars| order(by.find(column).map(|(bar, _)| bar));
    orders.extend(verification.causes.iter().map(by_cause));
    [errors, orders]
}

/// Observed order and factor of safety: "1.0, 1.25".
fn order(bar: Option<&MeasureBar>) -> String {
    let Some(bar) = bar else { return String::new() };
    let order = bar.bar.order.map_or("–".into(), |order| format!("{order:.1}"));
    let safety = bar.bar.safety.map_or("–".into(), number);
    format!("{order}, {safety}")
}

/// An error with two digits.
fn short(error: f64) -> String {
    if error <= 0.0 {
        return "0".into();
    }
    number(format!("{error:.1e}").parse().unwrap_or(error))
}

/// The runs by a cause: "ε: runs at contact.friction.epsilon 0.002, 0.004".
fn about(by: &CauseBars) -> String {
    let mut text = format!("{}: ", head(by.cause));
    if let Some((name, at)) = by.parameter.as_ref().filter(|_| !by.runs.is_empty()) {
        let runs: Vec<String> = by.runs.iter().map(|run| number(run.value)).collect();
        let at = at.map_or("by default".into(), number);
        text += &format!("{name} {at}, compared with {}", runs.join(", "));
    } else {
        text += if by.known { "0" } else { NOT_KNOWN };
    }
    by.note.iter().for_each(|note| text += &format!("; {note}"));
    text
}
