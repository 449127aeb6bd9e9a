//! Builds the tree while the text is parsed, and keeps what it takes within a limit.

use super::{Content, Entry, Node, NumberFault, Table, float};
use crate::place::Place;
use std::ops::Range;
use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{ErrorSink, Expected, ParseError, Raw, Source, Span};

/// Deepest nesting of brackets, and largest number of parts of a dotted key.
const DEEPEST: u32 = 80;
/// Largest memory of the words of a text and of its tree \[bytes\].
pub(crate) const MEMORY: usize = 720 << 20;
/// Memory of a key with its place in the index of a large table, without its letters \[bytes\].
const KEY: usize = size_of::<Entry>() + 96;
/// Number of errors that are kept; the rest is counted.
const KEPT: usize = 1000;

/// An error of grammar.
pub(super) struct Fault {
    pub message: String,
    pub span: Option<Range<usize>>,
}

/// Errors of grammar: the first ones, and the number of the rest.
pub(super) struct Faults {
    pub list: Vec<Fault>,
    pub more: usize,
    /// whether one of all lies where the text ends
    pub at_end: bool,
    end: usize,
}

impl Faults {
    fn new(text: &str) -> Self {
        Faults { list: Vec::new(), more: 0, at_end: false, end: text.trim_end().len() }
    }

    fn push(&mut self, message: String, span: Option<Span>) {
        self.at_end |= span.is_none_or(|span| span.start() >= self.end);
        if self.list.len() < KEPT {
            self.list.push(Fault { message, span: span.map(|span| span.start()..span.end()) });
        } else {
            self.more += 1;
        }
    }

    fn append(&mut self, other: Faults) {
        let room = KEPT - self.list.len();
        self.more += other.more + other.list.len().saturating_sub(room);
        self.list.extend(other.list.into_iter().take(room));
        self.at_end |= other.at_end;
    }
}

impl ErrorSink for Faults {
    fn report_error(&mut self, error: ParseError) {
        let mut message = String::new();
        if self.list.len() < KEPT {
            message.push_str(error.description());
            if let Some(expected) = error.expected() {
                let words: Vec<String> = expected.iter().map(in_words).collect();
                message.push_str(", expected ");
                message.push_str(if words.is_empty() { "nothing" } else { "" });
                message.push_str(&words.join(", "));
            }
        }
        self.push(message, error.unexpected());
    }
}

fn in_words(expected: &Expected) -> String {
    match expected {
        Expected::Literal("\n") => "newline".into(),
        Expected::Literal("`") => "'`'".into(),
        Expected::Literal(text) if text.chars().all(|c| c.is_ascii_control()) => {
            format!("`{}`", text.escape_debug())
        }
        Expected::Literal(text) => format!("`{text}`"),
        Expected::Description(text) => (*text).into(),
        _ => "etc".into(),
    }
}

/// The tree of a text and the errors of its grammar; no tree if it would take more than [`MEMORY`].
pub(super) fn read(text: &str, source: usize) -> (Option<Table>, Faults) {
    let raw = Source::new(text);
    let mut faults = Faults::new(text);
    let words = raw.lex().count();
    let room = MEMORY.checked_sub(words.saturating_mul(size_of::<toml_parser::lexer::Token>()));
    let Some(room) = room else { return (None, faults) };
    let mut tokens = Vec::with_capacity(words);
    tokens.extend(raw.lex());
    let mut builder = Builder::new(text, source, room);
    let mut checked = ValidateWhitespace::new(&mut builder, raw);
    let mut guard = RecursionGuard::new(&mut checked, DEEPEST);
    parse_document(&tokens, &mut guard, &mut faults);
    builder.finish_table();
    faults.append(builder.faults);
    let mut root = builder.root;
    root.settle();
    ((!builder.over).then_some(root), faults)
}

/// A key with its place.
type Key = (String, Place);

/// Header of a table.
struct Header {
    path: Vec<Key>,
    span: Span,
    /// `[[...]]`
    repeated: bool,
}

/// A list or an inline table that is not closed yet.
enum Open {
    List { start: usize, list: Vec<Node>, value: Option<Node> },
    Table { start: usize, table: Table, path: Vec<Key>, value: Option<Node> },
}

