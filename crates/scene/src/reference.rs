//! The scene reference as Markdown, made from the tables of the reader.

use super::keys::{Absent, Choices, KeyPart, PartContent, TableKeys, Tag};
use super::sections::{ROOT, SECTIONS, SELECTION};
use super::show::literal;
use std::fmt::Write as _;
use stiction_core::registry::{Fallback, Key};

/// Every table and key with type, unit, range, default and meaning.
pub fn reference() -> String {
    let mut out = String::from("## Top of the file\n\n");
    table(&mut out, &ROOT);
    out.push_str("| `include` | a list of file names | none | scene files in the folder of the scene, merged beneath this one: its own values win, repeated tables are appended; an inline table is replaced as a whole |\n");
    for section in SECTIONS {
        let _ = writeln!(out, "\n## `{}`\n\n{}\n", section.header(), section.about);
        table(&mut out, section.table);
        inner_tables(&mut out, section.table, section.name);
    }
    out
}

fn head(out: &mut String) {
    out.push_str("| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
}

fn table(out: &mut String, keys: &'static TableKeys) {
    head(out);
    if let Some(Tag { key, rows, default, about }) = keys.tag {
        let default = default.map_or("required".into(), |name| format!("`\"{name}\"`"));
        let _ = writeln!(out, "| `{key}` | {} | {default} | {about} |", names(rows));
    }
    for key in keys.keys {
        line(out, key);
    }
    for part in keys.parts {
        part_line(out, part);
    }
    if let Some(tag) = keys.tag {
        parameters(out, tag.rows, &format!("{} = ", tag.key));
    }
}

fn line(out: &mut String, key: &Key) {
    let default = match key.default {
        Fallback::Required => "required".to_string(),
        Fallback::Optional(text) => cell(text),
        other => other.value().map_or(String::new(), |value| format!("`{}`", literal(&value))),
    };
    let (value, about) = (cell(&key.kind.expected()), cell(key.about));
    let _ = writeln!(out, "| `{}` | {value} | {default} | {about} |", key.name);
}

fn part_line(out: &mut String, part: &KeyPart) {
    let value = match part.content {
        PartContent::Table(_) => "a table, see below".to_string(),
        PartContent::Variant(rows) => format!("`{{ KIND = {{ ... }} }}` with {}", names(rows)),
        PartContent::Name(rows, _) => names(rows),
        PartContent::Selection => "`\"all\"` or a table, see below".into(),
        PartContent::Moment => "`\"end\"`, `\"max\"`, `\"min\"` or a number ≥ 0 in s".into(),
        PartContent::TwoNames => "a list of two names".into(),
    };
    let default = match (part.absent, part.content) {
        (_, PartContent::Name(_, Some(name))) => format!("`\"{name}\"`"),
        (_, PartContent::Moment) => "`\"end\"`".into(),
        (Absent::Required, _) => "required".into(),
        (Absent::Nothing(text), _) => text.into(),
        (Absent::Empty, _) => "its defaults".into(),
    };
    let _ = writeln!(out, "| `{}` | {value} | {default} | {} |", part.name, cell(part.about));
}

fn inner_tables(out: &mut String, keys: &'static TableKeys, path: &str) {
    for part in keys.parts {
        let path = format!("{path}.{}", part.name);
        match part.content {
            PartContent::Table(inner) => {
                let _ = writeln!(out, "\n### `{path}`\n");
                table(out, inner);
                inner_tables(out, inner, &path);
            }
            PartContent::Variant(rows) => parameters(out, rows, &format!("{path} = ")),
            PartContent::Selection => {
                let _ = writeln!(out, "\n### `{path}`\n\nExactly one of:\n");
                table(out, &SELECTION);
                inner_tables(out, &SELECTION, &path);
            }
            PartContent::Name(..) | PartContent::Moment | PartContent::TwoNames => {}
        }
    }
}

fn parameters(out: &mut String, rows: &Choices, before: &str) {
    for row in (rows.list)() {
        let _ = writeln!(out, "\n### `{before}{}`\n\n{}.", row.name, row.about);
        if !row.keys.is_empty() {
            out.push('\n');
            head(out);
            row.keys.iter().for_each(|key| line(out, key));
        }
    }
}

fn names(rows: &Choices) -> String {
    let names: Vec<String> = rows.names().iter().map(|name| format!("`{name}`")).collect();
    names.join(" ")
}

/// Text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
