//! The program as a person uses it: commands, files, documents.

mod advice;
mod cli;
mod compare;
mod counts;
mod creep;
mod dependencies;
mod export;
mod folders;
mod grids;
mod guards;
mod import;
mod judge;
mod lammps;
mod last_state;
mod late_impacts;
mod limits;
mod memory;
mod names;
mod opening;
mod paraview;
mod places;
mod power_loss;
mod printed;
mod profile;
mod quotes;
mod readme;
mod reasons;
mod results;
mod rooms;
mod sizes;
#[path = "../support/mod.rs"]
mod support;
mod sweep;
mod tune;
mod verify;
mod words;
