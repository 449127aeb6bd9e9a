//! The resolved scene as TOML with every default filled in. Loading the printed text gives the same
//! scene (apart from places).

use super::keys::{Form, Section};
use super::load::Loaded;
use super::place::{Choice, Moment};
use super::record::{Piece, Record};
use super::sections::INTEGRATOR;
use std::fmt::Write as _;
use stiction_core::math::Vector;
use stiction_core::registry::{Value, Values};
use stiction_core::world::Selection;

/// The text of a resolved scene.
pub fn show(loaded: &Loaded) -> String {
    let mut out = String::new();
    let root = &loaded.resolved.root;
    for key in root.keys.keys {
        if let Some(value) = root.values.0.get(key.name) {
            let _ = writeln!(out, "{} = {}", key.name, literal(value));
        }
    }
    for (section, items) in &loaded.resolved.sections {
        for record in items {
            let _ = writeln!(out, "\n{}", header(section, record));
            for (key, text) in lines(record) {
                let _ = writeln!(out, "{key} = {text}");
            }
        }
    }
    out
}

fn header(section: &Section, record: &Record) -> String {
    match section.form {
        Form::Single => format!("[{}]", section.name),
        Form::Repeated => format!("[[{}]]", section.name),
        Form::Named => format!("[{}.{}]", section.name, bare_or_quoted(&record.name)),
    }
}

fn bare_or_quoted(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !key.is_empty() && key.chars().all(bare) { key.to_string() } else { string(key) }
}

/// Keys and values of a table in the order of its declaration.
fn lines(record: &Record) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    // a method that is not given is no default: `run` finds one
    let found = |choice: &Choice| !choice.given && std::ptr::eq(record.keys, &raw const INTEGRATOR);
    if let (Some(tag), Some(choice)) = (record.keys.tag, &record.choice)
        && !found(choice)
    {
        lines.push((tag.key, string(choice.name)));
        lines.extend(plain(&choice.values));
    }
    for key in record.keys.keys {
        if let Some(value) = record.values.0.get(key.name) {
            lines.push((key.name, literal(value)));
        }
    }
    for part in record.keys.parts {
        match record.parts.get(part.name) {
            // an empty table has no meaning
            Some(Piece::Table(inner)) if self::lines(inner).is_empty() => {}
            Some(piece) => lines.push((part.name, structured(piece))),
            None => {}
        }
    }
    lines
}

fn plain(values: &Values) -> Vec<(&'static str, String)> {
    values.0.iter().map(|(key, value)| (*key, literal(value))).collect()
}

fn inline(lines: Vec<(&'static str, String)>) -> String {
    let parts: Vec<String> = lines.iter().map(|(key, text)| format!("{key} = {text}")).collect();
    if parts.is_empty() { "{}".into() } else { format!("{{ {} }}", parts.join(", ")) }
}

fn structured(piece: &Piece) -> String {
    match piece {
        Piece::Table(record) => inline(lines(record)),
        Piece::Variant(choice) => {
            let Choice { name, values, .. } = &**choice;
            format!("{{ {name} = {} }}", inline(plain(values)))
        }
        Piece::Name(name, _) => string(name),
        Piece::TwoNames(two) => format!("[{}, {}]", string(&two[0].0), string(&two[1].0)),
        Piece::Moment(Moment::End) => string("end"),
        Piece::Moment(Moment::Maximum) => string("max"),
        Piece::Moment(Moment::Minimum) => string("min"),
        Piece::Moment(Moment::Time(t)) => format!("{t:?}"),
        Piece::Selection(selection) => match &**selection {
            Selection::All => string("all"),
            Selection::Particles(list) => format!("{{ particles = {list:?} }}"),
            Selection::Nearest(point) => format!("{{ nearest = {} }}", vector(point)),
            Selection::Box { min, max } => {
                format!("{{ box = {{ min = {}, max = {} }} }}", vector(min), vector(max))
            }
        },
    }
}

/// A value as TOML.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Number(x) => format!("{x:?}"),
        Value::Integer(n) => n.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Text(text) => string(text),
        Value::Vector(v) => vector(v),
        Value::Numbers(list) => format!("{list:?}"),
        Value::Vectors(list) => {
            format!("[{}]", list.iter().map(vector).collect::<Vec<_>>().join(", "))
        }
        Value::Integers(list) => format!("{list:?}"),
        Value::Points(list) => format!("{list:?}"),
        Value::Pairs(list) => format!("{list:?}"),
        Value::Triples(list) => format!("{list:?}"),
        Value::Texts(list) if list.len() == 1 => string(&list[0]),
        Value::Texts(list) => {
            format!("[{}]", list.iter().map(|text| string(text)).collect::<Vec<_>>().join(", "))
        }
        Value::Constants(constants) if constants.is_empty() => "{}".into(),
        Value::Constants(constants) => {
            let named = constants.iter().map(|(name, x)| format!("{name} = {x:?}"));
            format!("{{ {} }}", named.collect::<Vec<_>>().join(", "))
        }
    }
}

fn vector(v: &Vector) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if super::diagnostics::unprintable(c) => {
                let _ = write!(out, "\\U{:08X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
