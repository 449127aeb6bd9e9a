//! A ball on a plane: Hertz's contact, and partial slip after Cattaneo and Mindlin.
//!
//! The part of the ball near its lowest point is a block of about 3 a each way, a the radius of contact, with cells of a/10
//! where it touches and growing ones beyond. One half of it is meshed; the plane of symmetry is y = 0. Its outer faces
//! move as one towards the floor and along it. They are displaced at the start as Boussinesq's half-space is there under
//! the load, so that the block yields as a ball does that is large beside a.

use super::block::{Block, at_rest};
use super::{Case, CaseFigure, CaseTrial, Rig, RigSetting, Trouble};
use stiction_core::expression::time_curve::{Between, TimeCurve};
use stiction_core::forces::elements::SolidLaw;
use stiction_core::math::{PI, Vector, pow, sqrt};
use stiction_core::state::memory::Contact;
use stiction_core::world::{
    Body, BodyId, BuildOptions, Built, Collider, Elasticity, Material, Pin, World, named,
};

/// The cases.
pub const CASES: &[Case] = &[
    Case {
        group: "solids",
        name: "ball on a plane",
        about: "ν .3, R = 20 a, no friction: N = (4/3) E' √R δ^(3/2), E' = E/(1 − ν²), a³ = 3 N R/(4E'), within a/4 of the middle the pressure 3N/(2π a²) √(1 − r²/a²); a from the area of what touches [hertz1881]",
        trials: pressed,
    },
    Case {
        group: "solids",
        name: "partial slip",
        about: "the same ball, pressed without friction, then with μ .3 pulled by T: it sticks within c = a (1 − T/(μN))^(1/3), c from the area of what sticks; and between T and −T a loop takes (9μ²N²/(10a)) ((2 − ν)/G) (1 − (1 − q)^(5/3) − (5q/6)(1 + (1 − q)^(2/3))), q = T/(μN) [cattaneo1938, mindlin1953]",
        trials: pulled,
    },
];

/// E \[Pa\], ν, μ, the ball's radius R \[m\] and its approach δ \[m\]: a = √(R δ) = 1 m, in the ideal.
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
const MU: f64 = 0.3;
const RADIUS: f64 = 20.0;
const APPROACH: f64 = 1.0 / RADIUS;

/// Cells within a, the reach of the block \[m\], growth from cell to cell beyond 1.2 a and upwards.
const CELLS: usize = 10;
const REACH: f64 = 3.0;
const GROWTH: [f64; 2] = [1.6, 1.36];

/// E' \[Pa\], G \[Pa\], and N \[N\] at the approach δ.
const REDUCED: f64 = YOUNG / (1.0 - POISSON * POISSON);
const SHEAR: f64 = YOUNG / (2.0 * (1.0 + POISSON));
const LOAD: f64 = 4.0 / 3.0 * REDUCED * APPROACH;

/// Steps in which it is pressed, and their length \[s\].
const PRESSING: u64 = 4;
const STEP: f64 = 1.0;

/// Places from 0 on \[m\]: cells of one size, `even` of them, then growing ones.
fn places(even: usize, growth: f64) -> Vec<f64> {
    let (mut places, mut cell) = (vec![0.0], 1.0 / CELLS as f64);
    while places[places.len() - 1] < REACH {
        if places.len() > even {
            cell *= growth;
        }
        places.push(places[places.len() - 1] + cell);
    }
    places
}

/// Displacement \[m\] of a half-space z > 0 under a force \[N\] along z at the origin.
fn boussinesq(x: &Vector, force: f64) -> Vector {
    let (r, scale) = (x.norm(), force / (4.0 * PI * SHEAR));
    let across = x.z / (r * r * r) - (1.0 - 2.0 * POISSON) / (r * (r + x.z));
    let along = x.z * x.z / (r * r * r) + 2.0 * (1.0 - POISSON) / r;
    Vector::new(x.x * across, x.y * across, along) * scale
}

/// The lower part of the ball, and the area of each of its particles on the face that touches, both halves together
/// \[m²\].
struct Ball {
    block: Block,
    areas: Vec<f64>,
    edge: f64,
    top: f64,
}

