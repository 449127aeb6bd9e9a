//! Errors of grammar in a scene's text, each with its place and a remedy.

use super::super::diagnostics::{Diagnostic, Diagnostics, quoted};
use super::super::place::Place;
use super::document::{Fault, Faults};
use stiction_core::registry::words::LISTED;

/// NUL bytes, and carriage returns that do not end a line.
pub(super) fn forbidden_character(text: &str, source: usize) -> Option<Diagnostic> {
    let bytes = text.as_bytes();
    let lone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    let at = (0..bytes.len()).find(|&at| bytes[at] == 0 || lone(at))?;
    let place = Place { source, start: at, end: at + 1 };
    let (message, help) = if bytes[at] == 0 {
        (format!("NUL byte at byte {at}"), "a scene is plain text; is this file binary or damaged?")
    } else {
        (
            format!("carriage return without a line feed at byte {at}"),
            "end lines with a line feed, or with carriage return and line feed",
        )
    };
    Some(Diagnostic::error("E104", place, message).help(help))
}

/// Reports errors of grammar, except those that follow from an unclosed bracket; of several on one
/// line only the first.
pub(super) fn grammar_errors(
    faults: &Faults,
    text: &str,
    source: usize,
    diagnostics: &mut Diagnostics,
) {
    let unclosed = faults.at_end.then(|| last_open(text)).flatten();
    if let Some((at, mark)) = unclosed {
        let place = Place { source, start: at, end: at + 1 };
        let lines = text.trim_end().lines().count();
        let message =
            format!("not valid TOML: `{mark}` is not closed before the text ends on line {lines}");
        diagnostics
            .push(Diagnostic::error("E101", place, message).label("opened here").help("close it"));
    }
    let from = unclosed.map_or(text.len() + 1, |(at, _)| at);
    let mut last_line_end = 0;
    for (number, error) in faults.list.iter().enumerate() {
        let span = error.span.clone().unwrap_or(text.len()..text.len());
        let follows = span.start >= from || (number > 0 && span.start < last_line_end);
        if follows && error.message != "duplicate key" || span.start >= from {
            continue;
        }
        if number >= LISTED {
            diagnostics.count_more(1);
            continue;
        }
        last_line_end = text[span.start..].find('\n').map_or(text.len(), |n| span.start + n);
        diagnostics.push(grammar_error(
            error,
            text,
            Place { source, start: span.start, end: span.end },
        ));
    }
    diagnostics.count_more(faults.more);
}

fn grammar_error(error: &Fault, text: &str, place: Place) -> Diagnostic {
    if error.message == "duplicate key" {
        return duplicate_key(text, place);
    }
    if error.message.contains("string")
        && let Some((at, mark)) = open_quote(text, place.start)
    {
        let place = Place { start: at, ..place };
        let message =
            format!("not valid TOML: the text that starts with {mark} is not closed on its line");
        return Diagnostic::error("E101", place, message).help(format!("close it with {mark}"));
    }
    let place = before_equals(text, place);
    let mut message = format!("not valid TOML: {}", error.message);
    let odd = |c: &char| !c.is_ascii() || (c.is_ascii_control() && !c.is_ascii_whitespace());
    if let Some(odd) = text[place.start..].chars().next().filter(odd) {
        let what = if odd.is_ascii() { "a control character" } else { "not ASCII" };
        message.push_str(&format!(
            "; {} is U+{:04X}, which is {what}",
            quoted(&odd.to_string()),
            odd as u32
        ));
    }
    if error.message.contains("recursion") {
        let place = deep_line(text, place).unwrap_or(place);
        return Diagnostic::error("E101", place, message)
            .help("brackets and dotted keys may be nested at most 80 deep");
    }
    let diagnostic = Diagnostic::error("E101", place, message);
    match bare_value(&text[place.start..]) {
        Some(help) if error.message.contains("must be quoted") => diagnostic.help(help),
        _ if error.message.starts_with("unexpected key or value") => {
            diagnostic.help("one key and one value stand on a line; decimals have a point")
        }
        _ => diagnostic,
    }
}

/// Place of the word before a second equals sign on a line: the part that does not belong there.
fn before_equals(text: &str, place: Place) -> Place {
    let line_start = text[..place.start].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[line_start..place.start];
    if !text[place.start..].starts_with('=') || !before.contains('=') {
        return place;
    }
    let start = before.trim_end().rfind(' ').map_or(place.start, |at| line_start + at + 1);
    Place { start, ..place }
}

