//! Stabilised biconjugate gradients with the diagonal blocks as preconditioner.

use super::pcg::{MOST_ITERATIONS, confine};
use super::system::System;
use super::{LinearError, LinearSolver, MatrixForm, Wanted, dot};
use crate::math::{Matrix, Vector, sqrt};
use crate::registry::{Entry, Page};

/// Its row.
pub const ENTRY: Entry<dyn LinearSolver> = Entry {
    name: "bicgstab",
    about: "stabilised biconjugate gradients on the full matrix: large systems where pcg's form does not do",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(Bicgstab::default())),
};

/// Below this share of its bound a scalar product has lost its digits.
const BREAKDOWN: f64 = 1e-14;

/// BiCGSTAB, preconditioned from the right by the inverse of each particle's own block. It begins
/// anew from where it stands when a scalar product breaks down. Source: \[vandervorst1992\].
#[derive(Default)]
pub struct Bicgstab {
    inverse: Vec<Matrix>,
    solution: Vec<Vector>,
    shadow: Vec<Vector>,
    direction: Vec<Vector>,
    image: Vec<Vector>,
    second: Vec<Vector>,
    preconditioned: Vec<Vector>,
}

impl Bicgstab {
    fn start(&mut self, system: &System, wanted: &Wanted, r: &mut [Vector], whole: f64) -> f64 {
        let n = r.len();
        for buffer in [
            &mut self.solution,
            &mut self.shadow,
            &mut self.direction,
            &mut self.image,
            &mut self.second,
            &mut self.preconditioned,
        ] {
            buffer.clear();
            buffer.resize(n, Vector::zeros());
        }
        let mut left = whole;
        if let Some(guess) = wanted.guess {
            system.apply(guess, &mut self.image);
            self.second.clear();
            self.second.extend(r.iter().zip(&self.image).map(|(r, image)| r - image));
            let nearer = system.size(&self.second);
            if nearer < whole {
                self.solution.copy_from_slice(guess);
                r.copy_from_slice(&self.second);
                left = nearer;
            }
        }
        self.shadow.copy_from_slice(r);
        left
    }

    fn precondition(&mut self, r: impl Fn(usize) -> Vector) {
        for (i, (z, inverse)) in self.preconditioned.iter_mut().zip(&self.inverse).enumerate() {
            *z = inverse * r(i);
        }
    }

    /// One iteration; `None` when a scalar product broke down.
    fn iterate(&mut self, system: &System, r: &mut [Vector], rho: &mut f64) -> Option<f64> {
        let n = r.len();
        let direction = std::mem::take(&mut self.direction);
        self.precondition(|i| direction[i]);
        self.direction = direction;
        system.apply(&self.preconditioned, &mut self.image);
        let along = dot(&self.shadow, &self.image);
        let bound = dot(&self.shadow, &self.shadow) * dot(&self.image, &self.image);
        if along.abs() <= BREAKDOWN * sqrt(bound) {
            return None;
        }
        let alpha = *rho / along;
        for i in 0..n {
            self.solution[i] += self.preconditioned[i] * alpha;
            r[i] -= self.image[i] * alpha;
        }
        self.precondition(|i| r[i]);
        system.apply(&self.preconditioned, &mut self.second);
        let length = dot(&self.second, &self.second);
        let omega = if length > 0.0 { dot(&self.second, r) / length } else { 0.0 };
        for i in 0..n {
            self.solution[i] += self.preconditioned[i] * omega;
            r[i] -= self.second[i] * omega;
        }
        let before = *rho;
        *rho = dot(&self.shadow, r);
        let left = system.size(r);
        let carry = *rho / before * (alpha / omega);
        for i in 0..n {
            self.direction[i] = r[i] + (self.direction[i] - self.image[i] * omega) * carry;
        }
        Some(left)
    }
}

impl LinearSolver for Bicgstab {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Full
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
        let mut left = self.start(system, wanted, b, whole);
        let mut rho = dot(&self.shadow, b);
        self.direction.copy_from_slice(b);
        let mut iterations = 0;
        while left > enough {
            if iterations == MOST_ITERATIONS {
                return Err(LinearError::Stagnated { iterations, left: sqrt(left / whole) });
            }
            iterations += 1;
            let bound = sqrt(dot(&self.shadow, &self.shadow) * dot(b, b));
            let next = if rho.abs() > BREAKDOWN * bound {
                self.iterate(system, b, &mut rho)
            } else {
                None
            };
            match next {
                Some(next) if next.is_finite() => left = next,
                Some(_) => return Err(LinearError::Singular),
                // anew from here, unless this was the beginning
                None if self.shadow == *b => return Err(LinearError::Singular),
                None => {
                    self.shadow.copy_from_slice(b);
                    self.direction.copy_from_slice(b);
                    rho = dot(b, b);
                }
            }
        }
        b.copy_from_slice(&self.solution);
        Ok(iterations)
    }
}