/// Receives the parts of a text in order.
struct Builder<'t> {
    text: &'t str,
    source: usize,
    /// bytes that the tree may still take
    room: usize,
    over: bool,
    /// nothing more is read after a dotted key with too many parts
    stopped: bool,
    faults: Faults,
    root: Table,
    current: Table,
    header: Option<Header>,
    /// keys of the header or of the line, as far as they are read
    path: Vec<Key>,
    /// whether a dot precedes
    dot: bool,
    open: Vec<Open>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, source: usize, room: usize) -> Self {
        Builder {
            text,
            source,
            room,
            over: false,
            stopped: false,
            faults: Faults::new(text),
            root: Table::default(),
            current: Table::default(),
            header: None,
            path: Vec::new(),
            dot: false,
            open: Vec::new(),
        }
    }

    fn place(&self, start: usize, end: usize) -> Place {
        Place { source: self.source, start, end }
    }

    fn twice(&mut self, at: Place) {
        self.faults.push("duplicate key".into(), Some(Span::new_unchecked(at.start, at.end)));
    }

    /// Counts memory; whether there is room for it.
    fn take(&mut self, bytes: usize) -> bool {
        self.over |= bytes > self.room;
        self.room = self.room.saturating_sub(bytes);
        !self.over && !self.stopped
    }

    /// A value that is complete.
    fn value(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(Open::List { value, .. } | Open::Table { value, .. }) => *value = Some(node),
            None => {
                let path = std::mem::take(&mut self.path);
                let mut table = std::mem::take(&mut self.current);
                self.insert(&mut table, path, node, false);
                self.current = table;
            }
        }
    }

    /// Puts a value under a path of keys; `inline` for a table in braces.
    fn insert(&mut self, table: &mut Table, mut path: Vec<Key>, value: Node, inline: bool) {
        let Some((key, place)) = path.pop() else { return };
        let dotted = !path.is_empty();
        let Some(parent) = self.descend(table, path, Some(inline)) else { return };
        let mixed = if inline { parent.dotted != dotted } else { dotted && !parent.implicit };
        if mixed || parent.find(&key).is_some() {
            return self.twice(place);
        }
        parent.add(Entry { key, place, value });
    }

    /// The table of a path, made where it is missing. `keys` says whether the path is that of a
    /// dotted key, and then whether it stands in a table in braces; without, it is a header's.
    fn descend<'n>(
        &mut self,
        mut table: &'n mut Table,
        path: Vec<Key>,
        keys: Option<bool>,
    ) -> Option<&'n mut Table> {
        let dotted = keys.is_some();
        for (key, place) in path {
            let at = match table.find(&key) {
                Some(at) => at,
                None => {
                    self.take(size_of::<Entry>());
                    let new = Table { implicit: true, dotted, ..Table::default() };
                    let value = Node { place, content: Content::Table(new) };
                    table.add(Entry { key, place, value })
                }
            };
            let content = &mut table.entries[at].value.content;
            let kind = content.kind();
            table = match content {
                Content::Table(next) if next.inline && keys != Some(true) => {
                    return self.closed(place, "inline table");
                }
                Content::Table(next) if dotted && !next.implicit => {
                    self.twice(place);
                    return None;
                }
                Content::Table(next) => {
                    next.dotted |= dotted;
                    next
                }
                Content::List(list) if keys != Some(true) => match list.last_mut() {
                    Some(Node { content: Content::Table(next), .. }) if !next.inline => next,
                    _ => return self.closed(place, kind),
                },
                _ => return self.closed(place, kind),
            };
        }
        Some(table)
    }

    fn closed<T>(&mut self, at: Place, kind: &str) -> Option<T> {
        let message = format!("cannot extend value of type {kind} with a dotted key");
        self.faults.push(message, Some(Span::new_unchecked(at.start, at.end)));
        None
    }

    /// Puts the table of the last header where it belongs.
    fn finish_table(&mut self) {
        let mut table = std::mem::take(&mut self.current);
        table.entries.shrink_to_fit();
        let Some(Header { mut path, span, repeated }) = self.header.take() else {
            self.root = table;
            return;
        };
        let Some((key, place)) = path.pop() else { return };
        let node =
            Node { place: self.place(span.start(), span.end()), content: Content::Table(table) };
        let mut root = std::mem::take(&mut self.root);
        if let Some(parent) = self.descend(&mut root, path, None) {
            match parent.find(&key).map(|at| &mut parent.entries[at]) {
                None if repeated => {
                    let value = Node { place: node.place, content: Content::List(vec![node]) };
                    parent.add(Entry { key, place, value });
                }
                None => {
                    parent.add(Entry { key, place, value: node });
                }
                Some(Entry { value: Node { content: Content::List(list), .. }, .. })
                    if repeated && list.last().is_some_and(Node::is_section) =>
                {
                    list.push(node);
                }
                Some(_) if repeated => self.twice(place),
                Some(entry) => *entry = Entry { key, place, value: node },
            }
        }
        self.root = root;
    }

    /// Begins the table of a header.
    fn start_table(&mut self, header: Header) {
        if let (false, Some((key, place))) = (header.repeated, header.path.last()) {
            let mut root = std::mem::take(&mut self.root);
            let path = header.path[..header.path.len() - 1].to_vec();
            if let Some(parent) = self.descend(&mut root, path, None)
                && let Some(at) = parent.find(key)
            {
                let value = &mut parent.entries[at].value.content;
                match std::mem::replace(value, Content::Date) {
                    Content::Table(table) => {
                        if !table.implicit || table.dotted {
                            self.twice(*place);
                        }
                        self.current = table;
                    }
                    _ => self.twice(*place),
                }
            }
            self.root = root;
        }
        self.current.implicit = false;
        self.current.dotted = false;
        self.header = Some(header);
    }

    fn open_header(&mut self, span: Span, repeated: bool) {
        self.open.clear();
        self.finish_table();
        self.path.clear();
        self.dot = false;
        self.header = Some(Header { path: Vec::new(), span, repeated });
    }

    fn close_header(&mut self, span: Span) {
        let Some(mut header) = self.header.take() else { return };
        header.path = std::mem::take(&mut self.path);
        header.span = header.span.append(span);
        if self.take(size_of::<Entry>()) {
            self.start_table(header);
        }
    }

    /// Adds what stands before a comma or the end of a list or of a table in braces.
    fn finish_value(&mut self) {
        match self.open.pop() {
            Some(Open::List { start, mut list, mut value }) => {
                list.extend(value.take());
                self.open.push(Open::List { start, list, value });
            }
            Some(Open::Table { start, mut table, mut path, mut value }) => {
                let path = std::mem::take(&mut path);
                if let Some(value) = value.take() {
                    self.insert(&mut table, path, value, true);
                }
                self.open.push(Open::Table { start, table, path: Vec::new(), value });
            }
            None => {}
        }
    }

    fn close(&mut self, span: Span, braces: bool) {
        if self.open.last().is_none_or(|open| matches!(open, Open::Table { .. }) != braces) {
            return;
        }
        self.finish_value();
        let (start, content) = match self.open.pop() {
            Some(Open::List { start, mut list, .. }) => {
                list.shrink_to_fit();
                (start, Content::List(list))
            }
            Some(Open::Table { start, mut table, .. }) => {
                table.entries.shrink_to_fit();
                table.settle();
                (start, Content::Table(table))
            }
            None => return,
        };
        let place = self.place(start, span.end());
        self.value(Node { place, content });
    }
}

