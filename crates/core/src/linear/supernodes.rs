//! Factors of sparse matrices by groups of columns with the same rows below them: L Lᵀ of a symmetric
//! matrix, L U without row exchange of any other, in the pattern of A + Aᵀ.
//!
//! Order and groups are those of `faer`. The numbers are computed here, since its kernels fuse
//! multiplication and addition where the processor can, and choose their blocks by its caches. Every sum
//! below has an order that follows from the pattern alone, so the bits are the same on every processor
//! and at every register width.

use crate::math::lanes::{Lanes, Level, Simd, SimdBase, dispatch, f64x2, f64x4, f64x8, tree};
use crate::math::sqrt;
use faer::Side;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{CreationError, FaerError, Pair, SymbolicSparseColMat, SymbolicSparseColMatRef};

/// Columns of a group that are eliminated one by one before the rest of it is updated.
const PANEL: usize = 32;

/// No group.
const NONE: u32 = u32::MAX;

/// Products are padded to a multiple of these rows: two of the widest registers.
const PADDED: usize = 16;

/// Columns of a group in one product, which stay in the cache.
const CHUNK: usize = 64;

/// Columns of a product computed at once.
const STRIP: usize = 4;

/// A group of columns: its first column and the one after its last, the rows below them, and the
/// beginning of its numbers.
#[derive(Clone, Copy)]
struct Node<'a> {
    start: usize,
    end: usize,
    below: &'a [usize],
    lower: usize,
    upper: usize,
}

impl Node<'_> {
    fn columns(&self) -> usize {
        self.end - self.start
    }

    fn rows(&self) -> usize {
        self.columns() + self.below.len()
    }

    /// The row of its numbers for a row of the matrix that it contains.
    fn row(&self, row: usize) -> usize {
        if row < self.end {
            row - self.start
        } else {
            self.columns() + self.below.partition_point(|r| *r < row)
        }
    }
}

/// The groups of a pattern.
#[derive(Debug)]
struct Groups {
    symbolic: SymbolicCholesky<usize>,
    /// beginning of the numbers of each group in U: those right of its own columns, by rows
    upper: Vec<usize>,
    /// the group of each column
    of: Vec<u32>,
}

impl Groups {
    fn new(pattern: SymbolicSparseColMatRef<'_, usize>) -> Result<Self, FaerError> {
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, parameters)?;
        let mut groups = Groups { symbolic, upper: vec![0], of: Vec::new() };
        for s in 0..groups.count() {
            let node = groups.node(s);
            let (columns, beyond) = (node.columns(), node.columns() * node.below.len());
            groups.upper.push(groups.upper[s] + beyond);
            groups.of.resize(groups.of.len() + columns, s as u32);
        }
        Ok(groups)
    }

    fn count(&self) -> usize {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(groups) => groups.n_supernodes(),
            SymbolicCholeskyRaw::Simplicial(_) => 0,
        }
    }

    fn node(&self, s: usize) -> Node<'_> {
        let SymbolicCholeskyRaw::Supernodal(groups) = self.symbolic.raw() else {
            unreachable!("groups were asked for")
        };
        Node {
            start: groups.supernode_begin()[s],
            end: groups.supernode_end()[s],
            below: groups.supernode(s).pattern(),
            lower: groups.col_ptr_for_val()[s],
            upper: self.upper.get(s).copied().unwrap_or(0),
        }
    }

    /// The place in the order of elimination of each unknown.
    fn places(&self) -> &[usize] {
        self.symbolic.perm().map_or(&[], |order| order.arrays().1)
    }
}

/// Factors of one pattern after another.
#[derive(Debug)]
pub(super) struct Supernodes {
    level: Level,
    symmetric: bool,
    groups: Groups,
    /// place of each entry of the matrix: in L and the diagonal blocks, or, counted from their end, in U
    places: Vec<usize>,
    /// the columns of L, and those of U within the diagonal blocks
    lower: Vec<f64>,
    /// the rows of U right of the diagonal blocks
    upper: Vec<f64>,
    spare: Spare,
}

