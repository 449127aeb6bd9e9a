//! The figure of a comparison: error against work; creep, energy and displacement over time, with
//! the reference behind them. A combination of settings has one colour in all panels, paler for
//! each smaller step.

use super::compare::{ComparedRow, Comparison};
use crate::output::plots::figure::{FigureFile, Panel, PlotAxis, Series, Style, complete};
use stiction_core::math::{Vector, larger, smaller};

/// Largest number of lines in a panel over time; more cannot be distinguished.
const MOST_LINES: usize = 12;

/// The colour of references: grey, which no combination uses.
const GREY: usize = 6;

/// Names of the panels: error against work, then quantities over time.
const CPU: &str = "cpu";
const EVALUATIONS: &str = "evaluations";
const CREEP: &str = "creep";
const ENERGY: &str = "energy";
const DISPLACEMENT: &str = "displacement";
const DISTANCE: &str = "distance";

/// Names of the panels of every comparison.
const PANELS: [&str; 6] = [CPU, EVALUATIONS, CREEP, ENERGY, DISPLACEMENT, DISTANCE];

/// Name of the panel of a measure: of those called as another panel `measure_NAME`.
fn panel_of(column: &str) -> String {
    if PANELS.contains(&column) { format!("measure_{column}") } else { column.into() }
}

/// Names of all panels that a comparison of a scene with some columns of measures may have.
pub fn panels(columns: &[String]) -> Vec<Vec<String>> {
    let measured = columns.iter().map(|column| panel_of(column));
    PANELS.into_iter().map(String::from).chain(measured).map(|name| vec![name]).collect()
}

/// A figure with the words and the number of panels that one of a comparison has at least, by which
/// its height is judged before anything runs.
pub fn outline(title: &str, referenced: bool, chosen: &[String]) -> FigureFile {
    // without a reference there are energy and displacement
    let least = if referenced { 4 } else { 2 };
    let count = if chosen.is_empty() { least } else { chosen.len() };
    let of = |k: usize| {
        let names = chosen.get(k).cloned().into_iter().collect();
        Panel { names, title: "over time".into(), ..Panel::default() }
    };
    let panels = (0..count).map(of).collect();
    FigureFile { title: title.into(), note: "a reference".into(), panels, ..FigureFile::default() }
}

/// The panels of error against work, then those over time; measures where they are `chosen` by name.
pub fn figure(comparison: &Comparison, chosen: &[String]) -> FigureFile {
    let colours = Colours::of(comparison);
    let mut panels = precision(comparison, &colours);
    panels.extend(over_time(comparison, &colours));
    panels.extend(measured(comparison, &colours, chosen));
    let notes: Vec<String> = comparison.references.iter().map(|r| r.describe()).collect();
    let note = match &notes[..] {
        [] => "there is no reference".into(),
        [only] => only.clone(),
        [first, ..] => format!("{first}; and {} more", notes.len() - 1),
    };
    let changes = comparison.set.iter().map(|change| format!("changed: {change}"));
    let note = std::iter::once(note).chain(changes).collect::<Vec<_>>().join("; ");
    let crosses = |panel: &Panel| panel.series.iter().any(|line| line.style == Style::Crosses);
    let mut legend = legend(comparison, &colours);
    if panels.iter().any(crosses) {
        let name = "not trusted".into();
        legend.push(Series { name, style: Style::Crosses, ..Series::default() });
    }
    let title = comparison.title.clone();
    FigureFile { title, note, legend, panels, ..FigureFile::default() }
}

/// The colour of each combination of settings other than the step, and the steps, largest first.
struct Colours {
    combinations: Vec<String>,
    steps: Vec<f64>,
}

impl Colours {
    fn of(comparison: &Comparison) -> Colours {
        let mut combinations = Vec::new();
        let mut steps: Vec<f64> = comparison.rows.iter().map(step).collect();
        for name in comparison.rows.iter().map(|row| without_step(comparison, row)) {
            if !combinations.contains(&name) {
                combinations.push(name);
            }
        }
        steps.sort_by(|a, b| b.total_cmp(a));
        steps.dedup();
        Colours { combinations, steps }
    }

    fn place(&self, combination: &str) -> Option<usize> {
        self.combinations.iter().position(|name| name == combination)
    }

    /// The place of a row's step among all.
    fn rank(&self, row: &ComparedRow) -> usize {
        self.steps.iter().position(|known| *known == step(row)).unwrap_or(0)
    }

    fn number(&self, combination: &str) -> Option<usize> {
        let place = self.place(combination)?;
        Some(if place < GREY { place } else { place + 1 })
    }

    /// A line of a row.
    fn line(&self, comparison: &Comparison, row: &ComparedRow, points: Vec<(f64, f64)>) -> Series {
        let rank = self.rank(row);
        let combination = without_step(comparison, row);
        let colour = self.number(&combination);
        let known_as = format!("{combination}, h = {:e} s", step(row));
        // dashes by the combination; by the step where there is only one
        let place = self.place(&combination);
        let symbol = if self.combinations.len() > 1 { place } else { Some(rank) };
        Series { known_as, points, colour, symbol, paler: rank.min(3) as u8, ..Series::default() }
    }
}

