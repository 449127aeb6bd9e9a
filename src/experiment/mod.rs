//! Experiments: one scene, many runs.

pub mod compare;
pub mod pairing;
pub mod stiffness;
