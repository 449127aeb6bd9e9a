//! A pair of axes: their place on the sheet, with marks, numbers and names.

use super::PlotAxis;
use super::letters::{LINE, lines, width};
use super::sheet::{FAINT, GRID, Lettering, Place, Sheet, Side};
use super::ticks::Scale;
use stiction_core::math::larger;

/// A rectangle on the sheet \[pt\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Frame {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// A pair of axes on the sheet.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axes {
    /// The area of the lines.
    pub inner: Frame,
    /// The scale along x.
    pub across: Scale,
    /// The scale along y.
    pub up: Scale,
    names: [Vec<String>; 2],
}

/// Length of a labelled mark, width of thin lines, and least distance of two numbers side by side
/// and above each other, in sizes of letters.
pub(super) const MARK: f64 = 0.4;
pub(super) const THIN: f64 = 0.08;
const APART: f64 = 0.7;
const ABOVE: f64 = 1.6;
/// Distance of the numbers of the axis along y from its name, in sizes of letters.
const BESIDE: f64 = 0.25;

/// Largest number of lines of an axis' name.
const NAME_LINES: usize = 4;

impl Axes {
    /// Axes within an outer box that holds their numbers and names too, with a margin before and behind
    /// the data along x \[pt\], and one along y over the range of the data.
    pub fn within(
        outer: Frame,
        axes: [&PlotAxis; 2],
        (points, margins): (&[(f64, f64)], [f64; 2]),
        letters: f64,
    ) -> Axes {
        let mut inner = Frame { left: outer.left + 5.0 * letters, ..outer };
        let mut names = [Vec::new(), Vec::new()];
        let mut scales = Vec::new();
        let shown = |side: usize| {
            let own = points.iter().map(move |(x, y)| if side == 0 { *x } else { *y });
            own.chain(axes[side].also.into_iter().flatten())
        };
        // the room of each axis depends on the numbers of the other
        for _ in 0..3 {
            let below = MARK + 0.35 + LINE + LINE * names[0].len() as f64;
            inner.bottom = outer.bottom - letters * below;
            inner.top = outer.top + 0.6 * letters;
            let (length, high) = (inner.width(), inner.height());
            let beside = |a: (f64, &str), b: (f64, &str)| {
                let half = (width(a.1, letters, false) + width(b.1, letters, false)) / 2.0;
                (b.0 - a.0) * length >= half + APART * letters
            };
            let above = |a: (f64, &str), b: (f64, &str)| (b.0 - a.0) * high >= ABOVE * letters;
            let before = margins[0] / larger(length - 2.0 * margins[0], margins[0] + 1.0);
            let x = Scale::new(axes[0], shown(0), 6, before).fitted(&beside);
            let y = Scale::new(axes[1], shown(1), 6, margins[1]).fitted(&above);
            let wide = |scale: &Scale| {
                let widths = scale.labelled().iter().map(|(_, text)| width(text, letters, false));
                widths.fold(0.0, |a, b| if b > a { b } else { a })
            };
            let name = |label: String, room: f64| lines(&label, room, letters, false, NAME_LINES);
            names = [
                name(x.name(&axes[0].label), length),
                name(y.name(&axes[1].label), high + letters),
            ];
            let numbers = wide(&y) + (MARK + 0.4 + BESIDE) * letters;
            inner.left = outer.left + numbers + letters * (LINE * names[1].len() as f64 + 0.2);
            let end = x.labelled().last().map_or(0.0, |(at, text)| {
                width(text, letters, false) / 2.0 - (1.0 - x.share(*at)) * length
            });
            inner.right = outer.right - if end > letters { end } else { letters };
            scales = vec![x, y];
        }
        let (up, across) = (scales.pop(), scales.pop());
        let (across, up) = (across.expect("one pass"), up.expect("one pass"));
        Axes { inner, across, up, names }
    }

    /// Place of a point in the coordinates of the scales.
    pub fn place(&self, (x, y): (f64, f64)) -> Place {
        let Frame { left, bottom, .. } = self.inner;
        let across = left + self.across.share(x) * self.inner.width();
        (across, bottom - self.up.share(y) * self.inner.height())
    }

    /// Draws grid, axes, marks, numbers and names.
    pub fn draw(&self, sheet: &mut Sheet, letters: f64) {
        let Frame { left, top, right, bottom } = self.inner;
        let thin = THIN * letters;
        let (long, short) = (MARK * letters, MARK * letters / 2.0);
        let x = |at: f64| left + self.across.share(at) * (right - left);
        let y = |at: f64| bottom - self.up.share(at) * (bottom - top);
        for (at, _) in self.across.labelled() {
            sheet.stroke([(x(*at), top), (x(*at), bottom)], GRID, thin);
        }
        for (at, _) in self.up.labelled() {
            sheet.stroke([(left, y(*at)), (right, y(*at))], GRID, thin);
        }
        sheet.stroke([(left, top), (left, bottom), (right, bottom)], FAINT, thin);
        let number = |text: &str, at: Place, class: &'static str| {
            let side = if class == "x" { Side::Middle } else { Side::End };
            Lettering { text: text.into(), at, size: letters, side, class, ..Lettering::default() }
        };
        let below = bottom + long + (0.35 + LINE / 2.0) * letters;
        for (at, text) in self.across.labelled() {
            sheet.stroke([(x(*at), bottom), (x(*at), bottom + long)], FAINT, thin);
            sheet.text(number(text, (x(*at), below), "x"));
        }
        for (at, text) in self.up.labelled() {
            sheet.stroke([(left - long, y(*at)), (left, y(*at))], FAINT, thin);
            sheet.text(number(text, (left - long - 0.4 * letters, y(*at)), "y"));
        }
        for at in self.across.minor() {
            sheet.stroke([(x(*at), bottom), (x(*at), bottom + short)], FAINT, thin);
        }
        for at in self.up.minor() {
            sheet.stroke([(left - short, y(*at)), (left, y(*at))], FAINT, thin);
        }
        self.draw_names(sheet, below, letters);
    }

    fn draw_names(&self, sheet: &mut Sheet, below: f64, letters: f64) {
        let Frame { left, top, right, bottom } = self.inner;
        let name = |text: &String, at: Place, turned: bool| Lettering {
            text: text.clone(),
            at,
            size: letters,
            turned,
            ..Lettering::default()
        };
        for (row, text) in self.names[0].iter().enumerate() {
            let at = ((left + right) / 2.0, below + LINE * letters * (row as f64 + 1.0));
            sheet.text(name(text, at, false));
        }
        let numbers = self.up.labelled().iter().map(|(_, text)| width(text, letters, false));
        let wide = numbers.fold(0.0, |a, b| if b > a { b } else { a });
        let first = left - wide - (MARK + 0.4 + BESIDE + LINE / 2.0) * letters;
        for (row, text) in self.names[1].iter().rev().enumerate() {
            let at = (first - LINE * letters * row as f64, (top + bottom) / 2.0);
            sheet.text(name(text, at, true));
        }
    }
}
