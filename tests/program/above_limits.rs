//! Runs whose step is above a limit: of springs and normal contacts, or of friction.

use super::verify::{document, level};
use serde_json::Value;

/// Runs whose steps are all above the friction limit agree on a swing that is a quarter of the right one, 5.065 N:
/// that is no error bar. Where the smallest step is below it there is one, and it reaches the truth.
#[test]
fn runs_that_are_all_above_a_limit_give_no_error_bar() {
    let scene = include_str!("../../scenes/stick_slip.toml");
    let verified = |step: &str| {
        let text = scene.replace("step = 5e-5", &format!("step = {step}"));
        let document = document(&text, &["--verify"]);
        assert_eq!(level(&document), "not trusted", "{}", document["trust"]);
        (document["trust"].clone(), document["verification"].clone())
    };
    let [(trust, above), (_, across)] = ["1e-3", "2e-4"].map(verified);
    assert!(trust["error"].is_null(), "{trust}");
    let reasons = trust["reasons"].as_array().unwrap();
    assert!(reasons.iter().all(|told| told["name"] != "error-too-large"), "{trust}");
    let swing = |of: &Value| of["measures"]["swing"].clone();
    assert!(swing(&above)["value"].as_f64().is_some_and(|swing| swing < 2.0), "{above}");
    assert!(swing(&above)["error"].is_null() && swing(&above)["share"].is_null(), "{above}");
    assert!(above["notes"][0].as_str().unwrap().starts_with("no error bars"), "{above}");
    let [value, error] = ["value", "error"].map(|key| swing(&across)[key].as_f64().unwrap());
    assert!((value - 5.065).abs() < error, "{value} ± {error}");
}

/// A spring or a normal contact that the step makes grow is named, and the step it allows advised, whatever else
/// is found, also after an explosion.
#[test]
fn a_step_above_the_stable_one_is_named() {
    let scene = |edge: f64, normal: f64, step: f64| {
        format!(
            "format = 1
            world.planar = \"xz\"
            time = {{ end = 0.4, step = {step:e}, output = 0.1 }}
            integrator.method = \"symplectic-euler\"
            materials.any.static_friction = 0.5
            contact = {{ normal = {{ stiffness = {normal:e}, damping = 20 }}, friction = {{ law = \"threshold\", epsilon = 0.1 }} }}
            [[body]]
            name = \"box\"
            mass = 1
            shape.lattice = {{ counts = [4, 1, 2], spacing = 0.1 }}
            springs = {{ edge = {{ stiffness = {edge:e}, damping = 1 }}, face_diagonal = {{ stiffness = {edge:e}, damping = 1 }} }}
            position = [0, 0, -1e-4]
            velocity = [0.5, 0, 0]
            [[collider]]
            name = \"floor\"
            shape.plane = {{}}
            "
        )
    };
    for (edge, normal, step, name) in
        [(2e4, 2e3, 5e-3, "spring from"), (2e3, 2e4, 0.01, "normal contact at")]
    {
        let run = document(&scene(edge, normal, step), &[]);
        let reasons = run["trust"]["reasons"].as_array().unwrap();
        let above = reasons.iter().find(|told| told["name"] == "step-above-stable-step");
        let message = above.unwrap_or_else(|| panic!("{reasons:?}"))["message"].as_str().unwrap();
        assert!(message.contains(name), "{message}");
        let advised = run["trust"]["advice"]["set"]["time.step"].as_str().unwrap();
        let step: f64 = advised.parse().expect("seconds");
        let run = document(&scene(edge, normal, step), &["--verify"]);
        assert_eq!(level(&run), "trusted", "at {step}: {}", run["trust"]);
    }
}
