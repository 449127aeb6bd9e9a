//! Quantities that follow time: pins, colliders, muscles, pushes and gravity, and friction with two
//! senses under them.

use crate::support::simulation;
use proptest::prelude::*;
use stiction_core::diagnosis::motion::CurveUnresolved;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{PI, sin};
use stiction_core::simulation::Simulation;

const STEP: f64 = 1e-3;

/// A scene under gravity, by its method and the rest of its text.
fn scene(method: &str, gravity: f64, rest: &str) -> Simulation {
    in_world(method, &format!("{{ gravity = [0, 0, -{gravity}] }}"), rest)
}

/// As [`scene`], with a table `[world]`.
fn in_world(method: &str, world: &str, rest: &str) -> Simulation {
    simulation(&format!(
        "format = 1
        world = {world}
        time = {{ end = 1, step = {STEP}, output = {STEP} }}
        integrator.method = \"{method}\"
        materials.wood = {{ static_friction = 0.4 }}
        [contact]
        normal = {{ stiffness = 1e4, damping = 10 }}
        friction = {{ law = \"threshold\", epsilon = 1e-2 }}
        {rest}"
    ))
}

const PAIR: &str = "
    [[body]]
    name = \"pair\"
    shape = { points = { positions = [[0, 0, 1], [0.5, 0, 1]], masses = [1, 1], links = [[0, 1]] } }
    springs = { edge = { stiffness = 100, damping = 20 } }
    ";

/// Minimum jerk, 10u³ − 15u⁴ + 6u⁵.
fn smooth(u: f64) -> f64 {
    u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
}

#[test]
fn a_guided_pin_is_where_its_curve_is_at_every_state_under_every_method() {
    for row in INTEGRATORS.iter() {
        let mut run = scene(
            row.name,
            0.0,
            &format!(
                "{PAIR}
                [[pin]]
                name = \"hand\"
                body = \"pair\"
                where = {{ particles = [0] }}
                axes = \"xz\"
                motion = {{ velocity = [0, 0, 0.5] }}
                [[motion]]
                of = \"hand\"
                direction = [2, 0, 0]
                at = [[0.05, 1.0], [0.25, 1.3], [0.35, 1.1]]"
            ),
        );
        for _ in 0..400 {
            run.advance().expect("it takes the step");
            let t = run.state.time;
            let expected = match t {
                t if t <= 0.05 => 0.0,
                t if t <= 0.25 => 0.3 * smooth((t - 0.05) / 0.2),
                t if t <= 0.35 => 0.3 - 0.2 * smooth((t - 0.25) / 0.1),
                _ => 0.1,
            };
            let x = run.state.positions[0];
            assert!((x.x - expected).abs() < 1e-13, "{}: {} at {t}", row.name, x.x - expected);
            assert!((x.z - 1.0 - 0.5 * t).abs() < 1e-13, "{} at {t}", row.name);
        }
        assert_eq!(run.state.velocities[0].x, 0.0, "{}", row.name);
        let audit = &run.watches.audit;
        assert!(
            audit.residual().abs() < 0.02 * audit.throughput() + audit.doubt(),
            "{}: {} of {}",
            row.name,
            audit.residual(),
            audit.throughput()
        );
    }
}

/// A muscle settles at the length l0 s, and its work is entered: it pulls a mass against nothing,
/// so that its work is kinetic and spring energy and the energy taken by dampers.
#[test]
fn a_muscle_settles_at_its_own_rest_length_and_its_work_is_entered() {
    for method in ["rk4", "implicit-midpoint", "symplectic-euler", "rk45"] {
        let mut run = scene(
            method,
            0.0,
            &format!(
                "{PAIR}\n[[muscle]]\nbody = \"pair\"\nat = [[0, 1], [0.5, 0.6]]\nbetween = \"linear\""
            ),
        );
        for _ in 0..3000 {
            run.advance().expect("it takes the step");
        }
        let length = (run.state.positions[1] - run.state.positions[0]).norm();
        assert!((length - 0.3).abs() < 1e-6, "{method}: {length}");
        let audit = &run.watches.audit;
        assert!(audit.throughput() > 0.01, "{method}");
        assert!(
            audit.residual().abs() < 2e-3 * audit.throughput(),
            "{method}: {}",
            audit.residual()
        );
    }
}

/// A force F s(t) gives the impulse F ∫s, gravity the same with g.
#[test]
fn factors_scale_pushes_and_gravity() {
    let body = "
        [[body]]
        name = \"ball\"
        mass = 2
        shape = { particle = {} }
        position = [0, 0, 5]
        ";
    let mut run = scene(
        "rk4",
        0.0,
        &format!(
            "{body}\n[[push]]\nbody = \"ball\"\nforce = [3, 0, 0]\nfactor = {{ formula = \"sin(pi*t)^2\" }}"
        ),
    );
    run.advance_to(0.8).expect("it runs");
    // ∫ sin² πt = t/2 − sin(2πt)/4π
    let impulse = 3.0 * (0.4 - sin(1.6 * PI) / (4.0 * PI));
    assert!((run.state.velocities[0].x - impulse / 2.0).abs() < 1e-10);

    let world = "{ gravity = [0, 0, -9.81], gravity_factor = { at = [[0.2, 0], [0.6, 1]] } }";
    let mut run = in_world("rk4", world, body);
    run.advance_to(0.2).expect("it runs");
    assert_eq!(run.state.velocities[0].z, 0.0);
    run.advance_to(0.8).expect("it runs");
    assert!((run.state.velocities[0].z + 9.81 * (0.2 + 0.2)).abs() < 1e-9);
    // potential energy appears as gravity is switched on at a height, and is entered as work
    let audit = &run.watches.audit;
    assert!(audit.residual().abs() < 1e-6 * audit.throughput(), "{}", audit.residual());
}

/// A block that a force drags over ground from rest gains Ek = t² (|F| − μ m g)²/(2 m): μ forward,
/// twice as much backward, three times sideways.
#[test]
fn a_dragged_block_feels_the_coefficient_of_its_sense() {
    for (force, mu) in [([8.0f64, 0.0], 0.4), ([-12.0, 0.0], 0.8), ([0.0, 16.0], 1.2)] {
        let mut run = scene(
            "rk4",
            9.81,
            &format!(
                "[[body]]
                name = \"block\"
                mass = 1
                shape = {{ particle = {{}} }}
                position = [0, 0, -9.81e-4]
                anisotropy = {{ direction = [1, 0, 0], ratio = 3, backward = 2 }}
                [[push]]
                body = \"block\"
                force = [{}, {}, 0]
                [[collider]]
                name = \"ground\"
                shape = {{ plane = {{}} }}",
                force[0], force[1]
            ),
        );
        run.advance_to(0.5).expect("it runs");
        let net = force[0].abs() + force[1].abs() - mu * 9.81;
        let exact = 0.25 * net * net / 2.0;
        let v = run.state.velocities[0].norm_squared() * 0.5;
        // the block starts in the ramp below ε, which spares it ε/net of the time at most
        assert!((v / exact - 1.0).abs() < 0.02, "{force:?}: {v} for {exact}");
        assert!(v > exact * 0.999, "{force:?}");
    }
}

/// A swing at the step's own frequency looks like rest to a method; the watch says so.
#[test]
fn a_curve_that_the_step_does_not_resolve_is_told() {
    for (frequency, resolved) in [(1000.0, false), (120.0, false), (60.0, true), (1.0, true)] {
        let mut run = scene(
            "rk4",
            9.81,
            &format!(
                "[[body]]
                name = \"block\"
                mass = 1
                shape = {{ particle = {{}} }}
                position = [0, 0, -9.81e-4]
                [[collider]]
                name = \"table\"
                shape = {{ plane = {{}} }}
                [[motion]]
                of = \"table\"
                surface = true
                direction = [1, 0, 0]
                formula = \"1e-4*sin(2*pi*{frequency}*t)\""
            ),
        );
        run.advance_to(0.3).expect("it runs");
        let verdict = run.verdict();
        let told =
            verdict.reasons.iter().any(|reason| reason.numbers::<CurveUnresolved>().is_some());
        assert_eq!(!told, resolved, "{frequency} Hz");
    }
}

proptest! {
    /// between corners and across them, a linear curve that is cut by steps takes nothing from the
    /// order: the free end follows the same path at half the step
    #[test]
    fn corners_inside_steps_end_them(corner in 0.0203f64..0.0497) {
        let path = |parts: u64| {
            let mut run = scene(
                "rk4",
                0.0,
                &format!(
                    "{PAIR}\n[[muscle]]\nbody = \"pair\"\nat = [[{corner}, 1], [0.08, 0.5]]\nbetween = \"linear\""
                ),
            );
            run.refine_parts(parts as u32);
            run.advance_to(0.1).expect("it runs");
            run.state.positions[1].x
        };
        prop_assert!((path(1) - path(4)).abs() < 1e-9);
    }
}
