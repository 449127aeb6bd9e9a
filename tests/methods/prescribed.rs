//! Pins that follow curves of time: their work, the order that methods keep beside them, grips by
//! soft fingers that they lift; and gravity that follows time.

use crate::support::method::{self, advance};
use crate::support::simulation;
use stiction_core::diagnosis::audit::Energies;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::diagnosis::friction_work::FrictionWork;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::math::{log2, sqrt};
use stiction_core::measures::other::separation;
use stiction_core::measures::{Other, Scope};
use stiction_core::simulation::Simulation;

fn scene(method: &str, h: f64, world: &str, contact: &str, bodies: &str) -> Simulation {
    method::scene(&format!("\"{method}\""), h, world, contact, bodies)
}

/// The creep of each body since the last call.
fn creep(run: &mut Simulation) -> Vec<Drift> {
    let (model, state, h) = (run.model.clone(), run.state.clone(), run.time_step());
    run.watches.stick.end_frame(&model, &state, h)
}

/// A heavy particle that is moved along x, and a light one on a damped spring behind it.
fn pulled(method: &str, h: f64, motion: &str) -> Simulation {
    scene(
        method,
        h,
        "gravity = [0, 0, 0]",
        "",
        &format!(
            "[[body]]
            name = \"pair\"
            shape = {{ points = {{ positions = [[0, 0, 0], [0.5, 0, 0]], masses = [5, 1], links = [[0, 1]] }} }}
            springs = {{ edge = {{ stiffness = 100, damping = 8 }} }}
            [[pin]]
            name = \"hand\"
            body = \"pair\"
            where = {{ particles = [0] }}
            [[motion]]
            of = \"hand\"
            direction = [1, 0, 0]
            {motion}"
        ),
    )
}

/// A block of 1 kg on ground with μ = .5 and ε = 1 cm/s, pushed by a force and moving along x.
fn pushed(method: &str, h: f64, force: f64, speed: f64) -> Simulation {
    scene(
        method,
        h,
        "gravity = [0, 0, -10]",
        "normal = { stiffness = 1e5, damping = 200 }
        friction = { law = \"threshold\", epsilon = 1e-2 }",
        &format!(
            "[[body]]
            name = \"block\"
            mass = 1
            shape = {{ particle = {{}} }}
            position = [0, 0, -1e-4]
            velocity = [{speed}, 0, 0]
            [[push]]
            body = \"block\"
            force = [{force}, 0, 0]
            [[collider]]
            name = \"ground\"
            shape = {{ plane = {{}} }}"
        ),
    )
}

/// A pin does the work ½ m v² on the particles that it speeds up: the audit closes in the midst of
/// a stroke, and no method gets a fault.
#[test]
fn the_kinetic_energy_of_what_a_pin_moves_is_its_work() {
    for row in INTEGRATORS.iter() {
        let mut run = pulled(row.name, 1e-3, "at = [[0, 0], [0.4, 0.3]]");
        advance(&mut run, 200);
        let speed = run.state.velocities[0].x;
        assert!((speed - 0.3 / 0.4 * 1.875).abs() < 1e-12, "{}: {speed}", row.name);
        let audit = &run.watches.audit;
        let carried = 0.5 * 5.0 * speed * speed;
        assert!(audit.flows.work > carried, "{}: {}", row.name, audit.flows.work);
        assert!(audit.residual().abs() < 0.01 * carried, "{}: {}", row.name, audit.residual());
        assert!(run.verdict().faultless(), "{}: {:?}", row.name, run.verdict());
    }
}

/// Forces see a prescribed motion at the time at which they are evaluated: halving the step divides
/// the error by 2 to the order.
#[test]
fn methods_keep_their_order_beside_a_pin_that_swings() {
    let end = |method: &str, h: f64| {
        let mut run = pulled(method, h, "formula = \"0.1*sin(5*t)\"");
        advance(&mut run, (0.512 / h).round() as u64);
        run.state.positions[1].x
    };
    let truth = end("rk4", 0.25e-3);
    for (method, order) in [
        ("implicit-euler", 1),
        ("symplectic-euler", 1),
        ("heun", 2),
        ("implicit-midpoint", 2),
        ("sdirk2", 2),
        ("tr-bdf2", 2),
        ("rk3", 3),
        ("rk4", 4),
    ] {
        let [coarse, fine] = [4e-3, 2e-3].map(|h| (end(method, h) - truth).abs());
        let found = log2(coarse / fine);
        assert!((found - f64::from(order)).abs() < 0.35, "{method}: {found}, {coarse:e} {fine:e}");
    }
}

/// A block between two soft fingers that are pushed together and lifted by their pins, at steps of
/// `h`.
fn gripped(h: f64) -> Simulation {
    let finger = |name: &str, side: f64| {
        format!(
            "[[body]]
            name = \"{name}\"
            mass = 0.1
            shape = {{ lattice = {{ counts = [2, 4, 4], spacing = 0.01 }} }}
            springs = {{ edge = {{ stiffness = 5e3, damping = 5 }}, face_diagonal = {{ stiffness = 5e3, damping = 5 }} }}
            position = [{}, 0, 0]
            [[pin]]
            name = \"hold_{name}\"
            body = \"{name}\"
            axes = \"yz\"
            [[push]]
            body = \"{name}\"
            force = [{}, 0, 0]
            factor = {{ at = [[0, 0], [0.2, 1]] }}",
            side * 0.03, -side * 8.0
        )
    };
    simulation(&format!(
        "format = 1
        time = {{ end = 1, step = {h}, output = 0.1 }}
        integrator.method = \"tr-bdf2\"
        materials.rubber.static_friction = 0.6
        [contact]
        bodies = true
        normal = {{ stiffness = 2e4, damping = 20 }}
        friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[body]]
        name = \"block\"
        mass = 0.3
        shape = {{ lattice = {{ counts = [4, 4, 4], spacing = 0.015 }} }}
        springs = {{ edge = {{ stiffness = 5e3, damping = 5 }}, face_diagonal = {{ stiffness = 5e3, damping = 5 }} }}
        {}
        {}
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{ point = [0, 0, -0.0225] }} }}
        [[motion]]
        of = [\"hold_left\", \"hold_right\"]
        direction = [0, 0, 1]
        at = [[0.3, 0], [0.7, 0.05]]",
        finger("left", -1.0),
        finger("right", 1.0)
    ))
}

