//! Contour maps: functions of two variables as lines of equal value, several maps side by side.

use super::axes::{Axes, Frame};
use super::drawing::Head;
use super::letters::{LINE, cut, lines};
use super::sheet::{FAINT, Lettering, Mark, PAPER, Place, Sheet, Side};
use super::style::FigureStyle;
use super::{PlotAxis, PlotError, keep};
use plotters::prelude::RGBColor;
use std::collections::BTreeMap;
use std::path::Path;

/// Rows of contour maps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Atlas {
    /// One line above everything.
    pub title: String,
    /// Rows of maps, each with a heading.
    pub rows: Vec<(String, Vec<Map>)>,
    /// Labels of the axes along x and y of every map.
    pub axes: [String; 2],
}

/// One map of a function over the unit square.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Map {
    /// A few words above the map.
    pub title: String,
    /// Values at (i/n, j/n) for i, j = 0 … n, `values[j][i]`.
    pub values: Vec<Vec<f64>>,
    /// Values of the lines, each written at its line.
    pub levels: Vec<f64>,
    /// Whether cells are shaded: `shaded[j][i]` is the cell right of and above (i/n, j/n).
    pub shaded: Vec<Vec<bool>>,
    /// Points that are marked.
    pub marks: Vec<(f64, f64)>,
}

impl Map {
    /// Samples a function of (x, y) at (n + 1)² points.
    pub fn sampled(title: &str, n: usize, levels: &[f64], f: impl Fn(f64, f64) -> f64) -> Map {
        let at = |k: usize| k as f64 / n as f64;
        let row = |j: usize| (0..=n).map(|i| f(at(i), at(j))).collect();
        Map {
            title: title.into(),
            values: (0..=n).map(row).collect(),
            levels: levels.to_vec(),
            ..Map::default()
        }
    }

    /// The lines of one level in the unit square, by marching squares, joined.
    pub fn lines(&self, level: f64) -> Vec<Vec<(f64, f64)>> {
        join(self.pieces(level))
    }

    /// Line segments of a level within the cells of the grid.
    fn pieces(&self, level: f64) -> Vec<[Crossing; 2]> {
        let n = self.values.len() - 1;
        let mut pieces = Vec::new();
        for j in 0..n {
            for i in 0..n {
                // corners and edges counterclockwise from the lower left
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                let crossings: Vec<Crossing> = (0..4)
                    .filter_map(|k| self.crossing(corners[k], corners[(k + 1) % 4], level))
                    .collect();
                for pair in crossings.chunks_exact(2) {
                    pieces.push([pair[0], pair[1]]);
                }
            }
        }
        pieces
    }

    fn crossing(&self, a: (usize, usize), b: (usize, usize), level: f64) -> Option<Crossing> {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let [fa, fb] = [a, b].map(|(i, j)| self.values[j][i] - level);
        if (fa < 0.0) == (fb < 0.0) {
            return None;
        }
        let n = (self.values.len() - 1) as f64;
        let share = fa / (fa - fb);
        let between = |a: usize, b: usize| (a as f64 + share * (b as f64 - a as f64)) / n;
        Some(Crossing { edge: (a, b), at: (between(a.0, b.0), between(a.1, b.1)) })
    }
}

type ContourEdge = ((usize, usize), (usize, usize));

/// Crossing of a line with an edge of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Crossing {
    edge: ContourEdge,
    at: (f64, f64),
}

/// Joins pieces that end on the same edge.
fn join(pieces: Vec<[Crossing; 2]>) -> Vec<Vec<(f64, f64)>> {
    let mut ends: BTreeMap<ContourEdge, Vec<usize>> = BTreeMap::new();
    for (number, piece) in pieces.iter().enumerate() {
        piece.iter().for_each(|end| ends.entry(end.edge).or_default().push(number));
    }
    let mut used = vec![false; pieces.len()];
    let mut lines = Vec::new();
    // first the lines that end at the border, then closed ones
    let open = |number: usize| pieces[number].iter().any(|end| ends[&end.edge].len() == 1);
    let order = (0..pieces.len()).filter(|k| open(*k)).chain(0..pieces.len());
    for start in order {
        if used[start] {
            continue;
        }
        let [a, b] = pieces[start];
        let (first, mut last) = if ends[&a.edge].len() == 1 { (a, b) } else { (b, a) };
        let mut line = vec![first.at, last.at];
        used[start] = true;
        while let Some(next) = ends[&last.edge].iter().copied().find(|k| !used[*k]) {
            used[next] = true;
            let [a, b] = pieces[next];
            last = if a.edge == last.edge { b } else { a };
            line.push(last.at);
        }
        lines.push(line);
    }
    lines
}

