//! A scene's text as a tree in which every key and value knows its place.

mod document;
mod grammar;
#[cfg(test)]
mod tests;

use super::diagnostics::{Diagnostic, Diagnostics, quoted};
use super::place::{Place, Source};
use grammar::{forbidden_character, grammar_errors};
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
    /// while it is built: made by the header or dotted key of a table in it
    implicit: bool,
    /// while it is built: made by a dotted key
    dotted: bool,
    /// while it is built, if it is large
    index: Option<Box<Index>>,
}

/// Places of the keys of a table among its entries.
#[derive(Debug, Clone, Default, PartialEq)]
struct Index(BTreeMap<String, usize>);

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

/// Number of entries up to which keys are compared one by one.
const LISTED: usize = 16;

impl Content {
    /// Its type in TOML.
    fn kind(&self) -> &'static str {
        match self {
            Content::Text(_) => "string",
            Content::Integer(_) | Content::Unusable(NumberFault::IntegerTooLarge) => "integer",
            Content::Float(_) | Content::Unusable(_) => "float",
            Content::Flag(_) => "boolean",
            Content::Date => "datetime",
            Content::List(_) => "array",
            Content::Table(_) => "table",
        }
    }
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

    /// The place of a key among the entries, while the table is built.
    fn find(&mut self, key: &str) -> Option<usize> {
        if self.entries.len() <= LISTED {
            return self.entries.iter().position(|entry| entry.key == key);
        }
        let index = self.index.get_or_insert_with(|| {
            let keys = self.entries.iter().enumerate();
            Box::new(Index(keys.map(|(at, entry)| (entry.key.clone(), at)).collect()))
        });
        index.0.get(key).copied()
    }

    /// Adds an entry with a new key; returns its place.
    fn add(&mut self, entry: Entry) -> usize {
        let at = self.entries.len();
        // most tables in braces have one entry
        if at == 0 {
            self.entries.reserve_exact(1);
        }
        if let Some(index) = &mut self.index {
            index.0.insert(entry.key.clone(), at);
        }
        self.entries.push(entry);
        at
    }

    /// Ends building: drops what only that needs, and sorts the entries as they stand in the text.
    fn settle(&mut self) {
        (self.index, self.implicit, self.dotted) = (None, false, false);
        self.entries.sort_by_key(|entry| entry.place.start);
        for entry in &mut self.entries {
            match &mut entry.value.content {
                Content::Table(table) if !table.inline => table.settle(),
                Content::List(list) => list.iter_mut().for_each(|node| match &mut node.content {
                    Content::Table(table) if !table.inline => table.settle(),
                    _ => {}
                }),
                _ => {}
            }
        }
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

    /// Whether it is the table of a header.
    fn is_section(&self) -> bool {
        self.table().is_some_and(|table| !table.inline)
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
/// could be parsed. No tree if it would be too large, which is reported too.
pub fn parse(sources: &[Source], source: usize, diagnostics: &mut Diagnostics) -> Option<Table> {
    let text = &sources[source].text;
    if let Some(fault) = forbidden_character(text, source) {
        diagnostics.push(fault);
        return Some(Table::default());
    }
    let (tree, faults) = document::read(text, source);
    if tree.is_none() {
        let message = format!(
            "over the limit: {} bytes of text, with so many words, lists and tables that their tree takes more than {} MiB",
            text.len(),
            document::MEMORY >> 20
        );
        let help = "put large lists into files of meshes, and many particles into one body";
        let place = Place { source, start: 0, end: 0 };
        diagnostics.push(Diagnostic::error("E106", place, message).help(help));
        return None;
    }
    grammar_errors(&faults, text, source, diagnostics);
    tree
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
        Table { entries, inline, ..Table::default() }
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
