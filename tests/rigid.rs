//! Rigid twins: the particles of a body keep their distances, and the body moves as Newton and Euler
//! say: tumbling, sliding and spinning, rolling, tipping.

#[path = "support/method.rs"]
mod method;
mod support;

use method::{advance, methods};
use rayon::prelude::*;
use stiction::math::{PI, Rotation, Vector, acos, cos, degrees, sin, sqrt};
use stiction::simulation::Simulation;
use support::simulation;

const G: f64 = 9.81;

/// A body without symmetry.
const POTATO: &str = "shape = { points = { positions = [[0.1, 0.2, 0.3], [1.0, -0.2, 0.4], \
    [-0.3, 0.9, 0.1], [0.2, 0.1, -0.7], [0.5, 0.4, 0.3]], masses = [1.0, 2.0, 0.5, 1.5, 0.7] } }";

/// Momenta and kinetic energy of all particles.
struct Motion {
    momentum: Vector,
    angular: Vector,
    kinetic: f64,
}

fn motion(run: &Simulation) -> Motion {
    let (model, state) = (&run.model, &run.state);
    let particles = model.masses.iter().zip(&state.positions).zip(&state.velocities);
    Motion {
        momentum: model.momentum(&state.velocities),
        angular: particles.map(|((m, x), v)| x.cross(v) * *m).sum(),
        kinetic: model.kinetic_energy(&state.velocities),
    }
}

/// The largest change of a distance between two particles of one rigid body \[m\].
fn drift(run: &Simulation) -> f64 {
    let (now, then) = (&run.state.positions, &run.model.reference);
    let of = |i: usize, j: usize| ((now[i] - now[j]).norm() - (then[i] - then[j]).norm()).abs();
    let bodies = run.model.rigid.iter();
    let pairs = bodies.flat_map(|b| {
        let range = b.particles.clone();
        range.clone().flat_map(move |i| range.clone().map(move |j| (i, j)))
    });
    pairs.map(|(i, j)| of(i, j)).fold(0.0, f64::max)
}

/// A rigid body alone in space, with keys of its own.
fn in_space(method: &str, h: f64, keys: &str, more: &str) -> Simulation {
    simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, 0] }}
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator = {{ method = {method} }}
        materials.wood = {{ static_friction = 0.5 }}
        contact.normal = {{ stiffness = 1e3, damping = 1 }}
        [[body]]
        name = \"potato\"
        rigid = true
        {POTATO}
        {keys}
        {more}"
    ))
}

/// What is lost of energy and of angular momentum, in shares.
fn losses(method: &str, h: f64, steps: u64) -> [f64; 2] {
    let keys = "velocity = [0.1, 0.2, -0.1]\nspin = [0.3, 2.0, -0.5]";
    let mut run = in_space(method, h, keys, "");
    let start = motion(&run);
    advance(&mut run, steps);
    let end = motion(&run);
    assert!(drift(&run) < 1e-12, "{method}: distances drift by {:e}", drift(&run));
    let p = (end.momentum - start.momentum).norm() / start.momentum.norm();
    assert!(p < 1e-10, "{method}: momentum drifts by {p:e}");
    [
        (end.kinetic / start.kinetic - 1.0).abs(),
        (end.angular - start.angular).norm() / start.angular.norm(),
    ]
}

#[test]
fn a_tumbling_body_keeps_energy_angular_momentum_and_its_shape() {
    // method, energy, angular momentum, which symplectic Euler keeps exactly
    let cases = [
        ("\"rk4\"", 1e-8, 1e-8),
        ("\"rk3\"", 1e-6, 1e-6),
        ("\"velocity-verlet\"", 1e-6, 1e-6),
        ("\"symplectic-euler\"", 1e-6, 1e-10),
        // spirals outwards
        ("\"explicit-euler\"", 5.0, 2.0),
    ];
    cases.par_iter().for_each(|&(method, energy, angular)| {
        let [e, l] = losses(method, 1e-3, 100_000);
        println!("{method}: energy {e:.2e}, angular momentum {l:.2e}");
        assert!(e < energy, "{method}: energy is off by {e:e}");
        assert!(l < angular, "{method}: angular momentum is off by {l:e}");
    });
}

/// Tumbling under a push on one particle and drag, smooth all the way; positions after a second.
fn tumbled(method: &str, h: f64) -> Vec<Vector> {
    let more = "[[push]]
        body = \"potato\"
        where = { particles = [1] }
        force = [0.3, -1.0, 2.0]
        [[drag]]
        rate = 0.5";
    let mut run = in_space(method, h, "spin = [0.3, 2.0, -0.5]", more);
    advance(&mut run, (1.0 / h).round() as u64);
    assert!(drift(&run) < 1e-12, "{method}");
    run.state.positions.clone()
}

#[test]
fn explicit_methods_keep_their_order() {
    let exact = tumbled("\"rk45\", adaptive = false", 1.0 / 1024.0);
    let error = |method: &str, h: f64| {
        let found = tumbled(method, h);
        sqrt(found.iter().zip(&exact).map(|(a, b)| (a - b).norm_squared()).sum())
    };
    let explicit = methods().into_iter().filter_map(|method| {
        let can = method::capabilities(&method);
        (!can.implicit && !can.adaptive).then_some((method, can.order))
    });
    let mut counted = 0;
    for (method, order) in explicit {
        let h = if order > 3 { 1.0 / 64.0 } else { 1.0 / 256.0 };
        let [coarse, fine] = [error(&method, h), error(&method, 0.5 * h)];
        let measured = (coarse / fine).log2();
        println!("{method}: {coarse:.2e}, {fine:.2e}: order {measured:.2}");
        assert!((measured / f64::from(order) - 1.0).abs() < 0.1, "{method}: order {measured}");
        counted += 1;
    }
    assert!(counted >= 8);
}

/// An adaptive method leaves the manifold only as far as its tolerance lets it.
#[test]
fn adaptive_methods_find_the_same() {
    let exact = tumbled("\"rk45\", adaptive = false", 1.0 / 1024.0);
    for method in ["\"dopri5\"", "\"dop853\"", "\"rk45\""] {
        let found = tumbled(&format!("{method}, rtol = 1e-10, atol = 1e-10"), 0.125);
        let off = found.iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        println!("{method}: {off:.2e}");
        assert!(off < 1e-8, "{method}: {off:e}");
    }
}
