//! The series of a panel as strokes and marks, and their samples in a legend.

use super::axes::Axes;
use super::sheet::{DASH, INK, Mark, Place, Sheet};
use super::symbols::{self, Symbol};
use super::{Series, Style};
use plotters::prelude::RGBColor;

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
/// Colours of crosses and intervals.
const WARNING: RGBColor = RGBColor(190, 18, 30);

/// Width of lines and of thin ones, radii of points and of points on lines, arms of crosses and caps of intervals,
/// in sizes of letters.
const WIDTH: f64 = 0.14;
const SLIM: f64 = 0.08;
const POINT: f64 = 0.16;
const MARKED: f64 = 0.24;
const CROSS: f64 = 0.42;
const CAP: f64 = 0.38;

/// Width of a sample in a legend, in sizes of letters.
pub(super) const SAMPLE: f64 = 1.9;

/// Points of a line per point of the sheet, at most.
const DENSE: f64 = 2.0;

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
pub(super) fn shade(series: &Series, number: usize) -> RGBColor {
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

/// Draws a series over axes.
pub(super) fn draw(sheet: &mut Sheet, axes: &Axes, (series, number): (&Series, usize), em: f64) {
    let columns = (axes.inner.width() * DENSE) as usize;
    let colour = shade(series, number);
    for line in unbroken(series, axes) {
        let places: Vec<Place> =
            thinned(line, columns).into_iter().map(|at| axes.place(at)).collect();
        draw_line(sheet, places, (series.style, series.symbol), (colour, em));
    }
}

fn draw_line(
    sheet: &mut Sheet,
    places: Vec<Place>,
    (style, symbol): (Style, Option<usize>),
    (colour, em): (RGBColor, f64),
) {
    let (alone, width) = (places.len() == 1, WIDTH * em);
    let own = symbol.map_or(&[][..], symbols::dashes);
    let mut stroke = |dashes, width| {
        let places = places.clone();
        sheet.marks.push(Mark::Stroke { places, colour, width, dashes });
    };
    match style {
        Style::Line | Style::Marked if !alone => stroke(own, width),
        Style::Thin if !alone => stroke(own, SLIM * em),
        Style::Dashed if !alone => stroke(DASH, width),
        Style::Band(_) => {
            sheet.marks.push(Mark::Area { places, colour, opacity: PALE });
            return;
        }
        Style::Crosses => {
            places.iter().for_each(|at| cross(sheet, *at, (colour, em)));
            return;
        }
        Style::Intervals => {
            for ends in places.chunks_exact(3) {
                interval(sheet, [ends[0], ends[1], ends[2]], (colour, em));
            }
            return;
        }
        _ => {}
    }
    if let Some(number) = symbol.filter(|_| matches!(style, Style::Points | Style::Marked)) {
        places.iter().for_each(|at| Symbol::of(number).draw(sheet, *at, (colour, em)));
    } else if matches!(style, Style::Points | Style::Marked) || alone {
        let radius = em * if style == Style::Points { POINT } else { MARKED };
        places.into_iter().for_each(|at| sheet.disc(at, radius, colour));
    }
}

/// Draws a short sample of a series whose left end is at a place.
pub(super) fn draw_sample(
    sheet: &mut Sheet,
    (x, y): Place,
    (series, number): (&Series, usize),
    em: f64,
) {
    let (colour, middle) = (shade(series, number), x + SAMPLE * em / 2.0);
    let line = vec![(x, y), (x + SAMPLE * em, y)];
    match series.style {
        Style::Line | Style::Dashed | Style::Thin => {
            draw_line(sheet, line, (series.style, series.symbol), (colour, em));
        }
        Style::Marked | Style::Points => {
            if series.style == Style::Marked {
                draw_line(sheet, line, (Style::Line, series.symbol), (colour, em));
            }
            match series.symbol {
                Some(number) => Symbol::of(number).draw(sheet, (middle, y), (colour, em)),
                None => sheet.disc((middle, y), MARKED * em, colour),
            }
        }
        Style::Crosses => cross(sheet, (middle, y), (colour, em)),
        Style::Intervals => {
            let at = |dy: f64| (middle, y + dy * em);
            interval(sheet, [at(0.4), at(0.0), at(-0.4)], (colour, em));
        }
        Style::Band(_) => {}
    }
}

fn cross(sheet: &mut Sheet, (x, y): Place, (colour, em): (RGBColor, f64)) {
    let arm = CROSS * em;
    sheet.stroke([(x - arm, y - arm), (x + arm, y + arm)], colour, WIDTH * em);
    sheet.stroke([(x - arm, y + arm), (x + arm, y - arm)], colour, WIDTH * em);
}

/// Places of the error bars of a series over axes: lower end, point and upper end. A lower end without
/// a place is `None`.
fn bars<'a>(
    axes: &'a Axes,
    series: &'a Series,
) -> impl Iterator<Item = (Option<Place>, Place, Place)> + 'a {
    series.points.iter().zip(&series.errors).filter_map(|((x, y), error)| {
        let at = |y: f64| {
            let place = axes.place((axes.across.place(*x), axes.up.place(y)));
            (place.0.is_finite() && place.1.is_finite()).then_some(place)
        };
        Some((at(y - error), at(*y)?, at(y + error)?))
    })
}

/// Draws the error bars of a series; an arrow goes down to the edge from a bar without a lower end.
pub(super) fn draw_bars(
    sheet: &mut Sheet,
    axes: &Axes,
    (series, number): (&Series, usize),
    em: f64,
) {
    let (colour, width, cap) = (shade(series, number), SLIM * em, CAP * em);
    for (low, _, (x, high)) in bars(axes, series) {
        let bottom = low.map_or(axes.inner.bottom, |low| low.1);
        sheet.stroke([(x, bottom), (x, high)], colour, width);
        sheet.stroke([(x - cap, high), (x + cap, high)], colour, width);
        match low {
            Some((_, low)) => sheet.stroke([(x - cap, low), (x + cap, low)], colour, width),
            None => {
                let head =
                    [(x - 0.7 * cap, bottom - cap), (x, bottom), (x + 0.7 * cap, bottom - cap)];
                sheet.stroke(head, colour, width);
            }
        }
    }
}

/// Whether an error bar of a series reaches beyond its symbol.
pub(super) fn shows_bars(axes: &Axes, series: &Series, em: f64) -> bool {
    let radius = em * series.symbol.map_or(MARKED, |number| Symbol::of(number).radius());
    bars(axes, series).any(|(low, at, high)| low.is_none() || (at.1 - high.1).abs() > radius)
}

/// A vertical interval from its lower through its middle to its upper end.
fn interval(sheet: &mut Sheet, [low, middle, high]: [Place; 3], (colour, em): (RGBColor, f64)) {
    sheet.stroke([low, high], colour, WIDTH * em);
    for (x, y) in [low, high] {
        sheet.stroke([(x - CAP * em, y), (x + CAP * em, y)], colour, WIDTH * em);
    }
    sheet.disc(middle, MARKED * em, colour);
}

/// A line in the coordinates of the scales.
type PlotLine = Vec<(f64, f64)>;

/// The parts of a series between points that cannot be drawn.
fn unbroken(series: &Series, axes: &Axes) -> Vec<PlotLine> {
    let mut lines = vec![PlotLine::new()];
    for (x, y) in &series.points {
        let at = (axes.across.place(*x), axes.up.place(*y));
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
