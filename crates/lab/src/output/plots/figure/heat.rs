//! Heat maps: a table of cells, each coloured by its value.

mod bar;

use super::axes::{Frame, MARK, THIN};
use super::drawing::{Foot, Head};
use super::letters::{LINE, lines, width};
use super::sheet::{FAINT, INK, Lettering, Mark, PAPER, Place, Sheet, Side};
use super::style::FigureStyle;
use super::ticks::{Scale, scientific, with_factor};
use super::{PlotAxis, PlotError, keep};
use bar::{ColourBar, colour, share};
use plotters::prelude::RGBColor;
use std::path::Path;
use stiction_core::math::{larger, smaller};

/// A table of cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatMap {
    /// One line above everything.
    pub title: String,
    /// One more line, smaller; may be empty.
    pub note: String,
    /// Quantity along x.
    pub across: HeatAxis,
    /// Quantity along y.
    pub up: HeatAxis,
    /// Quantity shown by the colours, and whether the scale is logarithmic.
    pub value: PlotAxis,
    /// The cells, `cells[up][across]`.
    pub cells: Vec<Vec<Cell>>,
    /// A few words below everything; may be empty.
    pub foot: String,
    /// Names of further columns of the data.
    pub columns: Vec<String>,
    /// Texts of the cells in those, `facts[up][across]`; empty if there are none.
    pub facts: Vec<Vec<Vec<String>>>,
    /// Origin of the numbers, for data and script; may be empty.
    pub source: String,
}

/// One side of the table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatAxis {
    /// Its name; may be empty.
    pub label: String,
    /// Exponent of a factor that the marks have in common, which stands with the name.
    pub exponent: i32,
    /// Label of each row or column.
    pub marks: Vec<String>,
    /// Each row's or column's value in full, for the data; empty for the labels.
    pub values: Vec<String>,
}

impl HeatAxis {
    /// Its name with the factor that the marks have in common.
    fn name(&self) -> String {
        with_factor(&self.label, self.exponent)
    }
}

/// One cell.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cell {
    /// Its value; a cell without one stays white.
    pub value: Option<f64>,
    /// Its remark.
    pub mark: HeatMark,
}

/// Remark on a cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HeatMark {
    /// Nothing.
    #[default]
    None,
    /// The value is not trusted: hatched.
    Doubtful,
    /// The run failed, no value: grey and crossed.
    Failed,
}

/// Margin in sizes of letters.
const MARGIN: f64 = 0.6;

/// Least width of all cells, and that below which the bar of colours is below them, in sizes of letters.
const NARROW: [f64; 2] = [6.0, 8.0];

/// Height of all cells over their width, bounds of a row and least height of all rows in sizes of
/// letters.
const SHAPE: f64 = 0.6;
const ROW: [f64; 2] = [0.5, 3.2];

/// Largest number of rows of which each is as high as its name.
const NAMED_ROWS: usize = 40;

const LEAST: f64 = 10.0;

/// Least distance of rotated marks, in sizes of letters.
const APART: f64 = 1.25;

const FAILED: RGBColor = RGBColor(222, 225, 229);

/// Places and sizes of all parts \[pt\].
struct HeatLayout {
    cells: Frame,
    /// width and height of a cell
    cell: (f64, f64),
    /// whether marks along x are rotated, because they are wider than a cell
    upright: bool,
    /// heights of the marks along x, and of their axis' name
    marks: f64,
    name: Vec<String>,
    colours: Scale,
    /// place of a bar of colours below the cells; beside them if absent
    bar: Option<Frame>,
    size: (f64, f64),
    foot: Foot,
    em: f64,
}

/// Width of the widest text \[pt\].
fn widest<'t>(texts: impl Iterator<Item = &'t String>, em: f64) -> f64 {
    texts.map(|text| width(text, em, false)).fold(0.0, larger)
}

