//! The hand: a grip is a damped spring, to explicit and implicit methods alike.

use crate::support::simulation;
use proptest::prelude::*;
use stiction_core::forces::hand::Handling;
use stiction_core::forces::{BlockSink, Force};
use stiction_core::math::{Matrix, Vector, cos, exp, sin, sqrt};
use stiction_core::state::memory::Memory;
use stiction_core::state::memory::{Grip, Hand, Shove};
use stiction_core::state::{Configuration, Lag};

fn at<'a>(
    positions: &'a [Vector],
    velocities: &'a [Vector],
    memory: &'a Memory,
) -> Configuration<'a> {
    Configuration {
        time: 0.0,
        positions,
        velocities,
        memory,
        stretch: None,
        lag: Lag::NONE,
        within_step: false,
    }
}

/// Blocks of two particles, gathered.
#[derive(Default)]
struct Blocks([[Matrix; 2]; 2]);

impl BlockSink for Blocks {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        assert_eq!(i, j, "a grip holds every particle alone");
        self.0[i][0] += by_position;
        self.0[i][1] += by_velocity;
    }
}

/// A particle drawn to a grip swings as x = e^(−ct/2m)(cos ωt + c/(2mω) sin ωt) x0 with ω² = k/m −
/// (c/2m)², and the hand has taken the energy that it lost.
#[test]
fn a_grip_is_a_damped_spring() {
    let (mass, stiffness, damping, x0, end) = (2.0, 50.0, 4.0, 0.3, 1.5);
    let rate = damping / (2.0 * mass);
    let omega = sqrt(stiffness / mass - rate * rate);
    let x = |t: f64| x0 * exp(-rate * t) * (cos(omega * t) + rate / omega * sin(omega * t));
    let v = |t: f64| -x0 * exp(-rate * t) * sin(omega * t) * (omega + rate * rate / omega);
    for (method, h, tolerance) in [("rk4", 1e-3, 1e-9), ("implicit-midpoint", 1e-3, 1e-5)] {
        let mut run = simulation(&format!(
            "format = 1
            world.gravity = [0, 0, 0]
            time = {{ end = {h}, step = {h}, output = {h} }}
            integrator.method = \"{method}\"
            materials.wood = {{ static_friction = 0.5 }}
            [[body]]
            name = \"held\"
            mass = {mass}
            shape = {{ particle = {{}} }}
            "
        ));
        let target = Vector::new(-x0, 0.1, 0.0);
        let offsets = vec![Vector::new(0.0, -0.1, 0.0)];
        let grip = Grip { particles: vec![0], offsets, target, stiffness, damping };
        run.handle(Hand { grip: Some(grip), push: None });
        for step in 1..=1500 {
            run.advance().expect("a step");
            let t = h * f64::from(step);
            let found = run.state.positions[0].x + x0;
            assert!((found - x(t)).abs() < tolerance, "{method} at {t}: {found}, not {}", x(t));
        }
        // the hand's spring is no spring of the scene: its work is the kinetic energy
        let kinetic = 0.5 * mass * v(end) * v(end);
        assert!(
            (run.watches.audit.energies.kinetic - kinetic).abs() < 10.0 * tolerance,
            "{method}"
        );
        let work = run.watches.audit.flows.work;
        assert!((work - kinetic).abs() < 1e-5, "{method}: {work} J, not {kinetic}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    /// The Jacobian is that of the forces, by differences; a push has none.
    #[test]
    fn the_jacobian_of_the_hand_agrees_with_differences(
        numbers in proptest::collection::vec(-1.0..1.0f64, 12), stiffness in 1.0..100.0f64, damping in 0.1..10.0f64,
    ) {
        let three = |k: usize| Vector::new(numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]);
        let (positions, velocities) = ([three(0), three(1)], [three(2), three(3)]);
        let grip = Grip { particles: vec![1], offsets: vec![three(3)], target: three(2), stiffness, damping };
        let push = Shove { particles: vec![0, 1], force: three(1) };
        let memory = Memory { hand: Hand { grip: Some(grip), push: Some(push) }, ..Memory::default() };
        let mut blocks = Blocks::default();
        Handling.add_jacobian(&at(&positions, &velocities, &memory), &mut blocks);
        let forces = |x: &[Vector; 2], v: &[Vector; 2]| {
            let mut f = vec![Vector::zeros(); 2];
            Handling.add_force(&at(x, v, &memory), &mut f);
            f
        };
        for (i, axis) in (0..6).map(|k| (k / 3, k % 3)) {
            for by in [0, 1] {
                let force = |step: f64| {
                    let (mut x, mut v) = (positions, velocities);
                    if by == 0 { x[i][axis] += step } else { v[i][axis] += step }
                    forces(&x, &v)[i]
                };
                let slope = (force(1e-3) - force(-1e-3)) / 2e-3;
                let column = blocks.0[i][by].column(axis).into_owned();
                prop_assert!((slope - column).norm() < 1e-9 * stiffness, "{} {}", slope, column);
            }
        }
    }
}

/// A push that becomes another one at a moment: its power jumps by the difference, so that work is what the
/// particle gains.
#[test]
fn a_push_that_changes_does_the_work_of_both() {
    let mut run = simulation(
        "format = 1
        world.gravity = [0, 0, 0]
        time = { end = 1e-2, step = 1e-2, output = 1e-2 }
        integrator.method = \"rk4\"
        materials.wood = { static_friction = 0.5 }
        [[body]]
        name = \"pushed\"
        mass = 2.0
        shape = { particle = {} }
        velocity = [1, 0, 0]
        ",
    );
    for force in [4.0, -1.0, 6.0] {
        let push = Shove { particles: vec![0], force: Vector::x() * force };
        run.handle(Hand { grip: None, push: Some(push) });
        for _ in 0..10 {
            run.advance().expect("a step");
        }
        let speed = run.state.velocities[0].x;
        let (gained, work) = (speed * speed - 1.0, run.watches.audit.flows.work);
        assert!((work - gained).abs() < 1e-12, "{force} N: {work} J, {gained} J gained");
    }
}
