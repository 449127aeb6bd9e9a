//! Methods as scenes name them, and scenes for them.

use stiction_core::integrators::{Capabilities, INTEGRATORS};
use stiction_core::simulation::Simulation;

/// All rows, and rk45 at a fixed step, as TOML texts: a name in quotes, with keys after it.
pub fn methods() -> Vec<String> {
    let rows = INTEGRATORS.iter().map(|row| format!("\"{}\"", row.name));
    rows.chain([RK45_FIXED.to_string()]).collect()
}

pub const RK45_FIXED: &str = "\"rk45\", adaptive = false";

/// Capabilities of a method.
pub fn capabilities(method: &str) -> Capabilities {
    let particle = "[[body]]\nname = \"p\"\nmass = 1\nshape = { particle = {} }\n";
    weightless(method, 1.0, particle).integrator().capabilities()
}

/// A scene of a method, a step and bodies, under a law and without gravity.
pub fn weightless(method: &str, h: f64, bodies: &str) -> Simulation {
    scene(method, h, "gravity = [0, 0, 0]", "normal = { stiffness = 1e4, damping = 10 }", bodies)
}

/// A scene of a method, a step, a world, laws of contact and bodies.
pub fn scene(method: &str, h: f64, world: &str, contact: &str, bodies: &str) -> Simulation {
    super::simulation(&format!(
        "format = 1
        world = {{ {world} }}
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator = {{ method = {method} }}
        {}
        [contact]
        {contact}
        {bodies}",
        if bodies.contains("materials.") {
            ""
        } else {
            "materials.wood = { static_friction = 0.5 }"
        }
    ))
}

pub fn advance(simulation: &mut Simulation, steps: u64) {
    for _ in 0..steps {
        simulation.advance().expect("a step");
    }
}
