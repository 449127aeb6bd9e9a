//! Reasons why a file cannot become a shape.

use super::mesh::MeshError;
use stiction_core::registry::Problem;

/// Reason why a file cannot become a shape.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// Values of the scene that contradict each other.
    #[error("{}", .0.message)]
    Scene(Problem),
    /// A fault of the file.
    #[error("{0}")]
    Mesh(MeshError),
    /// A shape beyond a limit.
    #[error("{}", .0.message)]
    TooLarge(Problem),
}

impl From<Problem> for ShapeError {
    fn from(problem: Problem) -> Self {
        ShapeError::Scene(problem)
    }
}
