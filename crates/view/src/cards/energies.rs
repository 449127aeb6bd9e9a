//! The plot of energies: stored, dissipated and put in, channel by channel.

use super::plot::CardLine;
use crate::display::Display;
use crate::history::Sample;
use crate::theme::ViewTheme;
use stiction_core::model::Model;

/// Share of the largest energy below which a channel has no line.
const NOTHING: f64 = 5e-3;

type Channel = (&'static str, usize, fn(&Sample) -> f64);

/// The channels in the order of priority of their names.
const CHANNELS: [Channel; 8] = [
    ("kinetic", 0, |s| s.energies.kinetic),
    ("gravity", 3, |s| s.energies.gravity),
    ("friction", 4, |s| s.flows.friction_stick + s.flows.friction_slip),
    ("work", 6, |s| s.flows.work),
    ("springs", 1, |s| s.energies.spring),
    ("damping", 5, |s| s.flows.spring + s.flows.normal + s.flows.drag),
    ("residual", 7, |s| s.residual),
    ("contacts", 2, |s| s.energies.contact),
];

/// The name of the energy in springs and elastic elements.
pub fn springs_or_elastic(model: &Model) -> &'static str {
    if model.elements.is_empty() { "springs" } else { "elastic" }
}

/// The title and the lines over time, of gravity the change; channels that stay near zero have no line and stand in
/// the title.
pub fn lines(theme: &ViewTheme, display: &Display) -> (String, Vec<CardLine>) {
    let samples = display.history.samples();
    let first = samples.first().map_or(0.0, |sample| sample.energies.gravity);
    let springs = springs_or_elastic(&display.snapshot.model);
    let line = |(name, colour, value): Channel| {
        // of the energy in gravity only changes matter
        let zero = if name == "gravity" { first } else { 0.0 };
        let points = samples.iter().map(|sample| (sample.time, value(sample) - zero)).collect();
        let name = if name == "springs" { springs } else { name };
        CardLine { name: name.into(), colour: theme.lines[colour], points }
    };
    let mut lines: Vec<CardLine> = CHANNELS.map(line).into();
    let size = |line: &CardLine| {
        line.points.iter().map(|p| p.1.abs()).filter(|y| y.is_finite()).fold(0.0, f64::max)
    };
    // those that do not leave zero would lie on each other
    let largest = lines.iter().map(size).fold(0.0, f64::max);
    let rest: Vec<String> = lines
        .extract_if(.., |line| size(line) <= NOTHING * largest)
        .map(|line| line.name)
        .collect();
    let title = match rest.is_empty() {
        true => "energy".into(),
        false => format!("energy; almost none: {}", rest.join(", ")),
    };
    (title, lines)
}
