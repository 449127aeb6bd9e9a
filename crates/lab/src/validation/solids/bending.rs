//! A cantilever of a narrow section: its tip under its own weight, and its first vibration.

use super::block::{Block, at_rest, elastic};
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::{PI, Vector, cos, exp, log2, sin, sqrt};
use stiction_core::world::{Body, Pin, World};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "solids",
        name: "cantilever",
        about: "height H, length 8 H, under w per length: the tip sinks by w L⁴/(8EI) + w L²/(2κGA), κ = 10 (1 + ν)/(12 + 11ν) [cowper1966], with an error of order 2 in the spacing; at ν > 0 a clamped end, which holds its section, costs a little of both",
        trials: sagging,
    },
    Case {
        group: "solids",
        name: "vibration of a cantilever",
        about: "the same, ω L² √(ρA/EI) = 3.48051 at ν 0 and 3.47375 at ν .3 by Timoshenko's beam [timoshenko1921], and of a bar without shear 3.51602",
        trials: vibrating,
    },
];

/// E \[Pa\], ρ \[kg/m³\], height and length \[m\].
const YOUNG: f64 = 1e5;
const DENSITY: f64 = 1e3;
const HEIGHT: f64 = 1.0;
const LENGTH: f64 = 8.0;

/// Poisson's ratio, the law, and Timoshenko's ω L² √(ρA/EI), solved by a shooting method.
const BEAMS: [(f64, SolidLaw, f64); 2] =
    [(0.0, SolidLaw::Linear, 3.480512), (0.3, SolidLaw::NeoHookean, 3.473746)];

/// The upper half of a beam along x, of `cells` over its height and one across: under small loads its middle plane only
/// moves up and down.
fn beam(world: &mut World, cells: u64, poisson: f64, law: SolidLaw) {
    let a = HEIGHT / cells as f64;
    let along = (LENGTH / a) as u64;
    let block = Block::new([along + 1, 2, cells / 2 + 1], |place| {
        Vector::from(place.map(|i| i as f64 * a))
    });
    world.material(elastic(YOUNG, poisson, DENSITY, law));
    let clamped = block.points(|x| x.x < 0.5 * a);
    let middle = block.points(|x| x.z < 0.5 * a && x.x > 0.5 * a);
    let bar = world.body(Body::new("beam", block));
    world.pin(Pin::new(bar, clamped));
    world.pin(Pin::new(bar, middle).axes([true, false, false]));
}

/// Weights of the particles, by mass and by place along x.
fn weights(rig: &Rig, of: impl Fn(f64) -> f64) -> Vec<f64> {
    rig.model.reference.iter().zip(&rig.model.masses).map(|(x, m)| m * of(x.x)).collect()
}

/// Mean of the displacement along z \[m\].
fn raised(rig: &Rig, weights: &[f64]) -> f64 {
    let places = rig.state.positions.iter().zip(&rig.model.reference);
    let sum: f64 = places.zip(weights).map(|((x, from), weight)| weight * (x.z - from.z)).sum();
    sum / weights.iter().sum::<f64>()
}

fn sagging() -> Vec<CaseTrial> {
    let trial = |(poisson, law, _): (f64, SolidLaw, f64)| {
        CaseTrial::new(format!("ν {poisson}, implicit-euler"), move |setting| {
            let gravity = 1e-6;
            let mut sunk = [0.0; 3];
            for (sunk, cells) in sunk.iter_mut().zip([8, 16, 32]) {
                let mut world = at_rest(2e3, 1e-14, "sparse-cholesky");
                world.gravity(Vector::new(0.0, 0.0, -gravity));
                beam(&mut world, cells, poisson, law);
                let mut rig = setting.of(&world)?;
                rig.steps(2)?;
                let end = weights(&rig, |x| f64::from(u8::from(x > LENGTH - 1e-9)));
                *sunk = -raised(&rig, &end);
            }
            let [coarse, middle, fine] = sunk;
            let load = DENSITY * gravity * HEIGHT * LENGTH * LENGTH;
            let bending = 1.5 * load * LENGTH * LENGTH / (YOUNG * HEIGHT * HEIGHT * HEIGHT);
            let shape = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
            let exact = bending + load * (1.0 + poisson) / (shape * YOUNG * HEIGHT);
            let order = log2((middle - coarse) / (fine - middle));
            let extrapolated = fine + (fine - middle) / 3.0;
            Ok(vec![
                CaseFigure::relative("tip, 32 cells over the height", "m", exact, fine, 1e-2),
                CaseFigure::relative("tip, extrapolated", "m", exact, extrapolated, 5e-3),
                CaseFigure::absolute("order", "", 2.0, order, 0.25),
            ])
        })
    };
    BEAMS.map(trial).into()
}

/// The first mode of a beam without shear at ξ = x/L: cosh kξ − cos kξ − σ (sinh kξ − sin kξ).
fn mode(xi: f64) -> f64 {
    let (k, sigma) = (1.875104068711961, 0.734095513758932);
    let (grows, fades) = (exp(k * xi), exp(-k * xi));
    0.5 * (grows + fades) - cos(k * xi) - sigma * (0.5 * (grows - fades) - sin(k * xi))
}

fn vibrating() -> Vec<CaseTrial> {
    let trial = |(poisson, law, exact): (f64, SolidLaw, f64)| {
        CaseTrial::new(format!("ν {poisson}, symplectic-euler"), move |setting| {
            let mut found = [0.0; 2];
            for (found, cells) in found.iter_mut().zip([8, 16]) {
                *found = frequency(setting, cells, poisson, law)?;
            }
            let extrapolated = found[1] + (found[1] - found[0]) / 3.0;
            Ok(vec![
                CaseFigure::relative("16 cells over the height", "", exact, found[1], 1e-2),
                CaseFigure::relative("extrapolated", "", exact, extrapolated, 3e-3),
            ])
        })
    };
    BEAMS.map(trial).into()
}

/// ω L² √(ρA/EI) from the time between two passes of the first mode through its place of rest.
fn frequency(
    setting: &RigSetting,
    cells: u64,
    poisson: f64,
    law: SolidLaw,
) -> Result<f64, Trouble> {
    let mut world = World::new();
    let h = 0.05 / cells as f64;
    world.gravity(Vector::zeros()).step(h).integrator("symplectic-euler");
    beam(&mut world, cells, poisson, law);
    let mut rig = setting.of(&world)?;
    for i in 0..rig.model.particles() {
        let x = rig.model.reference[i].x / LENGTH;
        let slope = (mode(x + 1e-6) - mode(x - 1e-6)) / 2e-6 / LENGTH;
        rig.state.positions[i].z += 1e-4 * mode(x);
        rig.state.positions[i].x -= 1e-4 * slope * rig.model.reference[i].z;
    }
    rig.recommit();
    let mut passes = Vec::new();
    let shape = weights(&rig, |x| mode(x / LENGTH));
    let mut before = raised(&rig, &shape);
    while passes.len() < 2 && rig.state.time < 50.0 {
        rig.advance()?;
        let after = raised(&rig, &shape);
        if before * after <= 0.0 {
            passes.push(rig.state.time - h * after / (after - before));
        }
        before = after;
    }
    let half = passes.get(1).map_or(f64::NAN, |last| last - passes[0]);
    let own = HEIGHT * sqrt(YOUNG / (12.0 * DENSITY)) / (LENGTH * LENGTH);
    Ok(PI / half / own)
}
