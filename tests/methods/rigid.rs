//! Rigid twins: the particles of a body keep their distances, and the body moves as Newton and
//! Euler say: alone in space, against another; and what it cannot do. Friction is in
//! rigid_friction.

use crate::support::method;
use crate::support::method::{advance, methods};
use crate::support::simulation;
use rayon::prelude::*;
use stiction_core::math::{Vector, log, sqrt};
use stiction_core::simulation::Simulation;

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
    let twice = particles.clone().map(|((m, _), v)| m * v.norm_squared());
    Motion {
        momentum: model.momentum(&state.velocities),
        angular: particles.map(|((m, x), v)| x.cross(v) * *m).sum(),
        kinetic: 0.5 * twice.sum::<f64>(),
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

/// Relative changes of energy and of angular momentum.
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
        let measured = log(coarse / fine) / log(2.0);
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

/// Rigid against rigid and rigid against soft: what one gives the other takes.
#[test]
fn collisions_keep_momentum_and_angular_momentum() {
    for rigid in ["rigid = true", ""] {
        let mut run = simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 1, step = 1e-4, output = 1 }}
            integrator = {{ method = \"symplectic-euler\" }}
            materials.wood = {{ static_friction = 0.5 }}
            [contact]
            bodies = true
            normal = {{ stiffness = 1e4, damping = 5 }}
            friction = {{ law = \"threshold\", epsilon = 5e-2 }}
            [[body]]
            name = \"a\"
            rigid = true
            mass = 1
            shape = {{ sphere = {{ radius = 0.2, count = 80 }} }}
            velocity = [1, 0, 0]
            spin = [0, 5, 3]
            [[body]]
            name = \"b\"
            mass = 2
            {rigid}
            shape = {{ sphere = {{ radius = 0.2, count = 80 }} }}
            springs = {{ edge = {{ stiffness = 1e4, damping = 5 }} }}
            position = [0.45, 0.1, 0.05]"
        ));
        let start = motion(&run);
        let mut touched = 0;
        while run.state.time < 0.6 {
            run.advance().expect("a step");
            touched += usize::from(!run.state.memory.contacts.is_empty());
        }
        let end = motion(&run);
        let p = (end.momentum - start.momentum).norm();
        let l = (end.angular - start.angular).norm();
        println!("{rigid}: {touched} steps of contact, momentum {p:.2e}, angular {l:.2e}");
        assert!(touched > 20 && (end.kinetic - start.kinetic).abs() > 0.01);
        assert!(p < 1e-12 && l < 1e-12, "{rigid}: {p:e} {l:e}");
        assert!(drift(&run) < 1e-12);
        assert!(run.verdict().faultless(), "{:?}", run.verdict());
    }
}

#[test]
fn what_a_rigid_body_cannot_do_is_said() {
    let build = |method: &str, more: &str| {
        let text = format!(
            "format = 1
            time = {{ end = 1, step = 1e-3, output = 1 }}
            integrator = {{ method = \"{method}\" }}
            materials.wood = {{ static_friction = 0.5 }}
            contact.normal = {{ stiffness = 1e3, damping = 1 }}
            [[body]]
            name = \"potato\"
            rigid = true
            {POTATO}
            {more}"
        );
        let options = stiction_scene::LoadOptions::default();
        let loaded =
            stiction_scene::load_text("t.toml", &text, std::path::Path::new("."), &options)
                .expect("a scene");
        let options = stiction_scene::build::BuildOptions::default();
        let built = stiction_scene::build::build(&loaded.scene, &options);
        let stiffness = stiction_lab::experiment::stiffness::analyse(
            &loaded.scene,
            &options,
            &Default::default(),
        );
        (built.map(|built| built.remarks), stiffness.map(|_| ()))
    };
    let (fine, stiffness) = build("rk4", "springs.edge = { stiffness = 1e3 }");
    let remarks = fine.expect("a model");
    assert!(remarks[0].contains("springs are not built"), "{remarks:?}");
    assert!(stiffness.expect_err("refused").to_string().contains("stable steps of the rigid body"));
    let pinned = build("rk4", "[[pin]]\nbody = \"potato\"").0.expect_err("refused").to_string();
    assert!(pinned.contains("cannot be pinned"), "{pinned}");
    for method in ["implicit-euler", "imex", "semi-implicit"] {
        let refused = build(method, "").0.expect_err("refused").to_string();
        assert!(refused.contains("cannot move the rigid body `potato`"), "{refused}");
    }
}

/// Velocities given to particles are taken as momentum and angular momentum.
#[test]
fn velocities_that_are_not_rigid_keep_their_momenta() {
    let (x, v) = ("[[0, 0, 0], [1, 0, 0], [0, 1, 0]]", "[[0, 0, 1], [3, 0, 0], [0, 0, 0]]");
    let scene = |rigid: bool| {
        simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 1, step = 1e-3, output = 1 }}
            integrator = {{ method = \"rk4\" }}
            materials.wood = {{ static_friction = 0.5 }}
            contact.normal = {{ stiffness = 1e3, damping = 1 }}
            [[body]]
            name = \"three\"
            rigid = {rigid}
            mass = 3
            shape = {{ points = {{ positions = {x}, velocities = {v} }} }}"
        ))
    };
    let (mut rigid, loose) = (scene(true), scene(false));
    for (a, b) in [
        (motion(&rigid).momentum, motion(&loose).momentum),
        (motion(&rigid).angular, motion(&loose).angular),
    ] {
        assert!((a - b).norm() < 1e-14, "{a} {b}");
    }
    assert!(motion(&rigid).kinetic < motion(&loose).kinetic);
    advance(&mut rigid, 100);
    assert!(drift(&rigid) < 1e-14);
}
