//! A soft box on a slope.

use super::{Case, CaseFigure, CaseTrial, RigSetting, Trouble};
use stiction_core::math::{PI, atanh, cos, sin, tan};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "solids",
    name: "creep of a soft box",
    about: "E 1e5 Pa, ν .3, .2 m, 1 kg on 15°, μ .5, ε 1e-2: as a whole it creeps as its law does, with r = tan(15°)/μ: threshold at ε r, tanh at ε atanh r, cundall-strack not",
    trials: creeping,
}];

/// Young's modulus \[Pa\].
const YOUNG: f64 = 1e5;

/// Creep in units of ε at a share r of what friction can bear.
type Creep = fn(f64) -> f64;

/// Friction: its law and its creep.
const FRICTION: [(&str, Creep); 3] = [
    ("law = \"threshold\", epsilon = 1e-2", |r| r),
    ("law = \"tanh\", epsilon = 1e-2", atanh),
    ("law = \"cundall-strack\", stiffness = 2e4, damping = 20", |_| 0.0),
];

/// Methods and their steps \[s\].
const METHODS: [(&str, f64); 7] = [
    ("\"symplectic-euler\"", 5e-5),
    ("\"rk4\"", 5e-5),
    ("\"dopri5\", rtol = 1e-6, atol = 1e-9", 1e-3),
    ("\"implicit-euler\"", 1e-3),
    ("\"bdf2\"", 1e-3),
    ("\"tr-bdf2\"", 1e-3),
    ("\"sdirk2\"", 1e-3),
];

fn creeping() -> Vec<CaseTrial> {
    let method = |(method, h): (&'static str, f64)| {
        FRICTION.map(|(friction, creep)| {
            let law = friction.split('"').nth(1).unwrap_or(friction);
            let name = method.split('"').nth(1).unwrap_or(method);
            CaseTrial::new(format!("{law}, {name}"), move |setting| {
                creep_of_a_box(setting, (method, h), friction, creep)
            })
        })
    };
    METHODS.into_iter().flat_map(method).collect()
}

fn creep_of_a_box(
    setting: &RigSetting,
    (method, h): (&str, f64),
    friction: &str,
    creep: Creep,
) -> Result<Vec<CaseFigure>, Trouble> {
    let (angle, mu, epsilon) = (PI / 12.0, 0.5, 1e-2);
    let text = format!(
        "world.gravity = [{:e}, 0, {:e}]
        [materials.rubber]
        static_friction = {mu}
        young = {YOUNG:e}
        poisson = 0.3
        damping.time = 2e-3
        [contact]
        normal = {{ stiffness = 2e4, damping = 20 }}
        friction = {{ {friction} }}
        [[collider]]
        name = \"floor\"
        shape.plane = {{ normal = [0, 0, 1] }}
        [[body]]
        name = \"box\"
        mass = 1
        shape.lattice = {{ counts = [3, 3, 3], spacing = 0.1 }}",
        9.81 * sin(angle),
        -9.81 * cos(angle)
    );
    let mut rig = setting.stand_under(method, h, &text)?;
    rig.until(3.0)?;
    let model = &rig.model;
    let speed = model.momentum(&rig.state.velocities).x / model.masses.iter().sum::<f64>();
    let exact = epsilon * creep(tan(angle) / mu);
    Ok(vec![match exact == 0.0 {
        true => CaseFigure::absolute("creep", "m/s", exact, speed, 1e-9),
        false => CaseFigure::relative("creep", "m/s", exact, speed, 1e-2),
    }])
}
