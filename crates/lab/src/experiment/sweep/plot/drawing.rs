//! The rows of a sweep that a figure draws, with their names, and the heat map over two keys.

use super::super::collect::{CollectedCell, CollectedColumn, CollectedTable};
use super::super::means::{MEANS, PointMeans};
use super::super::symbols::{KeyNames, quantity};
use super::cells::{axis, distinct, labels, texts};
use super::omitted::Omitted;
use super::request::Request;
use crate::output::plots::figure::heat::{self, HeatAxis, HeatMap, HeatMark};
use crate::output::plots::figure::{FigureFile, Panel};
use crate::run::Status;
use stiction_core::diagnosis::trust::NOT_TRUSTED;

/// A figure of a sweep that is drawn.
pub(super) struct SweepDrawing<'t> {
    pub table: &'t CollectedTable,
    pub rows: Vec<usize>,
    pub request: &'t Request,
    /// what is held, with the values that were meant
    pub held: Vec<(String, CollectedCell)>,
    pub value: &'t CollectedColumn,
    /// columns of reference lines
    pub lines: Vec<&'t CollectedColumn>,
    /// x was sampled or is a result: points without a line
    pub scattered: bool,
    /// all varied keys
    pub keys: Vec<String>,
    pub names: KeyNames,
    pub means: &'t PointMeans,
}