/// A name for every line drawn over time, for every other combination whose errors are drawn, and
/// for the reference.
fn legend(comparison: &Comparison, colours: &Colours) -> Vec<Series> {
    let shown = shown(comparison);
    let steps = complete(&colours.steps);
    let name = |row: &ComparedRow| {
        let combination = without_step(comparison, row);
        let mark = if row.faultless() { "" } else { " ✗" };
        match colours.steps.len() {
            1 => format!("{combination}{mark}"),
            _ => format!("{combination}, h = {} s{mark}", steps[colours.rank(row)]),
        }
    };
    let mut legend: Vec<Series> = shown
        .iter()
        .map(|row| Series { name: name(row), ..colours.line(comparison, row, Vec::new()) })
        .collect();
    if !comparison.references.is_empty() {
        for combination in &colours.combinations {
            let own = |row: &&&ComparedRow| without_step(comparison, row) == *combination;
            if shown.iter().find(own).is_none() {
                let (colour, symbol) = (colours.number(combination), colours.place(combination));
                let name = combination.clone();
                legend.push(Series { name, colour, symbol, ..Series::default() });
            }
        }
        legend.push(reference("reference, and its error".into(), Vec::new()));
    }
    legend
}

/// A thin grey line.
fn reference(name: String, points: Vec<(f64, f64)>) -> Series {
    let (style, colour) = (Style::Thin, Some(GREY));
    let known_as = "reference".into();
    Series { name, known_as, points, style, colour, ..Series::default() }
}

