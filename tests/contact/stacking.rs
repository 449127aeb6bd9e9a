//! Bodies on bodies: a soft brick, a loose particle and a cloth on a soft brick hold, creep and
//! slide as they would on a plane, under every kind of method; a cloth folded over itself does not
//! pass through itself.

use crate::support::simulation;
use rayon::prelude::*;
use std::ops::Range;
use stiction_core::diagnosis::energy_faults::EnergyResidual;
use stiction_core::math::{Vector, cos, radians, sin, tan};
use stiction_core::simulation::Simulation;

/// The loads on the lower brick.
const LOADS: [(&str, &str); 3] = [
    (
        "brick",
        "mass = 0.4
shape = { lattice = { counts = [3, 2, 2], spacing = 0.04 } }
springs = { edge = { stiffness = 2e4, damping = 10 }, face_diagonal = { stiffness = 1e4, damping = 5 } }
position = [-0.08, 0.013, 0.05]",
    ),
    (
        "particle",
        "mass = 0.02
shape = { particle = {} }
radius = 0.01
position = [-0.08, 0.013, 0.06]",
    ),
    (
        "cloth",
        "mass = 0.04
shape = { cloth = { counts = [4, 3], spacing = 0.03 } }
springs = { edge = { stiffness = 200, damping = 0.1 }, face_diagonal = { stiffness = 50, damping = 0.05 }, bend = { stiffness = 5, damping = 0.02 } }
radius = 0.005
position = [-0.08, 0.013, 0.055]",
    ),
];

const HOLDING: &str = "{ law = \"cundall-strack\", stiffness = 2e3, damping = 2 }";
const EPSILON: f64 = 1e-2;

/// A load on a brick on a plane that sinks towards +x; μ is that between load and brick, that
/// between brick and plane is .8.
struct Stack<'a> {
    load: &'a str,
    angle: f64,
    mu: f64,
    friction: &'a str,
    method: &'a str,
    step: f64,
}

