//! The pixels of a triangle, row by row.

use super::{Point, Rect};

/// Calls `visit(y, x0, x1)` for every row of pixels whose centres are inside a triangle.
#[inline]
pub fn for_each_span(corners: [Point; 3], clip: &Rect, mut visit: impl FnMut(i32, i32, i32)) {
    if corners.iter().any(|c| !(c.0.is_finite() && c.1.is_finite())) {
        return;
    }
    let [mut top, mut middle, mut bottom] = corners;
    let order = |a: &mut Point, b: &mut Point| {
        if a.1 > b.1 {
            std::mem::swap(a, b);
        }
    };
    order(&mut top, &mut middle);
    order(&mut middle, &mut bottom);
    order(&mut top, &mut middle);
    let (first, last) = (centre(top.1, clip.y0, clip.y1), centre(bottom.1, clip.y0, clip.y1));
    if first >= last {
        return;
    }
    let turn = centre(middle.1, clip.y0, clip.y1);
    // an edge always runs downwards, so that both of its triangles compute the same bits
    let slope = |a: Point, b: Point| (b.0 - a.0) / (b.1 - a.1);
    let long = slope(top, bottom);
    for (rows, from, short) in
        [(first..turn, top, slope(top, middle)), (turn..last, middle, slope(middle, bottom))]
    {
        for y in rows {
            let line = f64::from(y) + 0.5;
            let (a, b) = (top.0 + long * (line - top.1), from.0 + short * (line - from.1));
            let (left, right) = if a < b { (a, b) } else { (b, a) };
            let (x0, x1) = (centre(left, clip.x0, clip.x1), centre(right, clip.x0, clip.x1));
            if x0 < x1 {
                visit(y, x0, x1);
            }
        }
    }
}

/// The first pixel of low..high whose centre is not before `c`.
#[inline]
fn centre(c: f64, low: i32, high: i32) -> i32 {
    let high = high.max(low);
    let inside = (c - 0.5).clamp(f64::from(low), f64::from(high));
    // rounded up
    high - (f64::from(high) - inside) as i32
}
