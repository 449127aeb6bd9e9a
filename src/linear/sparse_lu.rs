//! The system (M − h D − h² K) Δv = r by sparse LU, with the symbolic part kept while the pattern
//! stays. LU because ∂F_friction/∂N makes the matrix unsymmetric.

use crate::forces::BlockSink;
use crate::math::{Matrix, Vector};
use faer::prelude::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{Argsort, Pair, SparseColMat, SymbolicSparseColMat};

/// Which (particle, axis) is which unknown; held axes have none.
#[derive(Debug, Clone)]
pub struct Unknowns {
    index: Vec<[Option<usize>; 3]>,
    count: usize,
}

impl Unknowns {
    /// Numbers the axes with mobility in particle order.
    pub fn new(mobilities: &[Vector]) -> Self {
        let mut count = 0;
        let index = mobilities
            .iter()
            .map(|m| {
                [0, 1, 2].map(|axis| {
                    (m[axis] > 0.0).then(|| {
                        count += 1;
                        count - 1
                    })
                })
            })
            .collect();
        Unknowns { index, count }
    }

    /// Number of unknowns.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Collects M − h D − h² K block by block.
pub struct SystemMatrix<'a> {
    h: f64,
    unknowns: &'a Unknowns,
    diagonal: Vec<Matrix>,
    off_diagonal: Vec<(u32, u32, Matrix)>,
}

impl<'a> SystemMatrix<'a> {
    /// Starts with the masses on the diagonal.
    pub fn new(masses: &[f64], h: f64, unknowns: &'a Unknowns) -> Self {
        let diagonal = masses.iter().map(|m| Matrix::identity() * *m).collect();
        SystemMatrix { h, unknowns, diagonal, off_diagonal: Vec::new() }
    }

    /// All entries (row, column, value) between unknowns; the pattern depends on which pairs were
    /// added, never on their values, and the whole diagonal blocks are always in it.
    fn entries(&self) -> (Vec<Pair<usize, usize>>, Vec<f64>) {
        let mut pattern = Vec::with_capacity(9 * (self.diagonal.len() + self.off_diagonal.len()));
        let mut values = Vec::with_capacity(pattern.capacity());
        let mut block = |i: usize, j: usize, m: &Matrix| {
            for (c, column) in self.unknowns.index[j].iter().enumerate() {
                for (r, row) in self.unknowns.index[i].iter().enumerate() {
                    if let (Some(row), Some(col)) = (*row, *column) {
                        pattern.push(Pair { row, col });
                        values.push(m[(r, c)]);
                    }
                }
            }
        };
        for (i, m) in self.diagonal.iter().enumerate() {
            block(i, i, m);
        }
        for (i, j, m) in &self.off_diagonal {
            block(*i as usize, *j as usize, m);
        }
        (pattern, values)
    }
}

impl BlockSink for SystemMatrix<'_> {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = -(by_velocity * self.h + by_position * (self.h * self.h));
        if i == j {
            self.diagonal[i] += block;
        } else {
            self.off_diagonal.push((i as u32, j as u32, block));
        }
    }
}

/// The matrix has no inverse in floating point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Singular;

/// Sparse LU that remembers the symbolic factorisation of the last pattern.
#[derive(Default)]
pub struct SparseLu {
    pattern: Vec<Pair<usize, usize>>,
    symbolic: Option<(SymbolicSparseColMat<usize>, Argsort<usize>, SymbolicLu<usize>)>,
    numeric: Option<Lu<usize, f64>>,
}

impl SparseLu {
    /// Factorises the matrix.
    pub fn factorise(&mut self, matrix: &SystemMatrix) -> Result<(), Singular> {
        let (pattern, values) = matrix.entries();
        let n = matrix.unknowns.count();
        if self.symbolic.is_none() || self.pattern != pattern {
            let (structure, order) =
                SymbolicSparseColMat::try_new_from_indices(n, n, &pattern).map_err(|_| Singular)?;
            let symbolic = SymbolicLu::try_new(structure.as_ref()).map_err(|_| Singular)?;
            self.symbolic = Some((structure, order, symbolic));
            self.pattern = pattern;
        }
        let (structure, order, symbolic) =
            self.symbolic.as_ref().expect("set above when it was missing");
        let matrix = SparseColMat::new_from_argsort(structure.clone(), order, &values)
            .map_err(|_| Singular)?;
        let lu =
            Lu::try_new_with_symbolic(symbolic.clone(), matrix.as_ref()).map_err(|_| Singular)?;
        self.numeric = Some(lu);
        Ok(())
    }

    /// Solves in place for one vector per particle; held axes come back as zero.
    pub fn solve(&self, unknowns: &Unknowns, rhs: &mut [Vector]) -> Result<(), Singular> {
        let lu = self.numeric.as_ref().ok_or(Singular)?;
        let mut b = faer::Col::<f64>::zeros(unknowns.count);
        for (r, index) in rhs.iter().zip(&unknowns.index) {
            for axis in 0..3 {
                if let Some(k) = index[axis] {
                    b[k] = r[axis];
                }
            }
        }
        lu.solve_in_place(b.as_mut());
        for (r, index) in rhs.iter_mut().zip(&unknowns.index) {
            for axis in 0..3 {
                r[axis] = index[axis].map_or(0.0, |k| b[k]);
            }
        }
        Ok(())
    }
}