/// Error against CPU time and against evaluations: a line per combination with its steps as points.
fn precision(comparison: &Comparison, colours: &Colours) -> Vec<Panel> {
    let panel = |name: &str, label: &str, cost: fn(&ComparedRow) -> f64| {
        let mut wrong = Vec::new();
        let mut series: Vec<Series> = Vec::new();
        for combination in &colours.combinations {
            let own = |row: &&ComparedRow| without_step(comparison, row) == *combination;
            let mut points = Vec::new();
            for row in comparison.rows.iter().filter(|row| row.trial.completed()).filter(own) {
                let Some(error) = row.error.filter(|error| *error > 0.0) else { continue };
                points.push((cost(row), error));
                wrong.extend((!row.faultless()).then_some((cost(row), error)));
            }
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (colour, style) = (colours.number(combination), Style::Marked);
            let (known_as, symbol) = (combination.clone(), colours.place(combination));
            series.push(Series { known_as, points, style, colour, symbol, ..Series::default() });
        }
        series.retain(|line| !line.points.is_empty());
        let floor = comparison.references.iter().map(|r| r.uncertainty).reduce(larger);
        let costs = || series.iter().flat_map(|line| line.points.iter().map(|p| p.0));
        let ends = (costs().reduce(smaller), costs().reduce(larger));
        if let (Some(floor), (Some(least), Some(most))) = (floor, ends) {
            series.push(reference(String::new(), vec![(least, floor), (most, floor)]));
        }
        if !wrong.is_empty() {
            let (known_as, style) = ("not trusted".into(), Style::Crosses);
            series.push(Series { known_as, points: wrong, style, ..Series::default() });
        }
        let quantity = label.split(" [").next().unwrap_or(label);
        Panel {
            names: vec![name.into()],
            title: format!("error against {quantity}"),
            across: PlotAxis::logarithmic(label),
            up: PlotAxis::logarithmic("error [m]"),
            series,
        }
    };
    let panels = [
        panel(CPU, "CPU time [s]", |row| row.trial.cpu_seconds),
        panel(EVALUATIONS, "force evaluations", |row| row.trial.work.evaluations as f64),
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

/// The time step of a row \[s\].
fn step(row: &ComparedRow) -> f64 {
    row.setting("step").and_then(|s| s.parse::<f64>().ok()).unwrap_or(0.0)
}

fn over_time(comparison: &Comparison, colours: &Colours) -> Vec<Panel> {
    let rows = shown(comparison);
    let title = |what: &str| match comparison.rows.len() {
        many if many > rows.len() => format!("{what}, {} of {many} rows", rows.len()),
        _ => what.into(),
    };
    let line = |row: &ComparedRow, values: &[f64]| {
        let points = row.trial.trace.times.iter().copied().zip(values.iter().copied());
        colours.line(comparison, row, points.collect())
    };
    let creep = rows.iter().filter(|row| row.trial.trace.creep.iter().any(|c| *c > 0.0));
    let mut creep: Vec<Series> = creep.map(|row| line(row, &row.trial.trace.creep)).collect();
    if !creep.is_empty() {
        creep.extend(law_creep(&rows));
    }
    let energy = rows.iter().map(|row| line(row, &row.trial.trace.residuals));
    let mut displacements: Vec<Series> = rows
        .iter()
        .map(|row| {
            let trace = &row.trial.trace;
            let first = trace.centers.iter().filter_map(|bodies| bodies.first().copied());
            let places: Vec<_> = trace.times.iter().copied().zip(first).collect();
            colours.line(comparison, row, displacement(&places))
        })
        .collect();
    let mut used: Vec<usize> = rows.iter().filter_map(|row| row.reference).collect();
    used.sort_unstable();
    used.dedup();
    let of = |k: usize| displacement(&comparison.references[k].path);
    displacements.extend(used.into_iter().map(|k| reference(String::new(), of(k))));
    let apart = rows.iter().filter_map(|row| from_reference(comparison, colours, row));
    let panels = [
        (CREEP, "creep", PlotAxis::logarithmic("creep [m/s]"), creep),
        (ENERGY, "energy residual", PlotAxis::linear("energy residual [J]"), energy.collect()),
        (
            DISPLACEMENT,
            "displacement of the first body",
            PlotAxis::linear("displacement [m]"),
            displacements,
        ),
        (
            DISTANCE,
            "distance of the first body from the reference",
            PlotAxis::logarithmic("distance [m]"),
            apart.collect(),
        ),
    ];
    let panels = panels.into_iter().filter(|(.., series)| !series.is_empty());
    panels
        .map(|(name, what, up, series)| Panel {
            names: vec![name.into()],
            title: title(what),
            across: PlotAxis::linear("time [s]"),
            up,
            series,
        })
        .collect()
}

/// The chosen measures of the scene over time, a panel each.
fn measured(comparison: &Comparison, colours: &Colours, chosen: &[String]) -> Vec<Panel> {
    let rows = shown(comparison);
    let traced = |row: &&ComparedRow| {
        row.trial.trace.measures.iter().map(|one| (one.name.clone(), one.unit)).collect::<Vec<_>>()
    };
    let mut columns: Vec<(String, &str)> = rows.iter().flat_map(traced).collect();
    columns.sort_unstable();
    columns.dedup();
    columns.retain(|(column, _)| chosen.contains(&panel_of(column)));
    let line = |row: &&ComparedRow, column: &str| {
        let trace = &row.trial.trace;
        let measure = trace.measures.iter().find(|measure| measure.name == column)?;
        let points = trace.times.iter().copied().zip(measure.values.iter().copied());
        Some(colours.line(comparison, row, points.collect()))
    };
    let panel = |(column, unit): (String, &str)| {
        let name = column.replace('_', " ");
        let label = if unit == "1" { name.clone() } else { format!("{name} [{unit}]") };
        Panel {
            names: vec![panel_of(&column)],
            title: name,
            across: PlotAxis::linear("time [s]"),
            up: PlotAxis::linear(label),
            series: rows.iter().filter_map(|row| line(row, &column)).collect(),
        }
    };
    columns.into_iter().map(panel).collect()
}

/// The rows drawn over time: all of them if they are few, else those with the largest step of every
/// combination.
fn shown(comparison: &Comparison) -> Vec<&ComparedRow> {
    let rows = &comparison.rows;
    if rows.len() <= MOST_LINES {
        return rows.iter().collect();
    }
    let is_largest = |row: &&ComparedRow| {
        let name = without_step(comparison, row);
        let same = rows.iter().filter(|other| without_step(comparison, other) == name);
        same.map(step).reduce(larger) == Some(step(row))
    };
    rows.iter().filter(is_largest).take(MOST_LINES).collect()
}

/// Distance of the first body's centre of mass from the reference, at frames of equal time.
fn from_reference(comparison: &Comparison, colours: &Colours, row: &ComparedRow) -> Option<Series> {
    let reference = &comparison.references[row.reference?];
    let trace = &row.trial.trace;
    let apart = trace.times.iter().zip(&trace.centers).zip(&reference.path);
    let points: Vec<(f64, f64)> = apart
        .filter(|((time, _), (at, _))| (*time - at).abs() <= 1e-9 * at.abs())
        .filter_map(|((time, centers), (_, place))| {
            Some((*time, (centers.first()? - place).norm()))
        })
        .collect();
    let tells = points.iter().any(|(_, distance)| *distance > 0.0);
    tells.then(|| colours.line(comparison, row, points))
}

/// The law's own creep, if it is the same in all rows without a fault.
fn law_creep(rows: &[&ComparedRow]) -> Option<Series> {
    let trusted = rows.iter().filter(|row| row.faultless());
    let mut laws = trusted.filter_map(|row| row.figure("law_creep"));
    let first = laws.next().filter(|law| *law > 0.0)?;
    let same = laws.all(|law| (law - first).abs() <= 1e-3 * first);
    let end = rows.iter().filter_map(|row| row.trial.trace.times.last()).copied();
    let end = end.reduce(|a, b| if b > a { b } else { a })?;
    same.then(|| reference("creep of the friction law".into(), vec![(0.0, first), (end, first)]))
}

/// Distance from the start over time.
fn displacement(places: &[(f64, Vector)]) -> Vec<(f64, f64)> {
    let start = places.first().map_or_else(Vector::zeros, |(_, place)| *place);
    places.iter().map(|(time, place)| (*time, (place - start).norm())).collect()
}
