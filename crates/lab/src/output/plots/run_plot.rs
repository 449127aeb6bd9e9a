//! The plot of a run: every measure of its scene over time, one panel per unit.

use super::figure::{FigureFile, Panel, PlotAxis, Series, Style};
use crate::run::{Run, Status, reduction};
use serde_json::Value;
use std::collections::BTreeMap;
use stiction_core::diagnosis::trust::NOT_TRUSTED;
use stiction_core::math::{larger, smaller};
use stiction_core::measures::kinds::{CONSTRAINT_LOAD, FRICTION_LOAD};
use stiction_scene::Scene;
use stiction_scene::place::Moment;

/// Largest number of panels of measures in a figure; further panels are left out.
const MOST_PANELS: usize = 8;

/// Ratio of sizes below which values of one unit get separate panels: lines so different in size
/// cannot be read together.
const APART: f64 = 1e-2;

/// Largest number of measures in a panel whose axis has their names; with more it has the unit
/// alone.
const MOST_NAMES: usize = 2;

/// Error bars by the names of columns, one per frame.
type Bars = BTreeMap<String, Vec<f64>>;

/// The figure of a run, with the error bars of its verification. Panels that are `chosen` by name
/// are there however many the run has. The note begins with the `standing` of the run.
pub fn figure(
    (scene, run): (&Scene, &Run),
    bars: &Bars,
    chosen: &[String],
    standing: &str,
) -> FigureFile {
    let mut panels = measure_panels(scene, run, bars, chosen);
    if chosen.is_empty() {
        panels.truncate(MOST_PANELS);
    }
    panels.extend(friction_panels(scene, run));
    let standing = Some(standing.to_string()).filter(|words| !words.is_empty());
    let method = format!("{} at step {:e} s", scene.integrator.name, scene.time.step);
    let changes = run.changes().into_iter().map(|change| format!("changed: {change}"));
    let first = standing.into_iter().chain([method]).collect();
    let note = [first, changes.collect(), reduced(scene, run)].concat().join("; ");
    FigureFile { title: scene.title.clone(), note, panels, ..FigureFile::default() }
}

/// Words on a run that failed, with its `failure` in words where that is known, and on one that is not
/// trusted, with the names of the reasons; from its `run.json`. Empty for another run.
pub fn standing(document: &Value, failure: Option<&str>) -> String {
    let failed = failure.map(|why| format!("failed: {why}"));
    let failed = failed.or((document["status"] == Status::FAILED).then(|| "failed".into()));
    let reasons = document["trust"]["reasons"].as_array().map_or(&[][..], Vec::as_slice);
    let mut names: Vec<&str> = Vec::new();
    for name in reasons.iter().filter_map(|one| one["name"].as_str()) {
        // a run that failed says so before
        if !names.contains(&name) && name != Status::FAILED {
            names.push(name);
        }
    }
    let doubt = (!names.is_empty()).then(|| format!("{NOT_TRUSTED}: {}", names.join(", ")));
    failed.into_iter().chain(doubt).collect::<Vec<_>>().join("; ")
}

/// A number with five digits at most.
fn shortest(value: f64) -> String {
    format!("{value:.4e}").parse::<f64>().map_or_else(|_| value.to_string(), |x| x.to_string())
}

/// The numbers of reduced measures at the end, in words.
fn reduced(scene: &Scene, run: &Run) -> Vec<String> {
    let Some(last) = run.frames.last() else { return Vec::new() };
    let columns = run.columns.iter().zip(run.units()).zip(&last.measures);
    let own = columns.filter(|((name, _), _)| reduction(scene, name).is_some());
    let words = own.map(|((name, unit), value)| match value.is_finite() {
        true => {
            let unit = if matches!(unit, "" | "1") { String::new() } else { format!(" {unit}") };
            format!("{} {}{unit}", name.replace('_', " "), shortest(*value))
        }
        false => format!("{} none", name.replace('_', " ")),
    });
    words.collect()
}

/// A column as a line over time.
fn over_time(run: &Run, column: usize) -> Vec<(f64, f64)> {
    run.frames.iter().map(|frame| (frame.time, frame.measures[column])).collect()
}

/// One panel per unit; more if values of a unit differ too much in size. A panel in which some
/// measures are `chosen` draws those alone.
fn measure_panels(scene: &Scene, run: &Run, by: &Bars, chosen: &[String]) -> Vec<Panel> {
    let mut groups: Vec<(&str, f64, Vec<usize>)> = Vec::new();
    for (column, unit) in run.units().into_iter().enumerate() {
        if reduction(scene, &run.columns[column]).is_some() {
            continue;
        }
        let sizes = run.frames.iter().map(|frame| frame.measures[column].abs());
        let size = sizes.filter(|x| x.is_finite()).fold(0.0, larger);
        let fits = |known: f64| smaller(known, size) >= APART * larger(known, size);
        match groups.iter_mut().find(|(of, known, _)| *of == unit && fits(*known)) {
            Some(group) => {
                group.1 = larger(group.1, size);
                group.2.push(column);
            }
            None => groups.push((unit, size, vec![column])),
        }
    }
    let of_unit = |(unit, _, columns): (&str, f64, Vec<usize>)| {
        let names: Vec<String> = columns.iter().map(|k| run.columns[*k].clone()).collect();
        let mut drawn = columns;
        if names.iter().any(|name| chosen.contains(name)) {
            drawn.retain(|column| chosen.contains(&run.columns[*column]));
        }
        let mut panel = Panel { names, ..panel(run, by, unit, &drawn) };
        panel.series.extend(expected(scene, run, &drawn));
        panel
    };
    groups.into_iter().map(of_unit).collect()
}

