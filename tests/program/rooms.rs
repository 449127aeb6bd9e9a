//! The order of rooms in ARCHITECTURE.md is the order of the code: no reference points upwards, and
//! no files refer to each other in a circle. Between crates cargo sees to it, within one nobody
//! else.

use crate::support::files::{files, is_for_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A crate whose files are read: its folder, its name in paths, the room that its root is, if it is
/// one.
struct Source {
    folder: &'static str,
    name: &'static str,
    room: &'static str,
}

const SOURCES: [Source; 8] = [
    Source { folder: "crates/core/src", name: "stiction_core", room: "" },
    Source { folder: "crates/scene/src", name: "stiction_scene", room: "scene" },
    Source { folder: "crates/engines/src", name: "stiction_engines", room: "" },
    Source { folder: "crates/lab/src", name: "stiction_lab", room: "" },
    Source { folder: "crates/view/src", name: "stiction_view", room: "view" },
    Source { folder: "src", name: "stiction", room: "" },
    Source { folder: "python/src", name: "_core", room: "python" },
    Source { folder: "web/src", name: "stiction_web", room: "web" },
];

/// A source file: the room that its crate is, if any, and its text.
struct Module {
    home: &'static str,
    text: String,
}

type Modules = BTreeMap<String, Module>;

/// The rooms of ARCHITECTURE.md, low to high.
fn rooms() -> Vec<String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(home.join("ARCHITECTURE.md")).expect("the page");
    let table = page.split("## Rooms").nth(1).expect("the table of rooms");
    let rows = table.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|line| line.split('|').nth(2));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(String::from)).collect()
}

/// Source files by their module path, `contact::friction::ramp` or `scene::mesh::gmsh`; without
/// those that are compiled for tests only.
fn modules() -> Modules {
    let mut modules = Modules::new();
    for source in &SOURCES {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join(source.folder);
        for path in files(&top, "rs").into_iter().filter(|path| !is_for_tests(path)) {
            let inner = path.strip_prefix(&top).expect("inside").with_extension("");
            let text = std::fs::read_to_string(&path).expect("a file");
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
            if let Some(module) = module_path(source.room, &inner) {
                modules.insert(module, Module { home: source.room, text: text.into() });
            }
        }
    }
    modules
}

/// The module path of a file; none for the root of a crate that is no room.
fn module_path(room: &str, inner: &Path) -> Option<String> {
    let mut parts: Vec<&str> = inner.iter().filter_map(|part| part.to_str()).collect();
    if parts.last() == Some(&"mod") || matches!(parts[..], ["lib" | "main"]) {
        parts.pop();
    }
    let path = [room].into_iter().filter(|room| !room.is_empty()).chain(parts);
    let path: Vec<&str> = path.collect();
    (!path.is_empty()).then(|| path.join("::"))
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

/// All module paths a file refers to.
fn references(module: &str, home: &str, text: &str) -> Vec<String> {
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
    paths.extend(inline(&code));
    paths.iter().map(|path| absolute(module, home, path)).collect()
}

/// Paths within expressions and types: `crate::x::f(1)`, `super::super::Y`, `stiction_lab::run::Z`.
fn inline(code: &str) -> Vec<String> {
    let part_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c: char| !part_of_path(c));
    let begins = |word: &&str| {
        ["crate::", "super::"].iter().any(|start| word.starts_with(start))
            || SOURCES.iter().any(|source| word.starts_with(&format!("{}::", source.name)))
    };
    // a path that ends so is the beginning of a `use` tree
    let whole = words.filter(|word| !word.ends_with("::"));
    whole.filter(begins).map(|word| word.trim_end_matches(':').to_string()).collect()
}

/// A path as seen from a module of the crate whose root is the room `home`, among [`modules`].
fn absolute(module: &str, home: &str, path: &str) -> String {
    let within = |room: &str, rest: &str| {
        let parts = [room, rest].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("::")
    };
    let (first, after) = path.split_once("::").unwrap_or((path, ""));
    if first == "crate" {
        return within(home, after);
    }
    if let Some(source) = SOURCES.iter().find(|source| source.name == first) {
        return within(source.room, after);
    }
    let (mut here, mut rest) = (module.to_string(), path);
    if let Some(inner) = rest.strip_prefix("self::") {
        return format!("{here}::{inner}");
    }
    while let Some(inner) = rest.strip_prefix("super::").or((rest == "super").then_some("")) {
        here = here.rsplit_once("::").map_or(String::new(), |(above, _)| above.to_string());
        rest = inner;
    }
    within(&here, rest)
}

/// The file that a path leads to.
fn target<'m>(modules: &'m Modules, path: &str) -> Option<&'m str> {
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
fn graph(modules: &Modules) -> BTreeMap<&str, BTreeSet<&str>> {
    let to = |path: &str, module: &Module| {
        references(path, module.home, &module.text)
            .iter()
            .filter_map(|path| target(modules, path))
            .filter(|other| *other != path && !other.starts_with(&format!("{path}::")))
            .collect()
    };
    modules.iter().map(|(path, module)| (path.as_str(), to(path, module))).collect()
}

#[test]
fn no_room_uses_a_room_above_it() {
    let (rooms, modules) = (rooms(), modules());
    let rank = |module: &str| {
        let room = module.split("::").next().unwrap_or(module);
        rooms.iter().position(|name| name == room)
    };
    let mut upward = Vec::new();
    for (path, module) in &modules {
        let here = rank(path).unwrap_or_else(|| panic!("{path} is in no row of the table"));
        for other in references(path, module.home, &module.text) {
            if rank(&other).is_some_and(|there| there > here) {
                upward.push(format!("{path} → {other}"));
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
    assert!(graph.is_empty(), "circles among: {graph:?}");
}

#[test]
fn references_are_read_as_the_compiler_reads_them() {
    let text = "use super::{Key, b::{self, C as D}};\npub use crate::x::Y;\n\
                let z: super::q::R = crate::v::w(1) + stiction_scene::s::t(2);";
    let found: BTreeSet<String> = references("view::a::here", "view", text).into_iter().collect();
    let expected = ["a::Key", "a::b", "a::b::C", "a::q::R", "x::Y", "v::w"];
    let expected = expected.iter().map(|path| format!("view::{path}"));
    assert_eq!(found, expected.chain(["scene::s::t".to_string()]).collect());
}
