//! Draws a figure as lines and letters.

use super::ticks::Scale;
use super::{FONT, FigureFile, Panel, Series, Style, register_fonts};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(super) type Area<B> = DrawingArea<B, Shift>;
type DrawingFaults<B> = DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>;

/// Colours that also differ in lightness, for colour-blind readers; after \[okabe2008\].
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(90, 90, 90),
    RGBColor(140, 86, 75),
];
/// Opacity of a band.
const PALE: f64 = 0.2;
/// Colours of crosses, text, faint text and the grid.
const WARNING: RGBColor = RGBColor(190, 18, 30);
pub(super) const INK: RGBColor = RGBColor(31, 42, 55);
pub(super) const FAINT: RGBColor = RGBColor(102, 113, 127);
const GRID: RGBColor = RGBColor(226, 230, 235);

/// Sizes \[pixels\].
const WIDTH: u32 = 960;
const PANEL: u32 = 270;
const TITLE: u32 = 32;
const NOTE: u32 = 22;
const HEAD: i32 = 30;

/// Least number of panels that stand in two columns.
const TWO_COLUMNS: usize = 4;

fn columns(figure: &FigureFile) -> usize {
    if figure.panels.len() < TWO_COLUMNS { 1 } else { 2 }
}

/// Height above the panels \[pixels\].
fn top(figure: &FigureFile) -> u32 {
    let line = |text: &str, height: u32| if text.is_empty() { 0 } else { height };
    let legend = rows(&figure.legend, WIDTH as i32).len() as u32;
    8 + line(&figure.title, TITLE) + line(&figure.note, NOTE) + LEGEND as u32 * legend
}

/// Width and height of a figure \[pixels\].
pub(super) fn size(figure: &FigureFile) -> (u32, u32) {
    let rows = figure.panels.len().div_ceil(columns(figure)).max(1) as u32;
    let width = WIDTH as i32 / columns(figure) as i32;
    let legend = figure.panels.iter().map(|panel| legend_lines(panel, width).len()).max();
    (WIDTH, rows * (PANEL + LEGEND as u32 * legend.unwrap_or(0) as u32) + top(figure))
}

/// Approximate width of letters of 12 pixels, and width of a sample line with its margins
/// \[pixels\].
const LETTER: i32 = 7;
const SAMPLE: i32 = 46;

/// Height of a line of the legend below the title \[pixels\].
const LEGEND: i32 = 17;

/// The series on each line of a panel's legend below its title; none if the legend fits beside it.
fn legend_lines(panel: &Panel, width: i32) -> Vec<Vec<usize>> {
    let whole: i32 = named(&panel.series).map(|k| entry_width(&panel.series[k])).sum();
    let title = LETTER * panel.title.chars().count() as i32 * 9 / 8;
    if 40 + title + whole <= width { Vec::new() } else { rows(&panel.series, width) }
}

/// Indices of the series with a name.
fn named(series: &[Series]) -> impl DoubleEndedIterator<Item = usize> + '_ {
    (0..series.len()).filter(|k| !series[*k].name.is_empty())
}

/// Approximate width of a series in a legend \[pixels\].
fn entry_width(series: &Series) -> i32 {
    SAMPLE + LETTER * series.name.chars().count() as i32
}

/// The named series in rows no wider than `width`.
fn rows(series: &[Series], width: i32) -> Vec<Vec<usize>> {
    let (mut lines, mut used) = (Vec::<Vec<usize>>::new(), width);
    for number in named(series) {
        let own = entry_width(&series[number]);
        if used + own > width - 40 {
            lines.push(Vec::new());
            used = 0;
        }
        used += own;
        lines.last_mut().expect("one was begun").push(number);
    }
    lines
}

/// Scale: pixels of the picture per pixel of the design.
#[derive(Debug, Clone, Copy)]
struct PlotPen(i32);

impl PlotPen {
    fn px(self, design: i32) -> i32 {
        design * self.0
    }

    fn letters(self, size: i32, bold: bool, colour: RGBColor) -> TextStyle<'static> {
        let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
        FontDesc::new(FontFamily::Name(FONT), f64::from(self.px(size)), style).color(&colour)
    }

    fn stroke(self, colour: RGBColor) -> ShapeStyle {
        colour.stroke_width(self.px(2) as u32)
    }

    fn thin(self, colour: RGBColor) -> ShapeStyle {
        colour.stroke_width(self.px(1) as u32)
    }
}

