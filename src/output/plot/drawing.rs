//! From a figure to lines and letters.

use super::ticks::Scale;
use super::{FONT, Figure, Panel, Series, Style, register_fonts};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<B> = DrawingArea<B, Shift>;
type Faults<B> = DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>;

/// Told apart by lightness too, for the colour-blind; after \[okabe2008\].
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
const INK: RGBColor = RGBColor(31, 42, 55);
const FAINT: RGBColor = RGBColor(102, 113, 127);
const GRID: RGBColor = RGBColor(226, 230, 235);

/// Sizes \[pixels\].
const WIDTH: u32 = 960;
const PANEL: u32 = 270;
const TITLE: u32 = 44;
const HEAD: u32 = 30;

/// Panels from which on there are two columns.
const TWO_COLUMNS: usize = 4;

fn columns(figure: &Figure) -> usize {
    if figure.panels.len() < TWO_COLUMNS { 1 } else { 2 }
}

/// Width and height of a figure \[pixels\].
pub(super) fn size(figure: &Figure) -> (u32, u32) {
    let rows = figure.panels.len().div_ceil(columns(figure)).max(1) as u32;
    let title = if figure.title.is_empty() { 8 } else { TITLE };
    (WIDTH, rows * PANEL + title)
}

/// Draws everything.
pub(super) fn draw<B: DrawingBackend>(figure: &Figure, root: &Area<B>) -> Result<(), Faults<B>> {
    register_fonts();
    root.fill(&WHITE)?;
    let top = if figure.title.is_empty() { 8 } else { TITLE };
    let (head, body) = root.split_vertically(top);
    let style = letters(17, true, INK).pos(Pos::new(HPos::Left, VPos::Center));
    head.draw_text(&figure.title, &style, (18, top as i32 / 2 + 4))?;
    let columns = columns(figure);
    let rows = figure.panels.len().div_ceil(columns).max(1);
    for (area, panel) in body.split_evenly((rows, columns)).iter().zip(&figure.panels) {
        draw_panel(panel, area)?;
    }
    Ok(())
}

fn letters(size: i32, bold: bool, colour: RGBColor) -> TextStyle<'static> {
    let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
    FontDesc::new(FontFamily::Name(FONT), f64::from(size), style).color(&colour)
}

fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

/// A line in the coordinates of the scales.
type Line = Vec<(f64, f64)>;

type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<Scale, Scale>>;

fn draw_panel<B: DrawingBackend>(panel: &Panel, area: &Area<B>) -> Result<(), Faults<B>> {
    let (head, body) = area.split_vertically(HEAD);
    draw_head(panel, &head)?;
    let points = || panel.series.iter().flat_map(|series| series.points.iter());
    let marks = if area.dim_in_pixel().0 > WIDTH / 2 { 10 } else { 6 };
    let across = Scale::new(&panel.across, points().map(|p| p.0), marks, true);
    let up = Scale::new(&panel.up, points().map(|p| p.1), 6, false);
    let mut chart = ChartBuilder::on(&body)
        .margin_right(20)
        .margin_left(6)
        .margin_top(4)
        .x_label_area_size(42)
        .y_label_area_size(74)
        .build_cartesian_2d(across.clone(), up.clone())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(FAINT)
        .label_style(letters(12, false, INK))
        .axis_desc_style(letters(13, false, FAINT))
        .x_desc(panel.across.label.as_str())
        .y_desc(panel.up.label.as_str())
        .x_label_formatter(&|at| across.label(*at))
        .y_label_formatter(&|at| up.label(*at))
        .draw()?;
    let width = chart.plotting_area().dim_in_pixel().0 as usize;
    for (number, series) in panel.series.iter().enumerate() {
        for line in unbroken(series, &across, &up) {
            draw_line(&mut chart, thinned(line, width), series.style, colour(number))?;
        }
    }
    Ok(())
}

/// The title at the left, the legend at the right.
fn draw_head<B: DrawingBackend>(panel: &Panel, head: &Area<B>) -> Result<(), Faults<B>> {
    let middle = HEAD as i32 / 2 + 2;
    let left = Pos::new(HPos::Left, VPos::Center);
    head.draw_text(&panel.title, &letters(14, true, INK).pos(left), (18, middle))?;
    let style = letters(12, false, INK).pos(left);
    let mut right = head.dim_in_pixel().0 as i32 - 22;
    for (number, series) in panel.series.iter().enumerate().rev() {
        if series.name.is_empty() {
            continue;
        }
        let (width, _) = head.estimate_text_size(&series.name, &style)?;
        right -= width as i32;
        head.draw_text(&series.name, &style, (right, middle))?;
        draw_sample(head, (right - 30, middle), series.style, colour(number))?;
        right -= 30 + 16;
    }
    Ok(())
}

/// A short piece of a series for the legend.
fn draw_sample<B: DrawingBackend>(
    head: &Area<B>,
    (x, y): (i32, i32),
    style: Style,
    colour: RGBColor,
) -> Result<(), Faults<B>> {
    let pieces: &[(i32, i32)] = match style {
        Style::Points => &[],
        Style::Dashed => &[(0, 6), (9, 15), (18, 24)],
        Style::Line | Style::Marked => &[(0, 24)],
    };
    for (from, to) in pieces {
        head.draw(&PathElement::new([(x + from, y), (x + to, y)], stroke(colour)))?;
    }
    if matches!(style, Style::Points | Style::Marked) {
        head.draw(&Circle::new((x + 12, y), 3, colour.filled()))?;
    }
    Ok(())
}

fn stroke(colour: RGBColor) -> ShapeStyle {
    colour.stroke_width(2)
}

fn draw_line<B: DrawingBackend>(
    chart: &mut Chart<'_, B>,
    line: Line,
    style: Style,
    colour: RGBColor,
) -> Result<(), Faults<B>> {
    match style {
        Style::Dashed => {
            chart.draw_series(DashedLineSeries::new(line.clone(), 7, 5, stroke(colour)))?;
        }
        Style::Line | Style::Marked if line.len() > 1 => {
            chart.draw_series(LineSeries::new(line.clone(), stroke(colour)))?;
        }
        _ => {}
    }
    if matches!(style, Style::Points | Style::Marked) || line.len() == 1 {
        let size = if style == Style::Points { 2 } else { 3 };
        chart.draw_series(line.into_iter().map(|at| Circle::new(at, size, colour.filled())))?;
    }
    Ok(())
}

/// The pieces of a series between points that cannot be drawn.
fn unbroken(series: &Series, across: &Scale, up: &Scale) -> Vec<Line> {
    let mut lines = vec![Line::new()];
    for (x, y) in &series.points {
        let at = (across.place(*x), up.place(*y));
        if at.0.is_finite() && at.1.is_finite() {
            lines.last_mut().expect("never empty").push(at);
        } else if lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(Line::new());
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// A line with at most four points for each of `columns`: where it enters and leaves a column, and
/// its lowest and highest there. One that turns back is left as it is.
pub(super) fn thinned(line: Line, columns: usize) -> Line {
    let (Some(first), Some(last)) = (line.first(), line.last()) else { return line };
    let width = last.0 - first.0;
    let forward = line.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    if line.len() <= 4 * columns || !forward || width <= 0.0 {
        return line;
    }
    let column = |x: f64| ((x - first.0) / width * columns as f64) as usize;
    let mut thin = Line::new();
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
