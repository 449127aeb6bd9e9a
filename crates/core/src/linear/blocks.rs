//! Symmetric blocks of 3 × 3 in six numbers.

use crate::math::{Matrix, Vector};

/// A symmetric block: (xx, yy, zz, xy, yz, zx).
pub type Half = [f64; 6];

/// The block at (i, j) of a pair: the symmetric part S and the vector w of the other, S p + w × p; at (j, i)
/// stands its transpose.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Pair {
    /// S.
    pub half: Half,
    /// w, zero for springs.
    pub twist: [f64; 3],
}

impl From<Half> for Pair {
    fn from(half: Half) -> Self {
        Pair { half, twist: [0.0; 3] }
    }
}

impl Pair {
    /// The mean of a block at (i, j) and the transpose of that at (j, i).
    pub fn of(there: &Matrix, back: &Matrix) -> Self {
        let mean = (there + back.transpose()) * 0.5;
        let part = |r: usize, c: usize| 0.5 * (mean[(r, c)] - mean[(c, r)]);
        Pair { half: half(&mean), twist: [part(2, 1), part(0, 2), part(1, 0)] }
    }

    /// The blocks at (i, j) and (j, i).
    pub fn matrices(&self) -> [Matrix; 2] {
        let there = unfold(&self.half) + Vector::from(self.twist).cross_matrix();
        [there, there.transpose()]
    }

    /// Whether the block is symmetric.
    pub fn is_symmetric(&self) -> bool {
        self.twist == [0.0; 3]
    }
}

/// B p.
#[inline(always)]
pub(super) fn times(b: &Half, p: &Vector) -> Vector {
    Vector::new(
        b[0] * p.x + b[3] * p.y + b[5] * p.z,
        b[1] * p.y + b[4] * p.z + b[3] * p.x,
        b[2] * p.z + b[5] * p.x + b[4] * p.y,
    )
}

/// The mean of a matrix and its transpose.
pub(super) fn half(m: &Matrix) -> Half {
    let mean = |r: usize, c: usize| 0.5 * (m[(r, c)] + m[(c, r)]);
    [m[(0, 0)], m[(1, 1)], m[(2, 2)], mean(0, 1), mean(1, 2), mean(2, 0)]
}

/// The symmetric matrix of six numbers.
pub(super) fn unfold(b: &Half) -> Matrix {
    Matrix::new(b[0], b[3], b[5], b[3], b[1], b[4], b[5], b[4], b[2])
}

/// The inverse by cofactors; `None` where the determinant is zero.
#[inline(always)]
pub(super) fn inverse(b: &Half) -> Option<Half> {
    let [xx, yy, zz, xy, yz, zx] = *b;
    let (of_xx, of_xy, of_zx) = (yy * zz - yz * yz, yz * zx - xy * zz, xy * yz - yy * zx);
    let determinant = xx * of_xx + xy * of_xy + zx * of_zx;
    let of_rest = [xx * zz - zx * zx, xx * yy - xy * xy, xy * zx - xx * yz];
    let all = [of_xx, of_rest[0], of_rest[1], of_xy, of_rest[2], of_zx];
    (determinant != 0.0).then(|| all.map(|cofactor| cofactor / determinant))
}

/// a += factor b.
#[inline(always)]
pub(super) fn take(a: &mut Half, b: &Half, factor: f64) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += factor * b;
    }
}