impl Ball {
    fn new() -> Ball {
        let (ahead, up) = (places(12 * CELLS / 10, GROWTH[0]), places(2, GROWTH[1]));
        let behind = ahead[1..].iter().rev().map(|x| -x);
        let along: Vec<f64> = behind.chain(ahead.iter().copied()).collect();
        let [edge, top] = [&ahead, &up].map(|places| places[places.len() - 1]);
        let counts = [along.len(), ahead.len(), up.len()].map(|n| n as u64);
        let at = |[i, j, k]: [usize; 3]| Vector::new(along[i], ahead[j], up[k]);
        let flat = Block::new(counts, at).areas(|x| x.z == 0.0);
        let block = Block::new(counts, |place| {
            let x = at(place);
            let rise = (x.x * x.x + x.y * x.y) / (2.0 * RADIUS);
            x + Vector::new(0.0, 0.0, rise * (1.0 - x.z / top))
        });
        let near = 0.5;
        let block = block.displaced(|x| match x.norm() < near {
            true => *x,
            false => x + boussinesq(x, LOAD),
        });
        let areas = flat.into_iter().map(|area| 2.0 * area).collect();
        Ball { block, areas, edge, top }
    }

    /// The world in which it is pressed, and pulled along x by `distance` \[m\] as a curve of time.
    fn world(&self, mu: f64, distance: Vec<[f64; 2]>) -> Result<World, Trouble> {
        let curve = |points| {
            let made = TimeCurve::through(points, Between::Linear);
            made.map_err(|fault| Trouble::Failed(format!("{fault:?}")))
        };
        let mut world = at_rest(STEP, 1e-11, "automatic");
        let stiffness = 20.0 * YOUNG / CELLS as f64;
        world.normal(named("linear").with("stiffness", stiffness).with("damping", 0.0));
        world.friction(named("cundall-strack").with("stiffness", stiffness));
        let elasticity = Elasticity::new(YOUNG, POISSON).law(SolidLaw::Linear);
        world.material(Material::new("ball", mu, mu).density(1e3).elasticity(elasticity));
        world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
        let outer = |x: &Vector| x.x.abs() >= self.edge || x.y >= self.edge || x.z >= self.top;
        let outside = Pin::new(BodyId::nth(0), self.block.points(outer));
        let pressed = curve(vec![[0.0, 0.0], [PRESSING as f64 * STEP, APPROACH]])?;
        let outside = outside.follow([0.0, 0.0, -1.0], pressed);
        world.pin(outside.follow([1.0, 0.0, 0.0], curve(distance)?));
        let middle = self.block.points(|x| x.y == 0.0 && !outer(x));
        world.pin(Pin::new(BodyId::nth(0), middle).axes([false, true, false]));
        world.body(Body::new("ball", self.block.clone()));
        Ok(world)
    }

    /// The sum of a quantity of the contacts, both halves together.
    fn sum(&self, rig: &Rig, of: impl Fn(&Contact) -> f64) -> f64 {
        2.0 * rig.state.memory.contacts.iter().map(of).sum::<f64>()
    }

    /// Radius of a circle of the area of chosen contacts \[m\].
    fn radius(&self, rig: &Rig, chosen: impl Fn(&Contact) -> bool) -> f64 {
        let touching =
            rig.state.memory.contacts.iter().filter(|c| c.normal_force > 0.0 && chosen(c));
        sqrt(touching.map(|c| self.areas[c.particle()]).sum::<f64>() / PI)
    }
}

/// a \[m\] under N \[N\].
fn radius_under(load: f64) -> f64 {
    pow(0.75 * load * RADIUS / REDUCED, 1.0 / 3.0)
}

