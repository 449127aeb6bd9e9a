//! Files by purpose: the results folder of a run, its arrays, formats of other programs, figures, and
//! the space that they take.

pub mod arrays;
pub mod exports;
pub mod folder;
pub mod plots;
pub mod shell;
pub mod space;

/// Reason why a scene cannot be exported: one sentence for each thing without a counterpart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct Inexpressible(pub Vec<String>);
