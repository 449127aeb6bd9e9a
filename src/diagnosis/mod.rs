//! Diagnosis: whether the numbers of a run can be trusted, and what is wrong when they cannot.

pub mod audit;
pub mod creep;
mod footing;
pub mod friction_limit;
pub mod passivity;
pub mod penetration;
mod record;
pub mod stick;
pub mod trust;
mod window;
