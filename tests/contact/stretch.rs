//! Where the stretch of a friction law lives: committed once per step, or part of the state.

use crate::support::simulation;
use std::sync::Arc;
use stiction_core::impulses::ContactMethod;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::log;
use stiction_core::simulation::Simulation;

/// A particle on a plane under Dahl's bristle, thrown along x and pushed along y, so that the slip
/// turns but never reverses; N grows by `-lift` \[N\] in the course of the run.
fn turning(method: &str, stretch: &str, lift: f64, h: f64) -> Simulation {
    let mut turning = simulation(&format!(
        "format = 1
        time = {{ end = 0.32, step = {h:e}, output = 0.32 }}
        integrator = {{ {method} }}
        materials.wood = {{ static_friction = 0.5 }}
        [contact]
        stretch = \"{stretch}\"
        normal = {{ stiffness = 1e4, damping = 50 }}
        friction = {{ law = \"dahl\", stiffness = 500 }}
        [[body]]
        name = \"block\"
        mass = 1
        shape = {{ particle = {{}} }}
        position = [0, 0, {:e}]
        velocity = [0.2, 0, 0]
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        motion = {{ spin = {{ axis = [0, 0, 1], rate = 1.5, center = [-0.2, 0.1, 0] }} }}
        [[push]]
        body = \"block\"
        force = [0, 6, 0]
        [[push]]
        body = \"block\"
        force = [0, 0, {lift}]
        ramp = 0.32
        ",
        -9.81 / 1e4
    ));
    while turning.state.time < 0.32 - 0.5 * h {
        turning.advance().expect("a step");
    }
    turning
}

/// Error of the end position at two steps against a fine reference, and the order between them.
fn order(method: &str, stretch: &str, lift: f64, h: f64) -> (f64, f64) {
    let exact = turning("method = \"rk4\"", "state", lift, 5e-5).state.positions[0];
    let error = |h: f64| (turning(method, stretch, lift, h).state.positions[0] - exact).norm();
    let (coarse, fine) = (error(h), error(0.5 * h));
    (fine, log(coarse / fine) / log(2.0))
}

#[test]
fn stretch_in_the_state_keeps_the_order_of_the_method() {
    for (method, stretch, lift, range) in [
        ("method = \"rk4\"", "state", -5.0, 3.7..4.4),
        ("method = \"rk4\"", "commit", 0.0, 1.8..2.2),
        ("method = \"rk4\"", "commit", -5.0, 0.8..1.2),
        ("method = \"symplectic-euler\"", "state", -5.0, 0.8..1.2),
        ("method = \"symplectic-euler\"", "commit", -5.0, 0.8..1.2),
        ("method = \"explicit-euler\"", "state", -5.0, 0.8..1.2),
        ("method = \"velocity-verlet\"", "state", -5.0, 0.8..1.2),
        ("method = \"rk3\"", "state", -5.0, 2.7..3.3),
        ("method = \"adams-bashforth-2\"", "state", -5.0, 1.8..2.2),
        ("method = \"rk45\", adaptive = false", "state", -5.0, 4.5..5.6),
    ] {
        let (error, order) = order(method, stretch, lift, 2e-3);
        println!(
            "{method}, {stretch}, lift {lift}: error {error:.2e} at h = 1e-3, order {order:.2}"
        );
        assert!(range.contains(&order), "{method}, {stretch}: order {order}");
    }
    // an adaptive method is as good as its tolerance only where it carries the stretch
    let dopri5 = "method = \"dopri5\", rtol = 1e-10, atol = 1e-12";
    let (carried, _) = order(dopri5, "state", -5.0, 4e-3);
    let (committed, order) = order(dopri5, "commit", -5.0, 4e-3);
    println!("dopri5: {carried:.2e} carried, {committed:.2e} committed (order {order:.2})");
    assert!(carried < 1e-9, "{carried}");
    assert!(committed > 1e4 * carried && (0.8..1.2).contains(&order), "{committed} {order}");
}

/// Both ways hold, and at the same elastic offset; the state's stretch is the committed one.
#[test]
fn both_ways_hold_at_the_elastic_offset() {
    for law in ["cundall-strack", "dahl", "lugre"] {
        for method in [
            "explicit-euler",
            "symplectic-euler",
            "velocity-verlet",
            "rk3",
            "rk4",
            "adams-bashforth-2",
            "dopri5",
            "rk45",
        ] {
            let run = |stretch: &str| {
                let mut run = simulation(&format!(
                    "format = 1
                    world = {{ gravity = [-3, 0, -9] }}
                    time = {{ end = 2, step = 1e-4, output = 2 }}
                    integrator = {{ method = \"{method}\" }}
                    materials.wood = {{ static_friction = 0.5 }}
                    [contact]
                    stretch = \"{stretch}\"
                    normal = {{ stiffness = 1e5, damping = 200 }}
                    friction = {{ law = \"{law}\", stiffness = 1e4, damping = 60 }}
                    [[body]]
                    name = \"block\"
                    mass = 1
                    shape = {{ particle = {{}} }}
                    position = [0, 0, -9e-5]
                    [[collider]]
                    name = \"floor\"
                    shape = {{ plane = {{}} }}
                    "
                ));
                for _ in 0..20_000 {
                    run.advance().expect("a step");
                }
                run
            };
            let (commit, state) = (run("commit"), run("state"));
            assert_eq!(state.state.stretch.len(), 1);
            assert!(commit.state.stretch.is_empty());
            for run in [&commit, &state] {
                let stretch = run.state.memory.contacts[0].stretch;
                assert!((stretch.x + 3e-4).abs() < 1e-9, "{law} {method}: {stretch}");
                assert!(run.state.velocities[0].norm() < 1e-9, "{law} {method}");
                assert!(run.verdict().faultless(), "{law} {method}: {:?}", run.verdict());
            }
        }
    }
}

/// A stretched contact that is lifted off loses its stretch, and the energy in it is booked.
#[test]
fn stretch_is_dropped_on_separation_and_its_energy_is_booked() {
    let mut run = simulation(
        "format = 1
        time = { end = 2, step = 1e-5, output = 2 }
        integrator = { method = \"symplectic-euler\" }
        materials.wood = { static_friction = 0.5 }
        [contact]
        normal = { stiffness = 1e5, damping = 500 }
        friction = { law = \"cundall-strack\", stiffness = 1e3, damping = 20 }
        [[body]]
        name = \"block\"
        mass = 1
        shape = { particle = {} }
        position = [0, 0, -9.81e-5]
        [[collider]]
        name = \"floor\"
        shape = { plane = {} }
        [[push]]
        body = \"block\"
        force = [4, 0, 0]
        until = 1
        [[push]]
        body = \"block\"
        force = [4, 0, 30]
        from = 1
        ",
    );
    while run.state.time < 0.9999 {
        run.advance().expect("a step");
    }
    let stored = run.state.memory.contacts[0].stored;
    assert!((stored / (0.5 * 16.0 / 1e3) - 1.0).abs() < 1e-3, "{stored}");
    let before = run.watches.audit.flows.friction_slip;
    while run.state.time < 1.02 {
        run.advance().expect("a step");
    }
    assert!(run.state.memory.contacts.is_empty());
    let booked = run.watches.audit.flows.friction_slip - before;
    assert!((booked / stored - 1.0).abs() < 0.05, "{booked} of {stored}");
    let audit = &run.watches.audit;
    assert!(audit.residual().abs() < 0.05 * stored, "{audit:?}");
}

/// A method that cannot carry the stretch takes over from one that did: from then on the stretch
/// moves with commits, and friction grows with the load as before.
#[test]
fn the_stretch_goes_on_under_a_method_that_cannot_carry_it() {
    let [mut run, again] = [(); 2].map(|()| {
        simulation(
            "format = 1
        time = { end = 2, step = 1e-3, output = 2 }
        integrator = { method = \"dopri5\" }
        materials.wood = { static_friction = 0.5 }
        [contact]
        stretch = \"state\"
        normal = { stiffness = 1e5, damping = 500 }
        friction = { law = \"cundall-strack\", stiffness = 1e4, damping = 100 }
        [[body]]
        name = \"block\"
        mass = 1
        shape = { particle = {} }
        position = [0, 0, -9.81e-5]
        [[collider]]
        name = \"floor\"
        shape = { plane = {} }
        [[push]]
        body = \"block\"
        force = [4, 0, 0]
        ramp = 2
        ",
        )
    });
    run.advance_to(1.0).expect("steps");
    assert_eq!(run.state.stretch.len(), 1);
    let method = INTEGRATORS.find("implicit-euler").and_then(|row| row.from_defaults().ok());
    let method = method.expect("a row without required keys");
    let model = Arc::into_inner(again.model).expect("a model of one owner");
    run.switch_to(model, method, ContactMethod::Penalty, 1e-3);
    run.advance_to(2.0).expect("steps");
    let stretch = run.state.memory.contacts[0].stretch.x;
    assert!((stretch / 4e-4 - 1.0).abs() < 0.02, "{stretch}");
}
