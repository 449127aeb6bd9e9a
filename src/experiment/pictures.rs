//! The figure of a comparison: what accuracy costs, and what creep, energy and way do over time,
//! with the reference behind them.

use super::compare::{ComparedRow, Comparison};
use crate::math::{Vector, larger, smaller};
use crate::output::plot::{FigureFile, Panel, PlotAxis, Series, Style};

/// Most lines in a panel over time; more cannot be told apart.
const MOST_LINES: usize = 8;

/// Work and precision, then what happened over time.
pub fn figure(comparison: &Comparison) -> FigureFile {
    let mut panels = precision(comparison);
    panels.extend(over_time(comparison));
    let notes: Vec<String> = comparison.references.iter().map(|r| r.describe()).collect();
    let note = match &notes[..] {
        [] => "there is no reference".into(),
        [only] => only.clone(),
        [first, ..] => format!("{first}; and {} more", notes.len() - 1),
    };
    FigureFile { title: comparison.title.clone(), note, panels }
}

/// Error against CPU time and against evaluations, a line per combination with its steps as points.
fn precision(comparison: &Comparison) -> Vec<Panel> {
    let panel = |label: &str, cost: fn(&ComparedRow) -> f64| {
        let (mut series, mut wrong): (Vec<Series>, Vec<_>) = (Vec::new(), Vec::new());
        for row in comparison.rows.iter().filter(|row| row.trial.completed()) {
            let Some(error) = row.error.filter(|error| *error > 0.0) else { continue };
            let (name, point) = (without_step(comparison, row), (cost(row), error));
            wrong.extend((!row.faultless()).then_some(point));
            match series.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(point),
                None => {
                    series.push(Series { name, points: vec![point], style: Style::Marked });
                }
            }
        }
        for line in &mut series {
            line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let floor = comparison.references.iter().map(|r| r.uncertainty).reduce(larger);
        let costs = || series.iter().flat_map(|line| line.points.iter().map(|p| p.0));
        let ends = (costs().reduce(smaller), costs().reduce(larger));
        if let (Some(floor), (Some(least), Some(most))) = (floor, ends) {
            let name = "what the reference can tell".into();
            let points = vec![(least, floor), (most, floor)];
            series.push(Series { name, points, style: Style::Dashed });
        }
        if !wrong.is_empty() {
            let name = "not to be trusted".into();
            series.push(Series { name, points: wrong, style: Style::Crosses });
        }
        Panel {
            title: format!("error against {label}"),
            across: PlotAxis::logarithmic(label),
            up: PlotAxis::logarithmic("error [m]"),
            series,
        }
    };
    let panels = [
        panel("CPU time [s]", |row| row.trial.cpu_seconds),
        panel("force evaluations", |row| row.trial.work.evaluations as f64),
    ];
    panels.into_iter().filter(|panel| !panel.series.is_empty()).collect()
}

fn without_step(comparison: &Comparison, row: &ComparedRow) -> String {
    let axes = comparison.differing();
    let words: Vec<&str> =
        axes.iter().filter(|axis| **axis != "step").filter_map(|axis| row.setting(axis)).collect();
    if words.is_empty() {
        row.setting("integrator").unwrap_or_default().into()
    } else {
        words.join(" ")
    }
}