impl Supernodes {
    /// The groups for a matrix with these entries; of a symmetric one those of the lower half.
    ///
    /// # Errors
    /// There is no memory for the pattern of the factors.
    pub fn new(
        pattern: SymbolicSparseColMatRef<'_, usize>,
        symmetric: bool,
    ) -> Result<Self, FaerError> {
        let groups = if symmetric {
            Groups::new(pattern)?
        } else {
            Groups::new(lower_half(pattern)?.as_ref())?
        };
        let mut places = Vec::new();
        places.try_reserve_exact(pattern.compute_nnz()).map_err(|_| FaerError::OutOfMemory)?;
        let (entries, order) = (groups.symbolic.len_val(), groups.places());
        for column in 0..pattern.ncols() {
            for row in pattern.row_idx_of_col(column) {
                let (mut i, mut j) = (order[row], order[column]);
                if symmetric && i < j {
                    (i, j) = (j, i);
                }
                let node = groups.node(groups.of[j] as usize);
                places.push(if i >= node.start {
                    node.lower + (j - node.start) * node.rows() + node.row(i)
                } else {
                    let node = groups.node(groups.of[i] as usize);
                    let along = node.row(j) - node.columns();
                    entries + node.upper + (i - node.start) * node.below.len() + along
                });
            }
        }
        Ok(Supernodes {
            level: Level::new(),
            symmetric,
            groups,
            places,
            lower: Vec::new(),
            upper: Vec::new(),
            spare: Spare::default(),
        })
    }

    /// Number of entries of the factors.
    pub fn entries(&self) -> usize {
        let beyond = self.groups.upper.last().copied().unwrap_or(0);
        self.groups.symbolic.len_val() + if self.symmetric { 0 } else { beyond }
    }

    /// Factors the matrix with these values, in the order of its entries. False if a pivot is not finite
    /// or is zero, of a symmetric matrix also if it is negative.
    ///
    /// # Errors
    /// There is no memory for the factors.
    pub fn factor(&mut self, values: &[f64]) -> Result<bool, FaerError> {
        let entries = self.groups.symbolic.len_val();
        cleared(&mut self.lower, entries)?;
        let beyond = self.entries() - entries;
        cleared(&mut self.upper, beyond)?;
        for (place, value) in self.places.iter().zip(values) {
            match place.checked_sub(entries) {
                None => self.lower[*place] += value,
                Some(place) => self.upper[place] += value,
            }
        }
        let numbers = Numbers {
            symmetric: self.symmetric,
            groups: &self.groups,
            lower: &mut self.lower,
            upper: &mut self.upper,
            spare: &mut self.spare,
        };
        Ok(dispatch!(self.level, simd => factor(simd, numbers)))
    }

    /// Solves in place with the factors of the last matrix.
    pub fn solve(&mut self, b: &mut [f64]) {
        let order = self.groups.places();
        let x = &mut self.spare.column;
        x.clear();
        x.resize(b.len(), 0.0);
        for (place, b) in order.iter().zip(b.iter()) {
            x[*place] = *b;
        }
        let ends = &mut self.spare.ends;
        for s in 0..self.groups.count() {
            forward(self.groups.node(s), &self.lower, self.symmetric, x, ends);
        }
        for s in (0..self.groups.count()).rev() {
            let node = self.groups.node(s);
            if self.symmetric {
                backward_symmetric(node, &self.lower, x, ends);
            } else {
                backward(node, &self.lower, &self.upper, x, ends);
            }
        }
        for (place, b) in order.iter().zip(b) {
            *b = x[*place];
        }
    }
}

/// The lower half of a pattern, with its upper half mirrored into it.
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

/// Sets `numbers` to `many` zeros.
fn cleared(numbers: &mut Vec<f64>, many: usize) -> Result<(), FaerError> {
    numbers.clear();
    numbers.try_reserve_exact(many).map_err(|_| FaerError::OutOfMemory)?;
    numbers.resize(many, 0.0);
    Ok(())
}

