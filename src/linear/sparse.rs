//! Sparse factorisations, with the symbolic part kept while the pattern stays.

use super::blocks::unfold;
use super::pattern::Rows;
use super::system::{HELD, System};
use super::{LinearError, LinearSolver, MatrixForm, Wanted};
use crate::math::{Matrix, Vector};
use crate::registry::{Entry, Page};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::prelude::Solve;
use faer::sparse::linalg::LuError;
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{
    Argsort, CreationError, FaerError, Pair, SparseColMat, SymbolicSparseColMat,
    SymbolicSparseColMatRef,
};
use faer::{Conj, Par, Side};

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
    rows: Rows,
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
        for (s, i, j) in system.rows.pairs() {
            let m = if lower { unfold(&system.halves[s]) } else { system.whole[s] };
            block(i, j, &m);
            block(j, i, &m);
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
            && self.rows == system.rows
            && self.singles.len() == system.singles.len()
            && self.singles.iter().zip(&system.singles).all(|(a, b)| *a == [b.0, b.1])
    }

    /// The matrix in compressed columns, and whether its pattern is a new one.
    fn matrix(&mut self, system: &System) -> Result<(SparseColMat<usize, f64>, bool), LinearError> {
        let fresh = !self.same(system);
        let mut count = 0;
        Self::for_each(system, |_, _, _| count += 1);
        // row, column and value of each entry, its place, and a copy in columns
        let needed = count * size_of::<[usize; 6]>();
        if fresh {
            self.structure = None;
            let n = system.unknowns();
            let mut pattern = room::<Pair<usize, usize>>(count, needed)?;
            Self::for_each(system, |row, col, _| pattern.push(Pair { row, col }));
            let structure = SymbolicSparseColMat::try_new_from_indices(n, n, &pattern);
            self.structure = Some(structure.map_err(|error| match error {
                CreationError::Generic(_) => out_of_memory(needed),
                CreationError::OutOfBounds { .. } => LinearError::Singular,
            })?);
            self.rows.clone_from(&system.rows);
            self.singles.clear();
            self.singles.extend(system.singles.iter().map(|(i, j, _)| [*i, *j]));
        }
        let values = &mut self.values;
        values.clear();
        values.try_reserve(count).map_err(|_| out_of_memory(needed))?;
        Self::for_each(system, |_, _, value| values.push(value));
        let (structure, order) = self.structure.as_ref().ok_or(LinearError::Singular)?;
        let matrix = SparseColMat::new_from_argsort(structure.clone(), order, values)
            .map_err(|_| out_of_memory(needed))?;
        Ok((matrix, fresh))
    }
}

fn out_of_memory(needed: usize) -> LinearError {
    LinearError::OutOfMemory { needed_bytes: needed as u64 }
}

/// An empty list with room for `count` items, which are part of the bytes `needed`.
fn room<T>(count: usize, needed: usize) -> Result<Vec<T>, LinearError> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| out_of_memory(needed))?;
    Ok(list)
}

/// Asks for as many bytes in one piece and gives them back: what can never fit is refused before
/// anything is computed.
pub(super) fn must_fit(needed: usize) -> Result<(), LinearError> {
    room::<u8>(needed, needed).map(|_| ())
}

/// The symbolic factor of a symmetric pattern, whose lower half counts, by approximate minimum
/// degree: no crate that is kept up orders by nested dissection, and where that would be better
/// conjugate gradients are better than both.
fn symbolic(
    pattern: SymbolicSparseColMatRef<'_, usize>,
) -> Result<SymbolicCholesky<usize>, LinearError> {
    let needed = pattern.compute_nnz() * size_of::<[usize; 4]>();
    factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, Default::default())
        .map_err(|_| out_of_memory(needed))
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

/// Below as many particles nobody asks whether factors fit.
const SMALL: usize = 1000;

/// Sparse LU with partial pivoting, of the full form.
#[derive(Default)]
pub struct SparseLu {
    pattern: Pattern,
    symbolic: Option<SymbolicLu<usize>>,
    /// bytes of the factors, estimated from below
    needed: usize,
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
            self.symbolic = None;
            self.needed = if system.particles() < SMALL {
                matrix.compute_nnz() * size_of::<[f64; 4]>()
            } else {
                // rows that change places only add to the two factors without
                let factor = symbolic(matrix.symbolic())?.len_val();
                factor.saturating_mul(2 * size_of::<f64>())
            };
            must_fit(self.needed)?;
            let symbolic = SymbolicLu::try_new(matrix.symbolic());
            self.symbolic = Some(symbolic.map_err(|_| out_of_memory(self.needed))?);
        }
        let symbolic = self.symbolic.clone().ok_or(LinearError::Singular)?;
        let lu = Lu::try_new_with_symbolic(symbolic, matrix.as_ref());
        self.numeric = Some(lu.map_err(|error| match error {
            LuError::SymbolicSingular { .. } => LinearError::Singular,
            LuError::Generic(FaerError::OutOfMemory | FaerError::IndexOverflow) => {
                out_of_memory(self.needed)
            }
            LuError::Generic(_) => LinearError::Singular,
        })?);
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
    symbolic: Option<SymbolicCholesky<usize>>,
    /// the entries of L
    factor: Vec<f64>,
    /// whether they are those of the last matrix
    sound: bool,
    work: Option<MemBuffer>,
}

impl SparseCholesky {
    /// Finds the places of the entries of L, and makes room for them.
    fn prepare(&mut self, matrix: &SparseColMat<usize, f64>) -> Result<(), LinearError> {
        (self.symbolic, self.work) = (None, None);
        let symbolic = symbolic(matrix.symbolic())?;
        let request = StackReq::or(
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        let entries = symbolic.len_val();
        let needed = entries
            .saturating_mul(size_of::<f64>())
            .saturating_add(request.unaligned_bytes_required());
        must_fit(needed)?;
        self.factor.clear();
        self.factor.try_reserve_exact(entries).map_err(|_| out_of_memory(needed))?;
        self.factor.resize(entries, 0.0);
        self.work = Some(MemBuffer::try_new(request).map_err(|_| out_of_memory(needed))?);
        self.symbolic = Some(symbolic);
        Ok(())
    }
}

impl LinearSolver for SparseCholesky {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Symmetric
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        self.sound = false;
        let (matrix, fresh) = self.pattern.matrix(system)?;
        if fresh || self.symbolic.is_none() {
            self.prepare(&matrix)?;
        }
        let (Some(symbolic), Some(work)) = (&self.symbolic, &mut self.work) else {
            return Err(LinearError::Indefinite);
        };
        let factored = symbolic.factorize_numeric_llt(
            &mut self.factor,
            matrix.as_ref(),
            Side::Lower,
            Default::default(),
            Par::Seq,
            MemStack::new(work),
            Default::default(),
        );
        // all memory is there: only a pivot can fail
        factored.map_err(|_| LinearError::Indefinite)?;
        self.sound = true;
        Ok(())
    }

    fn solve(
        &mut self,
        system: &System,
        _wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        let (true, Some(symbolic), Some(work)) = (self.sound, &self.symbolic, &mut self.work)
        else {
            return Err(LinearError::Indefinite);
        };
        let factor = LltRef::new(symbolic, &self.factor);
        on_unknowns(system, b, |column| {
            let column = column.as_mat_mut();
            factor.solve_in_place_with_conj(Conj::No, column, Par::Seq, MemStack::new(work));
        });
        if b.iter().any(|y| !(y.x + y.y + y.z).is_finite()) {
            return Err(LinearError::Indefinite);
        }
        Ok(0)
    }
}
