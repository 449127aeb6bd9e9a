//! The measured order of every method on smooth problems.

use super::rig::label;
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::integrators::{INTEGRATORS, Integrator, velocity_verlet};
use stiction_core::math::{Vector, cos, log, sin, sqrt};
use stiction_core::registry::Entry;

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "units",
        name: "order on damped springs",
        about: "16 particles on damped springs, weightless and kicked, half a second: log₂ of the error at h over that at h/2, against rk45 at 8192 steps a second",
        trials: || trials(springs, methods()),
    },
    Case {
        group: "units",
        name: "order with friction",
        about: "6 particles on damped springs that slide on a floor, always in contact, under the law tanh",
        trials: || trials(linear_contact, methods()),
    },
    Case {
        group: "units",
        name: "order with friction on Hunt–Crossley contact",
        about: "the same on k d^1.5 (1 + a ḋ)",
        trials: || trials(hunt_crossley_contact, methods()),
    },
    Case {
        group: "units",
        name: "order on undamped springs",
        about: "what velocity Verlet is made for: forces that do not know the velocity",
        trials: || trials(undamped, verlet()),
    },
];

/// All methods as TOML texts with their orders, and rk45 at a fixed step; adaptive methods take
/// their longest step, the commit interval.
fn methods() -> Vec<(String, f64)> {
    let row = |row: &'static Entry<dyn Integrator>| {
        let able = row.from_defaults().ok()?.capabilities();
        let tolerances = if able.adaptive { ", rtol = 0.1, atol = 1.0" } else { "" };
        Some((format!("\"{}\"{tolerances}", row.name), f64::from(able.order)))
    };
    let fixed = ("\"rk45\", adaptive = false".to_string(), 5.0);
    INTEGRATORS.iter().filter_map(row).chain([fixed]).collect()
}

/// The two Verlet methods, of order two if the force does not depend on velocity.
fn verlet() -> Vec<(String, f64)> {
    [velocity_verlet::REUSED, velocity_verlet::REEVALUATED]
        .map(|row| (format!("\"{}\"", row.name), 2.0))
        .into()
}

/// A planar lattice of 16 particles on damped springs.
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

type OrderProblem = for<'a> fn(&RigSetting<'a>, &str, f64) -> Result<Rig<'a>, Trouble>;

fn springs<'a>(setting: &RigSetting<'a>, method: &str, h: f64) -> Result<Rig<'a>, Trouble> {
    kicked(setting.stand_under(method, h, &lattice(0.05))?, 0.1)
}

fn undamped<'a>(setting: &RigSetting<'a>, method: &str, h: f64) -> Result<Rig<'a>, Trouble> {
    kicked(setting.stand_under(method, h, &lattice(0.0))?, 0.1)
}

fn linear_contact<'a>(setting: &RigSetting<'a>, method: &str, h: f64) -> Result<Rig<'a>, Trouble> {
    sliding(setting, method, h, "stiffness = 20, damping = 0.5")
}

fn hunt_crossley_contact<'a>(
    setting: &RigSetting<'a>,
    method: &str,
    h: f64,
) -> Result<Rig<'a>, Trouble> {
    let normal = "law = \"hunt-crossley\", stiffness = 110, exponent = 1.5, dissipation = 0.5";
    sliding(setting, method, h, normal)
}

fn sliding<'a>(
    setting: &RigSetting<'a>,
    method: &str,
    h: f64,
    normal: &str,
) -> Result<Rig<'a>, Trouble> {
    let rest = format!(
        "world = {{ gravity = [0, 0, -3], planar = \"xz\" }}
        materials.rubber.static_friction = 0.5
        [contact]
        normal = {{ {normal} }}
        friction = {{ law = \"tanh\", epsilon = 0.2 }}
        [[body]]
        name = \"box\"
        mass = 0.6
        shape.lattice = {{ counts = [3, 1, 2], spacing = 0.1 }}
        springs = {{ edge = {{ stiffness = 60, damping = 0.1 }}, face_diagonal = {{ stiffness = 50, damping = 0.1 }} }}
        position = [0, 0, -0.035]
        velocity = [0.2, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    );
    kicked(setting.stand_under(method, h, &rest)?, 0.01)
}

/// Adds smooth velocities, different for every particle.
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
    problem: OrderProblem,
    setting: &RigSetting,
    method: &str,
    steps: u64,
) -> Result<Vec<Vector>, Trouble> {
    let mut rig = problem(setting, method, TIME / steps as f64)?;
    let contacts = rig.state.memory.contacts.len();
    for _ in 0..steps {
        rig.advance()?;
        if rig.state.memory.contacts.len() != contacts {
            return Err(Trouble::Failed(
                "contacts open or close: the problem is not smooth".into(),
            ));
        }
    }
    let state = &rig.state;
    Ok(state.positions.iter().chain(&state.velocities).copied().collect())
}

/// Number of steps in half a second at which the error of a method of this order is asymptotic and
/// above rounding.
fn fair_steps(order: f64) -> u64 {
    match order {
        1.0 => 2048,
        2.0 => 512,
        3.0 => 256,
        4.0 | 5.0 => 128,
        _ => 32,
    }
}

fn trials(problem: OrderProblem, methods: Vec<(String, f64)>) -> Vec<CaseTrial> {
    let trial = |(text, nominal): (String, f64)| {
        let name = text.split(", rtol").next().unwrap_or(&text);
        CaseTrial::new(label(name), move |setting| {
            let exact = end(problem, setting, "\"rk45\", adaptive = false", 4096)?;
            let error = |steps: u64| {
                let found = end(problem, setting, &text, steps)?;
                let squares = found.iter().zip(&exact).map(|(a, b)| (a - b).norm_squared());
                Ok(sqrt(squares.sum()))
            };
            let steps = fair_steps(nominal);
            let order = log(error(steps)? / error(2 * steps)?) / log(2.0);
            Ok(vec![CaseFigure::relative("order", "", nominal, order, 0.1)])
        })
    };
    methods.into_iter().map(trial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_declare_the_published_orders() {
        let published = [
            ("explicit-euler", 1),
            ("symplectic-euler", 1),
            ("implicit-euler", 1),
            ("heun", 2),
            ("midpoint", 2),
            ("bdf2", 2),
            ("trapezoid", 2),
            ("rk4", 4),
            ("dopri5", 5),
        ];
        let methods = methods();
        for (name, order) in published {
            let own = methods.iter().find(|(text, _)| text.starts_with(&format!("\"{name}\"")));
            assert_eq!(own.map(|(_, order)| *order), Some(f64::from(order)), "{name}");
        }
    }
}
