//! `stiction` is a soft-body particle simulator with penalty-force friction, and the laboratory
//! in which one finds out what a friction law, a threshold and an integrator cost.
//!
//! [`model::Model`] is what the world is, [`state::State`] is what it is now; friction laws,
//! integrators, shapes and colliders are rows of tables ([`registry`]). ARCHITECTURE.md draws the
//! rooms and their order.
#![forbid(unsafe_code)]

pub mod constraints;
pub mod contact;
pub mod diagnosis;
pub mod expression;
pub mod forces;
pub mod impulses;
pub mod integrators;
pub mod linear;
pub mod math;
pub mod measures;
pub mod model;
pub mod registry;
pub mod simulation;
pub mod state;
pub mod step_error;
pub mod world;

#[cfg(feature = "scene")]
pub mod experiment;
#[cfg(feature = "scene")]
pub mod output;
#[cfg(feature = "scene")]
pub mod run;
#[cfg(feature = "scene")]
pub mod scene;

#[cfg(feature = "film")]
pub mod view;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod validation;

pub use nalgebra;

/// The README's example, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
