//! Stub of the cone programmes in a build without the feature `conic`.

use super::cone::Cone;
use super::{SolverSettings, Unsettled};
use crate::impulses::problem::ContactProblem;
use crate::registry::Problem as Fault;
use crate::step_error::ContactsUnsolved;

/// Whether this build has cone programmes: no.
pub(super) fn available() -> Result<(), Fault> {
    Err(Fault::of(
        "solver",
        "this build has no cone programmes (feature `conic`)",
        "use solver = \"gauss-seidel\"",
    ))
}

/// Never called: no method with this solver is made.
pub(super) fn solve(
    _problem: &mut ContactProblem,
    _cones: &[Cone],
    island: &[usize],
    _settings: &SolverSettings,
) -> Result<u64, Unsettled> {
    let row = island.first().copied().unwrap_or(0);
    Err(Unsettled {
        cause: ContactsUnsolved::NotConverged,
        row,
        residual: f64::INFINITY,
        iterations: 0,
    })
}

/// Unknown: a crushed body ends as not converged.
pub(super) fn is_crushed(_problem: &ContactProblem, _cones: &[Cone], _rows: &[usize]) -> bool {
    false
}
