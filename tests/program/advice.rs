//! The advice of runs that are not trusted.

use super::verify::{document, level, oscillator, with_scene};
use serde_json::Value;
use stiction_core::math::cos;

/// The settings that a run which is not trusted names lead to one that is, and right; where the error of a
/// method of low order would take many steps they are another method.
#[test]
fn advice_leads_to_a_trusted_run() {
    let mut methods = 0;
    for (method, step) in [
        ("explicit-euler", 5e-3),
        ("symplectic-euler", 0.05),
        ("implicit-euler", 0.01),
        ("rk4", 0.1),
    ] {
        let scene = oscillator(method, step, 6.0);
        let mut options = vec!["--verify".to_string()];
        let mut run = document(&scene, &["--verify"]);
        assert_eq!(level(&run), "not trusted", "{method}: {}", run["trust"]);
        for _ in 0..3 {
            let set = run["trust"]["advice"]["set"].as_object().expect("advice").clone();
            methods += usize::from(set.contains_key("integrator.method"));
            for (key, value) in set {
                options.push("--set".into());
                options.push(format!("{key}={}", value.as_str().unwrap()));
            }
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            run = document(&scene, &options);
            if level(&run) == "trusted" {
                break;
            }
        }
        assert_eq!(level(&run), "trusted", "{method}, {options:?}: {}", run["trust"]);
        assert!(run["trust"]["advice"].is_null());
        let x = run["last_frame"]["x"].as_f64().unwrap();
        let truth = 1.0 + 0.1 * cos(60.0);
        assert!((x - truth).abs() < 1e-3, "{method}, {options:?}: {x}, not {truth}");
    }
    assert!(methods > 0, "no method of higher order is advised");
}

/// Where no step helps there is no advice: a contact that is too soft for its load, friction that has nothing to
/// rest on, and a body that starts beyond the middle of what it is in.
#[test]
fn no_step_is_advised_where_none_helps() {
    let scene = |stiffness: f64, law: &str, body: &str| {
        format!(
            "format = 1
            time = {{ end = 0.5, step = 1e-4, output = 0.1 }}
            integrator.method = \"rk4\"
            materials.any.static_friction = 0.5
            contact = {{ normal = {{ stiffness = {stiffness:e}, damping = 20 }}, friction = {law} }}
            [[body]]
            name = \"ball\"
            mass = 1
            shape.particle = {{}}
            {body}
            [[collider]]
            name = \"table\"
            shape.box = {{ center = [0, 0, -0.05], size = [1, 1, 0.1] }}
            "
        )
    };
    let threshold = "{ law = \"threshold\", epsilon = 1e-3 }";
    for (stiffness, law, body, reason) in [
        (100.0, threshold, "position = [0, 0, 0]", "too-deep"),
        (100.0, threshold, "position = [0, 0, -0.047]", "too-deep"),
        (1e4, "{ law = \"kinetic\" }", "position = [0, 0, 0]\nvelocity = [0.1, 0, 0]", "chatter"),
    ] {
        let run = document(&scene(stiffness, law, body), &[]);
        let reasons = run["trust"]["reasons"].as_array().unwrap();
        assert!(reasons.iter().any(|told| told["name"] == reason), "{reason}: {reasons:?}");
        assert!(run["trust"]["advice"].is_null(), "{reason}: {}", run["trust"]["advice"]);
    }
    // a step that dives in is at fault itself
    let text = scene(100.0, threshold, "position = [0, 0, 1]\nvelocity = [0, 0, -60]");
    let run = document(&text.replace("step = 1e-4", "step = 1e-3"), &[]);
    let steps = &run["trust"]["advice"]["set"]["time.step"];
    assert!(steps.is_string(), "{}", run["trust"]);
}

