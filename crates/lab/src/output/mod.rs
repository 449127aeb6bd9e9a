//! Files, by trade: the results folder of a run, its arrays, other programs' formats, figures.

pub mod arrays;
pub mod exports;
pub mod folder;
pub mod plots;

/// Why a scene cannot be another program's file: one sentence for each thing that cannot be
/// expressed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct Inexpressible(pub Vec<String>);
