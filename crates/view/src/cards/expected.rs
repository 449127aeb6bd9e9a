//! Marks of expected values in a plot: each stands at the time where it counts, as high as its
//! tolerance.

use super::axis::{Axis, height_of};
use crate::canvas::{CanvasPoint, Rect};
use crate::display::{Display, ExpectedValue, Measured};
use crate::pen::Pen;
use crate::text::Ink;
use stiction_scene::Moment;

/// Half the width of a mark.
const HALF: f64 = 4.5;

/// Height below which a mark is a ring.
const LOW: f64 = 8.0;

/// Share of the axis of time by which a mark may stand beyond its end: the last step may end there.
const BEYOND: f64 = 1e-6;

/// An expected value with its tolerance at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedMark {
    /// Time \[s\].
    pub time: f64,
    /// The least and greatest value within the tolerance.
    pub range: (f64, f64),
    /// The word beside it, of an extreme.
    pub word: &'static str,
}

/// The expected values of a measure of a run; `columns` are its values over time, at whose extremes those of
/// extremes stand.
pub fn marks(
    display: &Display,
    measured: &Measured,
    columns: &[&[CanvasPoint]],
) -> Vec<ExpectedMark> {
    let mark = |value: &ExpectedValue| {
        let line = *columns.get(value.column)?;
        let (time, word) = match value.at {
            Moment::Time(time) => (Some(time), ""),
            Moment::End => (end(display), ""),
            Moment::Maximum => (time_of(line, |a, b| a > b), "max"),
            Moment::Minimum => (time_of(line, |a, b| a < b), "min"),
        };
        time.map(|time| ExpectedMark { time, range: value.range, word })
    };
    measured.expected.iter().filter_map(mark).collect()
}

/// The time at which the values of the end are compared \[s\]: that of the last sample once the run is over.
fn end(display: &Display) -> Option<f64> {
    let last = display.history.samples().last().map(|sample| sample.time);
    let over = last.filter(|_| display.playback.ended);
    over.or(display.labels.end)
}

/// The first time of a line's extreme so far.
fn time_of(line: &[CanvasPoint], better: fn(f64, f64) -> bool) -> Option<f64> {
    let known = line.iter().filter(|point| point.1.is_finite());
    known.reduce(|best, point| if better(point.1, best.1) { point } else { best }).map(|p| p.0)
}

/// Whether a mark stands within the axis of time.
pub(super) fn stands(mark: &ExpectedMark, across: &Axis) -> bool {
    across.share(mark.time).is_some_and(|share| (-BEYOND..=1.0 + BEYOND).contains(&share))
}

/// Draws marks: a bar over the tolerance with its ends, or a ring where that is lower than a line.
pub(super) fn draw(
    pen: &mut Pen,
    inner: &Rect,
    (across, up): (&Axis, &Axis),
    all: &[ExpectedMark],
) {
    let colour = pen.theme.good;
    for mark in all.iter().filter(|mark| stands(mark, across)) {
        let (low, high) = mark.range;
        let (Some(x), Some(low), Some(high)) =
            (across.share(mark.time), up.share(low), up.share(high))
        else {
            continue;
        };
        let x = f64::from(inner.x0) + f64::from(inner.width()) * x;
        let [low, high] = [low, high].map(|share| height_of(inner, share));
        if low - high < LOW {
            let at = (x, 0.5 * (low + high));
            pen.disc(at, HALF + 0.5, colour);
            pen.disc(at, HALF - 1.5, pen.theme.card.0);
        } else {
            pen.bar((x - 1.0, x + 1.0), (high, low), colour, 255);
            for y in [low, high] {
                pen.bar((x - HALF, x + HALF), (y - 1.0, y + 1.0), colour, 255);
            }
        }
        write(pen, inner, (x, high), mark.word);
    }
}

/// Writes a word beside the upper end of a mark, at its left where there is no room at its right.
fn write(pen: &mut Pen, inner: &Rect, (x, y): (f64, f64), word: &str) {
    let ink = Ink::regular(11.5, pen.theme.good);
    let width = pen.width(ink, word);
    let right = x + HALF + 3.0;
    let left = if right + width > f64::from(inner.x1) { x - HALF - 3.0 - width } else { right };
    pen.text((left, (y + 4.0).max(f64::from(inner.y0) + 10.0)), ink, word);
}
