//! The tangent ∂P/∂F of a law in the form that its blocks are cheap in.

use crate::math::{Matrix, Vector};

/// Most directions of a tangent: three turns, three shears, three stretches.
const MOST: usize = 9;

/// ∂P/∂F as the sum that gives
///
/// ```text
/// dP = along dF + transposed dFᵀ + s d(cof F) + Σ c Q (Q:dF)
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tangent {
    /// \[Pa\]
    pub along: f64,
    /// \[Pa\]
    pub transposed: f64,
    /// s \[Pa\] and F.
    pub cofactor: Option<(f64, Matrix)>,
    dyads: [(f64, Matrix); MOST],
    count: usize,
}

impl Tangent {
    /// dP = along dF.
    pub fn along(along: f64) -> Self {
        Tangent { along, ..Tangent::default() }
    }

    /// Adds c Q (Q:dF).
    pub fn add(&mut self, c: f64, q: Matrix) {
        self.dyads[self.count] = (c, q);
        self.count += 1;
    }

    /// As [`Self::add`], where c is above zero.
    pub fn add_positive(&mut self, c: f64, q: Matrix) {
        if c > 0.0 {
            self.add(c, q);
        }
    }

    /// The matrix B(a, b) with dP a = B w for dF = w bᵀ \[Pa/m²\]; a and b are gradients \[1/m\].
    pub fn block(&self, a: Vector, b: Vector) -> Matrix {
        let mut block = Matrix::from_diagonal_element(self.along * a.dot(&b));
        block += b * a.transpose() * self.transposed;
        if let Some((s, f)) = &self.cofactor {
            block += (f * a.cross(&b)).cross_matrix() * -s;
        }
        for (c, q) in &self.dyads[..self.count] {
            block += q * a * (q * b).transpose() * *c;
        }
        block
    }
}
