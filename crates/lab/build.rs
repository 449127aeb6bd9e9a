//! A digest of the sources of results, of the versions of the crates that they use, and of the features asked of
//! these. The compiler and its settings are not in it.

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders and files beside this crate; a crate from a registry has none but its own.
const SOURCES: [&str; 8] = [
    "src",
    "Cargo.toml",
    "../core/src",
    "../core/Cargo.toml",
    "../scene/src",
    "../scene/Cargo.toml",
    "../../Cargo.lock",
    "../../Cargo.toml",
];

/// Digits of the digest that are kept, 48 bits: two of a thousand programs agree by chance with a
/// probability of 2e-9.
const DIGITS: usize = 12;

fn main() {
    let home = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut hasher = Sha256::new();
    for source in SOURCES {
        let path = home.join(source);
        if !path.exists() {
            continue;
        }
        println!("cargo:rerun-if-changed={source}");
        for file in files(&path) {
            let name = file.strip_prefix(&home).unwrap_or(&file).to_string_lossy().into_owned();
            let bytes = fs::read(&file).expect("a source that cargo reads too");
            hasher.update((name.len() as u64).to_le_bytes());
            hasher.update(name);
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
    }
    let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo:rustc-env=STICTION_SOURCES={}", &digest[..DIGITS]);
}

/// The files below a path, sorted.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    entries.iter().flat_map(|entry| files(entry)).collect()
}
