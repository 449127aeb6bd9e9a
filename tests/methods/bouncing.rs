//! Restitution and adhesion, from runs of one particle against a plane.

use crate::support::simulation;
use std::path::Path;
use stiction_core::contact::normal::linear::{damping_ratio, restitution};
use stiction_core::math::pow;
use stiction_core::simulation::Simulation;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load_text};

/// A particle that flies at a plane through empty space.
fn flight(mass: f64, contact: &str, more: &str, start: f64, speed: f64, h: f64) -> Simulation {
    flight_by("method = \"symplectic-euler\"", mass, contact, more, start, speed, h)
}

/// As [`flight`], by another method.
fn flight_by(
    method: &str,
    mass: f64,
    contact: &str,
    more: &str,
    start: f64,
    speed: f64,
    h: f64,
) -> Simulation {
    simulation(
        &format!(
            "format = 1
        world = {{ gravity = [0, 0, 0] }}
        time = {{ end = 1.0, step = {h:e}, output = 1.0 }}
        integrator = {{ {method} }}
        [materials.ball]
        static_friction = 0.3
        {more}
        [contact]
        {contact}
        friction = {{ law = \"threshold\", epsilon = 1e-2 }}
        [[body]]
        name = \"ball\"
        mass = {mass:e}
        shape = {{ particle = {{}} }}
        position = [0, 0, {start:e}]
        velocity = [0, 0, {:e}]
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        ",
            -speed
        )
        .replace("end = 1.0, step", &format!("end = {:e}, step", h * 1e6))
        .replace("output = 1.0", &format!("output = {:e}", h * 1e6)),
    )
}

/// The speed after over the speed before, averaged over where in a step the impact begins.
fn measured(mass: f64, contact: &str, more: &str, h: f64) -> f64 {
    const PHASES: usize = 16;
    let speed = 0.5;
    let bounce = |phase: usize| {
        let start = speed * h * (1.0 + phase as f64 / PHASES as f64);
        let mut flight = flight(mass, contact, more, start, speed, h);
        while flight.state.positions[0].z <= start {
            flight.advance().expect("a step");
            assert!(flight.state.step_count < 100_000, "it stays");
        }
        flight.state.velocities[0].z / speed
    };
    (0..PHASES).map(bounce).sum::<f64>() / PHASES as f64
}

#[test]
fn materials_decide_restitution_for_every_mass() {
    for mass in [0.01, 1.0, 30.0] {
        let stiffness: f64 = 4e3;
        let h = 0.002 / (stiffness / mass).sqrt();
        let normal = format!("normal = {{ stiffness = {stiffness:e} }}");
        for e in [0.9, 0.8, 0.5, 0.3, 0.05] {
            let found = measured(mass, &normal, &format!("restitution = {e}"), h);
            println!("m {mass}, e {e}: {found:.6}");
            assert!((found / e - 1.0).abs() < 0.005, "m {mass}, e {e}: {found}");
        }
        // one restitution for every contact, and none at all
        let fixed = format!("normal = {{ stiffness = {stiffness:e}, restitution = 0.7 }}");
        assert!((measured(mass, &fixed, "", h) / 0.7 - 1.0).abs() < 0.005);
        assert!((measured(mass, &normal, "", h) - 1.0).abs() < 1e-3);
    }
}

/// The product a v of dissipation and impact speed alone decides, not exponent, stiffness or mass.
#[test]
fn hunt_crossley_returns_what_its_dissipation_says() {
    let table =
        [(0.05, 0.967739), (0.2, 0.882190), (0.5, 0.748435), (1.0, 0.593624), (3.0, 0.306897)];
    let speed = 0.5;
    for (exponent, stiffness, mass) in
        [(1.5, 1e4, 1.0), (1.5, 1e5, 0.02), (1.0, 3e3, 2.0), (2.5, 1e6, 0.5)]
    {
        // a contact lasts about 3 d/v at the depth d where the energy is stored
        let share = (exponent + 1.0) * mass * speed * speed / (2.0 * stiffness);
        let depth: f64 = pow(share, 1.0 / (exponent + 1.0));
        let h = 0.02 * depth / speed;
        for (product, e) in table {
            let more = [
                format!("dissipation = {:e}", product / speed),
                format!("restitution = {e}, impact_speed = {speed}"),
            ];
            for more in more {
                let normal = format!(
                    "normal = {{ law = \"hunt-crossley\", stiffness = {stiffness:e}, exponent = {exponent}, {more} }}"
                );
                let found = measured(mass, &normal, "", h);
                println!("n {exponent}, m {mass}, a v {product}: {found:.6}, {e}");
                assert!((found / e - 1.0).abs() < 0.005, "n {exponent}, {more}: {found}");
            }
        }
        let normal = format!(
            "normal = {{ law = \"hunt-crossley\", stiffness = {stiffness:e}, exponent = {exponent}, impact_speed = {speed} }}"
        );
        let found = measured(mass, &normal, "restitution = 0.6", h);
        assert!((found / 0.6 - 1.0).abs() < 0.005, "n {exponent}: {found}");
    }
}

/// At the deepest point all energy of an impact is stored, (2/5) k d^(5/2) = m v²/2: d = (5 m v²/(4
/// k))^(2/5).
#[test]
fn hertz_stores_an_impact_and_gives_it_back() {
    let (mass, speed, stiffness) = (1.0, 0.5, 1e4);
    let depth = pow(1.25 * mass * speed * speed / stiffness, 0.4);
    let h = 0.005 * depth / speed;
    let normal = format!("normal = {{ law = \"hertz\", stiffness = {stiffness:e} }}");
    let found = measured(mass, &normal, "", h);
    assert!((found - 1.0).abs() < 1e-3, "{found}");
    let mut flight = flight(mass, &normal, "", 0.0, speed, h);
    let mut deepest = 0.0f64;
    while flight.state.velocities[0].z < speed * 0.99 {
        flight.advance().expect("a step");
        deepest = deepest.max(-flight.state.positions[0].z);
    }
    assert!((deepest / depth - 1.0).abs() < 2e-3, "{deepest} {depth}");
}

/// A particle at rest under adhesion dents the surface by F/k; pulled away by less than F it stays,
/// by more it leaves; and a passing particle leaves with the energy it came with.
#[test]
fn adhesion_holds_up_to_its_pull_off_force() {
    let scene = |push: f64, speed: f64| {
        simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, 0] }}
            time = {{ end = 2, step = 1e-4, output = 1 }}
            integrator = {{ method = \"rk4\" }}
            materials.glue = {{ static_friction = 0.5 }}
            [contact]
            normal = {{ stiffness = 1e4, damping = 20 }}
            friction = {{ law = \"cundall-strack\", stiffness = 1e4, damping = 20 }}
            adhesion = {{ force = 2.0, range = 1e-3 }}
            [[body]]
            name = \"ball\"
            mass = 0.1
            shape = {{ particle = {{}} }}
            velocity = [0, 0, {speed:e}]
            [[collider]]
            name = \"floor\"
            shape = {{ plane = {{}} }}
            [[push]]
            body = \"ball\"
            force = [0.4, 0, {push}]
            ramp = 0.5
            "
        ))
    };
    let run = |push: f64, speed: f64| {
        let mut run = scene(push, speed);
        for _ in 0..20_000 {
            run.advance().expect("a step");
        }
        run
    };
    let held = run(0.0, 0.0);
    assert!((held.state.positions[0].z + 2.0 / 1e4).abs() < 1e-12, "{}", held.state.positions[0]);
    // friction acts on what adhesion presses too: .4 N < μ F = 1 N
    assert!((held.state.positions[0].x - 0.4 / 1e4).abs() < 1e-9, "{}", held.state.positions[0]);
    let pulled = run(1.9, 0.0);
    assert!(
        (pulled.state.positions[0].z + 0.1 / 1e4).abs() < 1e-9,
        "{}",
        pulled.state.positions[0]
    );
    let torn = run(2.1, 0.0);
    assert!(torn.state.positions[0].z > 0.1, "{}", torn.state.positions[0]);
    for run in [held, pulled, torn] {
        let audit = &run.watches.audit;
        assert!(audit.residual().abs() < 1e-5 * audit.throughput(), "{audit:?}");
        assert!(run.verdict().faultless(), "{:?}", run.verdict());
    }
}

/// A rigid body that lands flat without turning, on as many contacts as its shape has below; the
/// speed after over the speed before.
fn landed(shape: &str, normal: &str, floor: &str, method: &str, h: f64) -> (f64, usize) {
    let speed = 0.5;
    let mut run = simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, 0] }}
        time = {{ end = 1.0, step = {h:e}, output = 1.0 }}
        integrator = {{ {method} }}
        [materials.wood]
        static_friction = 0.3
        restitution = 0.5
        [contact]
        normal = {{ {normal} }}
        friction = {{ law = \"threshold\", epsilon = 1e-2 }}
        [[body]]
        name = \"box\"
        rigid = true
        mass = 2
        shape = {{ {shape} }}
        position = [0, 0, {:e}]
        velocity = [0, 0, {:e}]
        {floor}
        ",
        0.5 * h * speed,
        -speed,
    ));
    let mut most = 0;
    loop {
        run.advance().expect("a step");
        let contacts = run.state.memory.contacts.len();
        most = contacts.max(most);
        let count = run.state.velocities.len() as f64;
        let upward = run.state.velocities.iter().map(|v| v.z).sum::<f64>() / count;
        if upward > 0.0 && contacts == 0 {
            return (upward / speed, most);
        }
        assert!(run.state.step_count < 100_000, "it stays");
    }
}

