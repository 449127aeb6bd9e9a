//! How long a substep may be before a collider that could be passed through.

use stiction_core::math::Vector;
use stiction_core::world::{Body, Collider, Push, World, named};

/// A plate 2 cm thick and a ball of 1 cm: what moves by 2 cm passes through nothing.
const HARMLESS: f64 = 0.02;

/// The longest substep of a ball that comes towards the plate, at a gap, a speed and a
/// deceleration.
fn longest(gap: f64, speed: f64, acceleration: f64, h: f64) -> f64 {
    let mut world = World::new();
    world.material(("steel", 0.3, 0.3));
    world.normal(named("linear").with("stiffness", 1e4));
    world.collider(Collider::new("plate", named("box").with("size", [1.0, 1.0, 0.02])));
    world.body(Body::new("ball", "particle").mass(1.0).radius(0.01));
    let surfaces = world.simulate().expect("a world").model;
    let position = [Vector::new(0.0, 0.0, 0.01 + 0.01 + gap)];
    let velocity = [Vector::z() * -speed];
    let push = |_| Vector::z() * acceleration;
    surfaces.surfaces.longest_substep(0.0, h, [&position, &velocity], push)
}

/// A substep goes as far as the surface; near it and inside it, half of the harmless distance; the
/// whole step if the surface is out of reach or the ball too slow; and no less than a 256th of the
/// step.
#[test]
fn a_substep_reaches_the_surface_and_no_further() {
    let h = 1e-2;
    for (gap, speed, acceleration, right) in [
        (0.3, 100.0, 0.0, 0.3 / 100.0),
        (0.3, 50.0, 5000.0, 0.3 / 100.0),
        (0.012, 100.0, 0.0, 0.012 / 100.0),
        (0.005, 100.0, 0.0, 0.5 * HARMLESS / 100.0),
        (-0.005, 100.0, 0.0, 0.5 * HARMLESS / 100.0),
        (1.5, 100.0, 0.0, h),
        (0.3, 0.99 * HARMLESS / h, 0.0, h),
        (0.001, 1e5, 0.0, h / 256.0),
    ] {
        let found = longest(gap, speed, acceleration, h);
        assert!(
            (found / right - 1.0).abs() < 1e-12,
            "{gap} m away at {speed} m/s: {found} s, not {right} s"
        );
    }
}

/// A particle pressed slowly into a thick slab with two faces, on soft contact: past the middle it is pushed
/// out behind. A formula has no known thickness; the normal that turns over tells.
#[test]
fn a_particle_pressed_past_the_middle_of_a_formula_is_told() {
    let pressed = |force: f64| {
        let mut world = World::new();
        world.gravity([0.0, 0.0, 0.0]);
        world.material(("foam", 0.3, 0.3));
        world.normal(named("linear").with("stiffness", 100.0).with("damping", 20.0));
        world.friction(named("threshold").with("epsilon", 1e-2));
        world.collider(Collider::new("slab", named("implicit").with("phi", "z^2 - 0.01")));
        let ball = world.body(Body::new("ball", "particle").mass(1.0).position([0.0, 0.0, 0.1]));
        world.push(Push::new(ball, [0.0, 0.0, -force]));
        world.integrator("rk4").step(1e-3);
        let mut run = world.simulate().expect("a world");
        run.advance_to(4.0).expect("it is pressed");
        (run.verdict().marks(), run.state.positions[0].z)
    };
    // 100 N/m times the half thickness of .1 m are 10 N
    let (marks, z) = pressed(8.0);
    assert!(!marks.contains("too-deep") && z > 0.0, "{marks} at {z} m");
    let (marks, z) = pressed(15.0);
    assert!(marks.contains("too-deep") && z < 0.0, "{marks} at {z} m");
}
