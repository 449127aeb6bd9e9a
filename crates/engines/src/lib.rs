//! Friction of other engines: the creep of each by its own formulas ([`creep`]), and the verdict on
//! a run of any engine from its log ([`judge`]).

pub mod creep;
pub mod judge;
#[cfg(feature = "log-files")]
pub mod log_files;