/// One restitution, on however many contacts a rigid body lands: on a plane, on two colliders
/// between which its contacts are divided, and under a method that has the whole impact in one
/// commit interval.
#[test]
fn a_rigid_body_returns_its_restitution_on_any_number_of_contacts() {
    let plane = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }";
    let halves = "[[collider]]\nname = \"left\"\nshape = { box = { center = [-0.95, 0, -0.5], size = [2, 4, 1] } }
        [[collider]]\nname = \"right\"\nshape = { box = { center = [1.051, 0, -0.5], size = [2, 4, 1] } }";
    let symplectic = "method = \"symplectic-euler\"";
    let rk45 = "method = \"rk45\"";
    let top = "points = { positions = [[0, 0, 0], [0.1, 0.1, 0.2], [-0.1, 0.1, 0.2], [-0.1, -0.1, 0.2], [0.1, -0.1, 0.2]] }";
    let lattice =
        |x: usize, y: usize| format!("lattice = {{ counts = [{x}, {y}, 2], spacing = 0.2 }}");
    let linear = "stiffness = 4e4";
    let hunt = "law = \"hunt-crossley\", stiffness = 1e6, impact_speed = 0.5";
    for (shape, contacts) in
        [(top.to_string(), 1), (lattice(2, 2), 4), (lattice(3, 3), 9), (lattice(3, 9), 27)]
    {
        for (normal, floor, method, h) in [
            (linear, plane, symplectic, 2e-6),
            (linear, halves, symplectic, 2e-6),
            (linear, plane, rk45, 1e-2),
            (hunt, plane, symplectic, 5e-6),
        ] {
            if floor == halves && contacts == 1 {
                continue;
            }
            let (e, most) = landed(&shape, normal, floor, method, h);
            println!("{contacts} contacts, {normal}, {method}: {e:.4}");
            assert!(method == rk45 || most == contacts, "{most} contacts, not {contacts}");
            assert!((e / 0.5 - 1.0).abs() < 0.02, "{contacts} contacts, {normal}: {e}");
        }
    }
}

