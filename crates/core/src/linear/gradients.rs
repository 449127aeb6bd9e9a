//! The iteration of conjugate gradients.

use super::LinearError;
use super::passes::{Octets, dot, turn};
use super::sums;
use super::system::System;
use crate::math::lanes::level;
use crate::math::{Vector, sqrt};

/// Largest number of iterations.
pub(super) const MOST_ITERATIONS: u32 = 2000;

/// Preconditioned conjugate gradients: y minimises ½ yᵀAy − bᵀy over spaces that grow by one direction
/// per iteration. The preconditioner P is the inverse of each particle's own 3 × 3 block. An iteration
/// passes over the particles three times: directions, product with its sum, residual with its sums. Sums
/// run by a fixed tree. Source: \[hestenes1952\].
#[derive(Default)]
pub(super) struct ConjugateGradients {
    inverse: Octets,
    pub(super) solution: Vec<Vector>,
    /// the direction p
    direction: Vec<Vector>,
    /// A p after a product, P r after the residual, zero before a product
    image: Vec<Vector>,
    one: Vec<[f64; 1]>,
    two: Vec<[f64; 2]>,
}

impl ConjugateGradients {
    /// Inverts each particle's own block of the system.
    pub(super) fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        self.inverse.resize(system.particles());
        system.inverse_halves(|i, block| self.inverse.put(i, block)).ok_or(LinearError::Singular)
    }

    /// Allocates, and starts at zero.
    fn clear(&mut self, n: usize) {
        for buffer in [&mut self.solution, &mut self.direction, &mut self.image] {
            buffer.clear();
            buffer.resize(n, Vector::zeros());
        }
    }

    /// Starts at the guess if that is better than zero; writes the residual to `r` and returns its size.
    fn begin(
        &mut self,
        system: &System,
        guess: Option<&[Vector]>,
        r: &mut [Vector],
        whole: f64,
    ) -> f64 {
        let Some(guess) = guess else { return whole };
        system.apply(guess, &mut self.image);
        let [left] = sums::sum(r.len(), &mut self.one, |leaf| {
            let terms =
                leaf.map(|i| (r[i] - self.image[i]).norm_squared() * system.inverse_masses()[i]);
            [terms.fold(0.0, |sum, term| sum + term)]
        });
        // written so that NaN is no guess
        let nearer = left < whole;
        if nearer {
            self.solution.copy_from_slice(guess);
            r.iter_mut().zip(&self.image).for_each(|(r, image)| *r -= image);
        }
        self.image.fill(Vector::zeros());
        if nearer { left } else { whole }
    }

    /// Writes A p to `image`, which is zero, and returns p·A p.
    fn multiply(&mut self, system: &System) -> f64 {
        let Self { direction, image, one, .. } = self;
        system.begin_product(direction, image);
        let [curvature] = sums::sum(image.len(), one, |leaf| {
            system.rows_of_product(leaf.clone(), direction, image, |_, _| ());
            [dot(level(), &direction[leaf.clone()], &image[leaf])]
        });
        curvature
    }

    /// r −= step A p; writes P r to `image`, and returns Σ |r|²/m and r·P r.
    fn shrink(&mut self, system: &System, r: &mut [Vector], step: f64) -> [f64; 2] {
        let Self { inverse, image, two, .. } = self;
        sums::sum(r.len(), two, |leaf| {
            inverse.shrink(level(), leaf, (r, image), system.inverse_masses(), step)
        })
    }

    /// Solves the symmetric form until Σ |r|²/m, `whole` at zero, is `enough`: the solution is in
    /// `solution`, its residual in `r`, which starts as the right-hand side.
    pub(super) fn descend(
        &mut self,
        system: &System,
        guess: Option<&[Vector]>,
        (whole, enough): (f64, f64),
        r: &mut [Vector],
    ) -> Result<u32, LinearError> {
        self.clear(r.len());
        let mut left = self.begin(system, guess, r, whole);
        // r·P r of this iteration and of the last, and the step along the old direction
        let [_, mut now] = self.shrink(system, r, 0.0);
        let (mut before, mut step) = (f64::INFINITY, 0.0);
        let mut iterations = 0;
        while left > enough {
            if iterations == MOST_ITERATIONS || system.halt.is_asked() {
                return Err(LinearError::Stagnated { iterations, left: sqrt(left / whole) });
            }
            let Self { solution, direction, image, .. } = self;
            turn(level(), solution, direction, image, [step, now / before]);
            let curvature = self.multiply(system);
            // written so that NaN ends here too
            if !(now > 0.0 && curvature > 0.0) {
                return Err(LinearError::Indefinite);
            }
            step = now / curvature;
            before = now;
            [left, now] = self.shrink(system, r, step);
            iterations += 1;
        }
        for (y, p) in self.solution.iter_mut().zip(&self.direction) {
            *y += p * step;
        }
        Ok(iterations)
    }
}
