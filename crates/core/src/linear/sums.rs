//! Sums by a fixed tree: their bits depend on the number of terms alone, not on threads.

use crate::math::Vector;
use std::ops::Range;

/// Particles of one leaf of the tree, summed in order.
pub(super) const LEAF: usize = 512;

/// The ranges of the leaves of `n` particles.
pub(super) fn leaves(n: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n).step_by(LEAF).map(move |start| start..n.min(start + LEAF))
}

/// The sum of the leaves' sums, pair by pair.
pub(super) fn tree<const N: usize>(leaves: &[[f64; N]]) -> [f64; N] {
    match leaves {
        [] => [0.0; N],
        [one] => *one,
        _ => {
            let (front, back) = leaves.split_at(leaves.len().div_ceil(2));
            let (mut sum, back) = (tree(front), tree(back));
            for (sum, back) in sum.iter_mut().zip(back) {
                *sum += back;
            }
            sum
        }
    }
}

/// Σ of the terms of `n` particles by the tree; `spare` is storage for the sums of leaves.
pub(super) fn sum<const N: usize>(
    n: usize,
    spare: &mut Vec<[f64; N]>,
    mut leaf: impl FnMut(Range<usize>) -> [f64; N],
) -> [f64; N] {
    spare.clear();
    spare.extend(leaves(n).map(&mut leaf));
    tree(spare)
}

/// Σ a_i·b_i.
pub(super) fn dot(a: &[Vector], b: &[Vector]) -> f64 {
    let [sum] = sum(a.len().min(b.len()), &mut Vec::new(), |leaf| {
        let mut sum = 0.0;
        for (a, b) in a[leaf.clone()].iter().zip(&b[leaf]) {
            sum += a.dot(b);
        }
        [sum]
    });
    sum
}
