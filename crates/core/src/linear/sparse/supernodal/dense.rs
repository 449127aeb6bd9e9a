//! The factorisation of one supernode after all updates: a dense L U or L Lᵀ of its columns,
//! right-looking, some columns at a time.

use super::column::{subtract, subtract_times};
use super::pattern::{Pattern, Supernode};
use super::product::{Operand, Product, Size};
use crate::math::lanes::{Lanes, Simd};
use crate::math::sqrt;
use std::ops::Range;

/// Columns that are factored one by one before those right of them are updated.
const PANEL: usize = 32;

/// Columns in one product, which stay in the cache.
pub(super) const CHUNK: usize = 64;

/// The numbers of one supernode: `l` of rows × columns, column by column, with the diagonal block of U;
/// `u` of columns × right, row by row.
pub(super) struct Dense<'a> {
    l: &'a mut [f64],
    u: &'a mut [f64],
    rows: usize,
    pub columns: usize,
    right: usize,
    symmetric: bool,
}

impl<'a> Dense<'a> {
    /// The numbers of `node`; they are the first of `l` and `u`.
    #[inline(always)]
    pub fn new(
        pattern: &Pattern,
        node: &Supernode,
        l: &'a mut [f64],
        u: &'a mut [f64],
    ) -> Dense<'a> {
        let (rows, columns, right) = (node.rows(), node.columns(), pattern.right(node));
        let (l, u) = (&mut l[..rows * columns], &mut u[..columns * right]);
        Dense { l, u, rows, columns, right, symmetric: pattern.symmetric }
    }

    #[inline(always)]
    pub fn column(&mut self, j: usize) -> &mut [f64] {
        &mut self.l[j * self.rows..][..self.rows]
    }

    #[inline(always)]
    pub fn row_of_u(&mut self, i: usize) -> &mut [f64] {
        &mut self.u[i * self.right..][..self.right]
    }

    /// Factors the panels P in turn. Each updates the columns R right of it, and the rows below:
    ///
    /// ```text
    /// A_·P = L_·P U_PP,   U_PR = L_PP⁻¹ A_PR,   A_·R ← A_·R − L_·P U_PR
    /// ```
    ///
    /// False if a pivot is zero or not finite, and for L Lᵀ also if it is negative.
    #[inline(always)]
    pub fn factor<S: Simd, V: Lanes<S>>(&mut self, simd: S, update: &mut Product) -> bool {
        for first in (0..self.columns).step_by(PANEL) {
            let panel = first..self.columns.min(first + PANEL);
            if !self.factor_panel(&panel) {
                return false;
            }
            if !self.symmetric {
                self.solve_rows_of_u(&panel);
            }
            for start in (panel.end..self.columns).step_by(CHUNK) {
                let chunk = start..self.columns.min(start + CHUNK);
                self.update_l::<S, V>(simd, &panel, &chunk, update);
                if self.right > 0 {
                    self.update_u::<S, V>(simd, &panel, &chunk, update);
                }
            }
        }
        true
    }

    /// A_·P = L_·P U_PP, column by column. With the pivot p = A(j, j), for all rows i > j and columns
    /// c > j of the panel:
    ///
    /// ```text
    /// L U:   L(i, j) = A(i, j)/p,    U(j, c) = A(j, c),   A(i, c) ← A(i, c) − L(i, j) U(j, c)
    /// L Lᵀ:  L(i, j) = A(i, j)/√p,   L(j, j) = √p,        A(i, c) ← A(i, c) − L(i, j) L(c, j)
    /// ```
    #[inline(always)]
    fn factor_panel(&mut self, panel: &Range<usize>) -> bool {
        let (rows, symmetric) = (self.rows, self.symmetric);
        for j in panel.clone() {
            let (before, after) = self.l.split_at_mut((j + 1) * rows);
            let column = &mut before[j * rows..];
            let pivot = column[j];
            let sound = if symmetric { pivot > 0.0 } else { pivot != 0.0 };
            if !sound || !pivot.is_finite() {
                return false;
            }
            let by = if symmetric { sqrt(pivot) } else { pivot };
            let scale = 1.0 / by;
            column[j] = by;
            for x in &mut column[j + 1..] {
                *x *= scale;
            }
            for c in j + 1..panel.end {
                let other = &mut after[(c - j - 1) * rows..(c - j) * rows];
                let (from, factor) = if symmetric { (c, column[c]) } else { (j + 1, other[j]) };
                subtract_times(&mut other[from..], &column[from..], factor);
            }
        }
        true
    }

    /// U_PR = L_PP⁻¹ A_PR: A(i, c) ← A(i, c) − L(i, j) U(j, c) for i > j in the panel, and all columns c
    /// right of the panel.
    #[inline(always)]
    fn solve_rows_of_u(&mut self, panel: &Range<usize>) {
        let (rows, right) = (self.rows, self.right);
        for c in panel.end..self.columns {
            let (before, after) = self.l.split_at_mut(c * rows);
            for j in panel.clone() {
                let (above, below) = after[..panel.end].split_at_mut(j + 1);
                subtract_times(below, &before[j * rows + j + 1..], above[j]);
            }
        }
        for j in panel.clone() {
            let (before, after) = self.u.split_at_mut((j + 1) * right);
            for i in j + 1..panel.end {
                let row = &mut after[(i - j - 1) * right..(i - j) * right];
                subtract_times(row, &before[j * right..], self.l[j * rows + i]);
            }
        }
    }

    /// A(i, c) ← A(i, c) − Σ_k L(i, k) U(k, c) over the columns k of the panel, for c in the chunk and
    /// all i below the panel; of a symmetric matrix U(k, c) = L(c, k), and i ≥ c.
    #[inline(always)]
    fn update_l<S: Simd, V: Lanes<S>>(
        &mut self,
        simd: S,
        panel: &Range<usize>,
        chunk: &Range<usize>,
        update: &mut Product,
    ) {
        let (rows, symmetric) = (self.rows, self.symmetric);
        let top = if symmetric { chunk.start } else { panel.end };
        let size = Size { m: rows - top, n: chunk.len(), k: panel.len() };
        let lower = self.lower(panel.start, top);
        let upper = if symmetric {
            lower
        } else {
            let numbers = &self.l[chunk.start * rows + panel.start..];
            Operand { numbers, row_stride: rows, column_stride: 1 }
        };
        update.compute::<S, V>(simd, lower, upper, size, symmetric);
        for c in chunk.clone() {
            let first = if symmetric { c } else { panel.end };
            let change = &update.column(c - chunk.start)[first - top..];
            subtract(&mut self.column(c)[first..], change);
        }
    }

    /// A(i, c) ← A(i, c) − Σ_k L(i, k) U(k, c) over the rows k of the panel, for i in the chunk and all
    /// columns c right of the supernode. It is computed transposed, as U is stored.
    #[inline(always)]
    fn update_u<S: Simd, V: Lanes<S>>(
        &mut self,
        simd: S,
        panel: &Range<usize>,
        chunk: &Range<usize>,
        update: &mut Product,
    ) {
        let size = Size { m: self.right, n: chunk.len(), k: panel.len() };
        let numbers = &self.u[panel.start * self.right..];
        let upper = Operand { numbers, row_stride: 1, column_stride: self.right };
        let lower = self.lower(panel.start, chunk.start);
        update.compute::<S, V>(simd, upper, lower, size, false);
        for i in chunk.clone() {
            subtract(self.row_of_u(i), update.column(i - chunk.start));
        }
    }

    /// L from column `first` and row `top` on.
    #[inline(always)]
    fn lower(&self, first: usize, top: usize) -> Operand<'_> {
        let numbers = &self.l[first * self.rows + top..];
        Operand { numbers, row_stride: 1, column_stride: self.rows }
    }
}