impl HeatLayout {
    fn of(map: &HeatMap, head: &Head, style: &FigureStyle) -> Result<HeatLayout, PlotError> {
        let (em, wide) = (style.letters(), style.size.width);
        let (columns, rows) = (map.across.marks.len().max(1), map.up.marks.len().max(1));
        let sound = map.cells.iter().flatten().filter(|cell| cell.mark != HeatMark::Failed);
        let values: Vec<f64> = sound.filter_map(|cell| cell.value).collect();
        let colours = Scale::new(&map.value, values.into_iter(), 6, 0.0);
        let named = if map.up.name().is_empty() { 0.0 } else { LINE };
        let left = MARGIN * em + named * em + widest(map.up.marks.iter(), em) + 0.9 * em;
        let longest = widest(colours.labelled().iter().map(|(_, text)| text), em);
        let right = wide - bar::beside(longest, em) - MARGIN * em;
        let beside = right - left >= NARROW[1] * em;
        let right = if beside { right } else { wide - MARGIN * em };
        if right - left < NARROW[0] * em {
            return Err(PlotError::Style(format!(
                "the names of rows leave no room in a width of {:.1} in: give a larger --size",
                wide / 72.0
            )));
        }
        let across = (right - left) / columns as f64;
        let upright = widest(map.across.marks.iter(), em) + 0.6 * em > across;
        let marks = if upright { widest(map.across.marks.iter(), em) } else { em };
        let name = lines(&map.across.name(), right - left, em, false, 3);
        let legend = if remarks(map).is_empty() { 0.0 } else { 1.6 * LINE };
        let top = head.height() + 0.6 * em;
        let named = LINE * name.len() as f64;
        let under = if beside { 0.0 } else { bar::BELOW };
        let foot = Foot::new(&map.foot, wide, em);
        let below =
            (MARK + 0.2) * em + marks + em * (named + under + legend + MARGIN) + foot.height();
        let up = match style.size.height {
            None => {
                let row = SHAPE * (right - left) / rows as f64;
                let least = if rows <= NAMED_ROWS { LINE } else { ROW[0] };
                larger(row.clamp(least * em, ROW[1] * em), LEAST * em / rows as f64)
            }
            Some(high) => (high - top - below) / rows as f64,
        };
        let needed = top + below + larger(ROW[0] * rows as f64, 5.0) * em;
        let high = style.size.height.unwrap_or(top + below + up * rows as f64);
        if needed > high + 1e-9 {
            return Err(PlotError::Room { size: style.size, needed, panels: 1, columns: 1 });
        }
        let cells = Frame { left, top, right, bottom: top + up * rows as f64 };
        let bar = (!beside).then(|| {
            let top = cells.bottom + (MARK + 0.2 + named) * em + marks;
            Frame { left: 2.0 * em, top, right: wide - 2.0 * em, bottom: top + bar::BELOW * em }
        });
        let length = bar.map_or(cells.height(), |bar| bar.width());
        let colours = bar::fitted(colours, (length, beside), em);
        let (cell, size) = ((across, up), (wide, high));
        Ok(HeatLayout { cells, cell, upright, marks, name, colours, bar, size, foot, em })
    }

    /// Corners of a cell; rows are counted from below.
    fn corners(&self, column: usize, row: usize) -> [Place; 2] {
        let x = self.cells.left + column as f64 * self.cell.0;
        let y = self.cells.bottom - row as f64 * self.cell.1;
        [(x, y - self.cell.1), (x + self.cell.0, y)]
    }

    /// A text of this map.
    fn text(&self, text: &str, at: Place, side: Side, class: &'static str) -> Lettering {
        let size = self.em;
        Lettering { text: text.into(), at, size, side, class, ..Lettering::default() }
    }
}

/// Writes a heat map as SVG, PNG or PDF, according to the file's name, as wide as a page.
pub fn write(map: &HeatMap, path: &Path) -> Result<(), PlotError> {
    write_in(map, &FigureStyle::default(), path)
}

/// Writes a heat map in a style as SVG, PNG or PDF, according to the file's name.
pub fn write_in(map: &HeatMap, style: &FigureStyle, path: &Path) -> Result<(), PlotError> {
    keep(path, style, &sheet(&styled(map, style)?, style)?)
}

/// A heat map with the words of a style.
///
/// # Errors
/// Options that a heat map cannot follow.
pub(super) fn styled(map: &HeatMap, style: &FigureStyle) -> Result<HeatMap, PlotError> {
    let mut map = map.clone();
    match style.logarithmic {
        Some([false, false, log]) => map.value.logarithmic = log,
        Some(_) => {
            let why = "--log x and y are of lines; the colours of a map follow --log z or none";
            return Err(PlotError::Style(why.into()));
        }
        None => {}
    }
    let positive = |cell: &Cell| cell.mark != HeatMark::Failed && cell.value > Some(0.0);
    if map.value.logarithmic && !map.cells.iter().flatten().any(positive) {
        return Err(PlotError::Style("--log z: no value is above 0; leave it out".into()));
    }
    style.only_words("a map in colours", true)?;
    style.words(&mut map.title, &mut map.note, &mut map.foot);
    for (own, label) in [&mut map.across.label, &mut map.up.label].into_iter().zip(&style.labels) {
        if let Some(label) = label {
            own.clone_from(label);
        }
    }
    Ok(map)
}

