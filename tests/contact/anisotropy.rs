//! Anisotropic friction from runs: creep and sliding along and across, fixed to a collider, to a
//! turning one, and to the material of a body.

use crate::support::simulation;
use std::f64::consts::FRAC_PI_2;
use stiction_core::math::{Vector, cos, sin, sqrt};
use stiction_core::simulation::Simulation;

const MU: f64 = 0.4;
const RATIO: f64 = 2.5;
const G: f64 = 10.0;

/// A block of 1 kg under a tangential push, made of one particle or of a soft cube.
fn block(law: &str, body: &str, collider: &str, push: [f64; 2], end: f64) -> Simulation {
    let [x, y] = push;
    let mut run = simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, -{G}] }}
        time = {{ end = {end}, step = 1e-4, output = {end} }}
        integrator = {{ method = \"rk4\" }}
        materials.wood = {{ static_friction = {MU} }}
        [contact]
        normal = {{ stiffness = 1e5, damping = 300 }}
        friction = {law}
        [[body]]
        name = \"block\"
        mass = 1
        {body}
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        {collider}
        [[push]]
        body = \"block\"
        force = [{x}, {y}, 0]
        "
    ));
    while run.state.time < end - 5e-5 {
        run.advance().expect("a step");
    }
    run
}

const POINT: &str = "shape = { particle = {} }\nposition = [0, 0, -1e-4]";
const THRESHOLD: &str = "{ law = \"threshold\", epsilon = 1e-2 }";

fn grain(direction: [f64; 3], law: &str) -> String {
    format!("anisotropy = {{ direction = {direction:?}, ratio = {RATIO}, law = \"{law}\" }}")
}

/// The steady creep (along, across) under a load (along, across), by each rule's formula below ε.
fn creep(load: (f64, f64), law: &str) -> (f64, f64) {
    let (along, across) = (MU, RATIO * MU);
    let of = |t: f64, mu: f64| match law {
        "component" => 1e-2 * t / (mu * G),
        _ => 1e-2 * sqrt(along * across) * t / (mu * mu * G),
    };
    (of(load.0, along), of(load.1, across))
}

#[test]
fn creep_follows_each_rule_on_a_collider() {
    for law in ["component", "ellipse"] {
        // the direction need not be in the surface, nor along an axis
        let (c, s) = (cos(0.5), sin(0.5));
        let collider = grain([c, s, 0.7], law);
        let run = block(THRESHOLD, POINT, &collider, [0.8, 0.9], 1.0);
        let load = (0.8 * c + 0.9 * s, -0.8 * s + 0.9 * c);
        let (a, b) = creep(load, law);
        let expected = Vector::new(c * a - s * b, s * a + c * b, 0.0);
        let v = run.state.velocities[0];
        assert!((v - expected).norm() < 1e-6 * expected.norm(), "{law}: {v} {expected}");
        assert!(run.verdict().faultless());
    }
}

#[test]
fn the_direction_follows_the_material_of_a_body() {
    let body = |law: &str| {
        format!(
            "shape = {{ lattice = {{ counts = [3, 3, 3], spacing = 0.1 }} }}
            springs = {{ edge = {{ stiffness = 2e4, damping = 20 }}, face_diagonal = {{ stiffness = 2e4, damping = 20 }} }}
            rotation = [0, 0, 40]
            position = [0, 0, -1e-5]
            {}",
            grain([1.0, 0.0, 0.0], law)
        )
    };
    for law in ["component", "ellipse"] {
        // the whole lower layer of 9 slides; the load is shared by all 27 particles
        let run = block(THRESHOLD, &body(law), "", [1.2, 0.3], 2.0);
        let (c, s) = (cos(40f64.to_radians()), sin(40f64.to_radians()));
        let (a, b) = creep((1.2 * c + 0.3 * s, -1.2 * s + 0.3 * c), law);
        let expected = Vector::new(c * a - s * b, s * a + c * b, 0.0);
        let v: Vector = run.state.velocities.iter().sum::<Vector>() / 27.0;
        assert!((v - expected).norm() < 2e-3 * expected.norm(), "{law}: {v} {expected}");
    }
}

/// A turntable with a grain under a block held by friction: seen from the table nothing changes.
#[test]
fn the_direction_turns_with_the_collider() {
    for law in ["component", "ellipse"] {
        let quarter = "motion = { spin = { axis = [0, 0, 1], rate = 1.5707963267948966 } }";
        let collider = format!("{}\n{quarter}", grain([1.0, 0.0, 0.0], law));
        // after one second the grain is along y, and so is the load: the creep is that along the
        // grain
        let run = block(THRESHOLD, POINT, &collider, [0.0, 1.0], 1.0);
        let position = run.state.positions[0];
        let surface = Vector::z().cross(&position) * FRAC_PI_2;
        let slip = run.state.velocities[0] - surface;
        let (along, _) = creep((1.0, 0.0), law);
        assert!((slip.y / along - 1.0).abs() < 1e-2, "{law}: {slip} {along}");
    }
}