/// A soft body's restitution is that of its particles; what the whole returns is said before a run.
#[test]
fn what_a_soft_body_will_return_is_said() {
    let remarks = |counts: [usize; 3], rigid: bool, e: f64| {
        let text = format!(
            "format = 1
            time = {{ end = 1, step = 1e-4, output = 1 }}
            integrator = {{ method = \"symplectic-euler\" }}
            materials.wood = {{ static_friction = 0.3, restitution = {e} }}
            [contact]
            normal = {{ stiffness = 1e4 }}
            friction = {{ law = \"threshold\", epsilon = 1e-2 }}
            [[body]]
            name = \"box\"
            rigid = {rigid}
            mass = 2
            shape = {{ lattice = {{ counts = {counts:?}, spacing = 0.1 }} }}
            springs = {{ edge = {{ stiffness = 1e4 }}, face_diagonal = {{ stiffness = 1e4 }} }}
            position = [0, 0, 1]
            [[collider]]
            name = \"floor\"
            shape = {{ plane = {{}} }}
            "
        );
        let loaded = load_text("test.toml", &text, Path::new("."), &LoadOptions::default());
        let built = build(&loaded.expect("a scene").scene, &BuildOptions::default());
        let remarks = built.unwrap_or_else(|error| panic!("{error}")).remarks;
        remarks.into_iter().filter(|remark| remark.contains("restitution")).collect::<Vec<_>>()
    };
    let said = remarks([3, 3, 3], false, 0.5);
    let returned = restitution(damping_ratio(0.5) * (9.0f64 / 27.0).sqrt());
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("0.50 is that of each"), "{said:?}");
    assert!(said[0].contains(&format!("about {returned:.2} of its speed")), "{said:?}");
    // no remark: one layer lands at once, a rigid body returns what is asked, and e = 1 loses
    // nothing
    assert_eq!(remarks([3, 3, 1], false, 0.5), [""; 0]);
    assert_eq!(remarks([3, 3, 3], true, 0.5), [""; 0]);
    assert_eq!(remarks([3, 3, 3], false, 1.0), [""; 0]);
}

/// Explicit Euler makes every oscillation grow by (h ω)²/2 a step, that of a contact too: if a
/// rebound is thereby more than 5 % too fast, the verdict tells.
#[test]
fn a_rebound_that_the_method_makes_grow_is_told() {
    let contact = "normal = { stiffness = 1e4 }";
    let speed = 0.5;
    for (method, h, told) in [
        ("explicit-euler", 5e-4, true),
        ("explicit-euler", 1e-4, false),
        ("symplectic-euler", 5e-4, false),
        ("rk4", 1e-3, false),
    ] {
        let text_of = |method: &str| format!("method = \"{method}\"");
        let mut run =
            flight_by(&text_of(method), 1.0, contact, "restitution = 0.5", 0.01, speed, h);
        while run.state.time < 0.2 {
            run.advance().expect("a step");
        }
        let e = run.state.velocities[0].z / speed;
        let reasons: Vec<&str> = run.verdict().reasons.iter().map(|r| r.name()).collect();
        println!("{method}, h {h:e}: returns {e:.4}, {reasons:?}");
        assert_eq!(reasons.contains(&"impact-unresolved"), told, "{method} {h:e}: {e} {reasons:?}");
        assert_eq!((e / 0.5 - 1.0).abs() > 0.05, told, "{method} {h:e}: {e}");
    }
}
