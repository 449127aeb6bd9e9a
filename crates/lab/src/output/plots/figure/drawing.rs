//! The layout of a figure: title, note, legends, and its panels in one or two columns.

use super::axes::{Axes, Frame};
use super::letters::{LINE, cut, lines, width};
use super::lines::{SAMPLE, draw, draw_sample};
use super::sheet::{FAINT, INK, Lettering, Mark, Place, Sheet, Side};
use super::style::FigureStyle;
use super::{FigureFile, Panel, PlotError, Series};

/// Margin, size of the title, gaps between a sample, its name and the next entry, in sizes of
/// letters.
const MARGIN: f64 = 0.6;
const TITLE: f64 = 1.15;
const GAP: f64 = 0.4;
const NEXT: f64 = 1.3;
/// Distance of two columns, in sizes of letters.
const BETWEEN: f64 = 1.6;

/// Largest number of lines of title, note and panel titles.
const MOST_LINES: usize = 3;

/// Least number of panels, and their least width in sizes of letters, for two columns.
const TWO_COLUMNS: (usize, f64) = (4, 24.0);

/// Height of axes over their width, and its bounds in sizes of letters.
const SHAPE: f64 = 0.62;
const HEIGHT: [f64; 2] = [12.0, 18.0];

/// Least height of axes in sizes of letters.
const LEAST: f64 = 7.5;

/// Title and note above everything, as lines.
pub(super) struct Head {
    title: Vec<String>,
    note: Vec<String>,
    letters: f64,
}

impl Head {
    /// The head of a figure of a width \[pt\].
    pub fn new(title: &str, note: &str, wide: f64, letters: f64) -> Head {
        let room = wide - 2.0 * MARGIN * letters;
        Head {
            title: lines(title, room, TITLE * letters, true, MOST_LINES),
            note: lines(note, room, letters, false, MOST_LINES),
            letters,
        }
    }

    /// Its height with the margin above it \[pt\].
    pub fn height(&self) -> f64 {
        let (title, note) = (self.title.len() as f64, self.note.len() as f64);
        self.letters * (MARGIN + LINE * (TITLE * title + note))
    }

    /// Draws it at the upper left.
    pub fn draw(&self, sheet: &mut Sheet) {
        let (x, mut y) = (MARGIN * self.letters, MARGIN * self.letters);
        for (texts, size, bold, colour) in [
            (&self.title, TITLE * self.letters, true, INK),
            (&self.note, self.letters, false, FAINT),
        ] {
            for text in texts {
                let (text, at, side) = (text.clone(), (x, y + LINE * size / 2.0), Side::Begin);
                sheet.text(Lettering {
                    text,
                    at,
                    size,
                    bold,
                    colour,
                    side,
                    ..Lettering::default()
                });
                y += LINE * size;
            }
        }
    }
}

/// Words below everything, as lines.
pub(super) struct Foot {
    lines: Vec<String>,
    letters: f64,
}

impl Foot {
    /// The foot of a figure of a width \[pt\].
    pub fn new(text: &str, wide: f64, letters: f64) -> Foot {
        let lines = lines(text, wide - 2.0 * MARGIN * letters, letters, false, MOST_LINES);
        Foot { lines, letters }
    }

    /// Its height \[pt\].
    pub fn height(&self) -> f64 {
        LINE * self.letters * self.lines.len() as f64
    }

    /// Draws it at the lower left, above the margin.
    pub fn draw(&self, sheet: &mut Sheet) {
        let em = self.letters;
        let top = sheet.size.1 - MARGIN * em - self.height();
        for (row, text) in self.lines.iter().enumerate() {
            let at = (MARGIN * em, top + LINE * em * (row as f64 + 0.5));
            let (text, colour, side) = (text.clone(), FAINT, Side::Begin);
            sheet.text(Lettering { text, at, size: em, colour, side, ..Lettering::default() });
        }
    }
}

/// The named series of a legend in rows.
struct Legend<'s> {
    rows: Vec<Vec<(&'s Series, usize)>>,
    letters: f64,
}

impl<'s> Legend<'s> {
    /// The legend in rows no wider than `room` \[pt\].
    fn new(series: &'s [Series], room: f64, letters: f64) -> Self {
        let (mut rows, mut used) = (Vec::<Vec<_>>::new(), 0.0);
        for (number, series) in series.iter().enumerate().filter(|(_, s)| !s.name.is_empty()) {
            let own = entry(series, letters);
            if rows.is_empty() || used + own > room {
                rows.push(Vec::new());
                used = 0.0;
            }
            used += own + NEXT * letters;
            rows.last_mut().expect("one was begun").push((series, number));
        }
        Legend { rows, letters }
    }

    fn height(&self) -> f64 {
        LINE * self.letters * self.rows.len() as f64
    }

    /// Draws the rows below a place, none wider than `room`.
    fn draw(&self, sheet: &mut Sheet, (left, top): Place, room: f64) {
        let em = self.letters;
        for (row, entries) in self.rows.iter().enumerate() {
            let (mut x, y) = (left, top + LINE * em * (row as f64 + 0.5));
            for (series, number) in entries {
                draw_sample(sheet, (x, y), (series, *number), em);
                let text = cut(&series.name, room - (SAMPLE + GAP) * em, em, false);
                let (at, side) = ((x + (SAMPLE + GAP) * em, y), Side::Begin);
                sheet.text(Lettering { text, at, size: em, side, ..Lettering::default() });
                x += entry(series, em) + NEXT * em;
            }
        }
    }
}

