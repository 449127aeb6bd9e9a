//! Contact by penalty: gap → normal force → friction force.

pub mod adhesion;
pub mod anisotropy;
pub mod between;
pub mod clearance;
pub mod collider;
mod colliding;
pub mod detect;
pub mod force;
pub mod friction;
pub mod material;
pub mod material_frame;
pub mod near;
pub mod normal;
mod touch;

use crate::state::memory::Coefficients;

/// What the materials of a collider and a body, or of two bodies, make of each other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pair {
    /// Coefficients of friction.
    pub friction: Coefficients,
    /// What restitution means to the normal law: [`normal::NormalLaw::bounce`].
    pub bounce: f64,
    /// The coefficient of restitution e, zero where none is stated.
    pub restitution: f64,
}
