//! The title above a picture.

use super::MARGIN;
use crate::canvas::Rect;
use crate::pen::Pen;
use crate::text::{Ink, Typeface};
use crate::theme::ViewTheme;

const SIZE: f64 = 21.0;
const LINE: i32 = 28;

/// Most lines; the end of the last is cut.
const LINES: usize = 2;

fn lines(typeface: &Typeface, text: &str, width: i32) -> Vec<String> {
    typeface.wrap(Ink::bold(SIZE, 0), text, f64::from(width - 2 * MARGIN - 8))
}

/// Height of the strip for a title; 0 where it would leave too little of the picture.
pub fn height(typeface: &Typeface, text: &str, (width, height): (i32, i32)) -> i32 {
    let lines = lines(typeface, text, width).len().min(LINES) as i32;
    let strip = MARGIN + lines * LINE;
    if lines == 0 || 3 * strip > height { 0 } else { strip }
}

/// Draws a title into its strip.
pub fn draw(pen: &mut Pen, strip: &Rect, text: &str) {
    let theme: &ViewTheme = pen.theme;
    let ink = Ink::bold(SIZE, theme.ink);
    let all = lines(pen.typeface, text, strip.width());
    for (k, line) in all.iter().take(LINES).enumerate() {
        let rest = all[k..].join(" ");
        let line = if k + 1 == LINES { &rest } else { line };
        let line = pen.fit(ink, line, f64::from(strip.width() - 2 * MARGIN - 8));
        let baseline = strip.y0 + MARGIN + k as i32 * LINE + 20;
        pen.text((f64::from(strip.x0 + MARGIN + 4), f64::from(baseline)), ink, &line);
    }
}
