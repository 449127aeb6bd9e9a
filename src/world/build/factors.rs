//! Memory that the direct linear solvers take for the factors of a matrix with a 3 × 3 block for each
//! particle and two for each spring.
//!
//! Which entries of the factors are not zero follows from the pattern alone: it is counted block by
//! block, in the order in which the solver would eliminate particles. Held axes and contact are left
//! out. What the solvers keep besides was fitted to the peak of the whole program at lattices of
//! 10³–26³, sheets of 50²–200² and ropes: within 15 %.

use crate::forces::springs::Springs;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::{SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::linalg::colamd;
use faer::sparse::{FaerError, Pair, SymbolicSparseColMat};
use faer::{Side, sparse::CreationError};

/// A block of nine numbers \[bytes\].
const BLOCK: f64 = 72.0;

/// Below this many particles no factor is worth counting.
const FEW: usize = 100;

/// Of sparse Cholesky: what is kept for each entry of the lower half of the matrix \[bytes\].
const LOWER_ENTRY: f64 = 84.0;

/// Of sparse LU: its factors as a multiple of those of AᵀA by Cholesky, which bound them; and what is
/// kept for each particle beside \[bytes\], which grows to this with the blocks per particle in the
/// factors, half of it at so many of them.
const LU_SHARE: f64 = 1.11;
const LU_PARTICLE: f64 = 40e3;
const LU_HALF: f64 = 35.0;

/// Bytes of `sparse-cholesky` and `sparse-lu`; none for other solvers and few particles.
///
/// # Errors
/// When not even the pattern fits into memory.
pub(super) fn factors(solver: &str, springs: &Springs, particles: usize) -> Result<u128, NoRoom> {
    if particles < FEW {
        return Ok(0);
    }
    let bytes = match solver {
        "sparse-cholesky" => {
            let pattern = Pattern::of(springs, particles)?;
            let entries = 9.0 * (particles + springs.len()) as f64;
            BLOCK * pattern.fill(SymmetricOrdering::Amd)? + LOWER_ENTRY * entries
        }
        "sparse-lu" => {
            let pattern = Pattern::of(springs, particles)?;
            let (order, inverse) = pattern.column_order()?;
            let order = PermRef::new_checked(&order, &inverse, particles);
            let each = pattern.fill(SymmetricOrdering::Custom(order))? / particles as f64;
            let bound = pattern.squared()?.fill(SymmetricOrdering::Custom(order))?;
            let beside = LU_PARTICLE * particles as f64 * each / (each + LU_HALF);
            LU_SHARE * BLOCK * bound + beside
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

    /// The pattern of the square of such a matrix.
    fn squared(&self) -> Result<Self, NoRoom> {
        let n = self.0.ncols();
        let (mut starts, mut rows) = (vec![0], Vec::new());
        let mut seen = vec![usize::MAX; n];
        for column in 0..n {
            let first = rows.len();
            for middle in self.0.row_idx_of_col(column) {
                for row in self.0.row_idx_of_col(middle) {
                    if seen[row] != column {
                        seen[row] = column;
                        rows.try_reserve(1).map_err(|_| NoRoom)?;
                        rows.push(row);
                    }
                }
            }
            rows[first..].sort_unstable();
            starts.push(rows.len());
        }
        Ok(Pattern(SymbolicSparseColMat::new_checked(n, n, starts, None, rows)))
    }

    /// The order in which sparse LU eliminates columns, and its inverse.
    fn column_order(&self) -> Result<(Vec<usize>, Vec<usize>), NoRoom> {
        let (n, blocks) = (self.0.ncols(), self.0.compute_nnz());
        let (mut order, mut inverse) = (vec![0; n], vec![0; n]);
        let room = MemBuffer::try_new(colamd::order_scratch::<usize>(n, n, blocks));
        let mut room = room.map_err(|_| NoRoom)?;
        let (stack, control) = (MemStack::new(&mut room), Default::default());
        colamd::order(&mut order, &mut inverse, self.0.as_ref(), control, stack)?;
        Ok((order, inverse))
    }

    /// Blocks of its Cholesky factor in an order.
    fn fill(&self, order: SymmetricOrdering<'_, usize>) -> Result<f64, NoRoom> {
        let (pattern, defaults) = (self.0.as_ref(), Default::default());
        let counted = factorize_symbolic_cholesky(pattern, Side::Lower, order, defaults)?;
        Ok(counted.len_val() as f64)
    }
}
