//! The scene browser: files with their titles, one of them marked.

use super::{Button, rect};
use crate::view::canvas::Rect;
use crate::view::keys::Action;
use crate::view::pen::Pen;
use crate::view::text::Ink;
use crate::view::theme::mix;

const ROW: i32 = 24;
const HEAD: i32 = 52;
const FOOT: i32 = 16;

/// Scenes to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BrowserListing {
    /// File and title of each.
    pub entries: Vec<(String, String)>,
    /// The marked one.
    pub marked: usize,
}

/// Draws the browser into the middle of `pane` so that the marked row is seen; returns its card and
/// its rows.
pub fn draw(pen: &mut Pen, pane: &Rect, listing: &BrowserListing) -> (Rect, Vec<Button>) {
    let theme = pen.theme;
    let count = listing.entries.len() as i32;
    let room = ((pane.height() - 48 - HEAD - FOOT) / ROW).max(1);
    let seen = count.clamp(1, room);
    let width = 760.min(pane.width() - 24).max(40);
    let height = HEAD + seen * ROW + FOOT;
    let card =
        rect((pane.x0 + pane.x1 - width) / 2, (pane.y0 + pane.y1 - height) / 2, width, height);
    pen.card(&card, 250);
    let (left, right) = (f64::from(card.x0 + 18), f64::from(card.x1 - 18));
    let title = Ink::bold(16.0, theme.ink);
    let title_width = pen.text((left, f64::from(card.y0 + 31)), title, "Scenes");
    let quiet = Ink::regular(12.5, theme.faint);
    let hint = "↑ ↓ and enter, or a click, opens · esc closes";
    let hint = pen.fit(quiet, hint, right - left - title_width - 20.0);
    pen.text_before((right, f64::from(card.y0 + 31)), quiet, &hint);
    let names = (f64::from(width) * 0.36).min(250.0);
    let marked = (listing.marked as i32).min(count - 1);
    let first = (marked - seen / 2).clamp(0, (count - seen).max(0));
    if count == 0 {
        pen.text((left, f64::from(card.y0 + HEAD + 16)), quiet, "there are no other scenes");
    }
    let mut buttons = Vec::new();
    for k in first..(first + seen).min(count) {
        let row = rect(card.x0 + 8, card.y0 + HEAD + (k - first) * ROW, width - 24, ROW);
        if k == marked {
            pen.chip(&row, (mix(theme.card.0, theme.compressed, 0.28), 255), theme.compressed);
        }
        let (file, title) = &listing.entries[k as usize];
        let baseline = f64::from(row.y0) + 16.5;
        let ink = Ink { bold: k == marked, ..Ink::regular(13.0, theme.ink) };
        let file = pen.fit(ink, file, names - 12.0);
        pen.text((left, baseline), ink, &file);
        let quiet = Ink::regular(13.0, if k == marked { theme.ink } else { theme.faint });
        let title = pen.fit(quiet, title, right - left - names - 8.0);
        pen.text((left + names, baseline), quiet, &title);
        buttons.push(Button { rect: row, action: Action::OpenScene(k as usize) });
    }
    if seen < count {
        let track = f64::from(seen * ROW);
        let x = (f64::from(card.x1 - 12), f64::from(card.x1 - 8));
        let top = f64::from(card.y0 + HEAD);
        pen.bar(x, (top, top + track), theme.border, 255);
        let share = |k: i32| top + track * f64::from(k) / f64::from(count);
        pen.bar(x, (share(first), share(first + seen)), theme.faint, 255);
    }
    (card, buttons)
}