/// Storage between calls.
#[derive(Debug, Default)]
struct Spare {
    /// row of the present group for each row of the matrix
    local: Vec<u32>,
    /// linked lists of the groups that next change each group: the first, and the next after each
    heads: Vec<u32>,
    nexts: Vec<u32>,
    /// rows of each group already used for such a change
    used: Vec<u32>,
    product: Product,
    column: Vec<f64>,
    ends: Vec<f64>,
}

/// A factorisation in progress: pattern, numbers of L and U, and storage.
struct Numbers<'a> {
    symmetric: bool,
    groups: &'a Groups,
    lower: &'a mut [f64],
    upper: &'a mut [f64],
    spare: &'a mut Spare,
}

fn factor<S: Simd>(simd: S, numbers: Numbers) -> bool {
    match S::f64s::LEN {
        8 => vectorized::<S, f64x8<S>>(simd, numbers),
        4 => vectorized::<S, f64x4<S>>(simd, numbers),
        _ => vectorized::<S, f64x2<S>>(simd, numbers),
    }
}

#[inline(never)]
fn vectorized<S: Simd, V: Lanes<S>>(simd: S, numbers: Numbers) -> bool {
    simd.vectorize(
        #[inline(always)]
        || all_groups::<S, V>(simd, numbers),
    )
}

/// Group by group: subtracts the changes by earlier groups, then eliminates its own columns.
#[inline(always)]
fn all_groups<S: Simd, V: Lanes<S>>(simd: S, numbers: Numbers) -> bool {
    let Numbers { symmetric, groups, lower, upper, spare } = numbers;
    let count = groups.count();
    let Spare { local, heads, nexts, used, product, .. } = spare;
    local.resize(groups.of.len(), 0);
    heads.clear();
    heads.resize(count, NONE);
    nexts.resize(count, NONE);
    used.resize(count, 0);
    for s in 0..count {
        let node = groups.node(s);
        let (rows, columns, beyond) = (node.rows(), node.columns(), node.below.len());
        for (k, row) in (node.start..node.end).chain(node.below.iter().copied()).enumerate() {
            local[row] = k as u32;
        }
        let (before, own) = lower.split_at_mut(node.lower);
        let own = &mut own[..rows * columns];
        let (before_upper, own_upper) = upper.split_at_mut(if symmetric { 0 } else { node.upper });
        let own_upper = &mut own_upper[..if symmetric { 0 } else { beyond * columns }];
        let mut target = Target { node, local, own, upper: own_upper, symmetric };
        let mut next = heads[s];
        while next != NONE {
            let d = next as usize;
            next = nexts[d];
            let from = groups.node(d);
            let before = (&*before, &*before_upper);
            let last = take::<S, V>(simd, &mut target, from, before, used[d] as usize, product);
            used[d] = last as u32;
            if last < from.below.len() {
                let to = groups.of[from.below[last]] as usize;
                (nexts[d], heads[to]) = (heads[to], d as u32);
            }
        }
        let Target { own, upper: own_upper, .. } = target;
        let dense = Dense { own, upper: own_upper, rows, columns, symmetric };
        if !eliminate::<S, V>(simd, dense, product) {
            return false;
        }
        used[s] = 0;
        if beyond > 0 {
            let to = groups.of[node.below[0]] as usize;
            (nexts[s], heads[to]) = (heads[to], s as u32);
        }
    }
    true
}

/// The group that is changed.
struct Target<'a> {
    node: Node<'a>,
    /// row of the group for each row of the matrix
    local: &'a [u32],
    own: &'a mut [f64],
    upper: &'a mut [f64],
    symmetric: bool,
}

