//! The scene's measures in words.

use crate::display::{Display, Measured};
use crate::text::quantity;
use stiction_core::math::larger;
use stiction_core::measures::Reduction;

/// Most measures in the panel; one more is shown in the place of the line that would name it.
const MEASURES: usize = 6;

/// The scene's first measures now: names and values.
pub(super) fn values(display: &Display) -> Vec<(String, String)> {
    let Some(last) = display.history.samples().last() else { return Vec::new() };
    let line = |measured: &Measured| {
        let values = last.measures.get(measured.columns.clone()).unwrap_or_default();
        let text = |(column, value): (usize, &f64)| match value.is_finite() {
            true if is_rounding(display, column, *value) => quantity(0.0, measured.unit),
            true => quantity(*value, measured.unit),
            false => missing(measured, last.time),
        };
        let texts: Vec<String> = measured.columns.clone().zip(values).map(text).collect();
        (name(display, measured), texts.join(" · "))
    };
    display.measured.iter().take(shown(display)).map(line).collect()
}

/// Share of the largest value of a course below which a value is rounding.
const ROUNDING: f64 = 1e-12;

/// Whether a value is rounding noise against the largest of its column so far.
fn is_rounding(display: &Display, column: usize, value: f64) -> bool {
    let course = display.history.samples().iter().filter_map(|s| s.measures.get(column));
    let largest = course.map(|value| value.abs()).filter(|size| size.is_finite()).fold(0.0, larger);
    value.abs() < ROUNDING * largest
}

/// "2 more: lean, period": the measures that the panel leaves out.
pub(super) fn rest(display: &Display) -> Option<String> {
    let rest = display.measured.get(shown(display)..).filter(|rest| !rest.is_empty())?;
    let names: Vec<&str> = rest.iter().map(|measured| measured.name.as_str()).collect();
    Some(format!("{} more: {}", rest.len(), names.join(", ")))
}

fn shown(display: &Display) -> usize {
    let count = display.measured.len();
    if count <= MEASURES + 1 { count } else { MEASURES }
}

/// The name, with the start of the readings where a change made them begin anew.
fn name(display: &Display, measured: &Measured) -> String {
    let since = measured.reduced.zip(display.playback.counted);
    match since.filter(|((_, from), since)| since > from) {
        Some((_, since)) => format!("{} since {since:.3} s", measured.name),
        None => measured.name.clone(),
    }
}

/// A value that is missing, with the reason of a reduced one.
fn missing(measured: &Measured, time: f64) -> String {
    match measured.reduced {
        Some((_, from)) if time < from => format!("– from {from} s on"),
        Some((Reduction::Period, _)) => "– after 2 even cycles".into(),
        Some((Reduction::Swing, _)) => "– after a cycle".into(),
        None => "–".into(),
    }
}
