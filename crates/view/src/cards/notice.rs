//! Messages shown once, and the sign that a film is being written.

use super::{MARGIN, rect};
use crate::canvas::Rect;
use crate::pen::Pen;
use crate::text::Ink;

const LINE: i32 = 19;

/// Width kept free at the right for the legend of the picture.
const LEGEND: i32 = 250;

/// The lines of a notice and the card around them, at the bottom of `focus` beside the legend.
pub(crate) fn arrange(pen: &Pen, focus: &Rect, text: &str) -> (Rect, Vec<String>) {
    let ink = Ink::regular(13.5, pen.theme.ink);
    let beside = focus.width() - LEGEND - 2 * MARGIN;
    let widest = if beside >= 220 { beside } else { focus.width() - 2 * MARGIN };
    let mut lines = pen.wrap(ink, text, f64::from((widest - 28).max(40)));
    lines.truncate(6);
    let width = lines.iter().map(|line| pen.width(ink, line)).fold(0.0, f64::max);
    let width = (width.ceil() as i32 + 28).min(widest.max(1));
    let height = lines.len() as i32 * LINE + 16;
    (rect(focus.x0 + MARGIN, focus.y1 - MARGIN - height, width, height), lines)
}

/// Draws a notice; returns its card.
pub fn draw(pen: &mut Pen, focus: &Rect, text: &str) -> Rect {
    let (card, lines) = arrange(pen, focus, text);
    let theme = pen.theme;
    pen.card(&card, 245);
    let edge = (f64::from(card.x0), f64::from(card.x0) + 4.0);
    pen.bar(edge, (f64::from(card.y0) + 8.0, f64::from(card.y1) - 8.0), theme.compressed, 255);
    for (k, line) in lines.iter().enumerate() {
        let baseline = f64::from(card.y0 + 8 + k as i32 * LINE) + 14.0;
        let line = pen.fit(Ink::regular(13.5, theme.ink), line, f64::from(card.width() - 20));
        let at = (f64::from(card.x0) + 14.0, baseline);
        pen.text(at, Ink::regular(13.5, theme.ink), &line);
    }
    card
}

/// Draws the red dot of a film into the upper right corner of `focus`; returns its card.
pub(crate) fn draw_filming(pen: &mut Pen, focus: &Rect) -> Rect {
    let theme = pen.theme;
    let card = rect(focus.x1 - MARGIN - 74, focus.y0 + MARGIN, 74, 28);
    pen.card(&card, 240);
    let middle = f64::from(card.y0) + 14.0;
    pen.disc((f64::from(card.x0) + 18.0, middle), 6.0, theme.bad);
    let at = (f64::from(card.x0) + 31.0, middle + 4.5);
    pen.text(at, Ink::bold(13.0, theme.ink), "film");
    card
}
