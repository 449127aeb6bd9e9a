//! Names and values in the words of messages.

use super::{Kind, Range};
use crate::math::number;
use std::fmt::Write;

impl Kind {
    /// Type, unit and range in words: `a number > 0 in kg`.
    pub fn expected(self) -> String {
        let ranged = |range| match range {
            Range::Any => String::new(),
            Range::Positive => " > 0".into(),
            Range::NonNegative => " ≥ 0".into(),
            Range::Between(low, high) => format!(" from {} to {}", number(low), number(high)),
        };
        let unit_of = |unit: &str| match unit {
            "" => String::new(),
            unit => format!(" in {unit}"),
        };
        match self {
            Kind::Number { unit, range } => format!("a number{}{}", ranged(range), unit_of(unit)),
            Kind::Integer { min, max } if max == i64::MAX => format!("a whole number ≥ {min}"),
            Kind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Flag => "`true` or `false`".into(),
            Kind::Text => "a text in quotation marks".into(),
            Kind::Texts => "a text in quotation marks, or a list of two".into(),
            Kind::Word(words) => format!("one of the words {}", listed(words)),
            Kind::Words(words) => format!("one of the words {}, or a list of them", listed(words)),
            Kind::Vector { unit, .. } => {
                format!("a list of three numbers [x, y, z]{}", unit_of(unit))
            }
            Kind::Numbers { unit, range } => {
                format!("a list of numbers{}{}", ranged(range), unit_of(unit))
            }
            Kind::Vectors { unit } => format!("a list of vectors [x, y, z]{}", unit_of(unit)),
            Kind::Counts => "a list of three whole numbers ≥ 1".into(),
            Kind::Integers => "a list of whole numbers ≥ 0".into(),
            Kind::Names => "a name in quotation marks, or a list of names".into(),
            Kind::Points => "a list of points [t, value], t in s".into(),
            Kind::Pairs => "a list of pairs [i, j] of whole numbers ≥ 0".into(),
            Kind::Triples => "a list of triples [i, j, k] of whole numbers ≥ 0".into(),
            Kind::Constants => "a table of numbers, { NAME = 0.3, ... }".into(),
        }
    }
}

/// Whether a character is invisible, moves the cursor or changes the direction of writing.
pub fn unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Text from a scene for use in a message: unprintable characters as `\u{..}`, at most 60
/// characters.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for (count, c) in text.chars().enumerate() {
        if count == 60 {
            out.push('…');
            break;
        }
        if unprintable(c) {
            let _ = write!(out, "\\u{{{:x}}}", c as u32);
        } else {
            out.push(c);
        }
    }
    out.push('`');
    out
}

/// Largest number of names, errors or rows that a message lists; the rest is counted.
pub const LISTED: usize = 20;

/// A list of names for a message, at most [`LISTED`].
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let mut parts: Vec<String> = names.iter().take(LISTED).map(|n| quoted(n.as_ref())).collect();
    if names.len() > parts.len() {
        parts.push(format!("and {} more", names.len() - parts.len()));
    }
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}

/// Number of known names of about the same length with which a misspelt one is compared. It bounds the time of
/// an error: 8 ms for as many names of 78 letters.
const COMPARED: usize = 300;

/// The known name nearest to a misspelt one, if one is near enough to be meant.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > 80 {
        return None;
    }
    let lower = wrong.to_lowercase().replace('_', "-");
    let distance =
        |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase().replace('_', "-"));
    known
        .into_iter()
        // three letters more or less, of up to four bytes
        .filter(|name| name.len().abs_diff(wrong.len()) <= 12)
        .take(COMPARED)
        .map(|name| (distance(name), name))
        .filter(|(d, name)| *d <= (name.chars().count().max(3) / 3).min(3))
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}
