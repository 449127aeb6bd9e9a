//! Linear systems of the implicit methods: (M − h D − h² K) y = r with the blocks D = ∂F/∂v and K =
//! ∂F/∂x, over the free axes. `h` is the factor of the forces of a stage.
//!
//! There are two forms. The *full* one is the exact derivative; ∂F_friction/∂N makes it
//! unsymmetric. The *symmetric* one takes the mean with the transpose, and has ∂F_friction/∂N beside it:
//! `pcg` solves with that too, by an outer iteration; `sparse-cholesky` leaves it out, as both do the
//! turning of normals between bodies. Newton's iteration is then a quasi-Newton one with the same
//! solution, since only the Jacobian changes, not the force. A method that solves one system a step
//! has no iteration: it takes the full form from every solver that has it. With
//! `sparse-cholesky` its steps lack ∂F_friction/∂N, at the same order, and where the symmetric form is
//! not positive definite LU solves the full one.

pub mod automatic;
pub mod bicgstab;
mod blocks;
mod gradients;
mod outer;
mod passes;
mod pattern;
pub mod pcg;
pub mod sparse;
mod strips;
mod sums;
pub mod system;

use crate::math::Vector;
use crate::registry::{Entry, Table};
use system::System;

/// The form of a system for a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MatrixForm {
    /// The exact derivative.
    #[default]
    Full,
    /// Made symmetric, with ∂F_friction/∂N beside it.
    Symmetric,
}

/// Requirements on one solution.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Largest √(Σ |r|²/m) of the residual over that of the right-hand side; direct solvers ignore it.
    pub tolerance: f64,
    /// First guess, one vector per particle; zero on held axes. Direct solvers ignore it.
    pub guess: Option<&'a [Vector]>,
}

/// Why a system has not been solved.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum LinearError {
    /// The matrix has no inverse in floating point.
    #[error("the matrix is singular")]
    Singular,
    /// A direction has no positive curvature: the symmetric form is no minimum problem.
    #[error("the symmetric form of the matrix is not positive definite")]
    Indefinite,
    /// The iteration stagnated.
    #[error(
        "the iteration stood still after {iterations} steps with {left:.1e} of the residual left"
    )]
    Stagnated {
        /// Iterations taken.
        iterations: u32,
        /// The residual left, relative to the right-hand side, as in [`Wanted::tolerance`].
        left: f64,
    },
    /// The factors do not fit into memory.
    #[error(
        "its factors need about {} MiB of memory, which there is not; `pcg` and `bicgstab` need none",
        .needed_bytes.div_ceil(1 << 20)
    )]
    OutOfMemory {
        /// Least memory that the factors need, as far as known \[bytes\].
        needed_bytes: u64,
    },
}

/// A solver of a [`System`]. Its data between calls save time and never change bits.
pub trait LinearSolver: Send {
    /// The form it solves for this number of particles.
    fn form(&self, particles: usize) -> MatrixForm;

    /// The form to try after a failure, or if Newton's iteration stagnates; `None` if there is no other.
    fn other_form(&self) -> Option<MatrixForm> {
        None
    }

    /// Memory of the factors of a direct solver; none for others.
    fn factor_memory(&self) -> Option<FactorMemory> {
        None
    }

    /// Prepares for systems with this matrix.
    fn factor(&mut self, system: &System) -> Result<(), LinearError>;

    /// Solves in place, one vector per particle; held axes come back as zero. Returns the
    /// iterations, 0 for a direct solver. `factor` was called for the same matrix.
    fn solve(
        &mut self,
        system: &System,
        wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError>;
}

/// Memory of the factors of a direct solver \[bytes\]: `block` × (number of 3 × 3 blocks of the
/// Cholesky factor of the pattern) + `entry` × (number of entries of the matrix), the blocks of a
/// spring counted `sides` times. Fitted to the peak of the whole program at lattices of 10³–26³,
/// sheets of 50²–200² and ropes: within 20 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactorMemory {
    /// The name of the solver.
    pub solver: &'static str,
    /// Memory for each block of the factor \[bytes\].
    pub block: f64,
    /// Memory for each entry of the matrix \[bytes\].
    pub entry: f64,
    /// 1 for the lower half of the matrix, 2 for the whole.
    pub sides: f64,
}

/// Size of a block of nine numbers \[bytes\].
const BLOCK: f64 = 72.0;

/// All solvers.
pub static SOLVERS: Table<Entry<dyn LinearSolver>> = Table::new("linear solver", ROWS);

const ROWS: &[Entry<dyn LinearSolver>] =
    &[automatic::ENTRY, sparse::lu::ENTRY, sparse::cholesky::ENTRY, bicgstab::ENTRY, pcg::ENTRY];

/// The names of [`SOLVERS`], for the key `linear_solver`.
pub(crate) const SOLVER_NAMES: &[&str] = &names::<{ ROWS.len() }>();

const fn names<const N: usize>() -> [&'static str; N] {
    let mut names = [""; N];
    let mut k = 0;
    while k < N {
        names[k] = ROWS[k].name;
        k += 1;
    }
    names
}

/// The solver called `name`, one of `SOLVER_NAMES`.
pub fn solver(name: &str) -> Box<dyn LinearSolver> {
    SOLVERS
        .find(name)
        .and_then(|entry| entry.from_defaults().ok())
        .unwrap_or_else(|| panic!("`{name}` is none of {:?}", SOLVERS.names()))
}

#[cfg(test)]
mod tests;
