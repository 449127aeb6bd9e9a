//! Lines of a dense picture that are hidden by lines in front of them.
//!
//! From front to back, Σ length·width·opacity/area of the lines is summed in each cell of the canvas; a line
//! is hidden if the sum is at least [`ENOUGH`] in all its cells. On average e^(−[`ENOUGH`]) of it would be
//! visible.

use crate::canvas::{CanvasPoint, Rect};
use stiction_core::math::sqrt;

/// Side of a cell in which coverage is summed \[pixels\].
const CELL: f64 = 8.0;

/// Number of layers of lines that hide the next.
const ENOUGH: f32 = 5.0;

/// The first cell of a line whose cells are not stored.
const UNKNOWN: u32 = u32::MAX;

/// Number of stored cells of a line.
const STORED: usize = 4;

/// The cells of a canvas.
#[derive(Debug, Clone, Copy)]
pub(super) struct CoverGrid {
    corner: CanvasPoint,
    size: (f64, f64),
    columns: usize,
    rows: usize,
}

/// A line as the sums need it: its share of each of its cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineCover {
    share: f32,
    cells: [u32; STORED],
}

impl LineCover {
    /// Of a line whose cells are computed when they are needed.
    pub(super) const UNKNOWN: LineCover = LineCover { share: 0.0, cells: [UNKNOWN; STORED] };
}

/// A line: its ends, width \[pixels\] and opacity.
pub(super) type CoverLine = ([CanvasPoint; 2], f64, u8);

impl CoverGrid {
    pub(super) fn of(clip: &Rect) -> CoverGrid {
        let (wide, high) = (f64::from(clip.width()), f64::from(clip.height()));
        CoverGrid {
            corner: (f64::from(clip.x0), f64::from(clip.y0)),
            size: (wide, high),
            columns: (wide / CELL) as usize + 1,
            rows: (high / CELL) as usize + 1,
        }
    }

    /// Number of cells.
    fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The cell of a point, if it is on the canvas.
    #[inline]
    fn cell(&self, x: f64, y: f64) -> Option<usize> {
        let ((x0, y0), (wide, high)) = (self.corner, self.size);
        let inside = x >= x0 && y >= y0 && x < x0 + wide && y < y0 + high;
        // by way of i32: a conversion to usize is three times as slow
        let whole = |length: f64| (length / CELL) as i32 as usize;
        inside.then(|| whole(y - y0) * self.columns + whole(x - x0))
    }

    /// The number of parts of a line, none longer than a cell, and the share of a cell that each covers.
    #[inline]
    fn parts(&self, ([a, b], width, alpha): CoverLine) -> (f64, f32) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = sqrt(dx * dx + dy * dy);
        let parts = rounded_up(length / CELL).clamp(1.0, 1e3);
        let share = (length / parts * width * f64::from(alpha) / (255.0 * CELL * CELL)) as f32;
        (parts, share)
    }

    /// The cell of a part's middle.
    #[inline]
    fn middle(&self, [a, b]: [CanvasPoint; 2], part: usize, parts: f64) -> Option<usize> {
        let t = (part as f64 + 0.5) / parts;
        self.cell(a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1))
    }

    /// The cells of a line, if they are few.
    #[inline]
    pub(super) fn line(&self, line: CoverLine) -> LineCover {
        let (parts, share) = self.parts(line);
        let few = parts <= STORED as f64;
        if !few {
            return LineCover::UNKNOWN;
        }
        let parts_of_it = 0..parts as usize;
        let (mut cells, mut within) = ([self.full(); STORED], false);
        for part in parts_of_it {
            if let Some(cell) = self.middle(line.0, part, parts) {
                (cells[part], within) = (cell as u32, true);
            }
        }
        if !within {
            cells[0] = self.empty();
        }
        LineCover { share, cells }
    }

    /// A cell beside the canvas that is always covered.
    fn full(&self) -> u32 {
        self.cells() as u32
    }

    /// A cell beside the canvas that is never covered: of lines that are not on it.
    fn empty(&self) -> u32 {
        self.cells() as u32 + 1
    }
}

/// The next whole number not below `x`, for x from 0 to 1e9; a number above 1e9 stays above it. On some
/// processors `ceil` is a call.
#[inline]
fn rounded_up(x: f64) -> f64 {
    let whole = f64::from(x as i32);
    if whole < x { whole + 1.0 } else { whole }
}

/// The sums of all cells.
#[derive(Default)]
pub(super) struct Cover {
    /// layers of lines in each cell, then in the two cells beside the canvas
    layers: Vec<f32>,
}

impl Cover {
    /// Removes all lines.
    pub(super) fn clear(&mut self, grid: &CoverGrid) {
        self.layers.clear();
        self.layers.resize(grid.cells(), 0.0);
        self.layers.extend([f32::INFINITY, f32::NEG_INFINITY]);
    }

    /// Adds a line behind all before; returns whether it is seen.
    #[inline]
    pub(super) fn add(
        &mut self,
        grid: &CoverGrid,
        stored: &LineCover,
        line: impl FnOnce() -> CoverLine,
    ) -> bool {
        if stored.cells[0] == UNKNOWN {
            return self.add_line(grid, line());
        }
        let (mut open, full) = (false, grid.full());
        for cell in stored.cells {
            // what follows is full as well, and each sum there would wait for the one before
            if cell == full {
                continue;
            }
            let layers = &mut self.layers[cell as usize];
            open |= *layers < ENOUGH;
            *layers += stored.share;
        }
        open
    }

    fn add_line(&mut self, grid: &CoverGrid, line: CoverLine) -> bool {
        let (parts, share) = grid.parts(line);
        let (mut within, mut open) = (false, false);
        for part in 0..parts as usize {
            let Some(cell) = grid.middle(line.0, part, parts) else { continue };
            within = true;
            open |= self.layers[cell] < ENOUGH;
            self.layers[cell] += share;
        }
        open || !within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_cells_hide_the_same_lines() {
        let grid = CoverGrid::of(&Rect { x0: 3, y0: 5, x1: 103, y1: 65 });
        let [mut stored, mut plain] = [Cover::default(), Cover::default()];
        for cover in [&mut stored, &mut plain] {
            cover.clear(&grid);
        }
        let mut number = 1u32;
        let mut random = |size: f64| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            size * f64::from(number >> 8) / f64::from(1 << 24)
        };
        let mut seen = [0; 2];
        for _ in 0..20_000 {
            let a = (random(120.0) - 5.0, random(90.0) - 10.0);
            let b = (a.0 + random(60.0) - 30.0, a.1 + random(20.0) - 10.0);
            let line = ([a, b], random(2.0), random(255.0) as u8);
            let cover = grid.line(line);
            let whole = plain.add_line(&grid, line);
            assert_eq!(stored.add(&grid, &cover, || line), whole, "{line:?}");
            seen[usize::from(whole)] += 1;
        }
        assert!(seen.iter().all(|lines| *lines > 2_000), "{seen:?}");
        assert_eq!(stored.layers[..grid.cells()], plain.layers[..grid.cells()]);
    }
}
