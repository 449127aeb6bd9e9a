//! `run --resume` of a run that is complete gives what is asked for after a run; and what is needed to
//! resume one.

use super::cli::{ran, stiction};
use super::folders::{self, files, resume};
use std::path::Path;
use stiction_lab::output::space::Space;
use stiction_lab::run::Run;
use stiction_scene::LoadOptions;
use stiction_scene::build::BuildOptions;

const SCENE: &str = "scenes/sliding_block.toml";

/// Short: its expectations are not met.
const SHORT: [&str; 5] = [SCENE, "--set", "time.end=0.02", "--set", "time.output=0.01"];

#[test]
fn a_complete_run_gives_document_and_plot_from_its_folder() {
    let home = tempfile::tempdir().unwrap();
    for (name, more) in [("plain", &[][..]), ("verified", &["--verify"])] {
        let at = |ending: &str| home.path().join(format!("{name}{ending}"));
        let (out, first, second) = (at(""), at("1.svg"), at("2.svg"));
        let plot = ["--plot", first.to_str().unwrap()];
        assert_eq!(folders::run(&SHORT, &out, &[more, &plot].concat()).0, 0);
        let before = files(&out);
        let given = ["--format", "json", "--plot", second.to_str().unwrap()];
        let (exit, text, said) = ran(stiction().args(["run", "--resume"]).arg(&out).args(given));
        assert!(exit == 0 && said.contains("nothing is left to do"), "{exit}: {said}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let document = std::fs::read_to_string(out.join("run.json")).unwrap();
        assert_eq!(read(&text), read(&document));
        assert!(std::fs::read(&first).unwrap() == std::fs::read(&second).unwrap(), "{name}");
        assert!(files(&out) == before);
    }
}

/// The exit codes are those of a run.
#[test]
fn a_complete_run_is_judged_by_strict() {
    let home = tempfile::tempdir().unwrap();
    let untrusted = [&SHORT[..], &["--set", "time.step=1e-3"]].concat();
    let trusted = [SCENE];
    let mut exits = Vec::new();
    for (name, scene) in [("missed", &SHORT[..]), ("untrusted", &untrusted), ("met", &trusted)] {
        let out = home.path().join(name);
        let (exit, said) = folders::run(scene, &out, &["--strict"]);
        assert_eq!(resume(&out, &["--strict"]).0, exit, "{name}: {said}");
        assert_eq!(resume(&out, &[]).0, 0, "{name}");
        exits.push(exit);
    }
    assert_eq!(exits, [11, 6, 0]);
}

/// As the command of somebody who may read the folder only.
#[cfg(unix)]
#[test]
fn a_complete_run_that_may_only_be_read_is_complete() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    assert_eq!(folders::run(&SHORT, &out, &[]).0, 0);
    let leftover = out.join("run.json.tmp");
    std::fs::write(&leftover, "{").unwrap();
    let allow = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    allow(home.path(), 0o755);
    for name in files(&out).into_keys().chain(["run.lock".into()]) {
        allow(&out.join(name), 0o444);
    }
    allow(&out, 0o555);
    let mut command = std::process::Command::new(stiction().get_program());
    command.args(["run", "--resume"]).arg(&out);
    // an administrator may write everywhere
    let is_administrator = std::fs::metadata(home.path()).unwrap().uid() == 0;
    if is_administrator {
        command.uid(65534);
    }
    let done = command.output();
    allow(&out, 0o755);
    let done = done.unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert!(said.contains("nothing is left to do") && leftover.exists(), "{said}");
}

#[test]
fn a_run_whose_scene_was_moved_is_resumed_with_its_new_name() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let (out, old, new) = (at("out"), at("old.toml"), at("new.toml"));
    std::fs::copy(SCENE, &old).unwrap();
    let begin = [old.to_str().unwrap(), "--set", "time.end=0.02"];
    assert_eq!(folders::run(&begin, &out, &["--max-wall", "0s"]).0, 9);
    std::fs::rename(&old, &new).unwrap();
    let (exit, said) = resume(&out, &[]);
    let advice = format!("stiction run NEW.toml --resume {}", out.display());
    assert!(exit == 2 && said.contains(&advice), "{exit}: {said}");
    let (exit, _, said) = ran(stiction().arg("run").arg(&new).arg("--resume").arg(&out));
    assert_eq!(exit, 0, "{said}");
    let (exit, said) = resume(&out, &[]);
    assert_eq!(exit, 0, "the manifest has the new name: {said}");
}

#[test]
fn advice_is_a_command_for_a_shell() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("a b'c");
    let (_, said) = folders::run(&SHORT, &out, &["--max-wall", "0s"]);
    let word = format!("'{}'", out.display().to_string().replace('\'', "'\\''"));
    assert!(said.contains(&format!("stiction run --resume {word}")), "{said}");
    std::fs::write(out.join("topology/mass.npy"), "").unwrap();
    let (_, _, said) = ran(stiction().arg("inspect").arg(&out));
    assert!(said.contains(&format!("`stiction repair {word} --out NEW`")), "{said}");
}

#[cfg(unix)]
#[test]
fn an_extension_has_to_fit_on_the_disk() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let scene = ["scenes/soft_box_pushed.toml", "--set", "time.output=1e-2"];
    assert_eq!(folders::run(&scene, &out, &["--max-wall", "0s"]).0, 9);
    let before = files(&out);
    let (exit, said) = resume(&out, &["--set", "time.end=1e10", "--max-wall", "0s"]);
    assert!(exit == 9 && said.contains("are free on the disk"), "{exit}: {said}");
    let table = String::from_utf8_lossy(&before[Path::new("measures.csv")]).into_owned();
    let there = table.lines().count() - 1;
    let frames = format!("the results of {} more frames take", 1_000_000_000_001 - there);
    assert!(said.contains(&frames) && said.contains("time.end"), "{said}");
    assert!(files(&out) == before);
    let (exit, said) = resume(&out, &[]);
    assert_eq!(exit, 0, "{said}");
}

/// Surfaces as text have short numbers at the start, and all digits later.
#[test]
fn surfaces_take_no_more_than_estimated() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let scene = Path::new("scenes/soft_box_pushed.toml");
    let set: Vec<String> =
        ["output.surface=obj", "time.output=1e-3", "time.end=0.05"].map(String::from).to_vec();
    let options = LoadOptions { set: set.clone(), ..LoadOptions::default() };
    let estimate = |options: &LoadOptions| {
        let loaded = stiction_scene::load(scene, options).unwrap();
        Space::of(&Run::new(&loaded.scene, &BuildOptions::default()).unwrap()).least
    };
    let without = LoadOptions { set: set[1..].to_vec(), ..LoadOptions::default() };
    let surfaces = estimate(&options) - estimate(&without);
    let sets = set.iter().flat_map(|set| ["--set", set]);
    let words: Vec<&str> = [scene.to_str().unwrap()].into_iter().chain(sets).collect();
    assert_eq!(folders::run(&words, &out, &[]).0, 0);
    let written: usize = files(&out.join("surfaces")).values().map(Vec::len).sum();
    let share = written as f64 / surfaces as f64;
    assert!((0.75..=1.0).contains(&share), "{written} bytes, estimated {surfaces}");
}
