//! Forecasts before a run: true of scenes that are wrong from the start, silent on those of the
//! library.

use crate::support::simulation;
use std::path::Path;
use stiction_core::diagnosis::forecast::{Forecast, forecast};
use stiction_core::diagnosis::soft_creep::whole_after;
use stiction_core::math::{PI, atan2, pow, sin, sqrt};
use stiction_lab::run::Run;
use stiction_lab::run::phase::phase_errors;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load, load_text};

/// The forecasts for a shipped scene under changes `key=value`.
fn told(scene: &str, set: &[&str]) -> Vec<Forecast> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(scene);
    let set = set.iter().map(|text| text.to_string()).collect();
    let options = LoadOptions { set, ..LoadOptions::default() };
    let scene = load(&path, &options).unwrap_or_else(|errors| panic!("{errors:?}")).scene;
    let run = Run::new(&scene, &BuildOptions::default()).expect("a run");
    let run = run.simulation();
    let mut told = forecast(&run.model, &run.state, &[], scene.time.step, scene.time.end());
    told.extend(phase_errors(&scene, &run.model, &run.state));
    told
}

/// The forecast of the error at the end of 20 s, in per cent, for a particle of 1 kg on a spring of
/// ω = 10 rad/s, pulled out by .1 m.
fn error_of_an_oscillator(method: &str, step: f64) -> Option<f64> {
    let text = format!(
        "format = 1
        time = {{ end = 20.0, step = {step:e}, output = 20.0 }}
        integrator.method = \"{method}\"
        world.gravity = [0, 0, 0]
        materials.any.static_friction = 0.5
        [[body]]
        name = \"oscillator\"
        shape.points = {{ positions = [[0, 0, 0], [1.1, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [1] }}
        springs.edge.stiffness = 100
        [[pin]]
        body = \"oscillator\"
        where.particles = [0]
        "
    );
    let loaded = load_text("test.toml", &text, Path::new("."), &LoadOptions::default());
    let scene = loaded.unwrap_or_else(|errors| panic!("{errors:?}")).scene;
    let run = Run::new(&scene, &BuildOptions::default()).expect("a run");
    let run = run.simulation();
    let told = phase_errors(&scene, &run.model, &run.state);
    assert!(told.len() < 2, "{told:?}");
    let said = told.first()?.text.split(" % of its amplitude").next()?.to_string();
    said.rsplit(' ').next()?.parse().ok()
}

/// The phase of the trapezoidal rule is 2 atan(hω/2) a step, as is that of implicit midpoint; a
/// step of explicit Euler multiplies the amplitude by √(1 + h²ω²).
#[test]
fn an_oscillation_that_will_be_off_is_told() {
    let turned = 400.0 * (0.5 - 2.0 * atan2(0.25, 1.0));
    let off = 200.0 * sin(0.5 * turned.min(PI));
    for method in ["trapezoid", "implicit-midpoint"] {
        let told = error_of_an_oscillator(method, 0.05).expect("a word");
        assert!((told - off).abs() < 2.0, "{method}: {told}, {off}");
    }
    let told = error_of_an_oscillator("explicit-euler", 1e-3).expect("a word");
    let grown = 100.0 * (pow(1.0 + 1e-4, 10_000.0) - 1.0);
    assert!((told / grown - 1.0).abs() < 0.02, "{told}, {grown}");
    for (method, step) in
        [("rk4", 5e-3), ("trapezoid", 1e-3), ("dopri5", 1e-2), ("symplectic-euler", 1e-3)]
    {
        assert_eq!(error_of_an_oscillator(method, step), None, "{method}");
    }
}

#[test]
fn no_scene_of_the_library_is_doubted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the folder of scenes");
    let mut looked = 0;
    for entry in entries {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        if name.ends_with(".toml") {
            assert_eq!(told(&name, &[]), [], "{name}");
            looked += 1;
        }
    }
    assert!(looked > 40);
}

#[test]
fn a_load_that_sinks_a_body_is_told() {
    let found = told("belt.toml", &["body.0.mass=1e5"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, "heavy-load");
    assert!(found[0].text.contains("9.81e5 N") && found[0].text.contains("`box`"), "{found:?}");
}

#[test]
fn a_start_deep_inside_a_collider_is_told_with_the_speed_it_is_thrown_at() {
    let found = told("belt.toml", &["body.0.position=[0, 0, -5]"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, "deep-start");
    let run = simulation(
        "format = 1
        time = { end = 1.0, step = 1e-4, output = 0.1 }
        integrator.method = \"rk4\"
        materials.rubber.static_friction = 0.5
        contact.normal.stiffness = 1e4
        contact.friction.law = \"threshold\"
        contact.friction.epsilon = 1e-3
        [[body]]
        name = \"ball\"
        mass = 2
        radius = 0.1
        shape.particle = {}
        position = [0, 0, -0.4]
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        ",
    );
    // the speed √(k/m) d
    let speed = sqrt(1e4 / 2.0) * 0.5;
    let found = forecast(&run.model, &run.state, &[], 1e-4, 1.0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].text.contains(&format!("{speed:.2} m/s")), "{found:?}");
}

#[test]
fn coordinates_that_rounding_spoils_are_told() {
    for far in ["5e6", "1e12"] {
        let found = told("incline_creep.toml", &[&format!("body.0.position=[{far}, 0, 0]")]);
        assert!(found.iter().any(|told| told.kind == "far-out"), "{far}: {found:?}");
    }
    assert_eq!(told("incline_creep.toml", &["body.0.position=[1e3, 0, 1e3]"]), []);
}

/// A bar of EA = k a = 100 N under q = μ m g/a = 4.905 N/m: L²/D = L² q/(EAε).
#[test]
fn a_bar_creeps_as_a_whole_after_its_time_of_diffusion() {
    let (count, a) = (41, 0.01);
    let share = |i: usize| if i == 0 || i + 1 == count { 0.005 } else { 0.01 };
    let masses: Vec<f64> = (0..count).map(share).collect();
    let positions: Vec<[f64; 3]> =
        (0..count).map(|i| [i as f64 * a, 0.0, -9.81e-4 * share(i)]).collect();
    let links: Vec<[usize; 2]> = (1..count).map(|i| [i - 1, i]).collect();
    let run = simulation(&format!(
        "format = 1
        world.planar = \"xz\"
        time = {{ end = 1.0, step = 1e-4, output = 0.1 }}
        integrator.method = \"rk4\"
        materials.rubber.static_friction = 0.5
        contact.normal = {{ stiffness = 1e4, damping = 1 }}
        contact.friction = {{ law = \"threshold\", epsilon = 1e-3 }}
        [[body]]
        name = \"bar\"
        shape.points = {{ positions = {positions:?}, masses = {masses:?}, links = {links:?} }}
        springs.edge.stiffness = 1e4
        [[push]]
        body = \"bar\"
        where.particles = [0]
        force = [-0.01, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    ));
    let length = 0.4;
    let exact = length * length * 4.905 / (100.0 * 1e-3);
    let found = whole_after(&run.model, &run.state, &run.model.bodies[0]).expect("a time");
    assert!((found / exact - 1.0).abs() < 0.005, "{found}, {exact}");
}
