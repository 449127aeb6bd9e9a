//! Forecasts before a run: true of scenes that are wrong from the start, silent on those of the
//! library.

use crate::support::simulation;
use std::path::Path;
use stiction_core::diagnosis::forecast::{Forecast, forecast};
use stiction_core::diagnosis::soft_creep::whole_after;
use stiction_core::math::{PI, atan2, pow, sin, sqrt};
use stiction_lab::experiment::phase::phase_errors;
use stiction_lab::run::Run;
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

/// The forecasts for a scene given as text.
fn doubts(text: &str) -> Vec<(&'static str, String)> {
    let loaded = load_text("test.toml", text, Path::new("."), &LoadOptions::default());
    let scene = loaded.unwrap_or_else(|errors| panic!("{errors:?}")).scene;
    let run = Run::new(&scene, &BuildOptions::default()).expect("a run");
    run.start.iter().map(|doubt| (doubt.kind, doubt.text.clone())).collect()
}

/// Two boxes of .1 m, the second `apart` beside the first, with springs that rest at `rest` of their lengths.
fn two_boxes(apart: f64, rest: f64, floor: bool) -> String {
    let body = |name: &str, x: f64| {
        format!(
            "[[body]]
            name = \"{name}\"
            radius = 0.01
            shape.points = {{ positions = [[0, 0, 0], [0.1, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [{:e}] }}
            springs.edge.stiffness = 100
            position = [{x:e}, 0, 0.01]
            ",
            0.1 * rest
        )
    };
    let floor = if floor { "[[collider]]\nname = \"floor\"\nshape.plane = {}\n" } else { "" };
    format!(
        "format = 1
        time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
        integrator.method = \"rk4\"
        materials.any.static_friction = 0.5
        contact = {{ bodies = {}, normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
        {}
        {}
        {floor}",
        !floor.is_empty(),
        body("left", 0.0),
        body("right", 0.1 + apart),
    )
}

/// Bodies that start inside each other, with springs far from rest, or above nothing.
#[test]
fn starts_that_throw_or_drop_bodies_are_told() {
    assert_eq!(doubts(&two_boxes(0.05, 1.0, true)), []);
    let overlapping = doubts(&two_boxes(0.005, 1.0, true));
    assert_eq!(overlapping[0].0, "overlapping-start");
    // two balls of 10 mm whose centres are 5 mm apart
    assert!(overlapping[0].1.contains("0.015 m inside each other"), "{overlapping:?}");
    let torn = doubts(&two_boxes(0.05, 0.4, true));
    let kinds: Vec<&str> = torn.iter().map(|doubt| doubt.0).collect();
    assert_eq!(kinds, ["torn-start"; 2]);
    assert!(torn[0].1.contains("`left` starts 0.1 m long, and rests at 0.04 m"), "{torn:?}");
    let falls = doubts(&two_boxes(0.05, 1.0, false));
    let kinds: Vec<&str> = falls.iter().map(|doubt| doubt.0).collect();
    assert_eq!(kinds, ["free-fall"; 2]);
    let one_pushed = two_boxes(0.05, 1.0, false) + "[[push]]\nbody = \"left\"\nforce = [0, 0, 1]\n";
    let falls = doubts(&one_pushed);
    assert_eq!(falls.len(), 1);
    assert!(falls[0].1.contains("`right` falls"), "{falls:?}");
    let weightless = two_boxes(0.05, 1.0, false) + "[world]\ngravity = [0, 0, 0]\n";
    assert_eq!(doubts(&weightless), []);
}

/// Deep starts of what has no thickness to speak of, by the energy of its contacts; and of ropes.
#[test]
fn deep_starts_are_told_of_what_is_thin_or_small() {
    let scene = |body: &str| {
        format!(
            "format = 1
            time = {{ end = 0.1, step = 1e-4, output = 0.1 }}
            integrator.method = \"rk4\"
            materials.any.static_friction = 0.5
            contact = {{ normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
            [[body]]
            name = \"it\"
            {body}
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            "
        )
    };
    let point =
        |z: f64| scene(&format!("mass = 1\nshape.particle = {{}}\nposition = [0, 0, {z:e}]\n"));
    // five times the resting depth m g/k of .981 mm, and fifty times
    assert_eq!(doubts(&point(-5e-3)), []);
    let found = doubts(&point(-0.05));
    assert_eq!(found[0].0, "deep-start");
    // √(k/m) d
    assert!(found[0].1.contains("up to 5 m/s") && found[0].1.contains("9.81e-4 m"), "{found:?}");
    let rope = |z: f64| {
        scene(&format!(
            "radius = 0.01
            shape.points = {{ positions = [[0, 0, 0], [1, 0, 0], [2, 0, 0]], masses = [1, 1, 1], links = [[0, 1], [1, 2]] }}
            springs.edge.stiffness = 1000
            position = [0, 0, {z:e}]
            "
        ))
    };
    assert_eq!(doubts(&rope(0.009)), []);
    let found = doubts(&rope(-0.04));
    assert_eq!(found[0].0, "deep-start");
    assert!(found[0].1.contains("0.05 m inside a collider") && found[0].1.contains("0.02 m"));
    // a twentieth of its size, a hundred times its resting depth
    let box_in = |z: f64, stiffness: f64| {
        let text = scene(&format!(
            "shape.points = {{ positions = [[0, 0, 0], [0.1, 0, 0], [0, 0, 0.1], [0.1, 0, 0.1]], masses = [1, 1, 1, 1], links = [[0, 1], [0, 2], [1, 3], [2, 3], [0, 3]] }}
            springs.edge.stiffness = 1e5
            position = [0, 0, {z:e}]
            "
        ));
        text.replace("1e4", &format!("{stiffness:e}"))
    };
    assert_eq!(doubts(&box_in(-5e-3, 1e4)), []);
    assert_eq!(doubts(&box_in(-5e-3, 1e6))[0].0, "deep-start");
}

/// Links of two bodies that cross closer than they are thick.
#[test]
fn links_that_start_inside_each_other_are_told() {
    let crossed = |apart: f64| {
        let link = |name: &str, along: [f64; 3], z: f64| {
            let [x, y, _] = along;
            format!(
                "[[body]]
                name = \"{name}\"
                radius = 0.01
                shape.points = {{ positions = [[{}, {}, 0], [{x}, {y}, 0]], masses = [1, 1], links = [[0, 1]] }}
                springs.edge.stiffness = 100
                position = [0, 0, {z:e}]
                ",
                -x, -y
            )
        };
        format!(
            "format = 1
            time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
            integrator.method = \"rk4\"
            world.gravity = [0, 0, 0]
            materials.any.static_friction = 0.5
            contact = {{ bodies = true, normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
            {}
            {}",
            link("one", [0.5, 0.0, 0.0], 0.0),
            link("other", [0.0, 0.5, 0.0], apart),
        )
    };
    assert_eq!(doubts(&crossed(0.019)), []);
    let found = doubts(&crossed(0.005));
    assert_eq!(found[0].0, "overlapping-start");
    assert!(found[0].1.contains("`one` and `other` start 0.015 m inside"), "{found:?}");
}

/// A ball beside, under and over a table, and thrown at it.
#[test]
fn a_body_that_nothing_can_catch_is_told() {
    let thrown = |place: [f64; 3], velocity: [f64; 3]| {
        let text = format!(
            "format = 1
            time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
            integrator.method = \"rk4\"
            materials.any.static_friction = 0.5
            contact = {{ normal = {{ stiffness = 1e4 }}, friction = {{ law = \"threshold\", epsilon = 1e-3 }} }}
            [[body]]
            name = \"ball\"
            mass = 1
            radius = 0.05
            shape.particle = {{}}
            position = {place:?}
            velocity = {velocity:?}
            [[collider]]
            name = \"table\"
            shape.box = {{ size = [1, 1, 0.1] }}
            "
        );
        doubts(&text).iter().map(|doubt| doubt.0).collect::<Vec<_>>()
    };
    let still = [0.0; 3];
    assert_eq!(thrown([0.0, 0.0, 0.5], still), [""; 0]);
    assert_eq!(thrown([0.6, 0.0, 0.5], still), ["free-fall"]);
    assert_eq!(thrown([0.0, 0.0, -0.5], still), ["free-fall"]);
    // onto the table in .3 s, over it, and up against it from below
    assert_eq!(thrown([0.6, 0.0, 0.5], [-2.0, 0.0, 0.0]), [""; 0]);
    assert_eq!(thrown([0.6, 0.0, 0.5], [-8.0, 0.0, 0.0]), ["free-fall"]);
    assert_eq!(thrown([0.0, 0.0, -0.5], [0.0, 0.0, 4.0]), [""; 0]);
}

/// Where contact has no springs a body is moved out of what it touches.
#[test]
fn a_body_that_is_moved_out_at_the_start_is_told() {
    for method in ["exact", "impulse"] {
        let at = |z: f64| {
            doubts(&format!(
                "format = 1
                time = {{ end = 0.1, step = 1e-3, output = 0.1 }}
                integrator.method = \"symplectic-euler\"
                materials.any.static_friction = 0.5
                contact.method = \"{method}\"
                [[body]]
                name = \"ball\"
                mass = 1
                radius = 0.001
                shape.particle = {{}}
                position = [0, 0, {z:e}]
                [[collider]]
                name = \"floor\"
                shape.plane = {{}}
                "
            ))
        };
        assert_eq!(at(0.001), []);
        let found = at(0.0005);
        assert_eq!(found.len(), 1, "{method}");
        assert_eq!(found[0].0, "moved-start");
        assert!(found[0].1.contains("by up to 5e-4 m"), "{found:?}");
    }
}
