//! A scene's text as a tree in which every key and value knows its place.

use super::diagnostics::{Diagnostic, Diagnostics, quoted};
use super::place::{Place, Source};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its place in the text; of a `[table]`, that of its header.
    pub place: Place,
    /// The value.
    pub content: Content,
}

/// A value by its type.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction or an exponent; finite.
    Float(f64),
    /// A number outside the representable range.
    Unusable(NumberFault),
    /// `true` or `false`.
    Flag(bool),
    /// A date or time, which no key takes.
    Date,
    /// `[a, b]` or repeated `[[tables]]`.
    List(Vec<Node>),
    /// `{ key = value }` or a `[table]`.
    Table(Table),
}

/// Reason why a number cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFault {
    /// A whole number beyond ±9.2e18.
    IntegerTooLarge,
    /// A number beyond ±1.8e308.
    FloatTooLarge,
    /// Nonzero as written, but zero or imprecise as f64.
    TooSmall,
    /// `nan`, `inf`.
    NotFinite,
}

/// Keys and values in the order of the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// The entries, with distinct keys.
    pub entries: Vec<Entry>,
    /// Whether written as `{ ... }`: replaced as a whole, not merged.
    pub inline: bool,
}

/// One key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Place of the key in the text.
    pub place: Place,
    /// The value.
    pub value: Node,
}

impl Table {
    /// The entry of a key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The value of a key, mutable.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.iter_mut().find(|e| e.key == key).map(|e| &mut e.value)
    }

    /// Removes an entry and returns it.
    pub fn remove(&mut self, key: &str) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(at))
    }

    /// Lays this table over another: its own values win, tables are merged unless inline, arrays of
    /// tables are appended after those of the other.
    pub fn over(self, mut under: Table) -> Table {
        let index: BTreeMap<String, usize> =
            under.entries.iter().enumerate().map(|(at, e)| (e.key.clone(), at)).collect();
        for entry in self.entries {
            match index.get(&entry.key) {
                None => under.entries.push(entry),
                Some(&at) => {
                    let below =
                        std::mem::replace(&mut under.entries[at].value.content, Content::Date);
                    let content = match (entry.value.content, below) {
                        (Content::Table(own), Content::Table(other))
                            if !own.inline && !other.inline =>
                        {
                            Content::Table(own.over(other))
                        }
                        (Content::List(own), Content::List(mut other))
                            if holds_tables(&own) && holds_tables(&other) =>
                        {
                            other.extend(own);
                            Content::List(other)
                        }
                        (own, _) => own,
                    };
                    let value = Node { place: entry.value.place, content };
                    under.entries[at] = Entry { key: entry.key, place: entry.place, value };
                }
            }
        }
        under.inline = self.inline;
        under
    }
}

fn holds_tables(list: &[Node]) -> bool {
    !list.is_empty() && list.iter().all(|node| matches!(node.content, Content::Table(_)))
}