/// Subtracts the change of a later group by a finished one: by its rows below, from `first` on, that are
/// columns of the later group. `before` are the numbers of L and U of the finished groups. Returns the
/// first of its rows below beyond those columns.
#[inline(always)]
fn take<S: Simd, V: Lanes<S>>(
    simd: S,
    target: &mut Target,
    from: Node,
    before: (&[f64], &[f64]),
    first: usize,
    product: &mut Product,
) -> usize {
    let Target { node, local, own, upper, symmetric } = target;
    let (rows, columns, beyond) = (node.rows(), node.columns(), node.below.len());
    let last = first + from.below[first..].partition_point(|row| *row < node.end);
    let (height, wide) = (from.rows(), from.below.len());
    let part_of_l = |first: usize| {
        let l = &before.0[from.lower + from.columns() + first..];
        Part { numbers: l, rows: 1, columns: height }
    };
    let part_of_u = |first: usize| {
        let u = &before.1[from.upper + first..];
        Part { numbers: u, rows: 1, columns: wide }
    };
    for start in (first..last).step_by(CHUNK) {
        let changed = &from.below[start..last.min(start + CHUNK)];
        // of a symmetric matrix only rows from the diagonal on
        let top = if *symmetric { start } else { first };
        let size = Size { m: wide - top, n: changed.len(), k: from.columns() };
        let b = if *symmetric { part_of_l(start) } else { part_of_u(start) };
        product.make::<S, V>(simd, part_of_l(top), b, size, *symmetric);
        for (c, column) in changed.iter().enumerate() {
            let to = &mut own[(column - node.start) * rows..][..rows];
            let above = if *symmetric { c } else { 0 };
            let changes = &product.column(c)[above..];
            for (row, change) in from.below[top + above..].iter().zip(changes) {
                to[local[*row] as usize] -= change;
            }
        }
        if !*symmetric && last < wide {
            let size = Size { m: wide - last, ..size };
            product.make::<S, V>(simd, part_of_u(last), part_of_l(start), size, false);
            for (c, row) in changed.iter().enumerate() {
                let to = &mut upper[(row - node.start) * beyond..][..beyond];
                for (column, change) in from.below[last..].iter().zip(product.column(c)) {
                    to[local[*column] as usize - columns] -= change;
                }
            }
        }
    }
    last
}

/// The numbers of one group.
struct Dense<'a> {
    own: &'a mut [f64],
    upper: &'a mut [f64],
    rows: usize,
    columns: usize,
    symmetric: bool,
}

/// Eliminates the columns of a group after all changes by other groups.
#[inline(always)]
fn eliminate<S: Simd, V: Lanes<S>>(simd: S, of: Dense, product: &mut Product) -> bool {
    let Dense { own, upper, rows, columns, symmetric } = of;
    let beyond = rows - columns;
    let mut first = 0;
    while first < columns {
        let last = columns.min(first + PANEL);
        if !panel(own, rows, first..last, symmetric) {
            return false;
        }
        if !symmetric {
            across(own, upper, rows, columns, first..last);
        }
        for start in (last..columns).step_by(CHUNK) {
            let end = columns.min(start + CHUNK);
            let top = if symmetric { start } else { last };
            let size = Size { m: rows - top, n: end - start, k: last - first };
            let a = Part { numbers: &own[first * rows + top..], rows: 1, columns: rows };
            let b = if symmetric {
                a
            } else {
                Part { numbers: &own[start * rows + first..], rows, columns: 1 }
            };
            product.make::<S, V>(simd, a, b, size, symmetric);
            for c in start..end {
                let from = if symmetric { c } else { last };
                let change = &product.column(c - start)[from - top..];
                subtract(&mut own[c * rows + from..(c + 1) * rows], change);
            }
            if !symmetric && beyond > 0 {
                let u = Part { numbers: &upper[first * beyond..], rows: 1, columns: beyond };
                let l = Part { numbers: &own[first * rows + start..], rows: 1, columns: rows };
                product.make::<S, V>(simd, u, l, Size { m: beyond, ..size }, false);
                for c in start..end {
                    let to = &mut upper[c * beyond..(c + 1) * beyond];
                    subtract(to, product.column(c - start));
                }
            }
        }
        first = last;
    }
    true
}

