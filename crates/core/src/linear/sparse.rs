//! Sparse factorisations; the symbolic part is kept while the pattern stays.
//!
//! Small systems are factored column by column by `faer`, whose kernels for that neither fuse nor
//! reorder; larger ones by groups of columns in `supernodes.rs`. All bits are the same on every
//! processor.

use super::blocks::unfold;
use super::pattern::Rows;
use super::supernodes::Supernodes;
use super::system::{HELD, System};
use super::{BLOCK, FactorMemory, LinearError, LinearSolver, MatrixForm, Wanted};
use crate::math::{Matrix, Vector};
use crate::registry::{Entry, Page};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::linalg::lu::{
    LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu,
};
use faer::sparse::linalg::{LuError, SupernodalThreshold};
use faer::sparse::{Argsort, CreationError, FaerError, Pair, SparseColMat, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side};

/// The row of `SparseLu`.
pub const LU: Entry<dyn LinearSolver> = Entry {
    name: "sparse-lu",
    about: "sparse LU of the full matrix: few Newton iterations, dear beyond a few hundred particles",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(SparseLu::default())),
};

/// The row of [`SparseCholesky`].
pub(crate) const CHOLESKY: Entry<dyn LinearSolver> = Entry {
    name: "sparse-cholesky",
    about: "sparse Cholesky of the symmetric form: half of LU's price, more Newton iterations in contact",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(SparseCholesky::default())),
};

/// The nonzeros of the last matrix, and the place of each entry in compressed columns.
#[derive(Default)]
struct Pattern {
    rows: Rows,
    singles: Vec<[u32; 2]>,
    structure: Option<(SymbolicSparseColMat<usize>, Argsort<usize>)>,
    values: Vec<f64>,
}

impl Pattern {
    /// Calls `entry` with (row, column, value) of all entries. Their order depends on the added blocks,
    /// never on values. Of the symmetric form only the lower half.
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

    /// The matrix in compressed columns, and whether its pattern is new.
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

/// An empty list with room for `count` items; `needed` is the total for the error \[bytes\].
fn room<T>(count: usize, needed: usize) -> Result<Vec<T>, LinearError> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| out_of_memory(needed))?;
    Ok(list)
}

/// Allocates that many bytes and frees them again, so that factors that cannot fit are refused before
/// any computation.
pub(super) fn must_fit(needed: usize) -> Result<(), LinearError> {
    room::<u8>(needed, needed).map(|_| ())
}

/// Gathers the free axes, calls `solve` and scatters the result; held axes become zero.
fn on_unknowns(
    system: &System,
    b: &mut [Vector],
    solve: impl FnOnce(&mut Vec<f64>) -> Result<(), LinearError>,
) -> Result<(), LinearError> {
    let mut column = vec![0.0; system.unknowns()];
    for (b, numbers) in b.iter().zip(system.numbers()) {
        for axis in 0..3 {
            if numbers[axis] != HELD {
                column[numbers[axis]] = b[axis];
            }
        }
    }
    solve(&mut column)?;
    for (b, numbers) in b.iter_mut().zip(system.numbers()) {
        for axis in 0..3 {
            b[axis] = if numbers[axis] == HELD { 0.0 } else { column[numbers[axis]] };
        }
    }
    Ok(())
}

/// Systems of fewer particles are factored column by column.
const FEW: usize = 32;

/// Largest residual of a solved system, relative to the largest Σ |A y| + |b| of a row: some thousand
/// roundings.
const EXACT: f64 = 1e-12;

/// Corrections by the residual before LU with row exchange.
const CORRECTIONS: usize = 3;

/// The residual b − A y, and its largest entry relative to the largest Σ |A y| + |b| of a row.
fn residual(matrix: &SparseColMat<usize, f64>, y: &[f64], b: &[f64]) -> (Vec<f64>, f64) {
    let (mut left, mut size) = (b.to_vec(), b.iter().map(|b| b.abs()).collect::<Vec<_>>());
    for (column, y) in y.iter().enumerate() {
        let rows = matrix.symbolic().row_idx_of_col_raw(column);
        for (row, value) in rows.iter().zip(matrix.val_of_col(column)) {
            let term = value * y;
            left[*row] -= term;
            size[*row] += term.abs();
        }
    }
    let most = |all: &[f64]| {
        // keeps NaN
        all.iter().fold(0.0, |most: f64, x| if x.abs() <= most { most } else { x.abs() })
    };
    let (left_over, all) = (most(&left), most(&size));
    (left, if left_over == 0.0 { 0.0 } else { left_over / all })
}