impl Node {
    /// Description of the value for a message, with the value itself if it is short.
    pub fn describe(&self) -> String {
        match &self.content {
            Content::Text(text) => format!("the text {}", quoted(text)),
            Content::Integer(n) => format!("the number {n}"),
            Content::Float(x) => format!("the number {x:?}"),
            Content::Unusable(_) => "a number".into(),
            Content::Flag(flag) => format!("`{flag}`"),
            Content::Date => "a date".into(),
            Content::List(list) if list.len() == 1 => "a list of one value".into(),
            Content::List(list) => format!("a list of {} values", list.len()),
            Content::Table(_) => "a table".into(),
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.content {
            Content::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Parses the text of a source. Every error of grammar is reported; the tree holds the parts that
/// could be parsed.
pub fn parse(sources: &[Source], source: usize, diagnostics: &mut Diagnostics) -> Table {
    let text = &sources[source].text;
    if let Some(fault) = forbidden_character(text, source) {
        diagnostics.push(fault);
        return Table::default();
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    grammar_errors(&errors, text, source, diagnostics);
    let reading = Reading { text, source, shift: 0 };
    reading.table(document.into_inner(), false)
}

/// Parses a single value at byte `shift` of a source.
pub(crate) fn parse_value(
    text: &str,
    source: usize,
    shift: usize,
) -> Result<Node, Box<Diagnostic>> {
    let reading = Reading { text, source, shift };
    match DeValue::parse(text) {
        Ok(value) => Ok(reading.node(value.span(), value.into_inner())),
        Err(error) => {
            let span = error.span().unwrap_or(0..text.len());
            let place = reading.place(span);
            let message = format!("not a TOML value: {}", error.message());
            Err(Box::new(Diagnostic::error("E109", place, message)))
        }
    }
}

/// NUL bytes, and carriage returns that do not end a line.
fn forbidden_character(text: &str, source: usize) -> Option<Diagnostic> {
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
fn grammar_errors(
    errors: &[toml::de::Error],
    text: &str,
    source: usize,
    diagnostics: &mut Diagnostics,
) {
    let unclosed = errors
        .iter()
        .any(|error| error.span().is_none_or(|span| span.start >= text.trim_end().len()))
        .then(|| last_open(text))
        .flatten();
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
    for (number, error) in errors.iter().enumerate() {
        let span = error.span().unwrap_or(text.len()..text.len());
        let follows = span.start >= from || (number > 0 && span.start < last_line_end);
        if follows && error.message() != "duplicate key" || span.start >= from {
            continue;
        }
        if number >= super::diagnostics::SHOWN {
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
}

fn grammar_error(error: &toml::de::Error, text: &str, place: Place) -> Diagnostic {
    if error.message() == "duplicate key" {
        return duplicate_key(text, place);
    }
    if error.message().contains("string")
        && let Some((at, mark)) = open_quote(text, place.start)
    {
        let place = Place { start: at, ..place };
        let message =
            format!("not valid TOML: the text that starts with {mark} is not closed on its line");
        return Diagnostic::error("E101", place, message).help(format!("close it with {mark}"));
    }
    let place = before_equals(text, place);
    let mut message = format!("not valid TOML: {}", error.message());
    let odd = |c: &char| !c.is_ascii() || (c.is_ascii_control() && !c.is_ascii_whitespace());
    if let Some(odd) = text[place.start..].chars().next().filter(odd) {
        let what = if odd.is_ascii() { "a control character" } else { "not ASCII" };
        message.push_str(&format!(
            "; {} is U+{:04X}, which is {what}",
            quoted(&odd.to_string()),
            odd as u32
        ));
    }
    if error.message().contains("recursion") {
        let place = deep_line(text, place).unwrap_or(place);
        return Diagnostic::error("E101", place, message)
            .help("brackets and dotted keys may be nested at most 80 deep");
    }
    let diagnostic = Diagnostic::error("E101", place, message);
    match bare_value(&text[place.start..]) {
        Some(help) if error.message().contains("must be quoted") => diagnostic.help(help),
        _ if error.message().starts_with("unexpected key or value") => {
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

/// For an error at the end of a line: its unclosed quotation mark.
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

/// The last unclosed bracket, with its byte.
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

/// The text after a string that starts with a quotation mark; `None` if it is not closed. A
/// single-line string must close on its line.
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

/// Converts the parser's result into a tree with places.
struct Reading<'t> {
    text: &'t str,
    source: usize,
    shift: usize,
}

impl Reading<'_> {
    fn place(&self, span: Range<usize>) -> Place {
        Place { source: self.source, start: span.start + self.shift, end: span.end + self.shift }
    }

    fn table(&self, table: DeTable<'_>, inline: bool) -> Table {
        let mut entries: Vec<Entry> = table
            .into_iter()
            .map(|(key, value)| Entry {
                place: self.place(key.span()),
                key: key.into_inner().into_owned(),
                value: self.node(value.span(), value.into_inner()),
            })
            .collect();
        entries.sort_by_key(|entry| entry.place.start);
        Table { entries, inline }
    }

    fn node(&self, span: Range<usize>, value: DeValue<'_>) -> Node {
        let inline = self.text.get(span.clone()).is_some_and(|text| text.starts_with('{'));
        let content = match value {
            DeValue::String(text) => Content::Text(text.into_owned()),
            DeValue::Integer(n) => match i64::from_str_radix(n.as_str(), n.radix()) {
                Ok(n) => Content::Integer(n),
                Err(_) => Content::Unusable(NumberFault::IntegerTooLarge),
            },
            DeValue::Float(x) => float(x.as_str()),
            DeValue::Boolean(flag) => Content::Flag(flag),
            DeValue::Datetime(_) => Content::Date,
            DeValue::Array(array) => Content::List(
                array.into_iter().map(|item| self.node(item.span(), item.into_inner())).collect(),
            ),
            DeValue::Table(table) => Content::Table(self.table(table, inline)),
        };
        Node { place: self.place(span), content }
    }
}

/// A float as written; values that would become infinite, zero or imprecise without notice are
/// marked.
fn float(text: &str) -> Content {
    let Ok(x) = text.parse::<f64>() else {
        return Content::Unusable(NumberFault::NotFinite);
    };
    if x.is_infinite() && !text.contains("inf") {
        return Content::Unusable(NumberFault::FloatTooLarge);
    }
    if !x.is_finite() {
        return Content::Unusable(NumberFault::NotFinite);
    }
    let mantissa = text.split(['e', 'E']).next().unwrap_or("");
    let written_as_zero = !mantissa.bytes().any(|b| (b'1'..=b'9').contains(&b));
    if !x.is_normal() && !written_as_zero {
        return Content::Unusable(NumberFault::TooSmall);
    }
    Content::Float(x)
}
