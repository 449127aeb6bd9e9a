//! Penetration resolution: overlaps are removed by displacements alone.

use super::problem::ContactProblem;
use crate::contact::near::Near;
use crate::math::{Vector, larger};
use crate::model::Model;
use crate::state::{Configuration, State};

/// Rounds of finding and removing overlaps.
const ROUNDS: usize = 4;

/// Sweeps over the contacts of a round.
const SWEEPS: usize = 50;

/// Depths below this remain \[m\]: they are rounding.
pub(super) const ROUNDING: f64 = 1e-14;

/// Moves the state out of all overlaps, both sides in proportion to their inverse masses, and turns
/// rigid bodies. Velocities are unchanged. Source: \[millington2010\].
pub(crate) fn push_out(
    model: &Model,
    state: &mut State,
    time: f64,
    range: f64,
    near: &mut Vec<Near>,
) {
    for _ in 0..ROUNDS {
        let at = Configuration { time, ..state.configuration() };
        model.surfaces.near(&at, range, near);
        near.retain(|near| near.depth > ROUNDING);
        if near.is_empty() {
            return;
        }
        let mut problem =
            ContactProblem::new(model, state, &state.velocities, near, &state.positions);
        if problem.rows.is_empty() {
            return;
        }
        problem.rest();
        for _ in 0..SWEEPS {
            if sweep(&mut problem) <= ROUNDING {
                break;
            }
        }
        problem.displace(model, state);
    }
}

/// One sweep of Gauss–Seidel on depth − u_n ≤ 0 ⟂ p ≥ 0, u the displacements that the multipliers p
/// cause; returns the largest change \[m\].
fn sweep(problem: &mut ContactProblem) -> f64 {
    let mut largest: f64 = 0.0;
    for k in 0..problem.rows.len() {
        let row = problem.rows[k];
        let inverse_mass = row.inverse_mass[(0, 0)];
        if inverse_mass <= 0.0 {
            continue;
        }
        let missing = row.near.depth - problem.velocity(&row).x;
        let change = larger(row.impulse.x + missing / inverse_mass, 0.0) - row.impulse.x;
        problem.kick(k, Vector::new(change, 0.0, 0.0));
        largest = larger(largest, change.abs() * inverse_mass);
    }
    largest
}