fn over_time(comparison: &Comparison) -> Vec<Panel> {
    let rows = shown(comparison);
    let title = |what: &str| match comparison.rows.len() {
        many if many > rows.len() => format!("{what}, {} of {many} rows", rows.len()),
        _ => what.into(),
    };
    let line = |row: &ComparedRow, values: &[f64]| Series {
        name: called(comparison, row),
        points: row.trial.trace.times.iter().copied().zip(values.iter().copied()).collect(),
        style: Style::Line,
    };
    let creep = rows.iter().filter(|row| row.trial.trace.creep.iter().any(|c| *c > 0.0));
    let mut creep: Vec<Series> = creep.map(|row| line(row, &row.trial.trace.creep)).collect();
    if !creep.is_empty() {
        creep.extend(law_creep(&rows));
    }
    let energy = rows.iter().map(|row| line(row, &row.trial.trace.residuals));
    let mut ways: Vec<Series> = rows
        .iter()
        .map(|row| {
            let trace = &row.trial.trace;
            let first = trace.centers.iter().filter_map(|bodies| bodies.first().copied());
            let places: Vec<_> = trace.times.iter().copied().zip(first).collect();
            way(&called(comparison, row), &places, Style::Line)
        })
        .collect();
    ways.extend(comparison.references.iter().map(|reference| {
        way(&format!("reference ({})", reference.name), &reference.way, Style::Dashed)
    }));
    let apart: Vec<Series> =
        rows.iter().filter_map(|row| from_reference(comparison, row)).collect();
    let panels = [
        ("creep", PlotAxis::logarithmic("creep [m/s]"), creep),
        ("energy residual", PlotAxis::linear("energy residual [J]"), energy.collect()),
        ("way of the first body", PlotAxis::linear("distance from the start [m]"), ways),
        ("first body", PlotAxis::logarithmic("distance from the reference [m]"), apart),
    ];
    let panels = panels.into_iter().filter(|(_, _, series)| !series.is_empty());
    panels
        .map(|(what, up, series)| Panel {
            title: title(what),
            across: PlotAxis::linear("time [s]"),
            up,
            series,
        })
        .collect()
}

/// The rows that are drawn over time: all where they are few, else those with the largest step of
/// every combination.
fn shown(comparison: &Comparison) -> Vec<&ComparedRow> {
    let rows = &comparison.rows;
    if rows.len() <= MOST_LINES {
        return rows.iter().collect();
    }
    let step =
        |row: &ComparedRow| row.setting("step").and_then(|s| s.parse::<f64>().ok()).unwrap_or(0.0);
    let is_largest = |row: &&ComparedRow| {
        let name = without_step(comparison, row);
        let same = rows.iter().filter(|other| without_step(comparison, other) == name);
        same.map(step).reduce(larger) == Some(step(row))
    };
    rows.iter().filter(is_largest).take(MOST_LINES).collect()
}

/// Distance of the centre of mass of the first body from the reference, where both have the same
/// frames.
fn from_reference(comparison: &Comparison, row: &ComparedRow) -> Option<Series> {
    let reference = &comparison.references[row.reference?];
    let trace = &row.trial.trace;
    let apart = trace.times.iter().zip(&trace.centers).zip(&reference.way);
    let points: Vec<(f64, f64)> = apart
        .filter(|((time, _), (at, _))| (*time - at).abs() <= 1e-9 * at.abs())
        .filter_map(|((time, centers), (_, place))| {
            Some((*time, (centers.first()? - place).norm()))
        })
        .collect();
    let tells = points.iter().any(|(_, distance)| *distance > 0.0);
    tells.then(|| Series { name: called(comparison, row), points, style: Style::Line })
}

/// Its label, with a mark where it is not to be trusted.
fn called(comparison: &Comparison, row: &ComparedRow) -> String {
    let mark = if row.faultless() { "" } else { " (wrong)" };
    format!("{}{mark}", comparison.label(row))
}

/// The law's own creep, where rows have the same.
fn law_creep(rows: &[&ComparedRow]) -> Option<Series> {
    let trusted = rows.iter().filter(|row| row.faultless());
    let mut laws = trusted.filter_map(|row| row.figure("law_creep"));
    let first = laws.next().filter(|law| *law > 0.0)?;
    let same = laws.all(|law| (law - first).abs() <= 1e-3 * first);
    let end = rows.iter().filter_map(|row| row.trial.trace.times.last()).copied();
    let end = end.reduce(|a, b| if b > a { b } else { a })?;
    same.then(|| Series {
        name: "the law's own".into(),
        points: vec![(0.0, first), (end, first)],
        style: Style::Dashed,
    })
}

fn way(name: &str, places: &[(f64, Vector)], style: Style) -> Series {
    let start = places.first().map_or_else(Vector::zeros, |(_, place)| *place);
    let points = places.iter().map(|(time, place)| (*time, (place - start).norm())).collect();
    Series { name: name.into(), points, style }
}
