//! Results that survive: resuming, locks, full disks, checking and salvaging.

use super::cli::{ran, stiction};
use super::folders::{self, files, resume};
use std::path::Path;
use std::process::Command;
use stiction_lab::output::folder::lock::Lock;

const SCENE: [&str; 5] =
    ["scenes/sliding_block.toml", "--set", "time.end=0.02", "--set", "time.output=0.002"];

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    let names: Vec<_> = one.keys().collect();
    assert_eq!(names, other.keys().collect::<Vec<_>>());
    let differing: Vec<_> = one.keys().filter(|name| one[*name] != other[*name]).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

fn run(out: &Path, more: &[&str]) -> (i32, String) {
    folders::run(&SCENE, out, more)
}

/// The checkpoint of a stop inside the first step is none that a run of two steps leaves.
#[test]
fn a_run_that_was_stopped_at_its_start_leaves_no_checkpoint_of_it() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    let two = ["--integrator", "implicit-euler", "--step", "0.01", "--set", "time.output=0.01"];
    assert_eq!(run(&at("straight"), &two).0, 0);
    assert_eq!(run(&at("stopped"), &[&two[..], &["--max-wall", "0s"]].concat()).0, 9);
    assert!(files(&at("stopped")).keys().any(|name| name.ends_with("000000000000.ck")));
    assert_eq!(resume(&at("stopped"), &[]).0, 0);
    assert_same(&at("stopped"), &at("straight"));
}

#[test]
fn a_stopped_run_goes_on_with_the_same_bytes_and_a_complete_one_gets_longer() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    assert_eq!(run(&at("straight"), &[]).0, 0);
    let (exit, said) = run(&at("stopped"), &["--max-wall", "0s"]);
    assert_eq!(exit, 9, "{said}");
    assert!(said.contains("stiction run --resume"), "{said}");
    // the run may be stopped again
    let (exit, said) = resume(&at("stopped"), &["--max-wall", "0.01s"]);
    assert!(exit == 9 || exit == 0, "{said}");
    let (exit, said) = resume(&at("stopped"), &[]);
    assert_eq!(exit, 0, "{said}");
    assert_same(&at("stopped"), &at("straight"));
    let (exit, said) = resume(&at("stopped"), &[]);
    assert_eq!((exit, said.contains("nothing is left to do")), (0, true), "{said}");
    // longer: from the checkpoint before its last quarter
    let (exit, said) = resume(&at("stopped"), &["--set", "time.end=0.03"]);
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains("step 1499 of 3000"), "{said}");
    // the keys in the order in which they were set, and the end in its place
    let long = ["run", SCENE[0], "--set", "time.end=0.03", "--set", SCENE[4], "--out"];
    let (exit, _, said) = ran(stiction().args(long).arg(at("long")));
    assert_eq!(exit, 0, "{said}");
    let both = ["stopped", "long"].map(|name| {
        let mut files = files(&at(name));
        // how it came to its end differs
        files.remove(Path::new("manifest.toml"));
        files
    });
    assert!(both[0] == both[1]);
}

#[test]
fn another_scene_or_setting_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (out, scene) = (home.path().join("out"), home.path().join("scene.toml"));
    let text = std::fs::read_to_string("scenes/sliding_block.toml").unwrap();
    std::fs::write(&scene, &text).unwrap();
    let begin =
        ["--set", "time.end=0.02", "--set", "time.output=0.002", "--max-wall", "0s", "--out"];
    let (exit, _, said) = ran(stiction().arg("run").arg(&scene).args(begin).arg(&out));
    assert_eq!(exit, 9, "{said}");
    let (exit, said) = resume(&out, &["--set", "contact.friction.epsilon=1e-3"]);
    assert_eq!((exit, said.contains("only time.end")), (2, true), "{said}");
    std::fs::write(&scene, text + "\n# other\n").unwrap();
    let (exit, said) = resume(&out, &[]);
    assert_eq!((exit, said.contains("another text of the scene")), (7, true), "{said}");
    let (exit, said) = resume(&home.path().join("nothing"), &[]);
    assert_eq!((exit, said.contains("no run was begun")), (7, true), "{said}");
    assert!(!home.path().join("nothing").exists());
}

