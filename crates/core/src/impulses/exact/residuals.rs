//! The impulses of an island of contacts, and what they leave unsolved.

use super::cone::Cone;
use crate::impulses::problem::ContactProblem;
use crate::math::Vector;

/// The contact with the largest residual, and that residual \[m/s\].
pub(super) fn worst(problem: &ContactProblem, cones: &[Cone], island: &[usize]) -> (usize, f64) {
    let residual = |k: usize| {
        let row = &problem.rows[k];
        cones[k].residual(&row.impulse, &problem.velocity(row))
    };
    island.iter().fold((island[0], 0.0), |worst, k| {
        let residual = residual(*k);
        if residual > worst.1 { (*k, residual) } else { worst }
    })
}

/// The impulses of an island.
pub(super) fn impulses(problem: &ContactProblem, island: &[usize]) -> Vec<Vector> {
    island.iter().map(|k| problem.rows[*k].impulse).collect()
}

/// Sets the impulses of some rows.
pub(super) fn set(problem: &mut ContactProblem, island: &[usize], impulses: &[Vector]) {
    for (k, p) in island.iter().zip(impulses) {
        let change = p - problem.rows[*k].impulse;
        problem.kick(*k, change);
    }
}
