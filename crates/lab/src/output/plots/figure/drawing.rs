//! The layout of a figure: title, note, legends, and its panels in one or two columns.

use super::axes::{Axes, Frame};
use super::letters::{LINE, cut_within, lines, width};
use super::lines::{SAMPLE, draw, draw_bars, draw_sample, shows_bars};
use super::sheet::{FAINT, INK, Lettering, Mark, Place, Sheet, Side};
use super::style::{FigureStyle, PAGE};
use super::{FigureFile, Panel, PlotError, Series, Style};
use stiction_core::math::{larger, smaller};

/// Margin, size of the title, gaps between a sample, its name and the next entry, in sizes of
/// letters.
const MARGIN: f64 = 0.6;
const TITLE: f64 = 1.15;
const GAP: f64 = 0.4;
const NEXT: f64 = 1.3;
/// Distance of two columns, in sizes of letters.
const BETWEEN: f64 = 1.6;

/// Largest number of lines of title, note and panel titles.
const MOST_LINES: usize = 5;

/// Least width of half a figure for two columns in sizes of letters, and of a panel \[pt\].
const TWO_COLUMNS: f64 = 24.0;
const LEAST_WIDE: f64 = 2.6 * 72.0;

/// Distances of two rows of panels, and of the foot from the last, in sizes of letters.
const ROWS: f64 = 0.8;
const BELOW: f64 = 0.4;

/// Margins of the data: before and behind symbols along x in sizes of letters, and along y over their
/// range.
const SYMBOL: f64 = 0.9;
const ABOVE: f64 = 0.06;

/// Words for error bars that cannot be seen.
const HIDDEN: &str = "error bars smaller than the symbols";

/// Height of axes over their width, and its bounds in sizes of letters.
const SHAPE: f64 = 0.62;
const HEIGHT: [f64; 2] = [12.0, 18.0];

/// Least height of axes, least width of a panel, and of the area of its lines, in sizes of letters.
const LEAST: f64 = 7.5;
const NARROW: f64 = 13.0;
const INNER: f64 = 1.0;

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
                let text = cut_within(&series.name, room - (SAMPLE + GAP) * em, em);
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

/// The places of the parts of a figure.
struct Layout<'f> {
    head: Head,
    legend: Legend<'f>,
    heads: Vec<PanelHead<'f>>,
    foot: Foot,
    /// heights of the heads of each row of panels
    rows: Vec<f64>,
    /// number of panels side by side, and the width of each \[pt\]
    columns: usize,
    column: f64,
    /// heights of axes and figure \[pt\]
    axes: f64,
    high: f64,
}

