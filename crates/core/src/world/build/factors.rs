//! Memory of the direct linear solvers for the factors of a matrix with a 3 × 3 block for each particle
//! and two for each spring and each edge of an element.
//!
//! The pattern alone decides which entries of the factors are not zero: they are counted block by block
//! in the solver's order of elimination. Held axes and contact are left out. Bytes per entry are a
//! property of the solver, [`FactorMemory`].

use crate::forces::elements::Elements;
use crate::forces::springs::Springs;
use crate::linear::FactorMemory;
use faer::sparse::linalg::cholesky::{SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{FaerError, Pair, SymbolicSparseColMat};
use faer::{Side, sparse::CreationError};

/// Below this many particles the factors are not counted.
const FEW: usize = 100;

/// Bytes of the factors of a direct solver; none for few particles.
///
/// # Errors
/// The pattern does not fit into memory.
pub(super) fn factors(
    of: FactorMemory,
    (springs, elements): (&Springs, &Elements),
    particles: usize,
) -> Result<u128, NoRoom> {
    if particles < FEW {
        return Ok(0);
    }
    let joins = springs.len() + elements.edges().len();
    let (own, joined) = (9.0 * particles as f64, 9.0 * joins as f64);
    let fill = Pattern::of(springs, elements.edges(), particles)?.fill()?;
    Ok((of.block * fill + of.entry * (own + of.sides * joined)) as u128)
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
    fn of(springs: &Springs, edges: &[[u32; 2]], particles: usize) -> Result<Self, NoRoom> {
        let mut blocks: Vec<Pair<usize, usize>> = Vec::new();
        let joins = springs.len() + edges.len();
        blocks.try_reserve_exact(particles + 2 * joins).map_err(|_| NoRoom)?;
        blocks.extend((0..particles).map(|i| Pair { row: i, col: i }));
        let springs = (0..springs.len()).map(|s| springs.get(s)).map(|spring| [spring.i, spring.j]);
        for [i, j] in springs.chain(edges.iter().map(|edge| edge.map(|i| i as usize))) {
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
    use crate::linear::solver;

    /// Springs from each particle j to particle j/2: a tree. Its leaves can be eliminated one after the
    /// other, so its factor has no block beyond the matrix.
    fn tree(particles: usize) -> Springs {
        let material = SpringMaterial { stiffness: 1.0, damping: 0.0 };
        let branch = |j: usize| Spring { i: j / 2, j, rest_length: 1.0, material };
        Springs::new((1..particles).map(branch).collect(), particles)
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
            let blocks = (2 * particles - 1) as f64;
            for (name, entries) in [("sparse-cholesky", lower), ("sparse-lu", whole)] {
                let memory = solver(name).factor_memory().expect("a direct solver");
                let right = memory.block * blocks + memory.entry * entries;
                let Ok(found) = factors(memory, (&springs, &Elements::default()), particles) else {
                    panic!("no room")
                };
                assert!((found as f64 - right).abs() <= 1.0, "{name}: {found}, not {right}");
            }
        }
        // too few to count
        let memory = solver("sparse-lu").factor_memory().expect("a direct solver");
        assert!(
            factors(memory, (&tree(FEW - 1), &Elements::default()), FEW - 1)
                .is_ok_and(|bytes| bytes == 0)
        );
        assert!(
            ["automatic", "pcg", "bicgstab"].iter().all(|n| solver(n).factor_memory().is_none())
        );
    }
}