/// Draws the figure, enlarged by `scale`.
pub(super) fn draw<B: DrawingBackend>(
    figure: &FigureFile,
    root: &Area<B>,
    scale: i32,
) -> Result<(), DrawingFaults<B>> {
    register_fonts();
    let pen = PlotPen(scale);
    root.fill(&WHITE)?;
    let (head, body) = root.split_vertically(pen.px(top(figure) as i32));
    let left = Pos::new(HPos::Left, VPos::Center);
    let title = pen.letters(16, true, INK).pos(left);
    let mut middle = pen.px(4 + TITLE as i32 / 2);
    if !figure.title.is_empty() {
        head.draw_text(&cut(&figure.title, &head, &title)?, &title, (pen.px(18), middle))?;
        middle += pen.px((TITLE + NOTE) as i32 / 2);
    }
    if !figure.note.is_empty() {
        let note = pen.letters(13, false, FAINT).pos(left);
        head.draw_text(&cut(&figure.note, &head, &note)?, &note, (pen.px(18), middle))?;
        middle += pen.px(NOTE as i32);
    }
    for row in rows(&figure.legend, WIDTH as i32) {
        let mut x = pen.px(18);
        for number in row {
            x = draw_entry(&head, (x, middle), (&figure.legend[number], number), pen)?;
        }
        middle += pen.px(LEGEND);
    }
    let columns = columns(figure);
    let rows = figure.panels.len().div_ceil(columns).max(1);
    for (area, panel) in body.split_evenly((rows, columns)).iter().zip(&figure.panels) {
        draw_panel(panel, area, pen)?;
    }
    Ok(())
}

/// A text shortened to the width of the area.
fn cut<B: DrawingBackend>(
    text: &str,
    area: &Area<B>,
    style: &TextStyle<'_>,
) -> Result<String, DrawingFaults<B>> {
    let room = area.dim_in_pixel().0 * 19 / 20;
    let mut shown = text.to_string();
    let mut letters: Vec<char> = text.chars().collect();
    while area.estimate_text_size(&shown, style)?.0 > room && letters.pop().is_some() {
        shown = letters.iter().collect::<String>().trim_end().to_string() + "…";
    }
    Ok(shown)
}

/// The colour of a number: the eight colours, then the eight darkened.
fn colour(number: usize) -> RGBColor {
    let own = COLOURS[number % COLOURS.len()];
    let dark = |channel: u8| (u16::from(channel) * 11 / 20) as u8;
    match number / COLOURS.len() % 2 {
        0 => own,
        _ => RGBColor(dark(own.0), dark(own.1), dark(own.2)),
    }
}

/// The colour of a series from its index in a panel.
fn shade(series: &Series, number: usize) -> RGBColor {
    let number = series.colour.unwrap_or(number);
    let RGBColor(red, green, blue) = match series.style {
        Style::Crosses => WARNING,
        Style::Intervals => INK,
        Style::Band(of) => colour(of),
        _ => colour(number),
    };
    // two fifths nearer to white each time
    let pale = |channel: u8| {
        (0..series.paler).fold(channel, |c, _| c + ((255 - u16::from(c)) * 2 / 5) as u8)
    };
    RGBColor(pale(red), pale(green), pale(blue))
}

/// A line in the coordinates of the scales.
type PlotLine = Vec<(f64, f64)>;

type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<Scale, Scale>>;

fn draw_panel<B: DrawingBackend>(
    panel: &Panel,
    area: &Area<B>,
    pen: PlotPen,
) -> Result<(), DrawingFaults<B>> {
    let lines = legend_lines(panel, area.dim_in_pixel().0 as i32 / pen.0);
    let (head, body) = area.split_vertically(pen.px(HEAD + LEGEND * lines.len() as i32));
    draw_head(panel, &head, &lines, pen)?;
    let points = || panel.series.iter().flat_map(|series| series.points.iter());
    let marks = if area.dim_in_pixel().0 > pen.px(WIDTH as i32) as u32 / 2 { 10 } else { 6 };
    let across = Scale::new(&panel.across, points().map(|p| p.0), marks, true);
    let up = Scale::new(&panel.up, points().map(|p| p.1), 6, false);
    let mut chart = ChartBuilder::on(&body)
        .margin_right(pen.px(20))
        .margin_left(pen.px(6))
        .margin_top(pen.px(4))
        .x_label_area_size(pen.px(42))
        .y_label_area_size(pen.px(74))
        .build_cartesian_2d(across.clone(), up.clone())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(pen.thin(GRID))
        .axis_style(pen.thin(FAINT))
        .set_all_tick_mark_size(pen.px(4))
        .label_style(pen.letters(12, false, INK))
        .axis_desc_style(pen.letters(13, false, FAINT))
        .x_desc(panel.across.label.as_str())
        .y_desc(panel.up.label.as_str())
        .x_label_formatter(&|at| across.label(*at))
        .y_label_formatter(&|at| up.label(*at))
        .draw()?;
    draw_minor(&chart, &body, [&across, &up], pen)?;
    let width = chart.plotting_area().dim_in_pixel().0 as usize;
    for (number, series) in panel.series.iter().enumerate() {
        for line in unbroken(series, &across, &up) {
            draw_line(
                &mut chart,
                thinned(line, width / pen.0 as usize),
                series.style,
                (pen, shade(series, number)),
            )?;
        }
    }
    Ok(())
}