/// Eliminates some columns one by one, within these columns.
#[inline(always)]
fn panel(own: &mut [f64], rows: usize, of: std::ops::Range<usize>, symmetric: bool) -> bool {
    for j in of.clone() {
        let (before, after) = own.split_at_mut((j + 1) * rows);
        let column = &mut before[j * rows..];
        let pivot = column[j];
        let sound = if symmetric { pivot > 0.0 } else { pivot != 0.0 };
        if !sound || !pivot.is_finite() {
            return false;
        }
        let by = if symmetric { sqrt(pivot) } else { pivot };
        let scale = 1.0 / by;
        column[j] = by;
        for x in &mut column[j + 1..] {
            *x *= scale;
        }
        for c in j + 1..of.end {
            let other = &mut after[(c - j - 1) * rows..(c - j) * rows];
            let (from, factor) = if symmetric { (c, column[c]) } else { (j + 1, other[j]) };
            subtract_times(&mut other[from..], &column[from..], factor);
        }
    }
    true
}

/// Updates the rows of U of some eliminated columns, right of these columns.
#[inline(always)]
fn across(
    own: &mut [f64],
    upper: &mut [f64],
    rows: usize,
    columns: usize,
    of: std::ops::Range<usize>,
) {
    for c in of.end..columns {
        let (before, after) = own.split_at_mut(c * rows);
        for j in of.clone() {
            let (above, below) = after[..of.end].split_at_mut(j + 1);
            subtract_times(below, &before[j * rows + j + 1..], above[j]);
        }
    }
    let beyond = rows - columns;
    for j in of.clone() {
        let (before, after) = upper.split_at_mut((j + 1) * beyond);
        for r in j + 1..of.end {
            let to = &mut after[(r - j - 1) * beyond..(r - j) * beyond];
            subtract_times(to, &before[j * beyond..], own[j * rows + r]);
        }
    }
}

/// to −= x.
#[inline(always)]
fn subtract(to: &mut [f64], x: &[f64]) {
    for (to, x) in to.iter_mut().zip(x) {
        *to -= x;
    }
}

/// to −= x factor.
#[inline(always)]
fn subtract_times(to: &mut [f64], x: &[f64], factor: f64) {
    for (to, x) in to.iter_mut().zip(x) {
        *to -= x * factor;
    }
}

/// Part of a matrix: its numbers from the first on, and the strides from row to row and from column to
/// column.
#[derive(Clone, Copy)]
struct Part<'a> {
    numbers: &'a [f64],
    rows: usize,
    columns: usize,
}

/// A of m × k, B of n × k.
#[derive(Clone, Copy)]
struct Size {
    m: usize,
    n: usize,
    k: usize,
}

/// A Bᵀ, column by column, each entry summed over k in its order.
#[derive(Debug, Default)]
struct Product {
    out: Vec<f64>,
    m: usize,
    a: Vec<f64>,
    b: Vec<f64>,
}

impl Product {
    #[inline(always)]
    fn column(&self, c: usize) -> &[f64] {
        &self.out[c * self.m.next_multiple_of(PADDED)..][..self.m]
    }

