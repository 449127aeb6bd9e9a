//! A bar between two rough plates that press it, pulled at one end: it yields from there on.
//!
//! Friction on both sides keeps it straight. On one side alone it makes a couple, which presses or lifts the pulled end.

use super::block::{Block, at_rest};
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::expression::time_curve::{Between, TimeCurve};
use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::Vector;
use stiction_core::world::{Body, Collider, Elasticity, Material, Pin, Push, Selection, named};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "solids",
    name: "bar between rough plates",
    about: "ν 0, EA, friction q per length, one end pulled slowly to F_m, to −F_m and back: it yields by F_m²/(2EAq), back at F by F_m²/(2EAq) − (F_m − F)²/(4EAq), and a loop takes 2F_m³/(3EAq), as of a bar of springs in *softness*",
    trials: pulled,
}];

/// E \[Pa\], cells a wide and high \[m\], μ, and the pressure of the plates \[Pa\].
const YOUNG: f64 = 1e6;
const A: f64 = 0.01;
const MU: f64 = 0.5;
const PRESSURE: f64 = 1e3;

/// EA \[N\], q \[N/m\] of both plates, and F_m \[N\], which overcomes the friction of `SLIPPED` cells.
const EA: f64 = YOUNG * A * A;
const Q: f64 = 2.0 * MU * PRESSURE * A;
const SLIPPED: usize = 40;
const MOST: f64 = SLIPPED as f64 * Q * A;

/// Steps of a quarter of a loop, and their length \[s\].
const QUARTER: u64 = 20;
const STEP: f64 = 1.0;

fn pulled() -> Vec<CaseTrial> {
    vec![CaseTrial::new("cundall-strack, implicit-euler", |setting: &RigSetting| {
        let mut rig = bar(setting)?;
        let moved = |rig: &Rig| {
            let end = (0..rig.model.particles()).step_by(SLIPPED + 11);
            let by = |i: usize| rig.model.reference[i].x - rig.state.positions[i].x;
            0.25 * end.map(by).sum::<f64>()
        };
        let all = MOST * MOST / (2.0 * EA * Q);
        let back = |force: f64| all - (MOST - force) * (MOST - force) / (4.0 * EA * Q);
        let looks = [
            ("end at F_m", 1, all),
            ("end at F_m/2 again", 0, back(0.5 * MOST)),
            ("end without load", 0, back(0.0)),
            ("end at −F_m", 1, -all),
            ("end at F_m again", 2, all),
        ];
        let (mut figures, mut lost) = (Vec::new(), 0.0);
        for (n, (name, quarters, exact)) in looks.into_iter().enumerate() {
            for _ in 0..if quarters == 0 { QUARTER / 2 } else { quarters * QUARTER } {
                rig.advance()?;
                if n > 0 {
                    lost +=
                        STEP * rig.state.memory.contacts.iter().map(|c| c.dissipated).sum::<f64>();
                }
            }
            figures.push(CaseFigure::absolute(name, "m", exact, moved(&rig), 0.01 * all));
        }
        let loss = 2.0 * MOST * MOST * MOST / (3.0 * EA * Q);
        figures.push(CaseFigure::relative("loss in a loop", "J", loss, lost, 1e-2));
        Ok(figures)
    })]
}

/// The bar along x, its pulled end at x = 0, pressed flat by as much as its plates press.
fn bar<'a>(setting: &RigSetting<'a>) -> Result<Rig<'a>, Trouble> {
    let counts = [SLIPPED as u64 + 11, 2, 2];
    let block = Block::new(counts, |place| Vector::from(place.map(|i| i as f64 * A)));
    let areas = block.areas(|x| x.x < 0.5 * A);
    let flat = 1.0 - PRESSURE / YOUNG;
    let block = block.displaced(|x| Vector::new(x.x, x.y, x.z * flat));
    let mut world = at_rest(STEP, 1e-11, "automatic");
    let stiffness = 20.0 * YOUNG * A;
    world.normal(named("linear").with("stiffness", stiffness).with("damping", 0.0));
    world.friction(named("cundall-strack").with("stiffness", stiffness));
    let elasticity = Elasticity::new(YOUNG, 0.0).law(SolidLaw::Linear);
    world.material(Material::new("rubber", MU, MU).density(1e3).elasticity(elasticity));
    // as deep as half a cell's face needs
    let deep = 0.5 * PRESSURE * A * A / stiffness;
    world.collider(Collider::plane("below", [0.0, 0.0, 1.0], [0.0, 0.0, deep]));
    world.collider(Collider::plane("above", [0.0, 0.0, -1.0], [0.0, 0.0, flat * A - deep]));
    let bar = world.body(Body::new("bar", block));
    world.pin(Pin::new(bar, Selection::All).axes([false, true, false]));
    for (i, area) in areas.into_iter().enumerate().filter(|(_, area)| *area > 0.0) {
        let force = Vector::new(-MOST * area / (A * A), 0.0, 0.0);
        let factor = loops()?;
        world.push(Push::new(bar, force).selection(Selection::Particles(vec![i])).factor(factor));
    }
    setting.of(&world)
}

/// F/F_m as a curve of time.
fn loops() -> Result<TimeCurve, Trouble> {
    let at = |quarters: u64| (quarters * QUARTER) as f64 * STEP;
    let points = vec![[0.0, 0.0], [at(1), 1.0], [at(3), -1.0], [at(5), 1.0]];
    let made = TimeCurve::through(points, Between::Linear);
    made.map_err(|fault| Trouble::Failed(format!("{fault:?}")))
}
