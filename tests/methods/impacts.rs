//! Impacts and paths that the step does not resolve: wrong rebounds are flagged, right ones not.

use crate::support::simulation;
use stiction_core::contact::normal::linear::restitution;
use stiction_core::integrators::{Capabilities, INTEGRATORS};
use stiction_core::math::{PI, cos, larger, radians, sin};
use stiction_core::registry::Values;
use stiction_core::simulation::Simulation;

fn capabilities(name: &str) -> Capabilities {
    let row = INTEGRATORS.find(name).expect("the row");
    (row.make)(&Values::defaults(row.keys)).expect("a method").capabilities()
}

const OMEGA: f64 = 100.0;
const SPEED: f64 = 0.5;

/// A ball of 1 kg that meets a plane with h ω and ζ after one step and the share `phase` of
/// another.
fn flight(method: &str, homega: f64, zeta: f64, phase: f64) -> Simulation {
    let h = homega / OMEGA;
    simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, 0] }}
        time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
        integrator = {{ method = \"{method}\" }}
        materials.ball.static_friction = 0.3
        [contact]
        normal = {{ stiffness = {:e}, damping = {:e} }}
        friction = {{ law = \"threshold\", epsilon = 1e-2 }}
        [[body]]
        name = \"ball\"
        material = \"ball\"
        mass = 1.0
        shape = {{ particle = {{}} }}
        position = [0, 0, {:e}]
        velocity = [0, 0, {:e}]
        [[collider]]
        name = \"floor\"
        material = \"ball\"
        shape = {{ plane = {{}} }}
        ",
        OMEGA * OMEGA,
        2.0 * zeta * OMEGA,
        20.0 * SPEED / OMEGA + SPEED * h * phase,
        -SPEED
    ))
}

/// The speed after over the speed before and the largest depth, once it is clear of the plane; and
/// whether the run is flagged.
fn rebound(mut flight: Simulation) -> (f64, f64, bool) {
    let start = flight.state.positions[0].z;
    let mut deepest: f64 = 0.0;
    while flight.state.positions[0].z <= start && flight.state.step_count < 20_000 {
        if flight.advance().is_err() {
            return (f64::INFINITY, f64::INFINITY, true);
        }
        deepest = deepest.max(-flight.state.positions[0].z);
    }
    (flight.state.velocities[0].z / SPEED, deepest, !flight.verdict().faultless())
}

const DAMPINGS: [f64; 4] = [0.0, 0.1, 0.3, 0.7];
const PHASES: [f64; 5] = [0.0, 0.2, 0.4, 0.6, 0.8];

#[test]
fn wrong_rebounds_are_flagged_and_right_ones_are_not() {
    let (mut wrong, mut missed, mut right, mut alarms) = (0, 0, 0, 0);
    let exact =
        DAMPINGS.map(|zeta| (restitution(zeta), rebound(flight("rk4", 0.002, zeta, 0.0)).1));
    for row in INTEGRATORS.iter().filter(|row| !capabilities(row.name).adaptive) {
        for homega in [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0] {
            let mut runs = Vec::new();
            for (zeta, (e, depth)) in DAMPINGS.into_iter().zip(exact) {
                for phase in PHASES {
                    let (speed, deepest, flagged) = rebound(flight(row.name, homega, zeta, phase));
                    let off = ((speed - e).abs(), (deepest / depth - 1.0).abs());
                    let case = format!(
                        "{} hω {homega} ζ {zeta} phase {phase}: off by {off:.3?}",
                        row.name
                    );
                    runs.push((off, flagged, case));
                }
            }
            // where in a step an impact begins is chance, and without damping symplectic Euler is
            // reversible: good luck is not being right
            let all_right = runs.iter().all(|(off, ..)| off.0 < 0.01 && off.1 < 0.01);
            for ((speed_off, _), flagged, case) in runs {
                wrong += usize::from(speed_off > 0.1);
                right += usize::from(all_right);
                if speed_off > 0.1 && !flagged {
                    missed += 1;
                    println!("missed {case}");
                } else if all_right && flagged {
                    alarms += 1;
                    println!("false alarm {case}");
                }
            }
        }
    }
    println!("{missed} of {wrong} missed, {alarms} of {right} false alarms");
    assert!(wrong > 50 && right > 50, "{wrong}, {right}");
    assert_eq!(missed, 0);
    assert!(100 * alarms <= right, "{alarms} of {right}");
}

/// A plate that comes up to a ball at rest strikes it as the ball would strike the plate: an
/// unresolved impact is told with the same speeds, whichever moves. A plate that goes with the ball
/// does not strike it.
#[test]
fn an_impact_is_the_same_whoever_moves() {
    let struck = |plate: f64, ball: f64| {
        // for a thousandth of its period it goes evenly
        let frequency = plate / (2.0 * PI);
        let mut run = simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 0.02, step = 1e-3, output = 0.02 }}
            integrator = {{ method = \"symplectic-euler\" }}
            materials.wood = {{ static_friction = 0.5 }}
            contact.normal = {{ stiffness = 1e6, damping = 0 }}
            [[body]]
            name = \"ball\"
            mass = 1
            shape = {{ particle = {{}} }}
            position = [0, 0, 2.5e-3]
            velocity = [0, 0, {ball:e}]
            [[collider]]
            name = \"plate\"
            shape = {{ plane = {{}} }}
            motion.oscillate = {{ direction = [0, 0, 1], amplitude = 1, frequency = {:e} }}
            ",
            frequency.abs()
        ));
        for _ in 0..6 {
            run.advance().expect("a step");
        }
        run.watches.impacts.worst
    };
    let by_ball = struck(1e-12, -1.0).expect("not resolved");
    let by_plate = struck(1.0, 0.0).expect("not resolved");
    let by_both = struck(0.4, -0.6).expect("not resolved");
    // the ball comes at 1 m/s and is found .5 mm deep: 500 N, which make .5 m/s in a step
    assert!((by_ball.speed - 1.5).abs() < 1e-6, "{by_ball:?}");
    assert!((by_ball.error - 0.25).abs() < 1e-6, "{by_ball:?}");
    for other in [by_plate, by_both] {
        assert_eq!(other.time, by_ball.time);
        assert!((other.speed - by_ball.speed).abs() < 1e-3, "{other:?} {by_ball:?}");
        assert!((other.error / by_ball.error - 1.0).abs() < 1e-2, "{other:?} {by_ball:?}");
    }
    assert_eq!(struck(1.0, 1.0), None, "it goes with the ball");
}

