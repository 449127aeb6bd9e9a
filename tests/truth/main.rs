//! Statements of the program against the truth: closed forms, statics, and runs known to be wrong.

mod atlas;
mod engines;
mod engines_by_hand;
mod judge;
mod league;
mod mjcf;
mod mujoco;
mod scene_library;
mod stick_slip;
#[path = "../support/mod.rs"]
mod support;
mod tipping;
mod trust;
mod validate;
