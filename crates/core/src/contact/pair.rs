//! Coefficients of a pair of materials.

use crate::state::memory::Coefficients;

/// Coefficients of the materials of a collider and a body, or of two bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pair {
    /// Coefficients of friction.
    pub friction: Coefficients,
    /// The normal law's parameter for restitution: [`super::normal::NormalLaw::bounce`].
    pub bounce: f64,
    /// The coefficient of restitution e; zero if none is stated.
    pub restitution: f64,
}