/// LU column by column, with row exchange.
#[derive(Default)]
struct Columns {
    symbolic: Option<SymbolicLu<usize>>,
    numeric: NumericLu<usize, f64>,
    work: Option<MemBuffer>,
    /// whether the factors are those of the last matrix
    sound: bool,
}

impl Columns {
    fn factor(&mut self, matrix: &SparseColMat<usize, f64>) -> Result<(), LinearError> {
        self.sound = false;
        let needed = matrix.compute_nnz() * size_of::<[f64; 4]>();
        if self.symbolic.is_none() {
            let parameters = LuSymbolicParams {
                supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
                ..Default::default()
            };
            let symbolic = factorize_symbolic_lu(matrix.symbolic(), parameters)
                .map_err(|_| out_of_memory(needed))?;
            let request = StackReq::or(
                symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()),
                symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
            );
            self.work = Some(MemBuffer::try_new(request).map_err(|_| out_of_memory(needed))?);
            self.symbolic = Some(symbolic);
        }
        let (Some(symbolic), Some(work)) = (&self.symbolic, &mut self.work) else {
            return Err(LinearError::Singular);
        };
        let factored = symbolic.factorize_numeric_lu(
            &mut self.numeric,
            matrix.as_ref(),
            Par::Seq,
            MemStack::new(work),
            Default::default(),
        );
        self.sound = true;
        factored.map(|_| ()).map_err(|error| match error {
            LuError::Generic(FaerError::OutOfMemory | FaerError::IndexOverflow) => {
                out_of_memory(needed)
            }
            _ => LinearError::Singular,
        })
    }

    fn solve(&mut self, column: &mut [f64]) -> Result<(), LinearError> {
        let (Some(symbolic), Some(work)) = (&self.symbolic, &mut self.work) else {
            return Err(LinearError::Singular);
        };
        let n = column.len();
        LuRef::new_unchecked(symbolic, &self.numeric).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(column, n, 1),
            Par::Seq,
            MemStack::new(work),
        );
        Ok(())
    }
}

/// Sparse LU of the full form. Large systems are factored in groups of columns without row exchange.
/// That succeeds where restoring terms exceed driving ones; the residual shows where it fails. There,
/// and in small systems, rows are exchanged for the largest pivot.
#[derive(Default)]
pub(crate) struct SparseLu {
    pattern: Pattern,
    matrix: Option<SparseColMat<usize, f64>>,
    groups: Option<Supernodes>,
    /// whether the groups have factors of the last matrix
    grouped: bool,
    columns: Columns,
}

impl LinearSolver for SparseLu {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Full
    }

    /// L and U have the pattern of the Cholesky factor, each, unless rows must be exchanged. Of their blocks
    /// .85 are filled, more the flatter the body: the peak of lattices, a cloth and a rope lies within 20 %.
    fn factor_memory(&self) -> Option<FactorMemory> {
        Some(FactorMemory { solver: LU.name, block: 0.85 * 2.0 * BLOCK, entry: 66.0, sides: 2.0 })
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        (self.matrix, self.grouped, self.columns.sound) = (None, false, false);
        let (matrix, fresh) = self.pattern.matrix(system)?;
        if fresh {
            self.columns.symbolic = None;
            self.groups = None;
        }
        if system.particles() < FEW {
            self.columns.factor(&matrix)?;
        } else {
            let groups = grouped(&mut self.groups, &matrix, false)?;
            self.grouped = groups.factor(matrix.val()).map_err(|_| lacking(groups))?;
            if !self.grouped {
                self.columns.factor(&matrix)?;
            }
        }
        self.matrix = Some(matrix);
        Ok(())
    }

    fn solve(
        &mut self,
        system: &System,
        _wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        on_unknowns(system, b, |column| {
            let matrix = self.matrix.as_ref().ok_or(LinearError::Singular)?;
            if let (true, Some(groups)) = (self.grouped, &mut self.groups) {
                let mut y = column.clone();
                groups.solve(&mut y);
                for _ in 0..=CORRECTIONS {
                    let (mut left, share) = residual(matrix, &y, column);
                    if share <= EXACT {
                        *column = y;
                        return Ok(());
                    }
                    groups.solve(&mut left);
                    y.iter_mut().zip(left).for_each(|(y, left)| *y += left);
                }
                if !self.columns.sound {
                    self.columns.factor(matrix)?;
                }
            }
            self.columns.solve(column)
        })?;
        // a zero pivot shows here
        if b.iter().any(|y| !(y.x + y.y + y.z).is_finite()) {
            return Err(LinearError::Singular);
        }
        Ok(0)
    }
}