fn pressed() -> Vec<CaseTrial> {
    vec![CaseTrial::new("implicit-euler", |setting: &RigSetting| {
        let ball = Ball::new();
        let mut rig = setting.of(&ball.world(0.0, vec![[0.0, 0.0], [STEP, 0.0]])?)?;
        rig.steps(PRESSING + 1)?;
        let load = ball.sum(&rig, |contact| contact.normal_force);
        let radius = radius_under(load);
        let most = 1.5 * load / (PI * radius * radius);
        // of the particles within a/4 of the middle
        let (mut found, mut exact) = (0.0, 0.0);
        for contact in &rig.state.memory.contacts {
            let x = rig.model.reference[contact.particle()];
            let share = (x.x * x.x + x.y * x.y) / (radius * radius);
            if share < 0.0625 {
                found += 2.0 * contact.normal_force;
                exact += ball.areas[contact.particle()] * most * sqrt(1.0 - share);
            }
        }
        Ok(vec![
            CaseFigure::relative("N at δ", "N", LOAD, load, 2e-2),
            CaseFigure::relative("a", "m", radius, ball.radius(&rig, |_| true), 2e-2),
            CaseFigure::relative("force within a/4 of the middle", "N", exact, found, 5e-2),
        ])
    })]
}

/// T/(μN) on the half-space, one after the other; the block yields less, by [`FIRMER`].
const PULLS: [f64; 8] = [0.25, 0.5, 0.75, 0.9, 0.7, 0.3, -0.3, -0.9];
const FIRMER: f64 = 0.85;

/// Pulls until the ball is turned back.
const OUT: usize = 4;

/// Distance by which a half-space yields to T = q μN \[m\]: 3μN (2 − ν)/(16 G a) (1 − (1 − q)^(2/3)).
fn yielded(q: f64) -> f64 {
    3.0 * MU * LOAD * (2.0 - POISSON) / (16.0 * SHEAR) * (1.0 - pow(1.0 - q, 2.0 / 3.0))
}

/// The pull as a curve of time: out, and back by twice what half the change would do.
fn distances() -> Vec<[f64; 2]> {
    let most = PULLS[OUT - 1];
    let distance = |(n, q): (usize, f64)| match n < OUT {
        true => yielded(q),
        false => yielded(most) - 2.0 * yielded(0.5 * (most - q)),
    };
    let pulls = PULLS.into_iter().enumerate().map(distance);
    let time = |n: usize| (PRESSING + n as u64) as f64 * STEP;
    let pulls = pulls.enumerate().map(|(n, distance)| [time(n + 1), FIRMER * distance]);
    [[0.0, 0.0], [time(0), 0.0]].into_iter().chain(pulls).collect()
}

fn pulled() -> Vec<CaseTrial> {
    vec![CaseTrial::new("cundall-strack, implicit-euler", |setting: &RigSetting| {
        let ball = Ball::new();
        let mut rig = setting.of(&ball.world(0.0, distances())?)?;
        rig.steps(PRESSING)?;
        // friction from here on: before, it would resist the spread of the ball
        let rough = ball.world(MU, distances())?.build(&BuildOptions::default());
        let Built { model, integrator, method, .. } =
            rough.map_err(|error| Trouble::Failed(error.to_string()))?;
        rig.switch_to(model, integrator, method, STEP);
        let mut figures = Vec::new();
        for near in &PULLS[..OUT] {
            rig.advance()?;
            let (load, share) = loads(&ball, &rig);
            let exact = radius_under(load) * pow(1.0 - share, 1.0 / 3.0);
            let found = ball.radius(&rig, |contact| contact.sticking);
            figures.push(CaseFigure::relative(
                format!("c near {near} μN"),
                "m",
                exact,
                found,
                3e-2,
            ));
        }
        let (load, q) = loads(&ball, &rig);
        let mut lost = 0.0;
        for _ in OUT..PULLS.len() {
            rig.advance()?;
            lost += STEP * ball.sum(&rig, |contact| contact.dissipated);
        }
        // half of a loop
        let loss = 0.9 * MU * MU * load * load / radius_under(load) * (2.0 - POISSON) / SHEAR
            * (1.0 - pow(1.0 - q, 5.0 / 3.0) - 5.0 * q / 6.0 * (1.0 + pow(1.0 - q, 2.0 / 3.0)));
        figures.push(CaseFigure::relative("loss in a loop", "J", loss, 2.0 * lost, 5e-2));
        Ok(figures)
    })]
}

/// N \[N\] and T/(μN).
fn loads(ball: &Ball, rig: &Rig) -> (f64, f64) {
    let load = ball.sum(rig, |contact| contact.normal_force);
    (load, -ball.sum(rig, |contact| contact.friction.x) / (MU * load))
}
