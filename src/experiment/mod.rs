//! Experiments: one scene, many runs.

pub mod compare;
pub mod multiplier;
pub mod pairing;
pub mod stiffness;
pub mod validate;
