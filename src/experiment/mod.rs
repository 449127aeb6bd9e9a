//! Experiments: one scene, many runs.

pub mod compare;
pub mod stiffness;