    /// Computes it; of a `lower` one the entries above the diagonal may be missing. The rows of A are
    /// contiguous.
    #[inline(always)]
    fn make<S: Simd, V: Lanes<S>>(&mut self, simd: S, a: Part, b: Part, size: Size, lower: bool) {
        let Size { m, n, k } = size;
        let (height, strips, wide) = (m.next_multiple_of(PADDED), n.div_ceil(STRIP), 2 * V::LEN);
        self.m = m;
        grown(&mut self.out, height * strips * STRIP);
        grown(&mut self.a, wide * k);
        grown(&mut self.b, strips * STRIP * k);
        for (strip, packed) in self.b[..strips * STRIP * k].chunks_exact_mut(STRIP * k).enumerate()
        {
            for (l, packed) in packed.chunks_exact_mut(STRIP).enumerate() {
                for (c, packed) in packed.iter_mut().enumerate() {
                    let c = strip * STRIP + c;
                    *packed = if c < n { b.numbers[c * b.rows + l * b.columns] } else { 0.0 };
                }
            }
        }
        let mut row = 0;
        while row < m {
            let (packed, many) = (&mut self.a[..wide * k], wide.min(m - row));
            for (l, packed) in packed.chunks_exact_mut(wide).enumerate() {
                let column = &a.numbers[l * a.columns + row..][..many];
                if many == wide {
                    packed.copy_from_slice(&column[..wide]);
                } else {
                    packed[..many].copy_from_slice(column);
                    packed[many..].fill(0.0);
                }
            }
            for (strip, packed_b) in
                self.b[..strips * STRIP * k].chunks_exact(STRIP * k).enumerate()
            {
                if lower && row + wide <= strip * STRIP {
                    break;
                }
                let mut sums = [[V::splat(simd, 0.0); STRIP]; 2];
                for (a, b) in packed.chunks_exact(wide).zip(packed_b.chunks_exact(STRIP)) {
                    let low = V::from_slice(simd, &a[..V::LEN]);
                    let high = V::from_slice(simd, &a[V::LEN..2 * V::LEN]);
                    let mut c = 0;
                    while c < STRIP {
                        let b = V::splat(simd, b[c]);
                        sums[0][c] += low * b;
                        sums[1][c] += high * b;
                        c += 1;
                    }
                }
                let mut c = 0;
                while c < STRIP {
                    let to = &mut self.out[(strip * STRIP + c) * height + row..][..wide];
                    sums[0][c].store_slice(&mut to[..V::LEN]);
                    sums[1][c].store_slice(&mut to[V::LEN..]);
                    c += 1;
                }
            }
            row += wide;
        }
    }
}

/// Grows the list to that many numbers.
fn grown(numbers: &mut Vec<f64>, many: usize) {
    if numbers.len() < many {
        numbers.resize(many, 0.0);
    }
}

/// L x = b, the part of one group.
fn forward(node: Node, lower: &[f64], symmetric: bool, x: &mut [f64], ends: &mut Vec<f64>) {
    let (rows, columns) = (node.rows(), node.columns());
    let own = &lower[node.lower..][..rows * columns];
    ends.clear();
    ends.resize(node.below.len(), 0.0);
    for (j, column) in own.chunks_exact(rows).enumerate() {
        let x = &mut x[node.start..node.end];
        if symmetric {
            x[j] /= column[j];
        }
        let (above, below) = x.split_at_mut(j + 1);
        subtract_times(below, &column[j + 1..columns], above[j]);
        subtract_times(ends, &column[columns..], above[j]);
    }
    for (row, end) in node.below.iter().zip(ends) {
        x[*row] += *end;
    }
}

/// Lᵀ x = b, the part of one group.
fn backward_symmetric(node: Node, lower: &[f64], x: &mut [f64], ends: &mut Vec<f64>) {
    let (rows, columns) = (node.rows(), node.columns());
    let own = &lower[node.lower..][..rows * columns];
    ends.clear();
    ends.extend(node.below.iter().map(|row| x[*row]));
    let x = &mut x[node.start..node.end];
    for (j, column) in own.chunks_exact(rows).enumerate().rev() {
        let sum = dot(&column[j + 1..columns], &x[j + 1..]) + dot(&column[columns..], ends);
        x[j] = (x[j] - sum) / column[j];
    }
}

/// U x = b, the part of one group.
fn backward(node: Node, lower: &[f64], upper: &[f64], x: &mut [f64], ends: &mut Vec<f64>) {
    let (rows, columns, beyond) = (node.rows(), node.columns(), node.below.len());
    let own = &lower[node.lower..][..rows * columns];
    ends.clear();
    ends.extend(node.below.iter().map(|row| x[*row]));
    let x = &mut x[node.start..node.end];
    for (j, x) in x.iter_mut().enumerate() {
        *x -= dot(&upper[node.upper + j * beyond..][..beyond], ends);
    }
    for (j, column) in own.chunks_exact(rows).enumerate().rev() {
        let (above, below) = x.split_at_mut(j);
        below[0] /= column[j];
        subtract_times(above, &column[..j], below[0]);
    }
}

