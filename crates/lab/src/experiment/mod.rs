//! Experiments: one scene, many runs.
//!
//! For the test-suite of another project, three lines:
//!
//! ```
//! # std::env::set_current_dir("../..").expect("the folder of scenes/");
//! use stiction_lab::experiment::{base::Base, plan::Plan};
//! let plan = Plan::of(Base::file("scenes/sliding_block.toml"));
//! let comparison = plan.integrators(&["explicit-euler", "heun", "rk4"]).steps(&["1e-3"]).run()?;
//! comparison.assert_ranking("error", &["explicit-euler", "heun", "rk4"]);
//! # Ok::<(), stiction_lab::experiment::plan::PlanError>(())
//! ```
//!
//! `comparison.assert_agreement("distance", 1e-3)` requires the same number from all rows, and
//! `comparison.assert_baseline("tests/block.json")` the stored numbers. A law of your own is
//! registered ([`stiction_core::registry::Table::register`]) and named like any other;
//! `examples/own_law` is a project with all of this.

pub mod accuracy;
pub mod agreement;
pub mod analysis;
pub mod base;
pub mod baseline;
pub mod compare;
pub mod documents;
pub mod law;
pub mod list;
pub(crate) mod local_rates;
pub mod multiplier;
#[cfg(feature = "plot")]
pub mod pairing;
#[cfg(feature = "plot")]
pub mod pictures;
pub mod plan;
pub mod purse;
pub mod recording;
pub mod reference;
#[cfg(feature = "plot")]
pub mod report;
pub(crate) mod search_grid;
pub mod stable_step;
pub mod stiffness;
pub mod sweep;
pub mod table;
pub mod thread_time;
pub mod trial;
pub mod tune;
