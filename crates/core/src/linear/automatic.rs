//! The choice of a solver by size and symmetry.

use super::bicgstab::Bicgstab;
use super::pcg::Pcg;
use super::sparse::lu::SparseLu;
use super::system::System;
use super::{LinearError, LinearSolver, MatrixForm, Wanted};
use crate::math::Vector;
use crate::registry::{Entry, Page};

/// The row of the solver.
pub const ENTRY: Entry<dyn LinearSolver> = Entry {
    name: "automatic",
    about: "sparse-lu for small scenes; else pcg, and bicgstab, then sparse-lu, where pcg's form does not do",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(Automatic::default())),
};

/// From this many particles on, conjugate gradients are cheaper than LU: for a lattice of 64 they
/// take a twentieth of the time (benches/implicit_step.rs), for the planar tipping box of 119, with
/// twice as many iterations, half of it.
pub(crate) const LARGE: usize = 50;

/// Solves small systems by LU, large ones by conjugate gradients on the symmetric form. Where that
/// form is not positive definite, or an iteration stagnates, the full form is solved by BiCGSTAB,
/// and by LU where BiCGSTAB fails. The choice depends on the system alone, never on earlier ones.
#[derive(Default)]
pub struct Automatic {
    lu: SparseLu,
    pcg: Pcg,
    bicgstab: Bicgstab,
}

impl LinearSolver for Automatic {
    fn form(&self, particles: usize) -> MatrixForm {
        if particles < LARGE { MatrixForm::Full } else { MatrixForm::Symmetric }
    }

    fn other_form(&self) -> Option<MatrixForm> {
        Some(MatrixForm::Full)
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        match system.form() {
            MatrixForm::Symmetric => self.pcg.factor(system),
            MatrixForm::Full if system.particles() < LARGE => self.lu.factor(system),
            // factors are needed only after BiCGSTAB has failed
            MatrixForm::Full => Ok(()),
        }
    }

    fn solve(
        &mut self,
        system: &System,
        wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        match system.form() {
            MatrixForm::Symmetric => self.pcg.solve(system, wanted, b),
            MatrixForm::Full if system.particles() < LARGE => self.lu.solve(system, wanted, b),
            MatrixForm::Full => {
                let kept = b.to_vec();
                let solved = self.bicgstab.factor(system);
                let solved = solved.and_then(|()| self.bicgstab.solve(system, wanted, b));
                solved.or_else(|error| {
                    b.copy_from_slice(&kept);
                    match self.lu.factor(system) {
                        // a shorter step may help where factors do not fit
                        Err(LinearError::OutOfMemory { .. }) => Err(error),
                        factored => factored.and_then(|()| self.lu.solve(system, wanted, b)),
                    }
                })
            }
        }
    }
}