impl EventReceiver for Builder<'_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        if self.take(0) {
            self.open_header(span, false);
        }
    }

    fn std_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.close_header(span);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        if self.take(0) {
            self.open_header(span, true);
        }
    }

    fn array_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.close_header(span);
    }

    fn inline_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        if self.take(size_of::<Node>()) {
            let table = Table { inline: true, ..Table::default() };
            self.open.push(Open::Table {
                start: span.start(),
                table,
                path: Vec::new(),
                value: None,
            });
        }
        true
    }

    fn inline_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.close(span, true);
    }

    fn array_open(&mut self, span: Span, _: &mut dyn ErrorSink) -> bool {
        if self.take(size_of::<Node>()) {
            self.open.push(Open::List { start: span.start(), list: Vec::new(), value: None });
        }
        true
    }

    fn array_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.close(span, false);
    }

    fn simple_key(&mut self, span: Span, kind: Option<Encoding>, _: &mut dyn ErrorSink) {
        if !self.take(KEY + span.len()) {
            return;
        }
        let raw = Raw::new_unchecked(&self.text[span.start()..span.end()], kind, span);
        let mut key = String::new();
        raw.decode_key(&mut key, &mut self.faults);
        let key = (key, self.place(span.start(), span.end()));
        if matches!(self.open.last(), Some(Open::List { .. })) {
            // the list is not closed: the key begins a line
            self.open.clear();
        }
        let path = match self.open.last_mut() {
            Some(Open::Table { path, .. }) => path,
            _ => &mut self.path,
        };
        if !std::mem::take(&mut self.dot) {
            path.clear();
        }
        path.push(key);
        if path.len() > DEEPEST as usize {
            self.faults.push("recursion limit".into(), None);
            self.stopped = true;
        }
    }

    fn key_sep(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.dot = true;
    }

    fn scalar(&mut self, span: Span, kind: Option<Encoding>, _: &mut dyn ErrorSink) {
        // only texts keep their letters
        let quoted = if kind.is_some() { span.len() } else { 0 };
        if !self.take(size_of::<Node>() + quoted) {
            return;
        }
        let raw = Raw::new_unchecked(&self.text[span.start()..span.end()], kind, span);
        let mut decoded = std::borrow::Cow::Borrowed("");
        let content = match raw.decode_scalar(&mut decoded, &mut self.faults) {
            ScalarKind::String => Content::Text(decoded.into_owned()),
            ScalarKind::Boolean(flag) => Content::Flag(flag),
            ScalarKind::DateTime => {
                if let Err(error) = decoded.parse::<toml::value::Datetime>() {
                    self.faults.push(error.to_string(), Some(span));
                }
                Content::Date
            }
            ScalarKind::Float => float(&decoded),
            ScalarKind::Integer(radix) => match i64::from_str_radix(&decoded, radix.value()) {
                Ok(n) => Content::Integer(n),
                Err(_) => Content::Unusable(NumberFault::IntegerTooLarge),
            },
        };
        let place = self.place(span.start(), span.end());
        self.value(Node { place, content });
    }

    fn value_sep(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.finish_value();
    }
}