/// The map on a sheet.
///
/// # Errors
/// The size does not suffice.
pub(super) fn sheet(map: &HeatMap, style: &FigureStyle) -> Result<Sheet, PlotError> {
    let head = Head::new(&map.title, &map.note, style.size.width, style.letters());
    let layout = HeatLayout::of(map, &head, style)?;
    let mut sheet = Sheet::new(layout.size.0, layout.size.1);
    head.draw(&mut sheet);
    sheet.marks.push(Mark::Panel);
    let texts = cell_texts(map, &layout);
    for (row, cells) in map.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let text = texts.as_ref().map(|texts| texts[row][column].as_str());
            draw_cell(cell, text, layout.corners(column, row), (&layout, &mut sheet));
        }
    }
    let Frame { left, top, right, bottom } = layout.cells;
    sheet.border([(left, top), (right, bottom)], FAINT, THIN * layout.em);
    draw_sides(map, &layout, &mut sheet);
    draw_bar(map, &layout, &mut sheet);
    draw_legend(map, &layout, &mut sheet);
    layout.foot.draw(&mut sheet);
    Ok(sheet)
}

/// Values of all cells in one format, if every one fits into its cell.
fn cell_texts(map: &HeatMap, layout: &HeatLayout) -> Option<Vec<Vec<String>>> {
    let texts = |row: &Vec<Cell>| -> Vec<String> {
        let text = |cell: &Cell| cell.value.map(|value| layout.colours.values(&[value]).remove(0));
        row.iter().map(|cell| text(cell).unwrap_or_default()).collect()
    };
    let texts: Vec<Vec<String>> = map.cells.iter().map(texts).collect();
    let wide = widest(texts.iter().flatten(), layout.em) + 0.5 * layout.em;
    (wide <= layout.cell.0 && 1.4 * layout.em <= layout.cell.1).then_some(texts)
}

fn draw_cell(
    cell: &Cell,
    text: Option<&str>,
    corners: [Place; 2],
    (layout, sheet): (&HeatLayout, &mut Sheet),
) {
    let ([(x0, y0), (x1, y1)], em) = (corners, layout.em);
    let value = cell.value.filter(|_| cell.mark != HeatMark::Failed);
    let share = value.map(|value| share(value, &layout.colours));
    if let Some(share) = share {
        sheet.rectangle(corners, colour(share));
    }
    let ink = if share.is_some_and(|share| share < 0.6) { PAPER } else { INK };
    match cell.mark {
        HeatMark::None => {}
        HeatMark::Doubtful => hatch(corners, ink, (sheet, em)),
        HeatMark::Failed => cross_out(corners, (sheet, em)),
    }
    let middle = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
    if let (Some(text), Some(share)) = (text, share) {
        if cell.mark == HeatMark::Doubtful {
            let (x, y) = (width(text, em, false) / 2.0 + 0.2 * em, 0.65 * em);
            let room = [(middle.0 - x, middle.1 - y), (middle.0 + x, middle.1 + y)];
            sheet.rectangle(room, colour(share));
        }
        let text = layout.text(text, middle, Side::Middle, "");
        sheet.text(Lettering { colour: ink, ..text });
    }
}

fn cross_out(corners: [Place; 2], (sheet, em): (&mut Sheet, f64)) {
    let [(x0, y0), (x1, y1)] = corners;
    sheet.rectangle(corners, FAILED);
    sheet.stroke([(x0, y0), (x1, y1)], FAINT, THIN * em);
    sheet.stroke([(x0, y1), (x1, y0)], FAINT, THIN * em);
}

