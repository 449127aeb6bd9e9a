//! The law by its name, in every command of a program that registered it.

use std::path::Path;
use std::process::Command;

/// The output of a command on stdout; it must end well.
fn told(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_own_law"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .output()
        .expect("the program runs");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {talk}");
    String::from_utf8(output.stdout).expect("text")
}

const SCENE: &str = "scenes/held_block.toml";

#[test]
fn a_scene_runs_under_it_and_its_results_name_it() {
    told(&["check", "--run", SCENE]);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("held");
    told(&["run", SCENE, "--strict", "--out", &out.display().to_string()]);
    let results = std::fs::read_to_string(out.join("run.json")).expect("run.json");
    assert!(results.contains("\"arctan\""), "{results}");
    assert!(!results.contains("threshold\""), "{results}");
}

#[test]
fn it_is_compared_and_swept_with_the_laws_of_the_program() {
    let laws = ["--laws", "threshold,arctan:epsilon=2e-3", "--integrators", "rk4"];
    let table = told(&[&["compare", SCENE, "--format", "csv"], &laws[..]].concat());
    assert!(table.lines().any(|row| row.contains("threshold")), "{table}");
    assert!(table.lines().any(|row| row.contains("arctan:epsilon=2e-3")), "{table}");

    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("swept").display().to_string();
    told(&["sweep", SCENE, "--vary", "contact.friction.law=threshold,arctan", "--out", &out]);
    let table = told(&["sweep", "collect", &out]);
    assert!(table.lines().any(|row| row.contains("arctan")), "{table}");
}

#[test]
fn tune_finds_its_threshold_by_its_closed_form() {
    let best = told(&[
        "tune",
        SCENE,
        "--creep",
        "1e-3",
        "--laws",
        "arctan",
        "--integrators",
        "rk4",
        "--steps",
        "1e-4",
        "--epsilon",
        "1e-4,1e-3,1e-2",
        "--format",
        "json",
    ]);
    // (2/π) ε is below 1e-3 m/s up to ε = 1.57e-3
    assert!(best.contains("\"arctan\"") && best.contains("0.001"), "{best}");
}

#[test]
fn it_is_drawn_listed_and_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("held.png");
    told(&["render", SCENE, "--size", "320x240", "-o", &picture.display().to_string()]);
    let bytes = std::fs::read(Path::new(&picture)).expect("a picture");
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    assert!(told(&["list", "friction"]).contains("arctan"));
    let page = told(&["explain", "arctan"]);
    assert!(page.contains("(2/π) ε tan(π ρ/2)") && page.contains("at ρ = 0.5: 0.6366 ε"), "{page}");
    assert!(told(&["schema"]).contains("arctan"));
}
