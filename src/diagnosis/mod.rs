//! Diagnosis: whether the numbers of a run can be trusted, and what is wrong when they cannot.

pub mod audit;
pub mod creep;
pub mod friction_limit;
pub mod impact;
pub mod observed_order;
pub mod offset;
pub mod penetration;
pub mod spectrum;
pub mod stable_step;
pub mod trust;
