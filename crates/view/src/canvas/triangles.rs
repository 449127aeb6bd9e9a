//! The pixels of a triangle, row by row.

use super::{CanvasPoint, Rect};

/// Calls `visit(y, x0, x1)` for every row of pixels whose centres are inside a triangle.
#[inline]
pub fn for_each_span(corners: [CanvasPoint; 3], clip: &Rect, mut visit: impl FnMut(i32, i32, i32)) {
    if corners.iter().any(|c| !(c.0.is_finite() && c.1.is_finite())) {
        return;
    }
    let [mut top, mut middle, mut bottom] = corners;
    let order = |a: &mut CanvasPoint, b: &mut CanvasPoint| {
        if a.1 > b.1 {
            std::mem::swap(a, b);
        }
    };
    order(&mut top, &mut middle);
    order(&mut middle, &mut bottom);
    order(&mut top, &mut middle);
    let (first, last) = (centre(top.1, clip.y0, clip.y1), centre(bottom.1, clip.y0, clip.y1));
    let (left, right) = (f64::from(clip.x0), f64::from(clip.x1));
    let beside = corners.iter().all(|c| c.0 < left) || corners.iter().all(|c| c.0 > right);
    if first >= last || beside {
        return;
    }
    let turn = centre(middle.1, clip.y0, clip.y1);
    let mut long = TriangleSide::new(top, bottom, first);
    for (rows, from, to) in [(first..turn, top, middle), (turn..last, middle, bottom)] {
        if rows.is_empty() {
            continue;
        }
        let mut short = TriangleSide::new(from, to, rows.start);
        for y in rows {
            let (left, right) =
                if long.x < short.x { (long.x, short.x) } else { (short.x, long.x) };
            let (x0, x1) = (pixel(left, clip), pixel(right, clip));
            if x0 < x1 {
                visit(y, x0, x1);
            }
            long.x = long.x.wrapping_add(long.step);
            short.x = short.x.wrapping_add(short.step);
        }
    }
}

/// The number one in the fixed-point format of sides.
const ONE: i64 = 1 << 32;

/// A side followed downward from row to row. In every triangle it starts at the first row below its
/// upper end, so that the two triangles on it compute the same bits.
struct TriangleSide {
    x: i64,
    step: i64,
}

impl TriangleSide {
    fn new(upper: CanvasPoint, lower: CanvasPoint, row: i32) -> TriangleSide {
        let slope = (lower.0 - upper.0) / (lower.1 - upper.1);
        let x = upper.0 + slope * (f64::from(row) + 0.5 - upper.1);
        TriangleSide { x: (x * ONE as f64) as i64, step: (slope * ONE as f64) as i64 }
    }
}

/// The first pixel of the clip whose centre is not before `x`.
#[inline]
fn pixel(x: i64, clip: &Rect) -> i32 {
    let whole = x.saturating_add(ONE / 2 - 1) >> 32;
    (whole as i32).clamp(clip.x0, clip.x1.max(clip.x0))
}

/// The first pixel of low..high whose centre is not before `c`.
#[inline]
fn centre(c: f64, low: i32, high: i32) -> i32 {
    let high = high.max(low);
    let inside = (c - 0.5).clamp(f64::from(low), f64::from(high));
    // rounded up
    high - (f64::from(high) - inside) as i32
}
