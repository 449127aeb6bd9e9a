//! Sparse linear systems of the implicit methods.

pub mod sparse_lu;
