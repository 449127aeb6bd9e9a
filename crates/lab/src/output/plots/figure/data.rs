//! The numbers of a figure as CSV, one point, cell or sample a line.

pub mod script;

use super::contour::Atlas;
use super::heat::{HeatAxis, HeatMap, HeatMark};
use super::lines::shade;
use super::sheet::hex;
use super::symbols::Symbol;
use super::{FigureFile, Series, Style};

/// Columns of the points of a figure.
pub const POINTS: [&str; 8] = ["panel", "series", "name", "style", "colour", "x", "y", "symbol"];
/// Columns of figures with error bars, half lengths, behind y, and with a known source, the last.
const ERROR: &str = "error";
const SOURCE: &str = "source";
/// Columns of the cells of a heat map: number and label of column and row, value, remark.
pub const CELLS: [&str; 6] = ["column", "row", "x", "y", "value", "mark"];
/// Columns of the samples of an atlas; the last has a 1 where the cell right of and above is shaded.
pub const SAMPLES: [&str; 6] = ["map", "title", "x", "y", "value", "shaded"];

/// Points of all series as CSV: number of the panel and of the series in it, name, style, colour, x
/// and y, the error of y where there are bars. A number that is not finite breaks a line.
pub(super) fn of_figure(figure: &FigureFile) -> String {
    let mut rows = Vec::new();
    let mut all = figure.panels.iter().flat_map(|panel| &panel.series);
    let bars = all.any(|series| !series.errors.is_empty());
    let source = Some(figure.source.clone()).filter(|source| !source.is_empty());
    for (panel, of) in figure.panels.iter().enumerate() {
        for (number, series) in of.series.iter().enumerate() {
            let name = name(series);
            let (style, colour) = (word(series.style), hex(shade(series, number)));
            for (k, (x, y)) in series.points.iter().enumerate() {
                let mut row = vec![
                    panel.to_string(),
                    number.to_string(),
                    name.into(),
                    style.into(),
                    colour.clone(),
                    full(*x),
                    full(*y),
                ];
                let error = series.errors.get(k).filter(|error| error.is_finite());
                row.extend(bars.then(|| error.map_or_else(String::new, |error| full(*error))));
                row.push(series.symbol.map_or("", |number| Symbol::of(number).name()).into());
                row.extend(facts(series.facts.get(k), figure.columns.len()));
                row.extend(source.clone());
                rows.push(row);
            }
        }
    }
    let mut columns = POINTS.to_vec();
    if bars {
        columns.insert(POINTS.len() - 1, ERROR);
    }
    table(&columns, &with_source(&figure.columns, &figure.source), rows)
}

/// Further columns, with the one of the source if it is known.
fn with_source(columns: &[String], source: &str) -> Vec<String> {
    let last = (!source.is_empty()).then(|| SOURCE.to_string());
    columns.iter().cloned().chain(last).collect()
}

/// Cells of further columns; empty ones if there are none.
fn facts(cells: Option<&Vec<String>>, count: usize) -> Vec<String> {
    let mut cells = cells.cloned().unwrap_or_default();
    cells.resize(count, String::new());
    cells
}

/// Name of a series: that of the legend, or its own for the data.
fn name(series: &Series) -> &str {
    if series.name.is_empty() { &series.known_as } else { &series.name }
}

/// A number in full, with an exponent if it is small or large.
fn full(x: f64) -> String {
    format!("{x:?}")
}

/// The word of a style in CSV.
fn word(style: Style) -> &'static str {
    match style {
        Style::Line => "line",
        Style::Dashed => "dashed",
        Style::Marked => "marked",
        Style::Points => "points",
        Style::Crosses => "crosses",
        Style::Band(_) => "band",
        Style::Intervals => "intervals",
        Style::Thin => "thin",
    }
}

/// Cells of a heat map as CSV, rows from below.
pub(super) fn of_map(map: &HeatMap) -> String {
    let mut rows = Vec::new();
    for (row, cells) in map.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let label = |side: &HeatAxis, k: usize| {
                side.values.get(k).or(side.marks.get(k)).cloned().unwrap_or_default()
            };
            let mark = match cell.mark {
                HeatMark::None => "",
                HeatMark::Doubtful => "not trusted",
                HeatMark::Failed => "failed",
            };
            let mut cells = vec![
                column.to_string(),
                row.to_string(),
                label(&map.across, column),
                label(&map.up, row),
                cell.value.map_or(String::new(), full),
                mark.into(),
            ];
            let own = map.facts.get(row).and_then(|row| row.get(column));
            cells.extend(facts(own, map.columns.len()));
            cells.extend(Some(map.source.clone()).filter(|source| !source.is_empty()));
            rows.push(cells);
        }
    }
    table(&CELLS, &with_source(&map.columns, &map.source), rows)
}

/// Samples of all maps of an atlas as CSV.
pub(super) fn of_atlas(atlas: &Atlas) -> String {
    let mut rows = Vec::new();
    for (number, map) in atlas.rows.iter().flat_map(|(_, maps)| maps).enumerate() {
        let n = map.values.len().saturating_sub(1).max(1) as f64;
        for (j, values) in map.values.iter().enumerate() {
            for (i, value) in values.iter().enumerate() {
                let (x, y) = (i as f64 / n, j as f64 / n);
                let place = [x, y, *value].map(full);
                let mut row = vec![number.to_string(), map.title.clone()];
                row.extend(place);
                let shaded = map.shaded.get(j).and_then(|row| row.get(i)) == Some(&true);
                row.push(if shaded { "1" } else { "" }.into());
                rows.push(row);
            }
        }
    }
    table(&SAMPLES, &[], rows)
}

fn table(columns: &[&str], more: &[String], rows: Vec<Vec<String>>) -> String {
    let cell = |text: &str| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    };
    let more = more.iter().map(|name| cell(name));
    let names: Vec<String> = columns.iter().map(|name| name.to_string()).chain(more).collect();
    let mut text = names.join(",") + "\n";
    for row in rows {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}