/// The marks without labels, and the common factors of labels at the ends of the axes.
fn draw_minor<B: DrawingBackend>(
    chart: &Chart<'_, B>,
    body: &Area<B>,
    [across, up]: [&Scale; 2],
    pen: PlotPen,
) -> Result<(), DrawingFaults<B>> {
    let origin = body.get_base_pixel();
    let (columns, rows) = chart.plotting_area().get_pixel_range();
    let (left, right) = (columns.start - origin.0, columns.end - origin.0);
    let (top, bottom) = (rows.start - origin.1, rows.end - origin.1);
    let style = pen.thin(FAINT);
    for at in across.minor() {
        let x = across.map(at, (left, right));
        body.draw(&PathElement::new([(x, bottom), (x, bottom + pen.px(2))], style))?;
    }
    for at in up.minor() {
        let y = up.map(at, (bottom, top));
        body.draw(&PathElement::new([(left - pen.px(2), y), (left, y)], style))?;
    }
    let letters = pen.letters(12, false, INK);
    let end = letters.pos(Pos::new(HPos::Right, VPos::Center));
    body.draw_text(&across.factor(), &end, (right, bottom + pen.px(32)))?;
    let above = end.pos(Pos::new(HPos::Left, VPos::Bottom));
    body.draw_text(&up.factor(), &above, (left + pen.px(6), top + pen.px(14)))
}

/// The title at the left; the legend at the right, or below if it does not fit.
fn draw_head<B: DrawingBackend>(
    panel: &Panel,
    head: &Area<B>,
    lines: &[Vec<usize>],
    pen: PlotPen,
) -> Result<(), DrawingFaults<B>> {
    let middle = pen.px(HEAD / 2 + 2);
    let left = Pos::new(HPos::Left, VPos::Center);
    let title = pen.letters(14, true, INK).pos(left);
    head.draw_text(&panel.title, &title, (pen.px(18), middle))?;
    let style = pen.letters(12, false, INK).pos(left);
    let entry =
        |at: (i32, i32), number: usize| draw_entry(head, at, (&panel.series[number], number), pen);
    for (row, line) in lines.iter().enumerate() {
        let (mut x, y) = (pen.px(18), middle + pen.px(LEGEND * (row as i32 + 1) + 2));
        for number in line {
            x = entry((x, y), *number)?;
        }
    }
    if lines.is_empty() {
        let mut right = head.dim_in_pixel().0 as i32 - pen.px(22);
        for number in named(&panel.series).rev() {
            let width = head.estimate_text_size(&panel.series[number].name, &style)?.0;
            entry((right - width as i32 - pen.px(30), middle), number)?;
            right -= width as i32 + pen.px(SAMPLE);
        }
    }
    Ok(())
}

/// An entry of a legend; returns the position of the next one.
fn draw_entry<B: DrawingBackend>(
    head: &Area<B>,
    (x, y): (i32, i32),
    (series, number): (&Series, usize),
    pen: PlotPen,
) -> Result<i32, DrawingFaults<B>> {
    let style = pen.letters(12, false, INK).pos(Pos::new(HPos::Left, VPos::Center));
    draw_sample(head, (x, y), series.style, (pen, shade(series, number)))?;
    head.draw_text(&series.name, &style, (x + pen.px(30), y))?;
    let width = head.estimate_text_size(&series.name, &style)?.0;
    Ok(x + width as i32 + pen.px(SAMPLE))
}

/// A short sample of a series for the legend.
fn draw_sample<B: DrawingBackend>(
    head: &Area<B>,
    (x, y): (i32, i32),
    style: Style,
    (pen, colour): (PlotPen, RGBColor),
) -> Result<(), DrawingFaults<B>> {
    let pieces: &[(i32, i32)] = match style {
        Style::Points | Style::Crosses | Style::Band(_) | Style::Intervals => &[],
        Style::Dashed => &[(0, 6), (9, 15), (18, 24)],
        Style::Line | Style::Marked => &[(0, 24)],
    };
    for (from, to) in pieces {
        let ends = [(x + pen.px(*from), y), (x + pen.px(*to), y)];
        head.draw(&PathElement::new(ends, pen.stroke(colour)))?;
    }
    if matches!(style, Style::Points | Style::Marked) {
        head.draw(&Circle::new((x + pen.px(12), y), pen.px(3), colour.filled()))?;
    }
    if style == Style::Crosses {
        head.draw(&Cross::new((x + pen.px(12), y), pen.px(5), pen.stroke(colour)))?;
    }
    if style == Style::Intervals {
        let at = |dy: i32| (x + pen.px(12), y + pen.px(dy));
        interval([at(6), at(0), at(-6)], colour, pen)
            .iter()
            .try_for_each(|part| head.draw(part))?;
        head.draw(&Circle::new(at(0), pen.px(3), colour.filled()))?;
    }
    Ok(())
}

