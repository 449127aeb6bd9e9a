//! Converts a value as written to the type, unit and range of a key.

use super::diagnostics::{Diagnostic, listed, nearest, quoted};
use super::place::Place;
use super::tree::{Content, Node, NumberFault};
use std::collections::BTreeMap;
use stiction_core::expression;
use stiction_core::math::Vector;
use stiction_core::registry::{Fallback, Key, Kind, Range, Value};

/// Largest magnitude of any number in a scene.
pub const LARGEST: f64 = 1e15;

type CheckedValue<T> = Result<T, Box<Diagnostic>>;

fn fault(code: &'static str, place: Place, message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, place, message))
}

/// The value of a key of the table `at`.
pub fn value(node: &Node, key: &Key, at: &str) -> CheckedValue<Value> {
    let of = format!("{} in {at}", quoted(key.name));
    match key.kind {
        Kind::Number { unit, range } => number(node, &of, unit, range).map(Value::Number),
        Kind::Integer { min, max } => integer(node, &of, min, max).map(Value::Integer),
        Kind::Flag => match node.content {
            Content::Flag(flag) => Ok(Value::Flag(flag)),
            _ => Err(wrong_type(node, &of, key.kind)),
        },
        Kind::Text => text(node, &of).map(|t| Value::Text(t.to_string())),
        Kind::Texts => texts(node, &of).map(Value::Texts),
        Kind::Word(words) => word(node, &of, words).map(Value::Text),
        Kind::Words(words) => some_words(node, &of, words).map(Value::Texts),
        Kind::Vector { unit, nonzero } => vector(node, &of, unit, nonzero).map(Value::Vector),
        Kind::Numbers { unit, range } => {
            each(node, &of, key.kind, |n, of| number(n, of, unit, range)).map(Value::Numbers)
        }
        Kind::Vectors { unit } => {
            each(node, &of, key.kind, |n, of| vector(n, of, unit, false)).map(Value::Vectors)
        }
        Kind::Counts => {
            let list = each(node, &of, key.kind, |n, of| integer(n, of, 1, i64::MAX))?;
            length(node, &of, list.len(), 3)?;
            Ok(Value::Integers(list))
        }
        Kind::Integers => {
            each(node, &of, key.kind, |n, of| integer(n, of, 0, i64::MAX)).map(Value::Integers)
        }
        Kind::Names => names(node, &of).map(Value::Texts),
        Kind::Points => each(node, &of, key.kind, point).map(Value::Points),
        Kind::Pairs => each(node, &of, key.kind, tuple).map(Value::Pairs),
        Kind::Triples => each(node, &of, key.kind, tuple).map(Value::Triples),
        Kind::Constants => constants(node, &of).map(Value::Constants),
    }
}

/// The meaning of a key, and its default: `fixed step; default 0.001`.
pub fn purpose(key: &Key) -> String {
    let default = match key.default {
        Fallback::Required => return key.about.to_string(),
        Fallback::Optional(words) => format!("without it: {words}"),
        Fallback::Number(x) => format!("default {x:?}"),
        Fallback::Integer(n) => format!("default {n}"),
        Fallback::Flag(flag) => format!("default {flag}"),
        Fallback::Text(text) => format!("default {text:?}"),
        Fallback::Vector([x, y, z]) => format!("default [{x:?}, {y:?}, {z:?}]"),
    };
    format!("{}; {default}", key.about)
}

/// Help for a text in place of a number.
pub(crate) fn numeral(text: &str, unit: &str) -> Option<String> {
    let text = text.trim();
    let number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    if number(text) {
        return Some("write the number without quotation marks".into());
    }
    if text.contains(',') && number(&text.replacen(',', ".", 1)) {
        return Some("write decimals with a point, not with a comma".into());
    }
    let letters = text.char_indices().find(|(at, _)| {
        let (digits, unit) = text.split_at(*at);
        number(digits.trim_end()) && unit.chars().next().is_some_and(char::is_alphabetic)
    });
    letters.map(|_| match unit {
        "" => "write the number alone; it has no unit".to_string(),
        unit => format!("write the number alone, in {unit}"),
    })
}

