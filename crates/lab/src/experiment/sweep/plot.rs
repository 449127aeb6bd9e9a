//! The results of a sweep as a picture: a heat map over two keys, or lines over one.

use super::collect::{CollectedCell, CollectedColumn, CollectedTable};
use super::grid;
use super::symbols::{KeyNames, quantity};
use crate::output::plots::figure::heat::{self, HeatAxis, HeatMap, HeatMark};
use crate::output::plots::figure::picture::Picture;
use crate::output::plots::figure::{
    FigureFile, Panel, PlotAxis, Series, Style, uniform, with_factor,
};
use crate::run::Status;
use stiction_core::diagnosis::trust::NOT_TRUSTED;
use stiction_core::math::{larger, smaller};

/// A requested picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The key along x.
    pub x: String,
    /// The key along y, for a heat map.
    pub y: Option<String>,
    /// The key that distinguishes lines.
    pub by: Option<String>,
    /// The figure to draw.
    pub value: String,
    /// Keys held constant, with their values.
    pub held: Vec<(String, String)>,
}

/// Ratio of values above which an axis is logarithmic.
const DECADES: f64 = 99.0;

/// Draws a table over some axes of its sweep; on failure, the reason in a sentence.
pub fn picture(
    table: &CollectedTable,
    axes: &[grid::SweepAxis],
    request: &Request,
) -> Result<Picture, String> {
    let listed = |axes: &mut dyn Iterator<Item = &grid::SweepAxis>| -> Vec<String> {
        axes.map(|axis| axis.key.clone()).collect()
    };
    let keys = listed(&mut axes.iter());
    let sampled = listed(&mut axes.iter().filter(|axis| axis.count().is_none()));
    let scattered = sampled.contains(&request.x);
    let second = request.y.as_ref().or(request.by.as_ref());
    let held = request.held.iter().map(|(key, _)| key);
    for key in [&request.x].into_iter().chain(second).chain(held) {
        if !keys.contains(key) {
            return Err(format!("`{key}` is not varied; varied are {}", keys.join(", ")));
        }
    }
    if second == Some(&request.x) {
        return Err(format!("`{}` cannot be drawn both ways", request.x));
    }
    if let Some(key) = second.filter(|key| sampled.contains(key)) {
        return Err(format!(
            "`{key}` was sampled and has no rows or lines; draw it with --x alone"
        ));
    }
    if scattered && request.y.is_some() {
        return Err(format!("`{}` was sampled and has no columns; leave --y out", request.x));
    }
    let value = column(table, &request.value, &keys)?;
    // all sampled keys vary together: along one of them, the others need not be held
    let fixed: Vec<String> =
        keys.iter().filter(|key| !(scattered && sampled.contains(key))).cloned().collect();
    let rows = rows(table, &fixed, request, second)?;
    let names = KeyNames::of(&keys);
    let note = request.held.iter().map(|(key, value)| format!("{} = {value}", names.name(key)));
    let note = note.collect::<Vec<_>>().join(", ");
    let drawing = SweepDrawing { table, rows, request, value, scattered, names, note };
    let numbers = drawing.rows.iter().all(|row| drawing.cell(&request.x, *row).number().is_some());
    match &request.y {
        Some(y) => Ok(Picture::Map(drawing.map(Some(y)))),
        // texts along x: a heat map, of one row unless there is a second key
        None if !numbers => Ok(Picture::Map(drawing.map(request.by.as_deref()))),
        None => Ok(Picture::Lines(drawing.lines())),
    }
}

/// The column of the requested figure.
fn column<'t>(
    table: &'t CollectedTable,
    name: &str,
    keys: &[String],
) -> Result<&'t CollectedColumn, String> {
    let numeric = |cells: &[CollectedCell]| cells.iter().any(|cell| cell.number().is_some());
    match table.column(name) {
        Some(column) if numeric(&column.cells) => Ok(column),
        _ => {
            let figures = table.columns.iter().filter(|column| {
                numeric(&column.cells) && column.name != "job" && !keys.contains(&column.name)
            });
            let names: Vec<&str> = figures.map(|column| column.name.as_str()).collect();
            Err(format!("the results have no number `{name}`; they have {}", names.join(", ")))
        }
    }
}

