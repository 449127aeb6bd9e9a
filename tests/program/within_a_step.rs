//! A stop, a reversal, a push or a pulse within one step. Runs at other steps may share the loss of a step.

use super::verify::{bar, document, level, with_scene};
use serde_json::Value;
use stiction_core::math::{cos, sin};

/// A block of 1 kg on a plane under μ = .4, with further keys of the body, and further tables.
fn block(time: &str, friction: &str, (body, more): (&str, &str)) -> String {
    format!(
        "format = 1\nworld = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}\ntime = {{ {time} }}\n\
         materials.m.static_friction = 0.4\n\
         contact = {{ normal = {{ stiffness = 1e5, damping = 200 }}, friction = {{ {friction} }} }}\n\
         [[body]]\nname = \"block\"\nmass = 1\nshape.particle = {{}}\nposition = [0, 0, -9.81e-5]\n{body}\n\
         [[collider]]\nname = \"floor\"\nshape.plane = {{}}\n\
         [[measure]]\nname = \"x\"\nkind = \"position\"\nbody = \"block\"\ndirection = [1, 0, 0]\n{more}"
    )
}

const SMOOTH: &str = "law = \"threshold\", epsilon = 1e-3";

fn has(document: &Value, reason: &str) -> bool {
    let reasons = document["trust"]["reasons"].as_array().expect("reasons");
    reasons.iter().any(|given| given["name"] == reason)
}

/// Asserts that an accuracy is delivered, and what was asked of the scale lies about the truth.
#[track_caller]
fn delivered(scene: &str, share: f64, truth: f64) {
    let found = document(scene, &["--accuracy", &format!("{share:e}")]);
    assert_eq!(found["accuracy"]["delivered"], true, "{}", found["accuracy"]);
    let (value, _) = bar(&found, "x");
    let scale = found["verification"]["measures"]["x"]["scale"].as_f64().expect("a scale");
    assert!((value - truth).abs() <= share * scale, "{value}, not {truth}");
}

/// It stops after half a second of a run of 1000 s.
#[test]
fn a_stop_within_the_first_step_is_not_trusted() {
    let scene = block("end = 1000, output = 50", SMOOTH, ("velocity = [2, 0, 0]", ""));
    for method in ["implicit-euler", "sdirk2", "bdf2"] {
        let found = document(&scene, &["--integrator", method, "--step", "10"]);
        assert!(has(&found, "stop-unresolved"), "{method}: {}", found["trust"]);
        let verified = document(&scene, &["--integrator", method, "--step", "10", "--verify"]);
        assert_eq!(level(&verified), "not trusted", "{method}: {}", verified["trust"]);
    }
    // (v0² − ε²)/(2 μ g) + ε²/(μ g)
    delivered(&scene, 1e-2, (4.0 + 1e-6) / (2.0 * 0.4 * 9.81));
}

/// The block settles into the stretch of its friction, and comes to rest in the first step.
#[test]
fn a_block_that_settles_has_lost_no_path() {
    let friction = "law = \"cundall-strack\", stiffness = 1e6, damping = 2000";
    let scene = block("end = 10, step = 0.1, output = 1", friction, ("", ""))
        .replace("[0, 0, -9.81]", "[2, 0, -9.81]");
    for method in ["implicit-euler", "sdirk2", "bdf2", "tr-bdf2", "semi-implicit"] {
        let found = document(&scene, &["--integrator", method]);
        assert!(!has(&found, "stop-unresolved"), "{method}: {}", found["trust"]);
    }
}

/// A push of a third of a second begins and ends within any large step, and all of them are the same there.
#[test]
fn a_push_within_one_step_is_followed_by_the_answer() {
    let push =
        "[[push]]\nbody = \"block\"\nforce = [13.7, 0, 0]\nfrom = 500.2345\nuntil = 500.5678\n";
    let scene = block("end = 1000, output = 50", SMOOTH, ("", push));
    // a T²/2 (1 + a/(μ g)), but for the creep before and behind
    let (a, friction) = (13.7 - 0.4 * 9.81, 0.4 * 9.81);
    let truth = 0.5 * a * 0.3333 * 0.3333 * (1.0 + a / friction);
    delivered(&scene, 1e-2, truth);
    let found = document(&scene, &["--accuracy", "1e-2"]);
    let step = found["integrator"]["step"].as_f64().expect("a step");
    assert!(step < 0.3333, "{step}");
}

#[test]
fn a_pulse_between_two_states_is_a_reason() {
    let push = "[[push]]\nbody = \"block\"\nforce = [400, 0, 0]\nfactor.formula = \"exp(-((t - 3.33337)/0.01)^2)\"\n";
    let scene = block("end = 10, step = 0.1, output = 1", SMOOTH, ("", push));
    for method in ["sdirk2", "implicit-euler"] {
        let found = document(&scene, &["--integrator", method]);
        assert!(has(&found, "load-unresolved"), "{method}: {}", found["trust"]);
        let verified = document(&scene, &["--integrator", method, "--verify"]);
        assert_eq!(level(&verified), "not trusted", "{method}: {}", verified["trust"]);
        let fine = document(&scene, &["--integrator", method, "--step", "1e-3"]);
        assert!(!has(&fine, "load-unresolved"), "{method}: {}", fine["trust"]);
    }
}

/// Up a plane of 30° from 3 m/s, and down again, under μ = .2 and an ε that every step jumps over.
#[test]
fn a_reversal_within_a_step_is_within_the_bar() {
    let slope = block(
        "end = 2, output = 0.1",
        "law = \"threshold\", epsilon = 1e-6",
        ("velocity = [3, 0, 0]", ""),
    );
    let angle = std::f64::consts::PI / 6.0;
    let (along, load) = (9.81 * sin(angle), 9.81 * cos(angle));
    let slope = slope
        .replace("static_friction = 0.4", "static_friction = 0.2")
        .replace("[0, 0, -9.81]", &format!("[{:e}, 0, {:e}]", -along, -load));
    let turn = 3.0 / (along + 0.2 * load);
    let truth = 0.5 * 3.0 * turn - 0.5 * (along - 0.2 * load) * (2.0 - turn) * (2.0 - turn);
    let mut trusted = 0;
    for method in ["sdirk2", "implicit-midpoint", "tr-bdf2", "bdf2"] {
        for step in ["0.05", "0.025", "0.02", "0.0125", "0.005", "0.0025"] {
            let found = document(&slope, &["--integrator", method, "--step", step, "--verify"]);
            if level(&found) != "trusted" {
                continue;
            }
            trusted += 1;
            let (value, error) = bar(&found, "x");
            // one bar in seventy may be too small
            assert!(
                (value - truth).abs() < 1.5 * error,
                "{method} {step}: {value} ± {error}, truth {truth}"
            );
        }
    }
    assert!(trusted > 8, "{trusted}");
}

#[test]
fn a_limit_of_time_alone_is_that_of_the_scene_without_a_step() {
    let scene = block("end = 1, output = 0.1", SMOOTH, ("velocity = [2, 0, 0]", ""));
    let (exit, out, _) = with_scene(&["run", "-", "--max-time", "0"], &scene);
    assert!(exit == 9 && out.contains("NOT delivered"), "{exit} {out}");
    let stepped = scene.replace("output = 0.1", "step = 1e-3, output = 0.1");
    let (exit, _, err) = with_scene(&["run", "-", "--max-time", "9"], &stepped);
    assert!(exit == 2 && err.contains("--max-time is the limit of --accuracy"), "{exit} {err}");
    let (_, _, err) = with_scene(&["run", "-", "--verify"], &scene);
    assert!(err.contains("the scene has no step"), "{err}");
}
