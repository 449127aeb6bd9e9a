//! Heat maps: a table of cells, each coloured by its value.

use super::drawing::Area;
use super::drawing::{FAINT, INK};
use super::ticks::{Scale, scientific};
use super::{FINER, FONT, PlotAxis, PlotError, averaged, encode, keep, register_fonts};
use plotters::coord::ranged1d::{BoldPoints, Ranged};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;
use stiction_core::math::smaller;

type HeatFaults<B> = DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>;

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
}

/// One side of the table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatAxis {
    /// Its name; may be empty.
    pub label: String,
    /// Label of each row or column.
    pub marks: Vec<String>,
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

/// Sizes \[pixels\].
const TITLE: i32 = 34;
const NOTE: i32 = 24;
const MARGIN: i32 = 18;
const LETTER: i32 = 7;
const LINE: i32 = 18;
const BAR: i32 = 18;
const BAR_SIDE: i32 = 130;
const LEGEND: i32 = 34;
/// Approximate size of the grid of cells, and bounds of the size of a cell.
const GRID: (i32, i32) = (720, 420);
const CELL: (i32, i32) = (10, 110);
const CELL_HIGH: i32 = 46;

const FAILED: RGBColor = RGBColor(222, 225, 229);

/// Positions and sizes of all parts \[pixels\].
struct HeatLayout {
    left: i32,
    top: i32,
    cell: (i32, i32),
    /// right and lower border of the cells
    right: i32,
    bottom: i32,
    /// whether marks along x are rotated, because they are wider than a cell
    upright: bool,
    size: (i32, i32),
}

impl HeatLayout {
    fn of(map: &HeatMap) -> HeatLayout {
        let longest =
            |side: &HeatAxis| side.marks.iter().map(|m| m.chars().count()).max().unwrap_or(0);
        let width = |letters: usize| letters as i32 * LETTER;
        let (columns, rows) = (map.across.marks.len().max(1), map.up.marks.len().max(1));
        let cell = (
            (GRID.0 / columns as i32).clamp(CELL.0, CELL.1),
            (GRID.1 / rows as i32).clamp(CELL.0, CELL_HIGH),
        );
        let left = MARGIN + LINE + width(longest(&map.up)) + 10;
        let top = 10 + TITLE + if map.note.is_empty() { 0 } else { NOTE };
        let (right, bottom) = (left + cell.0 * columns as i32, top + cell.1 * rows as i32);
        let upright = width(longest(&map.across)) + 6 > cell.0;
        let marks = if upright { width(longest(&map.across)) } else { LINE };
        let head =
            MARGIN * 2 + width(map.title.chars().count().max(map.note.chars().count())) * 4 / 3;
        let wide = (right + BAR_SIDE).max(head.min(GRID.0 + BAR_SIDE));
        let size = (wide, bottom + 12 + marks + LINE + LEGEND);
        HeatLayout { left, top, cell, right, bottom, upright, size }
    }

    /// Corners of a cell; rows are counted from below.
    fn corners(&self, column: usize, row: usize) -> [(i32, i32); 2] {
        let (x, y) =
            (self.left + column as i32 * self.cell.0, self.bottom - row as i32 * self.cell.1);
        [(x, y - self.cell.1), (x + self.cell.0, y)]
    }
}

/// Draws with several pixels per pixel of the design.
struct HeatPen<'a, B: DrawingBackend> {
    area: &'a Area<B>,
    scale: i32,
}

impl<B: DrawingBackend> HeatPen<'_, B> {
    fn at(&self, (x, y): (i32, i32)) -> (i32, i32) {
        (x * self.scale, y * self.scale)
    }

    fn rectangle(&self, corners: [(i32, i32); 2], style: ShapeStyle) -> Result<(), HeatFaults<B>> {
        self.area.draw(&Rectangle::new(corners.map(|c| self.at(c)), style))
    }

    fn line(&self, ends: [(i32, i32); 2], colour: RGBColor) -> Result<(), HeatFaults<B>> {
        let style = colour.stroke_width(self.scale as u32);
        self.area.draw(&PathElement::new(ends.map(|end| self.at(end)), style))
    }

    fn text(
        &self,
        text: &str,
        at: (i32, i32),
        (size, colour): (i32, RGBColor),
        (side, turned): (HPos, bool),
    ) -> Result<(), HeatFaults<B>> {
        let style = if size > 14 { FontStyle::Bold } else { FontStyle::Normal };
        let font = FontDesc::new(FontFamily::Name(FONT), f64::from(size * self.scale), style);
        let font = if turned { font.transform(FontTransform::Rotate270) } else { font };
        let style = font.color(&colour).pos(Pos::new(side, VPos::Center));
        self.area.draw_text(text, &style, self.at(at))
    }
}