/// The groups of a matrix's pattern; an error if their factors do not fit into memory.
fn grouped<'a>(
    kept: &'a mut Option<Supernodes>,
    matrix: &SparseColMat<usize, f64>,
    symmetric: bool,
) -> Result<&'a mut Supernodes, LinearError> {
    if kept.is_none() {
        let needed = matrix.compute_nnz() * size_of::<[usize; 4]>();
        let groups = Supernodes::new(matrix.symbolic(), symmetric);
        let groups = groups.map_err(|_| out_of_memory(needed))?;
        must_fit(groups.entries().saturating_mul(size_of::<f64>()))?;
        *kept = Some(groups);
    }
    kept.as_mut().ok_or(LinearError::Singular)
}

fn lacking(groups: &Supernodes) -> LinearError {
    out_of_memory(groups.entries().saturating_mul(size_of::<f64>()))
}

/// Sparse Cholesky L Lᵀ of the symmetric form; an error where it is not positive definite.
#[derive(Default)]
pub(crate) struct SparseCholesky {
    pattern: Pattern,
    groups: Option<Supernodes>,
    few: FewColumns,
    /// whether the factors are those of the last matrix
    sound: bool,
}

/// L Lᵀ column by column.
#[derive(Default)]
struct FewColumns {
    symbolic: Option<SymbolicCholesky<usize>>,
    /// the entries of L
    factor: Vec<f64>,
    work: Option<MemBuffer>,
}

impl FewColumns {
    /// Finds the places of L's entries and allocates them.
    fn prepare(&mut self, matrix: &SparseColMat<usize, f64>) -> Result<(), FaerError> {
        (self.symbolic, self.work) = (None, None);
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
            ..Default::default()
        };
        let (pattern, order) = (matrix.symbolic(), SymmetricOrdering::Amd);
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, order, parameters)?;
        let request = StackReq::or(
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        self.factor.clear();
        self.factor.resize(symbolic.len_val(), 0.0);
        self.work = Some(MemBuffer::try_new(request).map_err(|_| FaerError::OutOfMemory)?);
        self.symbolic = Some(symbolic);
        Ok(())
    }

    fn factor(&mut self, matrix: &SparseColMat<usize, f64>) -> Result<(), LinearError> {
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
        // all memory is allocated: only a pivot can fail
        factored.map(|_| ()).map_err(|_| LinearError::Indefinite)
    }

    fn solve(&mut self, column: &mut [f64]) -> Result<(), LinearError> {
        let (Some(symbolic), Some(work)) = (&self.symbolic, &mut self.work) else {
            return Err(LinearError::Indefinite);
        };
        let n = column.len();
        LltRef::new(symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(column, n, 1),
            Par::Seq,
            MemStack::new(work),
        );
        Ok(())
    }
}

impl LinearSolver for SparseCholesky {
    fn form(&self, _particles: usize) -> MatrixForm {
        MatrixForm::Symmetric
    }

    fn factor_memory(&self) -> Option<FactorMemory> {
        Some(FactorMemory { solver: CHOLESKY.name, block: BLOCK, entry: 84.0, sides: 1.0 })
    }

    fn factor(&mut self, system: &System) -> Result<(), LinearError> {
        self.sound = false;
        let (matrix, fresh) = self.pattern.matrix(system)?;
        if fresh {
            (self.groups, self.few.symbolic) = (None, None);
        }
        if system.particles() < FEW {
            if self.few.symbolic.is_none() {
                let needed = matrix.compute_nnz() * size_of::<[usize; 4]>();
                self.few.prepare(&matrix).map_err(|_| out_of_memory(needed))?;
            }
            self.few.factor(&matrix)?;
        } else {
            self.few.symbolic = None;
            let groups = grouped(&mut self.groups, &matrix, true)?;
            if !groups.factor(matrix.val()).map_err(|_| lacking(groups))? {
                return Err(LinearError::Indefinite);
            }
        }
        self.sound = true;
        Ok(())
    }

    fn solve(
        &mut self,
        system: &System,
        _wanted: &Wanted,
        b: &mut [Vector],
    ) -> Result<u32, LinearError> {
        if !self.sound {
            return Err(LinearError::Indefinite);
        }
        on_unknowns(system, b, |column| {
            if system.particles() < FEW {
                return self.few.solve(column);
            }
            self.groups.as_mut().ok_or(LinearError::Indefinite)?.solve(column);
            Ok(())
        })?;
        if b.iter().any(|y| !(y.x + y.y + y.z).is_finite()) {
            return Err(LinearError::Indefinite);
        }
        Ok(0)
    }
}