impl Stack<'_> {
    fn start(&self) -> Simulation {
        let Stack { load, angle, mu, friction, method, step } = self;
        let (x, z) = (9.81 * sin(radians(*angle)), -9.81 * cos(radians(*angle)));
        simulation(&format!(
            "format = 1
world = {{ gravity = [{x:e}, 0, {z:e}] }}
time = {{ end = 10, step = {step:e}, output = 10 }}
integrator = {{ method = \"{method}\" }}
materials.stone = {{ static_friction = {mu:e} }}
materials.ground = {{ static_friction = 0.8 }}
[[pair]]
materials = [\"stone\", \"ground\"]
static_friction = 0.8
[contact]
bodies = true
normal = {{ stiffness = 5e3, damping = 3 }}
friction = {friction}
[[body]]
name = \"base\"
material = \"stone\"
mass = 1.0
shape = {{ lattice = {{ counts = [7, 4, 2], spacing = 0.05 }} }}
springs = {{ edge = {{ stiffness = 2e4, damping = 10 }}, face_diagonal = {{ stiffness = 1e4, damping = 5 }} }}
[[body]]
name = \"load\"
material = \"stone\"
{load}
[[collider]]
name = \"plane\"
material = \"ground\"
shape = {{ plane = {{}} }}
[[drag]]
rate = 20.0
until = 1.0
"
        ))
    }
}

fn advance_until(run: &mut Simulation, time: f64) {
    let last = (time / run.time_step()).round() as u64;
    while run.state.step_count < last {
        run.advance().expect("a step");
    }
}

fn mean(run: &Simulation, particles: &Range<usize>, of: &[Vector]) -> Vector {
    let masses = &run.model.masses;
    let weight: f64 = particles.clone().map(|i| masses[i]).sum();
    particles.clone().map(|i| of[i] * masses[i]).sum::<Vector>() / weight
}

/// How far the load is ahead of the brick \[m\], and how much faster \[m/s\].
fn ahead(run: &Simulation) -> (f64, f64) {
    let [base, load] = [0, 1].map(|b| run.model.bodies[b].particles.clone());
    let of = |field: &[Vector]| (mean(run, &load, field) - mean(run, &base, field)).x;
    (of(&run.state.positions), of(&run.state.velocities))
}

/// The largest friction that the contacts between load and brick could bear \[N\].
fn capacity(run: &Simulation) -> f64 {
    let load = &run.model.bodies[1].particles;
    let contacts = run.state.memory.contacts.iter();
    let between = contacts.filter(|c| c.key.collider().is_none() && c.share(load) != 0.0);
    between.map(|c| c.pair.static_friction * c.normal_force).sum()
}

fn farthest(from: &[Vector], to: &[Vector]) -> f64 {
    from.iter().zip(to).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max)
}

/// Newton iterations a step so far.
fn iterations(run: &Simulation) -> f64 {
    run.work.iterations as f64 / run.state.step_count as f64
}

#[test]
fn what_lies_on_a_brick_stays_there() {
    LOADS.par_iter().for_each(|(name, load)| {
        for (method, step) in [("symplectic-euler", 1e-4), ("implicit-euler", 1e-2)] {
            let friction = HOLDING;
            let stack = Stack { load, angle: 15.0, mu: 0.5, friction, method, step };
            let mut run = stack.start();
            advance_until(&mut run, 4.0);
            let settled = run.state.positions.clone();
            advance_until(&mut run, 14.0);
            let slip = farthest(&settled, &run.state.positions);
            println!("{name}, {method}: {slip:.1e} m in 10 s, {:.1} iterations", iterations(&run));
            assert!(slip < 1e-9, "{name}, {method}: {slip}");
            // backward Euler damps the first bounce away, which the verdict tells; nothing later
            // depends on it
            let reasons = run.verdict().reasons;
            let mut faults = reasons.iter().filter(|reason| {
                let lost = |energy: &EnergyResidual| step < 1e-3 || energy.residual > 0.0;
                reason.numbers().is_none_or(lost)
            });
            assert!(faults.next().is_none(), "{name}, {method}: {reasons:?}");
        }
    });
}

#[test]
fn under_the_threshold_law_it_creeps_at_the_closed_form() {
    LOADS.par_iter().for_each(|(name, load)| {
        let friction = &format!("{{ law = \"threshold\", epsilon = {EPSILON:e} }}");
        for (method, step) in [("symplectic-euler", 1e-4), ("implicit-euler", 1e-2)] {
            let stack = Stack { load, angle: 15.0, mu: 0.5, friction, method, step };
            let mut run = stack.start();
            advance_until(&mut run, 2.0);
            let before = ahead(&run).0;
            advance_until(&mut run, 4.0);
            let creep = (ahead(&run).0 - before) / 2.0;
            let particles = run.model.bodies[1].particles.clone();
            let tangential = run.model.gravity.x * run.model.masses[particles].iter().sum::<f64>();
            let actual = EPSILON * tangential / capacity(&run);
            let closed = EPSILON * tan(radians(15.0)) / 0.5;
            println!(
                "{name}, {method}: {creep:.4e} m/s, {actual:.4e} by its contacts, {closed:.4e}, {:.1} iterations",
                iterations(&run)
            );
            assert!((creep / actual - 1.0).abs() < 0.02, "{name}, {method}: {creep} {actual}");
            assert!((creep / closed - 1.0).abs() < 0.02, "{name}, {method}: {creep} {closed}");
            assert!(run.verdict().faultless(), "{name}, {method}: {:?}", run.verdict());
        }
    });
}

#[test]
fn beyond_the_cone_it_slides_as_on_a_plane() {
    LOADS.par_iter().for_each(|(name, load)| {
        let threshold = format!("{{ law = \"threshold\", epsilon = {EPSILON:e} }}");
        for (friction, method, step) in [
            (threshold.as_str(), "symplectic-euler", 1e-4),
            (HOLDING, "symplectic-euler", 1e-4),
            (threshold.as_str(), "implicit-euler", 2e-3),
        ] {
            let (angle, mu) = (20.0, 0.2);
            let mut run = Stack { load, angle, mu, friction, method, step }.start();
            // the drag ends, and the load that it held back starts to slide
            advance_until(&mut run, 1.02);
            let before = ahead(&run).1;
            advance_until(&mut run, 1.32);
            let measured = (ahead(&run).1 - before) / 0.3;
            let a = radians(angle);
            let exact = 9.81 * (sin(a) - mu * cos(a));
            println!(
                "{name}, {method}, {}: {measured:.4} m/s², exact {exact:.4}, {:.1} iterations",
                &friction[..20],
                iterations(&run)
            );
            assert!((measured / exact - 1.0).abs() < 0.02, "{name}, {method}: {measured} {exact}");
        }
    });
}

/// A strip over a thin bar: its halves swing down and clap together.
#[test]
fn a_cloth_folded_over_itself_does_not_pass_through() {
    for (method, step) in [("symplectic-euler", 5e-5), ("rk4", 1e-4)] {
        let mut run = simulation(&format!(
            "format = 1
time = {{ end = 1, step = {step:e}, output = 1 }}
integrator = {{ method = \"{method}\" }}
materials.cotton = {{ static_friction = 0.6 }}
[contact]
self_contact = true
normal = {{ stiffness = 500, damping = 0.1 }}
friction = {{ law = \"cundall-strack\", stiffness = 200, damping = 0.1 }}
[[body]]
name = \"strip\"
mass = 0.02
radius = 0.006
shape = {{ cloth = {{ counts = [21, 4], spacing = 0.02 }} }}
springs = {{ edge = {{ stiffness = 200, damping = 0.05 }}, face_diagonal = {{ stiffness = 50, damping = 0.02 }} }}
position = [0.003, 0, 0.011]
[[collider]]
name = \"bar\"
shape = {{ cylinder = {{ radius = 0.005 }} }}
"
        ));
        let (mut deepest, mut met) = (0.0f64, 0);
        while run.state.time < 2.0 {
            run.advance().expect("a step");
            let own = run.state.memory.contacts.iter().filter(|c| c.key.collider().is_none());
            let (count, depth) = own.fold((0, 0.0f64), |(n, d), c| (n + 1, d.max(c.depth)));
            met += usize::from(count > 0);
            deepest = deepest.max(depth);
            // columns as far from the middle on either side hang on their own side
            for row in 0..4 {
                for k in 3..=10 {
                    let [left, right] =
                        [10 - k, 10 + k].map(|ix| run.state.positions[ix + 21 * row]);
                    assert!(left.x < right.x, "{method}: crossed at {}", run.state.time);
                }
            }
        }
        println!("{method}: {deepest:.2e} m deep, {met} steps of touch");
        let touched = met as f64 * step;
        assert!(touched > 0.05, "{method}: {touched} s of touch");
        assert!(deepest < 0.006, "{method}: {deepest}");
        assert!(run.verdict().faultless(), "{method}: {:?}", run.verdict());
    }
}
