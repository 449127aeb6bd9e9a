//! The scene's measures in words.

use crate::display::{Display, Measured};
use crate::text::quantity;

/// Most measures in the panel.
const MEASURES: usize = 6;

/// The scene's first measures now: names and values.
pub(super) fn values(display: &Display) -> Vec<(String, String)> {
    let Some(last) = display.history.samples().last() else { return Vec::new() };
    let line = |measured: &Measured| {
        let values = last.measures.get(measured.columns.clone()).unwrap_or_default();
        let text = |value: &f64| match value.is_finite() {
            true => quantity(*value, measured.unit),
            false => "–".into(),
        };
        let texts: Vec<String> = values.iter().map(text).collect();
        (measured.name.clone(), texts.join(" · "))
    };
    display.measured.iter().take(MEASURES).map(line).collect()
}
