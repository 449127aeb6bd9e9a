//! Helpers that tests of several rooms share.

#![allow(dead_code)] // each binary uses its part

pub mod block;
pub mod disk;
pub mod files;
pub mod method;
#[cfg(target_os = "linux")]
pub mod process;
pub mod tools;
pub mod wait;

use std::path::Path;
use stiction_core::simulation::Simulation;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load_text};

/// The simulation of a scene given as text, at t = 0. Its end and its expectations are for a `Run`.
pub fn simulation(text: &str) -> Simulation {
    let loaded = load_text("test.toml", text, Path::new("."), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let built = build(&loaded.scene, &BuildOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let step = loaded.scene.time.step;
    Simulation::with_method(built.model, built.state, built.integrator, built.method, step)
}
