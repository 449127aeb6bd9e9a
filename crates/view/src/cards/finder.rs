//! The search for a number: the line that is typed, and the candidates below it.

use super::{Button, MARGIN, rect};
use crate::canvas::Rect;
use crate::finder::Finder;
use crate::keys::Action;
use crate::pen::Pen;
use crate::text::Ink;
use crate::theme::mix;
use stiction_core::math::number;
use stiction_scene::numbers::SceneNumber;

const ROW: i32 = 22;
const HEAD: i32 = 36;
const FOOT: i32 = 28;
const RIM: i32 = 14;

/// Width of the card, where there is room.
const WIDTH: i32 = 640;

/// Least width of a meaning.
const ABOUT: f64 = 40.0;

/// The meaning of a number, of a component with its axis: ".x · total force".
fn meaning(number: &SceneNumber) -> String {
    match number.axis {
        Some(axis) => format!(".{axis} · {}", number.about),
        None => number.about.into(),
    }
}

/// Draws the search at the top of `focus`; returns its card and its rows.
pub fn draw(pen: &mut Pen, focus: &Rect, finder: &Finder) -> (Rect, Vec<Button>) {
    let theme = pen.theme;
    let width = WIDTH.min(focus.width() - 2 * MARGIN).max(40);
    let room = ((focus.height() - 2 * MARGIN - HEAD - FOOT) / ROW).max(1);
    let candidates: Vec<&SceneNumber> = finder.candidates().take(room as usize).collect();
    let height = HEAD + candidates.len() as i32 * ROW + FOOT;
    let card = rect((focus.x0 + focus.x1 - width) / 2, focus.y0 + MARGIN, width, height);
    pen.card(&card, 250);
    let (left, right) = (f64::from(card.x0 + RIM), f64::from(card.x1 - RIM));
    let top = f64::from(card.y0);
    let (ink, quiet) = (Ink::regular(13.5, theme.ink), Ink::regular(12.5, theme.faint));
    let name = pen.text((left, top + 23.0), quiet, "number of the scene") + 10.0;
    let typed = pen.fit(ink, &format!("{}_", finder.text), right - left - name);
    pen.text((left + name, top + 23.0), ink, &typed);
    let mut buttons = Vec::new();
    for (k, candidate) in candidates.iter().enumerate() {
        let row = rect(card.x0 + 6, card.y0 + HEAD + k as i32 * ROW, width - 12, ROW);
        let marked = k == finder.marked;
        if marked {
            pen.chip(&row, (mix(theme.card.0, theme.compressed, 0.28), 255), theme.compressed);
        }
        let baseline = f64::from(row.y0) + 15.5;
        let value = format!("{} {}", number(candidate.value), candidate.unit);
        let value = value.trim_end().replace('-', "−");
        pen.text_before((right, baseline), quiet, &value);
        let ink = Ink { bold: marked, ..Ink::regular(13.0, theme.ink) };
        let room = right - left - pen.width(quiet, &value) - 14.0;
        let path = pen.fit(ink, &candidate.path, room);
        let end = pen.text((left, baseline), ink, &path) + 10.0;
        if room - end > ABOUT {
            let about = pen.fit(quiet, &meaning(candidate), room - end);
            pen.text((left + end, baseline), quiet, &about);
        }
        buttons.push(Button { rect: row, action: Action::Candidate(k) });
    }
    let hint = match finder.chosen() {
        Some(_) => "↑ ↓ and enter make it a slider, esc leaves".into(),
        None => finder.unknown(),
    };
    let hint = pen.fit(quiet, &hint, right - left);
    pen.text((left, f64::from(card.y1) - 10.0), quiet, &hint);
    (card, buttons)
}