/// Hatching that rises to the right through a rectangle.
fn hatch([(x0, y0), (x1, y1)]: [Place; 2], ink: RGBColor, (sheet, em): (&mut Sheet, f64)) {
    let (wide, high) = (x1 - x0, y1 - y0);
    let step = 0.7 * em;
    let count = ((wide + high) / step) as usize;
    for k in 0..=count {
        let along = (k as f64 + 0.5) * step;
        if along >= wide + high {
            continue;
        }
        let from = (x0 + larger(along - high, 0.0), y1 - smaller(high, along));
        let start = (x0 + smaller(along, wide), y1 - larger(along - wide, 0.0));
        sheet.stroke([from, start], ink, THIN * em);
    }
}

fn draw_sides(map: &HeatMap, layout: &HeatLayout, sheet: &mut Sheet) {
    let (em, Frame { left, top, right, bottom }) = (layout.em, layout.cells);
    // marks that would overlap are omitted
    let stride = |cell: f64| (APART * em / cell).ceil().max(1.0) as usize;
    for (row, mark) in map.up.marks.iter().enumerate().step_by(stride(layout.cell.1)) {
        let [(_, y0), (_, y1)] = layout.corners(0, row);
        let at = (left - 0.5 * em, (y0 + y1) / 2.0);
        sheet.text(layout.text(mark, at, Side::End, "y"));
    }
    let each = if layout.upright { stride(layout.cell.0) } else { 1 };
    for (column, mark) in map.across.marks.iter().enumerate().step_by(each) {
        let [(x0, _), (x1, _)] = layout.corners(column, 0);
        let (middle, below) = ((x0 + x1) / 2.0, bottom + MARK * em);
        sheet.text(match layout.upright {
            true => {
                let text = layout.text(mark, (middle, below), Side::End, "x");
                Lettering { turned: true, ..text }
            }
            false => layout.text(mark, (middle, below + 0.5 * em), Side::Middle, "x"),
        });
    }
    for (row, text) in layout.name.iter().enumerate() {
        let y = bottom + (MARK + 0.2) * em + layout.marks + LINE * em * (row as f64 + 0.5);
        sheet.text(layout.text(text, ((left + right) / 2.0, y), Side::Middle, ""));
    }
    let at = ((MARGIN + LINE / 2.0) * em, (top + bottom) / 2.0);
    for text in lines(&map.up.name(), bottom - top + 2.0 * em, em, false, 1) {
        sheet.text(Lettering { turned: true, ..layout.text(&text, at, Side::Middle, "") });
    }
}

fn draw_bar(map: &HeatMap, layout: &HeatLayout, sheet: &mut Sheet) {
    let colours = &layout.colours;
    // values without a logarithm have the colour of the lower end
    let below = |cell: &Cell| {
        cell.mark != HeatMark::Failed && cell.value.is_some_and(|v| !colours.place(v).is_finite())
    };
    let beyond = map.cells.iter().flatten().any(below).then(|| {
        let least = map.cells.iter().flatten().filter_map(|cell| cell.value);
        let least = least.filter(|v| colours.place(*v).is_finite()).reduce(smaller);
        least.map_or("0".into(), |least| format!("< {}", scientific(least)))
    });
    let name = colours.name(&map.value.label);
    let bar = ColourBar { colours, name: &name, beyond: beyond.as_deref(), em: layout.em };
    match &layout.bar {
        Some(place) => bar.draw_below(*place, sheet),
        None => bar.draw_beside(layout.cells, sheet),
    }
}

/// Remarks on cells of a map, with their words.
fn remarks(map: &HeatMap) -> Vec<(HeatMark, &'static str)> {
    let mut all = vec![(HeatMark::Doubtful, "not trusted"), (HeatMark::Failed, "failed")];
    all.retain(|(mark, _)| map.cells.iter().flatten().any(|cell| cell.mark == *mark));
    all
}

