//! Diagnosis: whether the numbers of a run can be trusted, and what is wrong when they cannot.

pub mod audit;
mod contact_sums;
pub mod creep;
pub mod curve;
pub mod friction_limit;
pub mod impact;
pub mod islands;
mod loaded_law;
pub mod motion;
pub mod observed_order;
pub mod offset;
pub mod passage;
pub mod passivity;
pub mod penetration;
mod record;
mod rigid_blows;
mod rigid_rates;
pub mod spectrum;
pub mod stable_step;
pub mod stick;
pub mod trust;
pub mod watch;
pub mod watches;
mod window;
pub mod wrongs;
