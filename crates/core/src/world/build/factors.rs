//! Memory of the direct linear solvers for the factors of a matrix with a 3 × 3 block for each particle
//! and two for each spring.
//!
//! The pattern alone decides which entries of the factors are not zero: they are counted block by block
//! in the solver's order of elimination. Held axes and contact are left out. The solvers' other memory
//! was fitted to the peak of the whole program for lattices of 10³–26³, sheets of 50²–200² and ropes:
//! within 15 %.

use crate::forces::springs::Springs;
use faer::sparse::linalg::cholesky::{SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{FaerError, Pair, SymbolicSparseColMat};
use faer::{Side, sparse::CreationError};

/// A block of nine numbers \[bytes\].
const BLOCK: f64 = 72.0;

/// Below this many particles the factors are not counted.
const FEW: usize = 100;

/// Sparse Cholesky: memory per entry of the lower half of the matrix \[bytes\].
const LOWER_ENTRY: f64 = 84.0;

/// Sparse LU: the same per entry of the whole matrix \[bytes\].
const ENTRY: f64 = 66.0;

/// Filled share of the blocks of L and U; it grows as the body gets flatter. The peak for lattices, a
/// cloth and a rope lies within 20 % of this.
const LU_SHARE: f64 = 0.85;

/// Bytes of `sparse-cholesky` and `sparse-lu`; none for other solvers and few particles.
///
/// # Errors
/// The pattern does not fit into memory.
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
        // L and U each have the pattern of the Cholesky factor, unless rows must be exchanged
        "sparse-lu" => {
            let fill = Pattern::of(springs, particles)?.fill()?;
            LU_SHARE * 2.0 * BLOCK * fill + ENTRY * (own + 2.0 * joined)
        }
        _ => 0.0,
    };
    Ok(bytes as u128)
}

/// No memory for counting.
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

/// Pairs of particles with a block in a symmetric matrix.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::springs::{Spring, SpringMaterial};

    /// Springs from each particle j to particle j/2: a tree. Its leaves can be eliminated one after the
    /// other, so its factor has no block beyond the matrix.
    fn tree(particles: usize) -> Springs {
        let material = SpringMaterial { stiffness: 1.0, damping: 0.0 };
        let branch = |j: usize| Spring { i: j / 2, j, rest_length: 1.0, material };
        Springs::new((1..particles).map(branch).collect(), particles, 1)
    }

    /// Nonzero numbers of the matrix of 3 × 3 blocks, and those in blocks on or below its diagonal,
    /// counted one by one.
    fn entries(springs: &Springs, particles: usize) -> [f64; 2] {
        let mut filled = vec![vec![false; 3 * particles]; 3 * particles];
        let mut fill = |i: usize, j: usize| {
            for (a, b) in (0..9).map(|k| (k / 3, k % 3)) {
                filled[3 * i + a][3 * j + b] = true;
            }
        };
        (0..particles).for_each(|i| fill(i, i));
        springs.for_each(|spring| {
            fill(spring.i, spring.j);
            fill(spring.j, spring.i);
        });
        let lower = |row: usize, column: usize| column / 3 <= row / 3;
        let count = |kept: &dyn Fn(usize, usize) -> bool| {
            let row = |(r, row): (usize, &Vec<bool>)| {
                row.iter().enumerate().filter(|(c, filled)| **filled && kept(r, *c)).count()
            };
            filled.iter().enumerate().map(row).sum::<usize>() as f64
        };
        [count(&|_, _| true), count(&lower)]
    }

    #[test]
    fn a_tree_of_springs_takes_its_own_blocks_and_entries_and_no_more() {
        for particles in [FEW, 3 * FEW] {
            let springs = tree(particles);
            let [whole, lower] = entries(&springs, particles);
            let blocks = BLOCK * (2 * particles - 1) as f64;
            for (solver, right) in [
                ("sparse-cholesky", blocks + LOWER_ENTRY * lower),
                ("sparse-lu", 2.0 * LU_SHARE * blocks + ENTRY * whole),
                ("pcg", 0.0),
            ] {
                let Ok(found) = factors(solver, &springs, particles) else { panic!("no room") };
                assert!((found as f64 - right).abs() <= 1.0, "{solver}: {found}, not {right}");
            }
        }
        // too few to count
        assert!(factors("sparse-lu", &tree(FEW - 1), FEW - 1).is_ok_and(|bytes| bytes == 0));
    }
}
