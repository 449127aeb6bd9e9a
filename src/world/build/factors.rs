//! Memory that the direct linear solvers take for the factors of a matrix with a 3 × 3 block for each
//! particle and two for each spring.
//!
//! Which entries of the factors are not zero follows from the pattern alone: it is counted block by
//! block, in the order in which the solver would eliminate particles. Held axes and contact are left
//! out. What the solvers keep besides was fitted to the peak of the whole program at lattices of
//! 10³–26³, sheets of 50²–200² and ropes: within 15 %.

use crate::forces::springs::Springs;
use faer::sparse::linalg::cholesky::{SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{FaerError, Pair, SymbolicSparseColMat};
use faer::{Side, sparse::CreationError};

/// A block of nine numbers \[bytes\].
const BLOCK: f64 = 72.0;

/// Below this many particles no factor is worth counting.
const FEW: usize = 100;

/// Of sparse Cholesky: what is kept for each entry of the lower half of the matrix \[bytes\].
const LOWER_ENTRY: f64 = 84.0;

/// Of sparse LU: the same for each entry of the whole matrix \[bytes\].
const ENTRY: f64 = 66.0;

/// Share of the blocks of L and U that is filled, the more so the flatter the body: the peak of lattices,
/// a cloth and a rope lies within 20 % of this.
const LU_SHARE: f64 = 0.85;

/// Bytes of `sparse-cholesky` and `sparse-lu`; none for other solvers and few particles.
///
/// # Errors
/// When not even the pattern fits into memory.
pub(super) fn factors(solver: &str, springs: &Springs, particles: usize) -> Result<u128, NoRoom> {
    if particles < FEW {
        return Ok(0);
    }
    let (own, joined) = (9.0 * particles as f64, 9.0 * springs.len() as f64);
    let bytes = match solver {
        "sparse-cholesky" => {
            let fill = Pattern::of(springs, particles)?.fill()?;
            BLOCK * fill + LOWER_ENTRY * (own + joined)
        }
        // L and U have the pattern of the former, each, unless rows must be exchanged
        "sparse-lu" => {
            let fill = Pattern::of(springs, particles)?.fill()?;
            LU_SHARE * 2.0 * BLOCK * fill + ENTRY * (own + 2.0 * joined)
        }
        _ => 0.0,
    };
    Ok(bytes as u128)
}

/// There was no memory to count in.
pub(super) struct NoRoom;

impl From<FaerError> for NoRoom {
    fn from(_: FaerError) -> Self {
        NoRoom
    }
}

impl From<CreationError> for NoRoom {
    fn from(_: CreationError) -> Self {
        NoRoom
    }
}

/// Which particles share a block of a symmetric matrix.
struct Pattern(SymbolicSparseColMat<usize>);

impl Pattern {
    fn of(springs: &Springs, particles: usize) -> Result<Self, NoRoom> {
        let mut blocks: Vec<Pair<usize, usize>> = Vec::new();
        blocks.try_reserve_exact(particles + 2 * springs.len()).map_err(|_| NoRoom)?;
        blocks.extend((0..particles).map(|i| Pair { row: i, col: i }));
        for spring in (0..springs.len()).map(|s| springs.get(s)) {
            let (i, j) = (spring.i, spring.j);
            blocks.extend([Pair { row: i, col: j }, Pair { row: j, col: i }]);
        }
        let made = SymbolicSparseColMat::try_new_from_indices(particles, particles, &blocks)?;
        Ok(Pattern(made.0))
    }

    /// Blocks of its Cholesky factor.
    fn fill(&self) -> Result<f64, NoRoom> {
        let (pattern, order) = (self.0.as_ref(), SymmetricOrdering::Amd);
        let counted = factorize_symbolic_cholesky(pattern, Side::Lower, order, Default::default())?;
        Ok(counted.len_val() as f64)
    }
}
