//! `--set key=value`: changes of a scene's tree before it is read.

use super::diagnostics::{Diagnostic, Diagnostics, listed, nearest, quoted};
use super::keys::{Form, PartContent, Tag};
use super::paths::takes;
use super::place::{Place, Source};
use super::sections::SECTIONS;
use super::tree::{self, Content, Entry, Node, Table};
use super::values::numeral;

/// Largest number of parts in the path of a `--set`.
const DEPTH: usize = 16;

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// Applies all `--set` texts in order; each becomes a source of its own.
///
/// When one of them chooses another row (`integrator.method`, `contact.friction.law`,
/// `contact.normal.law`), those keys of the former row in the file that the new row does not have
/// are dropped, so that one scene can be compared under several methods.
pub fn apply(
    tree: &mut Table,
    set: &[String],
    sources: &mut Vec<Source>,
    parents: &mut Vec<Option<Place>>,
    diagnostics: &mut Diagnostics,
) {
    let first = sources.len();
    for text in set {
        let source = sources.len();
        sources.push(Source { name: "--set".into(), text: text.clone() });
        parents.push(None);
        if let Err(diagnostic) = one(tree, text, source) {
            diagnostics.push(*diagnostic);
        }
    }
    for section in SECTIONS {
        let Some(node) = tree.get_mut(section.name) else { continue };
        let Content::Table(table) = &mut node.content else { continue };
        if let Some(tag) = section.table.tag {
            forget(table, tag, first);
        }
        for part in section.table.parts {
            if let PartContent::Table(keys) = part.content
                && let Some(tag) = keys.tag
                && let Some(Node { content: Content::Table(inner), .. }) = table.get_mut(part.name)
            {
                forget(inner, tag, first);
            }
        }
    }
}

/// The tree of the `--set` texts alone, without the keys of the file.
pub fn alone(set: &[String]) -> Table {
    let mut tree = Table::default();
    for text in set {
        // a text at fault sets nothing
        let _ = one(&mut tree, text, 0);
    }
    tree
}

/// The files that a `--set` text names: the texts of its keys `path`, at any depth.
pub fn files(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let Some(equals) = equals_sign(text) else { return found };
    // a text at fault sets nothing
    if let (Ok(path), Ok(value)) =
        (split_path(&text[..equals], 0), read_value(&text[equals + 1..], 0, equals + 1))
        && let Some(last) = path.last()
    {
        add_files(&last.name, value, &mut found);
    }
    found
}

/// Adds the files that the value of a key names.
fn add_files(key: &str, value: Node, found: &mut Vec<String>) {
    match value.content {
        Content::Text(text) if key == "path" => found.push(text),
        Content::List(list) => list.into_iter().for_each(|item| add_files(key, item, found)),
        Content::Table(table) => {
            table.entries.into_iter().for_each(|entry| add_files(&entry.key, entry.value, found));
        }
        _ => {}
    }
}

/// Drops what the file says for another row than the one chosen by `--set`.
fn forget(table: &mut Table, tag: Tag, first_set: usize) {
    let Some(entry) = table.get(tag.key) else { return };
    if entry.place.source < first_set {
        return;
    }
    let Some(row) = entry.value.text().and_then(|name| tag.rows.find(name)) else { return };
    let rows = (tag.rows.list)();
    let knows =
        |keys: &[stiction_core::registry::Key], name: &str| keys.iter().any(|k| k.name == name);
    table.entries.retain(|entry| {
        entry.place.source >= first_set
            || knows(row.keys, &entry.key)
            || !rows.iter().any(|other| knows(other.keys, &entry.key))
    });
}

fn one(tree: &mut Table, text: &str, source: usize) -> Fallible<()> {
    let whole = Place { source, start: 0, end: text.len() };
    let Some(equals) = equals_sign(text) else {
        let message = format!("--set takes KEY=VALUE, got {}", quoted(text));
        let help = match split_path(text, source) {
            Ok(path) => takes(&names_of(&path)),
            Err(_) => "for example --set time.step=1e-4".into(),
        };
        return Err(Box::new(Diagnostic::error("E109", whole, message).help(help)));
    };
    let path = split_path(&text[..equals], source)?;
    let value = read_value(&text[equals + 1..], source, equals + 1).map_err(|mut fault| {
        let takes = takes(&names_of(&path));
        fault.help = match fault.help.as_str() {
            "" => takes,
            help => format!("{help}; {takes}"),
        };
        fault
    })?;
    check_elements(tree, &path)?;
    insert(tree, &path, value).map_err(|mut fault| {
        if fault.help.is_empty() {
            fault.help = takes(&names_of(&path));
        }
        fault
    })
}

fn names_of(path: &[Step]) -> Vec<&str> {
    path.iter().map(|step| step.name.as_str()).collect()
}

/// Refuses elements of missing repeated tables: `--set` changes elements and does not create them.
fn check_elements(tree: &Table, path: &[Step]) -> Fallible<()> {
    let [first, which, ..] = path else { return Ok(()) };
    let repeated = SECTIONS.iter().any(|s| s.name == first.name && s.form == Form::Repeated);
    if !repeated || tree.get(&first.name).is_some() {
        return Ok(());
    }
    let message = format!(
        "there is no {} called {}: the scene has no [[{}]]",
        quoted(&first.name),
        quoted(&which.name),
        first.name
    );
    let help = "--set changes what a scene has; add it to the file";
    Err(Box::new(Diagnostic::error("E109", which.place, message).help(help)))
}

