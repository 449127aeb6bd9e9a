//! Effects of impulses, against the motion itself.

use super::*;
use crate::contact::anisotropy::{Anisotropy, Rule};
use crate::state::Configuration;
use crate::world::shapes::{Family, lattice::Lattice};
use crate::world::{Body, BuildOptions, Built, Collider, World, named};

pub mod given;

/// Two bricks, one on the other, each rigid or not, on a floor with a grain.
fn pile(rigid: [bool; 2]) -> Built {
    let brick = |name: &str, rigid: bool, z: f64, x: f64| {
        let shape = Lattice::new([3, 3, 2], 0.1);
        let brick = Body::new(name, shape).mass(2.0).rigid(rigid).radius(0.05);
        let brick = brick.spring(Family::Edge, 1e4, 0.0).position([x, 0.01, z]);
        brick.velocity([0.3, -0.2, -0.5]).spin([0.4, 0.7, -0.3])
    };
    let mut world = impacts();
    world.between_bodies(true);
    world.body(brick("low", rigid[0], 0.049, 0.0));
    world.body(brick("high", rigid[1], 0.247, 0.03));
    let direction = Vector::new(1.0, 1.0, 0.0).normalize();
    let grain = Anisotropy { direction, ratio: 2.0, backward: 1.0, rule: Rule::Ellipse };
    let floor = Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]).anisotropy(grain);
    world.collider(floor);
    built(&world)
}

/// A world of impulse contacts, without bodies.
fn impacts() -> World {
    let mut world = World::new();
    world.material(("m", 0.4, 0.4));
    world.contact_method("impulse").step(1e-3);
    world.normal(named("linear").with("stiffness", 1e4));
    world
}

fn built(world: &World) -> Built {
    world.build(&BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn problem_of(built: &Built) -> ContactProblem {
    let (model, state) = (&built.model, &built.state);
    let at = Configuration { time: 0.0, ..state.configuration() };
    let mut near = Vec::new();
    model.surfaces.near(&at, 1e-7, &mut near);
    near.retain(|near| near.depth >= 0.0);
    ContactProblem::new(model, state, &state.velocities, &near, &state.positions)
}

const ALL: [[bool; 2]; 4] = [[true, true], [true, false], [false, true], [false, false]];

/// K and the coupling blocks against kicks, and the frame's velocities against those of particles
#[test]
fn inverse_mass_is_the_velocity_of_a_unit_impulse() {
    for rigid in ALL {
        let built = pile(rigid);
        let problem = problem_of(&built);
        let kinds = problem.rows.iter().map(|row| row.near.key.collider().is_some());
        assert!(
            kinds.clone().any(|on_collider| on_collider)
                && !kinds.clone().all(|on_collider| on_collider)
        );
        for j in 0..problem.rows.len() {
            for axis in 0..3 {
                let mut kicked = problem.clone();
                kicked.kick(j, Vector::ith(axis, 1.0));
                for i in 0..problem.rows.len() {
                    let moved = kicked.velocity(&kicked.rows[i]) - problem.rows[i].free;
                    let block = problem.coupling(i, j);
                    let size = block.norm() + problem.rows[i].inverse_mass.norm();
                    assert!(
                        (moved - block.column(axis)).norm() < 1e-12 * size,
                        "{rigid:?} {i} {j}"
                    );
                }
            }
            let k = problem.rows[j].inverse_mass;
            assert!((problem.coupling(j, j) - k).norm() < 1e-13 * k.norm());
            assert!((problem.rows[j].before - problem.rows[j].free).norm() < 1e-13, "{rigid:?}");
        }
    }
}

/// ½ Σ m v² \[J\]
fn kinetic(built: &Built) -> f64 {
    let particles = built.model.masses.iter().zip(&built.state.velocities);
    0.5 * particles.map(|(m, v)| m * v.norm_squared()).sum::<f64>()
}

/// the work of an impulse is the gain of kinetic energy, and impulses between bodies conserve momentum
#[test]
fn impulses_work_and_make_no_momentum_between_bodies() {
    for rigid in ALL {
        let mut built = pile(rigid);
        let mut problem = problem_of(&built);
        let (before, momentum) = (kinetic(&built), built.model.momentum(&built.state.velocities));
        let number =
            problem.rows.iter().position(|row| row.near.key.collider().is_none()).expect("one");
        let p = Vector::new(0.3, -0.2, 0.1);
        problem.kick(number, p);
        let row = problem.rows[number];
        let work = p.dot(&((row.free + problem.velocity(&row)) * 0.5));
        problem.finish(&built.model, &mut built.state, 0.0, |_| false);
        let gained = kinetic(&built) - before;
        assert!((gained - work).abs() < 1e-12, "{rigid:?}: {gained} {work}");
        let made = built.model.momentum(&built.state.velocities) - momentum;
        assert!(made.norm() < 1e-13, "{rigid:?}: {made}");
    }
}

/// in a planar scene nothing moves along the locked axis, and the inverse leaves it out
#[test]
fn a_locked_axis_takes_no_impulse() {
    let mut world = impacts();
    world.locked_axis(1);
    world.body(Body::new("p", named("particle")).mass(2.0).velocity([1.0, 0.0, -1.0]));
    world.collider(Collider::plane("slope", [1.0, 0.0, 2.0], [0.0; 3]));
    let built = built(&world);
    let problem = problem_of(&built);
    let row = problem.rows[0];
    let p = row.inverse * Vector::new(1.0, 1.0, 1.0);
    let world = row.frame * p;
    assert!(world.y.abs() < 1e-15, "{world}");
    assert!((world.norm() - 2.0 * 2f64.sqrt()).abs() < 1e-12, "{world}");
}
