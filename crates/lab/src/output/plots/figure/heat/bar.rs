//! The bar of colours of a heat map, with its numbers and its name: at the right of the cells or below
//! them.

use super::super::axes::{Frame, MARK, THIN};
use super::super::letters::{LINE, lines, width};
use super::super::sheet::{FAINT, Lettering, Place, Sheet, Side};
use super::super::ticks::Scale;
use plotters::prelude::RGBColor;
use stiction_core::math::larger;

/// Distance from the cells, and width, in sizes of letters.
const APART: f64 = 1.2;
const BAR: f64 = 1.4;

/// Height of a bar below the cells, with its numbers, its name in a line and the distances, in sizes
/// of letters.
pub const BELOW: f64 = 0.6 + 1.0 + MARK + 0.2 + 2.0 * LINE + 0.4;

/// Number of colours.
const COLOURS: usize = 128;

/// Width of a bar at the right \[pt\], of which the longest number is known: some more numbers may
/// fit later, and the name has two lines.
pub fn beside(longest: f64, em: f64) -> f64 {
    (APART + BAR + MARK + 0.3 + 1.3 + 2.0 * LINE) * em + longest
}

/// A scale with as many numbers as fit a length \[pt\], upright or along x.
pub fn fitted(colours: Scale, (length, upright): (f64, bool), em: f64) -> Scale {
    let apart = |a: (f64, &str), b: (f64, &str)| {
        let half = (width(a.1, em, false) + width(b.1, em, false)) / 2.0;
        (b.0 - a.0) * length >= if upright { 1.6 * em } else { half + 0.7 * em }
    };
    colours.fitted(&apart)
}

/// A bar of colours.
pub struct ColourBar<'b> {
    /// Its scale.
    pub colours: &'b Scale,
    /// The quantity, with its unit.
    pub name: &'b str,
    /// Number of values beyond the lower end, if there are any.
    pub beyond: Option<&'b str>,
    /// Size of letters \[pt\].
    pub em: f64,
}

impl ColourBar<'_> {
    fn text(&self, text: &str, at: Place, side: Side, class: &'static str) -> Lettering {
        Lettering { text: text.into(), at, size: self.em, side, class, ..Lettering::default() }
    }

    /// Draws it at the right of the cells.
    pub fn draw_beside(&self, cells: Frame, sheet: &mut Sheet) {
        let (em, colours) = (self.em, self.colours);
        let Frame { top, bottom, right, .. } = cells;
        let (x, high) = (right + APART * em, bottom - top);
        let beyond = x + BAR * em;
        for k in 0..COLOURS {
            let at = |k: usize| bottom - high * k as f64 / COLOURS as f64;
            // each reaches under the next, so that no gap shows
            let upper = at((k + 2).min(COLOURS));
            sheet.rectangle([(x, upper), (beyond, at(k))], step(k));
        }
        let number = beyond + (MARK + 0.3) * em;
        let mut longest = 0.0;
        for (at, text) in colours.labelled() {
            let y = bottom - colours.share(*at) * high;
            sheet.stroke([(beyond, y), (beyond + MARK * em, y)], FAINT, THIN * em);
            sheet.text(self.text(text, (number, y), Side::Begin, "colour"));
            longest = larger(longest, width(text, em, false));
        }
        if let Some(text) = self.beyond {
            let corners = [(x, bottom + 0.1 * em), (beyond, bottom + em)];
            sheet.rectangle(corners, colour(0.0));
            let at = (number, bottom + larger(0.6, MARK) * em + 0.6 * em);
            sheet.text(self.text(text, at, Side::Begin, "colour"));
            longest = larger(longest, width(text, em, false));
        }
        for (row, text) in lines(self.name, high + em, em, false, 2).iter().enumerate() {
            let x = number + longest + (0.3 + LINE * (row as f64 + 0.5)) * em;
            let at = (x, (top + bottom) / 2.0);
            sheet.text(Lettering { turned: true, ..self.text(text, at, Side::Middle, "") });
        }
    }

    /// Draws it into a place below the cells, [`BELOW`] high.
    pub fn draw_below(&self, place: Frame, sheet: &mut Sheet) {
        let (em, colours) = (self.em, self.colours);
        let room = self.beyond.map_or(0.0, |text| width(text, em, false) + 2.0 * em);
        let (left, right) = (place.left + room, place.right);
        let (top, bottom) = (place.top + 0.6 * em, place.top + 1.6 * em);
        for k in 0..COLOURS {
            let at = |k: usize| left + (right - left) * k as f64 / COLOURS as f64;
            let next = at((k + 2).min(COLOURS));
            sheet.rectangle([(at(k), top), (next, bottom)], step(k));
        }
        let number = bottom + (MARK + 0.2 + LINE / 2.0) * em;
        for (at, text) in colours.labelled() {
            let x = left + colours.share(*at) * (right - left);
            sheet.stroke([(x, bottom), (x, bottom + MARK * em)], FAINT, THIN * em);
            sheet.text(self.text(text, (x, number), Side::Middle, "colour"));
        }
        if let Some(text) = self.beyond {
            let corners = [(place.left, top), (place.left + em, bottom)];
            sheet.rectangle(corners, colour(0.0));
            sheet.text(self.text(text, (place.left, number), Side::Begin, "colour"));
        }
        let middle = (place.left + right) / 2.0;
        for text in lines(self.name, place.width() + 2.0 * em, em, false, 1) {
            let at = (middle, number + LINE * em);
            sheet.text(self.text(&text, at, Side::Middle, ""));
        }
    }
}

/// One of the colours.
fn step(k: usize) -> RGBColor {
    colour((k as f64 + 0.5) / COLOURS as f64)
}

/// Place of a value on the colour scale, from 0 to 1.
pub fn share(value: f64, colours: &Scale) -> f64 {
    let share = colours.share(colours.place(value));
    // values without a logarithm are at the lower end
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

/// Dark to light, evenly spaced, also for colour-blind readers: five colours of viridis
/// \[vanderwalt2015\], interpolated.
pub fn colour(share: f64) -> RGBColor {
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