fn draw_line<B: DrawingBackend>(
    chart: &mut Chart<'_, B>,
    line: PlotLine,
    style: Style,
    (pen, colour): (PlotPen, RGBColor),
) -> Result<(), DrawingFaults<B>> {
    match style {
        Style::Dashed => {
            chart.draw_series(DashedLineSeries::new(
                line.clone(),
                pen.px(7),
                pen.px(5),
                pen.stroke(colour),
            ))?;
        }
        // drawn as a whole, a thick line in pixels would be a polygon with protruding corners
        Style::Line | Style::Marked if pen.0 > 1 => {
            let pieces = line.windows(2);
            chart.draw_series(pieces.map(|p| PathElement::new(p.to_vec(), pen.stroke(colour))))?;
        }
        Style::Band(_) => {
            chart.draw_series(std::iter::once(Polygon::new(line, colour.mix(PALE))))?;
            return Ok(());
        }
        Style::Crosses => {
            let cross = |at| Cross::new(at, pen.px(6), pen.stroke(colour));
            chart.draw_series(line.into_iter().map(cross))?;
            return Ok(());
        }
        Style::Intervals => {
            for ends in line.chunks_exact(3) {
                let [low, middle, high] =
                    [ends[0], ends[1], ends[2]].map(|at| chart.backend_coord(&at));
                let origin = chart.plotting_area().strip_coord_spec().get_base_pixel();
                let inside = |(x, y): (i32, i32)| (x - origin.0, y - origin.1);
                let area = chart.plotting_area().strip_coord_spec();
                let places = [low, middle, high].map(inside);
                for part in interval(places, colour, pen) {
                    area.draw(&part)?;
                }
                area.draw(&Circle::new(places[1], pen.px(3), colour.filled()))?;
            }
            return Ok(());
        }
        Style::Line | Style::Marked if line.len() > 1 => {
            chart.draw_series(LineSeries::new(line.clone(), pen.stroke(colour)))?;
        }
        _ => {}
    }
    if matches!(style, Style::Points | Style::Marked) || line.len() == 1 {
        let size = pen.px(if style == Style::Points { 2 } else { 3 });
        chart.draw_series(line.into_iter().map(|at| Circle::new(at, size, colour.filled())))?;
    }
    Ok(())
}

/// The strokes of a vertical interval from its lower through its middle to its upper end.
fn interval(
    [low, _, high]: [(i32, i32); 3],
    colour: RGBColor,
    pen: PlotPen,
) -> [PathElement<(i32, i32)>; 3] {
    let cap = |(x, y): (i32, i32)| vec![(x - pen.px(5), y), (x + pen.px(5), y)];
    [vec![low, high], cap(low), cap(high)].map(|ends| PathElement::new(ends, pen.stroke(colour)))
}

/// The parts of a series between points that cannot be drawn.
fn unbroken(series: &Series, across: &Scale, up: &Scale) -> Vec<PlotLine> {
    let mut lines = vec![PlotLine::new()];
    for (x, y) in &series.points {
        let at = (across.place(*x), up.place(*y));
        if at.0.is_finite() && at.1.is_finite() {
            lines.last_mut().expect("never empty").push(at);
        } else if lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(PlotLine::new());
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// A line reduced to at most four points per column: first, last, lowest and highest. A line that
/// turns back is not changed.
pub(super) fn thinned(line: PlotLine, columns: usize) -> PlotLine {
    let (Some(first), Some(last)) = (line.first(), line.last()) else { return line };
    let width = last.0 - first.0;
    let forward = line.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    if line.len() <= 4 * columns || !forward || width <= 0.0 {
        return line;
    }
    let column = |x: f64| ((x - first.0) / width * columns as f64) as usize;
    let mut thin = PlotLine::new();
    for part in line.chunk_by(|a, b| column(a.0) == column(b.0)) {
        let by_height = |better: fn(f64, f64) -> bool| {
            (0..part.len())
                .fold(0, |best, k| if better(part[k].1, part[best].1) { k } else { best })
        };
        let mut kept = [0, by_height(|a, b| a < b), by_height(|a, b| a > b), part.len() - 1];
        kept.sort_unstable();
        thin.extend(kept.iter().map(|k| part[*k]));
        thin.dedup();
    }
    thin
}
