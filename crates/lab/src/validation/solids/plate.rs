//! A plate that is pressed on a rigid floor and pushed along it.

use super::block::{Block, at_rest};
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::Vector;
use stiction_core::world::{
    Body, BodyId, Collider, Elasticity, Material, Pin, Push, Selection, World, named,
};

/// The cases.
pub const CASES: &[Case] = &[Case {
    group: "solids",
    name: "pressed plate",
    about: "code_aster's SSNV128: .04 m square, plane strain, E 1.3e11 Pa, ν .2, μ 1, 50 MPa from above, 150 MPa from one side, the other held: u_x under it, against a finite element solution of ours with 128 × 128 quadrilaterals; part of it slides, part sticks, a corner lifts [aster_v604128]",
    trials: pressed,
}];

/// Side \[m\], cells along it, E \[Pa\] and pressures \[Pa\].
const SIDE: f64 = 0.04;
const CELLS: u64 = 32;
const YOUNG: f64 = 1.3e11;
const SIDEWAYS: f64 = 1.5e8;
const DOWN: f64 = 5e7;

/// Place on the floor and u_x there \[m\].
const FOUND: [[f64; 2]; 5] = [
    [0.0, 2.860e-5],
    [1.25e-3, 2.722e-5],
    [5e-3, 2.287e-5],
    [7.5e-3, 1.981e-5],
    [11.25e-3, 1.541e-5],
];

/// Steps over which the pressures rise, and their length \[s\].
const STEPS: u64 = 4;
const STEP: f64 = 1e-3;

fn pressed() -> Vec<CaseTrial> {
    vec![CaseTrial::new("cundall-strack, implicit-euler", |setting| {
        let mut rig = plate(setting)?;
        rig.steps(STEPS + 1)?;
        let figure = |[x, exact]: [f64; 2]| {
            let at = (x / SIDE * CELLS as f64).round() as usize;
            let moved = |i: usize| rig.state.positions[i].x - rig.model.reference[i].x;
            // both ends of the floor's line across the plate
            let mean = 0.5 * (moved(at) + moved(at + CELLS as usize + 1));
            CaseFigure::relative(format!("u_x at {:.4} m", x), "m", exact, mean, 1e-2)
        };
        Ok(FOUND.map(figure).into())
    })]
}

/// The plate as a slab of one cell between planes, before its pressures rise.
fn plate<'a>(setting: &RigSetting<'a>) -> Result<Rig<'a>, Trouble> {
    let a = SIDE / CELLS as f64;
    // it must touch before it slides: contact that begins within a step has no stretch
    let touch = Vector::new(0.0, 0.0, 1e-10);
    let block = Block::new([CELLS + 1, 2, CELLS + 1], |place| {
        Vector::from(place.map(|i| i as f64 * a)) - touch
    });
    let mut world = at_rest(STEP, 1e-8, "automatic");
    let stiffness = 20.0 * YOUNG * a;
    world.normal(named("linear").with("stiffness", stiffness).with("damping", 0.0));
    world.friction(named("cundall-strack").with("stiffness", stiffness));
    let elasticity = Elasticity::new(YOUNG, 0.2).law(SolidLaw::Linear);
    world.material(Material::new("steel", 1.0, 1.0).density(7800.0).elasticity(elasticity));
    world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
    let [above, beside] = [block.areas(|x| x.z > SIDE - 0.5 * a), block.areas(|x| x.x < 0.5 * a)];
    let held = block.points(|x| x.x > SIDE - 0.5 * a);
    let free = block.points(|x| x.x < SIDE - 0.5 * a);
    let body = world.body(Body::new("plate", block));
    world.pin(Pin::new(body, held).axes([true, true, false]));
    world.pin(Pin::new(body, free).axes([false, true, false]));
    for (i, (above, beside)) in above.into_iter().zip(beside).enumerate() {
        if above + beside > 0.0 {
            press(&mut world, i, Vector::new(SIDEWAYS * beside, 0.0, -DOWN * above));
        }
    }
    setting.of(&world)
}

/// A force \[N\] on a particle that rises in [`STEPS`].
fn press(world: &mut World, particle: usize, force: Vector) {
    let one = Selection::Particles(vec![particle]);
    world.push(Push::new(BodyId::nth(0), force).selection(one).ramp(STEPS as f64 * STEP));
}
