//! The measured order of every method on smooth problems.

use super::rig::label;
use super::{Case, Figure, Rig, Setting, Trial, Trouble};
use crate::integrators::INTEGRATORS;
use crate::math::{Vector, cos, log, sin, sqrt};
use crate::registry::{Values, find};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "units",
        name: "order on damped springs",
        about: "16 particles on damped springs, weightless and kicked, half a second: log₂ of the error at h over that at h/2, against rk45 at 8192 steps a second",
        trials: || trials(springs, METHODS),
    },
    Case {
        group: "units",
        name: "order with friction",
        about: "6 particles on damped springs that slide on a floor, always in contact, under the law tanh",
        trials: || trials(friction, METHODS),
    },
    Case {
        group: "units",
        name: "order on undamped springs",
        about: "what velocity Verlet is made for: forces that do not know the velocity",
        trials: || trials(undamped, VERLET),
    },
];

/// Methods and their orders.
const METHODS: &[(&str, f64)] = &[
    ("explicit-euler", 1.0),
    ("symplectic-euler", 1.0),
    ("implicit-euler", 1.0),
    ("semi-implicit", 1.0),
    ("imex", 1.0),
    ("midpoint", 2.0),
    ("heun", 2.0),
    ("adams-bashforth-2", 2.0),
    ("trapezoid", 2.0),
    ("implicit-midpoint", 2.0),
    ("bdf2", 2.0),
    ("sdirk2", 2.0),
    ("tr-bdf2", 2.0),
    ("rk3", 3.0),
    ("rk4", 4.0),
    ("dopri5", 5.0),
    ("rk45", 5.0),
];

const VERLET: &[(&str, f64)] = &[("velocity-verlet", 2.0), ("velocity-verlet-reevaluated", 2.0)];

/// A planar lattice of 16 particles whose springs have a damping.
fn lattice(damping: f64) -> String {
    format!(
        "world.gravity = [0, 0, 0]
        materials.rubber.static_friction = 0.5
        [[body]]
        name = \"box\"
        mass = 1.6
        shape.lattice = {{ counts = [4, 1, 4], spacing = 0.1 }}
        springs = {{ edge = {{ stiffness = 40, damping = {damping} }}, face_diagonal = {{ stiffness = 30, damping = {damping} }} }}
        velocity = [0.3, 0, 0.2]
        "
    )
}

type Problem = for<'a> fn(&Setting<'a>, &str, f64) -> Result<Rig<'a>, Trouble>;

fn springs<'a>(setting: &Setting<'a>, method: &str, h: f64) -> Result<Rig<'a>, Trouble> {
    kicked(setting.stand_under(method, h, &lattice(0.05))?, 0.1)
}

fn undamped<'a>(setting: &Setting<'a>, method: &str, h: f64) -> Result<Rig<'a>, Trouble> {
    kicked(setting.stand_under(method, h, &lattice(0.0))?, 0.1)
}

fn friction<'a>(setting: &Setting<'a>, method: &str, h: f64) -> Result<Rig<'a>, Trouble> {
    let rest = "
        world = { gravity = [0, 0, -3], planar = \"xz\" }
        materials.rubber.static_friction = 0.5
        [contact]
        normal = { stiffness = 20, damping = 0.5 }
        friction = { law = \"tanh\", epsilon = 0.2 }
        [[body]]
        name = \"box\"
        mass = 0.6
        shape.lattice = { counts = [3, 1, 2], spacing = 0.1 }
        springs = { edge = { stiffness = 60, damping = 0.1 }, face_diagonal = { stiffness = 50, damping = 0.1 } }
        position = [0, 0, -0.035]
        velocity = [0.2, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        ";
    kicked(setting.stand_under(method, h, rest)?, 0.01)
}

/// Smooth velocities added, different for every particle.
fn kicked(mut rig: Rig, size: f64) -> Result<Rig, Trouble> {
    for (i, v) in rig.state.velocities.iter_mut().enumerate() {
        let k = i as f64;
        *v += Vector::new(sin(1.0 + 2.3 * k), 0.0, cos(0.4 + 1.7 * k)) * size;
    }
    rig.recommit();
    Ok(rig)
}

const TIME: f64 = 0.5;

/// Positions and velocities after half a second.
fn end(
    problem: Problem,
    setting: &Setting,
    method: &str,
    steps: u64,
) -> Result<Vec<Vector>, Trouble> {
    let mut rig = problem(setting, method, TIME / steps as f64)?;
    rig.steps(steps)?;
    let state = &rig.state;
    Ok(state.positions.iter().chain(&state.velocities).copied().collect())
}

/// The method as a text, let to take its longest step, the commit interval, where it is adaptive.
fn longest_steps(name: &str) -> String {
    let row = find(INTEGRATORS, name).expect("the row");
    let made = (row.make)(&Values::defaults(row.keys));
    let adaptive = made.is_ok_and(|method| method.capabilities().adaptive);
    let tolerances = if adaptive { ", rtol = 0.1, atol = 1.0" } else { "" };
    format!("\"{name}\"{tolerances}")
}

/// Steps of half a second in which the error of a method of this order is neither rough nor lost in
/// rounding.
fn fair_steps(order: f64) -> u64 {
    match order {
        1.0 => 2048,
        2.0 => 512,
        3.0 => 256,
        _ => 128,
    }
}

fn trials(problem: Problem, methods: &'static [(&'static str, f64)]) -> Vec<Trial> {
    let trial = |&(name, nominal): &(&'static str, f64)| {
        Trial::new(label(name), move |setting| {
            let exact = end(problem, setting, "\"rk45\", adaptive = false", 4096)?;
            let text = longest_steps(name);
            let error = |steps: u64| {
                let found = end(problem, setting, &text, steps)?;
                let squares = found.iter().zip(&exact).map(|(a, b)| (a - b).norm_squared());
                Ok(sqrt(squares.sum()))
            };
            let steps = fair_steps(nominal);
            let order = log(error(steps)? / error(2 * steps)?) / log(2.0);
            Ok(vec![Figure::relative("order", "", nominal, order, 0.1)])
        })
    };
    methods.iter().map(trial).collect()
}