/// A block between two soft fingers that are pushed together and lifted by their pins: while they
/// speed up, the slip of the block is the same at half the step, and the creep of each body is
/// split although pins hold the fingers.
#[test]
fn a_grip_by_force_slips_as_its_law_says_while_it_is_lifted() {
    let grip = |h: f64| {
        let mut run = gripped(h);
        let at = |run: &Simulation, body: usize| {
            let range = run.model.bodies[body].particles.clone();
            let count = range.len() as f64;
            range.map(|i| run.state.positions[i].z).sum::<f64>() / count
        };
        let slip = |run: &Simulation| at(run, 0) - 0.5 * (at(run, 1) + at(run, 2));
        run.advance_to(0.3).expect("it closes");
        let before = slip(&run);
        run.advance_to(0.5).expect("it lifts");
        let lifting = slip(&run) - before;
        run.advance_to(0.7).expect("it lifts");
        // the budgets since the last look are those of the whole lift
        creep(&mut run);
        run.advance_to(1.0).expect("it holds");
        let budgets = creep(&mut run);
        let parts: Vec<_> = budgets.iter().map(|b| b.parts().expect("a law that creeps")).collect();
        (lifting, parts)
    };
    let (coarse, parts) = grip(1e-3);
    let (fine, _) = grip(5e-4);
    println!("{coarse:e} and {fine:e} m, {parts:?} m/s");
    assert!(coarse < -2e-5 && (coarse / fine - 1.0).abs() < 0.02, "{coarse} and {fine}");
    // ε m g/(2 μ N), with N a little uneven
    let expected = 1e-3 * 0.3 * 9.81 / (2.0 * 0.6 * 8.0);
    for parts in parts {
        let law = parts.law;
        assert!((law / expected - 1.0).abs() < 0.05, "{law}, not {expected}");
        assert!(parts.integrator.abs() < 1e-3 * law && parts.lag == 0.0, "{parts:?}");
    }
}

/// A load above what friction holds accelerates a block: beyond ε it slides, and none of this
/// motion counts as creep or as the integrator's, even while it is slow.
#[test]
fn what_slides_slowly_under_too_large_a_load_does_not_creep() {
    let mut run = pushed("rk4", 1e-4, 5.2, 0.012);
    advance(&mut run, 1000);
    let [budget] = creep(&mut run)[..] else { panic!("one body") };
    let speed = budget.measured().expect("it touches");
    assert!(speed > 0.015 && speed < 0.04, "{speed}");
    let parts = budget.parts().expect("a slide is known");
    assert!((parts.sliding / speed - 1.0).abs() < 1e-3, "{parts:?}");
    assert!(parts.integrator.abs() < 1e-3 * speed && parts.law.abs() < 1e-3 * speed, "{parts:?}");
}

