//! The rows of a sweep that a figure draws, with their names, and the heat map over two keys.

use super::super::collect::{CollectedCell, CollectedColumn, CollectedTable};
use super::super::means::{MEANS, PointMeans};
use super::super::symbols::{KeyNames, quantity};
use super::cells::{axis, distinct, labels};
use super::omitted::Omitted;
use super::request::Request;
use crate::output::plots::figure::heat::{self, HeatAxis, HeatMap, HeatMark};
use crate::output::plots::figure::with_factor;
use crate::run::Status;
use stiction_core::diagnosis::trust::NOT_TRUSTED;

/// A figure of a sweep that is drawn.
pub(super) struct SweepDrawing<'t> {
    pub table: &'t CollectedTable,
    pub rows: Vec<usize>,
    pub request: &'t Request,
    pub value: &'t CollectedColumn,
    /// columns of reference lines
    pub lines: Vec<&'t CollectedColumn>,
    /// x was sampled: points without a line
    pub scattered: bool,
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

    /// Counts the points that have no value; those below a logarithmic axis are not yet counted.
    pub fn omitted(&self) -> Omitted {
        let mut omitted = Omitted { points: self.rows.len(), ..Omitted::default() };
        for row in &self.rows {
            let missing = matches!(self.cell("status", *row),
                CollectedCell::Text(status) if status == "missing");
            if missing {
                omitted.missing += 1;
            } else if self.mark(*row) == HeatMark::Failed {
                omitted.failed += 1;
            } else if self.value.cells[*row].number().is_none() {
                omitted.without += 1;
            }
        }
        omitted
    }

    /// The key held constant, with their values.
    pub fn note(&self) -> String {
        let held = self.request.held.iter();
        let note = held.map(|(key, value)| match value.parse::<f64>() {
            Ok(_) => format!("{} = {value}", self.names.name(key)),
            Err(_) => format!("{}: {}", self.names.name(key), value.trim_matches('"')),
        });
        note.collect::<Vec<_>>().join(", ")
    }

    /// A setting in words: `ε = 0.01`, `law: cubic`.
    pub fn setting(&self, key: &str, cell: &CollectedCell) -> String {
        match cell.number() {
            Some(_) => format!("{} = {cell}", self.names.name(key)),
            None => format!("{}: {cell}", self.names.name(key)),
        }
    }

    /// Name of the drawn quantity, with its unit.
    pub fn label(&self) -> String {
        let name = quantity(&self.value.name);
        match self.value.unit.as_str() {
            "" | "1" => name,
            unit => format!("{name} [{unit}]"),
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
            HeatAxis { label: with_factor(label, exponent), marks, values }
        };
        let second = up.map_or(String::new(), |key| format!(" and {}", self.names.name(key)));
        let x = self.names.name(&self.request.x);
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
        }
    }
}
