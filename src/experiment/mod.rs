//! Experiments: one scene, many runs.

pub mod compare;
