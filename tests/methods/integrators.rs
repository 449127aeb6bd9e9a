//! Conformance of every integrator, and what each of them is known to do exactly.

use crate::support::simulation;
use ode_solvers::{DVector, Rk4, System};
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{Vector, cos, sin};
use stiction_core::model::Model;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::Memory;
use stiction_core::state::{Configuration, Lag};

/// `"name"` as TOML writes it.
fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// A scene of a method, a step, the keys of `[world]` and the rest.
fn scene(method: &str, h: f64, world: &str, more: &str) -> Simulation {
    simulation(&format!(
        "format = 1
        world = {{ {world} }}
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator = {{ method = {method} }}
        materials.rubber = {{ static_friction = 0.5 }}
        contact.normal = {{ stiffness = 1e4, damping = 10 }}
        contact.friction = {{ law = \"threshold\", epsilon = 1e-2 }}
        {more}"
    ))
}

const WEIGHTLESS: &str = "gravity = [0, 0, 0]";

/// A planar lattice of 16 particles with damped springs.
const LATTICE: &str = "
    [[body]]
    name = \"box\"
    mass = 1.6
    shape = { lattice = { counts = [4, 1, 4], spacing = 0.1 } }
    springs = { edge = { stiffness = 40, damping = 0.05 }, face_diagonal = { stiffness = 30, damping = 0.05 } }
    velocity = [0.3, 0, 0.2]
    ";

/// Adds smooth velocities, different for every particle, and commits.
fn kick(simulation: &mut Simulation, size: f64) {
    for (i, v) in simulation.state.velocities.iter_mut().enumerate() {
        let k = i as f64;
        *v += Vector::new(sin(1.0 + 2.3 * k), 0.0, cos(0.4 + 1.7 * k)) * size;
    }
    simulation.model.commit(&mut simulation.state, &mut Memory::default());
}

fn advance(simulation: &mut Simulation, steps: u64) {
    for _ in 0..steps {
        simulation.advance().expect("a step");
    }
}

#[test]
fn a_step_is_exactly_dt_long() {
    for row in INTEGRATORS.iter() {
        for h in [0.1, 1e-3] {
            let particle = "[[body]]\nname = \"p\"\nmass = 2.0\nshape = { particle = {} }\nvelocity = [3, 0, 1]";
            let mut simulation = scene(&quoted(row.name), h, "gravity = [0, 0, -9.81]", particle);
            advance(&mut simulation, 70);
            let state = &simulation.state;
            assert_eq!(state.step_count, 70, "{}", row.name);
            assert_eq!(state.time, 70.0 * h, "{}", row.name);
            let t = state.time;
            assert!((state.positions[0].x - 3.0 * t).abs() < 1e-12 * t, "{}", row.name);
            let fall = state.velocities[0].z - (1.0 - 9.81 * t);
            assert!(fall.abs() < 1e-12 * (1.0 + 9.81 * t), "{}: {fall}", row.name);
        }
    }
}

#[test]
fn a_failed_step_leaves_the_state_alone() {
    for row in INTEGRATORS.iter() {
        let mut simulation = scene(&quoted(row.name), 1e6, WEIGHTLESS, LATTICE);
        simulation.state.velocities[5].x = f64::MAX;
        simulation.model.commit(&mut simulation.state, &mut Memory::default());
        let before = simulation.state.clone();
        let error = simulation.advance().expect_err(row.name);
        println!("{}: {error}", row.name);
        assert_eq!(error.last_good, 0.0);
        assert_eq!(simulation.state.hash(), before.hash(), "{}", row.name);
        assert_eq!((simulation.state.step_count, simulation.state.time), (0, 0.0), "{}", row.name);
        assert_eq!(simulation.state.memory, before.memory, "{}", row.name);
        assert_eq!(simulation.state.past, before.past, "{}", row.name);
    }
}

#[test]
fn a_free_body_keeps_its_momentum() {
    for row in INTEGRATORS.iter() {
        let mut simulation = scene(&quoted(row.name), 1e-3, WEIGHTLESS, LATTICE);
        kick(&mut simulation, 0.3);
        let momentum = |s: &Simulation| s.model.momentum(&s.state.velocities);
        let before = momentum(&simulation);
        advance(&mut simulation, 2000);
        let lost = (momentum(&simulation) - before).norm() / before.norm();
        println!("{}: momentum off by {lost:.2e}", row.name);
        assert!(lost < 1e-12, "{}: {lost}", row.name);
    }
}

/// The model as ode_solvers sees it.
struct FirstOrder<'a>(&'a Model);

impl System<f64, DVector<f64>> for FirstOrder<'_> {
    fn system(&self, time: f64, y: &DVector<f64>, dy: &mut DVector<f64>) {
        let n = self.0.particles();
        let vector = |k: usize| Vector::new(y[k], y[k + 1], y[k + 2]);
        let positions: Vec<Vector> = (0..n).map(|i| vector(3 * i)).collect();
        let velocities: Vec<Vector> = (0..n).map(|i| vector(3 * (n + i))).collect();
        let memory = &Memory::default();
        let at = Configuration {
            time,
            positions: &positions,
            velocities: &velocities,
            memory,
            stretch: None,
            lag: Lag::NONE,
            within_step: true,
        };
        let mut forces = vec![Vector::zeros(); n];
        self.0.forces_at(&at, &mut forces);
        for i in 0..n {
            let a = self.0.inverse_masses[i].component_mul(&forces[i]);
            for axis in 0..3 {
                dy[3 * i + axis] = velocities[i][axis];
                dy[3 * (n + i) + axis] = a[axis];
            }
        }
    }
}

