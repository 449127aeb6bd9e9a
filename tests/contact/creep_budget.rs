//! The budget of creep: seen from both sides of a contact, with two coefficients, and for a stretch
//! that grows with its load.

use std::path::Path;
use stiction_core::math::{cos, radians, sin, sqrt, tan};
use stiction_lab::run::{Means, Outcome, Run, Split, Status, Unobserved};
use stiction_scene::Scene;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load_text};

fn ran(text: &str) -> (Run, Outcome) {
    let loaded = load_text("test.toml", text, Path::new("."), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let mut run = Run::new(&loaded.scene, &BuildOptions::default()).expect("it fits together");
    let outcome = run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
    assert_eq!(outcome.status, Status::Completed);
    (run, outcome)
}

/// Two balls pressed together ever harder and pushed apart sideways, in a plane without gravity.
const PRESSED_BALLS: &str = "format = 1
    world = { gravity = [0, 0, 0], planar = \"xz\" }
    time = { end = 0.05, step = 1e-3, output = 0.01 }
    integrator = { method = \"implicit-euler\", lag = \"normal\" }
    materials.wood = { static_friction = 0.5 }
    [contact]
    bodies = true
    normal = { stiffness = 1e5, damping = 300 }
    friction = { law = \"threshold\", epsilon = 1e-4 }
    [[body]]
    name = \"lower\"
    mass = 1
    radius = 0.1
    shape = { particle = {} }
    [[body]]
    name = \"upper\"
    mass = 1
    radius = 0.1
    shape = { particle = {} }
    position = [0, 0, 0.19995]
    [[push]]
    body = \"lower\"
    force = [-1, 0, 5]
    [[push]]
    body = \"upper\"
    force = [1, 0, -5]
    [[push]]
    body = \"lower\"
    force = [0, 0, 20]
    ramp = 0.05
    [[push]]
    body = \"upper\"
    force = [0, 0, -20]
    ramp = 0.05
    ";

/// Two balls creep on each other by the same, with the same parts: as measured, by the law, and by
/// the lagged N.
#[test]
fn both_sides_of_a_contact_creep_alike_where_normal_forces_are_lagged() {
    let (run, outcome) = ran(PRESSED_BALLS);
    for frame in &run.frames[1..] {
        let [lower, upper] = [0, 1].map(|body: usize| {
            let parts = frame.creep[body].parts();
            let parts = parts.unwrap_or_else(|| panic!("no parts at {}", frame.time));
            [parts.law, parts.integrator, parts.lag]
        });
        for part in 0..3 {
            let (a, b) = (lower[part], upper[part]);
            assert!(
                (a - b).abs() < 1e-12 * lower[0].abs(),
                "part {part} at {}: {a:e} {b:e}",
                frame.time
            );
        }
        // N grows by 0.4 N in each step: the lagged one is smaller, and under it creep is larger
        let n = 5.0 + 400.0 * (frame.time - 0.005);
        let lag = lower[0] * 0.4 / n;
        assert!(
            (lower[2] / lag - 1.0).abs() < 0.2,
            "{:e}, not {lag:e} at {}",
            lower[2],
            frame.time
        );
    }
    let lags: Vec<f64> =
        outcome.creep.iter().map(|creep| creep.parts.expect("it holds").lag).collect();
    assert!(lags[0] > 0.0 && (lags[0] - lags[1]).abs() < 1e-12 * lags[0], "{lags:?}");
}

/// On an incline of angle a the load ratio is tan a/μ_s, whatever μ_k, and the measured creep is
/// the law's own at this ratio.
#[test]
fn two_coefficients_give_one_load_ratio_and_the_laws_creep() {
    let (a, s, k, g) = (radians(15.0), 0.5, 0.3, 9.81);
    let ratio = tan(a) / s;
    let load = g * sin(a);
    let bisected = |bears: &dyn Fn(f64) -> f64| {
        stiction_core::math::bisect(0.0, 1.0, |u| bears(u) < ratio * s)
    };
    let epsilon = 1e-3;
    // the friction in units of N at u = v/ε, as on the laws' pages
    let falling = |u: f64| k + (s - k) * stiction_core::math::exp(-0.01 * u * u);
    let tanh = |u: f64| {
        let e = stiction_core::math::exp(-2.0 * u);
        (1.0 - e) / (1.0 + e)
    };
    let cases = [
        ("{ law = \"threshold\", epsilon = 1e-3 }", epsilon * ratio),
        ("{ law = \"quadratic\", epsilon = 1e-3 }", epsilon * (1.0 - sqrt(1.0 - ratio))),
        (
            "{ law = \"stribeck\", epsilon = 1e-3, stribeck_speed = 1e-2 }",
            epsilon * bisected(&|u| falling(u) * tanh(u)),
        ),
        ("{ law = \"viscous-cap\", damping = 2000 }", load / 2000.0),
    ];
    for (law, creep) in cases {
        let (_, outcome) = ran(&format!(
            "format = 1
            world = {{ gravity = [{:e}, 0, {:e}], planar = \"xz\" }}
            time = {{ end = 0.4, step = 1e-4, output = 0.05 }}
            integrator = {{ method = \"rk4\" }}
            materials.wood = {{ static_friction = {s}, kinetic_friction = {k} }}
            [contact]
            normal = {{ stiffness = 1e4, damping = 200 }}
            friction = {law}
            [[body]]
            name = \"block\"
            mass = 1
            shape = {{ particle = {{}} }}
            position = [0, 0, {:e}]
            [[collider]]
            name = \"slope\"
            shape = {{ plane = {{}} }}
            ",
            -g * sin(a),
            -g * cos(a),
            -1e-4 * g * cos(a)
        ));
        let found = &outcome.creep[0];
        let near = |what: &str, found: f64, expected: f64| {
            assert!(
                (found / expected - 1.0).abs() < 1e-4,
                "{law}: {what} {found:e}, not {expected:e}"
            );
        };
        near("load ratio", found.load_ratio.expect("one normal"), ratio);
        near("measured", found.measured, creep);
        near("the law's creep", found.parts.expect("it holds").law, creep);
        assert!(outcome.verdict.faultless(), "{law}: {:?}", outcome.verdict);
    }
}

/// Where a pin bears a part of the load that is not known, no load ratio and no closed form of creep is given; an
/// axis on which nothing moves is none.
#[test]
fn a_body_held_on_one_axis_has_no_load_ratio() {
    let outcome = |more: &str| {
        ran(&format!(
            "format = 1
            world = {{ gravity = [1, 0, -9.81] }}
            time = {{ end = 0.1, step = 1e-4, output = 0.05 }}
            integrator.method = \"rk4\"
            materials.wood.static_friction = 0.5
            contact = {{ normal = {{ stiffness = 1e4, damping = 200 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
            [[body]]
            name = \"pad\"
            mass = 1
            shape.particle = {{}}
            position = [0, 0, -9.81e-4]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            {more}
            "
        ))
        .1
    };
    let pin = "[[pin]]\nname = \"rail\"\nbody = \"pad\"\naxes = \"x\"";
    let other = "[[body]]\nname = \"stone\"\nmass = 1\nshape.particle = {}\nposition = [1, 0, 1]\n";
    let scenes = ["", pin, &format!("{other}{pin}")];
    let [free, alone, held] = scenes.map(|more| outcome(more).creep.remove(0));
    assert_eq!(alone.load_ratio, Some(0.0));
    let ratio = free.load_ratio.expect("one normal, and nothing but friction");
    assert!((ratio - 1.0 / (0.5 * 9.81)).abs() < 1e-3, "{ratio}");
    assert!(free.steadiness.closed_form.is_some());
    assert_eq!(held.load_ratio, None);
    assert!(held.steadiness.closed_form.is_none() && held.carried.is_none(), "{held:?}");
}

/// A heavily damped stretch under a load that grows evenly drifts by Ṫ/k, all of it elastic:
/// nothing creeps, and the run is trusted.
#[test]
fn a_stretch_that_grows_with_its_load_is_no_creep() {
    let (stiffness, damping) = (1e4, 1000.0);
    let (run, outcome) = ran(&format!(
        "format = 1
        world = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}
        time = {{ end = 1.5, step = 5e-4, output = 0.1 }}
        integrator = {{ method = \"rk4\" }}
        materials.wood = {{ static_friction = 0.6 }}
        [contact]
        normal = {{ stiffness = 1e4, damping = 200 }}
        friction = {{ law = \"cundall-strack\", stiffness = {stiffness}, damping = {damping} }}
        [[body]]
        name = \"block\"
        mass = 1
        shape = {{ particle = {{}} }}
        position = [0, 0, -9.81e-4]
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        [[push]]
        body = \"block\"
        force = [1, 0, 0]
        [[push]]
        body = \"block\"
        force = [4, 0, 0]
        ramp = 1.6
        "
    ));
    // Ṫ/k, once the damper has let the spring take the load
    let drift = 4.0 / 1.6 / stiffness;
    let measured = outcome.creep[0].measured;
    assert!((measured / drift - 1.0).abs() < 0.01, "{measured:e}, not {drift:e}");
    let parts = outcome.creep[0].parts.expect("they are known");
    assert!((parts.stretch / drift - 1.0).abs() < 0.01, "{parts:?}");
    assert!(parts.integrator.abs() < 1e-3 * drift && parts.law == 0.0, "{parts:?}");
    assert!(run.simulation().state.memory.contacts[0].sticking);
    assert!(outcome.verdict.faultless(), "{:?}", outcome.verdict);
}

/// A soft box of 1 kg on a floor, pushed by 2 N at once and by more later, for a second.
fn pushed(law: &str, later: &str, step: f64, other: &str) -> String {
    format!(
        "format = 1
        time = {{ end = 1, step = {step:e}, output = 0.05{other} }}
        integrator = {{ method = \"rk4\" }}
        materials.wood = {{ static_friction = 0.5, kinetic_friction = 0.4 }}
        [contact]
        normal = {{ stiffness = 1e4, damping = 20 }}
        friction = {law}
        [[body]]
        name = \"box\"
        mass = 1
        shape = {{ lattice = {{ counts = [2, 2, 2], spacing = 0.05 }} }}
        springs = {{ edge = {{ stiffness = 2e4, damping = 20 }}, face_diagonal = {{ stiffness = 2e4, damping = 20 }} }}
        [[collider]]
        name = \"floor\"
        shape = {{ plane = {{}} }}
        [[push]]
        body = \"box\"
        force = [2, 0, 0]
        {later}
        "
    )
}

/// The drift of the only body of a scene, verified.
fn verified(text: &str) -> stiction_lab::run::Creep {
    let loaded = load_text("test.toml", text, Path::new("."), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let mut run = Run::new(&loaded.scene, &BuildOptions::default()).expect("it fits together");
    let builder = |scene: &Scene| build(scene, &BuildOptions::default());
    run.verify(Means::STEP, Box::new(builder));
    let outcome = run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
    assert!(outcome.verdict.trusted(), "{:?}", outcome.verdict);
    outcome.creep[0].clone()
}

const SPRING: &str = "{ law = \"cundall-strack\", stiffness = 1e4, damping = 10 }";
const RAMP: &str = "{ law = \"threshold\", epsilon = 1e-2 }";

/// A push that comes in the last quarter stretches the contacts by T/k: four contacts bear 2 N. The same
/// number comes at a fifth of the step, so none of it is the integrator's.
#[test]
fn a_load_that_comes_late_stretches_contacts() {
    let late = "factor = { at = [[0.8, 0], [0.9, 1]] }";
    for step in [2e-4, 4e-5] {
        let creep = verified(&pushed(SPRING, late, step, ""));
        let (parts, stretch) = (creep.parts.expect("they are known"), 2.0 / 4e4 / 0.25);
        assert!((parts.stretch / stretch - 1.0).abs() < 0.01, "{creep:?}");
        assert!(parts.integrator.abs() < 1e-3 * stretch, "{creep:?}");
        assert_eq!((parts.law, creep.sliding), (0.0, 0.0));
        assert!(matches!(creep.split, Split::Refinement(_)), "{creep:?}");
    }
}

/// A jolt of 10 ms makes a box that creeps slide: its creep is the law's at .4 ε, its slide a part of its
/// own, and the integrator has no share in either.
#[test]
fn a_jolt_slides_a_box_that_creeps() {
    let jolt = "[[push]]\nbody = \"box\"\nforce = [8, 0, 0]\nfactor = { at = [[0.8, 0], [0.805, 1], [0.81, 0]] }";
    let creep = verified(&pushed(RAMP, jolt, 1e-4, ""));
    let parts = creep.parts.expect("they are known");
    let law = 1e-2 * 2.0 / (0.5 * 9.81);
    assert!((parts.law / law - 1.0).abs() < 0.06, "{creep:?}");
    assert!(parts.sliding > 0.2 * law, "{creep:?}");
    assert!(parts.integrator.abs() < 0.01 * creep.measured, "{creep:?}");
    assert!(creep.time_sliding() > 0.01 && creep.time_sliding() < 0.03, "{creep:?}");
    // the window of a scene that begins it after the jolt
    let after = verified(&pushed(RAMP, jolt, 1e-4, ", drift_from = 0.9"));
    assert_eq!((after.window, after.sliding), ([0.9, 1.0], 0.0));
    let parts = after.parts.expect("they are known");
    assert!((after.measured / law - 1.0).abs() < 0.05 && parts.sliding == 0.0, "{after:?}");
}

/// Above the friction limit of the method the drift is not the law's: what falls with the step is the
/// integrator's, by the balance of the run itself too.
#[test]
fn above_the_friction_limit_the_integrator_has_a_part() {
    let stiff = "{ law = \"threshold\", epsilon = 1e-4 }";
    let (_, outcome) = ran(&pushed(stiff, "", 1e-3, ""));
    let creep = &outcome.creep[0];
    let parts = creep.parts.expect("they are known");
    let law = 1e-4 * 2.0 / (0.5 * 9.81);
    assert!((parts.law / law - 1.0).abs() < 0.02, "{creep:?}");
    assert!(parts.integrator.abs() > 0.5 * law, "{creep:?}");
    assert!(!outcome.verdict.faultless());
}
