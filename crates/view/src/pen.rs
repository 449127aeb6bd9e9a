//! A pen: draws text, cards and lines in pixels of the design; a fine screen has several pixels for
//! each.

use super::canvas::{Canvas, CanvasPoint, Rect};
use super::text::{Ink, Typeface, signed_text};
use super::theme::{Colour, ViewTheme};

/// Draws on a canvas in pixels of the design.
pub struct Pen<'a> {
    /// The canvas.
    pub canvas: &'a mut Canvas,
    /// The letters.
    pub typeface: &'a Typeface,
    /// The colours.
    pub theme: &'static ViewTheme,
    /// Pixels of the canvas per pixel of the design.
    pub scale: f64,
}

/// A length of the design on the canvas, rounded.
fn scaled(length: i32, scale: f64) -> i32 {
    (f64::from(length) * scale).round() as i32
}

/// A rectangle of the design on a canvas.
pub(crate) fn on_canvas(rect: &Rect, scale: f64) -> Rect {
    let [x0, y0, x1, y1] = [rect.x0, rect.y0, rect.x1, rect.y1].map(|v| scaled(v, scale));
    Rect { x0, y0, x1, y1 }
}

impl Pen<'_> {
    fn at(&self, (x, y): CanvasPoint) -> CanvasPoint {
        (x * self.scale, y * self.scale)
    }

    fn ink(&self, ink: Ink) -> Ink {
        Ink { size: ink.size * self.scale, ..ink }
    }

    /// Writes a text with the left end of the baseline at `at`; returns the width.
    pub fn text(&mut self, at: CanvasPoint, ink: Ink, text: &str) -> f64 {
        let (at, ink) = (self.at(at), self.ink(ink));
        self.typeface.draw(self.canvas, at, ink, text) / self.scale
    }

    /// Writes a text with the right end of the baseline at `at`.
    pub(crate) fn text_before(&mut self, at: CanvasPoint, ink: Ink, text: &str) {
        let start = at.0 - self.width(ink, text);
        self.text((start, at.1), ink, text);
    }

    /// Writes a text with the middle of the baseline at `at`.
    pub(crate) fn text_about(&mut self, at: CanvasPoint, ink: Ink, text: &str) {
        let start = at.0 - 0.5 * self.width(ink, text);
        self.text((start, at.1), ink, text);
    }

    /// Width of a text.
    pub fn width(&self, ink: Ink, text: &str) -> f64 {
        self.typeface.width(self.ink(ink), text) / self.scale
    }

    /// The text itself, or the part of its beginning that fits, with "…".
    pub fn fit(&self, ink: Ink, text: &str, width: f64) -> String {
        if self.width(ink, text) <= width {
            return text.to_string();
        }
        let mut left = width - self.width(ink, "…");
        let mut short = String::new();
        for letter in signed_text(text).chars() {
            left -= self.width(ink, letter.encode_utf8(&mut [0; 4]));
            if left < 0.0 {
                break;
            }
            short.push(letter);
        }
        short.truncate(short.trim_end().len());
        short.push('…');
        short
    }

    /// Breaks a text into lines.
    pub fn wrap(&self, ink: Ink, text: &str, width: f64) -> Vec<String> {
        self.typeface.wrap(self.ink(ink), text, width * self.scale)
    }

    /// A card in the theme's colours, of opacity `opacity`/255.
    pub fn card(&mut self, rect: &Rect, opacity: u8) {
        let fill = (self.theme.card.0, opacity);
        self.canvas.card(on_canvas(rect, self.scale), 9.0 * self.scale, fill, self.theme.border);
    }

    /// A rounded box, for buttons.
    pub(crate) fn chip(&mut self, rect: &Rect, fill: (Colour, u8), border: Colour) {
        self.canvas.card(on_canvas(rect, self.scale), 5.0 * self.scale, fill, border);
    }

    /// A filled rectangle.
    pub fn fill(&mut self, rect: &Rect, colour: Colour, alpha: u8) {
        self.canvas.rectangle(on_canvas(rect, self.scale), colour, alpha);
    }

    /// A filled rectangle at positions that need not be whole pixels, at least one pixel wide and
    /// high.
    pub fn bar(&mut self, (x0, x1): (f64, f64), (y0, y1): (f64, f64), colour: Colour, alpha: u8) {
        let whole = |v: f64| (v * self.scale).round().clamp(-1e6, 1e6) as i32;
        let [x0, x1, y0, y1] = [x0, x1, y0, y1].map(whole);
        let rect = Rect { x0, y0, x1: x1.max(x0 + 1), y1: y1.max(y0 + 1) };
        self.canvas.rectangle(rect, colour, alpha);
    }

    /// A line.
    pub fn line(&mut self, a: CanvasPoint, b: CanvasPoint, width: f64, colour: Colour, alpha: u8) {
        let (a, b) = (self.at(a), self.at(b));
        self.canvas.line(a, b, width * self.scale, colour, alpha);
    }

    /// A picture, at the upper left corner of a rectangle.
    pub fn picture(&mut self, rect: &Rect, picture: &Canvas) {
        let place = on_canvas(rect, self.scale);
        self.canvas.copy(picture, (place.x0, place.y0));
    }

    /// A disc.
    pub fn disc(&mut self, at: CanvasPoint, radius: f64, colour: Colour) {
        let at = self.at(at);
        self.canvas.disc(at, radius * self.scale, colour, 255);
    }

    /// A triangle.
    pub fn triangle(&mut self, corners: [CanvasPoint; 3], colour: Colour) {
        let corners = corners.map(|corner| self.at(corner));
        self.canvas.triangle(corners, colour, 255);
    }

    /// A frame along the inside of a rectangle.
    pub fn frame(&mut self, rect: &Rect, width: i32, colour: Colour) {
        let Rect { x0, y0, x1, y1 } = *rect;
        for side in [
            Rect { y1: y0 + width, ..*rect },
            Rect { y0: y1 - width, ..*rect },
            Rect { x0, x1: x0 + width, y0: y0 + width, y1: y1 - width },
            Rect { x0: x1 - width, x1, y0: y0 + width, y1: y1 - width },
        ] {
            self.fill(&side, colour, 255);
        }
    }

    /// Restricts drawing to a rectangle.
    pub fn within(&mut self, rect: &Rect, draw: impl FnOnce(&mut Pen)) {
        let before = self.canvas.clip();
        self.canvas.set_clip(on_canvas(rect, self.scale).intersection(&before));
        draw(self);
        self.canvas.set_clip(before);
    }
}
