//! Limits of time, memory and disk, and files that are there already.

use super::cli::{ran, stiction};
use assert_cmd::Command;
use std::path::Path;

/// A rope too stiff for its method: its first step takes 20,000 substeps, a minute or more, and then
/// fails.
fn endless(folder: &Path, more: &str) -> String {
    let text = format!(
        "format = 1\n\
         time = {{ end = 1e6, step = 1e6, output = 1e6 }}\n\
         integrator = {{ method = \"rk45\", rtol = 1e-12, atol = 1e-12 }}\n\
         materials.wire.static_friction = 0\n\
         [[body]]\n\
         name = \"rope\"\n\
         material = \"wire\"\n\
         mass = 1\n\
         shape = {{ rope = {{ from = [0, 0, 0], to = [1, 0, 0], segments = 20000 }} }}\n\
         springs = {{ edge = {{ stiffness = 1e9 }} }}\n\
         spin = [0, 0, 100]\n{more}"
    );
    let path = folder.join("endless.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// A step that cannot end is left, whatever the run does: the limit ends it at its start.
#[test]
fn the_limit_of_wall_time_ends_a_run_inside_its_first_step() {
    let home = tempfile::tempdir().unwrap();
    let (scene, out) = (endless(home.path(), ""), home.path().join("out"));
    let run = ["run", &scene, "--max-wall", "1s", "--format", "json"];
    for more in [&["--out", out.to_str().unwrap()][..], &["--verify"]] {
        let (exit, said, err) = ran(stiction().args(run).args(more));
        assert_eq!(exit, 9, "{err}");
        let document: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!((&document["status"], &document["steps"]), (&"interrupted".into(), &0.into()));
    }
    assert!(out.join("checkpoints/000000000000.ck").exists());
}

/// The same of a search: no combination is waited for.
#[test]
fn the_limit_of_a_search_ends_a_trial_inside_its_step() {
    let home = tempfile::tempdir().unwrap();
    let contact = "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n\
        [contact]\nnormal = { law = \"linear\", stiffness = 1e4 }\n\
        friction = { law = \"threshold\", epsilon = 1e-3 }\n";
    let scene = endless(home.path(), contact);
    let search = ["tune", &scene, "--creep", "1e-3", "--max-time", "1", "--integrators", "rk45"];
    let (exit, _, said) =
        ran(stiction().args(search).args(["--steps", "1e6", "--laws", "threshold"]));
    assert_eq!((exit, said.contains("its time was up")), (9, true), "{said}");
}
