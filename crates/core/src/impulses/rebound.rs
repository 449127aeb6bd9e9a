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
const PIECES: u32 = 16;

/// Share of a contact's inverse mass below which its tangents and a normal are not coupled: rounding.
const UNCOUPLED: f64 = 1e-12;

/// Most pieces of a restitution.
const MOST: u32 = 8 * PIECES;

/// Relative error of the energy given back, and attempts at the piece in which it is reached.
const CLOSE: f64 = 1e-9;
const ATTEMPTS: usize = 40;

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
    /// the impulses of the pieces before, by the row's place in the island
    done: Vec<Vector>,
    iterations: u64,
}

impl Impact<'_> {
    /// Ends a piece: later impulses begin at zero.
    fn next_piece(&mut self, problem: &mut ContactProblem) {
        for (k, done) in self.island.iter().zip(&mut self.done) {
            let velocity = problem.velocity(&problem.rows[*k]);
            let row = &mut problem.rows[*k];
            *done += row.impulse;
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

    /// The separating velocities of all rows: `of` a rebounding row of the island, Newton's elsewhere.
    fn asked(&self, of: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut asked = self.targets.to_vec();
        for k in self.island.iter().filter(|k| self.targets[**k] > 0.0) {
            asked[*k] = of(*k);
        }
        asked
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
    let done = vec![Vector::zeros(); island.len()];
    let mut impact = Impact { island, targets, done, iterations: 0 };
    let mut wanted = 0.0;
    for piece in 1..=PIECES {
        let left = 1.0 - f64::from(piece) / f64::from(PIECES);
        let asked = impact.asked(|k| before[k] * left);
        impact.iterations += solve(problem, &asked)?;
        let squared = |k: usize| (targets[k] / before[k]) * (targets[k] / before[k]);
        wanted -= impact.work(problem, squared);
        impact.next_piece(problem);
    }
    wanted = larger(wanted, 0.0);
    let mut given = 0.0;
    for piece in 1..=MOST {
        let reached = f64::from(piece) / f64::from(PIECES);
        let asked = impact.asked(|k| targets[k] * reached);
        impact.iterations += solve(problem, &asked)?;
        let more = impact.work(problem, |_| 1.0);
        if given + more >= wanted {
            last_piece(problem, &mut impact, (piece, wanted - given), &mut solve)?;
            impact.next_piece(problem);
            break;
        }
        given += more;
        impact.next_piece(problem);
    }
    for ((k, done), free) in island.iter().zip(&impact.done).zip(&free) {
        let row = &mut problem.rows[*k];
        (row.impulse, row.free) = (*done, *free);
    }
    Ok(impact.iterations)
}

/// Ends a restitution within a piece, at whose end it would give back more than is `left` \[J\].
fn last_piece<E>(
    problem: &mut ContactProblem,
    impact: &mut Impact,
    (piece, left): (u32, f64),
    solve: &mut impl FnMut(&mut ContactProblem, &[f64]) -> Result<u64, E>,
) -> Result<(), E> {
    let start = f64::from(piece - 1);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..ATTEMPTS {
        let share = 0.5 * (low + high);
        impact.undo(problem);
        let reached = (start + share) / f64::from(PIECES);
        let asked = impact.asked(|k| impact.targets[k] * reached);
        impact.iterations += solve(problem, &asked)?;
        let given = impact.work(problem, |_| 1.0);
        if (given - left).abs() <= CLOSE * left {
            return Ok(());
        }
        if given < left {
            low = share;
        } else {
            high = share;
        }
    }
    // the work jumps where slip stops: rather too little of it
    impact.undo(problem);
    let asked = impact.asked(|k| impact.targets[k] * (start + low) / f64::from(PIECES));
    impact.iterations += solve(problem, &asked)?;
    Ok(())
}
