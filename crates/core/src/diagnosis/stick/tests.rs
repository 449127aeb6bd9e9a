//! Restarts of records when a contact begins or ends.

use super::super::record::WindowRecord;
use crate::math::Vector;
use crate::simulation::Simulation;
use crate::world::shapes::{Family, Geometry, Link};
use crate::world::{Body, Collider, Push, World, named};

/// Two pairs of blocks on a floor, each joined by a spring and pushed with less than friction can bear.
fn pairs() -> Simulation {
    let mut world = World::new();
    world.gravity([0.0, 0.0, -9.81]).locked_axis(1).step(1e-3);
    world.material(("wood", 0.5, 0.5));
    world.normal(named("linear").with("stiffness", 1e4).with("damping", 100.0));
    world.friction(named("threshold").with("epsilon", 0.1));
    world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
    for (name, x) in [("left", -5.0), ("right", 5.0)] {
        let (a, b) = (Vector::zeros(), Vector::x());
        let joined = Geometry {
            positions: vec![a, b],
            links: vec![Link::new(0, 1, Family::Edge)],
            ..Geometry::default()
        };
        let pair = Body::new(name, joined).mass(2.0).spring(Family::Edge, 100.0, 1.0);
        let pair = world.body(pair.position([x, 0.0, -9.81e-4]));
        world.push(Push::new(pair, [3.0, 0.0, 0.0]));
    }
    world.simulate().expect("it fits together")
}

/// Steps in the records of the bodies, and in those of the contacts by particle.
fn ages(run: &Simulation) -> ([f64; 2], Vec<(u32, f64)>) {
    let stick = &run.watches.stick;
    let age = |record: &WindowRecord| record.steps();
    let bodies = [0, 1]
        .map(|body: usize| age(stick.bodies[body].record.as_ref().expect("a body in contact")));
    (bodies, stick.kept.iter().map(|kept| (kept.particle, age(&kept.record))).collect())
}

/// Where a contact opened or closed, the record of its body restarts, for other contacts now share the
/// load; the record of its other contact does not.
#[test]
fn a_bodys_record_begins_anew_when_one_of_its_contacts_opens_or_closes() {
    let mut run = pairs();
    (0..40).for_each(|_| run.advance().expect("a step"));
    let (bodies, contacts) = ages(&run);
    // the record of a body begins at its first state
    assert_eq!(bodies, [39.0, 39.0]);
    assert_eq!(contacts, [(0, 40.0), (1, 40.0), (2, 40.0), (3, 40.0)]);
    let depth = run.state.positions[1].z;
    run.state.positions[1].z = 0.01;
    run.advance().expect("a step");
    let (bodies, contacts) = ages(&run);
    assert_eq!(bodies, [0.0, 40.0], "one contact of the left body opened");
    assert_eq!(contacts, [(0, 41.0), (2, 41.0), (3, 41.0)]);
    (0..5).for_each(|_| run.advance().expect("a step"));
    assert_eq!(ages(&run).0, [5.0, 45.0]);
    run.state.positions[1].z = depth;
    run.state.velocities[1] = run.state.velocities[0];
    run.advance().expect("a step");
    let (bodies, contacts) = ages(&run);
    assert_eq!(bodies, [0.0, 46.0], "one contact of the left body closed");
    assert_eq!(contacts.len(), 4);
}
