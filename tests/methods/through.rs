//! Bodies that go through each other between two accepted states, at neither of which they touch.

use stiction_core::diagnosis::tunnelling::PassedThrough;
use stiction_core::nalgebra::Vector3;
use stiction_core::simulation::Simulation;
use stiction_core::world::shapes::lattice::Lattice;
use stiction_core::world::{Body, World, named};

/// Half the thickness of the sheets [m].
const RADIUS: f64 = 0.01;

/// A sheet that comes down at `speed` on another, from 15 cm above it, beside a large box, after
/// one step of 10 ms; all of it moved by `origin`.
fn stepped(speed: f64, origin: Vector3<f64>) -> Simulation {
    let mut world = World::new();
    world.material(("steel", 0.3, 0.3));
    world.normal(named("linear").with("stiffness", 1e4));
    world.gravity([0.0; 3]).between_bodies(true).step(1e-2);
    let sheet = |name: &str| {
        let lattice = Lattice::new([5, 5, 1], 0.1);
        Body::new(name, lattice).mass(1.0).springs(1e3, 0.0).radius(RADIUS).position(origin)
    };
    world.body(sheet("lower"));
    let above = origin + Vector3::new(0.0, 0.0, 0.15);
    world.body(sheet("upper").position(above).velocity([0.0, 0.0, -speed]));
    let block = Body::new("block", Lattice::new([2, 2, 2], 0.6)).mass(9.0).springs(1e3, 0.0);
    world.body(block.radius(RADIUS).position(origin + Vector3::new(3.0, 0.0, 0.0)));
    let mut run = world.simulate().expect("a world");
    run.advance().expect("a step");
    run
}

fn told(run: &Simulation) -> Option<PassedThrough> {
    let verdict = run.verdict();
    verdict.reasons.iter().find_map(|reason| reason.numbers::<PassedThrough>().cloned())
}

/// At 30 m/s the sheet goes 30 cm, from 15 cm above to 15 cm below. Each of the 25 particles of one
/// goes through the other, which is 2 cm thick, and 4 cm with the particle's own radius. The origin
/// does not matter.
#[test]
fn a_sheet_that_jumps_through_another_is_told_wherever_they_are() {
    for origin in [Vector3::zeros(), Vector3::new(10.0, 20.0, 30.0), Vector3::new(-7.0, -7.0, -9.0)]
    {
        let run = stepped(30.0, origin);
        let below = run.state.positions[25].z - origin.z;
        assert!((below + 0.15).abs() < 1e-9, "it does not test a passage: {below}");
        let found = told(&run).unwrap_or_else(|| panic!("{origin}: {:?}", run.verdict()));
        assert_eq!((found.through.as_str(), found.particle, found.count), ("lower", 25, 50));
        assert!((found.depth - 4.0 * RADIUS).abs() < 1e-9, "{found:?}");
        assert!((found.way - 0.3).abs() < 1e-9, "{found:?}");
    }
}

/// At 12 m/s it ends 3 cm above the other; they would touch at 2 cm.
#[test]
fn a_sheet_that_ends_before_another_has_not_gone_through_it() {
    assert_eq!(told(&stepped(12.0, Vector3::zeros())), None);
}