/// Writes a heat map as SVG, PNG or PDF, according to the file's name.
pub fn write(map: &HeatMap, path: &Path) -> Result<(), PlotError> {
    keep(path, || svg(map), || png(map))
}

/// A heat map as the text of an SVG file.
pub fn svg(map: &HeatMap) -> Result<String, PlotError> {
    let (width, height) = HeatLayout::of(map).size;
    let mut text = String::new();
    {
        let size = (width as u32, height as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(map, &root, 1).map_err(|e| PlotError::Drawing(e.to_string()))?;
        root.present().map_err(|e| PlotError::Drawing(e.to_string()))?;
    }
    Ok(text)
}

/// A heat map as the bytes of a PNG file.
pub fn png(map: &HeatMap) -> Result<Vec<u8>, PlotError> {
    let (width, height) = HeatLayout::of(map).size;
    let (width, height) = (width as usize, height as usize);
    let mut fine = vec![0u8; 3 * width * height * FINER * FINER];
    {
        let size = ((FINER * width) as u32, (FINER * height) as u32);
        let root = BitMapBackend::with_buffer(&mut fine, size).into_drawing_area();
        draw(map, &root, FINER as i32).map_err(|e| PlotError::Drawing(e.to_string()))?;
        root.present().map_err(|e| PlotError::Drawing(e.to_string()))?;
    }
    encode(&averaged(&fine, FINER * width), width as u32, height as u32)
        .map_err(|e| PlotError::Drawing(e.to_string()))
}

fn draw<B: DrawingBackend>(map: &HeatMap, area: &Area<B>, scale: i32) -> Result<(), HeatFaults<B>> {
    register_fonts();
    area.fill(&WHITE)?;
    let (pen, layout) = (HeatPen { area, scale }, HeatLayout::of(map));
    pen.text(&map.title, (MARGIN, TITLE / 2 + 4), (16, INK), (HPos::Left, false))?;
    pen.text(&map.note, (MARGIN, TITLE + NOTE / 2), (13, FAINT), (HPos::Left, false))?;
    let sound = map.cells.iter().flatten().filter(|cell| cell.mark != HeatMark::Failed);
    let values = sound.filter_map(|cell| cell.value);
    let colours = Scale::new(&map.value, values, 6, true);
    for (row, cells) in map.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            draw_cell(cell, layout.corners(column, row), &colours, &pen)?;
        }
    }
    pen.rectangle([(layout.left, layout.top), (layout.right, layout.bottom)], pen_style(scale))?;
    draw_sides(map, &layout, &pen)?;
    draw_bar(map, &layout, &colours, &pen)?;
    draw_legend(map, &layout, &pen)
}

fn pen_style(scale: i32) -> ShapeStyle {
    FAINT.stroke_width(scale as u32)
}