/// Margin, least width of a map, width of lines, radius of the paper below a level and of marked
/// points, in sizes of letters.
const MARGIN: f64 = 0.6;
const MAP: f64 = 13.0;
const STROKE: f64 = 0.14;
const PATCH: f64 = 0.75;
const POINT: f64 = 0.35;

const SHADE: RGBColor = RGBColor(246, 200, 190);
const MARK: RGBColor = RGBColor(200, 40, 20);

/// Writes maps as SVG, PNG or PDF, according to the file's name, as wide as a page.
pub fn write(atlas: &Atlas, path: &Path) -> Result<(), PlotError> {
    write_in(atlas, &FigureStyle::default(), path)
}

/// Writes maps in a style as SVG, PNG or PDF, according to the file's name.
pub fn write_in(atlas: &Atlas, style: &FigureStyle, path: &Path) -> Result<(), PlotError> {
    style.only_words("an atlas of maps", false)?;
    if style.size.height.is_some() {
        return Err(PlotError::Style(
            "the maps of an atlas are square: give the width alone".into(),
        ));
    }
    let mut atlas = atlas.clone();
    style.words(&mut atlas.title, &mut String::new(), &mut String::new());
    for (own, label) in atlas.axes.iter_mut().zip(&style.labels) {
        if let Some(label) = label {
            own.clone_from(label);
        }
    }
    keep(path, style, &sheet(&atlas, style)?)
}

/// The maps on a sheet as high as they are.
///
/// # Errors
/// The width does not suffice for a map.
pub(super) fn sheet(atlas: &Atlas, style: &FigureStyle) -> Result<Sheet, PlotError> {
    let (size, letters) = (style.size, style.letters());
    let (em, wide) = (letters, size.width);
    let needed = (MAP + 2.0 * MARGIN) * em;
    if wide < needed - 1e-9 {
        return Err(PlotError::Narrow { size, letters, needed, columns: 1 });
    }
    let head = Head::new(&atlas.title, "", wide, em);
    let room = wide - 2.0 * MARGIN * em;
    let widest = atlas.rows.iter().map(|(_, maps)| maps.len()).max().unwrap_or(1).max(1);
    let columns = ((room / (MAP * em)) as usize).clamp(1, widest);
    let side = room / columns as f64;
    let high = side + 1.5 * LINE * em;
    let headings: Vec<Vec<String>> =
        atlas.rows.iter().map(|(heading, _)| lines(heading, room, em, true, 4)).collect();
    let mut places = Vec::new();
    let mut sheet = Sheet::new(wide, 0.0);
    head.draw(&mut sheet);
    let mut top = head.height() + 0.6 * em;
    for ((_, maps), heading) in atlas.rows.iter().zip(&headings) {
        for text in heading {
            let (text, at) = (text.clone(), (MARGIN * em, top + LINE * em / 2.0));
            let (side, colour) = (Side::Begin, FAINT);
            let letters = Lettering { text, at, size: em, bold: true, ..Lettering::default() };
            sheet.text(Lettering { side, colour, ..letters });
            top += LINE * em;
        }
        for row in maps.chunks(columns) {
            let left = |k: usize| MARGIN * em + side * k as f64;
            places.extend(row.iter().enumerate().map(|(k, map)| (map, (left(k), top))));
            top += high;
        }
        top += 0.6 * em;
    }
    sheet.size.1 = top;
    for (map, (left, top)) in places {
        sheet.marks.push(Mark::Panel);
        let outer = Frame { left, top, right: left + side - 0.6 * em, bottom: top + high };
        draw_map(map, &atlas.axes, outer, (&mut sheet, em));
    }
    Ok(sheet)
}