/// μ is 0.4 along and 1 across: what slides along holds across, under every law that can hold.
#[test]
fn what_slides_along_holds_across() {
    for law in ["cundall-strack", "dahl", "lugre"] {
        for rule in ["component", "ellipse"] {
            let law = format!("{{ law = \"{law}\", stiffness = 1e4, damping = 60 }}");
            let collider = grain([1.0, 0.0, 0.0], rule);
            let along = block(&law, POINT, &collider, [6.0, 0.0], 1.0);
            // F = 6 N against μ N = 4 N, once the stretch has gone as far as it can
            let before = block(&law, POINT, &collider, [6.0, 0.0], 0.5);
            let gained = along.state.velocities[0].x - before.state.velocities[0].x;
            assert!((gained - 1.0).abs() < 1e-4, "{law} {rule}: {gained}");
            let across = block(&law, POINT, &collider, [0.0, 6.0], 1.0);
            let contact = across.state.memory.contacts[0];
            assert!(across.state.velocities[0].norm() < 1e-6, "{law} {rule}: {contact:?}");
            for run in [along, across] {
                let audit = &run.watches.audit;
                let scale = audit.throughput();
                assert!(audit.residual().abs() < 2e-3 * scale, "{law} {rule}: {audit:?}");
                let flows = &audit.flows;
                assert!(
                    flows.friction_stick >= -1e-9 * scale && flows.friction_slip >= -1e-9 * scale
                );
                assert!(run.verdict().faultless(), "{law} {rule}: {:?}", run.verdict());
            }
        }
    }
}

#[test]
fn body_and_collider_together_are_refused() {
    let text = format!(
        "format = 1
        time = {{ end = 1, step = 1e-3, output = 1 }}
        integrator = {{ method = \"rk4\" }}
        materials.wood = {{ static_friction = 0.4 }}
        contact.normal = {{ stiffness = 1e4 }}
        [[body]]
        name = \"block\"
        mass = 1
        shape = {{ particle = {{}} }}
        {0}
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        {0}
        ",
        grain([1.0, 0.0, 0.0], "ellipse")
    );
    let loaded = stiction_scene::load_text(
        "test.toml",
        &text,
        std::path::Path::new("."),
        &stiction_scene::LoadOptions::default(),
    )
    .unwrap_or_else(|errors| panic!("{errors}"));
    let built = stiction_scene::build::build(&loaded.scene, &Default::default());
    let message = built.err().expect("a refusal").to_string();
    assert!(message.contains("both the body `block` and the collider `floor`"), "{message}");
}

/// A block creeps under a load at an angle to the grain, at steps above and below the limit of the
/// rule's own friction rate: the watch of creep, and not the limit alone, tells wrong runs from
/// right ones.
#[test]
fn creep_of_anisotropic_contacts_is_judged() {
    let run = |rule: &str, method: &str, h: f64| {
        let mut run = simulation(&format!(
            "format = 1
            world = {{ gravity = [0, 0, -{G}] }}
            time = {{ end = {end:e}, step = {h:e}, output = {end:e} }}
            integrator = {{ method = \"{method}\" }}
            materials.wood = {{ static_friction = {MU} }}
            [contact]
            normal = {{ stiffness = 1e3, damping = 60 }}
            friction = {THRESHOLD}
            [[body]]
            name = \"block\"
            mass = 1
            shape = {{ particle = {{}} }}
            position = [0, 0, -1e-2]
            [[collider]]
            name = \"floor\"
            shape = {{ plane = {{}} }}
            {}
            [[push]]
            body = \"block\"
            force = [1, 4, 0]
            ",
            grain([1.0, 0.0, 0.0], rule),
            end = 1e3 * h,
        ));
        let at_once = |run: &Simulation| run.state.positions[0];
        run.advance_to(500.0 * h).expect("steps");
        let from = at_once(&run);
        run.advance_to(1000.0 * h).expect("steps");
        let moved = (at_once(&run) - from) / (500.0 * h);
        let reasons: Vec<&str> = run.verdict().reasons.iter().map(|r| r.name()).collect();
        (moved, reasons)
    };
    for (rule, rate) in [("component", 1000.0), ("ellipse", 1000.0 * sqrt(RATIO))] {
        let (along, across) = creep((1.0, 4.0), rule);
        for (method, limit) in [("explicit-euler", 2.0), ("rk4", 2.785)] {
            for (share, right) in [(0.5, true), (1.5, false)] {
                let (moved, reasons) = run(rule, method, share * limit / rate);
                let (dx, dy) = (moved.x - along, moved.y - across);
                let off = sqrt(dx * dx + dy * dy);
                let off = off / sqrt(along * along + across * across);
                println!("{rule} {method} at {share} of its limit: {off:.2e} off, {reasons:?}");
                assert_eq!(off < 0.01, right, "{rule} {method} {share}: {off}");
                let told = reasons.contains(&"creep-off-the-law");
                assert_eq!(told, !right, "{rule} {method} {share}: {reasons:?}");
                assert_eq!(reasons.is_empty(), right, "{rule} {method} {share}: {reasons:?}");
            }
        }
        // a method for which nothing limits the step
        let (moved, reasons) = run(rule, "implicit-euler", 5e-3);
        assert!((moved.y / across - 1.0).abs() < 0.01, "{moved}");
        assert_eq!(reasons, [""; 0], "{rule} implicit-euler");
    }
}
