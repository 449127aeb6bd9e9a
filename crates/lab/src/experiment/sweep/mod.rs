//! Sweeps: one scene run many times with some of its keys varied, and what came out as one file
//! per job, so that any number of processes on any number of machines may share the work.
//!
//! A [`grid::SweepGrid`] says which jobs there are; a [`folder::Folder`] keeps `sweep.json` and one
//! file per finished job; [`run::run`] makes the files that are missing; [`collect`] makes a table
//! of them and [`plot`] a picture of the table.

pub mod collect;
pub mod folder;
pub mod grid;
pub mod job;
pub mod plan;
#[cfg(feature = "plot")]
pub mod plot;
pub mod random;
pub mod run;
pub mod shard;
