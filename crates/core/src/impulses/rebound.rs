//! Restitution of coupled contacts by energy \[stronge1990\], an impact in small pieces \[routh1905\].
//!
//! Newton's u_n' = −e u_n⁻ creates energy where friction turns a rod or joins several contacts: the slip stops
//! or reverses within the impact, and the tangential impulse then drives the contacts apart. Here the normal
//! velocities of the rebounding contacts of an island go from u_n⁻ to zero, the compression, and on, the
//! restitution, in pieces in each of which |p_t| ≤ μ p_n against the slip at its end. The restitution ends
//! when the normal forces have given back ε² of the work that they took in the compression:
//!
//! ```text
//! Σ ∫ u_n dp_n (restitution) = −Σ ε² ∫ u_n dp_n (compression),   ε = b/|u_n⁻|
//! ```
//!
//! with Newton's separating velocity b: ε is e, less what the acceleration of the step made of u_n⁻ and does
//! not rebound,
//! with ∫ u_n dp_n = Δp_n (u_n before + u_n after)/2 in a piece. Where the slip neither stops nor turns,
//! Newton's and Poisson's laws agree with this one.

use super::problem::ContactProblem;
use crate::math::{Vector, larger};

/// Pieces of the compression, and of a restitution to −e u_n⁻.
const PIECES: u32 = 32;

/// Share of a contact's inverse mass below which its tangents and a normal are not coupled: rounding.
const UNCOUPLED: f64 = 1e-12;

/// Most pieces of a restitution.
const MOST: u32 = 8 * PIECES;

/// Relative error of the energy given back, and attempts at the piece in which it is reached.
const CLOSE: f64 = 1e-9;
const ATTEMPTS: usize = 40;

/// Share of a velocity by which the pieces may leave an impact wrong in which the slip stops: the friction of
/// a piece is that of its end.
pub const IMPACT_ERROR: f64 = 2e-3;

/// Whether Newton's restitution of these contacts can create energy: one of them rebounds, and a tangential
/// impulse of one with friction changes a normal velocity.
pub fn is_coupled(problem: &ContactProblem, island: &[usize], targets: &[f64]) -> bool {
    let rough = |k: &&usize| problem.rows[**k].friction.static_friction > 0.0;
    let drives = |normal: usize, tangent: usize| {
        let effect = problem.coupling(normal, tangent);
        let size = problem.rows[tangent].inverse_mass.trace();
        larger(effect[(0, 1)].abs(), effect[(0, 2)].abs()) > UNCOUPLED * size
    };
    island.iter().any(|k| targets[*k] > 0.0)
        && island.iter().filter(rough).any(|j| island.iter().any(|i| drives(*i, *j)))
}

/// An impact in progress.
struct Impact<'a> {
    island: &'a [usize],
    /// Newton's separating velocities of all rows \[m/s\]
    targets: &'a [f64],
    /// those of the piece
    asked: Vec<f64>,
    /// impulse, and p ∘ (u before + u after)/2, of the pieces before, by the row's place in the island
    done: Vec<[Vector; 2]>,
    iterations: u64,
}

