//! Quotations in the documents are what the program prints.

use crate::support::files::{files, home};
use assert_cmd::Command;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use stiction_view::keys::{BINDINGS, MOUSE};

fn text(path: &str) -> String {
    std::fs::read_to_string(home(path)).expect("a file of the repository").replace("\r\n", "\n")
}

fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.args(arguments).output().expect("the program runs");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The text between `<!-- NAME -->` and `<!-- end of NAME -->`.
fn between(document: &str, name: &str) -> String {
    let after = document.split(&format!("<!-- {name} -->")).nth(1);
    let inner = after.and_then(|rest| rest.split(&format!("<!-- end of {name} -->")).next());
    inner.unwrap_or_else(|| panic!("no markers `{name}`")).trim().into()
}

#[test]
fn tables_of_the_documents_are_those_of_list() {
    let pages = [
        ("friction laws", "friction", "docs/laws.md"),
        ("integrators", "integrators", "docs/methods.md"),
    ];
    for (name, what, page) in pages {
        let table = printed(&["list", what, "--format", "markdown"]);
        assert_eq!(
            between(&text(page), name),
            table.trim(),
            "paste the output of `stiction list {what} --format markdown` into {page}"
        );
    }
}

#[test]
fn the_schema_in_the_repository_is_current() {
    let path = "scenes/scene.schema.json";
    assert!(text(path) == printed(&["schema"]), "run `stiction schema > {path}`");
}

/// The text of the sources in some folders.
fn sources(folders: &[&str]) -> String {
    let all = folders.iter().flat_map(|folder| files(&home(folder), "rs"));
    all.map(|path| std::fs::read_to_string(path).expect("a source")).collect()
}

/// The first word of a doc line names a quantity or a thing, not a question.
#[test]
fn no_doc_line_begins_with_a_relative_clause() {
    let all = sources(&["src", "crates", "tests", "examples", "benches"]);
    let begins = |line: &&str| {
        let text = line.trim_start();
        let text = text.strip_prefix("///").or(text.strip_prefix("//!"));
        let text = text.map_or("", |text| text.trim_start());
        ["What ", "Whose ", "Who "].iter().any(|word| text.starts_with(word))
    };
    let found: Vec<&str> = all.lines().filter(begins).collect();
    assert!(found.is_empty(), "name the quantity instead:\n{}", found.join("\n"));
}

/// README is a door: one screen and a half.
#[test]
fn the_readme_is_short() {
    assert!(text("README.md").lines().count() <= 120);
}

/// Pages of a folder of documents and of the folders in it, without the contents.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let pages = files(folder, "md").into_iter();
    pages.filter(|page| !page.ends_with("SUMMARY.md")).collect()
}

/// Every page of the documents is in the book's contents, those for maintainers in a part of their
/// own, and every relative link leads to a file.
#[test]
fn the_book_is_whole() {
    let summary = text("docs/SUMMARY.md");
    let (users, maintainers) = summary.split_once("# For maintainers").expect("two parts");
    assert!(users.contains("# For users"));
    let mut pages = pages_in(&home("docs"));
    for page in &pages {
        let name = page.strip_prefix(home("docs")).expect("inside");
        let part = if name.starts_with("maintainers") { maintainers } else { users };
        let link = format!("]({})", name.display().to_string().replace('\\', "/"));
        assert!(part.contains(&link), "docs/SUMMARY.md lacks {} in its part", name.display());
    }
    let more =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/SUMMARY.md"];
    pages.extend(more.map(home));
    let mut links = 0;
    for page in pages {
        let document = std::fs::read_to_string(&page).expect("a page");
        for rest in document.split("](").skip(1) {
            let link = rest.split([')', '#', ' ']).next().unwrap_or_default();
            if link.is_empty() || link.contains("://") || link.contains('\\') {
                continue;
            }
            let target = page.parent().expect("a folder").join(link);
            assert!(target.exists(), "{}: {link}", page.display());
            links += 1;
        }
    }
    assert!(links > 60, "the search for links finds only {links}");
}

/// A table of two columns in Markdown.
fn table(heads: [&str; 2], rows: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    let [left, right] = heads;
    let rows = rows.map(|(left, right)| format!("| {left} | {right} |\n"));
    format!("| {left} | {right} |\n| --- | --- |\n{}", rows.collect::<String>())
}

#[test]
fn the_page_of_the_window_has_all_keys() {
    let page = text("docs/window.md");
    let keys = BINDINGS.iter().map(|binding| (binding.shown, binding.about));
    let tables = [("keys", ["key", "what it does"]), ("mouse", ["mouse", "what it does"])];
    let rows = [keys.collect::<Vec<_>>(), MOUSE.to_vec()];
    for ((name, heads), rows) in tables.into_iter().zip(rows) {
        let table = table(heads, rows.into_iter());
        assert!(between(&page, name) == table.trim(), "docs/window.md, {name}: paste\n{table}");
    }
}

#[test]
fn the_scene_reference_is_current() {
    let reference = printed(&["reference"]);
    assert!(text("docs/scenes.md") == reference, "run `stiction reference > docs/scenes.md`");
}

/// Keys like \[author1999\] in sources and documents.
fn keys(text: &str) -> BTreeSet<String> {
    let starts = text.match_indices('[').map(|(at, _)| &text[at + 1..]);
    starts
        .filter_map(|rest| Some(rest[..rest.find(']')?].trim_end_matches('\\')))
        .filter(|k| is_key(k))
        .map(Into::into)
        .collect()
}

fn is_key(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let tail = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let (letters, years) = (word.len() - digits.len(), digits.len() - tail.len());
    letters > 0 && years == 4 && tail.chars().all(|c| c.is_ascii_lowercase())
}

#[test]
fn every_cited_key_is_in_the_bibliography() {
    let mut cited =
        ["docs/physics.md", "docs/laws.md", "README.md", "ARCHITECTURE.md"].map(text).concat();
    cited += &sources(&["src", "crates"]);
    let bibliography = text("references.bib");
    let cited = keys(&cited);
    assert!(cited.contains("baraff1991"), "the search for keys finds nothing");
    for key in cited {
        assert!(bibliography.contains(&format!("{{{key},")), "references.bib lacks `{key}`");
    }
}