/// The rows to draw. Keys neither drawn nor held must not vary among them.
fn rows(
    table: &CollectedTable,
    keys: &[String],
    request: &Request,
    second: Option<&String>,
) -> Result<Vec<usize>, String> {
    let cell =
        |key: &str, row: usize| table.column(key).map_or(&CollectedCell::Empty, |c| &c.cells[row]);
    let equal = |cell: &CollectedCell, value: &str| match (cell, value.parse::<f64>()) {
        (CollectedCell::Number(x), Ok(y)) => *x == y,
        (cell, _) => cell.to_string() == value.trim_matches('"'),
    };
    let mut rows: Vec<usize> = (0..table.rows()).collect();
    for (key, value) in &request.held {
        let among = distinct(rows.iter().map(|row| cell(key, *row)));
        rows.retain(|row| equal(cell(key, *row), value));
        if rows.is_empty() {
            let known: Vec<String> = among.iter().map(CollectedCell::to_string).collect();
            return Err(format!("no job has {key} = {value}; its values are {}", known.join(", ")));
        }
    }
    for key in keys.iter().filter(|key| **key != request.x && Some(*key) != second) {
        let values = distinct(rows.iter().map(|row| cell(key, *row)));
        if values.len() > 1 {
            return Err(format!(
                "`{key}` has {} values among what would be drawn in one place; hold it with --where {key}={}",
                values.len(),
                values[0]
            ));
        }
    }
    Ok(rows)
}

/// Distinct cells: numbers in ascending order, then texts as they come.
fn distinct<'c>(cells: impl Iterator<Item = &'c CollectedCell>) -> Vec<CollectedCell> {
    let mut found: Vec<CollectedCell> = Vec::new();
    for cell in cells {
        if !found.contains(cell) {
            found.push(cell.clone());
        }
    }
    found.sort_by(|a, b| match (a, b) {
        (CollectedCell::Number(a), CollectedCell::Number(b)) => a.total_cmp(b),
        _ => a.number().is_none().cmp(&b.number().is_none()),
    });
    found
}

/// Labels of cells, of one format if all are numbers, and the exponent of a factor that they have in
/// common.
fn labels(cells: &[CollectedCell]) -> (Vec<String>, i32) {
    match cells.iter().map(CollectedCell::number).collect::<Option<Vec<f64>>>() {
        Some(numbers) => uniform(&numbers),
        None => (cells.iter().map(CollectedCell::to_string).collect(), 0),
    }
}

/// An axis, logarithmic if all values are positive and far apart.
fn axis(label: &str, values: impl Iterator<Item = f64>) -> PlotAxis {
    let (least, most) = values
        .filter(|x| x.is_finite())
        .fold((f64::INFINITY, 0.0), |(a, b), x| (smaller(a, x), larger(b, x)));
    match least > 0.0 && most > DECADES * least {
        true => PlotAxis::logarithmic(label),
        false => PlotAxis::linear(label),
    }
}

struct SweepDrawing<'t> {
    table: &'t CollectedTable,
    rows: Vec<usize>,
    request: &'t Request,
    value: &'t CollectedColumn,
    /// x was sampled: points without a line
    scattered: bool,
    names: KeyNames,
    note: String,
}

