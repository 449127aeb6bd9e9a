//! The crates that the program is made of: where they come from, their licences, and which of them
//! are there twice.
//! `STICTION_DEPENDENCIES=write cargo test --release --test program -- dependencies` writes
//! docs/maintainers/dependencies.md anew.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Licences under which a crate may be part of the program.
const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether one of the alternatives of a licence expression is allowed.
fn allowed(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    // an AND binds every alternative here: the crates that have one put it last
    let parts: Vec<&str> = plain.split(" AND ").collect();
    parts.iter().all(|part| part.split(" OR ").any(|name| ALLOWED.contains(&name.trim())))
}

/// Name, version, source and licence of every crate that is compiled for this system.
fn crates() -> Vec<[String; 4]> {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc");
    let about = String::from_utf8(rustc.stdout).expect("text");
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    packages.map(|p| ["name", "version", "source", "license"].map(|key| text(&p[key]))).collect()
}

fn document(crates: &[[String; 4]]) -> String {
    let mut licences: BTreeMap<&str, usize> = BTreeMap::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for [name, version, source, licence] in crates {
        if !source.is_empty() {
            *licences.entry(licence).or_default() += 1;
            versions.entry(name).or_default().insert(version);
        }
    }
    let mut text = String::from(
        "# Dependencies\n\nCrates for x86-64 Linux, those of tests included, by their licences. All come from the registry of crates; a test allows no other source, and no licence that asks for more than naming.\n\n| licence | crates |\n| --- | --- |\n",
    );
    for (licence, number) in licences {
        text += &format!("| {licence} | {number} |\n");
    }
    text += "\nIn several versions, since crates that use them ask for different ones:\n\n| crate | versions |\n| --- | --- |\n";
    for (name, of) in versions.iter().filter(|(_, of)| of.len() > 1) {
        let of: Vec<&str> = of.iter().copied().collect();
        text += &format!("| {name} | {} |\n", of.join(", "));
    }
    text + "\n`paste`, a macro that `faer` uses when it is compiled, is no longer maintained; no fault of it is known, and nothing of it is in the program.\n"
}

#[test]
fn dependencies_come_from_the_registry_under_licences_that_are_listed() {
    let crates = crates();
    assert!(crates.len() > 100, "{} crates", crates.len());
    for [name, version, source, licence] in &crates {
        assert!(source.is_empty() || source.starts_with("registry+"), "{name} {version}: {source}");
        assert!(source.is_empty() || allowed(licence), "{name} {version}: {licence}");
    }
    assert!(!allowed("GPL-3.0") && !allowed("MIT AND GPL-3.0") && allowed("GPL-3.0 OR MIT"));
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/maintainers/dependencies.md");
    let document = document(&crates);
    if std::env::var_os("STICTION_DEPENDENCIES").is_some() {
        std::fs::write(&path, &document).expect("written");
    }
    assert_eq!(std::fs::read_to_string(path).expect("the document"), document);
}
