//! Files of the project.

use std::path::{Path, PathBuf};

/// The place of a file or folder of the project.
pub fn home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Files of a folder and of the folders in it, by the ending of their names, sorted. Builds are
/// left out.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Whether a source is compiled for tests only: a file or within a folder of that name.
pub fn is_for_tests(path: &Path) -> bool {
    let inner = path.strip_prefix(home("")).unwrap_or(path);
    inner.iter().any(|part| part == "tests" || part == "tests.rs")
}