/// The error of a value of the wrong type.
pub(crate) fn wrong_type(node: &Node, of: &str, kind: Kind) -> Box<Diagnostic> {
    let expected = kind.expected();
    let message = format!("{of} must be {expected}, got {}", node.describe());
    let mut diagnostic =
        Diagnostic::error("E204", node.place, message).label(format!("expected {expected}"));
    let unit = match kind {
        Kind::Number { unit, .. } => Some(unit),
        Kind::Integer { .. } => Some(""),
        _ => None,
    };
    if let (Content::Text(text), Some(unit)) = (&node.content, unit)
        && let Some(advice) = numeral(text, unit)
    {
        diagnostic = diagnostic.help(advice);
    }
    Box::new(diagnostic)
}

/// A finite number within its range.
pub fn number(node: &Node, of: &str, unit: &'static str, range: Range) -> CheckedValue<f64> {
    let x = match node.content {
        Content::Integer(n) => n as f64,
        Content::Float(x) => x,
        Content::Unusable(reason) => return Err(unusable(node, of, reason)),
        _ => return Err(wrong_type(node, of, Kind::Number { unit, range })),
    };
    if !range.contains(x) {
        let expected = Kind::Number { unit, range }.expected();
        return Err(fault("E301", node.place, format!("{of} must be {expected}, got {x:?}")));
    }
    if x.abs() > LARGEST {
        let message = format!("{of} is {x:?}; no number may exceed {LARGEST:e} in magnitude");
        return Err(fault("E301", node.place, message));
    }
    Ok(x)
}

fn unusable(node: &Node, of: &str, reason: NumberFault) -> Box<Diagnostic> {
    let (code, message) = match reason {
        NumberFault::IntegerTooLarge => (
            "E303",
            format!(
                "{of} is too large for a whole number, which lies from {} to {}",
                i64::MIN,
                i64::MAX
            ),
        ),
        NumberFault::FloatTooLarge => (
            "E303",
            format!(
                "{of} is too large for a number; no number may exceed {LARGEST:e} in magnitude"
            ),
        ),
        NumberFault::TooSmall => (
            "E303",
            format!(
                "{of} is so small that it would become zero or lose digits; the smallest number above zero is 2.3e-308"
            ),
        ),
        NumberFault::NotFinite => {
            ("E302", format!("{of} must be finite; `nan` and `inf` are no values"))
        }
    };
    fault(code, node.place, message)
}

fn integer(node: &Node, of: &str, min: i64, max: i64) -> CheckedValue<i64> {
    let kind = Kind::Integer { min, max };
    let n = match node.content {
        Content::Integer(n) => n,
        Content::Float(x) if x == x.trunc() && x.abs() <= 9e15 => x as i64,
        Content::Unusable(reason) => return Err(unusable(node, of, reason)),
        _ => return Err(wrong_type(node, of, kind)),
    };
    if n < min || n > max {
        let message = format!("{of} must be {}, got {n}", kind.expected());
        return Err(fault("E301", node.place, message));
    }
    Ok(n)
}

/// A text.
pub fn text<'n>(node: &'n Node, of: &str) -> CheckedValue<&'n str> {
    node.text().ok_or_else(|| wrong_type(node, of, Kind::Text))
}

/// A text, or a list of one or two.
fn texts(node: &Node, of: &str) -> CheckedValue<Vec<String>> {
    match &node.content {
        Content::Text(text) => Ok(vec![text.to_string()]),
        Content::List(list) if (1..=2).contains(&list.len()) => {
            each(node, of, Kind::Texts, |item, of| text(item, of).map(str::to_string))
        }
        _ => Err(wrong_type(node, of, Kind::Texts)),
    }
}

/// A name, or a list of names.
fn names(node: &Node, of: &str) -> CheckedValue<Vec<String>> {
    match &node.content {
        Content::Text(text) => Ok(vec![text.to_string()]),
        Content::List(list) if !list.is_empty() => {
            each(node, of, Kind::Names, |item, of| text(item, of).map(str::to_string))
        }
        _ => Err(wrong_type(node, of, Kind::Names)),
    }
}

fn word(node: &Node, of: &str, words: &'static [&'static str]) -> CheckedValue<String> {
    let Some(text) = node.text() else {
        return Err(wrong_type(node, of, Kind::Word(words)));
    };
    if words.contains(&text) {
        return Ok(text.to_string());
    }
    Err(unknown_name(node.place, text, &format!("value of {of}"), words))
}

