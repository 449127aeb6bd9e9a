//! Walks a scene's tree along the tables of [`super::keys`] and collects all faults. Plain values
//! are read here, structured ones in `parts`.

mod parts;

use super::diagnostics::{Diagnostic, Diagnostics, listed, nearest, quoted};
use super::homes::{Home, homes};
use super::keys::{Choices, Form, Section, TableKeys, TableRow, Tag};
use super::place::{Choice, Place, Places};
use super::record::{Record, Resolved};
use super::sections::{ROOT, SECTIONS};
use super::tree::{Content, Entry, Node, Table};
use super::values::{self, unknown_name};
use stiction_core::impulses::penalty;
use stiction_core::registry::{Fallback, Key, Kind, Range, Value, Values};

/// Reads tables and collects their faults.
pub struct Reader<'d> {
    diagnostics: &'d mut Diagnostics,
    homes: Vec<Home>,
    /// Whether the table being read is unused: required numbers may then be missing.
    idle: bool,
    /// Known keys close to unknown keys of the current table: they are misspelt, not missing.
    meant: Vec<&'static str>,
    /// Number of tables of sections so far.
    tables: usize,
    /// Whether there are more than `MOST_TABLES` of them; the scene is then incomplete.
    pub over: bool,
}

/// Largest number of bodies, colliders, materials and so on in all.
const MOST_TABLES: usize = 120_000;

/// Place of a table: in words, and in the text.
#[derive(Clone, Copy)]
struct At<'a> {
    words: &'a str,
    place: Place,
}

impl<'d> Reader<'d> {
    /// A reader that reports to `diagnostics`.
    pub fn new(diagnostics: &'d mut Diagnostics) -> Self {
        Reader {
            diagnostics,
            homes: homes(),
            idle: false,
            meant: Vec::new(),
            tables: 0,
            over: false,
        }
    }

    /// Reads a whole scene.
    pub fn scene(&mut self, tree: &Table) -> Resolved {
        let place = Place::default();
        let top = At { words: "the top of the file", place };
        let mut meant = Vec::new();
        for entry in &tree.entries {
            let name = entry.key.as_str();
            let key = ROOT.keys.iter().any(|key| key.name == name);
            if !key && !SECTIONS.iter().any(|section| section.name == name) {
                let known = SECTIONS.iter().map(|s| s.name).chain(ROOT.keys.iter().map(|k| k.name));
                let near = self.stranger(entry, &known.collect::<Vec<_>>(), ROOT.later, top.words);
                meant.extend(near);
            }
        }
        let mut root = Record::empty(&ROOT, place);
        root.meant = meant;
        self.format(tree);
        self.plain_values(tree, &ROOT.keys[1..], top, &mut root.values, &mut root.places);
        root.values.0.insert("format", Value::Integer(super::keys::FORMAT));
        let mut sections = Vec::with_capacity(SECTIONS.len());
        for section in SECTIONS {
            let misspelt = root.meant.contains(&section.name) && tree.get(section.name).is_none();
            let items = if misspelt { Vec::new() } else { self.section(tree, section) };
            sections.push((section, items));
        }
        Resolved { root, sections }
    }

    fn format(&mut self, tree: &Table) {
        let supported = format!("this version reads format {}", super::keys::FORMAT);
        let diagnostic = match tree.get("format") {
            Some(Entry {
                value: Node { content: Content::Integer(super::keys::FORMAT), .. },
                ..
            }) => {
                return;
            }
            Some(entry) => {
                let message = format!(
                    "`format` must be the number 1, got {}; {supported}",
                    entry.value.describe()
                );
                Diagnostic::error("E206", entry.value.place, message)
            }
            None => {
                let message =
                    format!("missing key `format`: the version of the scene language; {supported}");
                Diagnostic::error("E206", Place::default(), message)
            }
        };
        self.diagnostics.push(diagnostic.help("write format = 1 in the first line"));
    }

