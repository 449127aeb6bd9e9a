//! A uniform grid over boxes, built by counting: the broad phase.

use crate::contact::collider::Bounds;
use crate::math::Vector;

/// Boxes listed cell by cell; within a cell in ascending order.
///
/// The grid covers nearly all boxes; boxes outside belong to its outermost cells. One particle far away
/// thus neither costs memory nor enlarges the cells. Numbers that are not finite land in some cell
/// without harm.
pub struct Grid {
    origin: Vector,
    cell: f64,
    counts: [u32; 3],
    starts: Vec<u32>,
    members: Vec<u32>,
    lows: Vec<[u32; 3]>,
}

/// 1/OUTLIERS of the boxes is left out at either end of the covered range.
const OUTLIERS: usize = 50;

impl Grid {
    /// Puts boxes into cells of about their own size, or of size `cell` if that is larger.
    pub fn new(boxes: &[Bounds], cell: f64) -> Grid {
        let (origin, top) = covered(boxes);
        let mut grid = Grid {
            origin,
            cell: typical_size(boxes, cell),
            counts: [1; 3],
            starts: Vec::new(),
            members: Vec::new(),
            lows: Vec::new(),
        };
        grid.choose_cells(boxes, top - origin);
        grid.fill(boxes);
        grid
    }

    /// Enlarges the cells until there are not many more cells and entries than boxes.
    fn choose_cells(&mut self, boxes: &[Bounds], extent: Vector) {
        let most_cells = 2.0 * boxes.len() as f64 + 64.0;
        let most_entries = 12 * boxes.len() as u64 + 64;
        loop {
            let counts = [0, 1, 2].map(|k| (extent[k] / self.cell).ceil());
            let single = counts.iter().all(|n| n.is_nan() || *n <= 1.0);
            let product: f64 = counts.iter().map(|n| if *n > 1.0 { *n } else { 1.0 }).product();
            if single || product <= most_cells {
                self.counts = counts.map(|n| if n > 1.0 { n as u32 } else { 1 });
                let entries: u64 = boxes.iter().map(|b| self.size(b)).sum();
                if single || entries <= most_entries {
                    return;
                }
            }
            self.cell *= if product > 8.0 * most_cells { 2.0 } else { 1.25 };
        }
    }

    fn size(&self, area: &Bounds) -> u64 {
        let (low, high) = (self.place(area.min), self.place(area.max));
        (0..3).map(|k| u64::from(high[k].max(low[k]) - low[k] + 1)).product()
    }

    fn fill(&mut self, boxes: &[Bounds]) {
        let cells = self.counts.iter().map(|n| *n as usize).product::<usize>();
        let mut starts = vec![0u32; cells + 1];
        for area in boxes {
            self.for_each_cell(area, |_, cell| starts[cell + 1] += 1);
        }
        for i in 0..cells {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut members = vec![0u32; starts[cells] as usize];
        for (number, area) in boxes.iter().enumerate() {
            self.for_each_cell(area, |_, cell| {
                members[next[cell] as usize] = number as u32;
                next[cell] += 1;
            });
        }
        self.lows = boxes.iter().map(|area| self.place(area.min)).collect();
        (self.starts, self.members) = (starts, members);
    }

    /// Cell of a point; points outside belong to the outermost cells.
    fn place(&self, p: Vector) -> [u32; 3] {
        [0, 1, 2].map(|k| {
            let cells = (p[k] - self.origin[k]) / self.cell;
            // the cast saturates at zero and the largest number, and turns NaN into zero
            (cells as u32).min(self.counts[k] - 1)
        })
    }

    fn for_each_cell(&self, area: &Bounds, mut visit: impl FnMut([u32; 3], usize)) {
        let (low, high) = (self.place(area.min), self.place(area.max));
        for z in low[2]..=high[2].max(low[2]) {
            for y in low[1]..=high[1].max(low[1]) {
                for x in low[0]..=high[0].max(low[0]) {
                    let row = z as usize * self.counts[1] as usize + y as usize;
                    visit([x, y, z], row * self.counts[0] as usize + x as usize);
                }
            }
        }
    }

    /// Calls `visit` once for every box that shares a cell with `area`; in ascending order if
    /// `area` lies in one cell.
    pub(crate) fn for_each_near(&self, area: &Bounds, mut visit: impl FnMut(u32)) {
        let first = self.place(area.min);
        self.for_each_cell(area, |[x, y, z], cell| {
            for &number in &self.members[self.starts[cell] as usize..self.starts[cell + 1] as usize]
            {
                let low = self.lows[number as usize];
                // both cover this cell; it is their first common cell if on each axis one of them starts
                // here
                if x == low[0].max(first[0])
                    && y == low[1].max(first[1])
                    && z == low[2].max(first[2])
                {
                    visit(number);
                }
            }
        });
    }
}

/// On each axis the range of the middle 96 % of the boxes' lower ends, widened on both sides by its
/// own width, but not beyond the range of all.
fn covered(boxes: &[Bounds]) -> (Vector, Vector) {
    let (mut origin, mut top) = (Vector::zeros(), Vector::zeros());
    let mut ends: Vec<f64> = Vec::with_capacity(boxes.len());
    for k in 0..3 {
        ends.clear();
        ends.extend(boxes.iter().map(|b| b.min[k]).filter(|x| x.is_finite()));
        if ends.is_empty() {
            continue;
        }
        let left_out = ends.len() / OUTLIERS;
        let last = ends.len() - 1;
        let quantile = |ends: &mut Vec<f64>, n: usize| {
            *ends.select_nth_unstable_by(n, |a, b| a.total_cmp(b)).1
        };
        let [lowest, low, high, highest] =
            [0, left_out, last - left_out, last].map(|n| quantile(&mut ends, n));
        let width = high - low;
        origin[k] = if low - width > lowest { low - width } else { lowest };
        top[k] = if high + width < highest { high + width } else { highest };
    }
    (origin, top)
}

/// Mean over the boxes of the longest edge \[m\], at least `smallest`; 1 m if that is zero.
fn typical_size(boxes: &[Bounds], smallest: f64) -> f64 {
    let mut sum = 0.0;
    for area in boxes {
        let extent = area.max - area.min;
        let size = extent.amax();
        if size.is_finite() {
            sum += size;
        }
    }
    let mean = sum / boxes.len() as f64;
    let size = if mean > smallest { mean } else { smallest };
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// The smallest box around at least one point.
pub fn around(points: &[Vector]) -> Bounds {
    Bounds::around(points.iter().copied()).unwrap_or(Bounds { min: points[0], max: points[0] })
}

/// A box widened by `by` \[m\] on all sides.
pub fn widened(area: Bounds, by: f64) -> Bounds {
    let by = Vector::repeat(by);
    Bounds { min: area.min - by, max: area.max + by }
}
