//! Frames for other programs, read by their own readers, and the documentation of arrays.

use crate::support::tools;
use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn run(scene: &str, folder: &Path, more: &[&str]) {
    let mut command = Command::cargo_bin("stiction").expect("the program");
    command.args(["run", scene, "--contacts", "--vtu", "--out"]).arg(folder).args(more);
    command.assert().success();
}

/// VTK reads every frame of five scenes, with the bits of the arrays.
#[test]
fn vtk_reads_every_frame() {
    let Some(python) = tools::python("vtkmodules") else { return };
    let scenes = [
        ("tipping_box_3d", "0.02", false),
        ("capstan", "0.1", true),
        ("gripper", "0.05", false),
        ("brick_on_stairs", "0.05", true),
        ("exact_wall_press", "0.2", false),
    ];
    for (scene, end, compressed) in scenes {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let set = [format!("time.end={end}"), format!("output.compressed={compressed}")];
        run(&format!("scenes/{scene}.toml"), &out, &["--set", &set[0], "--set", &set[1]]);
        let mut reader = std::process::Command::new(&python);
        let read = reader.arg("tests/program/paraview.py").arg(&out).output().expect("Python");
        let text = String::from_utf8_lossy(&read.stdout);
        assert!(read.status.success(), "{scene}: {text}{}", String::from_utf8_lossy(&read.stderr));
        println!("{scene}: {text}");
        assert!(!text.starts_with('0'), "{scene}: {text}");
    }
}

/// A run that was stopped leaves the same frames as one that was not.
#[test]
fn frames_of_a_resumed_run_are_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    let more = ["--set", "time.end=0.1", "--set", "output.surface=ply"];
    run("scenes/sliding_block.toml", &whole, &more);
    let mut longer = more.to_vec();
    longer[1] = "time.end=0.06";
    run("scenes/sliding_block.toml", &parts, &longer);
    let mut command = Command::cargo_bin("stiction").expect("the program");
    command.args(["run", "--resume"]).arg(&parts).args(["--set", "time.end=0.1"]);
    command.assert().success();
    let mut compared = 0;
    for inner in ["frames", "surfaces", "trajectory", "topology"] {
        for entry in fs::read_dir(whole.join(inner)).expect("a folder") {
            let name = entry.expect("a name").file_name();
            let [a, b] =
                [&whole, &parts].map(|at| fs::read(at.join(inner).join(&name)).expect("a file"));
            assert!(a == b || name == "journal.bin", "{inner}/{}", name.to_string_lossy());
            compared += 1;
        }
    }
    assert_eq!(
        fs::read(whole.join("run.pvd")).expect("a file"),
        fs::read(parts.join("run.pvd")).expect("a file")
    );
    assert!(compared > 30, "{compared}");
    let mut command = Command::cargo_bin("stiction").expect("the program");
    command.arg("inspect").arg(&parts).assert().success();
}

/// The surfaces that are written are read by the program's own readers of meshes.
#[test]
fn surfaces_are_read_again() {
    for format in ["obj", "ply"] {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let set = format!("output.surface={format}");
        run("scenes/sliding_box.toml", &out, &["--set", "time.end=0.02", "--set", &set]);
        let mut names: Vec<_> = fs::read_dir(out.join("surfaces"))
            .expect("surfaces")
            .map(|entry| entry.expect("a name").path())
            .collect();
        names.sort();
        assert!(names.len() > 1, "{format}");
        let bytes = fs::read(&names[1]).expect("a surface");
        let name = names[1].to_string_lossy();
        let mesh = stiction_scene::mesh::parse_surface(&name, &bytes);
        let mesh = mesh.unwrap_or_else(|error| panic!("{error}"));
        assert!(mesh.triangles.len() > 10, "{format}");
    }
}

/// docs/results.md lists every array as the tables of the program have it.
#[test]
fn arrays_are_documented() {
    let text = fs::read_to_string("docs/results.md").expect("the page");
    let (begin, end) = ("-- arrays -->\n", "<!-- end of what is generated -->");
    let from = text.find(begin).expect("its begin") + begin.len();
    let to = text.find(end).expect("its end");
    let tables = format!("\n{}\n", stiction_lab::output::folder::catalogue::tables());
    if std::env::var_os("STICTION_RESULTS").is_some() {
        fs::write("docs/results.md", format!("{}{tables}{}", &text[..from], &text[to..]))
            .expect("written");
        return;
    }
    assert_eq!(&text[from..to], tables, "STICTION_RESULTS=write writes it anew");
}

/// `run.json` speaks of every array that is there, with its shape.
#[test]
fn every_array_is_in_the_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    run("scenes/gripper.toml", &out, &["--set", "time.end=0.02"]);
    let text = fs::read_to_string(out.join("run.json")).expect("run.json");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let files = document["files"].as_object().expect("files");
    let mut there = 0;
    for inner in ["trajectory", "topology"] {
        for entry in fs::read_dir(out.join(inner)).expect("a folder") {
            let path = entry.expect("a name").path();
            if path.extension().is_some_and(|ending| ending == "npy") {
                let name =
                    format!("{inner}/{}", path.file_name().expect("a name").to_string_lossy());
                assert!(files.contains_key(&name), "{name}");
                there += 1;
            }
        }
    }
    assert_eq!(there, files.len());
    assert_eq!(document["laws"]["friction"]["law"], document["friction"]);
    let bodies = document["topology"].as_array().expect("bodies");
    let last = bodies.last().expect("a body")["particles"][1].as_u64();
    assert_eq!(last, document["particles"].as_u64());
}
