//! Tables and lines of text that fit the width of the terminal.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, TableComponent, Width};
use std::io::IsTerminal;
use unicode_width::UnicodeWidthStr;

/// Blanks at the sides of a cell.
const SIDES: usize = 2;

/// A plain table with a header. Without a terminal it is as wide as its cells. Where it does not fit, columns
/// that say the same in all rows stand above it, cells are wrapped between words, and at last the columns are
/// divided into tables below each other, which all begin with the first column. A word as wide as the terminal
/// makes the table wider.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    keyed(header, rows, 1)
}

/// As [`table`], whose first `keys` columns name a row together, and stand in front of every part.
pub fn keyed(header: &[&str], rows: &[Vec<String>], keys: usize) -> String {
    let most = columns().map_or(usize::MAX, usize::from);
    let all: Vec<usize> = (0..header.len()).collect();
    let sheet = Sheet { header, rows, most };
    if sheet.fits(&all) {
        return sheet.draw(&all);
    }
    let (same, other): (Vec<usize>, Vec<usize>) = all.iter().partition(|k| sheet.is_same(**k));
    let named = |k: &usize| format!("{} {}", header[*k], rows[0][*k]).trim().to_string();
    let above: Vec<String> = same.iter().map(named).collect();
    let mut text = match above.is_empty() {
        true => String::new(),
        false => prose(1, &format!("in all rows: {}", above.join(", "))),
    };
    let keys = other.iter().filter(|column| **column < keys).count().max(1);
    for group in sheet.groups(&other, keys) {
        text += &sheet.draw(&group);
    }
    text
}

/// Lines of text with an indentation, wrapped at the width of the terminal.
pub fn prose(indentation: u16, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut table = plain();
    text.lines().for_each(|line| {
        table.add_row([line]);
    });
    if let Some(column) = table.column_mut(0) {
        column.set_padding((indentation, 0));
    }
    text_of(&table)
}

/// The cells of a table, and the width that it may have.
struct Sheet<'a> {
    header: &'a [&'a str],
    rows: &'a [Vec<String>],
    most: usize,
}

impl Sheet<'_> {
    /// Header and cells of a column; rows may be shorter than the header.
    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        let cells = self.rows.iter().filter_map(move |row| row.get(column));
        std::iter::once(self.header[column]).chain(cells.map(String::as_str))
    }

    /// The width below which a word of the column would be cut.
    fn least(&self, column: usize) -> usize {
        let words = self.cells(column).flat_map(str::split_whitespace);
        words.map(UnicodeWidthStr::width).max().unwrap_or(0)
    }

    /// Whether these columns have room when their cells are wrapped between words.
    fn fits(&self, columns: &[usize]) -> bool {
        // one blank more divides two columns
        let cells: usize = columns.iter().map(|column| self.least(*column) + SIDES).sum();
        cells + columns.len().saturating_sub(1) <= self.most
    }

    /// Whether a column has the same cell in all of several rows.
    fn is_same(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().map(|row| row.get(column));
        let first = cells.next().flatten();
        self.rows.len() > 1 && first.is_some() && cells.all(|cell| cell == first)
    }

    /// The columns in groups that fit, each with the first `keys` of them in front.
    fn groups(&self, columns: &[usize], keys: usize) -> Vec<Vec<usize>> {
        let (first, rest) = columns.split_at(keys.min(columns.len()));
        let mut groups = vec![first.to_vec()];
        for column in rest {
            let last = groups.len() - 1;
            groups[last].push(*column);
            if !self.fits(&groups[last]) && groups[last].len() > first.len() + 1 {
                groups[last].pop();
                groups.push([first, &[*column]].concat());
            }
        }
        groups
    }

    fn draw(&self, columns: &[usize]) -> String {
        let mut table = plain();
        for line in [TableComponent::HeaderLines, TableComponent::MiddleHeaderIntersections] {
            table.set_style(line, '─');
        }
        table.set_header(columns.iter().map(|column| self.header[*column]));
        for row in self.rows {
            table.add_row(columns.iter().filter_map(|column| row.get(*column)));
        }
        for (place, column) in columns.iter().enumerate() {
            if let Some(drawn) = table.column_mut(place) {
                let width = (self.least(*column) + SIDES) as u16;
                drawn.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
            }
        }
        text_of(&table)
    }
}

/// A table without lines, as wide as the terminal at most.
fn plain() -> Table {
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    if let Some(width) = columns() {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(width);
    }
    table
}

/// The lines of a table without the blanks at their ends.
fn text_of(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// Width of the terminal at stdout in columns; 80 without a terminal.
pub fn width() -> usize {
    columns().map_or(80, usize::from)
}

/// Whether there is a terminal, or the variable COLUMNS, of less than `most` columns.
pub fn is_narrower(most: usize) -> bool {
    columns().is_some_and(|width| usize::from(width) < most)
}

/// Width of the terminal at stdout in columns, if there is one; elsewhere that of the variable COLUMNS.
fn columns() -> Option<u16> {
    let given = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|width| *width > 0);
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((width, _)) if width.0 > 0 => Some(width.0),
        // a terminal that does not say how large it is
        _ => given().or_else(|| std::io::stdout().is_terminal().then_some(80)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_two_columns_count_twice() {
        let name = "一个很长的盒子";
        let rows = vec![vec!["load".into(), format!("of {name}, and more")]];
        let room = |most: usize| Sheet { header: &["", ""], rows: &rows, most };
        assert_eq!(room(80).least(1), 2 * name.chars().count() + 1);
        assert!(room(24).fits(&[0, 1]) && !room(23).fits(&[0, 1]));
    }
}
