//! `run --draft`: one run by forecast, whose verdict says so.

use super::verify::{document, level, oscillator, with_scene};
use serde_json::Value;
use stiction_core::math::cos;
use tempfile::tempdir;

/// A scene without lines that begin so.
fn without(scene: &str, beginnings: &[&str]) -> String {
    let is_kept =
        |line: &&str| !beginnings.iter().any(|begin| line.trim_start().starts_with(begin));
    scene.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

/// A ball of 1 kg above, or 1 mm inside, a floor of stiffness k, that it touches by the law of ε = 10 mm/s.
fn ball(height: f64, stiffness: f64, contact: &str) -> String {
    format!(
        "format = 1\nworld.gravity = [0, 0, -9.81]\ntime = {{ end = 1.0, output = 0.05 }}\n\
         [materials.m]\nstatic_friction = 0.5\n[contact]\n{contact}\n\
         [[body]]\nname = \"ball\"\nmass = 1.0\nshape = {{ particle = {{}} }}\nposition = [0, 0, {height}]\n\
         [[collider]]\nname = \"floor\"\nshape = {{ plane = {{}} }}\n\
         [[measure]]\nname = \"height\"\nkind = \"position\"\nbody = \"ball\"\ndirection = [0, 0, 1]\n"
    )
    .replace("STIFFNESS", &format!("{stiffness:e}"))
}

const PENALTY: &str = "normal = { stiffness = STIFFNESS, damping = 100 }\nfriction = { law = \"threshold\", epsilon = 0.01 }";

fn method(document: &Value) -> &str {
    document["integrator"]["method"].as_str().expect("a method")
}

fn step(document: &Value) -> f64 {
    document["integrator"]["step"].as_f64().expect("a step")
}

#[test]
fn it_is_one_run_that_is_right_to_a_percent_and_says_draft() {
    let scene = without(&oscillator("rk4", 0.01, 5.0), &["[integrator]", "method", "step"]);
    let draft = document(&scene, &["--draft"]);
    assert_eq!((level(&draft), method(&draft)), ("draft", "rk45"));
    assert_eq!(draft.get("verification").filter(|found| !found.is_null()), None);
    assert_eq!(draft.get("accuracy").filter(|found| !found.is_null()), None);
    let x = draft["last_frame"]["x"].as_f64().expect("a value");
    assert!((x - 1.0 - 0.1 * cos(50.0)).abs() < 1e-3, "{x}");
    let (_, shown, _) = with_scene(&["run", "-", "--draft"], &scene);
    assert!(shown.contains("verdict: draft (one run, compared with nothing"), "{shown}");
}

/// A method without an estimate of its error is taken where it is cheaper and nothing strikes.
#[test]
fn before_a_blow_the_method_looks_at_its_error() {
    for (height, wanted) in [(0.5, "rk45"), (-9.81 / 1.7e7, "symplectic-euler")] {
        let draft = document(&ball(height, 1.7e7, PENALTY), &["--draft"]);
        assert_eq!(method(&draft), wanted, "{height}");
    }
}

#[test]
fn method_and_step_that_are_given_are_kept() {
    let scene = ball(-9.81e-4, 1e4, PENALTY);
    let draft = document(&scene, &["--draft", "--integrator", "rk4", "--step", "1e-4"]);
    assert_eq!((method(&draft), step(&draft), level(&draft)), ("rk4", 1e-4, "draft"));
    let draft = document(&scene, &["--draft", "--integrator", "symplectic-euler"]);
    // 4096 steps at least, that divide the time between frames
    assert!(method(&draft) == "symplectic-euler" && step(&draft) <= 1.0 / 4096.0);
}

#[test]
fn a_draft_with_a_fault_is_not_trusted() {
    let draft = document(
        &ball(-9.81e-4, 1e4, PENALTY),
        &["--draft", "--integrator", "explicit-euler", "--step", "0.05"],
    );
    assert_eq!(level(&draft), "not trusted");
    // contacts that jump velocities do so at the ends of steps, whatever lies between
    let draft = document(&ball(0.0, 0.0, "method = \"exact\""), &["--draft", "--step", "0.05"]);
    let names: Vec<&Value> = draft["trust"]["reasons"]
        .as_array()
        .expect("reasons")
        .iter()
        .map(|reason| &reason["name"])
        .collect();
    assert_eq!(names, ["too-few-steps"]);
}

#[test]
fn what_compares_runs_is_refused_beside_it() {
    for other in ["--verify", "--accuracy=1e-2", "--observe-order"] {
        let (code, _, said) = with_scene(&["run", "-", "--draft", other], &ball(0.5, 1e4, PENALTY));
        assert_eq!(code, 2, "{said}");
        assert!(said.contains("--draft"), "{said}");
    }
}

#[test]
fn a_draft_that_was_stopped_is_resumed_as_one() {
    let folder = tempdir().expect("a folder");
    let (file, out) = (folder.path().join("scene.toml"), folder.path().join("out"));
    let scene = oscillator("rk4", 0.01, 5.0);
    std::fs::write(&file, &scene).expect("written");
    let [file, out] = [&file, &out].map(|path| path.to_str().expect("text"));
    let (code, _, said) =
        with_scene(&["run", file, "--draft", "--out", out, "--max-wall", "0ms"], "");
    assert_eq!(code, 9, "{said}");
    let (code, _, said) = with_scene(&["run", "--resume", out], "");
    assert_eq!(code, 0, "{said}");
    let written = std::fs::read(folder.path().join("out/run.json")).expect("run.json");
    let resumed: Value = serde_json::from_slice(&written).expect("JSON");
    let at_once = document(&scene, &["--draft"]);
    assert_eq!(level(&resumed), "draft");
    assert_eq!(resumed["state_hash"], at_once["state_hash"]);
}
