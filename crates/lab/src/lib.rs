//! The laboratory: a run with its verdict and error bars ([`run`]), its files ([`output`]), many
//! runs of one scene ([`experiment`]), a run with its folder ([`session`]), the table of cases
//! with known answers ([`validation`]), and what runs several of these at a time ([`jobs`]).

pub mod experiment;
pub mod jobs;
pub mod output;
pub mod run;
pub mod session;
pub mod validation;