fn draw_map(map: &Map, names: &[String; 2], outer: Frame, (sheet, em): (&mut Sheet, f64)) {
    let corners = [(0.0, 0.0), (1.0, 1.0)];
    let axes = names.each_ref().map(PlotAxis::linear);
    let below = Frame { top: outer.top + LINE * em, ..outer };
    let axes = Axes::within(below, [&axes[0], &axes[1]], (&corners, [0.0; 2]), em);
    let text = cut(&map.title, outer.width(), em, true);
    let at = (axes.inner.left, outer.top + LINE * em / 2.0);
    let letters = Lettering { text, at, size: em, bold: true, ..Lettering::default() };
    sheet.text(Lettering { side: Side::Begin, ..letters });
    let place = |at: (f64, f64)| axes.place(at);
    let n = map.shaded.len();
    for (j, row) in map.shaded.iter().enumerate() {
        // adjacent cells in a row are one rectangle
        let mut i = 0;
        while i < row.len() {
            let run = row[i..].iter().take_while(|shaded| **shaded == row[i]).count();
            if row[i] {
                let corner = |i: usize, j: usize| (i as f64 / n as f64, j as f64 / n as f64);
                sheet.rectangle([corner(i, j), corner(i + run, j + 1)].map(place), SHADE);
            }
            i += run;
        }
    }
    axes.draw(sheet, em);
    draw_levels(map, &axes, (sheet, em));
    map.marks.iter().for_each(|at| sheet.disc(place(*at), POINT * em, MARK));
}

/// The lines of all levels, then their values where these do not cover each other.
fn draw_levels(map: &Map, axes: &Axes, (sheet, em): (&mut Sheet, f64)) {
    let lowest = map.levels.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = map.levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut values: Vec<(Place, String)> = Vec::new();
    for level in &map.levels {
        let share = (level - lowest) / (highest - lowest).max(f64::MIN_POSITIVE);
        for line in map.lines(*level) {
            let middle = axes.place(line[line.len() / 2]);
            let places: Vec<Place> = line.into_iter().map(|at| axes.place(at)).collect();
            sheet.stroke(places, shade(share), STROKE * em);
            let apart = |(at, _): &(Place, String)| {
                let (x, y) = (at.0 - middle.0, at.1 - middle.1);
                x * x + y * y >= 4.0 * PATCH * PATCH * em * em
            };
            if values.iter().all(apart) {
                values.push((middle, format!("{level:.1}").replacen('0', "", 1)));
            }
        }
    }
    for (at, text) in values {
        sheet.disc(at, PATCH * em, PAPER);
        sheet.text(Lettering { text, at, size: em, ..Lettering::default() });
    }
}

/// Colour from blue through green to ochre, of nearly constant lightness.
fn shade(share: f64) -> RGBColor {
    const ENDS: [[f64; 3]; 3] = [[40.0, 90.0, 170.0], [0.0, 150.0, 120.0], [210.0, 140.0, 20.0]];
    let at = share.clamp(0.0, 1.0) * 2.0;
    let k = usize::from(at >= 1.0);
    let between = |c: usize| ENDS[k][c] + (at - k as f64) * (ENDS[k + 1][c] - ENDS[k][c]);
    RGBColor(between(0) as u8, between(1) as u8, between(2) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// lines of x y = level are unbroken hyperbolas that end at the border
    #[test]
    fn lines_have_the_value_of_their_level_everywhere() {
        let map = Map::sampled("", 100, &[0.25], |x, y| x * y);
        let lines = map.lines(0.25);
        assert_eq!(lines.len(), 1);
        for (x, y) in &lines[0] {
            assert!((x * y - 0.25).abs() < 2e-4, "{x} {y}");
        }
        let ends = [lines[0][0], lines[0][lines[0].len() - 1]];
        assert!(ends.iter().all(|(x, y)| x.max(*y) > 1.0 - 1e-12), "{ends:?}");
    }

    #[test]
    fn a_closed_line_is_one_ring() {
        let map =
            Map::sampled("", 64, &[0.1], |x, y| (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5));
        let lines = map.lines(0.1);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0][0], lines[0][lines[0].len() - 1]);
        assert!(lines[0].len() > 64);
    }
}