impl<'f> Layout<'f> {
    /// The layout of a figure in a style.
    ///
    /// # Errors
    /// The width or the height does not suffice for the panels.
    fn of(figure: &'f FigureFile, style: &FigureStyle) -> Result<Layout<'f>, PlotError> {
        let (em, wide) = (style.letters(), style.size.width);
        check_width(figure, style)?;
        let head = Head::new(&figure.title, &figure.note, wide, em);
        let legend = Legend::new(&figure.legend, wide - 2.0 * MARGIN * em, em);
        let columns = columns(figure.panels.len(), style);
        let column = column(columns, style);
        let heads: Vec<PanelHead> =
            figure.panels.iter().map(|panel| PanelHead::new(panel, column, em)).collect();
        let highest = |row: &[PanelHead]| row.iter().map(PanelHead::height).fold(0.0, larger);
        let rows: Vec<f64> = heads.chunks(columns).map(highest).collect();
        let foot = Foot::new(&figure.foot, wide, em);
        let count = rows.len() as f64;
        let below = if foot.height() > 0.0 { BELOW * em + foot.height() } else { 0.0 };
        let fixed = head.height()
            + legend.height()
            + (0.4 + MARGIN) * em
            + rows.iter().sum::<f64>()
            + ROWS * em * larger(count - 1.0, 0.0)
            + below;
        let each = |high: f64| (high - fixed) / larger(count, 1.0);
        let axes = match style.size.height {
            None => {
                let natural = (SHAPE * column).clamp(HEIGHT[0] * em, HEIGHT[1] * em);
                // a single row is lower before the figure is higher than a page
                let least = if rows.len() > 1 { HEIGHT[0] } else { LEAST };
                smaller(natural, larger(each(PAGE), least * em))
            }
            Some(high) if each(high) < LEAST * em && !rows.is_empty() => {
                let (panels, needed) = (figure.panels.len(), fixed + LEAST * em * count);
                return Err(PlotError::Room { size: style.size, needed, panels, columns });
            }
            Some(high) => each(high),
        };
        let high = style.size.height.unwrap_or(fixed + axes * count);
        Ok(Layout { head, legend, heads, foot, rows, columns, column, axes, high })
    }
}

/// Number of panels side by side.
pub(super) fn columns(panels: usize, style: &FigureStyle) -> usize {
    let fits =
        column(2, style) >= LEAST_WIDE && style.size.width / 2.0 >= TWO_COLUMNS * style.letters();
    style.columns.unwrap_or(if fits { 2 } else { 1 }).clamp(1, panels.max(1))
}

/// Width of each of some columns \[pt\].
fn column(columns: usize, style: &FigureStyle) -> f64 {
    let (em, between) = (style.letters(), columns as f64 - 1.0);
    (style.size.width - 2.0 * MARGIN * em - BETWEEN * em * between) / columns as f64
}

/// Refuses letters too large for the width of the panels.
fn check_width(figure: &FigureFile, style: &FigureStyle) -> Result<(), PlotError> {
    let columns = columns(figure.panels.len(), style);
    let missing = NARROW * style.letters() - column(columns, style);
    match figure.panels.is_empty() || missing <= 1e-9 {
        true => Ok(()),
        false => Err(narrow(missing, columns, style)),
    }
}

/// The refusal of a width of which each panel misses some \[pt\].
fn narrow(missing: f64, columns: usize, style: &FigureStyle) -> PlotError {
    let (size, letters) = (style.size, style.letters());
    PlotError::Narrow { size, letters, needed: size.width + columns as f64 * missing, columns }
}

/// Refuses a width or a height that does not suffice for a figure.
///
/// # Errors
/// It does not.
pub(super) fn check_room(figure: &FigureFile, style: &FigureStyle) -> Result<(), PlotError> {
    Layout::of(figure, style).map(|_| ())
}

/// A figure without the last panels where it would be higher than a page, and the names of those left
/// out; the note names them. A height or panels that were chosen stand.
///
/// # Errors
/// The height does not suffice for the panels.
pub(super) fn fitted(
    mut figure: FigureFile,
    style: &FigureStyle,
) -> Result<(FigureFile, Vec<String>), PlotError> {
    let (note, mut left) = (figure.note.clone(), Vec::new());
    let chosen = style.size.height.is_some() || !style.panels.is_empty();
    while !chosen && figure.panels.len() > 1 && Layout::of(&figure, style)?.high > PAGE + 0.1 {
        let panel = figure.panels.pop().expect("more than one");
        left.insert(0, if panel.names.is_empty() { panel.title } else { panel.names.join(", ") });
        if style.title.as_deref() != Some("") {
            let own = format!("not drawn for their height: {} (--panels)", left.join(", "));
            let all = [&note, &own].map(String::as_str);
            figure.note =
                all.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
        }
    }
    Ok((figure, left))
}

/// Draws a figure in a style. Its foot names error bars of which none can be seen, and points without one
/// beside others.
///
/// # Errors
/// Its width or its height does not suffice for its panels.
pub(super) fn sheet(figure: &FigureFile, style: &FigureStyle) -> Result<Sheet, PlotError> {
    let (drawn, hidden) = draw_all(figure, style)?;
    let bars = match bare(figure) {
        0 => String::new(),
        1 => "1 point has no error bar".into(),
        bare => format!("{bare} points have no error bar"),
    };
    let hidden = if hidden { HIDDEN } else { "" };
    let parts = [figure.foot.as_str(), hidden, &bars];
    let foot = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    if foot == figure.foot || style.title.as_deref() == Some("") {
        return Ok(drawn);
    }
    // a chosen height may have no room for it
    Ok(draw_all(&FigureFile { foot, ..figure.clone() }, style).map_or(drawn, |(sheet, _)| sheet))
}

/// Number of points without an error bar in series where others have one.
fn bare(figure: &FigureFile) -> usize {
    let series = figure.panels.iter().flat_map(|panel| &panel.series);
    let with_bars = series.filter(|series| series.errors.iter().any(|error| error.is_finite()));
    let points = with_bars.flat_map(|series| series.points.iter().zip(&series.errors));
    points.filter(|(point, error)| point.1.is_finite() && !error.is_finite()).count()
}

/// Draws a figure; also whether it has error bars of which none can be seen.
fn draw_all(figure: &FigureFile, style: &FigureStyle) -> Result<(Sheet, bool), PlotError> {
    let layout = Layout::of(figure, style)?;
    let (em, wide) = (style.letters(), style.size.width);
    let margin = MARGIN * em;
    let mut sheet = Sheet::new(wide, layout.high);
    layout.head.draw(&mut sheet);
    let head = layout.head.height();
    layout.legend.draw(&mut sheet, (margin, head + 0.2 * em), wide - 2.0 * margin);
    let mut top = head + layout.legend.height() + 0.4 * em;
    let (mut bars, mut seen) = (false, false);
    for (row, high) in layout.rows.iter().enumerate() {
        let first = row * layout.columns;
        for k in first..figure.panels.len().min(first + layout.columns) {
            let left = margin + (k - first) as f64 * (layout.column + BETWEEN * em);
            sheet.marks.push(Mark::Panel);
            layout.heads[k].draw(&mut sheet, (left, top), layout.column);
            let (top, right) = (top + high, left + layout.column);
            let outer = Frame { left, top, right, bottom: top + layout.axes };
            let (axes, margin) = axes(&figure.panels[k], outer, em);
            let missing = INNER * em - (axes.inner.width() - 2.0 * margin);
            if missing > 1e-9 {
                return Err(narrow(missing, layout.columns, style));
            }
            let [has, shows] = draw_panel(&figure.panels[k], &axes, &mut sheet, em);
            (bars, seen) = (bars || has, seen || shows);
        }
        top += high + layout.axes + ROWS * em;
    }
    layout.foot.draw(&mut sheet);
    Ok((sheet, bars && !seen))
}

/// The axes of a panel in an outer box, and the margin of its data along x \[pt\].
fn axes(panel: &Panel, outer: Frame, em: f64) -> (Axes, f64) {
    let points: Vec<(f64, f64)> = panel.series.iter().flat_map(Series::reach).collect();
    // no symbol stands on the frame
    let marked =
        panel.series.iter().any(|series| series.style == Style::Marked || series.symbol.is_some());
    let symbols =
        panel.series.iter().any(|series| matches!(series.style, Style::Marked | Style::Points));
    let before = if marked && symbols { SYMBOL * em } else { 0.0 };
    (Axes::within(outer, panel.axes(), (&points, [before, ABOVE]), em), before)
}

/// Draws a panel; whether it has error bars, and whether one can be seen.
fn draw_panel(panel: &Panel, axes: &Axes, sheet: &mut Sheet, em: f64) -> [bool; 2] {
    axes.draw(sheet, em);
    let numbered = || panel.series.iter().enumerate().map(|(number, series)| (series, number));
    numbered().for_each(|series| draw_bars(sheet, axes, series, em));
    numbered().for_each(|series| draw(sheet, axes, series, em));
    let has = |series: &&Series| series.errors.iter().any(|error| error.is_finite());
    let bars = || panel.series.iter().filter(has);
    [bars().next().is_some(), bars().any(|series| shows_bars(axes, series, em))]
}
