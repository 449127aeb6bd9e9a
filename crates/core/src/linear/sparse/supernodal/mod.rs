//! Supernodal factors of a sparse matrix: L Lᵀ of a symmetric one, L U without row exchange of any
//! other, in the pattern of A + Aᵀ \[davis2006\].
//!
//! `pattern` finds the supernodes, once per pattern; `numeric` computes the factors: `update`
//! applies descendants, `dense` factors a supernode, both by the products of `product`; `solve`
//! substitutes.
//!
//! Order and supernodes are those of `faer`. The numbers are computed here, since the kernels of
//! `faer` fuse multiplication and addition where the processor can, and choose their blocks by the
//! processor's caches. Every sum below has an order that follows from the pattern alone, so the
//! bits are the same on every processor and at every register width.

mod column;
mod dense;
mod numeric;
mod pattern;
mod product;
mod solve;
mod update;

use super::super::LinearError;
use super::{must_fit, out_of_memory};
use crate::math::lanes::Level;
use faer::sparse::SymbolicSparseColMatRef;
use numeric::{Factors, Work};
use pattern::Pattern;
use solve::{Solved, Unknowns};
use std::collections::TryReserveError;

/// Factors of matrices of one pattern, one after another.
#[derive(Debug)]
pub(super) struct Supernodal {
    level: Level,
    pattern: Pattern,
    /// place of each entry of the matrix: in `l`, or, after all of `l`, in `u`
    places: Vec<usize>,
    /// the columns of L, and those of U within the diagonal blocks
    l: Vec<f64>,
    /// the rows of U right of the diagonal blocks
    u: Vec<f64>,
    work: Work,
    unknowns: Unknowns,
}

impl Supernodal {
    /// The symbolic factorisation of a matrix with these entries, or of a symmetric matrix with
    /// these entries in the lower half.
    ///
    /// # Errors
    /// There is no memory for the factors.
    pub fn new(
        matrix: SymbolicSparseColMatRef<'_, usize>,
        symmetric: bool,
    ) -> Result<Self, LinearError> {
        let needed = matrix.compute_nnz() * size_of::<[usize; 4]>();
        let pattern = Pattern::new(matrix, symmetric).map_err(|_| out_of_memory(needed))?;
        let places = pattern.places(matrix).map_err(|_| out_of_memory(needed))?;
        must_fit(bytes(&pattern))?;
        Ok(Supernodal {
            level: Level::new(),
            pattern,
            places,
            l: Vec::new(),
            u: Vec::new(),
            work: Work::default(),
            unknowns: Unknowns::default(),
        })
    }

    /// The factors in `slot`, which are made for this pattern if there are none.
    ///
    /// # Errors
    /// Those of [`Self::new`].
    pub fn of<'a>(
        slot: &'a mut Option<Self>,
        matrix: SymbolicSparseColMatRef<'_, usize>,
        symmetric: bool,
    ) -> Result<&'a mut Self, LinearError> {
        Ok(match slot {
            Some(factors) => factors,
            none => none.insert(Supernodal::new(matrix, symmetric)?),
        })
    }

    /// Factors the matrix with these values, in the order of its entries. False if a pivot is not finite
    /// or is zero, of a symmetric matrix also if it is negative.
    ///
    /// # Errors
    /// There is no memory for the factors.
    pub fn factor(&mut self, values: &[f64]) -> Result<bool, LinearError> {
        let no_room = |_| out_of_memory(bytes(&self.pattern));
        zero(&mut self.l, self.pattern.l_len()).map_err(no_room)?;
        zero(&mut self.u, self.pattern.u_len()).map_err(no_room)?;
        for (place, value) in self.places.iter().zip(values) {
            match place.checked_sub(self.l.len()) {
                None => self.l[*place] += value,
                Some(place) => self.u[place] += value,
            }
        }
        let factors = Factors { pattern: &self.pattern, l: &mut self.l, u: &mut self.u };
        Ok(numeric::factor(self.level, factors, &mut self.work))
    }

    /// Solves in place with the factors of the last matrix.
    pub fn solve(&mut self, b: &mut [f64]) {
        let factors = Solved { pattern: &self.pattern, l: &self.l, u: &self.u };
        factors.solve(b, &mut self.unknowns);
    }
}

/// Memory of the factors.
fn bytes(pattern: &Pattern) -> usize {
    (pattern.l_len() + pattern.u_len()).saturating_mul(size_of::<f64>())
}

/// Sets `numbers` to `many` zeros.
fn zero(numbers: &mut Vec<f64>, many: usize) -> Result<(), TryReserveError> {
    numbers.clear();
    numbers.try_reserve_exact(many)?;
    numbers.resize(many, 0.0);
    Ok(())
}

#[cfg(test)]
mod tests;