impl SweepDrawing<'_> {
    pub fn cell(&self, key: &str, row: usize) -> &CollectedCell {
        self.table.column(key).map_or(&CollectedCell::Empty, |column| &column.cells[row])
    }

    pub fn mark(&self, row: usize) -> HeatMark {
        match (self.cell("status", row), self.cell("level", row)) {
            (CollectedCell::Text(status), _) if status == Status::FAILED => HeatMark::Failed,
            (_, CollectedCell::Text(level)) if level == NOT_TRUSTED => HeatMark::Doubtful,
            _ => HeatMark::None,
        }
    }

    /// Law, method and step of a row.
    pub fn means(&self, row: usize) -> Vec<String> {
        let job = self.cell("job", row).number().map_or(row, |job| job as usize);
        self.means.cells(job)
    }

    /// Counts the points that have no value.
    pub fn omitted(&self) -> Omitted {
        let mut omitted = Omitted { points: self.rows.len(), ..Omitted::default() };
        for row in &self.rows {
            let missing = matches!(self.cell("status", *row),
                CollectedCell::Text(status) if status == "missing");
            if missing {
                omitted.missing += 1;
            } else if self.mark(*row) == HeatMark::Failed {
                omitted.failed += 1;
            } else if self.value.cells[*row].number().is_none() || self.is_nowhere(*row) {
                omitted.without += 1;
            }
        }
        omitted
    }

    /// Refuses lines without a point: their axes would have no numbers of their own.
    pub fn check_points(&self, figure: &FigureFile) -> Result<(), String> {
        let drawn = |panel: &Panel| {
            let mut points = panel.series.iter().flat_map(|series| &series.points);
            points.any(|(x, y)| x.is_finite() && y.is_finite() && panel.has_place((*x, *y)))
        };
        self.check_any(figure.panels.iter().any(drawn))
    }

    /// Refuses a map without a cell that has a colour.
    pub fn check_cells(&self, map: &HeatMap) -> Result<(), String> {
        let coloured = |cell: &heat::Cell| {
            cell.mark != HeatMark::Failed && cell.value.is_some_and(f64::is_finite)
        };
        self.check_any(map.cells.iter().flatten().any(coloured))
    }

    fn check_any(&self, any: bool) -> Result<(), String> {
        let why = match self.omitted().sentence() {
            why if why.is_empty() => "no point has a value".into(),
            why => why,
        };
        let value = &self.value.name;
        if any { Ok(()) } else { Err(format!("there is nothing to draw of `{value}`: {why}")) }
    }

    /// Whether a row has no value of a result along x.
    fn is_nowhere(&self, row: usize) -> bool {
        let x = &self.request.x;
        !self.keys.contains(x) && self.cell(x, row).number().is_none()
    }

    /// Keys that are held, with their values, and those that vary among the points along a result.
    pub fn note(&self) -> String {
        let mut note: Vec<String> =
            self.held.iter().map(|(key, cell)| self.setting(key, cell)).collect();
        if !self.keys.contains(&self.request.x) {
            let drawn = |key: &String| self.request.drawn().any(|known| known == key);
            let varies = |key: &&String| {
                distinct(self.rows.iter().map(|row| self.cell(key, *row))).len() > 1
            };
            let free = self.keys.iter().filter(|key| !drawn(key)).filter(varies);
            let free: Vec<String> = free.map(|key| self.name(key)).collect();
            note.extend((!free.is_empty()).then(|| format!("points of all {}", free.join(", "))));
        }
        note.join(", ")
    }

    /// Symbol or words of a key or a column.
    pub fn name(&self, key: &str) -> String {
        match self.keys.iter().any(|known| known == key) {
            true => self.names.name(key).into(),
            false => quantity(key),
        }
    }

    /// A value of a key or a column as a text, in the notation of all its values.
    pub fn text(&self, key: &str, cell: &CollectedCell) -> String {
        let all = self.table.column(key).map_or(&[][..], |column| &column.cells);
        let all = distinct(all.iter());
        let place = all.iter().position(|known| known == cell);
        place.map_or_else(|| cell.to_string(), |place| texts(&all)[place].clone())
    }

    /// A setting in words: `ε = 0.01`, `law: cubic`.
    pub fn setting(&self, key: &str, cell: &CollectedCell) -> String {
        let text = self.text(key, cell);
        match cell.number() {
            Some(_) => format!("{} = {text}", self.name(key)),
            None => format!("{}: {text}", self.name(key)),
        }
    }

    /// Settings in words: of one key as [`Self::setting`], of several `rk4, h = 1e-4`.
    pub fn settings(&self, keys: &[String], cells: &[CollectedCell]) -> String {
        let one = |(key, cell): (&String, &CollectedCell)| match cell.number() {
            None if keys.len() > 1 => self.text(key, cell),
            _ => self.setting(key, cell),
        };
        keys.iter().zip(cells).map(one).collect::<Vec<_>>().join(", ")
    }

    /// Name of the drawn quantity, with its unit.
    pub fn label(&self) -> String {
        in_unit(quantity(&self.value.name), &self.value.unit)
    }

    /// Name of what is along x, with its unit.
    pub fn label_across(&self) -> String {
        let x = &self.request.x;
        match self.table.column(x) {
            Some(column) if !self.keys.contains(x) => in_unit(quantity(x), &column.unit),
            _ => self.names.label(x),
        }
    }

    /// The heat map over x and a second key.
    pub fn map(&self, up: Option<&str>) -> HeatMap {
        let side = |key: &str| distinct(self.rows.iter().map(|row| self.cell(key, *row)));
        let across = side(&self.request.x);
        let ups = up.map_or(vec![CollectedCell::Empty], side);
        let mut cells = vec![vec![heat::Cell::default(); across.len()]; ups.len()];
        let mut facts = vec![vec![Vec::new(); across.len()]; ups.len()];
        for row in &self.rows {
            let place = |list: &[CollectedCell], cell: &CollectedCell| {
                list.iter().position(|known| known == cell)
            };
            let i = place(&across, self.cell(&self.request.x, *row));
            let j = up.map_or(Some(0), |key| place(&ups, self.cell(key, *row)));
            if let (Some(i), Some(j)) = (i, j) {
                let value = self.value.cells[*row].number();
                cells[j][i] = heat::Cell { value, mark: self.mark(*row) };
                facts[j][i] = self.means(*row);
            }
        }
        let sound = cells.iter().flatten().filter(|cell| cell.mark != HeatMark::Failed);
        let forced = self.request.logarithmic.map(|[_, _, z]| z);
        let value = axis(&self.label(), sound.filter_map(|cell| cell.value), forced, true);
        let side = |label: &str, cells: &[CollectedCell]| {
            let (marks, exponent) = labels(cells);
            let values = cells.iter().map(CollectedCell::to_string).collect();
            HeatAxis { label: label.into(), exponent, marks, values }
        };
        let second = up.map_or(String::new(), |key| format!(" and {}", self.name(key)));
        let x = self.name(&self.request.x);
        HeatMap {
            title: format!("{} over {x}{second}", quantity(&self.value.name)),
            note: self.note(),
            across: side(&self.names.label(&self.request.x), &across),
            up: side(&up.map_or_else(String::new, |key| self.names.label(key)), &ups),
            value,
            cells,
            foot: self.omitted().sentence(),
            columns: MEANS.map(String::from).to_vec(),
            facts,
            ..HeatMap::default()
        }
    }
}

/// A name with a unit: `creep [m/s]`.
fn in_unit(name: String, unit: &str) -> String {
    if matches!(unit, "" | "1") { name } else { format!("{name} [{unit}]") }
}