/// Position of a value on the colour scale, from 0 to 1.
fn share(value: f64, colours: &Scale) -> f64 {
    let range = colours.range();
    let share = (colours.place(value) - range.start) / (range.end - range.start);
    // values without a logarithm are at the lower end
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

fn draw_cell<B: DrawingBackend>(
    cell: &Cell,
    corners: [(i32, i32); 2],
    colours: &Scale,
    pen: &HeatPen<'_, B>,
) -> Result<(), HeatFaults<B>> {
    let [(x0, y0), (x1, y1)] = corners;
    let share = cell.value.filter(|_| cell.mark != HeatMark::Failed).map(|v| share(v, colours));
    if let Some(share) = share {
        pen.rectangle(corners, colour(share).filled())?;
    }
    let ink = if share.is_some_and(|share| share < 0.6) { WHITE } else { INK };
    match cell.mark {
        HeatMark::None => {}
        HeatMark::Doubtful => hatch(corners, ink, pen)?,
        HeatMark::Failed => {
            pen.rectangle(corners, FAILED.filled())?;
            pen.line([(x0, y0), (x1, y1)], FAINT)?;
            pen.line([(x0, y1), (x1, y0)], FAINT)?;
        }
    }
    let middle = ((x0 + x1) / 2, (y0 + y1) / 2);
    if let (Some(value), Some(share)) = (cell.value, share)
        && x1 - x0 >= 52
        && y1 - y0 >= 18
    {
        if cell.mark == HeatMark::Doubtful {
            let room = [(middle.0 - 25, middle.1 - 8), (middle.0 + 25, middle.1 + 8)];
            pen.rectangle(room, colour(share).filled())?;
        }
        pen.text(&scientific(value), middle, (12, ink), (HPos::Center, false))?;
    }
    Ok(())
}

/// Hatching that rises to the right through a cell.
fn hatch<B: DrawingBackend>(
    [(x0, y0), (x1, y1)]: [(i32, i32); 2],
    ink: RGBColor,
    pen: &HeatPen<'_, B>,
) -> Result<(), HeatFaults<B>> {
    let (width, height) = (x1 - x0, y1 - y0);
    for along in (4..width + height).step_by(8) {
        let from = (x0 + (along - height).max(0), y1 - height.min(along));
        let start = (x0 + along.min(width), y1 - (along - width).max(0));
        pen.line([from, start], ink)?;
    }
    Ok(())
}

fn draw_sides<B: DrawingBackend>(
    map: &HeatMap,
    layout: &HeatLayout,
    pen: &HeatPen<'_, B>,
) -> Result<(), HeatFaults<B>> {
    // marks that would overlap are omitted
    let stride = |cell: i32| (LINE - 4 + cell - 1) / cell;
    for (row, mark) in map.up.marks.iter().enumerate().step_by(stride(layout.cell.1) as usize) {
        let [(_, y0), (_, y1)] = layout.corners(0, row);
        pen.text(mark, (layout.left - 8, (y0 + y1) / 2), (12, INK), (HPos::Right, false))?;
    }
    for (column, mark) in
        map.across.marks.iter().enumerate().step_by(stride(layout.cell.0) as usize)
    {
        let [(x0, _), (x1, _)] = layout.corners(column, 0);
        let middle = (x0 + x1) / 2;
        if layout.upright {
            pen.text(mark, (middle, layout.bottom + 8), (12, INK), (HPos::Right, true))?;
        } else {
            let at = (middle, layout.bottom + 6 + LINE / 2);
            pen.text(mark, at, (12, INK), (HPos::Center, false))?;
        }
    }
    let below = layout.size.1 - LEGEND - LINE / 2;
    let middle = (layout.left + layout.right) / 2;
    pen.text(&map.across.label, (middle, below), (13, FAINT), (HPos::Center, false))?;
    let middle = (layout.top + layout.bottom) / 2;
    pen.text(&map.up.label, (MARGIN, middle), (13, FAINT), (HPos::Center, true))
}

/// The colour scale, at the right.
fn draw_bar<B: DrawingBackend>(
    map: &HeatMap,
    layout: &HeatLayout,
    colours: &Scale,
    pen: &HeatPen<'_, B>,
) -> Result<(), HeatFaults<B>> {
    let x = layout.right + 24;
    // a map of one row is too low for a colour bar
    let bottom = layout.bottom.max(layout.top + 120).min(layout.size.1 - 12);
    let height = bottom - layout.top;
    for y in layout.top..bottom {
        let share = f64::from(bottom - y) / f64::from(height);
        pen.rectangle([(x, y), (x + BAR, y + 1)], colour(share).filled())?;
    }
    let range = colours.range();
    for at in colours.key_points(BoldPoints(8)) {
        let share = (at - range.start) / (range.end - range.start);
        if !(0.0..=1.0).contains(&share) {
            continue;
        }
        let y = bottom - (share * f64::from(height)).round() as i32;
        pen.line([(x + BAR, y), (x + BAR + 4, y)], FAINT)?;
        pen.text(&colours.label(at), (x + BAR + 8, y), (12, INK), (HPos::Left, false))?;
    }
    // values without a logarithm have the colour of the lower end
    let below = |cell: &Cell| {
        cell.mark != HeatMark::Failed && cell.value.is_some_and(|v| !colours.place(v).is_finite())
    };
    if map.cells.iter().flatten().any(below) {
        let least = map.cells.iter().flatten().filter_map(|cell| cell.value);
        let least = least.filter(|v| colours.place(*v).is_finite()).reduce(smaller);
        let text = least.map_or("0".into(), |least| format!("< {}", scientific(least)));
        pen.rectangle([(x, bottom), (x + BAR, bottom + 10)], colour(0.0).filled())?;
        pen.line([(x, bottom), (x + BAR, bottom)], WHITE)?;
        pen.text(&text, (x + BAR + 8, bottom + 7), (12, INK), (HPos::Left, false))?;
    }
    if !colours.factor().is_empty() {
        let above = (x, layout.top - 10);
        pen.text(&colours.factor(), above, (12, INK), (HPos::Left, false))?;
    }
    let beside = (x + BAR_SIDE - 40, (layout.top + bottom) / 2);
    pen.text(&map.value.label, beside, (13, FAINT), (HPos::Center, true))
}

/// Meaning of marked cells, if there are any.
fn draw_legend<B: DrawingBackend>(
    map: &HeatMap,
    layout: &HeatLayout,
    pen: &HeatPen<'_, B>,
) -> Result<(), HeatFaults<B>> {
    let y = layout.size.1 - LEGEND / 2;
    let mut x = layout.left;
    for (mark, words) in [(HeatMark::Doubtful, "not trusted"), (HeatMark::Failed, "failed")] {
        if !map.cells.iter().flatten().any(|cell| cell.mark == mark) {
            continue;
        }
        let sample = [(x, y - 8), (x + 26, y + 8)];
        match mark {
            HeatMark::Failed => {
                pen.rectangle(sample, FAILED.filled())?;
                pen.line([sample[0], sample[1]], FAINT)?;
                pen.line([(x, y + 8), (x + 26, y - 8)], FAINT)?;
            }
            _ => hatch(sample, FAINT, pen)?,
        }
        pen.rectangle(sample, pen_style(pen.scale))?;
        pen.text(words, (x + 34, y), (12, INK), (HPos::Left, false))?;
        x += 34 + (words.len() as i32 + 4) * LETTER;
    }
    Ok(())
}

/// Dark to light, evenly spaced, also for colour-blind readers: five colours of viridis
/// \[vanderwalt2015\], interpolated.
fn colour(share: f64) -> RGBColor {
    const COLOURS: [[f64; 3]; 5] = [
        [68.0, 1.0, 84.0],
        [59.0, 82.0, 139.0],
        [33.0, 145.0, 140.0],
        [94.0, 201.0, 98.0],
        [253.0, 231.0, 37.0],
    ];
    let at = share.clamp(0.0, 1.0) * 4.0;
    let k = (at as usize).min(3);
    let between =
        |c: usize| (COLOURS[k][c] + (at - k as f64) * (COLOURS[k + 1][c] - COLOURS[k][c])).round();
    RGBColor(between(0) as u8, between(1) as u8, between(2) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(marks: [HeatMark; 4]) -> HeatMap {
        let side = |label: &str, marks: [&str; 2]| HeatAxis {
            label: label.into(),
            marks: marks.map(String::from).to_vec(),
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
        }
    }

    #[test]
    fn values_names_and_marks_are_drawn() {
        let text = svg(&map([HeatMark::None; 4])).expect("drawn");
        for part in ["A map", "of four", "epsilon", "heun", "creep [m/s]", "10⁻³", "#440154"] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("not trusted") && !text.contains("failed"));
        let marked =
            svg(&map([HeatMark::Doubtful, HeatMark::None, HeatMark::Failed, HeatMark::None]));
        let marked = marked.expect("drawn");
        assert!(marked.contains("not trusted") && marked.contains("failed"));
        // a failed cell shows no value
        assert!(!marked.contains("2·10⁻³") && text.contains("2·10⁻³"));
        assert!(!text.contains("&lt; "));
        let mut below = map([HeatMark::None; 4]);
        below.cells[0][0].value = Some(0.0);
        assert!(svg(&below).expect("drawn").contains("&lt; 10⁻³"), "the value 0 has a key");
        let bytes = png(&map([HeatMark::Doubtful; 4])).expect("drawn");
        assert!(bytes.starts_with(b"\x89PNG"));
    }

    #[test]
    fn decades_are_evenly_spaced_along_the_colours() {
        let axis = PlotAxis::logarithmic("");
        let colours = Scale::new(&axis, [1e-4, 1.0].into_iter(), 6, true);
        assert!((share(1e-2, &colours) - 0.5).abs() < 1e-12);
        assert_eq!(share(0.0, &colours), 0.0);
        assert_eq!(colour(0.5), RGBColor(33, 145, 140));
    }
}
