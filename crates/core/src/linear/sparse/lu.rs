//! Sparse LU of the full form.

use super::super::system::System;
use super::super::{BLOCK, FactorMemory, LinearError, LinearSolver, MatrixForm, Wanted};
use super::FEW;
use super::compressed::{Compressed, on_unknowns};
use super::simplicial::SimplicialLu;
use super::supernodal::Supernodal;
use crate::math::Vector;
use crate::registry::{Entry, Page};
use faer::sparse::SparseColMat;

/// The row of [`SparseLu`].
pub(crate) const ENTRY: Entry<dyn LinearSolver> = Entry {
    name: "sparse-lu",
    about: "sparse LU of the full matrix: few Newton iterations, dear beyond a few hundred particles",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(SparseLu::default())),
};

/// Largest residual of a solved system, relative to the largest Σ |A y| + |b| of a row: some thousand
/// roundings.
const EXACT: f64 = 1e-12;

/// Largest number of corrections by the residual; then follows LU with row exchange.
const CORRECTIONS: usize = 3;

/// The residual b − A y, and its largest entry relative to the largest Σ |A y| + |b| of a row.
fn residual(matrix: &SparseColMat<usize, f64>, y: &[f64], b: &[f64]) -> (Vec<f64>, f64) {
    let (mut left, mut size) = (b.to_vec(), b.iter().map(|b| b.abs()).collect::<Vec<_>>());
    for (column, y) in y.iter().enumerate() {
        let rows = matrix.symbolic().row_idx_of_col_raw(column);
        for (row, value) in rows.iter().zip(matrix.val_of_col(column)) {
            let term = value * y;
            left[*row] -= term;
            size[*row] += term.abs();
        }
    }
    let most = |all: &[f64]| {
        // keeps NaN
        all.iter().fold(0.0, |most: f64, x| if x.abs() <= most { most } else { x.abs() })
    };
    let (left_over, all) = (most(&left), most(&size));
    (left, if left_over == 0.0 { 0.0 } else { left_over / all })
}

/// Iterative refinement: solves with the factors and corrects by the residual. Replaces b by the solution;
/// leaves it and returns false if the residual stays too large.
fn refined(factors: &mut Supernodal, matrix: &SparseColMat<usize, f64>, b: &mut Vec<f64>) -> bool {
    let mut y = b.clone();
    factors.solve(&mut y);
    for _ in 0..=CORRECTIONS {
        let (mut left, share) = residual(matrix, &y, b);
        if share <= EXACT {
            *b = y;
            return true;
        }
        factors.solve(&mut left);
        y.iter_mut().zip(left).for_each(|(y, left)| *y += left);
    }
    false
}

/// Sparse LU of the full form. Large systems are factored by supernodes without row exchange.
/// That succeeds where restoring terms exceed driving ones; the residual shows where it fails. There,
/// and in small systems, rows are exchanged for the largest pivot.
#[derive(Default)]
pub(crate) struct SparseLu {
    compressed: Compressed,
    matrix: Option<SparseColMat<usize, f64>>,
    supernodal: Option<Supernodal>,
    /// whether the supernodal factors are those of the last matrix
    sound: bool,
    simplicial: SimplicialLu,
}

impl LinearSolver for SparseLu {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Full
    }

    /// L and U each have the pattern of the Cholesky factor, unless rows must be exchanged. Of
    /// their blocks .85 are filled, and more in flatter bodies: for lattices, a cloth and a rope
    /// the estimate is within 20 % of the peak.
    fn factor_memory(&self) -> Option<FactorMemory> {
        Some(FactorMemory {
            solver: ENTRY.name,
            block: 0.85 * 2.0 * BLOCK,
            entry: 66.0,
            sides: 2.0,
        })
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        (self.matrix, self.sound, self.simplicial.sound) = (None, false, false);
        let (matrix, fresh) = self.compressed.matrix(system)?;
        if fresh {
            self.simplicial.forget();
            self.supernodal = None;
        }
        if system.particles() < FEW {
            self.simplicial.factor(&matrix)?;
        } else {
            let factors = Supernodal::of(&mut self.supernodal, matrix.symbolic(), false)?;
            self.sound = factors.factor(matrix.val())?;
            if !self.sound {
                self.simplicial.factor(&matrix)?;
            }
        }
        self.matrix = Some(matrix);
        Ok(())
    }

    fn solve(
        &mut self,
        system: &System,
        _wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        on_unknowns(system, b, |column| {
            let matrix = self.matrix.as_ref().ok_or(LinearError::Singular)?;
            if let (true, Some(factors)) = (self.sound, &mut self.supernodal) {
                if refined(factors, matrix, column) {
                    return Ok(());
                }
                if !self.simplicial.sound {
                    self.simplicial.factor(matrix)?;
                }
            }
            self.simplicial.solve(column)
        })?;
        // a zero pivot shows here
        if b.iter().any(|y| !(y.x + y.y + y.z).is_finite()) {
            return Err(LinearError::Singular);
        }
        Ok(0)
    }
}
