//! The symbolic factorisation: which entries of L and U are not zero, and where they are stored.
//!
//! `faer` finds a fill-reducing order (approximate minimum degree), the elimination tree and its
//! supernodes \[davis2006\]. A supernode J is a run of columns of L with the same rows below them. Its
//! numbers are dense:
//!
//! ```text
//!                 columns J   right of J
//!      rows J   [  L\U_JJ   |   U_JR    ]     L\U_JJ and L_RJ: in `l`, column by column
//!     below J   [  L_RJ     |           ]     U_JR: in `u`, row by row; of L Lᵀ not stored
//! ```

use faer::Side;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{CreationError, FaerError, Pair, SymbolicSparseColMat, SymbolicSparseColMatRef};

/// A supernode: its columns are `start..end`.
#[derive(Clone, Copy)]
pub(super) struct Supernode<'a> {
    pub start: usize,
    pub end: usize,
    /// the rows of L below the diagonal block, rising; the columns of U right of it are the same
    pub below: &'a [usize],
    /// beginning of its numbers in `l`
    pub l: usize,
    /// beginning of its numbers in `u`
    pub u: usize,
}

impl Supernode<'_> {
    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.end - self.start
    }

    /// Number of rows, with those of the diagonal block.
    pub fn rows(&self) -> usize {
        self.columns() + self.below.len()
    }

    /// All rows of L, rising.
    pub fn all_rows(&self) -> impl Iterator<Item = usize> {
        (self.start..self.end).chain(self.below.iter().copied())
    }

    /// Relative index of a row of the matrix: its place among the rows of this supernode.
    fn relative(&self, row: usize) -> usize {
        if row < self.end {
            row - self.start
        } else {
            self.columns() + self.below.partition_point(|r| *r < row)
        }
    }
}

/// The supernodes of a matrix.
#[derive(Debug)]
pub(super) struct Pattern {
    /// whether the factors are L Lᵀ, of which only L is stored, instead of L U
    pub symmetric: bool,
    symbolic: SymbolicCholesky<usize>,
    /// beginning of the numbers of each supernode in `u`, and their end
    u: Vec<usize>,
    /// the supernode of each column
    of: Vec<u32>,
}

impl Pattern {
    /// The symbolic factorisation of a matrix with these entries, or of a symmetric matrix with
    /// these entries in the lower half.
    pub fn new(
        matrix: SymbolicSparseColMatRef<'_, usize>,
        symmetric: bool,
    ) -> Result<Self, FaerError> {
        let symbolic =
            if symmetric { analyse(matrix)? } else { analyse(lower_half(matrix)?.as_ref())? };
        let mut pattern = Pattern { symmetric, symbolic, u: vec![0], of: Vec::new() };
        for s in 0..pattern.count() {
            let node = pattern.supernode(s);
            let (columns, right) = (node.columns(), pattern.right(&node));
            pattern.u.push(pattern.u[s] + columns * right);
            pattern.of.resize(pattern.of.len() + columns, s as u32);
        }
        Ok(pattern)
    }

    /// Number of supernodes.
    pub fn count(&self) -> usize {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(supernodes) => supernodes.n_supernodes(),
            SymbolicCholeskyRaw::Simplicial(_) => 0,
        }
    }

    /// Number of columns of the matrix.
    pub fn columns(&self) -> usize {
        self.of.len()
    }

    /// The supernode number `s` in the postorder of the elimination tree: after all its descendants.
    pub fn supernode(&self, s: usize) -> Supernode<'_> {
        let SymbolicCholeskyRaw::Supernodal(supernodes) = self.symbolic.raw() else {
            unreachable!("supernodes were asked for")
        };
        Supernode {
            start: supernodes.supernode_begin()[s],
            end: supernodes.supernode_end()[s],
            below: supernodes.supernode(s).pattern(),
            l: supernodes.col_ptr_for_val()[s],
            u: self.u.get(s).copied().unwrap_or(0),
        }
    }

    /// Number of the supernode with this column.
    pub fn of_column(&self, j: usize) -> usize {
        self.of[j] as usize
    }

    /// Number of stored columns of U right of the diagonal block.
    pub fn right(&self, node: &Supernode) -> usize {
        if self.symmetric { 0 } else { node.below.len() }
    }

    /// Number of numbers in `l`.
    pub fn l_len(&self) -> usize {
        self.symbolic.len_val()
    }

    /// Number of numbers in `u`.
    pub fn u_len(&self) -> usize {
        self.u.last().copied().unwrap_or(0)
    }

    /// The place of each unknown in the order of elimination.
    pub fn order(&self) -> &[usize] {
        self.symbolic.perm().map_or(&[], |order| order.arrays().1)
    }

    /// The place of each entry of the matrix: in `l`, or, after all of `l`, in `u`.
    pub fn places(
        &self,
        matrix: SymbolicSparseColMatRef<'_, usize>,
    ) -> Result<Vec<usize>, FaerError> {
        let mut places = Vec::new();
        places.try_reserve_exact(matrix.compute_nnz()).map_err(|_| FaerError::OutOfMemory)?;
        let order = self.order();
        for column in 0..matrix.ncols() {
            let rows = matrix.row_idx_of_col(column);
            places.extend(rows.map(|row| self.place(order[row], order[column])));
        }
        Ok(places)
    }

    /// Where the entry (i, j) is stored; i and j count in the order of elimination.
    fn place(&self, i: usize, j: usize) -> usize {
        let (i, j) = if self.symmetric { (i.max(j), i.min(j)) } else { (i, j) };
        let node = self.supernode(self.of_column(j));
        if i >= node.start {
            return node.l + (j - node.start) * node.rows() + node.relative(i);
        }
        let node = self.supernode(self.of_column(i));
        let along = node.relative(j) - node.columns();
        self.l_len() + node.u + (i - node.start) * node.below.len() + along
    }
}

/// Order, elimination tree and supernodes of a symmetric matrix whose lower half has these entries.
fn analyse(
    lower: SymbolicSparseColMatRef<'_, usize>,
) -> Result<SymbolicCholesky<usize>, FaerError> {
    let parameters = CholeskySymbolicParams {
        supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
        ..Default::default()
    };
    factorize_symbolic_cholesky(lower, Side::Lower, SymmetricOrdering::Amd, parameters)
}

/// The lower half of the pattern of A + Aᵀ.
fn lower_half(
    pattern: SymbolicSparseColMatRef<'_, usize>,
) -> Result<SymbolicSparseColMat<usize>, FaerError> {
    let mut entries = Vec::new();
    entries.try_reserve_exact(pattern.compute_nnz()).map_err(|_| FaerError::OutOfMemory)?;
    for j in 0..pattern.ncols() {
        entries.extend(pattern.row_idx_of_col(j).map(|i| Pair { row: i.max(j), col: i.min(j) }));
    }
    let n = pattern.ncols();
    match SymbolicSparseColMat::try_new_from_indices(n, n, &entries) {
        Ok((half, _)) => Ok(half),
        Err(CreationError::Generic(error)) => Err(error),
        Err(CreationError::OutOfBounds { .. }) => Err(FaerError::IndexOverflow),
    }
}
