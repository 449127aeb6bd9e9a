//! Keys named by the path of a `--set`, in words for its messages.

use super::diagnostics::{listed, nearest, quoted};
use super::keys::{Choices, Form, PartContent, TableKeys};
use super::sections::{ROOT, SECTIONS, SELECTION};
use super::values::purpose;
use stiction_core::registry::Key;

/// Tells the value that a key takes, as in `` `time.step` takes a number > 0 in s: fixed step and
/// commit interval ``, or the known keys at the first wrong part of the path.
pub(super) fn takes(path: &[&str]) -> String {
    let Some((first, rest)) = path.split_first() else { return String::new() };
    if let (Some(key), []) = (ROOT.keys.iter().find(|key| key.name == *first), rest) {
        return with_alternative(path, key);
    }
    let Some(section) = SECTIONS.iter().find(|section| section.name == *first) else {
        let known = SECTIONS.iter().map(|s| s.name).chain(ROOT.keys.iter().map(|key| key.name));
        return unknown(&[], first, &known.collect::<Vec<_>>());
    };
    let skipped = usize::from(section.form != Form::Single);
    if rest.len() <= skipped {
        let name = if skipped == 1 { ".NAME" } else { "" };
        let keys = names(section.table);
        return format!("write {}{name}.KEY=VALUE; keys: {}", section.name, listed(&keys));
    }
    inside(section.table, path, 1 + skipped)
}

/// The words for a path in a table, from part number `at` on.
fn inside(table: &'static TableKeys, path: &[&str], at: usize) -> String {
    let Some(name) = path.get(at) else {
        return format!("keys there: {}", listed(&names(table)));
    };
    let last = at + 1 == path.len();
    if let (Some(key), true) = (table.keys.iter().find(|key| key.name == *name), last) {
        return with_alternative(path, key);
    }
    if let Some(tag) = table.tag {
        if tag.key == *name {
            return one_of(path, tag.rows);
        }
        let rows = (tag.rows.list)();
        if let Some(key) = rows.iter().flat_map(|row| row.keys).find(|key| key.name == *name) {
            return with_alternative(path, key);
        }
    }
    let Some(part) = table.parts.iter().find(|part| part.name == *name) else {
        return unknown(&path[..at], name, &names(table));
    };
    match part.content {
        PartContent::Table(table) => inside(table, path, at + 1),
        PartContent::Selection => inside(&SELECTION, path, at + 1),
        PartContent::Name(rows, _) => one_of(path, rows),
        PartContent::Variant(rows) => variant(rows, path, at + 1),
        PartContent::Moment => {
            format!("{} takes \"end\", \"max\", \"min\" or a time in s", quoted(&path.join(".")))
        }
        PartContent::TwoNames => {
            format!("{} takes a list of two names of materials", quoted(&path.join(".")))
        }
    }
}

/// The words for a path whose part number `at` names a row.
fn variant(rows: &'static Choices, path: &[&str], at: usize) -> String {
    let Some(name) = path.get(at) else {
        return format!(
            "{} takes {{ KIND = {{ ... }} }} with one of {}",
            quoted(&path.join(".")),
            listed(&rows.names())
        );
    };
    let Some(row) = rows.find(name) else { return unknown(&path[..at], name, &rows.names()) };
    let known: Vec<&str> = row.keys.iter().map(|key| key.name).collect();
    match path.get(at + 1) {
        None => format!("keys of {}: {}", quoted(name), listed(&known)),
        Some(name) => match row.keys.iter().find(|key| key.name == *name) {
            Some(key) => with_alternative(path, key),
            None => unknown(&path[..=at], name, &known),
        },
    }
}

fn with_alternative(path: &[&str], key: &Key) -> String {
    format!("{} takes {}: {}", quoted(&path.join(".")), key.kind.expected(), purpose(key))
}

fn one_of(path: &[&str], rows: &Choices) -> String {
    let path = quoted(&path.join("."));
    format!("{path} takes the name of a {}: {}", rows.what, listed(&rows.names()))
}

fn unknown(before: &[&str], name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied());
    match near {
        Some(near) => {
            let meant: Vec<&str> = before.iter().copied().chain([near]).collect();
            format!("did you mean {}?", quoted(&meant.join(".")))
        }
        None => format!("there is no key {}; known: {}", quoted(name), listed(known)),
    }
}

fn names(table: &'static TableKeys) -> Vec<&'static str> {
    let own = table.keys.iter().map(|key| key.name).chain(table.parts.iter().map(|p| p.name));
    own.chain(table.tag.map(|tag| tag.key)).collect()
}
