//! Operations on single columns.

use crate::math::lanes::tree;

/// y ← y − x.
#[inline(always)]
pub(super) fn subtract(y: &mut [f64], x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= x;
    }
}

/// y ← y − a x.
#[inline(always)]
pub(super) fn subtract_times(y: &mut [f64], x: &[f64], a: f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= x * a;
    }
}

/// Σ x y in eight lanes and a fixed tree.
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (whole_x, rest_x) = x.as_chunks::<8>();
    let (whole_y, rest_y) = y.as_chunks::<8>();
    for (x, y) in whole_x.iter().zip(whole_y) {
        for k in 0..8 {
            lanes[k] += x[k] * y[k];
        }
    }
    for (k, (x, y)) in rest_x.iter().zip(rest_y).enumerate() {
        lanes[k] += x * y;
    }
    tree(lanes)
}
