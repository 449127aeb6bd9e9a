//! `run --accuracy`: what is delivered lies within what was asked, and what cannot be is refused.

use super::verify::{BILLIARD, bar, document, level, oscillator, with_scene};
use serde_json::Value;
use stiction_core::math::cos;

/// A scene of the library without what it expects.
fn library(name: &str) -> String {
    let scene = std::fs::read_to_string(format!("scenes/{name}.toml")).unwrap();
    scene.split("[expect]").next().unwrap().to_string()
}

fn accuracy(document: &Value) -> &Value {
    &document["accuracy"]
}

/// Asserts that a measure is delivered within `share` of its scale of a known value, and that its bar holds it.
#[track_caller]
fn delivered(scene: &str, asked: &str, measure: &str, (truth, slack): (f64, f64), share: f64) {
    let document = document(scene, &["--accuracy", asked]);
    let found = accuracy(&document);
    assert_eq!(found["delivered"], true, "{asked}: {found}");
    assert_eq!(level(&document), "trusted", "{asked}");
    let (value, error) = bar(&document, measure);
    let about = &document["verification"]["measures"][measure];
    let allowed = share * about["scale"].as_f64().unwrap();
    assert!((value - truth).abs() <= allowed + slack, "{asked}: {value}, not {truth} ± {allowed}");
    assert!((value - truth).abs() <= error + slack, "{asked}: {value} ± {error}, truth {truth}");
    let runs = found["runs"].as_array().unwrap().len();
    assert!((2..=16).contains(&runs), "{asked}: {runs} runs");
}

#[test]
fn a_distance_of_stopping_is_as_exact_as_asked() {
    // (v0² − ε²)/(2 μ g) + ε²/(μ g)
    let truth = (4.0 - 1e-4) / (2.0 * 0.4 * 9.81) + 1e-4 / (0.4 * 9.81);
    for (asked, share) in [("1e-2", 1e-2), ("1e-3", 1e-3), ("1e-4", 1e-4)] {
        delivered(&library("sliding_block"), asked, "distance", (truth, 2e-7), share);
    }
    for method in ["symplectic-euler", "implicit-euler", "dopri5"] {
        let scene = library("sliding_block").replace("\"rk4\"", &format!("{method:?}"));
        delivered(&scene, "1e-3", "distance", (truth, 2e-7), 1e-3);
    }
}

#[test]
fn creep_and_the_period_of_stick_slip_are_as_exact_as_asked() {
    delivered(&library("incline_creep"), "1e-3", "creep", (-6.0661706e-4, 6e-10), 1e-3);
    // the law's ε lengthens the period by .1 %
    delivered(&library("stick_slip"), "period=1 %", "period", (1.8028, 2e-3), 1e-2);
}

#[test]
fn an_oscillation_is_as_exact_as_asked() {
    let truth = 1.0 + 0.1 * cos(10.0 * 5.0);
    for method in ["symplectic-euler", "rk4", "bdf2", "dopri5"] {
        delivered(&oscillator(method, 0.01, 5.0), "1e-3", "x", (truth, 1e-9), 1e-3);
    }
}

#[test]
fn a_size_is_in_the_unit_that_is_given() {
    let document = document(&library("sliding_block"), &["--accuracy", "distance=0.1 mm"]);
    let found = accuracy(&document);
    assert_eq!(found["delivered"], true, "{found}");
    let (value, error) = bar(&document, "distance");
    assert!((value - 0.509696738).abs() <= 1e-4 && error <= 1.01e-4, "{value} ± {error}");
    let note = document["verification"]["notes"][0].as_str().unwrap();
    assert!(note.contains("those measures alone"), "{note}");
    // the speed is asked for too where all measures are
    assert_eq!(found["reached"]["measure"], "distance");
}

#[test]
fn the_answer_is_the_run_at_the_step_that_is_named() {
    let scene = library("sliding_block");
    let found = document(&scene, &["--accuracy", "1e-3"]);
    let step = found["integrator"]["step"].to_string();
    let alone = document(&scene, &["--step", &step]);
    assert_eq!(alone["state_hash"], found["state_hash"]);
    let runs = accuracy(&found)["runs"].as_array().unwrap();
    assert_eq!(runs.last().unwrap()["step"], found["integrator"]["step"]);
    // a step that is given is the first
    let given = document(&scene, &["--accuracy", "1e-3", "--step", "2e-4"]);
    assert_eq!(accuracy(&given)["runs"][0]["step"], 2e-4);
}

