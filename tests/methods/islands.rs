//! Nothing large beside a body hides what is wrong with it, and nothing between two states is lost.

use crate::support::simulation;
use stiction_core::diagnosis::energy_faults::{EnergyResidual, EnergyUnaudited};
use stiction_core::diagnosis::motion::MotionUnresolved;
use stiction_core::diagnosis::tunnelling::PassedThrough;
use stiction_core::diagnosis::watch::Fault;
use stiction_core::simulation::Simulation;

const HEAD: &str = "format = 1
    materials.steel = { static_friction = 0.3, restitution = 0.5 }
    ";

/// m = 1 kg on a spring of 20 N/m, struck by 1 N for 0.05 s.
const OSCILLATOR: &str = "[[body]]
    name = \"oscillator\"
    material = \"steel\"
    mass = 2
    position = [0, 0, 1]
    shape = { rope = { segments = 1, from = [0, 0, 0], to = [1, 0, 0] } }
    springs = { edge = { stiffness = 20 } }
    [[pin]]
    body = \"oscillator\"
    where.particles = [0]
    [[push]]
    body = \"oscillator\"
    force = [1, 0, 0]
    until = 0.05
    ";

fn particle(name: &str, mass: f64, position: [f64; 3], velocity: [f64; 3]) -> String {
    format!(
        "[[body]]
        name = \"{name}\"
        material = \"steel\"
        mass = {mass:e}
        radius = 0.005
        position = {position:?}
        velocity = {velocity:?}
        shape = {{ particle = {{}} }}
        "
    )
}

