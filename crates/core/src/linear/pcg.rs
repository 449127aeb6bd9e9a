//! Conjugate gradients with the diagonal blocks as preconditioner.

use super::gradients::ConjugateGradients;
use super::outer::Outer;
use super::system::System;
use super::{LinearError, LinearSolver, MatrixForm, Wanted};
use crate::math::Vector;
use crate::registry::{Entry, Page};

/// The row of the solver.
pub const ENTRY: Entry<dyn LinearSolver> = Entry {
    name: "pcg",
    about: "conjugate gradients on the symmetric form, the rest by an outer iteration: for thousands of particles",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(Pcg::default())),
};

/// Conjugate gradients for the symmetric form, with an outer iteration for blocks beside it.
#[derive(Default)]
pub(crate) struct Pcg {
    gradients: ConjugateGradients,
    outer: Outer,
}

impl LinearSolver for Pcg {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Symmetric
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        self.gradients.factor(system)
    }

    fn solve(
        &mut self,
        system: &System,
        wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        system.confine(b);
        let whole = system.size(b);
        let enough = wanted.tolerance * wanted.tolerance * whole;
        let Pcg { gradients, outer } = self;
        if system.is_symmetric() {
            let iterations = gradients.descend(system, wanted.guess, (whole, enough), b)?;
            b.copy_from_slice(&gradients.solution);
            return Ok(iterations);
        }
        outer.solve(gradients, system, wanted.guess, (whole, enough), b)
    }
}
