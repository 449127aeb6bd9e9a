//! Sparse factorisations, with the symbolic part kept while the pattern stays.

use super::system::{HELD, System, unfold};
use super::{LinearError, LinearSolver, MatrixForm, Wanted};
use crate::math::{Matrix, Vector};
use crate::registry::{Entry, Page};
use faer::Side;
use faer::prelude::Solve;
use faer::sparse::linalg::LltError;
use faer::sparse::linalg::solvers::{Llt, Lu, SymbolicLlt, SymbolicLu};
use faer::sparse::{Argsort, Pair, SparseColMat, SymbolicSparseColMat};

/// The row of [`SparseLu`].
pub const LU: Entry<dyn LinearSolver> = Entry {
    name: "sparse-lu",
    about: "sparse LU of the full matrix: few Newton iterations, dear beyond a few hundred particles",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(SparseLu::default())),
};

/// The row of [`SparseCholesky`].
pub const CHOLESKY: Entry<dyn LinearSolver> = Entry {
    name: "sparse-cholesky",
    about: "sparse Cholesky of the symmetric form: half of LU's price, more Newton iterations in contact",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(SparseCholesky::default())),
};

/// The nonzeros of the last matrix, and where each entry goes in compressed columns.
#[derive(Default)]
struct Pattern {
    pairs: Vec<[u32; 2]>,
    singles: Vec<[u32; 2]>,
    structure: Option<(SymbolicSparseColMat<usize>, Argsort<usize>)>,
    values: Vec<f64>,
}

impl Pattern {
    /// Calls `entry` with (row, column, value) of all entries in a fixed order that depends on
    /// which blocks were added, never on their values. Of the symmetric form only the lower half.
    fn for_each(system: &System, mut entry: impl FnMut(usize, usize, f64)) {
        let lower = system.form() == MatrixForm::Symmetric;
        let numbers = system.numbers();
        let mut block = |i: usize, j: usize, m: &Matrix| {
            for (c, &column) in numbers[j].iter().enumerate() {
                for (r, &row) in numbers[i].iter().enumerate() {
                    if row != HELD && column != HELD && (!lower || row >= column) {
                        entry(row, column, m[(r, c)]);
                    }
                }
            }
        };
        for i in 0..system.particles() {
            block(i, i, &system.own(i));
        }
        for (s, [i, j]) in system.pairs.iter().enumerate() {
            let m = if lower { unfold(&system.halves[s]) } else { system.whole[s] };
            block(*i as usize, *j as usize, &m);
            block(*j as usize, *i as usize, &m);
        }
        for (i, j, m) in &system.singles {
            block(*i as usize, *j as usize, m);
            if lower {
                block(*j as usize, *i as usize, &m.transpose());
            }
        }
    }

    fn same(&self, system: &System) -> bool {
        self.structure.is_some()
            && self.pairs == system.pairs
            && self.singles.len() == system.singles.len()
            && self.singles.iter().zip(&system.singles).all(|(a, b)| *a == [b.0, b.1])
    }

    /// The matrix in compressed columns, and whether its pattern is a new one.
    fn matrix(&mut self, system: &System) -> Result<(SparseColMat<usize, f64>, bool), LinearError> {
        let fresh = !self.same(system);
        if fresh {
            let n = system.unknowns();
            let mut pattern = Vec::new();
            Self::for_each(system, |row, col, _| pattern.push(Pair { row, col }));
            let structure = SymbolicSparseColMat::try_new_from_indices(n, n, &pattern);
            self.structure = Some(structure.map_err(|_| LinearError::Singular)?);
            self.pairs.clone_from(&system.pairs);
            self.singles.clear();
            self.singles.extend(system.singles.iter().map(|(i, j, _)| [*i, *j]));
        }
        let values = &mut self.values;
        values.clear();
        Self::for_each(system, |_, _, value| values.push(value));
        let (structure, order) = self.structure.as_ref().ok_or(LinearError::Singular)?;
        let matrix = SparseColMat::new_from_argsort(structure.clone(), order, values)
            .map_err(|_| LinearError::Singular)?;
        Ok((matrix, fresh))
    }
}

/// Gathers the free axes, calls `solve` and spreads them again; held axes come back as zero.
fn on_unknowns(system: &System, b: &mut [Vector], solve: impl FnOnce(&mut faer::Col<f64>)) {
    let mut column = faer::Col::<f64>::zeros(system.unknowns());
    for (b, numbers) in b.iter().zip(system.numbers()) {
        for axis in 0..3 {
            if numbers[axis] != HELD {
                column[numbers[axis]] = b[axis];
            }
        }
    }
    solve(&mut column);
    for (b, numbers) in b.iter_mut().zip(system.numbers()) {
        for axis in 0..3 {
            b[axis] = if numbers[axis] == HELD { 0.0 } else { column[numbers[axis]] };
        }
    }
}

/// Sparse LU with partial pivoting, of the full form.
#[derive(Default)]
pub struct SparseLu {
    pattern: Pattern,
    symbolic: Option<SymbolicLu<usize>>,
    numeric: Option<Lu<usize, f64>>,
}

impl LinearSolver for SparseLu {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Full
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        self.numeric = None;
        let (matrix, fresh) = self.pattern.matrix(system)?;
        if fresh || self.symbolic.is_none() {
            let symbolic = SymbolicLu::try_new(matrix.symbolic());
            self.symbolic = Some(symbolic.map_err(|_| LinearError::Singular)?);
        }
        let symbolic = self.symbolic.clone().ok_or(LinearError::Singular)?;
        let lu = Lu::try_new_with_symbolic(symbolic, matrix.as_ref());
        self.numeric = Some(lu.map_err(|_| LinearError::Singular)?);
        Ok(())
    }

    fn solve(
        &mut self,
        system: &System,
        _wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        let lu = self.numeric.as_ref().ok_or(LinearError::Singular)?;
        on_unknowns(system, b, |column| lu.solve_in_place(column.as_mut()));
        // a pivot of zero shows here
        if b.iter().any(|y| !(y.x + y.y + y.z).is_finite()) {
            return Err(LinearError::Singular);
        }
        Ok(0)
    }
}

/// Sparse Cholesky L Lᵀ of the symmetric form; an error where that is not positive definite.
#[derive(Default)]
pub struct SparseCholesky {
    pattern: Pattern,
    symbolic: Option<SymbolicLlt<usize>>,
    numeric: Option<Llt<usize, f64>>,
}

impl LinearSolver for SparseCholesky {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Symmetric
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        self.numeric = None;
        let (matrix, fresh) = self.pattern.matrix(system)?;
        if fresh || self.symbolic.is_none() {
            let symbolic = SymbolicLlt::try_new(matrix.symbolic(), Side::Lower);
            self.symbolic = Some(symbolic.map_err(|_| LinearError::Singular)?);
        }
        let symbolic = self.symbolic.clone().ok_or(LinearError::Singular)?;
        let llt = Llt::try_new_with_symbolic(symbolic, matrix.as_ref(), Side::Lower);
        self.numeric = Some(llt.map_err(|error| match error {
            LltError::Numeric(_) => LinearError::Indefinite,
            LltError::Generic(_) => LinearError::Singular,
        })?);
        Ok(())
    }

    fn solve(
        &mut self,
        system: &System,
        _wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        let llt = self.numeric.as_ref().ok_or(LinearError::Indefinite)?;
        on_unknowns(system, b, |column| llt.solve_in_place(column.as_mut()));
        if b.iter().any(|y| !(y.x + y.y + y.z).is_finite()) {
            return Err(LinearError::Indefinite);
        }
        Ok(0)
    }
}
