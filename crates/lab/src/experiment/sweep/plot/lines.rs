//! Lines over one key: a line for each value of another, a panel for each of a third, error bars,
//! and reference lines.

use super::super::collect::{CollectedCell, CollectedColumn};
use super::super::means::MEANS;
use super::super::symbols::quantity;
use super::cells::{axis, distinct};
use super::drawing::SweepDrawing;
use crate::output::plots::figure::heat::HeatMark;
use crate::output::plots::figure::{FigureFile, Panel, PlotAxis, Series, Style};
use stiction_core::math::{larger, smaller};

/// Ending of the column with the error bars of another.
const ERROR: &str = "_error";

/// The colour of what belongs to all lines: grey, which no line has.
const GREY: usize = 6;

/// Share by which values of a reference line may differ between lines that are drawn as one.
const SAME: f64 = 1e-2;

/// Colour of a line.
fn colour(number: usize) -> Option<usize> {
    Some(if number < GREY { number } else { number + 1 })
}

impl SweepDrawing<'_> {
    /// One line per value of `by` in one panel per value of `panels_by`; runs that are not trusted
    /// are also marked as points.
    pub fn figure(&self) -> FigureFile {
        let request = self.request;
        let values = |key: Option<&String>| match key {
            Some(key) => distinct(self.rows.iter().map(|row| self.cell(key, *row))),
            None => vec![CollectedCell::Empty],
        };
        let (by, over) = (request.by.as_ref(), request.panels_by.as_ref());
        let (lines, panels) = (values(by), values(over));
        let [x, y] = self.axes();
        let shown =
            |row: &usize| self.point(*row, self.value).is_some_and(|at| has_place(at, &x, &y));
        let mut omitted = self.omitted();
        omitted.below = self
            .rows
            .iter()
            .filter(|row| self.point(**row, self.value).is_some() && !shown(row))
            .count();
        let mut figure = FigureFile {
            title: self.title(),
            note: self.note(),
            foot: omitted.sentence(),
            columns: MEANS.map(String::from).to_vec(),
            ..FigureFile::default()
        };
        for value in &panels {
            let is_on = |key: Option<&String>, of: &CollectedCell, row: usize| {
                key.is_none_or(|key| self.cell(key, row) == of)
            };
            let groups: Vec<Vec<usize>> = lines
                .iter()
                .map(|line| {
                    let own = self.rows.iter().copied();
                    own.filter(|row| is_on(over, value, *row) && is_on(by, line, *row)).collect()
                })
                .collect();
            let series = self.series(&lines, &groups);
            let (names, title) = match over {
                Some(key) => (vec![value.to_string()], self.setting(key, value)),
                None => (vec![self.value.name.clone()], String::new()),
            };
            let (across, up) = (x.clone(), y.clone());
            figure.panels.push(Panel { names, title, across, up, series });
        }
        if figure.panels.len() > 1 {
            common(&mut figure);
        }
        figure
    }

    fn title(&self) -> String {
        let (names, request) = (&self.names, self.request);
        let by = request.by.as_ref().map(|key| format!(", by {}", names.name(key)));
        let over = request.panels_by.as_ref().map(|key| format!(", panels by {}", names.name(key)));
        let (value, x) = (quantity(&self.value.name), names.name(&request.x));
        format!("{value} over {x}{}{}", by.unwrap_or_default(), over.unwrap_or_default())
    }

    /// Both axes, by all points.
    fn axes(&self) -> [PlotAxis; 2] {
        let points: Vec<(f64, f64)> =
            self.rows.iter().filter_map(|row| self.point(*row, self.value)).collect();
        let forced = |side: usize| self.request.logarithmic.map(|axes| axes[side]);
        let x = self.names.label(&self.request.x);
        [
            axis(&x, points.iter().map(|point| point.0), forced(0), false),
            axis(&self.label(), points.iter().map(|point| point.1), forced(1), false),
        ]
    }

    /// x and the value of a column of a row that did not fail.
    fn point(&self, row: usize, column: &CollectedColumn) -> Option<(f64, f64)> {
        let sound = self.mark(row) != HeatMark::Failed;
        let x = self.cell(&self.request.x, row).number().filter(|_| sound)?;
        Some((x, column.cells[row].number()?))
    }

    /// Rows with a point in a column, from left to right.
    fn sorted(&self, rows: &[usize], column: &CollectedColumn) -> Vec<(usize, (f64, f64))> {
        let own = rows.iter().filter_map(|row| Some((*row, self.point(*row, column)?)));
        let mut points: Vec<_> = own.collect();
        points.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
        points
    }

    /// All series of a panel: reference lines, error bars, lines, marks.
    fn series(&self, lines: &[CollectedCell], groups: &[Vec<usize>]) -> Vec<Series> {
        let style = if self.scattered { Style::Points } else { Style::Marked };
        let mut series: Vec<Series> =
            self.lines.iter().flat_map(|column| self.references(column, groups)).collect();
        if let Some(errors) = self.errors() {
            for (number, rows) in groups.iter().enumerate() {
                series.push(self.bars(rows, errors, number));
            }
        }
        let mut doubtful =
            Series { name: "not trusted".into(), style: Style::Crosses, ..Series::default() };
        for (number, (line, rows)) in lines.iter().zip(groups).enumerate() {
            let name = match &self.request.by {
                Some(key) => self.setting(key, line),
                None => String::new(),
            };
            let points = self.sorted(rows, self.value);
            for (row, at) in points.iter().filter(|(row, _)| self.mark(*row) == HeatMark::Doubtful)
            {
                doubtful.points.push(*at);
                doubtful.facts.push(self.means(*row));
            }
            series.push(Series {
                name,
                known_as: self.value.name.clone(),
                style,
                colour: colour(number),
                symbol: Some(number),
                facts: points.iter().map(|(row, _)| self.means(*row)).collect(),
                points: points.into_iter().map(|(_, at)| at).collect(),
                ..Series::default()
            });
        }
        series.extend((!doubtful.points.is_empty()).then_some(doubtful));
        series.retain(|series| !series.points.is_empty());
        series
    }

    /// The column with the error bars, of the unit of the values.
    fn errors(&self) -> Option<&CollectedColumn> {
        let column = self.table.column(&format!("{}{ERROR}", self.value.name))?;
        let fits = column.unit == self.value.unit;
        (fits && !self.request.without_errors).then_some(column)
    }

    /// Error bars of a line.
    fn bars(&self, rows: &[usize], errors: &CollectedColumn, number: usize) -> Series {
        let mut series = Series {
            known_as: errors.name.clone(),
            style: Style::Bars,
            colour: colour(number),
            ..Series::default()
        };
        for (row, (x, y)) in self.sorted(rows, self.value) {
            if let Some(error) = errors.cells[row].number().filter(|error| error.is_finite()) {
                series.points.extend([(x, y - error), (x, y), (x, y + error)]);
                series.facts.extend(vec![self.means(row); 3]);
            }
        }
        series
    }

    /// A reference beside each line: one in grey if it is the same for all.
    fn references(&self, column: &CollectedColumn, groups: &[Vec<usize>]) -> Vec<Series> {
        let of = |(number, rows): (usize, &Vec<usize>)| {
            let points = self.sorted(rows, column);
            Series {
                known_as: column.name.clone(),
                style: Style::Thin,
                colour: colour(number),
                symbol: Some(number),
                facts: points.iter().map(|(row, _)| self.means(*row)).collect(),
                points: points.into_iter().map(|(_, at)| at).collect(),
                ..Series::default()
            }
        };
        let mut all: Vec<Series> = groups.iter().enumerate().map(of).collect();
        all.retain(|series| !series.points.is_empty());
        let near = |a: f64, b: f64| (a - b).abs() <= SAME * larger(a.abs(), b.abs());
        let longest = all.iter().max_by_key(|series| series.points.len()).cloned();
        let Some(mut first) = longest else { return all };
        let same = |series: &Series| {
            let on = |at: &(f64, f64)| {
                first
                    .points
                    .iter()
                    .find(|known| near(known.0, at.0))
                    .is_some_and(|known| near(known.1, at.1))
            };
            series.points.iter().all(on)
        };
        if all.iter().all(same) {
            (first.colour, first.symbol) = (Some(GREY), None);
            first.name = quantity(&column.name);
            return vec![first];
        }
        for series in &mut all {
            series.paler = 1;
        }
        let (name, style) = (format!("{}, thin", quantity(&column.name)), Style::Thin);
        all.push(Series {
            name,
            style,
            colour: Some(GREY),
            points: vec![(f64::NAN, f64::NAN)],
            ..Series::default()
        });
        all
    }
}