/// One of the words, or a list of them.
fn some_words(node: &Node, of: &str, words: &'static [&'static str]) -> CheckedValue<Vec<String>> {
    match &node.content {
        Content::Text(_) => Ok(vec![word(node, of, words)?]),
        Content::List(_) => each(node, of, Kind::Words(words), |item, of| word(item, of, words)),
        _ => Err(wrong_type(node, of, Kind::Words(words))),
    }
}

/// The error of an unknown name.
pub(crate) fn unknown_name<S: AsRef<str>>(
    place: Place,
    name: &str,
    what: &str,
    known: &[S],
) -> Box<Diagnostic> {
    let message = format!("there is no {what} called {}", quoted(name));
    let mut help = match nearest(name, known.iter().map(|k| k.as_ref())) {
        Some(near) => format!("did you mean {}? ", quoted(near)),
        None => String::new(),
    };
    help.push_str(&format!("known: {}", listed(known)));
    Box::new(Diagnostic::error("E307", place, message).help(help))
}

fn vector(node: &Node, of: &str, unit: &'static str, nonzero: bool) -> CheckedValue<Vector> {
    let kind = Kind::Vector { unit, nonzero };
    let Content::List(list) = &node.content else {
        return Err(wrong_type(node, of, kind));
    };
    length(node, of, list.len(), 3)?;
    let mut v = Vector::zeros();
    for (axis, item) in list.iter().enumerate() {
        let name = ["x", "y", "z"][axis];
        v[axis] = number(item, &format!("{name} of {of}"), unit, Range::Any)?;
    }
    if nonzero && v == Vector::zeros() {
        let message = format!("{of} must not be [0, 0, 0]: it is a direction");
        return Err(fault("E301", node.place, message));
    }
    Ok(v)
}

/// Named numbers; the names must be usable in a formula.
fn constants(node: &Node, of: &str) -> CheckedValue<BTreeMap<String, f64>> {
    let Content::Table(table) = &node.content else {
        return Err(wrong_type(node, of, Kind::Constants));
    };
    let mut constants = BTreeMap::new();
    for entry in &table.entries {
        let shown = quoted(&entry.key);
        let fault = |message: String, help: &str| {
            Err(Box::new(Diagnostic::error("E311", entry.place, message).help(help)))
        };
        if !expression::is_name(&entry.key) {
            let message = format!("{shown} in {of} is no name that a formula can use");
            return fault(message, "use a letter or `_` first, then letters, digits and `_`");
        }
        if expression::is_taken(&entry.key) {
            let message = format!("{shown} in {of} is a name that every formula knows already");
            return fault(message, "give the constant another name");
        }
        let value = number(&entry.value, &format!("{shown} of {of}"), "", Range::Any)?;
        constants.insert(entry.key.clone(), value);
    }
    Ok(constants)
}

/// A time \[s\] and a value.
fn point(node: &Node, of: &str) -> CheckedValue<[f64; 2]> {
    let list = each(node, of, Kind::Points, |n, of| number(n, of, "", Range::Any))?;
    length(node, of, list.len(), 2)?;
    Ok([list[0], list[1]])
}

/// A list of N whole numbers.
fn tuple<const N: usize>(node: &Node, of: &str) -> CheckedValue<[usize; N]> {
    let list = each(node, of, Kind::Integers, |n, of| integer(n, of, 0, i64::MAX))?;
    length(node, of, list.len(), N)?;
    let mut numbers = [0; N];
    for (number, n) in numbers.iter_mut().zip(list) {
        *number = n as usize;
    }
    Ok(numbers)
}

fn length(node: &Node, of: &str, got: usize, wanted: usize) -> CheckedValue<()> {
    if got == wanted {
        return Ok(());
    }
    Err(fault("E304", node.place, format!("{of} takes {wanted} numbers, got {got}")))
}

/// Reads every element of a list; reports the first wrong one.
fn each<T>(
    node: &Node,
    of: &str,
    kind: Kind,
    read: impl Fn(&Node, &str) -> CheckedValue<T>,
) -> CheckedValue<Vec<T>> {
    let Content::List(list) = &node.content else {
        return Err(wrong_type(node, of, kind));
    };
    let element = format!("an element of {of}");
    let mut values = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        // the element's number is put into words only for a message
        match read(item, &element) {
            Ok(value) => values.push(value),
            Err(_) => {
                let element = format!("element {index} of {of}");
                return Err(read(item, &element)
                    .err()
                    .unwrap_or_else(|| wrong_type(item, of, kind)));
            }
        }
    }
    Ok(values)
}