impl SweepDrawing<'_> {
    fn cell(&self, key: &str, row: usize) -> &CollectedCell {
        self.table.column(key).map_or(&CollectedCell::Empty, |column| &column.cells[row])
    }

    fn mark(&self, row: usize) -> HeatMark {
        match (self.cell("status", row), self.cell("level", row)) {
            (CollectedCell::Text(status), _) if status == Status::FAILED => HeatMark::Failed,
            (_, CollectedCell::Text(level)) if level == NOT_TRUSTED => HeatMark::Doubtful,
            _ => HeatMark::None,
        }
    }

    fn title(&self) -> String {
        let against = self.request.y.as_ref().or(self.request.by.as_ref());
        let against = against.map_or(String::new(), |key| format!(" and {}", self.names.name(key)));
        format!("{} over {}{against}", self.label(), self.names.name(&self.request.x))
    }

    /// Name of the drawn quantity, with its unit.
    fn label(&self) -> String {
        let name = quantity(&self.value.name);
        match self.value.unit.as_str() {
            "" | "1" => name,
            unit => format!("{name} [{unit}]"),
        }
    }

    fn map(&self, up: Option<&str>) -> HeatMap {
        let side = |key: &str| distinct(self.rows.iter().map(|row| self.cell(key, *row)));
        let across = side(&self.request.x);
        let ups = up.map_or(vec![CollectedCell::Empty], side);
        let mut cells = vec![vec![heat::Cell::default(); across.len()]; ups.len()];
        for row in &self.rows {
            let place = |list: &[CollectedCell], cell: &CollectedCell| {
                list.iter().position(|known| known == cell)
            };
            let i = place(&across, self.cell(&self.request.x, *row));
            let j = up.map_or(Some(0), |key| place(&ups, self.cell(key, *row)));
            if let (Some(i), Some(j)) = (i, j) {
                let value = self.value.cells[*row].number();
                cells[j][i] = heat::Cell { value, mark: self.mark(*row) };
            }
        }
        let sound = cells.iter().flatten().filter(|cell| cell.mark != HeatMark::Failed);
        let value = axis(&self.label(), sound.filter_map(|cell| cell.value));
        let side = |label: &str, cells: &[CollectedCell]| {
            let (marks, exponent) = labels(cells);
            let values = cells.iter().map(CollectedCell::to_string).collect();
            HeatAxis { label: with_factor(label, exponent), marks, values }
        };
        HeatMap {
            title: self.title(),
            note: self.note.clone(),
            across: side(&self.names.label(&self.request.x), &across),
            up: side(&up.map_or_else(String::new, |key| self.names.label(key)), &ups),
            value,
            cells,
        }
    }

    /// One line per value of `by`; runs that are not trusted are also marked as points.
    fn lines(&self) -> FigureFile {
        let by = self.request.by.as_deref();
        let lines = match by {
            Some(key) => distinct(self.rows.iter().map(|row| self.cell(key, *row))),
            None => vec![CollectedCell::Empty],
        };
        let point = |row: usize| {
            let x = self.cell(&self.request.x, row).number()?;
            Some((x, self.value.cells[row].number()?))
        };
        let mut doubtful = Vec::new();
        let mut series = Vec::new();
        for line in &lines {
            let on_it =
                self.rows.iter().filter(|row| by.is_none_or(|key| self.cell(key, **row) == line));
            let sound = on_it.filter(|row| self.mark(**row) != HeatMark::Failed);
            let mut points = Vec::new();
            for row in sound {
                points.extend(point(*row));
                if self.mark(*row) == HeatMark::Doubtful {
                    doubtful.extend(point(*row));
                }
            }
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let style = if self.scattered { Style::Points } else { Style::Marked };
            let name = match by {
                Some(key) => format!("{} = {line}", self.names.name(key)),
                None => String::new(),
            };
            let known_as = self.value.name.clone();
            series.push(Series { name, known_as, points, style, ..Series::default() });
        }
        let all = || series.iter().flat_map(|series| series.points.iter());
        let across = axis(&self.names.label(&self.request.x), all().map(|point| point.0));
        let up = axis(&self.label(), all().map(|point| point.1));
        if !doubtful.is_empty() {
            series.push(Series {
                name: "not trusted".into(),
                points: doubtful,
                style: Style::Crosses,
                ..Series::default()
            });
        }
        let names = vec![self.value.name.clone()];
        let panel = Panel { names, title: String::new(), across, up, series };
        let (title, note) = (self.title(), self.note.clone());
        FigureFile { title, note, panels: vec![panel], ..FigureFile::default() }
    }
}