/// The first line with more than 80 dots, for a nesting error without a place of its own.
fn deep_line(text: &str, place: Place) -> Option<Place> {
    if place.start < text.len() {
        return None;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.bytes().filter(|&b| b == b'.').count() > 80 {
            return Some(Place { start, end: start + line.trim_end().len(), ..place });
        }
        start += line.len();
    }
    None
}

/// Advice for a value that is neither a number nor a text in quotation marks: a number with its
/// unit, with a decimal comma, or numbers without commas between them.
fn bare_value(text: &str) -> Option<&'static str> {
    let end = text.find(['\n', '\r', '#', ']', '}']).unwrap_or(text.len());
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let mut words = text[..end].split_ascii_whitespace();
    let Some(first) = words.next() else { return Some("write a value behind the `=`") };
    let second = words.next().unwrap_or("");
    let digits = first.trim_end_matches(char::is_alphabetic);
    if is_number(first) && is_number(second) {
        return Some("put commas between the values of a list");
    }
    let unit = second.starts_with(char::is_alphabetic) || digits.len() < first.len();
    if is_number(digits) && unit {
        return Some("write the number alone, without its unit");
    }
    let word = first.starts_with(char::is_alphabetic);
    word.then_some("put texts in quotation marks; `true` and `false` stand without them")
}

/// For an error at the end of a line: the line's unclosed quotation mark, with its byte.
fn open_quote(text: &str, at: usize) -> Option<(usize, char)> {
    if !matches!(text.as_bytes().get(at), None | Some(b'\n' | b'\r')) {
        return None;
    }
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let mut open: Option<(usize, char)> = None;
    let mut escaped = false;
    for (offset, c) in text[line_start..at].char_indices() {
        match (c, open) {
            _ if escaped => escaped = false,
            ('\\', Some((_, '"'))) => escaped = true,
            ('"' | '\'', None) => open = Some((line_start + offset, c)),
            (c, Some((_, mark))) if c == mark => open = None,
            _ => {}
        }
    }
    open
}

/// The last unclosed bracket, or a quotation mark that is never closed, with its byte.
fn last_open(text: &str) -> Option<(usize, char)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let at = text.len() - rest.len();
        rest = match c {
            '"' | '\'' => match skip_string(rest, c) {
                Some(after) => after,
                None => return Some((at, c)),
            },
            '#' => rest.find('\n').map_or("", |end| &rest[end..]),
            '[' | '{' => {
                open.push((at, c));
                &rest[1..]
            }
            ']' | '}' => {
                open.pop();
                &rest[1..]
            }
            c => &rest[c.len_utf8()..],
        };
    }
    open.last().copied()
}

/// The text after a string that starts with a quotation mark; `None` if the text ends inside it. A
/// single-line string ends with its line, closed or not.
fn skip_string(text: &str, mark: char) -> Option<&str> {
    let triple: String = [mark; 3].iter().collect();
    let long = text.starts_with(&triple);
    let closing = if long { triple } else { mark.to_string() };
    let mut at = closing.len();
    while let Some(c) = text.get(at..)?.chars().next() {
        if text[at..].starts_with(&closing) {
            return Some(&text[at + closing.len()..]);
        }
        if c == '\n' && !long {
            return Some(&text[at..]);
        }
        let escaped = c == '\\' && mark == '"';
        at += c.len_utf8();
        if escaped {
            at += text.get(at..)?.chars().next()?.len_utf8();
        }
    }
    None
}

fn duplicate_key(text: &str, place: Place) -> Diagnostic {
    let name = text.get(place.start..place.end).unwrap_or("");
    let message = format!("{} is written twice", quoted(name));
    let diagnostic = Diagnostic::error("E102", place, message).label("second time");
    match first_occurrence(text, place.start, name) {
        Some(line) => {
            diagnostic.help(format!("it stands on line {line} already; keep one of the two"))
        }
        None => diagnostic.help("keep one of the two"),
    }
}

/// The line of the earlier occurrence of a key or table header, searched in the text, since the
/// parser keeps only one of the two.
fn first_occurrence(text: &str, at: usize, name: &str) -> Option<usize> {
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let here = text[line_start..].lines().next()?.trim();
    let before: Vec<&str> = text[..line_start].lines().collect();
    if here.starts_with('[') {
        let header = here.trim_start_matches('[').split(']').next()?;
        let same = |line: &&str| {
            let inner = line.trim().strip_prefix('[');
            inner.is_some_and(|l| l.trim_start_matches('[').split(']').next() == Some(header))
        };
        return before.iter().position(same).map(|n| n + 1);
    }
    for (number, line) in before.iter().enumerate().rev() {
        let line = line.trim_start();
        if line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('=')) {
            return Some(number + 1);
        }
        if line.starts_with('[') {
            break;
        }
    }
    None
}