/// The first `=` outside quotation marks.
fn equals_sign(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(at, c)| match (c, quote) {
        ('"' | '\'', None) => {
            quote = Some(c);
            None
        }
        (c, Some(mark)) if c == mark => {
            quote = None;
            None
        }
        ('=', None) => Some(at),
        _ => None,
    })
}

/// One part of a path, with its place.
struct Step {
    name: String,
    place: Place,
}

fn split_path(path: &str, source: usize) -> Fallible<Vec<Step>> {
    let mut steps = Vec::new();
    let (mut quote, mut start, mut name) = (None, 0, String::new());
    for (at, c) in path.char_indices().chain([(path.len(), '.')]) {
        match (c, quote) {
            (c, Some(mark)) if c == mark => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            ('.', None) => {
                let place = Place { source, start, end: at };
                steps.push(Step { name: std::mem::take(&mut name).trim().to_string(), place });
                start = at + 1;
            }
            (c, _) => name.push(c),
        }
    }
    let place = Place { source, start: 0, end: path.len() };
    let fault = |message: String| Err(Box::new(Diagnostic::error("E109", place, message)));
    if steps.iter().any(|step| step.name.is_empty()) || quote.is_some() {
        return fault(format!("{} is not a path of keys joined by dots", quoted(path)));
    }
    if steps.len() > DEPTH {
        return fault(format!(
            "the path has {} parts; no key lies deeper than {DEPTH}",
            steps.len()
        ));
    }
    Ok(steps)
}

/// A TOML value, or a bare word as text.
fn read_value(text: &str, source: usize, start: usize) -> Fallible<Node> {
    let shift = start + (text.len() - text.trim_start().len());
    let text = text.trim();
    let place = Place { source, start: shift, end: shift + text.len() };
    let bare = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    match tree::parse_value(text, source, shift) {
        Ok(node) if !matches!(node.content, Content::Date) => Ok(node),
        _ if !text.is_empty()
            && text.chars().all(bare)
            && text.chars().any(char::is_alphabetic) =>
        {
            Ok(Node { place, content: Content::Text(text.to_string()) })
        }
        Ok(node) => Ok(node),
        Err(_) if text.is_empty() => {
            let message = "--set has no value after `=`";
            Err(Box::new(Diagnostic::error("E109", place, message).help("write KEY=VALUE")))
        }
        Err(diagnostic) => {
            let quotes = || "put texts with spaces or symbols in quotation marks".to_string();
            // the unit of the key follows the help
            let help = numeral(text, "its unit").unwrap_or_else(quotes);
            Err(Box::new(diagnostic.help(help)))
        }
    }
}

fn insert(table: &mut Table, path: &[Step], value: Node) -> Fallible<()> {
    let Some((step, rest)) = path.split_first() else { return Ok(()) };
    let at = table.entries.iter().position(|entry| entry.key == step.name);
    if rest.is_empty() {
        let entry = Entry { key: step.name.clone(), place: step.place, value };
        match at {
            Some(at) => table.entries[at] = entry,
            None => table.entries.push(entry),
        }
        return Ok(());
    }
    let at = at.unwrap_or_else(|| {
        let content = Content::Table(Table::default());
        let value = Node { place: step.place, content };
        table.entries.push(Entry { key: step.name.clone(), place: step.place, value });
        table.entries.len() - 1
    });
    descend(&mut table.entries[at].value, step, rest, value)
}

fn descend(node: &mut Node, step: &Step, rest: &[Step], value: Node) -> Fallible<()> {
    match &mut node.content {
        Content::Table(table) => insert(table, rest, value),
        Content::List(list) => {
            let target = element(list, step, &rest[0])?;
            if rest.len() == 1 {
                *target = value;
                return Ok(());
            }
            descend(target, &rest[0], &rest[1..], value)
        }
        _ => {
            let message = format!(
                "{} is {}, in which nothing can be set",
                quoted(&step.name),
                node.describe()
            );
            Err(Box::new(Diagnostic::error("E109", step.place, message)))
        }
    }
}

/// The element of a list, by name or number.
fn element<'l>(list: &'l mut [Node], of: &Step, which: &Step) -> Fallible<&'l mut Node> {
    let name_of = |node: &Node| -> Option<String> {
        Some(node.table()?.get("name")?.value.text()?.to_string())
    };
    let names: Vec<String> = list.iter().filter_map(name_of).collect();
    let by_name = list.iter().position(|n| name_of(n).as_deref() == Some(which.name.as_str()));
    let by_number = || which.name.parse::<usize>().ok().filter(|&n| n < list.len());
    match by_name.or_else(by_number) {
        Some(at) => Ok(&mut list[at]),
        None => {
            let message =
                format!("there is no {} called {}", quoted(&of.name), quoted(&which.name));
            let near = nearest(&which.name, names.iter().map(String::as_str));
            let near =
                near.map_or(String::new(), |near| format!("did you mean {}? ", quoted(near)));
            let help = format!("{near}known: {}, or a number below {}", listed(&names), list.len());
            Err(Box::new(Diagnostic::error("E109", which.place, message).help(help)))
        }
    }
}
