//! The update of a supernode J by a finished descendant D: the update matrix L_D U_D, computed densely
//! and scattered by relative indices.

use super::dense::{CHUNK, Dense};
use super::pattern::{Pattern, Supernode};
use super::product::{Operand, Product, Size};
use crate::math::lanes::{Lanes, Simd};
use std::ops::Range;

/// A finished supernode D: its rows of L below the diagonal block, and its columns of U right of it.
pub(super) struct Descendant<'a> {
    node: Supernode<'a>,
    symmetric: bool,
    l: &'a [f64],
    u: &'a [f64],
}

impl<'a> Descendant<'a> {
    /// The supernode number `d`; `l` and `u` are the numbers of all finished supernodes.
    #[inline(always)]
    pub fn new(pattern: &'a Pattern, d: usize, l: &'a [f64], u: &'a [f64]) -> Self {
        let node = pattern.supernode(d);
        let (l, u) = (&l[node.l + node.columns()..], &u[node.u..]);
        Descendant { node, symmetric: pattern.symmetric, l, u }
    }

    /// The end of the rows of D, from `first` on, that are less than `row`.
    #[inline(always)]
    pub fn rows_before(&self, first: usize, row: usize) -> usize {
        first + self.node.below[first..].partition_point(|r| *r < row)
    }

    /// L(i, k): row i below the diagonal block, from `first` on, and column k of D.
    #[inline(always)]
    fn lower(&self, first: usize) -> Operand<'a> {
        Operand { numbers: &self.l[first..], row_stride: 1, column_stride: self.node.rows() }
    }

    /// Uᵀ(j, k): column j right of the diagonal block, from `first` on, and row k of D. Uᵀ = L where
    /// the matrix is symmetric.
    #[inline(always)]
    fn upper(&self, first: usize) -> Operand<'a> {
        if self.symmetric {
            return self.lower(first);
        }
        Operand { numbers: &self.u[first..], row_stride: 1, column_stride: self.node.below.len() }
    }

    /// A(i, j) ← A(i, j) − Σ_k L(i, k) U(k, j) over the columns k of D, for all i and j of J. The
    /// `shared` rows of D are columns of J, whose first one is `start`. Of a symmetric matrix i ≥ j.
    #[inline(always)]
    pub fn update<S: Simd, V: Lanes<S>>(
        &self,
        simd: S,
        shared: Range<usize>,
        start: usize,
        relative: &[u32],
        block: &mut Dense,
        update: &mut Product,
    ) {
        let to = Indices { start, relative };
        for first in shared.clone().step_by(CHUNK) {
            let chunk = first..shared.end.min(first + CHUNK);
            let top = if self.symmetric { first } else { shared.start };
            self.update_l::<S, V>(simd, top, &chunk, &to, block, update);
            if !self.symmetric && shared.end < self.node.below.len() {
                self.update_u::<S, V>(simd, shared.end, &chunk, &to, block, update);
            }
        }
    }

    /// The part in columns of J: i from `top` on, j in the chunk.
    #[inline(always)]
    fn update_l<S: Simd, V: Lanes<S>>(
        &self,
        simd: S,
        top: usize,
        chunk: &Range<usize>,
        to: &Indices,
        block: &mut Dense,
        update: &mut Product,
    ) {
        let below = self.node.below;
        let size = Size { m: below.len() - top, n: chunk.len(), k: self.node.columns() };
        let (l, u) = (self.lower(top), self.upper(chunk.start));
        update.compute::<S, V>(simd, l, u, size, self.symmetric);
        for (c, j) in below[chunk.clone()].iter().enumerate() {
            let above = if self.symmetric { c } else { 0 };
            let column = block.column(j - to.start);
            let changes = &update.column(c)[above..];
            scatter(column, &below[top + above..], to.relative, changes);
        }
    }

    /// The part right of J: i in the chunk, j from `left` on. It is computed transposed, as U is stored.
    #[inline(always)]
    fn update_u<S: Simd, V: Lanes<S>>(
        &self,
        simd: S,
        left: usize,
        chunk: &Range<usize>,
        to: &Indices,
        block: &mut Dense,
        update: &mut Product,
    ) {
        let below = self.node.below;
        let size = Size { m: below.len() - left, n: chunk.len(), k: self.node.columns() };
        let (u, l) = (self.upper(left), self.lower(chunk.start));
        update.compute::<S, V>(simd, u, l, size, false);
        let columns = block.columns;
        for (c, i) in below[chunk.clone()].iter().enumerate() {
            let row = block.row_of_u(i - to.start);
            scatter_right(row, &below[left..], to.relative, columns, update.column(c));
        }
    }
}

/// Rows of the matrix → rows of J: its first column, and the relative index of each of its rows.
struct Indices<'a> {
    start: usize,
    relative: &'a [u32],
}

/// y(relative(i)) ← y(relative(i)) − x(i). A function of its own: within the kernels there are no
/// registers left for it.
#[inline(never)]
fn scatter(y: &mut [f64], rows: &[usize], relative: &[u32], x: &[f64]) {
    for (i, x) in rows.iter().zip(x) {
        y[relative[*i] as usize] -= x;
    }
}

/// The same in U, whose rows begin right of the `columns` of the diagonal block.
#[inline(never)]
fn scatter_right(y: &mut [f64], rows: &[usize], relative: &[u32], columns: usize, x: &[f64]) {
    for (i, x) in rows.iter().zip(x) {
        y[relative[*i] as usize - columns] -= x;
    }
}
