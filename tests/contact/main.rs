//! Laws of contact, colliders, and bodies that touch.

mod anisotropy;
mod balance;
mod bodies;
mod colliders;
mod conformance;
mod creep;
mod creep_budget;
mod grazing;
mod holding;
mod hysteresis;
mod laws;
mod own_laws;
mod pairing;
mod passing;
mod stacking;
mod stretch;
#[path = "../support/mod.rs"]
mod support;
