//! The advice of runs that are not trusted.

use super::verify::{document, level, oscillator};
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
