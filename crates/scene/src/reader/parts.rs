//! Keys with structured values: nested tables, one kind of several, selections, moments.

use super::{At, Reader};
use crate::diagnostic::Diagnostic;
use crate::keys::{Absent, Choices, KeyPart, PartContent};
use crate::place::{Choice, Moment};
use crate::record::Piece;
use crate::sections::{SELECTION, selection};
use crate::tree::{Content, Node, Table};
use crate::values::{self, unknown_name};
use stiction_core::registry::Range;
use stiction_core::registry::words::{listed, quoted};
use stiction_core::world::Selection;

impl Reader<'_> {
    pub(super) fn part(
        &mut self,
        table: &Table,
        part: &'static KeyPart,
        at: At<'_>,
    ) -> Option<Piece> {
        let words = format!("{} {}", at.words, part.name);
        let Some(entry) = table.get(part.name) else {
            return self.absent_part(part, At { words: &words, place: at.place }, at);
        };
        let node = &entry.value;
        let inner = At { words: &words, place: node.place };
        match part.content {
            PartContent::Table(keys) => {
                let table = self.expect_table(node, &words, "{ key = value, ... }")?;
                Some(Piece::Table(Box::new(self.table(table, keys, inner))))
            }
            PartContent::Variant(rows) => {
                self.variant(node, rows, inner).map(Box::new).map(Piece::Variant)
            }
            PartContent::Name(rows, _) => {
                let row =
                    self.row(node, rows, &format!("{} in {}", quoted(part.name), at.words))?;
                Some(Piece::Name(row.name, node.place))
            }
            PartContent::Selection => {
                self.selection(node, inner).map(Box::new).map(Piece::Selection)
            }
            PartContent::Moment => self.moment(node, inner).map(Piece::Moment),
            PartContent::TwoNames => self.two_names(node, inner),
        }
    }

    fn absent_part(
        &mut self,
        part: &'static KeyPart,
        inner: At<'_>,
        outer: At<'_>,
    ) -> Option<Piece> {
        match (part.absent, part.content) {
            (Absent::Nothing(_), _) => None,
            (Absent::Empty, PartContent::Table(keys)) => {
                Some(Piece::Table(Box::new(self.table(&Table::default(), keys, inner))))
            }
            (_, PartContent::Name(rows, Some(default))) => {
                rows.find(default).map(|row| Piece::Name(row.name, inner.place))
            }
            (Absent::Empty, _) => None,
            (Absent::Required, content) => {
                let what = match content {
                    PartContent::Variant(rows) => {
                        format!("{{ KIND = {{ ... }} }} with one of {}", listed(&rows.names()))
                    }
                    PartContent::Name(rows, _) => {
                        format!("the name of a {}: {}", rows.what, listed(&rows.names()))
                    }
                    PartContent::TwoNames => "a list of two names of materials".into(),
                    _ => "a table".into(),
                };
                self.missing(part.name, &what, part.about, outer);
                None
            }
        }
    }

    fn expect_table<'n>(&mut self, node: &'n Node, of: &str, form: &str) -> Option<&'n Table> {
        let table = node.table();
        if table.is_none() {
            let message = format!("{of} must be a table {form}, got {}", node.describe());
            self.diagnostics.push(Diagnostic::error("E204", node.place, message));
        }
        table
    }

    fn variant(&mut self, node: &Node, rows: &'static Choices, at: At<'_>) -> Option<Choice> {
        let form = "{ KIND = { ... } }";
        let table = self.expect_table(node, at.words, form)?;
        if table.entries.len() > 1
            && table.entries.iter().filter(|e| rows.find(&e.key).is_some()).count() > 1
        {
            let names: Vec<&str> = table.entries.iter().map(|e| e.key.as_str()).collect();
            let message = format!("{} takes one kind, got {}", at.words, listed(&names));
            let help = "keep one of them";
            let place = table.entries[1].place;
            self.diagnostics.push(Diagnostic::error("E310", place, message).help(help));
            return None;
        }
        let mut found = None;
        for entry in &table.entries {
            match rows.find(&entry.key) {
                Some(row) => found = Some((row, entry)),
                None if self
                    .homes
                    .iter()
                    .any(|home| home.key == entry.key && !home.table.starts_with(at.words))
                    || self.diagnostics.full() =>
                {
                    self.stranger(entry, &rows.names(), &[], at.words);
                }
                None => self.diagnostics.push(*unknown_name(
                    entry.place,
                    &entry.key,
                    rows.what,
                    &rows.names(),
                )),
            }
        }
        if table.entries.is_empty() {
            let message = format!(
                "{} is empty; it takes {form} with one of {}",
                at.words,
                listed(&rows.names())
            );
            self.diagnostics.push(Diagnostic::error("E203", node.place, message));
        }
        let (row, entry) = found?;
        let words = format!("{} = {{ {} = {{ ... }} }}", at.words, row.name);
        let inner = self.expect_table(&entry.value, &words, "{ key = value, ... }")?;
        let at = At { words: &words, place: entry.value.place };
        let mut meant = Vec::new();
        for entry in &inner.entries {
            if !row.keys.iter().any(|key| key.name == entry.key) {
                let known: Vec<&'static str> = row.keys.iter().map(|key| key.name).collect();
                meant.extend(self.stranger(entry, &known, &[], at.words));
            }
        }
        self.meant = meant;
        Some(self.choice(inner, rows, row, at))
    }

    fn selection(&mut self, node: &Node, at: At<'_>) -> Option<Selection> {
        if node.text() == Some("all") {
            return Some(Selection::All);
        }
        let form = "{ particles = [...] }, { box = { min, max } }, { nearest = [x, y, z] } or the word \"all\"";
        let table = self.expect_table(node, at.words, form)?;
        let record = self.table(table, &SELECTION, at);
        if table.entries.len() != 1 {
            let message = format!(
                "{} takes exactly one way to choose, got {}",
                at.words,
                table.entries.len()
            );
            let help = format!("write {form}");
            self.diagnostics.push(Diagnostic::error("E310", node.place, message).help(help));
            return None;
        }
        let chosen = selection(&record);
        if let (Selection::Box { min, max }, Some(corners)) = (&chosen, record.table("box"))
            && (0..3).any(|axis| min[axis] > max[axis])
        {
            let message = format!("{}: `min` must not exceed `max` in any coordinate", at.words);
            self.diagnostics.push(Diagnostic::error("E301", corners.place, message));
        }
        if record.values.0.contains_key("all") && !record.flag("all") {
            let message = format!("{}: `all = false` chooses nothing", at.words);
            self.diagnostics.push(Diagnostic::error("E301", node.place, message));
        }
        Some(chosen)
    }

    fn moment(&mut self, node: &Node, at: At<'_>) -> Option<Moment> {
        match node.text() {
            Some("end") => return Some(Moment::End),
            Some("max") => return Some(Moment::Maximum),
            Some("min") => return Some(Moment::Minimum),
            Some(other) => {
                let words = ["end", "max", "min"];
                self.diagnostics.push(*unknown_name(node.place, other, "moment", &words));
                return None;
            }
            None => {}
        }
        match values::number(node, at.words, "s", Range::NonNegative) {
            Ok(time) => Some(Moment::Time(time)),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                None
            }
        }
    }

    fn two_names(&mut self, node: &Node, at: At<'_>) -> Option<Piece> {
        if let Content::List(list) = &node.content
            && let [a, b] = list.as_slice()
            && let (Some(first), Some(second)) = (a.text(), b.text())
        {
            let two = [(first.into(), a.place), (second.into(), b.place)];
            return Some(Piece::TwoNames(Box::new(two)));
        }
        let message = format!("{} must be a list of two names, got {}", at.words, node.describe());
        self.diagnostics.push(Diagnostic::error("E204", node.place, message));
        None
    }
}