    fn section(&mut self, tree: &Table, section: &'static Section) -> Vec<Record> {
        let entry = tree.get(section.name);
        match section.form {
            Form::Single => self.single(tree, section, entry),
            Form::Repeated => entry.map_or(Vec::new(), |entry| self.repeated(section, entry)),
            Form::Named => entry.map_or(Vec::new(), |entry| self.named(section, entry)),
        }
    }

    fn single(
        &mut self,
        tree: &Table,
        section: &'static Section,
        entry: Option<&Entry>,
    ) -> Vec<Record> {
        let nothing = Table::default();
        let (table, place) = match entry {
            None => (&nothing, Place::default()),
            Some(entry) => match entry.value.table() {
                Some(table) => (table, entry.value.place),
                None => {
                    self.not_a_table(section, &entry.value);
                    return Vec::new();
                }
            },
        };
        let header = section.header();
        // a scene without colliders, or with contacts by impulses, needs no contact forces
        let method = table.get("method").and_then(|entry| entry.value.text());
        let jumps = method.is_some_and(|name| name != penalty::ENTRY.name);
        self.idle = section.name == "contact" && (jumps || tree.get("collider").is_none());
        let record = self.table(table, section.table, At { words: &header, place });
        self.idle = false;
        vec![record]
    }

    fn repeated(&mut self, section: &'static Section, entry: &Entry) -> Vec<Record> {
        let Content::List(list) = &entry.value.content else {
            self.not_a_table(section, &entry.value);
            return Vec::new();
        };
        let mut items = Vec::new();
        if !self.has_room(section, list.len(), entry.value.place) {
            return items;
        }
        for (number, node) in list.iter().enumerate() {
            let Some(table) = node.table() else {
                self.not_a_table(section, node);
                continue;
            };
            let name = table.get("name").and_then(|entry| entry.value.text());
            let words = match name {
                Some(name) if !name.is_empty() => format!("{} {}", section.header(), quoted(name)),
                _ => format!("{} number {number}", section.header()),
            };
            let record = self.table(table, section.table, At { words: &words, place: node.place });
            items.push(record);
        }
        items
    }

    fn named(&mut self, section: &'static Section, entry: &Entry) -> Vec<Record> {
        let Some(all) = entry.value.table() else {
            self.not_a_table(section, &entry.value);
            return Vec::new();
        };
        let mut items = Vec::new();
        if !self.has_room(section, all.entries.len(), entry.value.place) {
            return items;
        }
        for entry in &all.entries {
            let Some(table) = entry.value.table() else {
                self.not_a_table(section, &entry.value);
                continue;
            };
            self.check_name(&entry.key, entry.place, section.name);
            let words = format!("[{}.{}]", section.name, quoted(&entry.key).trim_matches('`'));
            let place = entry.value.place;
            let record = self.table(table, section.table, At { words: &words, place });
            items.push(Record { name: entry.key.clone(), ..record });
        }
        items
    }

    /// Counts tables; reports that there are too many.
    fn has_room(&mut self, section: &Section, number: usize, place: Place) -> bool {
        self.tables += number;
        if self.tables > MOST_TABLES && !self.over {
            self.over = true;
            let message = format!(
                "over the limit: with {number} {} there are {} tables, at most {MOST_TABLES} are read",
                section.header(),
                self.tables
            );
            let help = "put particles that belong together into one body, by `points`, a lattice or a mesh";
            self.diagnostics.push(Diagnostic::error("E106", place, message).help(help));
        }
        !self.over
    }

    fn not_a_table(&mut self, section: &Section, node: &Node) {
        let header = section.header();
        let message = format!("expected the table {header}, got {}", node.describe());
        let help = match section.form {
            Form::Single => format!("write {header} with single brackets, once"),
            Form::Repeated => format!("write {header} with double brackets, once for each"),
            Form::Named => format!("write {header} with a name in place of NAME"),
        };
        self.diagnostics.push(Diagnostic::error("E204", node.place, message).help(help));
    }

