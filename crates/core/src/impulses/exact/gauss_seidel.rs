//! Projected Gauss–Seidel: contacts one after the other, each solved exactly under what the others
//! give it, over and over. Where the sweeps only creep to their fixed point they are mixed, and now and
//! then Newton's method is tried from where they are, in the impulses and in the momenta they make.

use super::cone::Cone;
use super::conic::is_crushed;
use super::islands::{impulses, set, worst};
use super::mixing::Mixing;
use super::newton::improve;
use super::proximal;
use super::{SolverSettings, Unsettled};
use crate::impulses::problem::ContactProblem;
use crate::math::{Vector, larger};
use crate::step_error::ContactsUnsolved;

/// Times the tolerance with which the sweeps may end that never reach it: in a pile rounding alone
/// leaves more.
const ENOUGH: f64 = 1e3;

/// Sweeps before the first mixing: warm starts mostly need fewer.
const PLAIN: u64 = 2;

/// Changes of a sweep from which it is worth while to look, in shares of the tolerance.
const NEAR: f64 = 1e3;

/// Sweeps between two attempts at all conditions at once.
const OFTEN: u64 = 50;

/// Growth of the number of sweeps between two attempts in the momenta, of which the first mostly does.
const LATER: u64 = 4;

/// Sweeps after which it is asked whether there is a solution at all.
const LONG: u64 = 256;

/// Contacts from which on momenta are tried before impulses.
const MANY: usize = 30;

/// All conditions at once: problem, conditions, island and tolerance \[m/s\]; whether it is better.
type Attempt = fn(&mut ContactProblem, &[Cone], &[usize], f64) -> bool;

/// Solves the contacts of an island, from the impulses they have; returns the sweeps it took.
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
        let change = once(problem, cones, island);
        // a contact alone is solved at once
        if island.len() == 1 {
            return Ok(sweep);
        }
        // slow changes of what bears what need not end
        if change <= NEAR * settings.tolerance
            && worst(problem, cones, island).1 <= settings.tolerance
        {
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
            if all_at_once(problem, cones, island, settings.tolerance, due) {
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
    // the last mixing may have left the cones
    once(problem, cones, island);
    best.note(problem, cones, island);
    set(problem, island, &best.impulses);
    let (_, residual) = worst(problem, cones, island);
    if residual <= ENOUGH * settings.tolerance {
        return Ok(settings.max_iterations);
    }
    Err(unsettled(problem, cones, island, ContactsUnsolved::NotConverged, settings.max_iterations))
}

/// Tries all conditions at once, in the momenta only where that is `due`; whether impulses are better.
fn all_at_once(
    problem: &mut ContactProblem,
    cones: &[Cone],
    island: &[usize],
    tolerance: f64,
    due: bool,
) -> bool {
    // of many contacts the momenta are much fewer
    let attempts: &[Attempt] = match (due, island.len() > MANY) {
        (true, true) => &[proximal::improve, improve],
        (true, false) => &[improve, proximal::improve],
        (false, true) => &[],
        (false, false) => &[improve],
    };
    let mut better = false;
    for attempt in attempts {
        if worst(problem, cones, island).1 > tolerance {
            better |= attempt(problem, cones, island, tolerance);
        }
    }
    better
}

/// The impulses that break conditions least, so far.
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
