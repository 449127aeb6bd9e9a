//! Commands in the documents can be given, and what is quoted of their output is printed.
//!
//! A `sh` block that a `text` block follows is run; its last command prints what is quoted. A line
//! `…` stands for any lines, `…` at the end of a line for its rest. A quoted number must be the
//! printed one, rounded to the digits that are quoted. Commands without a quotation must parse,
//! and their scenes must load with what they `--set`.

use crate::support::files::{files, home};
use assert_cmd::Command;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A fenced block: its language and its lines.
struct Block {
    language: String,
    lines: Vec<String>,
}

/// The blocks of a document, in order; `None` where text stands between two.
fn blocks(document: &str) -> Vec<Option<Block>> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for line in document.lines() {
        match (open.take(), line.strip_prefix("```")) {
            (Some(block), Some(_)) => found.push(Some(block)),
            (Some(mut block), None) => {
                block.lines.push(line.into());
                open = Some(block);
            }
            (None, Some(language)) => {
                open = Some(Block { language: language.into(), lines: Vec::new() });
            }
            (None, None) if line.trim().is_empty() => {}
            (None, None) => found.push(None),
        }
    }
    found
}

/// The commands of a `sh` block, without comments.
fn commands(block: &Block) -> Vec<Vec<String>> {
    let plain = |line: &str| match line.find("  #").or(line.find(" # ")) {
        Some(at) => line[..at].to_string(),
        None => line.to_string(),
    };
    let cut = |line: &str| line.split(" > ").next().unwrap_or_default().to_string();
    let text = block.lines.join("\n").replace("\\\n", " ");
    let lines = text.lines().map(|line| words(&cut(&plain(line))));
    let own = lines.filter_map(|words| match words.first().map(String::as_str) {
        Some("stiction") => Some(words[1..].to_vec()),
        Some("cargo") if words.get(1).is_some_and(|w| w == "run") => {
            let after = words.iter().position(|word| word == "--")?;
            (!words.contains(&"--example".into())).then(|| words[after + 1..].to_vec())
        }
        _ => None,
    });
    own.collect()
}

/// Words as a shell splits them; quotation marks hold blanks together.
fn words(line: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.push(c),
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c.is_whitespace() => {
                if !word.is_empty() {
                    all.push(std::mem::take(&mut word));
                }
            }
            None => word.push(c),
        }
    }
    if !word.is_empty() {
        all.push(word);
    }
    all
}

/// Where commands are given: a folder with the scenes, and with what `new` has written.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .arg(home("scenes"))
        .arg(folder.path())
        .status()
        .expect("cp");
    assert!(copied.success());
    folder
}

fn run(folder: &Path, arguments: &[String]) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.current_dir(folder).args(arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// A piece of a line: a number with its least digit, or a word.
#[derive(Debug, PartialEq)]
enum Piece {
    Number(f64, f64),
    Word(String),
}

fn pieces(line: &str) -> Vec<Piece> {
    let number = |word: &str| {
        let value: f64 = word.parse().ok()?;
        let (mantissa, power) = word.split_once('e').unwrap_or((word, "0"));
        let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len());
        let power = power.parse::<i32>().ok()? - decimals as i32;
        Some(Piece::Number(value, format!("1e{power}").parse().ok()?))
    };
    let spaced: String = line
        .chars()
        .map(|c| if "(),;:%°".contains(c) { format!(" {c} ") } else { c.to_string() })
        .collect();
    let word = |word: &str| number(word).unwrap_or_else(|| Piece::Word(word.into()));
    spaced.split_whitespace().map(word).collect()
}

/// Whether a printed line is the quoted one.
fn is_line(quoted: &str, printed: &str) -> bool {
    let (quoted, open) = match quoted.trim_end().strip_suffix('…') {
        Some(front) => (pieces(front), true),
        None => (pieces(quoted), false),
    };
    let printed = pieces(printed);
    let enough = if open { printed.len() >= quoted.len() } else { printed.len() == quoted.len() };
    enough
        && quoted.iter().zip(&printed).all(|pair| match pair {
            (Piece::Number(q, unit), Piece::Number(p, _)) => {
                (q - p).abs() <= 0.5 * unit * (1.0 + 1e-9)
            }
            (quoted, printed) => quoted == printed,
        })
}

/// The first quoted line that is not printed, after the lines before it.
fn missing<'a>(quoted: &'a [String], printed: &str) -> Option<&'a str> {
    let mut rest = printed.lines().peekable();
    let mut skips = false;
    for line in quoted {
        if line.trim() == "…" {
            skips = true;
            continue;
        }
        let found = if skips {
            rest.by_ref().any(|printed| is_line(line, printed))
        } else {
            rest.next().is_some_and(|printed| is_line(line, printed))
        };
        if !found {
            return Some(line);
        }
        skips = false;
    }
    None
}

fn documents() -> Vec<PathBuf> {
    let mut pages = files(&home("docs"), "md");
    pages.push(home("README.md"));
    pages.sort();
    pages
}

