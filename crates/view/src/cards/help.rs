//! The help: the table of keys and mouse actions, in two or three columns.

use super::rect;
use crate::canvas::Rect;
use crate::keys::{BINDINGS, MOUSE};
use crate::pen::Pen;
use crate::text::Ink;

const LINE: i32 = 20;
const HEAD: i32 = 48;
const RIM: i32 = 18;

/// Entries of the help: keys and their actions.
pub fn entries() -> Vec<(&'static str, &'static str)> {
    let keys = BINDINGS.iter().map(|binding| (binding.shown, binding.about));
    keys.chain(MOUSE.iter().copied()).collect()
}

/// Draws the help into the middle of `pane`, scaled down if it does not fit; returns its card.
pub fn draw(pen: &mut Pen, pane: &Rect) -> Rect {
    let entries = entries();
    let (key, text) = (Ink::bold(13.0, pen.theme.ink), Ink::regular(13.0, pen.theme.ink));
    let widest = |ink: Ink, of: fn(&(&'static str, &'static str)) -> &'static str| {
        let widths = entries.iter().map(|entry| pen.width(ink, of(entry)));
        widths.fold(0.0, f64::max).ceil() as i32
    };
    let keys = widest(key, |entry| entry.0) + 14;
    let column = keys + widest(text, |entry| entry.1) + 26;
    let room = |height: i32| ((height - HEAD - 2 * RIM) / LINE).max(1);
    let count = entries.len() as i32;
    // two columns are most readable; three only in a low window
    let columns = [2, 3].into_iter().find(|n| n * room(pane.height()) >= count).unwrap_or(3);
    let rows = (count + columns - 1) / columns;
    let (width, height) = (column * columns + 2 * RIM - 26, rows * LINE + HEAD + RIM);
    let shrink = (f64::from(pane.width() - 16) / f64::from(width))
        .min(f64::from(pane.height() - 16) / f64::from(height))
        .clamp(0.05, 1.0);
    let before = pen.scale;
    pen.scale *= shrink;
    let middle = |low: i32, high: i32| (f64::from(low + high) / (2.0 * shrink)) as i32;
    let card = rect(
        middle(pane.x0, pane.x1) - width / 2,
        middle(pane.y0, pane.y1) - height / 2,
        width,
        height,
    );
    pen.card(&card, 250);
    let heading = Ink::bold(16.0, pen.theme.ink);
    let left = f64::from(card.x0 + RIM);
    pen.text((left, f64::from(card.y0 + 30)), heading, "Keys and mouse");
    for (k, (shown, about)) in entries.iter().enumerate() {
        let (column_number, row) = (k as i32 / rows, k as i32 % rows);
        let x = f64::from(card.x0 + RIM + column_number * column);
        let y = f64::from(card.y0 + HEAD + row * LINE + 14);
        pen.text((x, y), key, shown);
        pen.text((x + f64::from(keys), y), text, about);
    }
    pen.scale = before;
    let back = |v: i32| (f64::from(v) * shrink).round() as i32;
    Rect { x0: back(card.x0), y0: back(card.y0), x1: back(card.x1), y1: back(card.y1) }
}
