//! Bars that hang and vibrate along their axis.

use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::math::{PI, cos, log, log2, sqrt};

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
        name: "decay of an axial vibration",
        about: "ν .3, damping = { ratio = .02 } or { loss_factor = .1 } at the frequency of the first mode: from swing to swing it falls by exp(−2π ζ/√(1 − ζ²)), ζ the ratio or half the loss factor",
        trials: decaying,
    },
];

/// Young's modulus \[Pa\], density \[kg/m³\] and length \[m\] of the bars, their lower end at z = 0.
const YOUNG: f64 = 1e5;
const DENSITY: f64 = 1e3;
const LENGTH: f64 = 0.5;

const LAWS: [&str; 3] = ["linear", "corotational", "neo-hookean"];

/// A bar of one cell across and `cells` along z, of ν = 0, held at its upper end.
fn bar(cells: u32, law: &str, gravity: f64) -> String {
    bar_of(cells, &format!("poisson = 0\nmodel = \"{law}\""), gravity)
}

/// The same with further keys of its material; at its upper end it is free to become wider and narrower.
fn bar_of(cells: u32, keys: &str, gravity: f64) -> String {
    let spacing = LENGTH / f64::from(cells);
    format!(
        "world.gravity = [0, 0, {gravity:e}]
        [materials.rubber]
        static_friction = 0.5
        density = {DENSITY:e}
        young = {YOUNG:e}
        {keys}
        [[body]]
        name = \"bar\"
        shape.lattice = {{ counts = [2, 2, {}], spacing = {spacing:e} }}
        [[pin]]
        body = \"bar\"
        axes = \"z\"
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

/// Keys of damping at a frequency, and the ratio ζ that they mean there.
const DAMPED: [(&str, f64); 2] = [("ratio = 2e-2", 2e-2), ("loss_factor = 1e-1", 5e-2)];

fn decaying() -> Vec<CaseTrial> {
    let trial = |(damping, ratio): (&'static str, f64)| {
        CaseTrial::new(format!("{damping}, rk4"), move |setting| {
            let omega = 0.5 * PI * sqrt(YOUNG / DENSITY) / LENGTH;
            let keys = format!(
                "poisson = 0.3\ndamping = {{ {damping}, frequency = {:e} }}",
                omega / (2.0 * PI)
            );
            let steps: u32 = 2000;
            let h = 2.0 * PI / omega / f64::from(steps);
            let mut rig = setting.stand_under("\"rk4\"", h, &bar_of(CELLS[0], &keys, 0.0))?;
            let shape: Vec<f64> =
                rig.model.reference.iter().map(|x| cos(0.5 * PI * x.z / LENGTH)).collect();
            for (x, shape) in rig.state.positions.iter_mut().zip(&shape) {
                x.z += 1e-7 * shape;
            }
            rig.recommit();
            let first = swing(&rig, &shape);
            let mut last = [first; 3];
            // past the end of the first swing, where its parabola has its top
            while rig.state.step_count < 2 * u64::from(steps) {
                rig.advance()?;
                last = [last[1], last[2], swing(&rig, &shape)];
                let [a, b, c] = last;
                if rig.state.step_count > 3 * u64::from(steps) / 4 && b > a && b > c {
                    let top = b + (c - a) * (c - a) / (8.0 * (2.0 * b - a - c));
                    let measured = log(first / top) / (2.0 * PI);
                    let measured = measured / sqrt(1.0 + measured * measured);
                    return Ok(vec![CaseFigure::relative("ζ", "", ratio, measured, 1e-2)]);
                }
            }
            Err(Trouble::Failed("the vibration does not swing back".into()))
        })
    };
    DAMPED.map(trial).into()
}

/// Displacement of the first mode, by its shape.
fn swing(rig: &Rig, shape: &[f64]) -> f64 {
    let model = &rig.model;
    let one =
        |i: usize| model.masses[i] * shape[i] * (rig.state.positions[i].z - model.reference[i].z);
    (0..shape.len()).map(one).sum()
}