fn floor(stiffness: f64) -> String {
    format!(
        "[[collider]]
        name = \"floor\"
        material = \"steel\"
        shape.plane = {{}}
        [contact]
        normal = {{ stiffness = {stiffness:e} }}
        friction = {{ law = \"threshold\", epsilon = 1e-2 }}
        "
    )
}

fn under(method: &str, gravity: f64, step: f64, rest: &str) -> Simulation {
    simulation(&format!(
        "{HEAD}
        world.gravity = [0, 0, {gravity}]
        time = {{ end = 100, step = {step:e}, output = {step:e} }}
        integrator = {{ method = \"{method}\" }}
        {rest}"
    ))
}

fn run(simulation: &mut Simulation, steps: u64) {
    for _ in 0..steps {
        simulation.advance().expect("a step");
    }
}

/// The numbers of a reason, if the run has one of that type.
fn told<F: Fault + Clone>(simulation: &Simulation) -> Option<F> {
    simulation.verdict().reasons.iter().find_map(|reason| reason.numbers::<F>().cloned())
}

#[test]
fn a_fast_particle_hides_no_growing_oscillator() {
    for speed in [0.0, 100.0] {
        let flyer = particle("flyer", 1.0, [0.0, 5.0, 0.0], [speed, 0.0, 0.0]);
        let mut simulation = under("explicit-euler", 0.0, 5e-3, &(OSCILLATOR.to_string() + &flyer));
        run(&mut simulation, 2000);
        let found = told::<EnergyResidual>(&simulation).expect("it grows");
        assert!(found.body == 0 && found.residual > 0.3 * found.throughput, "{found:?}");
    }
}

#[test]
fn a_heavy_block_at_rest_hides_no_oscillator_that_loses() {
    // sinks by m g/k = 9.81 mm
    let block = particle("block", 1000.0, [0.0, 5.0, 0.005 - 0.00981], [0.0; 3]);
    let text = OSCILLATOR.to_string() + &block + &floor(1e6);
    let mut simulation = under("implicit-euler", -9.81, 2e-2, &text);
    run(&mut simulation, 200);
    let found = told::<EnergyResidual>(&simulation).expect("it loses");
    assert!(found.body == 0 && found.residual < -0.1 * found.throughput, "{found:?}");
}

#[test]
fn a_ball_that_bounces_too_high_is_told_beside_a_fast_one() {
    let text = particle("ball", 1.0, [0.0, 0.0, 0.505], [0.0; 3])
        + &particle("flyer", 1.0, [0.0, 5.0, 400.0], [100.0, 0.0, 0.0])
        + &floor(1e4).replace("stiffness = 1e4", "stiffness = 1e4, restitution = 1");
    let mut simulation = under("explicit-euler", -9.81, 1e-3, &text);
    run(&mut simulation, 1500);
    let found = told::<EnergyResidual>(&simulation).expect("it rises");
    assert!(found.body == 0 && found.residual > 0.1 * found.throughput, "{found:?}");
}

#[test]
fn no_oscillator_is_too_small() {
    let text = OSCILLATOR
        .replace("mass = 2", "mass = 2e-9")
        .replace("stiffness = 20", "stiffness = 2e-8")
        .replace("[1, 0, 0]\n    until", "[1e-9, 0, 0]\n    until");
    let mut simulation = under("explicit-euler", 0.0, 5e-3, &text);
    run(&mut simulation, 2000);
    assert!(told::<EnergyResidual>(&simulation).is_some());
}

/// The energy throughput of a pair of masses on a spring is the same whether it flies or not.
#[test]
fn a_motion_that_all_share_is_no_throughput() {
    let throughput = |speed: f64| {
        let text = OSCILLATOR
            .replace("[[pin]]\n    body = \"oscillator\"\n    where.particles = [0]", "")
            .replace(
                "position = [0, 0, 1]",
                &format!("position = [0, 0, 1]\nvelocity = [{speed}, 0, 0]"),
            )
            .replace(
                "body = \"oscillator\"\n    force",
                "body = \"oscillator\"\n    where.particles = [0]\n    force",
            );
        let mut simulation = under("rk4", 0.0, 1e-2, &text);
        run(&mut simulation, 1000);
        assert!(simulation.verdict().faultless(), "{:?}", simulation.verdict());
        simulation.watches.islands.bodies(&simulation.model, &simulation.watches.audit)[0]
            .throughput
    };
    let (rests, flies) = (throughput(0.0), throughput(100.0));
    assert!((flies / rests - 1.0).abs() < 1e-3, "{rests} {flies}");
}

/// A motion that a body shares with the pin it hangs on is no throughput either: in the frame of
/// the pin, where the kinetic energy ½ m u² goes to and fro, the pin does no work.
#[test]
fn a_motion_that_a_pin_and_its_body_share_is_no_throughput() {
    let throughput = |speed: f64| {
        let text = OSCILLATOR
            .replace(
                "where.particles = [0]\n",
                &format!("where.particles = [0]\nmotion.velocity = [{speed:?}, 0, 0]\n"),
            )
            .replace(
                "position = [0, 0, 1]",
                &format!("position = [0, 0, 1]\nvelocity = [{:?}, 0, 0]", speed + 1.0),
            );
        let (free, _) = text.split_once("[[push]]").expect("the push comes last");
        let mut simulation = under("rk4", 0.0, 5e-3, free);
        run(&mut simulation, 1000);
        assert!(simulation.verdict().faultless(), "{:?}", simulation.verdict());
        simulation.watches.islands.bodies(&simulation.model, &simulation.watches.audit)[0]
            .throughput
    };
    let (rests, flies) = (throughput(0.0), throughput(10.0));
    assert!((rests / 0.5 - 1.0).abs() < 1e-3, "½ · 1 kg · (1 m/s)², {rests} J");
    assert!((flies / rests - 1.0).abs() < 1e-2, "{rests} {flies}");
}

/// J/m = 1000 N × 5.4 ms/1 kg = 5.4 m/s, wherever the blow lies between two steps of 10 ms.
#[test]
fn a_blow_between_two_steps_is_not_lost() {
    let text = particle("ball", 1.0, [0.0; 3], [0.0; 3])
        + "[[push]]
        body = \"ball\"
        force = [1000, 0, 0]
        from = 0.0123
        until = 0.0177
        ";
    for row in &stiction_core::integrators::INTEGRATORS {
        let mut simulation = under(row.name, 0.0, 1e-2, &text);
        run(&mut simulation, 40);
        let speed = simulation.state.velocities[0].x;
        assert!((speed - 5.4).abs() < 1e-6, "{}: {speed}", row.name);
        assert_eq!(told::<EnergyUnaudited>(&simulation), None, "{}", row.name);
        assert_eq!(simulation.state.time, 0.4);
    }
}

/// Walls of 20 mm, and a ball of 100 mm; a step of 10 ms takes the shot 1 m on.
const WALLS: [&str; 4] = [
    "shape.box = { size = [1, 1, 0.02] }",
    "shape.sphere = { radius = 0.05 }",
    "shape.cylinder = { axis = [0, 0, 1], radius = 1, length = 0.02 }",
    "shape.implicit = { phi = \"z^2 - 0.0001\" }",
];

fn shot(method: &str, wall: &str, contact: &str) -> Simulation {
    let text = particle("shot", 1.0, [0.02, 0.013, 0.53], [0.0, 0.0, -100.0])
        + &format!(
            "[[collider]]
            name = \"wall\"
            material = \"steel\"
            {wall}
            [contact]
            {contact}
            "
        );
    let mut simulation = under(method, 0.0, 1e-2, &text);
    run(&mut simulation, 2);
    simulation
}

#[test]
fn what_goes_through_a_wall_between_two_states_is_told() {
    // a foil too, whose thickness is a five-hundredth of the distance per step
    for wall in WALLS.into_iter().chain(["shape.box = { size = [1, 1, 0.002] }"]) {
        for contact in ["normal.stiffness = 1e9", "method = \"exact\""] {
            let simulation = shot("symplectic-euler", wall, contact);
            let through = simulation.state.positions[0].z < -0.1;
            assert!(through, "{wall} {contact}: it does not test a passage");
            let found = told::<PassedThrough>(&simulation);
            assert!(found.is_some(), "{wall} {contact}: {:?}", simulation.verdict());
        }
    }
}

/// From 100 m/s with restitution ½.
#[test]
fn adaptive_methods_do_not_step_over_walls() {
    for wall in WALLS {
        for method in ["dopri5", "dop853", "rk45"] {
            let simulation = shot(method, wall, "normal.stiffness = 1e9");
            let speed = simulation.state.velocities[0].z;
            assert!(speed > 0.0 && speed < 60.0, "{method} {wall}: {speed}");
            assert_eq!(told::<PassedThrough>(&simulation), None, "{method} {wall}");
        }
    }
}

/// At f = 1/h the table seems to move steadily and carries the block.
#[test]
fn a_table_that_shakes_once_a_step_is_told() {
    for (frequency, resolved) in [(500.0, false), (20.0, true)] {
        let text = particle("block", 1.0, [0.0, 0.0, 0.005 - 0.000981], [0.0; 3])
            + &floor(1e4)
            + &format!(
                "[[collider]]
                name = \"unused\"
                material = \"steel\"
                shape.plane = {{ point = [0, 0, -1] }}
                motion.oscillate = {{ direction = [1, 0, 0], amplitude = 1e-3, frequency = 500 }}
                [[collider]]
                name = \"table\"
                material = \"steel\"
                shape.plane = {{}}
                motion.oscillate = {{ direction = [1, 0, 0], amplitude = 1e-3, frequency = {frequency} }}
                "
            );
        let mut simulation = under("rk4", -9.81, 2e-3, &text);
        run(&mut simulation, 100);
        assert_eq!(told::<MotionUnresolved>(&simulation).is_none(), resolved, "{frequency}");
    }
}
