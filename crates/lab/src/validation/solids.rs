//! Elastic solids of tetrahedra: bars, and a soft box on a slope.

use super::{Case, CaseFigure, CaseTrial, RigSetting, Trouble};
use stiction_core::math::{PI, atanh, cos, log2, sin, sqrt, tan};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "solids",
        name: "hanging bar",
        about: "E 1e5 Pa, ν 0, ρ 1000 kg/m³, length .5 m: the free end sinks by ρ g L²/(2 E), with an error of order 2 in the spacing",
        trials: hanging,
    },
    Case {
        group: "solids",
        name: "axial vibration",
        about: "the same bar, clamped at one end: ω = π c/(2 L), c = √(E/ρ), by 40 cells",
        trials: vibrating,
    },
    Case {
        group: "solids",
        name: "creep of a soft box",
        about: "E 1e5 Pa, ν .3, .2 m, 1 kg on 15°, μ .5, ε 1e-2: as a whole it creeps as its law does, with r = tan(15°)/μ: threshold at ε r, tanh at ε atanh r, cundall-strack not",
        trials: creeping,
    },
];

/// Young's modulus \[Pa\], density \[kg/m³\] and length \[m\] of the bars, their lower end at z = 0.
const YOUNG: f64 = 1e5;
const DENSITY: f64 = 1e3;
const LENGTH: f64 = 0.5;

const LAWS: [&str; 3] = ["linear", "corotational", "neo-hookean"];

/// A bar of one cell across and `cells` along z, held at its upper end.
fn bar(cells: u32, law: &str, gravity: f64) -> String {
    let spacing = LENGTH / f64::from(cells);
    format!(
        "world.gravity = [0, 0, {gravity:e}]
        [materials.rubber]
        static_friction = 0.5
        density = {DENSITY:e}
        young = {YOUNG:e}
        poisson = 0
        model = \"{law}\"
        [[body]]
        name = \"bar\"
        shape.lattice = {{ counts = [2, 2, {}], spacing = {spacing:e} }}
        [[pin]]
        body = \"bar\"
        where.box = {{ min = [-1, -1, {:e}], max = [1, 1, 1] }}",
        cells + 1,
        LENGTH - 0.5 * spacing
    )
}

/// Cells of the coarser and of the finer bar.
const CELLS: [u32; 2] = [20, 40];

fn hanging() -> Vec<CaseTrial> {
    let trial = |law: &'static str| {
        CaseTrial::new(format!("{law}, implicit-euler"), move |setting| {
            // weak enough for strains of Hooke's law
            let gravity = -9.81e-4;
            let mut sunk = [0.0; 2];
            for (sunk, cells) in sunk.iter_mut().zip(CELLS) {
                let text = bar(cells, law, gravity);
                let mut rig = setting.stand_under("\"implicit-euler\"", 0.2, &text)?;
                rig.steps(400)?;
                *sunk = rig.model.reference[0].z - rig.state.positions[0].z;
            }
            let exact = DENSITY * -gravity * LENGTH * LENGTH / (2.0 * YOUNG);
            let [coarse, fine] = sunk.map(|sunk| (sunk - exact).abs());
            Ok(vec![
                CaseFigure::relative("end below", "m", exact, sunk[1], 1e-3),
                CaseFigure::absolute("order", "", 2.0, log2(coarse / fine), 0.1),
            ])
        })
    };
    LAWS.into_iter().map(trial).collect()
}

fn vibrating() -> Vec<CaseTrial> {
    let trial = |law: &'static str| {
        CaseTrial::new(format!("{law}, rk4"), move |setting| {
            let exact = 0.5 * PI * sqrt(YOUNG / DENSITY) / LENGTH;
            let h = 2.0 * PI / exact / 2000.0;
            let found = frequency(setting, &bar(CELLS[1], law, 0.0), h)?;
            Ok(vec![CaseFigure::relative("ω", "rad/s", exact, found, 1e-3)])
        })
    };
    LAWS.into_iter().map(trial).collect()
}

/// ω \[rad/s\] of the first axial mode of a bar, timed where its free end passes its place of rest for the first and the
/// third time.
fn frequency(setting: &RigSetting, bar: &str, h: f64) -> Result<f64, Trouble> {
    let mut rig = setting.stand_under("\"rk4\"", h, bar)?;
    for x in &mut rig.state.positions {
        x.z += 1e-7 * cos(0.5 * PI * x.z / LENGTH);
    }
    rig.recommit();
    let (start, mut passes) = (rig.model.reference[0].z, Vec::new());
    while passes.len() < 3 && rig.state.step_count < 4000 {
        let before = rig.state.positions[0].z - start;
        rig.advance()?;
        let after = rig.state.positions[0].z - start;
        if before * after <= 0.0 {
            passes.push(rig.state.time - h * after / (after - before));
        }
    }
    Ok(passes.get(2).map_or(f64::NAN, |last| 2.0 * PI / (last - passes[0])))
}

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
