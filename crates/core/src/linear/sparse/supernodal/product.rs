//! The product A Bᵀ of dense matrices: both are packed into contiguous strips, and a micro-kernel keeps
//! a small block of the product in registers \[goto2008\]. Each entry is summed over k in its order,
//! whatever the width of a register.

use crate::math::lanes::{Lanes, Simd};

/// Columns of the product in one block of registers.
const STRIP: usize = 4;

/// Columns of the product are padded to a multiple of this many rows: two of the widest registers.
const PADDED: usize = 16;

/// A part of a matrix: its numbers from the first on, and the distances from row to row and from column
/// to column.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a> {
    pub numbers: &'a [f64],
    pub row_stride: usize,
    pub column_stride: usize,
}

/// A of m × k, B of n × k.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub m: usize,
    pub n: usize,
    pub k: usize,
}

/// C = A Bᵀ of m × n, column by column.
#[derive(Debug, Default)]
pub(super) struct Product {
    c: Vec<f64>,
    m: usize,
    a: Vec<f64>,
    b: Vec<f64>,
}

impl Product {
    #[inline(always)]
    pub fn column(&self, j: usize) -> &[f64] {
        &self.c[j * self.m.next_multiple_of(PADDED)..][..self.m]
    }

    /// C(i, j) = Σ_k A(i, k) B(j, k). If `lower` is set, entries above the diagonal may be left
    /// out. Each column of A is contiguous.
    #[inline(always)]
    pub fn compute<S: Simd, V: Lanes<S>>(
        &mut self,
        simd: S,
        a: Operand,
        b: Operand,
        size: Size,
        lower: bool,
    ) {
        let Size { m, n, k } = size;
        let (height, strips, wide) = (m.next_multiple_of(PADDED), n.div_ceil(STRIP), 2 * V::LEN);
        self.m = m;
        grow(&mut self.c, height * strips * STRIP);
        grow(&mut self.a, wide * k);
        grow(&mut self.b, strips * STRIP * k);
        let packed_b = &mut self.b[..strips * STRIP * k];
        pack_b(packed_b, b, n, k);
        for row in (0..m).step_by(wide) {
            let packed_a = &mut self.a[..wide * k];
            pack_a(packed_a, a, row, wide.min(m - row), wide);
            for (strip, packed_b) in packed_b.chunks_exact(STRIP * k).enumerate() {
                if lower && row + wide <= strip * STRIP {
                    break;
                }
                let c = &mut self.c[strip * STRIP * height + row..];
                micro_kernel::<S, V>(simd, packed_a, packed_b, c, height);
            }
        }
    }
}

/// B in strips of `STRIP` rows, each column by column; rows beyond n are zero.
#[inline(always)]
fn pack_b(into: &mut [f64], b: Operand, n: usize, k: usize) {
    for (strip, into) in into.chunks_exact_mut(STRIP * k).enumerate() {
        for (l, into) in into.chunks_exact_mut(STRIP).enumerate() {
            for (c, into) in into.iter_mut().enumerate() {
                let j = strip * STRIP + c;
                let at = j * b.row_stride + l * b.column_stride;
                *into = if j < n { b.numbers[at] } else { 0.0 };
            }
        }
    }
}

/// The strip of `wide` rows of A from `row` on, column by column; beyond the first `many` they are zero.
#[inline(always)]
fn pack_a(into: &mut [f64], a: Operand, row: usize, many: usize, wide: usize) {
    for (l, into) in into.chunks_exact_mut(wide).enumerate() {
        let column = &a.numbers[l * a.column_stride + row..][..many];
        if many == wide {
            into.copy_from_slice(&column[..wide]);
        } else {
            into[..many].copy_from_slice(column);
            into[many..].fill(0.0);
        }
    }
}

/// C(i, j) = Σ_k A(i, k) B(j, k) of one strip of A and one of B: two registers for each of `STRIP`
/// columns, which lie `height` numbers apart.
#[inline(always)]
fn micro_kernel<S: Simd, V: Lanes<S>>(simd: S, a: &[f64], b: &[f64], c: &mut [f64], height: usize) {
    let mut sums = [[V::splat(simd, 0.0); STRIP]; 2];
    for (a, b) in a.chunks_exact(2 * V::LEN).zip(b.chunks_exact(STRIP)) {
        let low = V::from_slice(simd, &a[..V::LEN]);
        let high = V::from_slice(simd, &a[V::LEN..2 * V::LEN]);
        let mut j = 0;
        while j < STRIP {
            let b = V::splat(simd, b[j]);
            sums[0][j] += low * b;
            sums[1][j] += high * b;
            j += 1;
        }
    }
    let mut j = 0;
    while j < STRIP {
        let c = &mut c[j * height..][..2 * V::LEN];
        sums[0][j].store_slice(&mut c[..V::LEN]);
        sums[1][j].store_slice(&mut c[V::LEN..]);
        j += 1;
    }
}

/// Lengthens the list to at least that many numbers.
fn grow(numbers: &mut Vec<f64>, many: usize) {
    if numbers.len() < many {
        numbers.resize(many, 0.0);
    }
}
