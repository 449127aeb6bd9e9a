//! One plot: lines over a common axis, round ticks, names at the ends of the lines.

use super::axis::{Axis, AxisKind, Tick, height_of};
use super::expected::{self, ExpectedMark};
use crate::canvas::{CanvasPoint, Rect};
use crate::pen::Pen;
use crate::text::{Ink, is_plain};
use crate::theme::Colour;

/// Space at the left of a plot for its ticks.
pub(crate) const LEFT: i32 = 46;
/// Space at the right for names.
pub const RIGHT: i32 = 82;
/// Space at the right for numbers of panes.
pub(crate) const NUMBERS: i32 = 34;
const HEAD: i32 = 21;
/// Space below a plot for the ticks of its x axis.
pub(crate) const FOOT: i32 = 17;
const SMALL: f64 = 11.5;
/// Least distance between names at the ends of lines.
const NAMES: f64 = 12.5;

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub struct CardLine {
    /// The text at its end.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
    /// Its points; one that is not finite is a gap.
    pub points: Vec<CanvasPoint>,
}

/// A plot.
#[derive(Debug, Clone, PartialEq)]
pub struct CardPlot {
    /// Its title.
    pub title: String,
    /// The unit of its values, without prefix.
    pub unit: &'static str,
    /// Scale of its y axis.
    pub kind: AxisKind,
    /// Its lines.
    pub lines: Vec<CardLine>,
    /// A dashed line, above which the lines are red.
    pub limit: Option<f64>,
    /// Expected values.
    pub expected: Vec<ExpectedMark>,
    /// The x axis, and the label below it, if any.
    pub across: (Axis, Option<String>),
    /// Space at the right, [`RIGHT`] or `NUMBERS`.
    pub right: i32,
    /// The text of an empty plot.
    pub empty: &'static str,
}

/// The part of a plot's rectangle for its lines.
pub fn inner(rect: &Rect, foot: bool, right: i32) -> Rect {
    let y1 = rect.y1 - if foot { FOOT } else { 9 };
    Rect { x0: rect.x0 + LEFT, y0: rect.y0 + HEAD, x1: rect.x1 - right, y1 }
}

/// Draws a plot into its rectangle.
pub fn draw(pen: &mut Pen, rect: &Rect, plot: &CardPlot) {
    let theme = pen.theme;
    let (across, below) = &plot.across;
    let inner = inner(rect, below.is_some(), plot.right);
    if inner.width() < 20 || inner.height() < 20 {
        return;
    }
    let values = plot.lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let marks = plot.expected.iter().filter(|mark| expected::stands(mark, across));
    let ends = marks.flat_map(|mark| [mark.range.0, mark.range.1]);
    let up = Axis::showing(plot.kind, values.chain(plot.limit).chain(ends));
    let up = up.map(|up| if is_plain(plot.unit) { up.of_ratio() } else { up });
    let nothing = !plot.lines.iter().any(|line| !line.points.is_empty());
    let up = up.filter(|_| !nothing);
    heading(pen, rect, plot, up.as_ref());
    pen.fill(&inner, theme.faint, 20);
    let Some(up) = up else {
        let ink = Ink::regular(12.5, theme.faint);
        let x = f64::from(inner.x0 + inner.x1) / 2.0;
        let y = f64::from(inner.y0 + inner.y1) / 2.0 + 4.0;
        return pen.text_about((x, y), ink, plot.empty);
    };
    ticks_up(pen, &inner, &up);
    ticks_across(pen, &inner, across, below.as_deref());
    expected::draw(pen, &inner, (across, &up), &plot.expected);
    if let Some(share) = plot.limit.and_then(|limit| up.share(limit)) {
        dashes(pen, &inner, share);
    }
    let mut ends = Vec::new();
    pen.within(&inner, |pen| {
        for line in &plot.lines {
            let last = trace(pen, &inner, (across, &up), line, plot.limit);
            ends.extend(last.map(|y| (y, line)));
        }
    });
    names(pen, &inner, plot.right, ends);
}

fn heading(pen: &mut Pen, rect: &Rect, plot: &CardPlot, up: Option<&Axis>) {
    let at = (f64::from(rect.x0), f64::from(rect.y0) + 14.0);
    let ink = Ink::bold(12.5, pen.theme.ink);
    let width = f64::from(rect.width());
    let title = pen.fit(ink, &plot.title, width - 36.0);
    let end = pen.text(at, ink, &title);
    let unit = up.map(|up| up.unit(plot.unit)).filter(|unit| !unit.is_empty());
    if let Some(unit) = unit {
        pen.text((at.0 + end + 7.0, at.1), Ink::regular(12.5, pen.theme.faint), &unit);
    }
}

fn ticks_up(pen: &mut Pen, inner: &Rect, up: &Axis) {
    let theme = pen.theme;
    let ink = Ink::regular(SMALL, theme.faint);
    let (left, right) = (f64::from(inner.x0), f64::from(inner.x1));
    let most = if up.kind == AxisKind::Log { 18 } else { 24 };
    let ticks = up.ticks((inner.height() / most) as usize);
    // long numbers are written smaller, so that they stay beside the plot
    let widest = ticks.iter().map(|tick| pen.width(ink, &tick.text)).fold(0.0, f64::max);
    let room = f64::from(LEFT) - 5.0;
    let ink = Ink { size: if widest > room { ink.size * room / widest } else { ink.size }, ..ink };
    for tick in ticks {
        let y = height_of(inner, tick.share);
        pen.bar((left, right), (y, y), theme.border, 255);
        // the number stays clear of the title above and of the ticks below
        let baseline = (y + 4.0).clamp(f64::from(inner.y0) + 6.0, f64::from(inner.y1) + 3.0);
        number(pen, (left - 5.0, baseline), ink, &tick);
    }
}

