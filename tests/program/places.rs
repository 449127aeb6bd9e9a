//! Results land in the folder of their own run, and nothing of somebody else is emptied, replaced or removed.

use super::cli::{ran, stiction};
use super::folders::{SCENE, files, run_block as run, verb};
use std::path::Path;
use stiction_lab::output::folder::directory::RunDirectory;
use stiction_lab::output::folder::manifest::{Manifest, Settings};
use stiction_lab::output::folder::run_json;
use stiction_lab::run::Run;
use stiction_scene::LoadOptions;
use stiction_scene::build::BuildOptions;

/// A folder that is moved while its run writes there is not mixed with another one of its name.
#[cfg(unix)]
#[test]
fn a_moved_folder_is_not_mixed_with_another() {
    let home = tempfile::tempdir().unwrap();
    let (out, moved) = (home.path().join("out"), home.path().join("moved"));
    let scene = Path::new(SCENE[0]);
    let loaded = stiction_scene::load(scene, &LoadOptions::default()).unwrap().scene;
    let mut one = Run::new(&loaded, &BuildOptions::default()).unwrap();
    let manifest =
        || Manifest::begin(scene, "0".repeat(64), loaded.time.end(), Settings::default());
    let mut first = RunDirectory::create(&out, &one, manifest(), false).unwrap();
    std::fs::rename(&out, &moved).unwrap();
    let document = run_json::document(&loaded, &one, None, &[]);
    let finish = |first: &mut RunDirectory, one: &Run, when: &str| {
        let error = first.finish(&document, one, None).expect_err(when);
        assert!(error.is_moved(), "{when}: {error}");
        assert!(error.to_string().contains("moved, removed or replaced"), "{when}: {error}");
    };
    finish(&mut first, &one, "moved");
    assert!(!out.exists());
    drop(RunDirectory::create(&out, &one, manifest(), false).unwrap());
    let before = files(&out);
    finish(&mut first, &one, "replaced");
    let said = one.finish_with(&mut first, &|| false).expect_err("a frame").to_string();
    assert!(said.contains("moved, removed or replaced"), "{said}");
    assert!(files(&out) == before);
}

/// A run that is refused leaves a folder of somebody else as it is, a file named as the lock included.
#[test]
fn a_refused_run_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    std::fs::create_dir(&out).unwrap();
    for (mine, more) in [
        ("notes", &[][..]),
        ("notes", &["--force"]),
        ("run.lock", &[]),
        ("run.lock", &["--force"]),
        ("manifest.toml.tmp", &[]),
    ] {
        std::fs::write(out.join(mine), "my own").unwrap();
        let (exit, said) = run(&out, more);
        assert_eq!(exit, 8, "{mine}: {said}");
        let names: Vec<_> =
            std::fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, [mine]);
        assert_eq!(std::fs::read(out.join(mine)).unwrap(), b"my own");
        std::fs::remove_file(out.join(mine)).unwrap();
    }
}

/// An earlier run is not removed before it is known that the new one can be written.
#[test]
fn force_removes_nothing_where_a_folder_is_none() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    assert_eq!(run(&out, &["--set", "output.vtu=false"]).0, 0);
    std::fs::write(out.join("frames"), "mine").unwrap();
    let before = files(&out);
    let (exit, said) = run(&out, &["--force"]);
    assert!(exit == 5 && said.contains("frames"), "{exit}: {said}");
    assert!(files(&out) == before);
}

/// An output empties no file beside it.
#[test]
fn files_beside_an_output_are_spared() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    for name in ["plot.svg.tmp", "scene.toml.tmp"] {
        std::fs::write(at(name), "mine").unwrap();
    }
    let (exit, said) = run(&at("out"), &["--plot", at("plot.svg").to_str().unwrap()]);
    assert_eq!(exit, 0, "{said}");
    std::fs::write(at("a.xml"), "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>").unwrap();
    let (exit, _, said) =
        ran(stiction().arg("import").arg(at("a.xml")).arg("-o").arg(at("scene.toml")));
    assert_eq!(exit, 0, "{said}");
    for name in ["plot.svg.tmp", "scene.toml.tmp"] {
        assert_eq!(std::fs::read(at(name)).unwrap(), b"mine", "{name}");
    }
}

/// A repaired folder does not lie in the damaged one, whatever its name says.
#[cfg(unix)]
#[test]
fn a_repair_does_not_lie_inside_the_damaged_folder() {
    let home = tempfile::tempdir().unwrap();
    let (out, link) = (home.path().join("out"), home.path().join("link"));
    assert_eq!(run(&out, &[]).0, 0);
    std::os::unix::fs::symlink(out.join("frames"), &link).unwrap();
    let before = files(&out);
    for new in
        [out.join("new"), link.join("new"), link.join("../new"), home.path().join("x/../out/new")]
    {
        let (exit, _, said) = ran(stiction().arg("repair").arg(&out).arg("--out").arg(&new));
        assert!(exit != 0 && files(&out) == before, "{}: {exit}: {said}", new.display());
    }
}

#[test]
fn force_removes_files_of_a_run_alone() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    assert_eq!(run(&out, &[]).0, 0);
    let mine = ["frames/mine.vtu", "frames/bodies_1.vtu", "checkpoints/notes.ck", "trajectory/a"];
    for name in mine {
        std::fs::write(out.join(name), "mine").unwrap();
    }
    let (exit, said) = run(&out, &["--force", "--set", "output.vtu=false"]);
    assert_eq!(exit, 0, "{said}");
    for name in mine {
        assert_eq!(std::fs::read(out.join(name)).unwrap(), b"mine", "{name}");
    }
    assert!(!out.join("frames/bodies_000000.vtu").exists());
    #[cfg(target_os = "linux")]
    for name in ["measures.csv", "trajectory/journal.bin", "trajectory/time.npy"] {
        let path = out.join(name);
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (exit, said) = run(&out, &["--force"]);
        assert!(exit == 5 && said.contains("it is no regular file"), "{name}: {exit}: {said}");
        std::fs::remove_file(&path).unwrap();
    }
}

/// Inner folders that are links would lead what is written and removed elsewhere.
#[cfg(target_os = "linux")]
#[test]
fn linked_folders_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let (out, elsewhere) = (home.path().join("out"), home.path().join("elsewhere"));
    assert_eq!(run(&out, &["--set", "output.surface=obj"]).0, 0);
    for inner in ["trajectory", "checkpoints", "topology", "frames", "surfaces"] {
        std::fs::rename(out.join(inner), &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, out.join(inner)).unwrap();
        let before = files(&elsewhere);
        for more in [&["--force"][..], &["--force", "--set", "output.surface=obj"]] {
            let (exit, said) = run(&out, more);
            assert!(exit == 8 && said.contains("symbolic link"), "{inner}: {exit}: {said}");
        }
        let mut repair = stiction();
        repair.arg("repair").arg(&out).arg("--out").arg(home.path().join("new"));
        let (repaired, _, why) = ran(&mut repair);
        for (exit, said) in [verb("inspect", &out), (repaired, why)] {
            assert!([5, 7].contains(&exit) && said.contains("symbolic link"), "{inner}: {said}");
        }
        assert!(files(&elsewhere) == before, "{inner}");
        std::fs::remove_file(out.join(inner)).unwrap();
        std::fs::rename(&elsewhere, out.join(inner)).unwrap();
    }
}