    /// Refuses names that are empty or contain invisible characters.
    pub(crate) fn check_name(&mut self, name: &str, place: Place, of: &str) {
        if let Some(diagnostic) = name_fault(name, place, of) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn table(&mut self, table: &Table, keys: &'static TableKeys, at: At<'_>) -> Record {
        let mut record = Record::empty(keys, at.place);
        let row = keys.tag.and_then(|tag| self.tag(table, tag, at));
        record.meant = self.strangers(table, keys, row, at);
        self.meant = record.meant.clone();
        self.plain_values(table, keys.keys, at, &mut record.values, &mut record.places);
        if let (Some(tag), Some(row)) = (keys.tag, row) {
            let given = table.get(tag.key).is_some();
            record.choice = Some(Choice { given, ..self.choice(table, tag.rows, row, at) });
        }
        for part in keys.parts {
            if let Some(entry) = table.get(part.name) {
                record.places.insert(part.name, entry.value.place);
            }
            self.meant = record.meant.clone();
            if let Some(piece) = self.part(table, part, at) {
                record.parts.insert(part.name, piece);
            }
        }
        self.meant.clear();
        record
    }

    fn strangers(
        &mut self,
        table: &Table,
        keys: &'static TableKeys,
        row: Option<TableRow>,
        at: At<'_>,
    ) -> Vec<&'static str> {
        let mut known: Vec<&'static str> = keys.keys.iter().map(|key| key.name).collect();
        known.extend(keys.parts.iter().map(|part| part.name));
        if let Some(tag) = keys.tag {
            known.push(tag.key);
            match row {
                Some(row) => known.extend(row.keys.iter().map(|key| key.name)),
                // the row is unknown: keys of all rows are possible
                None => known.extend((tag.rows.list)().iter().flat_map(|r| r.keys).map(|k| k.name)),
            }
        }
        let mut meant = Vec::new();
        for entry in &table.entries {
            if !known.contains(&entry.key.as_str()) {
                meant.extend(self.stranger(entry, &known, keys.later, at.words));
            }
        }
        meant
    }

    /// Reports a key that does not belong here; returns the known key closest to it, if one is
    /// close.
    fn stranger(
        &mut self,
        entry: &Entry,
        known: &[&'static str],
        later: &[&str],
        at: &str,
    ) -> Option<&'static str> {
        if self.diagnostics.full() {
            self.diagnostics.count_more(1);
            return None;
        }
        let name = entry.key.as_str();
        let shown = quoted(name);
        if later.contains(&name) {
            let message = format!("{shown} in {at} is not available in this version");
            let help = "remove it; a later version will know it";
            self.diagnostics.push(Diagnostic::error("E205", entry.place, message).help(help));
            return None;
        }
        let mut tables: Vec<&str> =
            self.homes.iter().filter(|h| h.key == name).map(|h| h.table.as_str()).collect();
        tables.dedup();
        // tables of the same header first
        let header = at.split(' ').next().unwrap_or("");
        tables.sort_by_key(|table| !table.starts_with(header));
        if !tables.is_empty() {
            let more = if tables.len() > 4 { ", ..." } else { "" };
            tables.truncate(4);
            let places = tables.join(", or in ");
            let message = format!("{shown} does not belong in {at}");
            let here = match known {
                [] => String::new(),
                known => format!("; known here: {}", listed(known)),
            };
            let help = format!("{shown} belongs in {places}{more}{here}");
            self.diagnostics.push(Diagnostic::error("E202", entry.place, message).help(help));
            return None;
        }
        let mut message = format!("unknown key {shown} in {at}");
        if let Some(odd) = name.chars().find(|c| !c.is_ascii()) {
            message.push_str(&format!("; it contains U+{:04X}, which is not ASCII", odd as u32));
        }
        let near = nearest(name, known.iter().copied());
        let help = match near {
            Some(near) => format!("did you mean {}?", quoted(near)),
            None if known.is_empty() => "this table has no keys".into(),
            None => format!("known here: {}", listed(known)),
        };
        self.diagnostics.push(Diagnostic::error("E201", entry.place, message).help(help));
        near.and_then(|near| known.iter().copied().find(|known| *known == near))
    }