/// Σ a b in eight lanes and a fixed tree.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (whole_a, rest_a) = a.as_chunks::<8>();
    let (whole_b, rest_b) = b.as_chunks::<8>();
    for (a, b) in whole_a.iter().zip(whole_b) {
        for k in 0..8 {
            lanes[k] += a[k] * b[k];
        }
    }
    for (k, (a, b)) in rest_a.iter().zip(rest_b).enumerate() {
        lanes[k] += a * b;
    }
    tree(lanes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::levels;
    use crate::math::sin;
    use faer::sparse::SparseColMat;

    /// A box of n³ points of three numbers, each coupled with its 26 neighbours, some couplings
    /// one-sided.
    fn lattice(n: usize, symmetric: bool) -> SparseColMat<usize, f64> {
        let mut entries = Vec::new();
        let place = |k: [usize; 3]| (k[0] * n + k[1]) * n + k[2];
        let all = || (0..n * n * n).map(|k| [k / (n * n), k / n % n, k % n]);
        for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
            if (0..3).any(|axis| a[axis].abs_diff(b[axis]) > 1) {
                continue;
            }
            let (i, j) = (place(a), place(b));
            for (r, c) in (0..9).map(|k| (3 * i + k / 3, 3 * j + k % 3)) {
                let skew = if symmetric { 0.0 } else { 0.3 * sin((r * 7 + c * 3) as f64) };
                let value = sin((r + c) as f64) + skew + if r == c { 90.0 } else { 0.0 };
                let one_sided = !symmetric && (r * c) % 17 == 3;
                if if symmetric { r >= c } else { !one_sided } {
                    entries.push(faer::sparse::Triplet::new(r, c, value));
                }
            }
        }
        SparseColMat::try_new_from_triplets(3 * n * n * n, 3 * n * n * n, &entries).unwrap()
    }

    #[test]
    fn factors_solve_with_the_same_bits_at_every_width() {
        for (symmetric, n) in [(true, 1), (false, 1), (true, 3), (false, 3), (true, 6), (false, 6)]
        {
            let matrix = lattice(n, symmetric);
            let b: Vec<f64> = (0..3 * n * n * n).map(|k| sin(k as f64)).collect();
            let mut first: Option<Vec<u64>> = None;
            for level in levels() {
                let mut factors = Supernodes::new(matrix.symbolic(), symmetric).unwrap();
                factors.level = level;
                assert!(factors.factor(matrix.val()).unwrap());
                let mut x = b.clone();
                factors.solve(&mut x);
                let mut left = b.clone();
                for (c, x_c) in x.iter().enumerate() {
                    let rows = matrix.symbolic().row_idx_of_col(c);
                    for (r, value) in rows.zip(matrix.val_of_col(c)) {
                        left[r] -= value * x_c;
                        if symmetric && r != c {
                            left[c] -= value * x[r];
                        }
                    }
                }
                let most = left.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                assert!(most < 1e-13, "{level:?} {symmetric} {n}: {most:e}");
                let bits: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
                assert_eq!(first.get_or_insert_with(|| bits.clone()), &bits, "{level:?}");
            }
        }
    }

    #[test]
    fn pivots_that_are_not_positive_are_told() {
        let entries: Vec<_> = (0..9).map(|k| (k / 3, k % 3)).filter(|(r, c)| r >= c).collect();
        let entries = entries.iter().map(|(r, c)| faer::sparse::Triplet::new(*r, *c, 1.0));
        let ones = SparseColMat::try_new_from_triplets(3, 3, &entries.collect::<Vec<_>>()).unwrap();
        for symmetric in [true, false] {
            let mut factors = Supernodes::new(ones.symbolic(), symmetric).unwrap();
            let values: Vec<f64> =
                ones.val().iter().map(|x| if symmetric { -x } else { 0.0 }).collect();
            assert!(!factors.factor(&values).unwrap());
        }
    }
}
