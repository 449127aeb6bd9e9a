//! The soft shadow on a plane: coverage at half the resolution of the design, blurred, and
//! interpolated.

use crate::camera::Projected;
use crate::canvas::{Canvas, CanvasPoint, Rect, for_each_span};
use crate::theme::Colour;

/// Half widths of the two running means, in cells.
const BLUR: [usize; 2] = [1, 2];

/// Coverage of the cells of a rectangle; kept between pictures to reuse its memory.
#[derive(Default)]
pub(super) struct Mask {
    /// area of the mask \[pixels\]
    area: Rect,
    /// pixels per cell, along x and y
    cell: i32,
    /// its cells
    cells: Rect,
    cover: Vec<u8>,
    spare: Vec<u8>,
    sums: Vec<u32>,
    line: Vec<u8>,
    /// changed rows and columns
    touched: Rect,
}

impl Mask {
    /// Clears the mask for the pixels of `area`, in cells of `cell` pixels.
    pub(super) fn clear(&mut self, area: Rect, cell: i32) {
        let count = |pixels: i32| (pixels + cell - 1) / cell;
        self.area = area;
        self.cell = cell;
        self.cells = Rect { x0: 0, y0: 0, x1: count(area.width()), y1: count(area.height()) };
        self.touched = Rect { x0: self.cells.x1, y0: self.cells.y1, x1: 0, y1: 0 };
        self.cover.clear();
        self.cover.resize(self.cells.x1 as usize * self.cells.y1 as usize, 0);
    }

    /// Covers a triangle.
    pub(super) fn triangle(&mut self, seen: [Projected; 3]) {
        let corners = seen.map(|s| self.place(s.at));
        self.fill(corners);
    }

    /// Covers a thin quadrilateral, 1.2 cells wide.
    pub(super) fn segment(&mut self, ends: [Projected; 2]) {
        let [a, b] = ends.map(|s| self.place(s.at));
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = stiction_core::math::sqrt(dx * dx + dy * dy);
        if length > 0.0 {
            let side = |p: CanvasPoint, s: f64| (p.0 - s * dy / length, p.1 + s * dx / length);
            self.fill([side(a, 0.6), side(b, 0.6), side(b, -0.6)]);
            self.fill([side(a, 0.6), side(b, -0.6), side(a, -0.6)]);
        }
    }

    /// Covers a square about a point \[pixels\].
    pub(super) fn square(&mut self, at: CanvasPoint, half: f64) {
        let [low, high] = [-half, half].map(|d| self.place((at.0 + d, at.1 + d)));
        let Some(cells) = self.cells_of(low, high) else { return };
        let width = self.cells.x1 as usize;
        for y in cells.y0..cells.y1 {
            let row = y as usize * width;
            self.cover[row + cells.x0 as usize..row + cells.x1 as usize].fill(255);
        }
    }

    /// Whether a rectangle \[pixels\] meets a covered cell.
    pub(super) fn meets(&self, rect: &Rect) -> bool {
        let low = self.place((f64::from(rect.x0), f64::from(rect.y0)));
        let high = self.place((f64::from(rect.x1), f64::from(rect.y1)));
        let Some(cells) = self.cells_of(low, high) else { return false };
        let width = self.cells.x1 as usize;
        (cells.y0..cells.y1).any(|y| {
            let row = y as usize * width;
            self.cover[row + cells.x0 as usize..row + cells.x1 as usize].iter().any(|c| *c > 0)
        })
    }

    /// The cells between two places of the mask; `None` if there are none.
    fn cells_of(&self, low: CanvasPoint, high: CanvasPoint) -> Option<Rect> {
        let near = |v: f64| v.clamp(-1e6, 1e6);
        let all = Rect {
            x0: near(low.0).floor() as i32,
            y0: near(low.1).floor() as i32,
            x1: near(high.0).ceil() as i32,
            y1: near(high.1).ceil() as i32,
        };
        let cells = all.intersection(&self.cells);
        (!cells.is_empty()).then_some(cells)
    }

    fn place(&self, at: CanvasPoint) -> CanvasPoint {
        let share = 1.0 / f64::from(self.cell);
        ((at.0 - f64::from(self.area.x0)) * share, (at.1 - f64::from(self.area.y0)) * share)
    }

    fn fill(&mut self, corners: [CanvasPoint; 3]) {
        let Mask { cells, cover, touched, .. } = self;
        let width = cells.x1 as usize;
        for_each_span(corners, cells, |y, x0, x1| {
            let row = y as usize * width;
            cover[row + x0 as usize..row + x1 as usize].fill(255);
            touched.x0 = touched.x0.min(x0);
            touched.x1 = touched.x1.max(x1);
            touched.y0 = touched.y0.min(y);
            touched.y1 = touched.y1.max(y + 1);
        });
    }