/// Gravity that follows time has no potential: no energy depends on the height of the origin.
#[test]
fn the_books_of_gravity_that_follows_time_know_no_origin() {
    let [low, high] = [0.0, 1000.0].map(|z| {
        let mut run = scene(
            "rk4",
            1e-3,
            "gravity = [0, 0, -10], gravity_factor = { at = [[0.1, 1], [0.6, 0.2]] }",
            "",
            &format!(
                "[[body]]
                name = \"ball\"
                mass = 2
                shape = {{ particle = {{}} }}
                position = [0, 0, {z}]"
            ),
        );
        advance(&mut run, 500);
        let audit = &run.watches.audit;
        assert!(audit.residual().abs() < 1e-6 * audit.throughput(), "{}", audit.residual());
        (audit.flows.work, audit.throughput(), run.state.velocities[0].z)
    });
    assert!((low.0 - low.2 * low.2).abs() < 1e-5 * low.0, "{low:?}");
    assert!((high.0 - low.0).abs() < 1e-9 * low.0, "{high:?}");
    assert!((high.1 - low.1).abs() < 1e-6 * low.1, "{high:?}");
}

/// A steady creep is solved by one update per stage, without a line search.
#[test]
fn a_steady_creep_takes_two_evaluations_a_step() {
    let mut run = pushed("implicit-euler", 1e-3, 2.0, 0.0);
    advance(&mut run, 1000);
    let before = run.work.evaluations;
    advance(&mut run, 1000);
    let each = (run.work.evaluations - before) as f64 / 1000.0;
    assert!(each <= 3.0, "{each} evaluations a step");
}

/// Where a formula has no value any more the run ends, under every method, and names it.
#[test]
fn a_formula_without_a_value_ends_the_run_by_its_name() {
    for row in INTEGRATORS.iter() {
        let mut run = pulled(row.name, 1e-3, "formula = \"sqrt(0.05 - t)\"");
        let error = run.advance_to(0.1).expect_err("there is no value");
        let said = error.describe(&run.model);
        assert!(said.contains("the motion of a pin is not a number at t = 0.05"), "{said}");
        assert!(error.remedy().is_some_and(|remedy| remedy.contains("formula")), "{said}");
        assert!(run.state.positions.iter().all(|x| x.iter().all(|x| x.is_finite())));
    }
}

/// The separation of two bodies is that of their surfaces: of a particle over the middle of a face,
/// of two edges that cross; far apart it is that of particles.
#[test]
fn separation_is_that_of_surfaces() {
    let apart = |position: [f64; 3], bodies: bool| {
        let run = scene(
            "rk4",
            1e-3,
            "gravity = [0, 0, 0]",
            &format!("bodies = {bodies}\nnormal = {{ stiffness = 1e3, damping = 1 }}"),
            &format!(
                "[[body]]
                name = \"block\"
                mass = 1
                shape = {{ lattice = {{ counts = [3, 3, 3], spacing = 0.1 }} }}
                springs = {{ edge = {{ stiffness = 1e3, damping = 1 }} }}
                [[body]]
                name = \"bead\"
                mass = 1
                shape = {{ particle = {{}} }}
                radius = 0.01
                position = [{}, {}, {}]",
                position[0], position[1], position[2]
            ),
        );
        let particles: Vec<usize> = run.model.bodies[1].particles.clone().collect();
        separation(&Scope {
            model: &run.model,
            state: &run.state,
            energies: &Energies::default(),
            friction_work: &FrictionWork::default(),
            particles: &particles,
            other: Some(&Other::Body(run.model.bodies[0].particles.clone())),
            previous: None,
        })
    };
    let top = 0.2;
    for (height, expected) in [(0.005, -0.005), (0.01, 0.0), (0.03, 0.02), (0.15, 0.14)] {
        let found = apart([0.05, 0.05, top + height], true);
        assert!((found - expected).abs() < 1e-12, "{height}: {found}");
    }
    // beside, and without contact between bodies: the nearest particle is half a diagonal away
    let to_particle = sqrt(2.0 * 0.05 * 0.05 + 0.03 * 0.03) - 0.01;
    assert!((apart([0.05, 0.05, top + 0.03], false) - to_particle).abs() < 1e-12);
    assert!((apart([0.05, 0.05, top + 3.0], true) - 2.99).abs() < 0.002);
}
