//! The budget of creep: seen from both sides of a contact, with two coefficients, and for a stretch
//! that grows with its load.

use std::path::Path;
use stiction_core::math::{cos, radians, sin, sqrt, tan};
use stiction_lab::run::{Outcome, Run, Status, Unobserved};
use stiction_scene::build::BuildOptions;
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
            frame.creep[body].parts().unwrap_or_else(|| panic!("no parts at {}", frame.time))
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
    let lags: Vec<f64> = outcome.creep.iter().map(|creep| creep.lag.expect("it holds")).collect();
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
        near("the law's creep", found.law.expect("it holds"), creep);
        assert!(outcome.verdict.faultless(), "{law}: {:?}", outcome.verdict);
    }
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
    assert!(run.simulation().state.memory.contacts[0].sticking);
    assert!(outcome.verdict.faultless(), "{:?}", outcome.verdict);
}
