//! Files that the program did not just write are opened by `stiction_scene::regular` alone: regular
//! ones, up to a size. Every other file is opened where the list below says why.

use crate::support::files::{files, home, is_for_tests};

/// Folders of code.
const SOURCES: [&str; 3] = ["crates", "src", "python/src"];

/// Sources that open files themselves, and the reason.
const ALLOWED: [(&str, &str); 7] = [
    ("crates/scene/src/regular.rs", "the function itself"),
    ("crates/lab/src/output/folder/files.rs", "data of the program's own folders, checked there"),
    ("crates/lab/src/output/folder/lock.rs", "the lock of a folder, of which 80 bytes are read"),
    (
        "crates/lab/src/output/plots/figure/mod.rs",
        "the last bytes of a file that a figure replaces",
    ),
    ("crates/lab/build.rs", "sources, while the program is compiled"),
    ("crates/lab/src/run/machine.rs", "files of the system on its memory"),
    ("crates/view/src/film/apng.rs", "the film that was just written"),
];

/// Words that open a file for reading.
const OPENING: [&str; 6] = [
    "fs::read(",
    "fs::read_to_string(",
    "File::open(",
    "OpenOptions",
    "File::options(",
    "read_to_string(path",
];

/// The part of a source that is not compiled for tests only.
fn outside_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

fn opens(text: &str) -> Vec<&'static str> {
    OPENING.into_iter().filter(|words| outside_tests(text).contains(words)).collect()
}

#[test]
fn one_function_opens_what_others_wrote() {
    let mut found = Vec::new();
    let mut allowed: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    for path in SOURCES.iter().flat_map(|folder| files(&home(folder), "rs")) {
        let text = std::fs::read_to_string(&path).expect("a source");
        let inner = path.strip_prefix(home("")).expect("a file of the project").to_path_buf();
        let name = inner.to_str().expect("a name");
        let words = opens(&text);
        if is_for_tests(&path) || words.is_empty() {
            continue;
        }
        match allowed.iter().position(|known| *known == name) {
            Some(at) => drop(allowed.remove(at)),
            None => found.push(format!("{name}: {}", words.join(", "))),
        }
    }
    assert!(found.is_empty(), "use stiction_scene::regular: {found:#?}");
    assert!(allowed.is_empty(), "these open nothing any more: {allowed:?}");
}

#[test]
fn the_words_are_found() {
    assert_eq!(opens("let a = std::fs::read(path)?;"), ["fs::read("]);
    assert_eq!(opens("File::options().read(true).open(path)"), ["File::options("]);
    assert!(opens("fn a() {}\n#[cfg(test)]\nmod tests { std::fs::read(path) }").is_empty());
    assert!(opens("regular::read(path, MOST)").is_empty());
}