/// Expected values of columns with their tolerances, at their times; a run to another end has none there.
fn expected(scene: &Scene, run: &Run, columns: &[usize]) -> Option<Series> {
    let mut points = Vec::new();
    let other_end = run
        .changes()
        .into_iter()
        .any(|change| change.split('=').next().is_some_and(|key| key.trim() == "time.end"));
    for expectation in &scene.expectations {
        let known = |column: &&usize| run.columns[**column] == expectation.column;
        let Some(column) = columns.iter().find(known) else { continue };
        let line = over_time(run, *column);
        let best = |better: fn(f64, f64) -> bool| {
            line.iter().copied().reduce(|a, b| if better(b.1, a.1) { b } else { a })
        };
        let time = match expectation.at {
            Moment::End => line.last().copied().filter(|_| !other_end),
            Moment::Maximum => best(|b, a| b > a),
            Moment::Minimum => best(|b, a| b < a),
            Moment::Time(time) => Some((time, 0.0)),
        };
        let Some((time, _)) = time else { continue };
        let (value, tolerance) = (expectation.value, expectation.tolerance);
        points.extend([value - tolerance, value, value + tolerance].map(|x| (time, x)));
    }
    let name = match run.changes().is_empty() {
        true => "expected, with its tolerance".into(),
        false => "expected of the scene as written, with its tolerance".into(),
    };
    let series = Series { name, points, style: Style::Intervals, ..Series::default() };
    (!series.points.is_empty()).then_some(series)
}

fn panel(run: &Run, by: &Bars, unit: &str, columns: &[usize]) -> Panel {
    let name = |column: &usize| run.columns[*column].replace('_', " ");
    let line = |(number, column): (usize, &usize)| Series {
        name: if columns.len() > 1 { name(column) } else { String::new() },
        known_as: run.columns[*column].clone(),
        points: over_time(run, *column),
        // lines of one panel differ by dashes too
        symbol: (columns.len() > 1).then_some(number),
        ..Series::default()
    };
    // error bars as bands over the lines
    let band = |(number, column): (usize, &usize)| {
        let errors = by.get(&run.columns[*column])?;
        let line = || over_time(run, *column).into_iter().zip(errors);
        let (above, below) =
            (line().map(|(p, e)| (p.0, p.1 + e)), line().map(|(p, e)| (p.0, p.1 - e)));
        let mut points: Vec<(f64, f64)> = above.collect();
        points.extend(below.rev());
        points.retain(|point| point.1.is_finite());
        let known_as = format!("{}, error bar", run.columns[*column]);
        Some(Series { known_as, points, style: Style::Band(number), ..Series::default() })
    };
    let lines = columns.iter().enumerate().map(line);
    let series = lines.chain(columns.iter().enumerate().filter_map(band)).collect();
    let names: Vec<String> = columns.iter().map(name).collect();
    let title = if columns.len() == 1 { names[0].clone() } else { String::new() };
    let quantity = if columns.len() <= MOST_NAMES { names.join(", ") } else { String::new() };
    let label = match unit {
        "1" => quantity,
        _ => format!("{quantity} [{unit}]").trim_start().into(),
    };
    Panel {
        names: columns.iter().map(|column| run.columns[*column].clone()).collect(),
        title,
        across: PlotAxis::linear("time [s]"),
        up: PlotAxis::linear(label),
        series,
    }
}

/// Friction against constraint force of bodies on curves, if both are measured.
fn friction_panels(scene: &Scene, run: &Run) -> Vec<Panel> {
    let column = |kind: &str, body: usize| {
        let measure = scene.measures.iter().find(|m| m.kind == kind && m.body == Some(body))?;
        run.columns.iter().position(|name| *name == measure.name)
    };
    let mut panels = Vec::new();
    for curve in &scene.curves {
        let columns =
            (column(CONSTRAINT_LOAD.name, curve.body), column(FRICTION_LOAD.name, curve.body));
        let (Some(load), Some(friction)) = columns else { continue };
        let points: Vec<(f64, f64)> =
            run.frames.iter().map(|f| (f.measures[load], f.measures[friction])).collect();
        let most = points.iter().map(|p| p.0).fold(0.0, larger);
        let cone = |mu: f64, name: &str| Series {
            name: format!("{name} {mu}"),
            points: vec![(0.0, 0.0), (most, mu * most)],
            style: Style::Dashed,
            ..Series::default()
        };
        let mut series = vec![
            Series { name: "frames".into(), points, style: Style::Points, ..Series::default() },
            cone(curve.friction.kinetic, "μ"),
        ];
        if curve.friction.static_ > curve.friction.kinetic {
            series.push(cone(curve.friction.static_, "at rest μ"));
        }
        panels.push(Panel {
            names: vec![format!("friction-{}", scene.bodies[curve.body].name)],
            title: format!("friction of {}", scene.bodies[curve.body].name),
            across: PlotAxis::linear("constraint force [N]"),
            up: PlotAxis::linear("friction [N]"),
            series,
        });
    }
    panels
}