impl Impact<'_> {
    /// Solves a piece, at whose end the velocities of the rebounding rows are `of` them \[m/s\].
    fn solve<E>(
        &mut self,
        problem: &mut ContactProblem,
        of: impl Fn(usize) -> f64,
        by: &mut impl FnMut(&mut ContactProblem, &[f64]) -> Result<u64, E>,
    ) -> Result<(), E> {
        for k in self.island.iter().filter(|k| self.targets[**k] > 0.0) {
            self.asked[*k] = of(*k);
        }
        self.iterations += by(problem, &self.asked)?;
        Ok(())
    }

    /// Ends a piece: later impulses begin at zero.
    fn next_piece(&mut self, problem: &mut ContactProblem) {
        for (k, [impulse, work]) in self.island.iter().zip(&mut self.done) {
            let velocity = problem.velocity(&problem.rows[*k]);
            let row = &mut problem.rows[*k];
            *impulse += row.impulse;
            *work += row.impulse.component_mul(&((row.free + velocity) * 0.5));
            (row.impulse, row.free) = (Vector::zeros(), velocity);
        }
    }

    /// Takes back the impulses of a piece.
    fn undo(&self, problem: &mut ContactProblem) {
        for k in self.island {
            let p = problem.rows[*k].impulse;
            problem.kick(*k, -p);
        }
    }

    /// Σ of a row × ∫ u_n dp_n in this piece over the rebounding contacts \[J\].
    fn work(&self, problem: &ContactProblem, of: impl Fn(usize) -> f64) -> f64 {
        let rebounding = self.island.iter().filter(|k| self.targets[**k] > 0.0);
        let one = |k: &usize| {
            let row = &problem.rows[*k];
            0.5 * of(*k) * row.impulse.x * (row.free.x + problem.velocity(row).x)
        };
        rebounding.map(one).sum()
    }

    /// Ends a restitution within a piece, at whose end it would give back `over` \[J\] more than is `left`:
    /// by false position, of which the end that stays counts half each time.
    fn last_piece<E>(
        &mut self,
        problem: &mut ContactProblem,
        (piece, left, over): (u32, f64, f64),
        by: &mut impl FnMut(&mut ContactProblem, &[f64]) -> Result<u64, E>,
    ) -> Result<(), E> {
        let targets = self.targets;
        let start = f64::from(piece - 1);
        let reached = |share: f64| move |k: usize| targets[k] * (start + share) / f64::from(PIECES);
        if over <= CLOSE * left {
            return Ok(());
        }
        let (mut low, mut high) = ((0.0, -left), (1.0, over));
        for _ in 0..ATTEMPTS {
            let share = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            self.undo(problem);
            self.solve(problem, reached(share), by)?;
            let more = self.work(problem, |_| 1.0) - left;
            if more.abs() <= CLOSE * left {
                return Ok(());
            }
            // the end that stays counts less, lest it stay for ever
            if more < 0.0 {
                (low, high.1) = ((share, more), 0.5 * high.1);
            } else {
                (high, low.1) = ((share, more), 0.5 * low.1);
            }
            if high.0 - low.0 < CLOSE {
                break;
            }
        }
        // the work jumps where slip stops: rather too little of it
        self.undo(problem);
        self.solve(problem, reached(low.0), by)
    }
}

/// Solves the contacts of an island whose restitution is coupled, with Newton's separating velocities
/// `targets` of all rows of the problem. `solve` finds the impulses of the island for given separating
/// velocities, from the present ones, and returns its iterations, of which the sum is returned.
///
/// # Errors
/// Those of `solve`.
pub fn in_pieces<E>(
    problem: &mut ContactProblem,
    island: &[usize],
    targets: &[f64],
    mut solve: impl FnMut(&mut ContactProblem, &[f64]) -> Result<u64, E>,
) -> Result<u64, E> {
    let free: Vec<Vector> = island.iter().map(|k| problem.rows[*k].free).collect();
    let before: Vec<f64> = problem.rows.iter().map(|row| row.free.x).collect();
    let done = vec![[Vector::zeros(); 2]; island.len()];
    let mut impact = Impact { island, targets, asked: targets.to_vec(), done, iterations: 0 };
    let mut wanted = 0.0;
    for piece in 1..=PIECES {
        let left = 1.0 - f64::from(piece) / f64::from(PIECES);
        impact.solve(problem, |k| before[k] * left, &mut solve)?;
        let squared = |k: usize| (targets[k] / before[k]) * (targets[k] / before[k]);
        wanted -= impact.work(problem, squared);
        impact.next_piece(problem);
    }
    wanted = larger(wanted, 0.0);
    let mut given = 0.0;
    for piece in 1..=MOST {
        let reached = f64::from(piece) / f64::from(PIECES);
        impact.solve(problem, |k| targets[k] * reached, &mut solve)?;
        let more = impact.work(problem, |_| 1.0);
        let over = given + more - wanted;
        if over >= 0.0 {
            impact.last_piece(problem, (piece, wanted - given, over), &mut solve)?;
            impact.next_piece(problem);
            break;
        }
        given += more;
        impact.next_piece(problem);
    }
    for ((k, [impulse, work]), free) in island.iter().zip(&impact.done).zip(&free) {
        let after = problem.velocity(&problem.rows[*k]);
        let row = &mut problem.rows[*k];
        (row.impulse, row.free) = (*impulse, *free);
        row.bend = work - impulse.component_mul(&((free + after) * 0.5));
    }
    Ok(impact.iterations)
}
