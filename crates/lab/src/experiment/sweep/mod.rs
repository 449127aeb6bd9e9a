//! Sweeps: one scene run many times with some of its keys varied; the results are stored as one
//! file per job, so that any number of processes on any number of machines may share the work.
//!
//! A [`grid::SweepGrid`] lists the jobs; a [`folder::Folder`] holds `sweep.json` and one file per
//! finished job; [`run::run`] makes the missing files; [`collect`] makes a table of them and
//! [`plot`] a picture of the table.

pub mod collect;
pub mod folder;
pub mod grid;
pub mod job;
pub mod means;
pub mod plan;
#[cfg(feature = "plot")]
pub mod plot;
pub mod random;
pub mod run;
pub mod shard;
#[cfg(feature = "plot")]
mod symbols;
