//! Contour maps: functions of two variables as lines of equal value, several maps side by side.

use super::drawing::Area;
use super::drawing::{FAINT, INK};
use super::{FONT, PlotError, encode, keep, register_fonts};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::collections::BTreeMap;
use std::path::Path;

type ContourFaults<B> = DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>;

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

/// Sizes \[pixels\].
const MAP: u32 = 236;
const HEAD: u32 = 26;
const TITLE: u32 = 44;
const ROW: u32 = 30;

const SHADE: RGBColor = RGBColor(246, 200, 190);
const MARK: RGBColor = RGBColor(200, 40, 20);

/// Writes maps as SVG, PNG or PDF, according to the file's name.
pub fn write(atlas: &Atlas, path: &Path) -> Result<(), PlotError> {
    let size = size(atlas);
    let fault = |e: String| PlotError::Drawing(e);
    let svg = || {
        let mut text = String::new();
        {
            let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
            draw(atlas, &root).map_err(|e| fault(e.to_string()))?;
            root.present().map_err(|e| fault(e.to_string()))?;
        }
        Ok(text)
    };
    let png = || {
        let mut pixels = vec![0u8; 3 * size.0 as usize * size.1 as usize];
        {
            let root = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
            draw(atlas, &root).map_err(|e| fault(e.to_string()))?;
            root.present().map_err(|e| fault(e.to_string()))?;
        }
        encode(&pixels, size.0, size.1).map_err(|e| fault(e.to_string()))
    };
    keep(path, svg, png)
}

fn size(atlas: &Atlas) -> (u32, u32) {
    let widest = atlas.rows.iter().map(|(_, maps)| maps.len()).max().unwrap_or(1) as u32;
    (widest * MAP + 16, TITLE + atlas.rows.len() as u32 * (ROW + HEAD + MAP))
}

fn letters(size: i32, bold: bool, colour: RGBColor) -> TextStyle<'static> {
    let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
    FontDesc::new(FontFamily::Name(FONT), f64::from(size), style).color(&colour)
}

fn draw<B: DrawingBackend>(atlas: &Atlas, root: &Area<B>) -> Result<(), ContourFaults<B>> {
    register_fonts();
    root.fill(&WHITE)?;
    let left = Pos::new(HPos::Left, VPos::Center);
    root.draw_text(&atlas.title, &letters(17, true, INK).pos(left), (18, TITLE as i32 / 2))?;
    for (number, (heading, maps)) in atlas.rows.iter().enumerate() {
        let top = (TITLE + number as u32 * (ROW + HEAD + MAP)) as i32;
        let style = letters(14, true, FAINT).pos(left);
        root.draw_text(heading, &style, (18, top + ROW as i32 / 2))?;
        for (column, map) in maps.iter().enumerate() {
            let area =
                root.clone().shrink((8 + column as u32 * MAP, top as u32 + ROW), (MAP, HEAD + MAP));
            draw_map(map, &atlas.axes, &area)?;
        }
    }
    Ok(())
}

fn draw_map<B: DrawingBackend>(
    map: &Map,
    axes: &[String; 2],
    area: &Area<B>,
) -> Result<(), ContourFaults<B>> {
    let (head, body) = area.split_vertically(HEAD);
    let left = Pos::new(HPos::Left, VPos::Center);
    head.draw_text(&map.title, &letters(13, true, INK).pos(left), (44, HEAD as i32 / 2))?;
    let mut chart = ChartBuilder::on(&body)
        .margin_right(10)
        .x_label_area_size(38)
        .y_label_area_size(44)
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(FAINT)
        .x_labels(3)
        .y_labels(3)
        .label_style(letters(11, false, INK))
        .axis_desc_style(letters(12, false, FAINT))
        .x_desc(axes[0].as_str())
        .y_desc(axes[1].as_str())
        .draw()?;
    let n = map.values.len() - 1;
    for (j, row) in map.shaded.iter().enumerate() {
        // adjacent cells in a row are one rectangle
        let mut i = 0;
        while i < row.len() {
            let run = row[i..].iter().take_while(|shaded| **shaded == row[i]).count();
            if row[i] {
                let corner = |i: usize, j: usize| (i as f64 / n as f64, j as f64 / n as f64);
                let cells = [corner(i, j), corner(i + run, j + 1)];
                chart.draw_series([Rectangle::new(cells, SHADE.filled())])?;
            }
            i += run;
        }
    }
    let lowest = map.levels.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = map.levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for level in &map.levels {
        let share = (level - lowest) / (highest - lowest).max(f64::MIN_POSITIVE);
        let colour = shade(share);
        for line in map.lines(*level) {
            let middle = line[line.len() / 2];
            chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
            chart.draw_series([Circle::new(middle, 8, WHITE.filled())])?;
            let style = letters(10, false, INK).pos(Pos::new(HPos::Center, VPos::Center));
            let text = format!("{level:.1}").replacen('0', "", 1);
            chart.draw_series([Text::new(text, middle, style)])?;
        }
    }
    chart.draw_series(map.marks.iter().map(|at| Circle::new(*at, 4, MARK.filled())))?;
    Ok(())
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