/// The same where friction that has nothing to rest on leaves a step of an implicit method without a solution.
#[test]
fn no_step_is_advised_after_one_without_a_solution() {
    let dropped = "format = 1
        time = { end = 0.2, step = 1e-3, output = 0.02 }
        integrator.method = \"tr-bdf2\"
        materials.rubber = { static_friction = 0.5, kinetic_friction = 0.4 }
        contact = { normal = { stiffness = 1e4, damping = 5 }, friction = { law = \"kinetic\" } }
        [[body]]
        name = \"box\"
        mass = 1
        position = [0, 0, 0.02]
        rotation = [0, 5, 0]
        velocity = [0.5, 0.1, 0]
        shape = { lattice = { counts = [4, 3, 3], spacing = 0.05 } }
        springs = { edge = { stiffness = 2e3, damping = 2 }, face_diagonal = { stiffness = 2e3, damping = 2 } }
        [[collider]]
        name = \"floor\"
        shape.plane = {}
        ";
    let (_, out, err) = with_scene(&["run", "-", "--format", "json"], dropped);
    let run: Value = serde_json::from_str(&out).expect("a document");
    assert!(run["trust"]["advice"].is_null(), "{}", run["trust"]);
    assert!(err.contains("no smaller step helps where friction chatters"), "{err}");
    let with_imex = with_scene(&["run", "-", "--integrator", "imex"], dropped).2;
    assert!(
        with_imex.contains("friction chatters") && !with_imex.contains("try imex"),
        "{with_imex}"
    );
}

/// A damped contact begins with a jump of its force inside a step, so that errors fall by order one: the advice is a
/// step for that order, whatever order was observed, and no other method.
#[test]
fn advice_after_an_impact_extrapolates_by_order_one() {
    for method in ["symplectic-euler", "midpoint", "rk4"] {
        let scene = format!(
            "format = 1
            time = {{ end = 0.196, step = 7e-3, output = 0.014 }}
            integrator.method = \"{method}\"
            world.gravity = [0, 0, 0]
            materials.any.static_friction = 0.5
            contact = {{ normal = {{ stiffness = 1e4, damping = 51.0552 }}, friction = {{ law = \"none\" }} }}
            [[body]]
            name = \"ball\"
            mass = 1
            shape.particle = {{}}
            position = [0, 0, 0.1037]
            velocity = [0, 0, -2]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            [[measure]]
            name = \"v\"
            kind = \"velocity\"
            body = \"ball\"
            direction = [0, 0, 1]
            "
        );
        let run = document(&scene, &["--verify"]);
        assert_eq!(level(&run), "not trusted", "{method}");
        let set = run["trust"]["advice"]["set"].as_object().expect("advice");
        let keys: Vec<&String> = set.keys().collect();
        assert_eq!(keys, ["time.step"], "{method}");
        let step = format!("time.step={}", set["time.step"].as_str().unwrap());
        let run = document(&scene, &["--verify", "--set", &step]);
        assert_eq!(level(&run), "trusted", "{method}");
        // rebounds with half of its speed
        let v = run["last_frame"]["v"].as_f64().unwrap();
        assert!((v - 1.0).abs() < 0.02, "{method}, {step}: {v}");
    }
}

/// A ball that starts inside a block is somewhere else at every step.
#[test]
fn no_step_is_advised_where_bodies_start_inside_each_other() {
    let scene = |z: f64| {
        format!(
            "format = 1
            time = {{ end = 0.2, step = 1e-3, output = 0.05 }}
            integrator.method = \"symplectic-euler\"
            materials.any.static_friction = 0.5
            contact = {{ method = \"exact\", bodies = true, tolerance = 1 }}
            [[body]]
            name = \"block\"
            mass = 1
            rigid = true
            shape.lattice = {{ counts = [5, 5, 5], spacing = 0.05 }}
            [[body]]
            name = \"ball\"
            mass = 0.1
            radius = 0.004
            shape.particle = {{}}
            position = [0.013, 0.008, {z}]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            "
        )
    };
    for (z, inside) in [(0.1, true), (0.21, false)] {
        let run = document(&scene(z), &[]);
        assert_eq!(level(&run), "not trusted", "{z}: {}", run["trust"]);
        assert_eq!(run["trust"]["advice"].is_null(), inside, "{z}: {}", run["trust"]);
    }
}