/// Whether a point has a place on both axes.
fn has_place((x, y): (f64, f64), across: &PlotAxis, up: &PlotAxis) -> bool {
    (!across.logarithmic || x > 0.0) && (!up.logarithmic || y > 0.0)
}

/// Gives all panels the same scales, and one legend.
fn common(figure: &mut FigureFile) {
    let range = |side: usize| {
        let axis = figure.panels[0].axes()[side];
        let series = figure.panels.iter().flat_map(|panel| &panel.series);
        let all = series.flat_map(|series| &series.points);
        let values = all.map(|(x, y)| if side == 0 { *x } else { *y });
        let values =
            values.filter(|value| value.is_finite() && (!axis.logarithmic || *value > 0.0));
        values.fold(None, |range: Option<[f64; 2]>, value| match range {
            Some([low, high]) => Some([smaller(low, value), larger(high, value)]),
            None => Some([value, value]),
        })
    };
    let ranges = [range(0), range(1)];
    for panel in &mut figure.panels {
        (panel.across.also, panel.up.also) = (ranges[0], ranges[1]);
        for series in panel.series.iter_mut().filter(|series| !series.name.is_empty()) {
            let known = figure.legend.iter().any(|entry| entry.name == series.name);
            if !known {
                let (points, facts) = (Vec::new(), Vec::new());
                figure.legend.push(Series { points, facts, ..series.clone() });
            }
            series.known_as = std::mem::take(&mut series.name);
        }
    }
}
