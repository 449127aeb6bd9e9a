//! contact.method = "exact": Coulomb's law as a set, against theory and against the laws it is the
//! limit of.

mod failing;
mod grips;
mod many;
mod stacks;
mod theory;

use crate::support::simulation;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use stiction_core::math::{Vector, cos, radians, sin};
use stiction_core::simulation::{Simulation, SimulationError};
use stiction_core::step_error::ContactsUnsolved;
use stiction_core::step_error::StepError;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load};

const SYMPLECTIC: &str = "symplectic-euler";

/// A scene under exact contact: integrator, step, μ_s and μ_k, contact keys, and the rest.
fn exact(integrator: &str, h: f64, mu: [f64; 2], rest: &str) -> Simulation {
    contact("method = \"exact\"", integrator, h, mu, rest)
}

fn contact(keys: &str, integrator: &str, h: f64, [s, k]: [f64; 2], rest: &str) -> Simulation {
    let world = if rest.contains("world") { "" } else { "world.gravity = [0, 0, -9.81]" };
    simulation(&format!(
        "format = 1
        {world}
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator.method = \"{integrator}\"
        materials.wood = {{ static_friction = {s:e}, kinetic_friction = {k:e} }}
        contact = {{ {keys} }}
        {rest}"
    ))
}

fn until(simulation: &mut Simulation, time: f64) {
    let last = (time / simulation.time_step()).round() as u64;
    while simulation.state.step_count < last {
        simulation.advance().unwrap_or_else(|e| panic!("{}", e.describe(&simulation.model)));
    }
}

/// Mean position of the particles [m].
fn center(simulation: &Simulation) -> Vector {
    let x = &simulation.state.positions;
    x.iter().sum::<Vector>() / x.len() as f64
}

fn trusted(simulation: &Simulation) {
    let verdict = simulation.verdict();
    let reasons = verdict.reasons.iter().map(|r| r.describe(&simulation.model));
    assert!(verdict.faultless(), "{}", reasons.collect::<Vec<_>>().join("\n"));
}

const FLOOR: &str = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n";
const SOFT: &str = "springs = { edge = { stiffness = 2e3, damping = 1 }, face_diagonal = { stiffness = 2e3, damping = 1 }, body_diagonal = { stiffness = 2e3, damping = 1 } }";
const RIGID: &str = "rigid = true";

fn particle(position: &str, velocity: &str) -> String {
    format!(
        "[[body]]\nname = \"block\"\nmass = 1.0\nshape = {{ particle = {{}} }}\nposition = {position}\nvelocity = {velocity}\n"
    )
}

/// A box of 1 kg, 0.4 × 0.4 × 0.2 m.
fn lattice(kind: &str, position: &str, velocity: &str) -> String {
    format!(
        "[[body]]\nname = \"box\"\nmass = 1.0\nshape = {{ lattice = {{ counts = [5, 5, 3], spacing = 0.1 }} }}\n{kind}\nposition = {position}\nvelocity = {velocity}\n"
    )
}
