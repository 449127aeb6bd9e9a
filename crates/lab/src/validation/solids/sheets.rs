//! Sheets and ropes that bend under their weight.

use super::block::{at_rest, elastic};
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::{Vector, log2};
use stiction_core::world::{Body, Pin, Selection, World, named};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "solids",
        name: "strip",
        about: "a sheet of ν 0, E 1e6 Pa, 1 m long and 2 mm thick, clamped in the middle of its first cell: its end sinks by w L⁴/(8D), w = ρ g h, with an error of order 2 in the spacing",
        trials: strips,
    },
    Case {
        group: "solids",
        name: "square plate",
        about: "a sheet of ν .3, simply supported at its rim: its middle sinks by .00406235 w a⁴/D [timoshenko1959]",
        trials: plates,
    },
    Case {
        group: "solids",
        name: "rope that bends",
        about: "a rope 10 mm thick and .5 m long, clamped in the middle of its first segment: its end sinks by w L⁴/(8EI), w = ρ g A, with an error of order 2 in the spacing; hung up by it, it grows by ρ g L²/(2E)",
        trials: ropes,
    },
];

/// E \[Pa\] and ρ \[kg/m³\].
const YOUNG: f64 = 1e6;
const DENSITY: f64 = 1e3;

/// Weak enough for small deflections \[m/s²\].
const GRAVITY: f64 = 1e-6;

/// Steps \[s\] of backward Euler beside which all vibrations are short.
const STEP: f64 = 1e3;

fn world(poisson: f64, gravity: Vector) -> World {
    let mut world = at_rest(STEP, 1e-14, "sparse-cholesky");
    world.gravity(gravity);
    world.material(elastic(YOUNG, poisson, DENSITY, SolidLaw::default()));
    world
}

/// By how much a particle sinks at rest \[m\].
fn sunk(setting: &RigSetting, world: &World, particle: usize) -> Result<f64, Trouble> {
    let mut rig: Rig = setting.of(world)?;
    rig.steps(3)?;
    let moved = rig.state.positions[particle] - rig.model.reference[particle];
    Ok(moved.dot(&rig.model.gravity.normalize()))
}

/// The smaller one of two errors, and the order by which it is smaller at half the spacing.
fn figures(exact: f64, found: [f64; 2]) -> Vec<CaseFigure> {
    let [coarse, fine] = found.map(|found| (found - exact).abs());
    vec![
        CaseFigure::relative("sinks by", "m", exact, found[1], 2e-3),
        CaseFigure::absolute("order", "", 2.0, log2(coarse / fine), 0.1),
    ]
}

/// D of a plate of this thickness \[m\] \[J\].
fn plate(thickness: f64, poisson: f64) -> f64 {
    YOUNG * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson))
}

fn strips() -> Vec<CaseTrial> {
    vec![CaseTrial::new("implicit-euler", |setting| {
        let thickness = 2e-3;
        let mut found = [0.0; 2];
        for (found, cells) in found.iter_mut().zip([20_i64, 40]) {
            // one cell more, which is held: its middle is clamped
            let a = 1.0 / (cells as f64 + 0.5);
            let along = cells + 2;
            let cloth = named("cloth").with("counts", vec![along, 4]).with("spacing", a);
            let mut world = world(0.0, -Vector::z() * GRAVITY);
            let strip = world.body(Body::new("strip", cloth).thickness(thickness));
            let held = (0..4).flat_map(|row| [row * along, row * along + 1]);
            let held = Selection::Particles(held.map(|i| i as usize).collect());
            world.pin(Pin::new(strip, held));
            *found = sunk(setting, &world, along as usize - 1)?;
        }
        let load = DENSITY * GRAVITY * thickness;
        Ok(figures(load / (8.0 * plate(thickness, 0.0)), found))
    })]
}

fn plates() -> Vec<CaseTrial> {
    vec![CaseTrial::new("implicit-euler", |setting| {
        let (thickness, poisson) = (2e-3, 0.3);
        let mut found = [0.0; 2];
        for (found, cells) in found.iter_mut().zip([16_i64, 32]) {
            let n = cells + 1;
            let cloth =
                named("cloth").with("counts", vec![n, n]).with("spacing", 1.0 / cells as f64);
            let mut world = world(poisson, -Vector::z() * GRAVITY);
            let plate = world.body(Body::new("plate", cloth).thickness(thickness));
            let at_rim = |i: &i64| [i % n, i / n].iter().any(|k| *k == 0 || *k == cells);
            let rim = (0..n * n).filter(at_rim).map(|i| i as usize).collect();
            world.pin(Pin::new(plate, Selection::Particles(rim)).axes([false, false, true]));
            world.pin(Pin::new(plate, Selection::All).axes([true, true, false]));
            *found = sunk(setting, &world, (n * n / 2) as usize)?;
        }
        let load = DENSITY * GRAVITY * thickness;
        Ok(figures(0.00406235 * load / plate(thickness, poisson), found))
    })]
}

fn ropes() -> Vec<CaseTrial> {
    let (length, diameter) = (0.5, 1e-2);
    let hung = move |setting: &RigSetting, cells: i64, a: f64, gravity: Vector| {
        let rope = named("rope")
            .with("from", [-a, 0.0, 0.0])
            .with("to", [a * cells as f64, 0.0, 0.0])
            .with("segments", cells + 1);
        let mut world = world(0.3, gravity);
        let rope = world.body(Body::new("rope", rope).thickness(diameter));
        world.pin(Pin::new(rope, Selection::Particles(vec![0, 1])));
        sunk(setting, &world, cells as usize + 1)
    };
    let bent = CaseTrial::new("clamped, implicit-euler", move |setting| {
        let found = |cells: i64| {
            let a = length / (cells as f64 + 0.5);
            hung(setting, cells, a, -Vector::z() * GRAVITY)
        };
        // w L⁴/(8EI), w/I = 16 ρ g/d²
        let exact = DENSITY * GRAVITY * 16.0 / (diameter * diameter) / (8.0 * YOUNG)
            * (length * length * length * length);
        Ok(figures(exact, [found(20)?, found(40)?]))
    });
    let drawn = CaseTrial::new("hung up, implicit-euler", move |setting| {
        let gravity = 1e4 * GRAVITY;
        let found = hung(setting, 20, length / 20.0, Vector::x() * gravity)?;
        let exact = DENSITY * gravity * length * length / (2.0 * YOUNG);
        Ok(vec![CaseFigure::relative("grows by", "m", exact, found, 1e-6)])
    });
    vec![bent, drawn]
}