/// Three cycles, and none of them a whole one after the first stroke.
#[test]
fn a_measure_without_a_value_is_not_delivered() {
    let scene =
        oscillator("rk4", 0.01, 0.7).replace("[[measure]]", "[[measure]]\nreduce = \"period\"");
    let (exit, out, _) =
        with_scene(&["run", "-", "--accuracy", "x=1e-3", "--format", "json"], &scene);
    let document: Value = serde_json::from_str(&out).unwrap();
    let found = accuracy(&document);
    assert_eq!((exit, &found["delivered"]), (6, &Value::Bool(false)), "{found}");
}

#[test]
fn what_no_step_determines_is_refused() {
    let (exit, out, _) =
        with_scene(&["run", "-", "--accuracy", "1e-2", "--format", "json"], BILLIARD);
    let document: Value = serde_json::from_str(&out).unwrap();
    let found = accuracy(&document);
    assert_eq!((exit, &found["delivered"]), (6, &Value::Bool(false)), "{found}");
    let why = found["why"].as_str().unwrap();
    assert!(why.contains("the last runs part"), "{why}");
    let reasons = document["trust"]["reasons"].as_array().unwrap();
    assert!(reasons.iter().any(|reason| reason["name"] == "not-determined"), "{reasons:?}");
    assert_ne!(level(&document), "trusted");
}

#[test]
fn a_limit_of_time_ends_the_search_and_says_so() {
    let scene = library("sliding_block");
    let (exit, out, _) = with_scene(&["run", "-", "--accuracy", "1e-9", "--max-time", "0"], &scene);
    assert_eq!(exit, 9, "{out}");
    assert!(out.contains("accuracy 1e-9 NOT delivered") && out.contains("--max-time"), "{out}");
}

#[test]
fn a_folder_has_the_answer() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let at = folder.to_str().unwrap();
    let scene = library("sliding_block");
    let (exit, out, err) = with_scene(&["run", "-", "--accuracy", "1e-3", "--out", at], &scene);
    assert_eq!(exit, 0, "{err}");
    assert!(out.contains("accuracy 1e-3 delivered"), "{out}");
    let text = std::fs::read(folder.join("run.json")).unwrap();
    let document: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(accuracy(&document)["delivered"], true);
    let (value, error) = bar(&document, "distance");
    assert!((value - 0.509696738).abs() <= error, "{value} ± {error}");
    let (exit, out, _) = with_scene(&["inspect", at], "");
    assert_eq!(exit, 0, "{out}");
    // another search does not replace it
    let (exit, _, err) = with_scene(&["run", "-", "--accuracy", "1e-3", "--out", at], &scene);
    assert_eq!(exit, 8, "{err}");
}

#[test]
fn what_cannot_be_asked_is_refused_in_one_sentence() {
    let scene = library("sliding_block");
    for (asked, parts) in [
        (vec!["--accuracy", "distnce=1e-3"], ["did you mean `distance`?", "`speed`"]),
        (vec!["--accuracy", "2"], ["--accuracy: 2 is no share", "NAME=VALUE"]),
        (vec!["--accuracy", "1e-3", "--verify"], ["cannot be used with", "--accuracy"]),
    ] {
        let (exit, out, err) = with_scene(&[&["run", "-"], &asked[..]].concat(), &scene);
        assert_eq!((exit, out.as_str()), (2, ""), "{asked:?}: {err}");
        assert!(parts.iter().all(|part| err.contains(part)), "{asked:?}: {err}");
    }
}

fn with_width(arguments: &[&str], scene: &str) -> (i32, String, String) {
    let (exit, out, err) = with_scene(arguments, scene);
    let joined = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (exit, joined(out), joined(err))
}

