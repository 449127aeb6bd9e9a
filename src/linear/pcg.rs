//! Conjugate gradients with the diagonal blocks as preconditioner.

use super::system::System;
use super::{LinearError, LinearSolver, MatrixForm, Wanted, dot};
use crate::math::{Matrix, Vector, sqrt};
use crate::registry::{Entry, Page};

/// Its row.
pub const ENTRY: Entry<dyn LinearSolver> = Entry {
    name: "pcg",
    about: "conjugate gradients on the symmetric form, no matrix written out: for thousands of particles",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(Pcg::default())),
};

/// Iterations after which it gives up.
pub(super) const MOST_ITERATIONS: u32 = 2000;

/// Preconditioned conjugate gradients: y minimises ½ yᵀAy − bᵀy over spaces that grow by one
/// direction an iteration. The preconditioner is the inverse of each particle's own 3 × 3 block.
/// Sums run in a fixed order. Source: \[hestenes1952\].
#[derive(Default)]
pub struct Pcg {
    inverse: Vec<Matrix>,
    solution: Vec<Vector>,
    direction: Vec<Vector>,
    image: Vec<Vector>,
    preconditioned: Vec<Vector>,
}

/// Leaves the parts on free axes.
pub(super) fn confine(system: &System, b: &mut [Vector]) {
    for (b, free) in b.iter_mut().zip(system.free()) {
        b.component_mul_assign(free);
    }
}

impl Pcg {
    /// Begins at the guess if that is nearer than zero: leaves the residual in `r`, and says how
    /// large it is.
    fn begin(&mut self, system: &System, wanted: &Wanted, r: &mut [Vector], whole: f64) -> f64 {
        let n = r.len();
        for buffer in [&mut self.solution, &mut self.image] {
            buffer.resize(n, Vector::zeros());
        }
        self.solution.fill(Vector::zeros());
        if let Some(guess) = wanted.guess {
            system.apply(guess, &mut self.image);
            let left: f64 = (0..n)
                .map(|i| (r[i] - self.image[i]).norm_squared() * system.inverse_masses()[i])
                .sum();
            if left < whole {
                self.solution.copy_from_slice(guess);
                for (r, image) in r.iter_mut().zip(&self.image) {
                    *r -= image;
                }
                return left;
            }
        }
        whole
    }
}

impl Pcg {
    /// Leaves P r, and returns r·P r.
    fn precondition(&mut self, r: &[Vector]) -> f64 {
        for ((z, r), inverse) in self.preconditioned.iter_mut().zip(r).zip(&self.inverse) {
            *z = inverse * r;
        }
        dot(r, &self.preconditioned)
    }
}

impl LinearSolver for Pcg {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Symmetric
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        system.inverse_diagonal(&mut self.inverse).ok_or(LinearError::Singular)
    }

    fn solve(
        &mut self,
        system: &System,
        wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        confine(system, b);
        let whole = system.size(b);
        let enough = wanted.tolerance * wanted.tolerance * whole;
        let mut left = self.begin(system, wanted, b, whole);
        self.preconditioned.resize(b.len(), Vector::zeros());
        self.direction.clear();
        self.direction.resize(b.len(), Vector::zeros());
        let mut iterations = 0;
        // r·P r of this iteration and the one before
        let (mut now, mut before) = (self.precondition(b), f64::INFINITY);
        while left > enough {
            if iterations == MOST_ITERATIONS {
                return Err(LinearError::Stagnated { iterations, left: sqrt(left / whole) });
            }
            let carry = now / before;
            for (p, z) in self.direction.iter_mut().zip(&self.preconditioned) {
                *p = z + *p * carry;
            }
            system.apply(&self.direction, &mut self.image);
            let curvature = dot(&self.direction, &self.image);
            // written so that what is not a number ends here too
            if !(now > 0.0 && curvature > 0.0) {
                return Err(LinearError::Indefinite);
            }
            let step = now / curvature;
            for i in 0..b.len() {
                self.solution[i] += self.direction[i] * step;
                b[i] -= self.image[i] * step;
            }
            left = system.size(b);
            (before, now) = (now, self.precondition(b));
            iterations += 1;
        }
        b.copy_from_slice(&self.solution);
        Ok(iterations)
    }
}
