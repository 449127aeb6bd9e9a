//! Projected Gauss–Seidel: contacts one after the other, each solved exactly for the present impulses of
//! the others, sweep after sweep. Slow sweeps are accelerated by mixing; now and then Newton's method is
//! tried from the present point, in the impulses and in their momenta.

use super::cone::Cone;
use super::conic::is_crushed;
use super::mixing::Mixing;
use super::newton::improve;
use super::proximal;
use super::residuals::{impulses, set, worst};
use super::{SolverSettings, Unsettled};
use crate::impulses::problem::ContactProblem;
use crate::math::{Vector, larger};
use crate::step_error::ContactsUnsolved;

/// Factor on the tolerance after the last sweep: in a pile rounding alone leaves more than the
/// tolerance.
const ENOUGH: f64 = 1e3;

/// Number of first sweeps whose impulses are not mixed: after a warm start these mostly suffice.
const PLAIN: u64 = 2;

/// Change of a sweep, over the tolerance, below which the residual is evaluated.
const NEAR: f64 = 1e3;

/// Sweeps between two attempts at all conditions at once.
const OFTEN: u64 = 50;

/// Factor by which the number of sweeps grows from one attempt to solve for momenta to the next. The first
/// attempt mostly succeeds.
const LATER: u64 = 4;

/// Sweeps before the existence of a solution is tested.
const LONG: u64 = 256;

/// With more contacts than these, momenta are tried before impulses: those have six unknowns a rigid body, these
/// three a contact in a dense matrix, whose solution takes a time of the third power.
const MANY: usize = 30;

/// An attempt at all conditions at once, given problem, conditions, island and limits; true if it
/// improved the impulses.
type Attempt = fn(&mut ContactProblem, &[Cone], &[usize], &SolverSettings) -> bool;

/// Solves the contacts of an island from their present impulses; returns the number of sweeps.
pub(super) fn solve(
    problem: &mut ContactProblem,
    cones: &[Cone],
    island: &[usize],
    settings: &SolverSettings,
) -> Result<u64, Unsettled> {
    let mut mixing = Mixing::default();
    let mut before = impulses(problem, island);
    let mut best = Best { residual: f64::INFINITY, impulses: before.clone() };
    let mut attempt = OFTEN;
    for sweep in 1..=settings.max_iterations {
        if settings.halt.is_asked() {
            break;
        }
        let change = once(problem, cones, island);
        let close = change <= NEAR * settings.tolerance;
        // a single contact is solved at once; load may keep wandering slowly between several
        if island.len() == 1 || close && worst(problem, cones, island).1 <= settings.tolerance {
            return Ok(sweep);
        }
        let after = impulses(problem, island);
        let long =
            LONG == sweep || settings.max_iterations < LONG && settings.max_iterations == sweep;
        if long && is_crushed(problem, cones, island) {
            return Err(unsettled(problem, cones, island, ContactsUnsolved::Infeasible, sweep));
        }
        if sweep % OFTEN == 0 {
            let due = sweep == attempt;
            if due {
                attempt *= LATER;
            }
            if all_at_once(problem, cones, island, settings, due) {
                before = impulses(problem, island);
                mixing = Mixing::default();
                best.note(problem, cones, island);
                continue;
            }
        }
        let weights = island.iter().map(|k| cones[*k].scale());
        before = match mixing.mix(&before, &after, weights) {
            Some(mixed) if sweep > PLAIN => {
                set(problem, island, &mixed);
                mixed
            }
            _ => after,
        };
    }
    // the last mixing may lie outside the cones
    once(problem, cones, island);
    best.note(problem, cones, island);
    set(problem, island, &best.impulses);
    let (_, residual) = worst(problem, cones, island);
    if residual <= ENOUGH * settings.tolerance {
        return Ok(settings.max_iterations);
    }
    Err(unsettled(problem, cones, island, ContactsUnsolved::NotConverged, settings.max_iterations))
}

/// Tries all conditions at once, in the momenta only if `due`; true if the impulses improved.
fn all_at_once(
    problem: &mut ContactProblem,
    cones: &[Cone],
    island: &[usize],
    settings: &SolverSettings,
    due: bool,
) -> bool {
    // many contacts have far fewer momenta
    let attempts: &[Attempt] = match (due, island.len() > MANY) {
        (true, true) => &[proximal::improve, improve],
        (true, false) => &[improve, proximal::improve],
        (false, true) => &[],
        (false, false) => &[improve],
    };
    let mut better = false;
    for attempt in attempts {
        if worst(problem, cones, island).1 > settings.tolerance {
            better |= attempt(problem, cones, island, settings);
        }
    }
    better
}

/// The impulses with the smallest residual so far.
struct Best {
    /// \[m/s\]
    residual: f64,
    impulses: Vec<Vector>,
}

impl Best {
    fn note(&mut self, problem: &ContactProblem, cones: &[Cone], island: &[usize]) {
        let (_, residual) = worst(problem, cones, island);
        if residual < self.residual {
            *self = Best { residual, impulses: impulses(problem, island) };
        }
    }
}

fn unsettled(
    problem: &ContactProblem,
    cones: &[Cone],
    island: &[usize],
    cause: ContactsUnsolved,
    iterations: u64,
) -> Unsettled {
    let (row, residual) = worst(problem, cones, island);
    Unsettled { cause, row, residual, iterations }
}

/// One sweep; returns the largest change \[m/s\].
fn once(problem: &mut ContactProblem, cones: &[Cone], island: &[usize]) -> f64 {
    let mut largest: f64 = 0.0;
    for k in island {
        let row = &problem.rows[*k];
        let q = problem.velocity(row) - row.inverse_mass * row.impulse;
        let change = cones[*k].solve(&q) - row.impulse;
        if change != Vector::zeros() {
            problem.kick(*k, change);
            largest = larger(largest, change.norm() * cones[*k].scale());
        }
    }
    largest
}
