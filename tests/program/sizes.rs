//! A long file or function has more than one idea in it: only a few may be long, for the most part
//! tables of cases.

use crate::support::files::{files, home};
use std::path::PathBuf;

/// Folders with Rust code.
const FOLDERS: [&str; 7] =
    ["crates", "src", "python/src", "web/src", "tests", "benches", "examples"];

/// Lines of a file, and how many files may have more.
const FILE: (usize, usize) = (500, 5);

/// Lines of a function with its signature, and how many functions may have more.
const FUNCTION: (usize, usize) = (60, 8);

/// All files, with their text.
fn sources() -> Vec<(PathBuf, String)> {
    let paths = FOLDERS.iter().flat_map(|folder| files(&home(folder), "rs"));
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a file");
    paths.map(|path| (path.clone(), text(&path))).collect()
}

/// The name of the function that begins on a line.
fn function(line: &str) -> Option<&str> {
    let words = ["pub ", "pub(crate) ", "pub(super) ", "const ", "async ", "extern \"C\" "];
    let mut rest = line.trim_start();
    while let Some(after) = words.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after;
    }
    rest.strip_prefix("fn ")?.split(['(', '<']).next()
}

/// Functions with their lines: formatted, each ends with a brace below its first letter.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let opened = lines[k..].iter().find(|line| line.ends_with(['{', '}', ';']));
        let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        if opened.is_some_and(|line| line.ends_with('{')) {
            let length = lines[k..].iter().position(|line| *line == end);
            found.extend(length.map(|length| (name, length + 1)));
        }
    }
    found
}

#[test]
fn few_files_are_long() {
    let files = sources();
    let long = files.iter().filter(|(_, text)| text.lines().count() > FILE.0);
    let long: Vec<_> = long.map(|(path, _)| path.display().to_string()).collect();
    assert!(files.len() > 600, "only {} files are found", files.len());
    assert!(long.len() <= FILE.1, "files of more than {} lines:\n{}", FILE.0, long.join("\n"));
}

#[test]
fn few_functions_are_long() {
    let (mut count, mut long) = (0, Vec::new());
    for (path, text) in sources() {
        for (name, lines) in functions(&text) {
            count += 1;
            if lines > FUNCTION.0 {
                long.push(format!("{lines} {name} in {}", path.display()));
            }
        }
    }
    assert!(count > 5000, "only {count} functions are found");
    let most = FUNCTION.0;
    assert!(long.len() <= FUNCTION.1, "functions of more than {most} lines:\n{}", long.join("\n"));
}

#[test]
fn functions_are_measured_from_their_signature_to_their_brace() {
    let text = "trait T {\n    fn a(&self);\n}\n\npub(super) fn b<T>(\n    x: T,\n) {\n    c();\n}\n\nfn d() {}\n";
    assert_eq!(functions(text), [("b", 5)]);
}