/// Meaning of marked cells, if there are any.
fn draw_legend(map: &HeatMap, layout: &HeatLayout, sheet: &mut Sheet) {
    let em = layout.em;
    let below = layout.foot.height() + (MARGIN + LINE / 2.0) * em;
    let (mut x, y) = (MARGIN * em, layout.size.1 - below);
    for (mark, words) in remarks(map) {
        let corners = [(x, y - 0.5 * em), (x + 2.0 * em, y + 0.5 * em)];
        match mark {
            HeatMark::Failed => cross_out(corners, (sheet, em)),
            _ => hatch(corners, FAINT, (sheet, em)),
        }
        sheet.border(corners, FAINT, THIN * em);
        sheet.text(layout.text(words, (x + 2.5 * em, y), Side::Begin, ""));
        x += 4.0 * em + width(words, em, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(map: HeatMap) -> Result<String, PlotError> {
        let style = FigureStyle::default();
        Ok(sheet(&map, &style)?.svg(&style.size))
    }

    fn map(marks: [HeatMark; 4]) -> HeatMap {
        let side = |label: &str, marks: [&str; 2]| HeatAxis {
            label: label.into(),
            marks: marks.map(String::from).to_vec(),
            ..HeatAxis::default()
        };
        let cell = |value: f64, mark| Cell { value: Some(value), mark };
        HeatMap {
            title: "A map".into(),
            note: "of four".into(),
            across: side("epsilon", ["1e-3", "1e-2"]),
            up: side("method", ["rk4", "heun"]),
            value: PlotAxis::logarithmic("creep [m/s]"),
            cells: vec![
                vec![cell(1e-4, marks[0]), cell(1e-3, marks[1])],
                vec![cell(2e-3, marks[2]), cell(1.0, marks[3])],
            ],
            ..HeatMap::default()
        }
    }

    #[test]
    fn values_names_and_marks_are_drawn() {
        let text = svg(map([HeatMark::None; 4])).expect("drawn");
        for part in ["A map", "of four", "epsilon", "heun", "creep [m/s]", "10⁻³", "#440154"] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("not trusted") && !text.contains("failed"));
        let marked =
            svg(map([HeatMark::Doubtful, HeatMark::None, HeatMark::Failed, HeatMark::None]));
        let marked = marked.expect("drawn");
        assert!(marked.contains("not trusted") && marked.contains("failed"));
        // a failed cell shows no value
        assert!(!marked.contains("2.0·10⁻³") && text.contains("2.0·10⁻³"));
        assert!(!text.contains("&lt; "));
        let mut below = map([HeatMark::None; 4]);
        below.cells[0][0].value = Some(0.0);
        assert!(svg(below).expect("drawn").contains("&lt; 10⁻³"), "the value 0 has a key");
        let drawn = sheet(&map([HeatMark::Doubtful; 4]), &FigureStyle::default()).expect("drawn");
        let bytes = super::super::pixels::png(&drawn).expect("drawn");
        assert!(bytes.starts_with(b"\x89PNG"));
    }

    #[test]
    fn the_bar_of_colours_is_below_cells_that_long_names_leave_little_room() {
        let style = FigureStyle { size: "column".parse().expect("a size"), ..Default::default() };
        let named = |name: &str| {
            let mut map = map([HeatMark::None; 4]);
            map.up.marks[0] = name.into();
            map.cells[0][0].value = Some(0.0);
            sheet(&map, &style).map(|sheet| (sheet.size.1, sheet.svg(&style.size)))
        };
        let (short, beside) = named("rk4").expect("drawn");
        let (high, below) = named("velocity-verlet-reevaluated").expect("drawn");
        let upright =
            |text: &str| text.lines().any(|l| l.contains("creep") && l.contains("rotate"));
        assert!(upright(&beside) && !upright(&below));
        assert!(high > short + bar::BELOW * 8.0 - 1e-9, "{high} {short}");
        assert!(below.contains(">creep [m/s]<") && below.contains(">&lt; 10⁻³<"));
        let error = named("velocity-verlet-reevaluated-and-once-more").expect_err("no room");
        assert!(error.to_string().contains("leave no room in a width of 3.3 in"), "{error}");
    }

    #[test]
    fn every_row_shows_its_name() {
        let style = FigureStyle { size: "column".parse().expect("a size"), ..Default::default() };
        let names: Vec<String> = (0..40).map(|k| format!("row-{k}")).collect();
        let mut map = map([HeatMark::None; 4]);
        (map.up.marks, map.cells) = (names.clone(), vec![map.cells[0].clone(); 40]);
        let text = sheet(&map, &style).expect("drawn").svg(&style.size);
        assert!(names.iter().all(|name| text.contains(&format!(">{name}<"))));
    }

    #[test]
    fn decades_are_evenly_spaced_along_the_colours() {
        let axis = PlotAxis::logarithmic("");
        let colours = Scale::new(&axis, [1e-4, 1.0].into_iter(), 6, 0.0);
        assert!((share(1e-2, &colours) - 0.5).abs() < 1e-12);
        assert_eq!(share(0.0, &colours), 0.0);
        assert_eq!(colour(0.5), RGBColor(33, 145, 140));
    }
}