/// Quotations with the commands that print them.
fn quotations(page: &Path) -> Vec<(Vec<Vec<String>>, Vec<String>)> {
    let document = std::fs::read_to_string(page).expect("a page");
    let blocks = blocks(&document);
    let pairs = blocks.windows(2).filter_map(|pair| match pair {
        [Some(sh), Some(text)] if sh.language == "sh" && text.language == "text" => {
            Some((commands(sh), text.lines.clone()))
        }
        _ => None,
    });
    let mut found: Vec<_> = pairs.filter(|(commands, _)| !commands.is_empty()).collect();
    if page.ends_with("README.md") {
        // the page's first quotation comes after a sentence
        let first = blocks.iter().flatten().find(|block| block.language == "sh");
        let quoted = blocks.iter().flatten().find(|block| block.language == "text");
        found.push((
            commands(first.expect("commands"))[..1].into(),
            quoted.expect("it").lines.clone(),
        ));
    }
    found
}

#[test]
fn quoted_output_is_printed() {
    let folder = workplace();
    let mut outputs: BTreeMap<Vec<String>, String> = BTreeMap::new();
    let mut quoted = 0;
    for page in documents() {
        for (commands, lines) in quotations(&page) {
            let last = commands.last().expect("a command").clone();
            let printed =
                outputs.entry(last.clone()).or_insert_with(|| run(folder.path(), &last).1);
            if let Some(line) = missing(&lines, printed) {
                panic!("{}: {last:?} does not print\n{line}\nbut\n{printed}", page.display());
            }
            quoted += 1;
            // one digit changed is seen, wherever it stands before a `…`
            for (number, line) in lines.iter().enumerate() {
                let before = line.find('…').unwrap_or(line.len());
                for (at, digit) in line[..before].char_indices().filter(|(_, c)| c.is_ascii_digit())
                {
                    let value = digit.to_digit(10).expect("a digit");
                    let other = char::from_digit((value + 5) % 10, 10).expect("a digit");
                    let mut changed = lines.clone();
                    changed[number].replace_range(at..=at, &other.to_string());
                    let unseen = missing(&changed, printed).is_none();
                    assert!(!unseen, "{}: {digit} for {other} in {line}", page.display());
                }
            }
        }
    }
    assert!(quoted >= 6, "only {quoted} quotations are found");
}

/// The values of an option, in the order given.
fn values<'a>(command: &'a [String], option: &'a str) -> impl Iterator<Item = &'a String> {
    command.windows(2).filter(move |pair| pair[0] == option).map(|pair| &pair[1])
}

/// A command parses, its scene loads, and it does what takes no time.
fn assert_parses(folder: &Path, command: &[String], page: &Path) {
    let shown = format!("{}: {command:?}", page.display());
    if ["new", "explain", "list"].contains(&command[0].as_str()) {
        let plain = !command.iter().any(|word| word.to_uppercase() == *word);
        let (success, _, error) = run(folder, command);
        assert!(success || !plain || error.contains("is there already"), "{shown}: {error}");
    }
    let help = [command, &["--help".into()]].concat();
    let (success, _, error) = run(folder, &help);
    assert!(success, "{shown}: {error}");
    let scene = command.iter().find(|word| word.ends_with(".toml"));
    if let Some(scene) = scene.filter(|_| command[0] != "sweep") {
        let mut check: Vec<String> = vec!["check".into(), scene.clone()];
        for option in ["--set", "--integrator", "--step"] {
            for value in values(command, option) {
                check.extend([option.to_string(), value.clone()]);
            }
        }
        let (success, _, error) = run(folder, &check);
        assert!(success, "{shown}: {error}");
    }
}

#[test]
fn commands_parse_and_their_scenes_load() {
    let folder = workplace();
    let mut given = 0;
    let mut seen: Vec<Vec<String>> = Vec::new();
    for page in documents() {
        let document = std::fs::read_to_string(&page).expect("a page");
        let shell = blocks(&document).into_iter().flatten().filter(|b| b.language == "sh");
        for command in shell.flat_map(|block| commands(&block)) {
            given += 1;
            if !seen.contains(&command) {
                assert_parses(folder.path(), &command, &page);
                seen.push(command);
            }
        }
    }
    assert!(given > 45, "only {given} commands are found");
}

#[test]
fn a_quotation_is_compared_by_its_digits() {
    let printed = "box: tipped by 84.76°; moved 2.956 m\n drift 6.066e-4 m/s; rest 4\nend";
    let lines = |text: &str| -> Vec<String> { text.lines().map(String::from).collect() };
    for right in [
        "box: tipped by 85°; moved 2.96 m\n…\nend",
        "…\n drift 6.07e-4 m/s; …\n…",
        "box: tipped by 84.8°; moved 3 m\n drift 6.066e-4 m/s; rest 4",
    ] {
        assert_eq!(missing(&lines(right), printed), None, "{right}");
    }
    for wrong in [
        "box: tipped by 84°; moved 2.96 m",
        "box: tipped by 85°; moved 2.95 m",
        "…\n drift 6.08e-4 m/s; …",
        "box: tipped by 85°; moved 2.96 m\nend",
        "box: fell by 85°; moved 2.96 m",
        "…\nend\n…\n drift 6.07e-4 m/s; …",
    ] {
        assert!(missing(&lines(wrong), printed).is_some(), "{wrong}");
    }
}
