//! Texts as they were printed: `tests/program/printed/*.txt` has commands (`$ run …`), each
//! followed by what it prints on stdout and on stderr, and its exit code. A difference is no fault
//! by itself: it is read, and where it is right
//! `STICTION_PRINTED=1 cargo test --release --test program -- printed` writes the texts anew.
//!
//! Scenes beside the texts are theirs. Commands of a file run in the order of the file from the
//! project's folder, with `DIR` for a folder of their own; `$ show FILE` prints a file. Times of
//! the clock are left out: the columns `CPU` and `steps/s` of tables, seconds of CPU time in
//! sentences and in JSON, messages of progress.

use crate::support::files::{files, home};
use assert_cmd::Command;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Starts of the cells of a table's head, in characters: cells are three blanks apart.
fn starts(head: &[char]) -> Vec<usize> {
    let blank = |k: usize| head[k] == ' ';
    (1..head.len()).filter(|&k| !blank(k) && blank(k - 1) && (k < 3 || blank(k - 2))).collect()
}

/// A row of a table, its cells without the blanks that fill a column and without times of the
/// clock.
fn row(line: &str, starts: &[usize], timed: &[bool]) -> String {
    let line: Vec<char> = line.chars().collect();
    let cell = |k: usize| -> String {
        let end = starts.get(k + 1).map_or(line.len(), |next| *next).min(line.len());
        line.get(starts[k]..end).unwrap_or_default().iter().collect::<String>().trim().to_string()
    };
    let cells = (0..starts.len()).map(|k| if timed[k] { "·".into() } else { cell(k) });
    format!(" {}", cells.collect::<Vec<String>>().join(" | ")).trim_end().to_string()
}

/// A printed text without times of the clock.
fn timeless(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let rules = |k: usize| lines.get(k).is_some_and(|line: &&str| line.starts_with("───"));
    let mut plain = String::new();
    let mut table: Option<(Vec<usize>, Vec<bool>)> = None;
    for (k, line) in lines.iter().enumerate() {
        if rules(k + 1) {
            let head: Vec<char> = line.chars().collect();
            let starts = starts(&head);
            let names = row(line, &starts, &vec![false; starts.len()]);
            let timed =
                names.split(" | ").map(|name| name.contains("CPU") || name.contains("steps/s"));
            table = Some((starts, timed.collect()));
            plain += &(names + "\n");
        } else if rules(k) {
            plain += "───\n";
        } else if let Some((starts, timed)) = table.as_ref().filter(|_| line.starts_with(' ')) {
            plain += &(row(line, starts, timed) + "\n");
        } else {
            table = None;
            plain += &(untimed(line) + "\n");
        }
    }
    plain
}

/// A sentence, or a line of JSON, without seconds of the clock.
fn untimed(line: &str) -> String {
    for key in ["\"cpu_seconds\": ", "\"seconds\": ", "\"elapsed\": "] {
        if let Some((before, _)) = line.split_once(key) {
            return format!("{before}{key}…");
        }
    }
    match line.find(" s of CPU") {
        Some(at) => {
            let start = line[..at].rfind([' ', '(']).map_or(0, |blank| blank + 1);
            format!("{}…{}", &line[..start], &line[at..])
        }
        None => line.trim_end().to_string(),
    }
}

/// Whether a message is there only because a command took long: "2 s of at most 300 s: imex", "3 of 4 jobs done, 0
/// failed, about 9 s left".
fn is_progress(line: &str) -> bool {
    line.contains(" s of at most ") || line.contains(" failed, about ")
}

/// Output of a command and its exit code.
fn printed(command: &str, folder: &Path) -> String {
    let folder = folder.display().to_string();
    let words: Vec<String> = command.split(' ').map(|word| word.replace("DIR", &folder)).collect();
    let clean = |text: &str| {
        timeless(text).replace(&folder, "DIR").replace(&home("").display().to_string(), "HOME")
    };
    if words[0] == "show" {
        return clean(
            &std::fs::read_to_string(&words[1]).unwrap_or_else(|error| format!("{error}")),
        );
    }
    let output = Command::cargo_bin("stiction")
        .unwrap()
        .args(&words)
        .current_dir(home(""))
        .output()
        .unwrap();
    let mut text = clean(&String::from_utf8_lossy(&output.stdout));
    let said = clean(&String::from_utf8_lossy(&output.stderr));
    for line in said.lines().filter(|line| !is_progress(line)) {
        writeln!(text, "! {line}").unwrap();
    }
    writeln!(text, "exit {}", output.status.code().unwrap_or(-1)).unwrap();
    text
}

/// The text that a file should have.
fn anew(file: &Path) -> (String, String) {
    let old = std::fs::read_to_string(file).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut new = String::new();
    for command in old.lines().filter_map(|line| line.strip_prefix("$ ")) {
        writeln!(new, "$ {command}\n{}", printed(command, folder.path())).unwrap();
    }
    (old, new)
}

#[test]
fn texts_are_as_they_were_printed() {
    let files = files(&home("tests/program/printed"), "txt");
    assert!(files.len() > 10, "{files:?}");
    let differ = |file: &PathBuf| {
        let (old, new) = anew(file);
        let line = old.lines().zip(new.lines()).position(|(a, b)| a != b);
        let line = line.unwrap_or(old.lines().count().min(new.lines().count()));
        if old == new {
            return None;
        }
        if std::env::var_os("STICTION_PRINTED").is_some() {
            std::fs::write(file, &new).unwrap();
        }
        let [a, b] = [&old, &new].map(|text| text.lines().nth(line).unwrap_or("(end)").to_string());
        Some(format!("{}:{}\n  was: {a}\n  now: {b}", file.display(), line + 1))
    };
    let differences: Vec<String> = files.par_iter().filter_map(differ).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