    fn plain_values(
        &mut self,
        table: &Table,
        keys: &'static [Key],
        at: At<'_>,
        values: &mut Values,
        places: &mut Places,
    ) -> bool {
        let mut complete = true;
        for key in keys {
            let value = match table.get(key.name) {
                Some(entry) => {
                    places.insert(key.name, entry.value.place);
                    let value = values::value(&entry.value, key, at.words);
                    complete &= value.is_ok();
                    value.map_err(|fault| self.refuse(*fault, key)).ok()
                }
                None => {
                    let fallback = self.fallback(key, at);
                    complete &= fallback.is_some() || matches!(key.default, Fallback::Optional(_));
                    fallback
                }
            };
            if let Some(value) = value {
                values.0.insert(key.name, value);
            }
        }
        complete
    }

    /// Reports a value that is refused; where no help is given, with the purpose of its key.
    fn refuse(&mut self, mut diagnostic: Diagnostic, key: &Key) {
        if diagnostic.help.is_empty() {
            diagnostic.help = format!("{}: {}", quoted(key.name), values::purpose(key));
        }
        self.diagnostics.push(diagnostic);
    }

    fn fallback(&mut self, key: &Key, at: At<'_>) -> Option<Value> {
        if !matches!(key.default, Fallback::Required) {
            return key.default.value();
        }
        if self.idle
            && let Kind::Number { range, .. } = key.kind
        {
            return Some(Value::Number(match range {
                Range::Between(low, _) => low,
                _ => 1.0,
            }));
        }
        self.missing(key.name, &key.kind.expected(), key.about, at);
        None
    }

    fn missing(&mut self, name: &str, what: &str, about: &str, at: At<'_>) {
        if self.meant.contains(&name) {
            return;
        }
        let message = format!("missing key {} in {}: {what}", quoted(name), at.words);
        let help = format!("add {name} = ... ({about})");
        self.diagnostics.push(Diagnostic::error("E203", at.place, message).help(help));
    }

    fn tag(&mut self, table: &Table, tag: Tag, at: At<'_>) -> Option<TableRow> {
        match table.get(tag.key) {
            Some(entry) => {
                let of = format!("{} in {}", quoted(tag.key), at.words);
                self.row(&entry.value, tag.rows, &of)
            }
            None => match tag.default {
                Some(default) => tag.rows.find(default),
                None => {
                    let what =
                        format!("the name of an {}: {}", tag.rows.what, listed(&tag.rows.names()));
                    self.missing(tag.key, &what, tag.about, at);
                    None
                }
            },
        }
    }

    fn row(&mut self, node: &Node, rows: &Choices, of: &str) -> Option<TableRow> {
        let name = match values::text(node, of) {
            Ok(name) => name,
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                return None;
            }
        };
        let row = rows.find(name);
        if row.is_none() {
            self.diagnostics.push(*unknown_name(node.place, name, rows.what, &rows.names()));
        }
        row
    }

    /// The parameters of a row; reports them if the row cannot be made from them.
    fn choice(&mut self, table: &Table, rows: &Choices, row: TableRow, at: At<'_>) -> Choice {
        let mut choice = Choice { name: row.name, place: at.place, ..Choice::default() };
        let complete =
            self.plain_values(table, row.keys, at, &mut choice.values, &mut choice.places);
        if complete && let Err(problem) = (rows.check)(row.name, &choice.values) {
            let place = choice.place_of(problem.key);
            let message = format!("{} in {}", problem.message, at.words);
            self.diagnostics.push(Diagnostic::error("E311", place, message).help(problem.help));
        }
        choice
    }
}

/// The fault of a name, if it has one.
pub(crate) fn name_fault(name: &str, place: Place, of: &str) -> Option<Diagnostic> {
    if name.trim().is_empty() {
        let message = format!("the name in {of} is empty");
        return Some(Diagnostic::error("E305", place, message).help("give it a name"));
    }
    let odd = name.chars().find(|&c| super::diagnostics::unprintable(c))?;
    let message = format!(
        "the name {} in {of} contains U+{:04X}, which cannot be printed or seen",
        quoted(name),
        odd as u32
    );
    Some(Diagnostic::error("E305", place, message).help("use letters, digits, `-` and `_`"))
}
