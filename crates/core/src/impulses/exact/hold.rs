//! Sticking contacts stay in place. The solver acts on velocities, and displacements follow from them up
//! to second order: a rigid body that turns about a corner would creep there at h ω² r/2.

use crate::contact::near::Near;
use crate::impulses::problem::{ContactProblem, ContactRow};
use crate::math::{Vector, larger};
use crate::model::Model;
use crate::state::{LastStep, State};

/// Largest number of sweeps over the contacts.
const SWEEPS: usize = 50;

/// Displacements below this remain \[m\]: they are rounding.
const ROUNDING: f64 = 1e-16;

/// Moves rigid bodies so that the displacement of each sticking contact is exactly h times its mean
/// relative velocity in the step.
pub(super) fn hold(problem: &ContactProblem, model: &Model, state: &mut State, taken: &LastStep) {
    let mut near: Vec<Near> = Vec::new();
    let mut missing: Vec<Vector> = Vec::new();
    for row in problem.rows.iter().filter(|row| holds(row) && is_rigid(row, model)) {
        let after = problem.velocity(row);
        let mean = row.before + (after - row.before) * taken.kick_share;
        near.push(row.near);
        missing.push(mean * taken.h - moved(row, state, taken));
    }
    if missing.iter().all(|miss| miss.norm() <= ROUNDING) {
        return;
    }
    let mut shifts = ContactProblem::new(model, state, &state.velocities, &near, &state.positions);
    if shifts.rows.len() != near.len() {
        return;
    }
    shifts.rest();
    for _ in 0..SWEEPS {
        let mut largest: f64 = 0.0;
        for (k, miss) in missing.iter().enumerate() {
            let row = &shifts.rows[k];
            let left = miss - shifts.velocity(row);
            let p = row.inverse * left;
            largest = larger(largest, left.norm());
            shifts.kick(k, p);
        }
        if largest <= ROUNDING {
            break;
        }
    }
    shifts.displace(model, state);
}

/// Whether the impulse is inside the cone.
fn holds(row: &ContactRow) -> bool {
    let p = row.impulse;
    let bound = row.friction.static_friction * p.x;
    p.x > 0.0 && p.y * p.y + p.z * p.z < bound * bound
}

fn is_rigid(row: &ContactRow, model: &Model) -> bool {
    row.near.ends.iter().any(|(i, _)| model.rigid_of(i).is_some())
}

/// Displacement of a contact in the step, in its frame \[m\].
fn moved(row: &ContactRow, state: &State, taken: &LastStep) -> Vector {
    let mut moved = row.near.surface_velocity * -taken.h;
    for (end, (i, _)) in row.near.ends.iter().enumerate() {
        moved += row.near.blocks[end] * (state.positions[i] - taken.positions[i]);
    }
    row.frame.tr_mul(&moved)
}
