//! Factors column by column, by `faer`: its kernels for such factors neither fuse nor reorder, so
//! that the bits are the same on every processor.

use super::super::LinearError;
use super::out_of_memory;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::linalg::lu::{
    LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu,
};
use faer::sparse::linalg::{LuError, SupernodalThreshold};
use faer::sparse::{FaerError, SparseColMat};
use faer::{Conj, MatMut, Par, Side};

/// LU column by column, with row exchange.
#[derive(Default)]
pub(super) struct SimplicialLu {
    symbolic: Option<SymbolicLu<usize>>,
    numeric: NumericLu<usize, f64>,
    work: Option<MemBuffer>,
    /// whether the factors are those of the last matrix
    pub sound: bool,
}

impl SimplicialLu {
    /// Forgets the pattern of the last matrix.
    pub fn forget(&mut self) {
        self.symbolic = None;
    }

    /// The symbolic factorisation.
    fn prepare(&mut self, matrix: &SparseColMat<usize, f64>) -> Result<(), FaerError> {
        let parameters = LuSymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
            ..Default::default()
        };
        let symbolic = factorize_symbolic_lu(matrix.symbolic(), parameters)?;
        let request = StackReq::or(
            symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        self.work = Some(MemBuffer::try_new(request).map_err(|_| FaerError::OutOfMemory)?);
        self.symbolic = Some(symbolic);
        Ok(())
    }

    pub fn factor(&mut self, matrix: &SparseColMat<usize, f64>) -> Result<(), LinearError> {
        self.sound = false;
        let needed = matrix.compute_nnz() * size_of::<[f64; 4]>();
        if self.symbolic.is_none() {
            self.prepare(matrix).map_err(|_| out_of_memory(needed))?;
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

    pub fn solve(&mut self, column: &mut [f64]) -> Result<(), LinearError> {
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

/// L Lᵀ column by column.
#[derive(Default)]
pub(super) struct SimplicialCholesky {
    symbolic: Option<SymbolicCholesky<usize>>,
    /// the entries of L
    factor: Vec<f64>,
    work: Option<MemBuffer>,
}

impl SimplicialCholesky {
    /// Forgets the pattern of the last matrix.
    pub fn forget(&mut self) {
        self.symbolic = None;
    }

    /// The symbolic factorisation, and room for the entries of L.
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

    pub fn factor(&mut self, matrix: &SparseColMat<usize, f64>) -> Result<(), LinearError> {
        if self.symbolic.is_none() {
            let needed = matrix.compute_nnz() * size_of::<[usize; 4]>();
            self.prepare(matrix).map_err(|_| out_of_memory(needed))?;
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
        // all memory is allocated: only a pivot can fail
        factored.map(|_| ()).map_err(|_| LinearError::Indefinite)
    }

    pub fn solve(&mut self, column: &mut [f64]) -> Result<(), LinearError> {
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
