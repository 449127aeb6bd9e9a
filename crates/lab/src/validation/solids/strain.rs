//! Cubes under large strains, and one that flies and quivers.

use super::block::{Block, at_rest, elastic};
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::{Vector, sin};
use stiction_core::world::{Body, Pin, World};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "solids",
        name: "large strains",
        about: "ν .3: a cube drawn out to 1.5 or pressed to .7 of its length, its sides free, and sheared by ½, against the equations of docs/solids.md",
        trials: strained,
    },
    Case {
        group: "solids",
        name: "energy of a free cube",
        about: "E 1e5 Pa, ν .3, undamped, drawn out by a tenth and turning at 3 rad/s: under symplectic-euler its energy neither grows nor falls in 1e5 steps",
        trials: quivering,
    },
];

/// A law; P/E along the cube and its width at each of [`STRETCHES`]; P/E along and across the sheared face.
///
/// Neo-Hookean with the stretches a along and b across, I = a² + 2b², J = ab², c = M (1 − 1/(I + 1)), d = L (J − 1) − ¾M:
/// P = c a + d b², and 0 = c b + d a b gives b. The others are Hooke's law without rotation. Sheared by γ = ½, the
/// neo-Hookean one has P = c γ and c − ¾M; the corotational one turns by tan θ = γ/2.
type Strained = (SolidLaw, [[f64; 2]; 2], [f64; 2]);

const STRETCHES: [f64; 2] = [0.7, 1.5];

const STRAINED: [Strained; 3] = [
    (SolidLaw::Linear, [[-0.3, 1.09], [0.5, 0.85]], [0.1923076923, 0.0]),
    (SolidLaw::Corotational, [[-0.3, 1.09], [0.5, 0.85]], [0.2066622595, 0.0574182690]),
    (
        SolidLaw::NeoHookean,
        [[-0.3728998472, 1.0852992613], [0.4044455201, 0.8670861235]],
        [0.1960784314, 0.0075414781],
    ),
];

/// E = 1 Pa, ν and the numbers of points along the sides of 1 m.
const POISSON: f64 = 0.3;
const POINTS: [u64; 3] = [3, 3, 3];

/// A cube of side 1 m with a corner at the origin, displaced by `start`.
fn cube(start: impl Fn(&Vector) -> Vector) -> Block {
    Block::new(POINTS, |place| Vector::from(place.map(|i| 0.5 * i as f64))).displaced(start)
}

fn strained() -> Vec<CaseTrial> {
    let trial = |(law, drawn, sheared): Strained| {
        CaseTrial::new(format!("{law:?}, implicit-euler"), move |setting| {
            let mut figures = Vec::new();
            for (stretch, [stress, width]) in STRETCHES.into_iter().zip(drawn) {
                let rig = drawn_to(setting, law, stretch)?;
                let figure = |name: &str, exact, measured| {
                    CaseFigure::absolute(format!("{name} at {stretch}"), "", exact, measured, 1e-8)
                };
                figures.push(figure("P/E", stress, stress_above(&rig).z));
                let corner = rig.state.positions[26];
                figures.push(figure("width", width, 0.5 * (corner.x + corner.y)));
            }
            let mut world = at_rest(1.0, 1e-14, "automatic");
            world.material(elastic(1.0, POISSON, 1.0, law));
            world.body(Body::new("cube", cube(|x| Vector::new(x.x + 0.5 * x.z, x.y, x.z))));
            let found = stress_above(&setting.of(&world)?);
            for (name, exact, found) in
                [("along", sheared[0], found.x), ("across", sheared[1], found.z)]
            {
                let name = format!("P/E {name} the sheared face");
                figures.push(CaseFigure::absolute(name, "", exact, found, 1e-8));
            }
            Ok(figures)
        })
    };
    STRAINED.map(trial).into()
}

/// A cube at rest whose ends are held at a distance, and whose sides are free; two of them slide along planes.
fn drawn_to<'a>(setting: &RigSetting<'a>, law: SolidLaw, stretch: f64) -> Result<Rig<'a>, Trouble> {
    let mut world = at_rest(1e3, 1e-14, "automatic");
    world.material(elastic(1.0, POISSON, 1.0, law));
    let block = cube(|x| Vector::new(x.x, x.y, stretch * x.z));
    let ends = block.points(|x| (x.z - 0.5).abs() > 0.4);
    let planes = [block.points(|x| x.x == 0.0), block.points(|x| x.y == 0.0)];
    let body = world.body(Body::new("cube", block));
    world.pin(Pin::new(body, ends).axes([false, false, true]));
    for (axis, plane) in planes.into_iter().enumerate() {
        world.pin(Pin::new(body, plane).axes([axis == 0, axis == 1, false]));
    }
    let mut rig = setting.of(&world)?;
    rig.steps(10)?;
    Ok(rig)
}

/// Stress P \[Pa\] on the upper face of the cube: the force with which the cube draws at it, over 1 m².
fn stress_above(rig: &Rig) -> Vector {
    let mut forces = vec![Vector::zeros(); rig.model.particles()];
    rig.model.forces_at(&rig.state.configuration(), &mut forces);
    -forces[18..].iter().sum::<Vector>()
}

/// Steps between looks at the energy.
const LOOK: u64 = 10;

fn quivering() -> Vec<CaseTrial> {
    let trial = |law: SolidLaw| {
        CaseTrial::new(format!("{law:?}, symplectic-euler"), move |setting| {
            let mut world = World::new();
            world.gravity(Vector::zeros()).step(5e-3).integrator("symplectic-euler");
            world.material(elastic(1e5, POISSON, 1e3, law));
            let block = cube(|x| Vector::new(x.x, x.y + 0.02 * sin(7.0 * x.x), 1.1 * x.z));
            world.body(Body::new("cube", block).spin([1.0, 2.0, 2.0]));
            let mut rig = setting.of(&world)?;
            let energy = |rig: &Rig| {
                let moving = rig.model.masses.iter().zip(&rig.state.velocities);
                let kinetic: f64 = moving.map(|(m, v)| 0.5 * m * v.norm_squared()).sum();
                rig.account().spring + kinetic
            };
            let start = energy(&rig);
            let (mut furthest, mut means) = (0.0_f64, [0.0; 10]);
            for mean in &mut means {
                for _ in 0..10_000 / LOOK {
                    rig.steps(LOOK)?;
                    let share = energy(&rig) / start - 1.0;
                    furthest = furthest.max(share.abs());
                    *mean += share * LOOK as f64 / 1e4;
                }
            }
            let drift = means[9] - means[0];
            Ok(vec![
                CaseFigure::absolute("furthest from the start", "", 0.0, furthest, 0.05),
                CaseFigure::absolute("last from first tenth", "", 0.0, drift, 1e-3),
            ])
        })
    };
    [SolidLaw::Linear, SolidLaw::Corotational, SolidLaw::NeoHookean].map(trial).into()
}
