//! Experiments: one scene, many runs.

pub mod agreement;
pub mod analysis;
pub mod base;
pub mod baseline;
pub mod compare;
pub mod multiplier;
pub mod pairing;
pub mod pictures;
pub mod plan;
pub mod reference;
pub mod report;
pub mod stiffness;
pub mod table;
pub mod trial;
pub mod tune;
