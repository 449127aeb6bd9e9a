//! Lines over one key: a line for each value of another, a panel for each of a third, error bars,
//! and reference lines.

use super::super::collect::{CollectedCell, CollectedColumn};
use super::super::means::MEANS;
use super::super::symbols::quantity;
use super::cells::{axis, distinct};
use super::drawing::SweepDrawing;
use super::omitted::Omitted;
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
    /// One line per combination of values of `by` in one panel per combination of `panels_by`; runs
    /// that are not trusted are also marked as points.
    pub fn figure(&self) -> FigureFile {
        let request = self.request;
        let [x, y] = self.axes();
        let mut figure = FigureFile {
            title: self.title(),
            note: self.note(),
            foot: self.not_shown().sentence(),
            columns: MEANS.map(String::from).to_vec(),
            ..FigureFile::default()
        };
        let lines = self.combinations(&request.by);
        for on_panel in self.combinations(&request.panels_by) {
            let groups: Vec<Vec<usize>> = lines
                .iter()
                .map(|line| {
                    let own = self.rows.iter().copied();
                    let is_on = |row: &usize| {
                        self.has(&request.panels_by, &on_panel, *row)
                            && self.has(&request.by, line, *row)
                    };
                    own.filter(is_on).collect()
                })
                .collect();
            let series = self.series(&lines, &groups);
            let name = match request.panels_by.is_empty() {
                true => self.value.name.clone(),
                false => {
                    let cells = request.panels_by.iter().zip(&on_panel);
                    cells.map(|(key, cell)| self.text(key, cell)).collect::<Vec<_>>().join(" ")
                }
            };
            let title = self.settings(&request.panels_by, &on_panel);
            let (across, up) = (x.clone(), y.clone());
            figure.panels.push(Panel { names: vec![name], title, across, up, series });
        }
        if figure.panels.len() > 1 {
            common(&mut figure);
        }
        figure
    }

    /// Combinations of values of keys that rows have, the last key fastest; without keys one, empty.
    fn combinations(&self, keys: &[String]) -> Vec<Vec<CollectedCell>> {
        let mut all = vec![Vec::new()];
        for key in keys {
            let values = distinct(self.rows.iter().map(|row| self.cell(key, *row)));
            let with = |before: &Vec<CollectedCell>| {
                let one =
                    |value: &CollectedCell| [&before[..], std::slice::from_ref(value)].concat();
                values.iter().map(one).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        all.retain(|cells| self.rows.iter().any(|row| self.has(keys, cells, *row)));
        all
    }

    /// Whether a row has these values.
    fn has(&self, keys: &[String], cells: &[CollectedCell], row: usize) -> bool {
        keys.iter().zip(cells).all(|(key, cell)| self.cell(key, row) == cell)
    }

    /// Counts the points without a value, and those left out of reference lines.
    fn not_shown(&self) -> Omitted {
        let apart = |row: &&usize| {
            let in_line = |column: &&CollectedColumn| self.point(**row, column).is_some();
            self.mark(**row) == HeatMark::Doubtful && self.lines.iter().any(in_line)
        };
        Omitted { apart: self.rows.iter().filter(apart).count(), ..self.omitted() }
    }

    fn title(&self) -> String {
        let named = |words: &str, keys: &[String]| {
            let names: Vec<String> = keys.iter().map(|key| self.name(key)).collect();
            if names.is_empty() { String::new() } else { format!("{words}{}", names.join(" and ")) }
        };
        let (value, x) = (quantity(&self.value.name), self.name(&self.request.x));
        let by = named(", by ", &self.request.by);
        format!("{value} over {x}{by}{}", named(", panels by ", &self.request.panels_by))
    }

    /// Both axes, by all points.
    fn axes(&self) -> [PlotAxis; 2] {
        let points: Vec<(f64, f64)> =
            self.rows.iter().filter_map(|row| self.point(*row, self.value)).collect();
        let forced = |side: usize| self.request.logarithmic.map(|axes| axes[side]);
        let x = self.label_across();
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

    /// All series of a panel: reference lines, lines with error bars, marks.
    fn series(&self, lines: &[Vec<CollectedCell>], groups: &[Vec<usize>]) -> Vec<Series> {
        let style = if self.scattered { Style::Points } else { Style::Marked };
        let mut series: Vec<Series> =
            self.lines.iter().flat_map(|column| self.references(column, groups)).collect();
        let errors = self.errors();
        let mut doubtful =
            Series { name: "not trusted".into(), style: Style::Crosses, ..Series::default() };
        for (number, (line, rows)) in lines.iter().zip(groups).enumerate() {
            let points = self.sorted(rows, self.value);
            for (row, at) in points.iter().filter(|(row, _)| self.mark(*row) == HeatMark::Doubtful)
            {
                doubtful.points.push(*at);
                doubtful.facts.push(self.means(*row));
            }
            let error = |(row, _): &(usize, (f64, f64))| {
                errors.and_then(|column| column.cells[*row].number()).unwrap_or(f64::NAN)
            };
            let bars = errors.map(|_| points.iter().map(error).collect());
            series.push(Series {
                name: self.settings(&self.request.by, line),
                known_as: self.value.name.clone(),
                style,
                colour: colour(number),
                symbol: Some(number),
                errors: bars.unwrap_or_default(),
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

    /// A reference beside each line, of the runs that are not distrusted: one in grey if it is the same
    /// for all.
    fn references(&self, column: &CollectedColumn, groups: &[Vec<usize>]) -> Vec<Series> {
        let of = |(number, rows): (usize, &Vec<usize>)| {
            let mut points = self.sorted(rows, column);
            points.retain(|(row, _)| self.mark(*row) != HeatMark::Doubtful);
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
        if all.is_empty() {
            return all;
        }
        if let Some(one) = same_for_all(&all) {
            return vec![Series { name: quantity(&column.name), ..one }];
        }
        for series in &mut all {
            series.paler = 1;
        }
        let (name, style) = (quantity(&column.name), Style::Thin);
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

/// One line in grey through the points of all lines, if they have places in common and the same value
/// at each.
fn same_for_all(lines: &[Series]) -> Option<Series> {
    let near = |a: f64, b: f64| (a - b).abs() <= SAME * larger(a.abs(), b.abs());
    let with_facts = |line: &Series| line.points.clone().into_iter().zip(line.facts.clone());
    let mut points: Vec<_> = lines.iter().flat_map(with_facts).collect();
    points.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0));
    let agree = |pair: &[((f64, f64), Vec<String>)]| {
        pair[0].0.0 != pair[1].0.0 || near(pair[0].0.1, pair[1].0.1)
    };
    let shares = |line: &Series| {
        let others = lines.iter().filter(|other| !std::ptr::eq(*other, line));
        let mut places = others.flat_map(|other| &other.points).map(|point| point.0);
        places.any(|x| line.points.iter().any(|point| point.0 == x))
    };
    if lines.len() > 1 && !lines.iter().all(shares) {
        return None;
    }
    let one = points.windows(2).all(agree).then(|| lines.first().cloned()).flatten()?;
    points.dedup_by(|(a, _), (b, _)| a.0 == b.0);
    let (points, facts) = points.into_iter().unzip();
    Some(Series { points, facts, colour: Some(GREY), symbol: None, ..one })
}

/// Gives all panels the same scales, and one legend.
fn common(figure: &mut FigureFile) {
    let range = |side: usize| {
        let axis = figure.panels[0].axes()[side];
        let series = figure.panels.iter().flat_map(|panel| &panel.series);
        let all = series.flat_map(Series::reach);
        let values = all.map(|(x, y)| if side == 0 { x } else { y });
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
                let (points, facts, errors) = (Vec::new(), Vec::new(), Vec::new());
                figure.legend.push(Series { points, facts, errors, ..series.clone() });
            }
            series.known_as = std::mem::take(&mut series.name);
        }
    }
}