    /// Blends a colour into the covered area, with soft edges.
    pub(super) fn draw(&mut self, canvas: &mut Canvas, (colour, strength): (Colour, u8)) {
        let reach = BLUR.iter().sum::<usize>() as i32 + 1;
        let grown = Rect {
            x0: self.touched.x0 - reach,
            y0: self.touched.y0 - reach,
            x1: self.touched.x1 + reach,
            y1: self.touched.y1 + reach,
        };
        let seen = grown.intersection(&self.cells);
        if self.touched.is_empty() || seen.is_empty() {
            return;
        }
        for radius in BLUR {
            self.blur(&seen, radius);
        }
        let (x0, x1) = (seen.x0 * self.cell, (seen.x1 * self.cell).min(self.area.width()));
        let (y0, y1) = (seen.y0 * self.cell, (seen.y1 * self.cell).min(self.area.height()));
        for y in y0..y1 {
            self.between(&seen, y, x0, x1);
            canvas.blend_row(y + self.area.y0, x0 + self.area.x0, &self.line, colour, strength);
        }
    }

    /// A running mean over 2 `radius` + 1 cells, along rows and then columns.
    fn blur(&mut self, seen: &Rect, radius: usize) {
        let Mask { cells, cover, spare, sums, .. } = self;
        let width = cells.x1 as usize;
        let (left, count) = (seen.x0 as usize, seen.width() as usize);
        let row = |y: usize| y * width + left..y * width + left + count;
        let (top, bottom) = (seen.y0 as usize, seen.y1 as usize);
        spare.clear();
        spare.resize(cover.len(), 0);
        // division by the width of the window, exact for sums of so few bytes
        let share = 65536 / (2 * radius as u32 + 1) + 1;
        for y in top..bottom {
            let (from, to) = (&cover[row(y)], &mut spare[row(y)]);
            let mut sum: u32 = from.iter().take(radius).map(|c| u32::from(*c)).sum();
            for x in 0..count {
                sum += from.get(x + radius).map_or(0, |c| u32::from(*c));
                to[x] = ((sum * share) >> 16) as u8;
                sum -= x.checked_sub(radius).map_or(0, |x| u32::from(from[x]));
            }
        }
        sums.clear();
        sums.resize(count, 0);
        let add = |sums: &mut [u32], y: usize, spare: &[u8]| {
            sums.iter_mut().zip(&spare[row(y)]).for_each(|(sum, c)| *sum += u32::from(*c));
        };
        (top..bottom.min(top + radius)).for_each(|y| add(sums, y, spare));
        for y in top..bottom {
            if y + radius < bottom {
                add(sums, y + radius, spare);
            }
            for (to, sum) in cover[row(y)].iter_mut().zip(sums.iter()) {
                *to = ((sum * share) >> 16) as u8;
            }
            if y >= top + radius {
                let gone = &spare[row(y - radius)];
                sums.iter_mut().zip(gone).for_each(|(sum, c)| *sum -= u32::from(*c));
            }
        }
    }

    /// The coverage of the pixels x0..x1 of row `y`, interpolated from the four cells around each.
    fn between(&mut self, seen: &Rect, y: i32, x0: i32, x1: i32) {
        let (width, cell) = (self.cells.x1, self.cell);
        // the two cells around a pixel, and the weight of the second, out of 2 `cell`
        let sides = |pixel: i32, low: i32, high: i32| {
            let place = 2 * pixel + 1 - cell;
            let first = place.div_euclid(2 * cell);
            let share = place.rem_euclid(2 * cell) as u32;
            (first.clamp(low, high - 1), (first + 1).clamp(low, high - 1), share)
        };
        let (above, below, down) = sides(y, seen.y0, seen.y1);
        let whole = 2 * cell as u32;
        let (above, below) = ((above * width) as usize, (below * width) as usize);
        self.sums.clear();
        self.sums.extend((seen.x0 as usize..seen.x1 as usize).map(|x| {
            let (a, b) = (self.cover[above + x], self.cover[below + x]);
            u32::from(a) * (whole - down) + u32::from(b) * down
        }));
        self.line.clear();
        for x in x0..x1 {
            let (left, right, along) = sides(x, seen.x0, seen.x1);
            let at = |x: i32| self.sums[(x - seen.x0) as usize];
            let sum = at(left) * (whole - along) + at(right) * along;
            self.line.push((sum / (whole * whole)) as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shadow_is_dark_in_the_middle_soft_at_the_rim_and_nothing_outside() {
        for cell in [1, 2, 3, 5] {
            let mut canvas = Canvas::new(97, 83);
            let mut mask = Mask::default();
            mask.clear(canvas.bounds(), cell);
            let at = |x: f64, y: f64| Projected { at: (x, y), depth: 1.0, scale: 1.0 };
            mask.triangle([at(20.0, 20.0), at(80.0, 20.0), at(80.0, 70.0)]);
            mask.triangle([at(20.0, 20.0), at(80.0, 70.0), at(20.0, 70.0)]);
            mask.draw(&mut canvas, (0xffffff, 255));
            let pixel = |x: usize, y: usize| canvas.pixels()[y * 97 + x] & 255;
            assert!(pixel(50, 45) > 250 && pixel(1, 1) == 0, "{cell}");
            assert!((80..180).contains(&pixel(20, 45)), "{cell}: {}", pixel(20, 45));
            let row: Vec<u32> = (0..50).map(|x| pixel(x, 45)).collect();
            assert!(row.windows(2).all(|pair| pair[0] <= pair[1]), "{cell}: {row:?}");
        }
    }
}
