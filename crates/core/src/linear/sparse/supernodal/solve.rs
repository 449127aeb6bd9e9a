//! Substitution with the factors: L y = b from the leaves of the elimination tree to its root, then
//! U x = y or Lᵀ x = y from its root to the leaves.

use super::column::{dot, subtract_times};
use super::pattern::{Pattern, Supernode};

/// The factors of a matrix.
pub(super) struct Solved<'a> {
    pub pattern: &'a Pattern,
    pub l: &'a [f64],
    pub u: &'a [f64],
}

/// Storage between solutions: the unknowns in the order of elimination, and those below one supernode.
#[derive(Debug, Default)]
pub(super) struct Unknowns {
    x: Vec<f64>,
    below: Vec<f64>,
}

impl Solved<'_> {
    /// Replaces b by the solution of A x = b.
    pub fn solve(&self, b: &mut [f64], Unknowns { x, below }: &mut Unknowns) {
        let order = self.pattern.order();
        x.clear();
        x.resize(b.len(), 0.0);
        for (place, b) in order.iter().zip(b.iter()) {
            x[*place] = *b;
        }
        for s in 0..self.pattern.count() {
            self.forward(self.pattern.supernode(s), x, below);
        }
        for s in (0..self.pattern.count()).rev() {
            let node = self.pattern.supernode(s);
            below.clear();
            below.extend(node.below.iter().map(|row| x[*row]));
            let x = &mut x[node.start..node.end];
            if self.pattern.symmetric {
                self.backward_transposed(node, x, below);
            } else {
                self.backward(node, x, below);
            }
        }
        for (place, b) in order.iter().zip(b) {
            *b = x[*place];
        }
    }

    fn l_of(&self, node: Supernode) -> &[f64] {
        &self.l[node.l..][..node.rows() * node.columns()]
    }

    /// L y = b, the columns of J: y(j) = b(j), for L Lᵀ divided by L(j, j); then for all rows i > j
    /// b(i) ← b(i) − L(i, j) y(j). The changes of the rows below J are summed first, and added
    /// once.
    fn forward(&self, node: Supernode, x: &mut [f64], below: &mut Vec<f64>) {
        let columns = node.columns();
        below.clear();
        below.resize(node.below.len(), 0.0);
        for (j, l) in self.l_of(node).chunks_exact(node.rows()).enumerate() {
            let x = &mut x[node.start..node.end];
            if self.pattern.symmetric {
                x[j] /= l[j];
            }
            let (above, rest) = x.split_at_mut(j + 1);
            subtract_times(rest, &l[j + 1..columns], above[j]);
            subtract_times(below, &l[columns..], above[j]);
        }
        for (row, sum) in node.below.iter().zip(below) {
            x[*row] += *sum;
        }
    }

    /// Lᵀ x = y, the columns of J: x(j) = (y(j) − Σ_i L(i, j) x(i))/L(j, j), i > j.
    fn backward_transposed(&self, node: Supernode, x: &mut [f64], below: &[f64]) {
        let columns = node.columns();
        for (j, l) in self.l_of(node).chunks_exact(node.rows()).enumerate().rev() {
            let sum = dot(&l[j + 1..columns], &x[j + 1..]) + dot(&l[columns..], below);
            x[j] = (x[j] - sum) / l[j];
        }
    }

    /// U x = y, the rows of J: y(j) ← y(j) − Σ_c U(j, c) x(c) over the columns c right of J; then, from
    /// the last column, x(j) = y(j)/U(j, j), y(i) ← y(i) − U(i, j) x(j) for the rows i < j.
    fn backward(&self, node: Supernode, x: &mut [f64], below: &[f64]) {
        let right = below.len();
        for (j, x) in x.iter_mut().enumerate() {
            *x -= dot(&self.u[node.u + j * right..][..right], below);
        }
        for (j, l) in self.l_of(node).chunks_exact(node.rows()).enumerate().rev() {
            let (above, rest) = x.split_at_mut(j);
            rest[0] /= l[j];
            subtract_times(above, &l[..j], rest[0]);
        }
    }
}