#[test]
fn a_folder_is_held_by_one_process() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let lock = Lock::take(&out).unwrap_or_else(|error| panic!("{error:?}"));
    let (exit, said) = run(&out, &["--force"]);
    assert_eq!(exit, 8, "{said}");
    assert!(said.contains(&format!("is held by process {}", std::process::id())), "{said}");
    drop(lock);
    let (exit, said) = run(&out, &[]);
    assert_eq!(exit, 0, "{said}");
}

#[cfg(unix)]
#[test]
fn force_does_not_leave_the_folder() {
    let home = tempfile::tempdir().unwrap();
    let (out, elsewhere) = (home.path().join("out"), home.path().join("elsewhere"));
    assert_eq!(run(&out, &[]).0, 0);
    std::fs::rename(out.join("trajectory"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, out.join("trajectory")).unwrap();
    let before = files(&elsewhere);
    let (exit, said) = run(&out, &["--force"]);
    assert_eq!((exit, said.contains("symbolic link")), (8, true), "{said}");
    assert!(before == files(&elsewhere));
}

#[test]
fn every_damage_is_found_and_the_rest_salvaged() {
    let home = tempfile::tempdir().unwrap();
    let (out, new) = (home.path().join("out"), home.path().join("new"));
    assert_eq!(run(&out, &[]).0, 0);
    let verified = || ran(stiction().arg("inspect").arg(&out));
    assert_eq!(verified().0, 0);
    for (name, bytes) in files(&out) {
        for place in [bytes.len() / 3, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 4;
            std::fs::write(out.join(&name), &damaged).unwrap();
            let (exit, text, said) = verified();
            assert_eq!(exit, 7, "{}, byte {place}: {text}{said}", name.display());
            std::fs::write(out.join(&name), &damaged[..place]).unwrap();
            assert_eq!(verified().0, 7, "{} cut at {place}", name.display());
        }
        std::fs::write(out.join(&name), &bytes).unwrap();
    }
    // frame 3 of 11
    let position = out.join("trajectory/position.npy");
    let whole = std::fs::read(&position).unwrap();
    let mut damaged = whole.clone();
    damaged[128 + 3 * 24] ^= 1;
    std::fs::write(&position, &damaged).unwrap();
    let before = files(&out);
    let (exit, _, said) = ran(stiction().arg("repair").arg(&out).arg("--out").arg(&new));
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains("10 of 11 frames") && said.contains("lost: frames 3"), "{said}");
    assert!(before == files(&out));
    let salvaged = std::fs::read(new.join("trajectory/position.npy")).unwrap();
    assert_eq!(salvaged[128..], [&whole[128..128 + 72], &whole[128 + 96..]].concat());
    let (exit, text, said) = ran(stiction().arg("inspect").arg(&new));
    assert_eq!(exit, 0, "{text}{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run_and_not_its_summary() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    assert_eq!(run(&at("straight"), &[]).0, 0);
    // files of at most 4 or 8 blocks of 512 bytes: the table, or a checkpoint, does not fit
    for blocks in [4, 8] {
        let out = at(&format!("out{blocks}"));
        let program = stiction();
        let mut limited = Command::new("sh");
        limited.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"]);
        limited.arg(program.get_program()).arg("run").args(SCENE).arg("--out").arg(&out);
        let done = limited.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(5), "{said}");
        assert!(said.contains(&out.display().to_string()), "no file is named: {said}");
        assert!(said.contains("stiction run --resume"), "{said}");
        let text = String::from_utf8_lossy(&done.stdout);
        assert!(text.contains("verdict: NOT TRUSTED") && text.contains("interrupted"), "{text}");
        let (exit, said) = resume(&out, &[]);
        assert_eq!(exit, 0, "{said}");
        assert_same(&out, &at("straight"));
    }
}

#[test]
fn what_cannot_be_written_is_known_before_the_run() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let plot = home.path().join("none/plot.svg");
    let (exit, said) = run(&out, &["--plot", plot.to_str().unwrap()]);
    assert_eq!((exit, said.contains("plot.svg")), (5, true), "{said}");
    assert!(!out.exists());
}
