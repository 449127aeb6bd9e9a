//! Number and colour of a pane.

use crate::canvas::CanvasPoint;
use crate::pen::Pen;
use crate::text::Ink;
use crate::theme::{Colour, ViewTheme};

/// The colour of a pane's line.
pub(crate) fn pane_colour(theme: &ViewTheme, pane: usize) -> Colour {
    theme.lines[[1, 0, 4, 6][pane % 4]]
}

/// A pane's number, as on the key that selects it, on the colour of its lines; `at` is the lower
/// left corner.
pub fn mark(pen: &mut Pen, at: CanvasPoint, size: f64, pane: usize) {
    pen.bar((at.0, at.0 + size), (at.1 - size, at.1), pane_colour(pen.theme, pane), 255);
    let ink = Ink::bold(size * 0.8, pen.theme.card.0);
    pen.text_about((at.0 + 0.5 * size, at.1 - 0.22 * size), ink, &(pane + 1).to_string());
}