/// A number that ends at `at`, with its exponent raised.
fn number(pen: &mut Pen, at: CanvasPoint, ink: Ink, tick: &Tick) {
    let mut right = at.0;
    if let Some(power) = tick.power {
        let small = Ink { size: ink.size * 0.8, ..ink };
        let text = power.to_string().replace('-', "−");
        pen.text_before((right, at.1 - 4.0), small, &text);
        right -= pen.width(small, &text) + 0.5;
    }
    pen.text_before((right, at.1), ink, &tick.text);
}

/// The grid of an x axis, with numbers below if it has a name.
pub(crate) fn ticks_across(pen: &mut Pen, inner: &Rect, across: &Axis, name: Option<&str>) {
    let theme = pen.theme;
    let ink = Ink::regular(SMALL, theme.faint);
    let rows = (f64::from(inner.y0), f64::from(inner.y1));
    let width = f64::from(inner.width());
    let baseline = rows.1 + 12.5;
    let mut free = f64::from(inner.x0) - 30.0;
    for tick in across.ticks((inner.width() / 52) as usize) {
        let x = f64::from(inner.x0) + width * tick.share;
        pen.bar((x, x), rows, theme.border, 150);
        let half = 0.5 * pen.width(ink, &tick.text);
        if name.is_some() && x - half > free {
            pen.text_about((x, baseline), ink, &tick.text);
            free = x + half + 6.0;
        }
    }
    if let Some(name) = name {
        let x = (f64::from(inner.x1) + 8.0).max(free);
        pen.text((x, baseline), ink, name);
    }
}

fn dashes(pen: &mut Pen, inner: &Rect, share: f64) {
    let y = height_of(inner, share);
    let mut x = f64::from(inner.x0);
    while x < f64::from(inner.x1) {
        let end = (x + 6.0).min(f64::from(inner.x1));
        pen.line((x, y), (end, y), 1.5, pen.theme.ink, 255);
        x += 10.0;
    }
    let ink = Ink::regular(SMALL, pen.theme.ink);
    let above = if share > 0.8 { y + 12.0 } else { y - 4.0 };
    pen.text((f64::from(inner.x0) + 4.0, above), ink, "limit");
}

/// Draws a line; returns the height of its end.
fn trace(
    pen: &mut Pen,
    inner: &Rect,
    (across, up): (&Axis, &Axis),
    line: &CardLine,
    limit: Option<f64>,
) -> Option<f64> {
    let theme = pen.theme;
    let mut before: Option<CanvasPoint> = None;
    let mut last = None;
    for point in &line.points {
        let (Some(x), Some(y)) = (across.share(point.0), up.share(point.1)) else {
            before = None;
            continue;
        };
        let at = (f64::from(inner.x0) + f64::from(inner.width()) * x, height_of(inner, y));
        let colour = match limit {
            Some(limit) if point.1 > limit => theme.bad,
            _ => line.colour,
        };
        last = Some((at, colour));
        match before {
            // invisible pieces are not drawn
            Some(from) if (at.0 - from.0).abs() + (at.1 - from.1).abs() < 0.7 => {}
            Some(from) => {
                pen.line(from, at, 1.7, colour, 255);
                before = Some(at);
            }
            None => before = Some(at),
        }
    }
    let (at, colour) = last?;
    if let Some(from) = before {
        pen.line(from, at, 1.7, colour, 255);
    }
    pen.disc(at, 2.6, colour);
    Some(at.1)
}

/// Names at the ends of the lines, moved apart. If there is not enough space, the first ones are
/// kept.
fn names(pen: &mut Pen, inner: &Rect, right: i32, mut ends: Vec<(f64, &CardLine)>) {
    let (top, bottom) = (f64::from(inner.y0) - 2.0, f64::from(inner.y1) + 2.0);
    ends.retain(|(_, line)| !line.name.is_empty());
    ends.truncate(((bottom - top) / NAMES) as usize);
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut places: Vec<f64> = ends.iter().map(|end| end.0).collect();
    spread(&mut places, NAMES, (top + 0.5 * NAMES, bottom - 0.5 * NAMES));
    let x = f64::from(inner.x1) + 7.0;
    for ((_, line), y) in ends.iter().zip(places) {
        let ink = Ink::bold(SMALL, line.colour);
        let name = pen.fit(ink, &line.name, f64::from(right) - 8.0);
        pen.text((x, y + 4.0), ink, &name);
    }
}

/// Moves ascending positions apart to at least `gap`, within `low..high`.
fn spread(places: &mut [f64], gap: f64, (low, high): (f64, f64)) {
    let mut free = low;
    for place in places.iter_mut() {
        *place = place.max(free);
        free = *place + gap;
    }
    let mut free = high;
    for place in places.iter_mut().rev() {
        *place = place.min(free);
        free = *place - gap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_moved_apart_and_stay_inside() {
        let mut places = [-5.0, 1.0, 2.0, 99.0, 100.0, 130.0];
        spread(&mut places, 12.0, (0.0, 100.0));
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 12.0), "{places:?}");
        assert!(places[0] >= 0.0 && places[5] <= 100.0, "{places:?}");
    }
}
