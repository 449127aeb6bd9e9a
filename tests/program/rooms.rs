//! The order of rooms in ARCHITECTURE.md is the order of the code: no reference points upwards, and no
//! files refer to each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The rooms of ARCHITECTURE.md, low to high.
fn rooms() -> Vec<String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(home.join("ARCHITECTURE.md")).expect("the page");
    let table = page.split("## Rooms").nth(1).expect("the table of rooms");
    let first_cells = table.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let first_cells = first_cells.take_while(|line| line.starts_with('|'));
    let cells = first_cells.filter_map(|line| line.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(String::from)).collect()
}

/// Source files of `src/` by their module path, `contact::friction::ramp`; without what is compiled
/// for tests only.
fn modules() -> BTreeMap<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    let mut modules = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            if path.is_dir() {
                if name != "tests" {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") && name != "tests" {
                let inner = path.strip_prefix(&source).expect("inside").with_extension("");
                let mut parts: Vec<&str> = inner.iter().filter_map(|part| part.to_str()).collect();
                if parts.last() == Some(&"mod") {
                    parts.pop();
                }
                let text = std::fs::read_to_string(&path).expect("a file");
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("").to_string();
                modules.insert(parts.join("::"), text);
            }
        }
    }
    modules.remove("lib");
    modules.remove("main");
    modules
}

/// The paths a `use` tree names: `a::{b, c::{self, d}}` → `a::b`, `a::c`, `a::c::d`.
fn leaves(tree: &str, prefix: &str, into: &mut Vec<String>) {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let name = tree.split(" as ").next().unwrap_or(tree).trim();
        let name = name.trim_end_matches("::self").trim_end_matches("::*");
        if name == "self" {
            into.push(prefix.trim_end_matches("::").to_string());
        } else if !name.is_empty() {
            into.push(format!("{prefix}{name}"));
        }
        return;
    };
    let prefix = format!("{prefix}{}", &tree[..open]);
    let (mut depth, mut start) = (0, open + 1);
    for (k, c) in tree.char_indices().skip_while(|(k, _)| *k <= open) {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                leaves(&tree[start..k], &prefix, into);
                start = k + 1;
            }
            _ => {}
        }
    }
}

/// All module paths a file refers to, absolute within the crate.
fn references(module: &str, text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n");
    for line in code.split(';') {
        // a statement begins on a line of its own, whatever stands before it
        let starts = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "];
        let begin = line.lines().position(|l| starts.iter().any(|s| l.trim_start().starts_with(s)));
        let Some(begin) = begin else { continue };
        let statement = line.lines().skip(begin).collect::<Vec<_>>().join(" ");
        if let Some((_, tree)) = statement.split_once("use ") {
            leaves(tree, "", &mut paths);
        }
    }
    let inline = text.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        format!("crate::{}", &rest[..end.unwrap_or(rest.len())])
    });
    paths.extend(inline);
    paths.iter().filter_map(|path| absolute(module, path)).collect()
}

/// `super::x` and `crate::x` as seen from a module, without `crate::`.
fn absolute(module: &str, path: &str) -> Option<String> {
    if let Some(path) = path.strip_prefix("crate::") {
        return Some(path.to_string());
    }
    let (mut here, mut rest) = (module.to_string(), path);
    if let Some(inner) = rest.strip_prefix("self::") {
        return Some(format!("{here}::{inner}"));
    }
    if !rest.starts_with("super") {
        return Some(format!("{here}::{rest}"));
    }
    while let Some(inner) = rest.strip_prefix("super::").or((rest == "super").then_some("")) {
        here = here.rsplit_once("::").map_or(String::new(), |(above, _)| above.to_string());
        rest = inner;
    }
    Some(format!("{here}::{rest}"))
}

/// The file that a path leads to.
fn target<'m>(modules: &'m BTreeMap<String, String>, path: &str) -> Option<&'m str> {
    let mut path = path.trim_matches(':');
    loop {
        if let Some((module, _)) = modules.get_key_value(path) {
            return Some(module);
        }
        path = path.rsplit_once("::")?.0;
    }
}

/// References between files, but for those of a folder's `mod.rs` to its own files: its table names
/// them, and they implement its trait.
fn graph(modules: &BTreeMap<String, String>) -> BTreeMap<&str, BTreeSet<&str>> {
    let to = |module: &str, text: &str| {
        references(module, text)
            .iter()
            .filter_map(|path| target(modules, path))
            .filter(|other| *other != module && !other.starts_with(&format!("{module}::")))
            .collect()
    };
    modules.iter().map(|(module, text)| (module.as_str(), to(module, text))).collect()
}

#[test]
fn no_room_uses_a_room_above_it() {
    let (rooms, modules) = (rooms(), modules());
    let rank = |module: &str| {
        let room = module.split("::").next().unwrap_or(module);
        rooms.iter().position(|name| name == room)
    };
    let mut upward = Vec::new();
    for (module, text) in &modules {
        let here = rank(module).unwrap_or_else(|| panic!("{module} is in no row of the table"));
        for path in references(module, text) {
            if rank(&path).is_some_and(|there| there > here) {
                upward.push(format!("{module} → {path}"));
            }
        }
    }
    assert!(modules.len() > 300 && rooms.len() > 20, "{} {}", modules.len(), rooms.len());
    assert!(upward.is_empty(), "upward references:\n{}", upward.join("\n"));
}

#[test]
fn no_files_refer_to_each_other_in_a_circle() {
    let modules = modules();
    let mut graph = graph(&modules);
    let edges: usize = graph.values().map(BTreeSet::len).sum();
    assert!(edges > 1000, "{edges} references found");
    // take away files that refer to none of those left, until nothing changes
    loop {
        let left: BTreeSet<&str> = graph.keys().copied().collect();
        let before = graph.len();
        graph.retain(|_, to| to.iter().any(|other| left.contains(other)));
        if graph.len() == before {
            break;
        }
    }
    // and files that none of those left refers to
    loop {
        let used: BTreeSet<&str> = graph.values().flatten().copied().collect();
        let before = graph.len();
        graph.retain(|module, _| used.contains(module));
        if graph.len() == before {
            break;
        }
    }
    assert!(graph.is_empty(), "circles among: {:?}", graph.keys());
}

#[test]
fn references_are_read_as_the_compiler_reads_them() {
    let text =
        "use super::{Key, b::{self, C as D}};\npub use crate::x::Y;\nlet z = crate::v::w(1);";
    let found: BTreeSet<String> = references("a::here", text).into_iter().collect();
    let expected = ["a::Key", "a::b", "a::b::C", "x::Y", "v::w"];
    assert_eq!(found, expected.map(String::from).into_iter().collect());
}