#[test]
fn rk4_is_the_rk4_of_ode_solvers() {
    let floor = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }";
    let (h, steps) = (1.0 / 4096.0, 2048);
    let mut simulation =
        scene("\"rk4\"", h, "gravity = [0, 0, -9.81]", &format!("{LATTICE}{floor}"));
    kick(&mut simulation, 0.1);
    let flat = |s: &Simulation| -> Vec<f64> {
        s.state.positions.iter().chain(&s.state.velocities).flat_map(|v| [v.x, v.y, v.z]).collect()
    };
    let start = DVector::from_vec(flat(&simulation));
    let end = h * f64::from(steps);
    let mut touched = 0;
    for _ in 0..steps {
        simulation.advance().expect("a step");
        touched = touched.max(simulation.state.memory.contacts.len());
    }
    assert!(touched >= 4, "{touched} contacts");
    let mut theirs = Rk4::new(FirstOrder(&simulation.model), 0.0, start, end, h);
    theirs.integrate().expect("a run");
    let theirs = theirs.y_out().last().expect("a state");
    let ours = DVector::from_vec(flat(&simulation));
    let off = (&ours - theirs).norm() / ours.norm();
    println!("rk4 against ode_solvers: {off:.2e}");
    assert!(off < 1e-13, "{off}");
}

/// A push that ends, and one that begins, on a step boundary give exactly their impulse under
/// every method: the last stage of a step still sees the load as it was. A multistep method goes on
/// for a while as before: the backward difference is late by half a step.
#[test]
fn loads_that_switch_on_a_step_boundary_give_their_whole_impulse() {
    for entry in INTEGRATORS.iter() {
        let mut run = simulation(&format!(
            r#"
format = 1
[world]
gravity = [0, 0, 0]
[time]
end = 1.0
step = 1e-2
output = 1.0
[integrator]
method = "{}"
[materials.m]
static_friction = 0.0
[[body]]
name = "mass"
mass = 2.0
shape = {{ particle = {{}} }}
[[push]]
body = "mass"
force = [3, 0, 0]
until = 0.5
[[push]]
body = "mass"
force = [0, 3, 0]
from = 0.5
"#,
            entry.name
        ));
        while run.state.step_count < 100 {
            run.advance().unwrap();
        }
        let v = run.state.velocities[0];
        let off = Vector::new(v.x - 0.75, v.y - 0.75, 0.0);
        assert!(off.amax() < 1e-12, "{}: {v}", entry.name);
    }
}
