//! Results folders as the program writes, resumes and shows them.

use super::cli::{ran, stiction};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A block on a floor, with three frames of every kind.
pub const SCENE: [&str; 7] = [
    "scenes/sliding_block.toml",
    "--set",
    "time.end=0.02",
    "--set",
    "time.output=0.008",
    "--set",
    "output.vtu=true",
];

/// Runs a scene with results in a folder; exit code and standard error.
pub fn run(scene: &[&str], out: &Path, more: &[&str]) -> (i32, String) {
    let (exit, _, said) = ran(stiction().arg("run").args(scene).arg("--out").arg(out).args(more));
    (exit, said)
}

/// As [`run`], the block.
pub fn run_block(out: &Path, more: &[&str]) -> (i32, String) {
    run(&SCENE, out, more)
}

/// Exit code and output of another command on a folder.
pub fn verb(verb: &str, folder: &Path) -> (i32, String) {
    let (exit, text, said) = ran(stiction().arg(verb).arg(folder));
    (exit, text + &said)
}

pub fn resume(out: &Path, more: &[&str]) -> (i32, String) {
    let (exit, _, said) = ran(stiction().args(["run", "--resume"]).arg(out).args(more));
    (exit, said)
}

/// All files of a folder by their names in it, and their content, but the lock.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
        } else if name != Path::new("run.lock") {
            found.insert(name, std::fs::read(path).unwrap());
        }
    }
    found
}
