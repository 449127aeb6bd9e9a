//! Sparse factorisations; the symbolic part is kept while the pattern stays.
//!
//! Matrix in compressed columns: `compressed.rs`. Small systems are factored column by column,
//! `simplicial.rs`; larger ones by dense blocks of columns, `supernodal/`. All bits are the same on every
//! processor.

pub mod cholesky;
mod compressed;
pub mod lu;
mod simplicial;
mod supernodal;

use super::LinearError;

/// Systems of fewer particles are factored column by column.
const FEW: usize = 32;

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