/// Methods of other orders come to the same accuracy by steps of their own.
#[test]
fn a_comparison_has_every_row_at_the_asked_accuracy() {
    let scene = library("sliding_block");
    let line = "compare - --integrators symplectic-euler,rk4,dopri5 --accuracy 1e-3 --no-reference --format json";
    let (exit, out, err) = with_scene(&line.split(' ').collect::<Vec<_>>(), &scene);
    assert_eq!(exit, 0, "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let rows = document["rows"].as_array().unwrap();
    let mut steps = Vec::new();
    for row in rows {
        let figure = |name: &str| row[name].as_f64().unwrap();
        assert_eq!(figure("delivered"), 1.0, "{row}");
        // positions have the scale of the distance from their mean
        let error = (figure("distance") - 0.509696738).abs();
        assert!(error <= 5.1e-4 && error <= figure("distance_error") + 1e-9, "{row}");
        steps.push(figure("step"));
    }
    assert!(rows.len() == 3 && steps[0] < steps[1], "{steps:?}");
}

#[test]
fn what_a_row_does_not_reach_is_said() {
    let line = "compare - --integrators rk4 --accuracy 1e-9 --max-time 0 --no-reference";
    let (exit, _, err) =
        with_width(&line.split(' ').collect::<Vec<_>>(), &library("sliding_block"));
    assert_eq!(exit, 0, "{err}");
    assert!(err.contains("accuracy 1e-9 NOT delivered by rk4: the"), "{err}");
    // a job that another machine may have time for is not stored, and does not end the others
    let home = tempfile::tempdir().unwrap();
    let at = home.path().join("sweep");
    let line =
        "sweep - --vary contact.friction.epsilon=1e-2,1e-3 --accuracy 1e-9 --max-time 0 --out";
    let line = line.split(' ').chain([at.to_str().unwrap()]);
    let (exit, _, err) = with_width(&line.collect::<Vec<_>>(), &library("sliding_block"));
    assert_eq!(exit, 10, "{err}");
    assert!(
        err.contains("2 jobs have no result on this machine: its accuracy takes more"),
        "{err}"
    );
}

#[test]
fn jobs_of_a_sweep_have_steps_of_their_own() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("sweep");
    let at = folder.to_str().unwrap();
    let scene = library("sliding_block");
    let vary = "contact.friction.epsilon=1e-2,1e-4";
    let line = ["sweep", "-", "--vary", vary, "--accuracy", "1e-2", "--out", at];
    let (exit, _, err) = with_scene(&line, &scene);
    assert_eq!(exit, 0, "{err}");
    let (_, table, _) = with_scene(&["sweep", "collect", at], "");
    let column = |name: &str| {
        let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let at = rows.next().unwrap().iter().position(|head| *head == name).unwrap();
        rows.map(|row| row[at].parse::<f64>().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(column("delivered"), [1.0, 1.0]);
    let steps = column("step");
    assert!(steps[1] < 0.1 * steps[0], "{steps:?}");
    // another accuracy is another sweep
    let other = ["sweep", "-", "--vary", vary, "--accuracy", "1e-3", "--out", at];
    let (exit, _, err) = with_width(&other, &scene);
    assert!(exit == 8 && err.contains("accuracy asked: 1e-2 there, 1e-3 here"), "{exit} {err}");
}

#[test]
fn expectations_are_checked_at_the_asked_accuracy() {
    let scene = std::fs::read_to_string("scenes/stick_slip.toml").unwrap();
    let (exit, out, err) = with_width(&["check", "-", "--run", "--accuracy", "1e-2"], &scene);
    assert_eq!(exit, 0, "{out} {err}");
    assert!(out.contains("accuracy 1e-2 delivered") && out.contains("verdict trusted"), "{out}");
    let line = ["check", "-", "--run", "--accuracy", "1e-9", "--max-time", "0"];
    let (exit, out, _) = with_width(&line, &library("sliding_block"));
    assert!(exit == 9 && out.contains("NOT delivered"), "{exit} {out}");
}

/// A scene without what `remove` names: its step, its method.
fn without(name: &str, keys: &[&str]) -> String {
    let kept = |line: &&str| !keys.iter().any(|key| line.starts_with(key));
    library(name).lines().filter(kept).map(|line| format!("{line}\n")).collect()
}

/// Neither step nor method: one is found of both.
#[test]
fn a_scene_without_step_and_method_is_run_to_a_hundredth() {
    let methods = ["symplectic-euler", "rk45", "sdirk2"];
    for (name, measure, truth, slack) in [
        ("sliding_block", "distance", 0.509696738, 2e-7),
        ("incline_creep", "creep", -6.0661706e-4, 6e-10),
        ("stick_slip", "period", 1.8028, 2e-3),
    ] {
        let document = document(&without(name, &["step = ", "method = "]), &[]);
        let found = accuracy(&document);
        assert_eq!(
            (&found["asked"], &found["delivered"]),
            (&"1e-2".into(), &true.into()),
            "{found}"
        );
        let (value, error) = bar(&document, measure);
        assert!((value - truth).abs() <= error + slack, "{name}: {value} ± {error}, not {truth}");
        let chosen = document["integrator"]["method"].as_str().unwrap();
        let last = found["runs"].as_array().unwrap().last().unwrap();
        assert!(methods.contains(&chosen) && last["method"] == chosen, "{name}: {chosen}, {found}");
    }
}

/// Bounces want events, stiff friction wants implicit steps: both are tried, and the cheaper one goes on. Which one
/// that is does not hang on the clock.
#[test]
fn the_method_is_that_which_suits_the_scene() {
    let bounces = without("bouncing_balls", &["step = ", "method = "]);
    let creeps = without("incline_creep", &["step = ", "method = "]);
    let stiff = creeps.replace("epsilon = 1e-3", "epsilon = 1e-5");
    assert_ne!(stiff, creeps);
    for (scene, method) in [(bounces, "rk45"), (stiff, "sdirk2")] {
        let document = document(&scene, &["--accuracy", "1e-2"]);
        let found = accuracy(&document);
        let again = super::verify::document(&scene, &["--accuracy", "1e-2"]);
        assert_eq!(found, accuracy(&again));
        assert_eq!(found["delivered"], true, "{found}");
        assert_eq!(document["integrator"]["method"], method, "{found}");
    }
}

/// A step or a method that is named is taken.
#[test]
fn a_step_or_a_method_that_is_given_is_kept() {
    let scene = without("sliding_block", &["method = "]);
    let own = document(&scene, &["--step", "1e-3"]);
    assert_eq!((&own["accuracy"], &own["integrator"]["method"]), (&Value::Null, &"rk45".into()));
    let scene = without("sliding_block", &["step = "]);
    let own = document(&scene, &[]);
    let runs = accuracy(&own)["runs"].as_array().unwrap();
    assert!(own["integrator"]["method"] == "rk4" && runs.iter().all(|run| run["method"].is_null()));
    let verified = document(&scene, &["--verify"]);
    assert_eq!(
        (&verified["accuracy"], &verified["integrator"]["step"]),
        (&Value::Null, &1e-3.into())
    );
}

#[test]
fn a_scene_asks_for_its_accuracy() {
    let asked = "[accuracy]\nwithin = \"distance=1e-4\"\n";
    let scene = library("sliding_block") + asked;
    let own = document(&scene, &[]);
    assert_eq!((&accuracy(&own)["asked"], level(&own)), (&"distance=1e-4".into(), "trusted"));
    let other = document(&scene, &["--accuracy", "1e-2"]);
    assert_eq!(accuracy(&other)["asked"], "1e-2");
    assert!(document(&scene, &["--verify"])["accuracy"].is_null());
    let (exit, out, _) = with_width(&["check", "-", "--run"], &scene);
    assert!(exit == 0 && out.contains("accuracy distance=1e-4 delivered"), "{exit} {out}");
    let limited = scene.replace("1e-4\"", "1e-9\"\nmax_time = 1e-3");
    let (exit, out, _) = with_width(&["run", "-"], &limited);
    assert!(exit == 9 && out.contains("of 0.001 s"), "{exit} {out}");
    let wrong = scene.replace("distance=1e-4", "distnce=1e-4");
    for verb in ["run", "check"] {
        let (exit, _, err) = with_width(&[verb, "-"], &wrong);
        assert!(exit == 3 && err.contains("did you mean `distance`?"), "{exit} {err}");
        assert!(err.contains("within = "), "{err}");
    }
}

/// A block on a spring whose slip reverses under .82 of μ_s N, and more than μ_k N: it stays there.
const TURNS: &str = r#"format = 1
world.gravity = [0, 0, -9.81]
time = { end = 0.89, output = 0.01 }
materials.m = { static_friction = 0.4, kinetic_friction = 0.2155075 }
[contact]
normal = { stiffness = 1e5, damping = 200 }
friction = { law = "threshold", epsilon = 1e-4 }
[[body]]
name = "block"
shape = { points = { positions = [[0.1019036551, 0, -9.81e-5], [1, 0, -9.81e-5]], masses = [1, 1], links = [[0, 1]], rest_lengths = [1] } }
springs = { edge = { stiffness = 114.53972606 } }
[[pin]]
body = "block"
where = { particles = [1] }
[[collider]]
name = "floor"
shape = { plane = {} }
[[measure]]
name = "x"
kind = "position"
body = "block"
where = { particles = [0] }
direction = [1, 0, 0]
"#;

/// Steps that pass over the ramp of the law slide on, and agree on it; by a small step it sticks at .02805.
#[test]
fn a_reversal_under_a_load_that_friction_holds_is_no_slide() {
    for (method, step) in [("sdirk2", "5e-4"), ("implicit-midpoint", "1e-4"), ("rk4", "1e-3")] {
        let found = document(TURNS, &["--integrator", method, "--step", step, "--verify"]);
        let reasons = found["trust"]["reasons"].as_array().unwrap();
        let lost = reasons.iter().any(|reason| reason["name"] == "stick-lost");
        assert!(lost && level(&found) == "not trusted", "{method}: {reasons:?}");
    }
    // rk45 at 1e-10
    delivered(TURNS, "1e-3", "x", (0.0280484415, 1e-9), 1e-3);
}
