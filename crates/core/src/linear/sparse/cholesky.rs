//! Sparse Cholesky of the symmetric form.

use super::super::system::System;
use super::super::{BLOCK, FactorMemory, LinearError, LinearSolver, MatrixForm, Wanted};
use super::FEW;
use super::compressed::{Compressed, on_unknowns};
use super::simplicial::SimplicialCholesky;
use super::supernodal::Supernodal;
use crate::math::Vector;
use crate::registry::{Entry, Page};

/// The row of [`SparseCholesky`].
pub(crate) const ENTRY: Entry<dyn LinearSolver> = Entry {
    name: "sparse-cholesky",
    about: "sparse Cholesky of the symmetric form: half of LU's price, more Newton iterations in contact",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(SparseCholesky::default())),
};

/// Sparse Cholesky L Lᵀ of the symmetric form; an error where it is not positive definite.
#[derive(Default)]
pub(crate) struct SparseCholesky {
    compressed: Compressed,
    supernodal: Option<Supernodal>,
    simplicial: SimplicialCholesky,
    /// whether the factors are those of the last matrix
    sound: bool,
}

impl LinearSolver for SparseCholesky {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Symmetric
    }

    fn factor_memory(&self) -> Option<FactorMemory> {
        Some(FactorMemory { solver: ENTRY.name, block: BLOCK, entry: 84.0, sides: 1.0 })
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        self.sound = false;
        let (matrix, fresh) = self.compressed.matrix(system)?;
        if fresh {
            self.simplicial.forget();
            self.supernodal = None;
        }
        if system.particles() < FEW {
            self.simplicial.factor(&matrix)?;
        } else {
            let factors = Supernodal::of(&mut self.supernodal, matrix.symbolic(), true)?;
            if !factors.factor(matrix.val())? {
                return Err(LinearError::Indefinite);
            }
        }
        self.sound = true;
        Ok(())
    }

    fn solve(
        &mut self,
        system: &System,
        _wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        if !self.sound {
            return Err(LinearError::Indefinite);
        }
        on_unknowns(system, b, |column| {
            if system.particles() < FEW {
                return self.simplicial.solve(column);
            }
            self.supernodal.as_mut().ok_or(LinearError::Indefinite)?.solve(column);
            Ok(())
        })?;
        if b.iter().any(|y| !(y.x + y.y + y.z).is_finite()) {
            return Err(LinearError::Indefinite);
        }
        Ok(0)
    }
}
