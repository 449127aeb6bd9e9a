//! The full matrix by conjugate gradients: the symmetric form S is inverted, its rest U corrected.

use super::LinearError;
use super::gradients::{ConjugateGradients, MOST_ITERATIONS};
use super::sums;
use super::system::System;
use crate::math::{Vector, larger, smaller, sqrt};

/// Directions kept.
const KEPT: usize = 4;

/// Largest residual of a solution of S, as a share of its right-hand side.
const LOOSEST: f64 = 0.1;

/// Generalised conjugate residuals for A = S + U, preconditioned by solutions of S to a loose
/// tolerance. U is ∂F_friction/∂N of the contacts in slip: small in rank, and a product with it costs
/// nothing. Each outer iteration minimises Σ |r|²/m over its direction after the last `KEPT`
/// ones; A z of a direction z follows from the residual of S and U z, without a product with S.
/// Source: \[vandervorst1994\].
#[derive(Default)]
pub(super) struct Outer {
    /// directions z and their A z, with Σ |A z|²/m
    kept: Vec<Direction>,
    solution: Vec<Vector>,
    work: Vec<Vector>,
    spare: Vec<[f64; 1]>,
}

#[derive(Default)]
struct Direction {
    z: Vec<Vector>,
    image: Vec<Vector>,
    size: f64,
}

/// Σ a·b/m.
fn product(system: &System, a: &[Vector], b: &[Vector], spare: &mut Vec<[f64; 1]>) -> f64 {
    let [sum] = sums::sum(a.len(), spare, |leaf| {
        let terms =
            a[leaf.clone()].iter().zip(&b[leaf.clone()]).zip(&system.inverse_masses()[leaf]);
        [terms.fold(0.0, |sum, ((a, b), m)| sum + a.dot(b) * m)]
    });
    sum
}

/// a += factor b.
fn add(a: &mut [Vector], b: &[Vector], factor: f64) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b * factor);
}

impl Outer {
    /// Takes the components along the directions that stay out of a new one, which gets the place `place`.
    fn part(&mut self, next: &mut Direction, (place, turn): (usize, usize), system: &System) {
        for (number, old) in self.kept.iter().enumerate().take(turn.min(KEPT)) {
            if number != place {
                let share = product(system, &next.image, &old.image, &mut self.spare) / old.size;
                add(&mut next.image, &old.image, -share);
                add(&mut next.z, &old.z, -share);
            }
        }
    }

    /// Solves until Σ |r|²/m, `whole` at zero, is `enough`; `r` is the right-hand side, then the
    /// solution. Returns the iterations of `inner`.
    pub(super) fn solve(
        &mut self,
        inner: &mut ConjugateGradients,
        system: &System,
        guess: Option<&[Vector]>,
        (whole, enough): (f64, f64),
        r: &mut [Vector],
    ) -> Result<u32, LinearError> {
        self.solution.clear();
        self.solution.resize(r.len(), Vector::zeros());
        let (mut left, mut iterations, mut turn) = (whole, 0, 0);
        // U z as a share of the residual before
        let mut rest = LOOSEST;
        while left > enough {
            if iterations >= MOST_ITERATIONS || system.halt.is_asked() {
                return Err(LinearError::Stagnated { iterations, left: sqrt(left / whole) });
            }
            let share = sqrt(enough / left);
            let share = larger(0.7 * share, smaller(0.5 * rest, LOOSEST));
            self.work.clear();
            self.work.extend_from_slice(r);
            let guess = guess.filter(|_| turn == 0);
            let wanted = (left, smaller(share * share, 1.0) * left);
            // a guess may suffice as it is
            iterations += inner.descend(system, guess, wanted, &mut self.work)?;
            let place = turn % KEPT;
            if self.kept.len() <= place {
                self.kept.push(Direction::default());
            }
            let mut next = std::mem::take(&mut self.kept[place]);
            next.z.clone_from(&inner.solution);
            // A z = (r before − r after) + U z
            next.image.clear();
            next.image.resize(r.len(), Vector::zeros());
            system.add_beside_product(&next.z, &mut next.image);
            rest = sqrt(system.size(&next.image) / left);
            for ((q, r), after) in next.image.iter_mut().zip(r.iter()).zip(&self.work) {
                *q += r - after;
            }
            self.part(&mut next, (place, turn), system);
            next.size = system.size(&next.image);
            let along = product(system, r, &next.image, &mut self.spare) / next.size;
            if !along.is_finite() {
                return Err(LinearError::Singular);
            }
            add(&mut self.solution, &next.z, along);
            add(r, &next.image, -along);
            let before = std::mem::replace(&mut left, system.size(r));
            self.kept[place] = next;
            turn += 1;
            if left >= STAGNANT * before || !left.is_finite() {
                return Err(LinearError::Stagnated { iterations, left: sqrt(left / whole) });
            }
        }
        r.copy_from_slice(&self.solution);
        Ok(iterations)
    }
}

/// An outer iteration that leaves more than this share of Σ |r|²/m makes no progress.
const STAGNANT: f64 = 0.98;
