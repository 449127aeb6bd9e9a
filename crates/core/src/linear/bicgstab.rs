//! Stabilised biconjugate gradients with the diagonal blocks as preconditioner.

use super::gradients::MOST_ITERATIONS;
use super::sums;
use super::system::System;
use super::{LinearError, LinearSolver, MatrixForm, Wanted};
use crate::math::{Matrix, Vector, sqrt};
use crate::registry::{Entry, Page};

/// The row of the solver.
pub const ENTRY: Entry<dyn LinearSolver> = Entry {
    name: "bicgstab",
    about: "stabilised biconjugate gradients on the full matrix: large systems where pcg's form does not do",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(Bicgstab::default())),
};

/// A scalar product below this share of its bound has lost its digits.
const BREAKDOWN: f64 = 1e-14;

/// BiCGSTAB, preconditioned from the right by the inverse P of each particle's own block. When a scalar
/// product breaks down, the iteration restarts from the present point. Sums run by a fixed tree.
/// Source: \[vandervorst1992\].
#[derive(Default)]
pub(crate) struct Bicgstab {
    inverse: Vec<Matrix>,
    solution: Vec<Vector>,
    /// the first residual r̂
    shadow: Vec<Vector>,
    /// the direction p
    direction: Vec<Vector>,
    /// A P p
    image: Vec<Vector>,
    /// A P r
    second: Vec<Vector>,
    /// P p, then P r
    preconditioned: [Vec<Vector>; 2],
    two: Vec<[f64; 2]>,
    three: Vec<[f64; 3]>,
}

/// The scalars of an iteration.
struct Scalars {
    /// r̂·r
    rho: f64,
    /// r̂·r̂ and r·r
    lengths: [f64; 2],
    /// Σ |r|²/m
    left: f64,
}

/// Writes A p to `image`, and returns w·A p and |A p|².
fn multiply(
    system: &System,
    (p, image): (&[Vector], &mut [Vector]),
    w: &[Vector],
    two: &mut Vec<[f64; 2]>,
) -> [f64; 2] {
    image.fill(Vector::zeros());
    system.begin_product(p, image);
    sums::sum(image.len(), two, |leaf| {
        let mut sums = [0.0; 2];
        system.rows_of_product(leaf, p, image, |i, row| {
            sums[0] += w[i].dot(row);
            sums[1] += row.norm_squared();
        });
        sums
    })
}

impl Bicgstab {
    /// Allocates, and starts at the guess if that is better than zero; writes the residual to `r` and
    /// returns its size.
    fn start(&mut self, system: &System, wanted: &Wanted, r: &mut [Vector], whole: f64) -> f64 {
        let [first, second] = &mut self.preconditioned;
        for buffer in [
            &mut self.solution,
            &mut self.shadow,
            &mut self.direction,
            &mut self.image,
            &mut self.second,
            first,
            second,
        ] {
            buffer.clear();
            buffer.resize(r.len(), Vector::zeros());
        }
        let Some(guess) = wanted.guess else { return whole };
        multiply(system, (guess, &mut self.image), r, &mut self.two);
        self.second.copy_from_slice(r);
        self.second.iter_mut().zip(&self.image).for_each(|(r, image)| *r -= image);
        let nearer = system.size(&self.second);
        if nearer < whole {
            self.solution.copy_from_slice(guess);
            r.copy_from_slice(&self.second);
            return nearer;
        }
        whole
    }

    /// Takes the residual as the first residual and as the direction.
    fn anew(&mut self, r: &[Vector], left: f64) -> Scalars {
        self.shadow.copy_from_slice(r);
        self.direction.copy_from_slice(r);
        for (z, (inverse, p)) in self.preconditioned[0].iter_mut().zip(self.inverse.iter().zip(r)) {
            *z = inverse * p;
        }
        let length = sums::dot(r, r);
        Scalars { rho: length, lengths: [length; 2], left }
    }

    /// One iteration; `None` if a scalar product broke down.
    fn iterate(&mut self, system: &System, r: &mut [Vector], now: &Scalars) -> Option<Scalars> {
        let Bicgstab { inverse, shadow, image, second, two, three, .. } = self;
        let [of_direction, of_residual] = &mut self.preconditioned;
        let at = (&of_direction[..], &mut image[..]);
        let [along, square] = multiply(system, at, shadow, two);
        if along.abs() <= BREAKDOWN * sqrt(now.lengths[0] * square) {
            return None;
        }
        let alpha = now.rho / along;
        for (((r, z), image), inverse) in
            r.iter_mut().zip(of_residual.iter_mut()).zip(image.iter()).zip(inverse.iter())
        {
            *r -= image * alpha;
            *z = inverse * *r;
        }
        let at = (&of_residual[..], &mut second[..]);
        let [across, square] = multiply(system, at, r, two);
        let omega = if square > 0.0 { across / square } else { 0.0 };
        let [rho, length, left] = sums::sum(r.len(), three, |leaf| {
            let mut sums = [0.0; 3];
            for i in leaf {
                self.solution[i] += of_direction[i] * alpha + of_residual[i] * omega;
                r[i] -= second[i] * omega;
                let square = r[i].norm_squared();
                sums[0] += shadow[i].dot(&r[i]);
                sums[1] += square;
                sums[2] += square * system.inverse_masses()[i];
            }
            sums
        });
        let carry = rho / now.rho * (alpha / omega);
        for i in 0..r.len() {
            let p = r[i] + (self.direction[i] - image[i] * omega) * carry;
            self.direction[i] = p;
            of_direction[i] = inverse[i] * p;
        }
        Some(Scalars { rho, lengths: [now.lengths[0], length], left })
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
        system.confine(b);
        let whole = system.size(b);
        let enough = wanted.tolerance * wanted.tolerance * whole;
        let left = self.start(system, wanted, b, whole);
        let mut now = self.anew(b, left);
        let mut iterations = 0;
        while now.left > enough {
            if iterations == MOST_ITERATIONS || system.halt.is_asked() {
                return Err(LinearError::Stagnated { iterations, left: sqrt(now.left / whole) });
            }
            iterations += 1;
            let bound = sqrt(now.lengths[0] * now.lengths[1]);
            let next = if now.rho.abs() > BREAKDOWN * bound {
                self.iterate(system, b, &now)
            } else {
                None
            };
            match next {
                Some(next) if next.left.is_finite() => now = next,
                Some(_) => return Err(LinearError::Singular),
                // restart from here, unless this was the start
                None if self.shadow == *b => return Err(LinearError::Singular),
                None => now = self.anew(b, now.left),
            }
        }
        b.copy_from_slice(&self.solution);
        Ok(iterations)
    }
}
