//! The scene browser: files with their titles, one of them selected.

use super::{Button, rect};
use crate::canvas::{Canvas, Rect};
use crate::keys::Action;
use crate::pen::Pen;
use crate::text::Ink;
use crate::theme::mix;
use std::sync::Arc;

/// Width and height of a scene's picture; heights of a row, of head and of foot.
pub const PICTURE: (i32, i32) = (64, 40);

const ROW: i32 = 44;
const HEAD: i32 = 52;
const FOOT: i32 = 16;

/// Scenes to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BrowserListing {
    /// File and title of each.
    pub entries: Vec<(String, String)>,
    /// Small pictures of them, as far as they are ready.
    pub pictures: Vec<Option<Arc<Canvas>>>,
    /// The selected one among the matching entries.
    pub marked: usize,
    /// The filter: an entry matches if its file name and title contain all its words.
    pub filter: String,
}

impl BrowserListing {
    /// Indices of the matching entries.
    pub(crate) fn matching(&self) -> Vec<usize> {
        let filter = self.filter.to_lowercase();
        let matches = |(file, title): &(String, String)| {
            let text = format!("{file} {title}").to_lowercase();
            filter.split_whitespace().all(|word| text.contains(word))
        };
        let all = self.entries.iter().enumerate();
        all.filter(|(_, entry)| matches(entry)).map(|(number, _)| number).collect()
    }

    /// The index of the selected entry.
    pub fn chosen(&self) -> Option<usize> {
        self.matching().get(self.marked).copied()
    }

    /// Adds a character to the filter, or removes the last one.
    pub(crate) fn type_in(&mut self, character: char) {
        match character {
            '\u{8}' | '\u{7f}' => drop(self.filter.pop()),
            letter if !letter.is_control() => self.filter.push(letter),
            _ => return,
        }
        self.marked = 0;
    }

    /// Moves the selection among matching entries by `by` rows down.
    pub fn mark(&mut self, by: isize) {
        let last = self.matching().len().saturating_sub(1);
        self.marked = self.marked.saturating_add_signed(by).min(last);
    }
}

/// Draws the browser into the middle of `pane` with the selected row visible; returns its card and
/// its rows.
pub fn draw(pen: &mut Pen, pane: &Rect, listing: &BrowserListing) -> (Rect, Vec<Button>) {
    let theme = pen.theme;
    let matching = listing.matching();
    let count = matching.len() as i32;
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
    let hint = match listing.filter.as_str() {
        "" => "type to search · ↑ ↓ and enter, or a click, opens · esc closes".to_string(),
        filter => format!("search: {filter}_"),
    };
    let hint = hint.as_str();
    let hint = pen.fit(quiet, hint, right - left - title_width - 20.0);
    pen.text_before((right, f64::from(card.y0 + 31)), quiet, &hint);
    let names = (f64::from(width) * 0.36).min(250.0);
    let marked = (listing.marked as i32).min(count - 1);
    let first = (marked - seen / 2).clamp(0, (count - seen).max(0));
    if count == 0 {
        pen.text(
            (left, f64::from(card.y0 + HEAD + 16)),
            quiet,
            if listing.entries.is_empty() {
                "there are no other scenes"
            } else {
                "no scene has these words"
            },
        );
    }
    let mut buttons = Vec::new();
    for k in first..(first + seen).min(count) {
        let row = rect(card.x0 + 8, card.y0 + HEAD + (k - first) * ROW, width - 24, ROW);
        if k == marked {
            pen.chip(&row, (mix(theme.card.0, theme.compressed, 0.28), 255), theme.compressed);
        }
        let number = matching[k as usize];
        entry(pen, listing, number, &row, k == marked, (names, right));
        buttons.push(Button { rect: row, action: Action::OpenScene(number) });
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

/// One row: picture, file, and the title over two lines at most. `names` is the width of the column
/// of files, `right` the end of titles \[pixels\].
fn entry(
    pen: &mut Pen,
    listing: &BrowserListing,
    number: usize,
    row: &Rect,
    marked: bool,
    (names, right): (f64, f64),
) {
    let theme = pen.theme;
    let (file, title) = &listing.entries[number];
    let frame = rect(row.x0 + 10, row.y0 + 2, PICTURE.0, PICTURE.1);
    match listing.pictures.get(number) {
        Some(Some(picture)) => pen.picture(&frame, picture),
        _ => pen.fill(&frame, theme.border, 90),
    }
    let baseline = f64::from(row.y0) + 26.5;
    let card_left = f64::from(row.x0 + 10);
    let left = card_left + f64::from(PICTURE.0 + 12);
    let ink = Ink { bold: marked, ..Ink::regular(13.0, theme.ink) };
    let file = pen.fit(ink, file, names - 12.0);
    pen.text((left, baseline), ink, &file);
    let quiet = Ink::regular(13.0, if marked { theme.ink } else { theme.faint });
    let room = right - left - names - 8.0;
    let lines = pen.wrap(quiet, title, room);
    let first = baseline - if lines.len() > 1 { 8.0 } else { 0.0 };
    for (number, line) in lines.iter().take(2).enumerate() {
        // a third line is cut
        let line = if number == 1 { lines[1..].join(" ") } else { line.clone() };
        let line = pen.fit(quiet, &line, room);
        pen.text((left + names, first + 16.0 * number as f64), quiet, &line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_finds_words_of_file_and_title() {
        let entry = |file: &str, title: &str| (file.to_string(), title.to_string());
        let mut listing = BrowserListing {
            entries: vec![
                entry("belt.toml", "A soft box on a moving belt"),
                entry("gripper.toml", "Two fingers lift a box"),
                entry("snake.toml", "It swims"),
            ],
            pictures: Vec::new(),
            marked: 2,
            filter: String::new(),
        };
        assert_eq!((listing.matching(), listing.chosen()), (vec![0, 1, 2], Some(2)));
        "BOX ".chars().for_each(|c| listing.type_in(c));
        assert_eq!((listing.matching(), listing.chosen()), (vec![0, 1], Some(0)));
        "lift".chars().for_each(|c| listing.type_in(c));
        assert_eq!((listing.matching(), listing.chosen()), (vec![1], Some(1)));
        listing.mark(5);
        assert_eq!(listing.chosen(), Some(1));
        listing.type_in('q');
        assert_eq!(listing.chosen(), None);
        (0..3).for_each(|_| listing.type_in('\u{8}'));
        assert_eq!(listing.filter, "BOX li");
        assert_eq!(listing.matching(), vec![1]);
    }
}
