//! Impacts and paths that the step does not resolve: wrong rebounds are flagged, right ones are not.

use crate::support::simulation;
use stiction::contact::normal::linear::restitution;
use stiction::integrators::{Capabilities, INTEGRATORS};
use stiction::registry::Values;
use stiction::simulation::Simulation;

fn capabilities(name: &str) -> Capabilities {
    let row = INTEGRATORS.find(name).expect("the row");
    (row.make)(&Values::defaults(row.keys)).expect("a method").capabilities()
}

const OMEGA: f64 = 100.0;
const SPEED: f64 = 0.5;

/// A ball of 1 kg that meets a plane with h ω and ζ after one step and the share `phase` of another.
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
    while flight.state.positions[0].z <= start && flight.state.step < 20_000 {
        if flight.advance().is_err() {
            return (f64::INFINITY, f64::INFINITY, true);
        }
        deepest = deepest.max(-flight.state.positions[0].z);
    }
    (flight.state.velocities[0].z / SPEED, deepest, !flight.verdict().trusted())
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