/// Velocity along the floor after an oblique impact at 2 m/s, and the names of reasons.
fn oblique(method: &str, angle: f64, mu: f64, gravity: f64, end: f64) -> (f64, Vec<&'static str>) {
    let [c, s] = [cos(radians(angle)), sin(radians(angle))];
    let mut run = simulation(&format!(
        "format = 1
        world.gravity = [0, 0, {gravity}]
        time = {{ end = {end}, step = 1e-4, output = {end} }}
        integrator.method = \"{method}\"
        materials.ball = {{ static_friction = {mu}, restitution = 0.5 }}
        contact = {{ normal = {{ stiffness = 1e5 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
        [[body]]
        name = \"ball\"
        mass = 1.0
        shape.particle = {{}}
        position = [0, 0, 0.02]
        velocity = [{:e}, 0, {:e}]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        ",
        2.0 * s,
        -2.0 * c
    ));
    for _ in 0..(end / 1e-4).round() as u64 {
        run.advance().expect("a step");
    }
    let reasons = run.verdict().reasons.iter().map(|reason| reason.name()).collect();
    (run.state.velocities[0].x, reasons)
}

/// Friction passes on μ (1 + e) v_n, or stops the slip within the impact: h λ is then far above the limit,
/// and harmless. In a contact that lasts it is not.
#[test]
fn friction_above_its_limit_counts_in_contacts_that_last() {
    for method in ["rk4", "symplectic-euler"] {
        for (angle, mu) in
            [(20.0, 0.1), (20.0, 0.3), (20.0, 0.6), (45.0, 0.3), (45.0, 0.6), (60.0, 0.6)]
        {
            let (found, reasons) = oblique(method, angle, mu, 0.0, 0.1);
            let [c, s] = [cos(radians(angle)), sin(radians(angle))];
            let theory = larger(2.0 * s - mu * 1.5 * 2.0 * c, 0.0);
            let off = (found - theory).abs();
            assert!(off < 0.01, "{method}, {angle} degrees, μ {mu}: off by {off} m/s");
            assert!(reasons.is_empty(), "{method}, {angle} degrees, μ {mu}: {reasons:?}");
        }
        // 100 times the weight keeps it on the floor, at h λ = 29
        let (_, reasons) = oblique(method, 20.0, 0.3, -981.0, 0.5);
        assert!(reasons.contains(&"step-above-friction-limit"), "{method}: {reasons:?}");
    }
}