/// Width of an entry of a legend \[pt\].
fn entry(series: &Series, em: f64) -> f64 {
    (SAMPLE + GAP) * em + width(&series.name, em, false)
}

/// Title and legend of a panel: the legend at the right of the title if it fits there, else below.
struct PanelHead<'s> {
    title: Vec<String>,
    legend: Legend<'s>,
    beside: bool,
    letters: f64,
}

impl<'s> PanelHead<'s> {
    fn new(panel: &'s Panel, room: f64, letters: f64) -> Self {
        let title = lines(&panel.title, room, letters, true, MOST_LINES);
        let legend = Legend::new(&panel.series, room, letters);
        let wide = |row: &Vec<(&Series, usize)>| -> f64 {
            row.iter().map(|(series, _)| entry(series, letters) + NEXT * letters).sum()
        };
        let beside = match (&title[..], &legend.rows[..]) {
            ([], [_]) => true,
            ([title], [row]) => width(title, letters, true) + wide(row) <= room,
            _ => false,
        };
        PanelHead { title, legend, beside, letters }
    }

    fn height(&self) -> f64 {
        let below = if self.beside { LINE * self.letters } else { 0.0 };
        let title = LINE * self.letters * self.title.len() as f64;
        let legend = if self.beside { 0.0 } else { self.legend.height() };
        (if title > below { title } else { below }) + legend
    }

    fn draw(&self, sheet: &mut Sheet, (left, top): Place, room: f64) {
        let em = self.letters;
        for (row, text) in self.title.iter().enumerate() {
            let (text, at) = (text.clone(), (left, top + LINE * em * (row as f64 + 0.5)));
            let side = Side::Begin;
            sheet.text(Lettering { text, at, size: em, bold: true, side, ..Lettering::default() });
        }
        let below = (left, top + LINE * em * self.title.len() as f64);
        if !self.beside {
            self.legend.draw(sheet, below, room);
            return;
        }
        let row = self.legend.rows.iter().flatten();
        let wide: f64 = row.map(|(series, _)| entry(series, em) + NEXT * em).sum();
        self.legend.draw(sheet, (left + room - wide + NEXT * em, top), room);
    }
}

/// Draws a figure in a style.
///
/// # Errors
/// Its height does not suffice for its panels.
pub(super) fn sheet(figure: &FigureFile, style: &FigureStyle) -> Result<Sheet, PlotError> {
    let (em, wide) = (style.letters(), style.size.width);
    let head = Head::new(&figure.title, &figure.note, wide, em);
    let margin = MARGIN * em;
    let legend = Legend::new(&figure.legend, wide - 2.0 * margin, em);
    let columns = match figure.panels.len() >= TWO_COLUMNS.0 && wide / 2.0 >= TWO_COLUMNS.1 * em {
        true => 2,
        false => 1,
    };
    let between = BETWEEN * em;
    let column = (wide - 2.0 * margin - between * (columns as f64 - 1.0)) / columns as f64;
    let heads: Vec<PanelHead> =
        figure.panels.iter().map(|panel| PanelHead::new(panel, column, em)).collect();
    let highest = |row: &[PanelHead]| {
        row.iter().map(PanelHead::height).fold(0.0, |a, b| if b > a { b } else { a })
    };
    let rows: Vec<f64> = heads.chunks(columns).map(highest).collect();
    let above = head.height() + legend.height() + 0.4 * em;
    let foot = Foot::new(&figure.foot, wide, em);
    let heads_high = rows.iter().map(|head| head + 0.8 * em).sum::<f64>();
    let fixed = above + heads_high + foot.height() + margin;
    let axes = match style.size.height {
        None => (SHAPE * column).clamp(HEIGHT[0] * em, HEIGHT[1] * em),
        Some(high) => {
            let each = (high - fixed) / rows.len().max(1) as f64;
            let needed = fixed + LEAST * em * rows.len() as f64;
            if each < LEAST * em && !rows.is_empty() {
                return Err(PlotError::Room { high, needed, panels: figure.panels.len() });
            }
            each
        }
    };
    let high = style.size.height.unwrap_or(fixed + axes * rows.len() as f64);
    let mut sheet = Sheet::new(wide, high);
    head.draw(&mut sheet);
    legend.draw(&mut sheet, (margin, head.height() + 0.2 * em), wide - 2.0 * margin);
    let mut top = above;
    for (row, high) in rows.iter().enumerate() {
        for k in row * columns..figure.panels.len().min((row + 1) * columns) {
            let left = margin + (k - row * columns) as f64 * (column + between);
            sheet.marks.push(Mark::Panel);
            heads[k].draw(&mut sheet, (left, top), column);
            let (top, right) = (top + high, left + column);
            let outer = Frame { left, top, right, bottom: top + axes };
            draw_panel(&figure.panels[k], outer, &mut sheet, em);
        }
        top += high + axes + 0.8 * em;
    }
    foot.draw(&mut sheet);
    Ok(sheet)
}

fn draw_panel(panel: &Panel, outer: Frame, sheet: &mut Sheet, em: f64) {
    let points: Vec<(f64, f64)> =
        panel.series.iter().flat_map(|series| series.points.iter().copied()).collect();
    let axes = Axes::within(outer, panel.axes(), (&points, false), em);
    axes.draw(sheet, em);
    for (number, series) in panel.series.iter().enumerate() {
        draw(sheet, &axes, (series, number), em);
    }
}
