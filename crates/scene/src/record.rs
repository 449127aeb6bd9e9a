//! A scene after types, ranges and defaults, still structured as its tables: printed by `check
//! --show` and decoded into a [`super::Scene`].

use super::keys::{Section, TableKeys};
use super::place::{Choice, Moment, Place, Places};
use std::collections::BTreeMap;
use stiction_core::math::Vector;
use stiction_core::registry::{Value, Values};
use stiction_core::world::Selection;

/// A table with its values checked and its defaults filled in.
#[derive(Debug, Clone)]
pub struct Record {
    /// NAME of `[name.NAME]`; empty for other tables.
    pub name: String,
    /// Keys allowed in it.
    pub keys: &'static TableKeys,
    /// Its place in the text.
    pub place: Place,
    /// Plain values.
    pub values: Values,
    /// Place of each given value.
    pub places: Places,
    /// The row chosen by the table's tag.
    pub choice: Option<Choice>,
    /// Structured values.
    pub parts: BTreeMap<&'static str, Piece>,
    /// Known keys close to unknown keys of the table; they do not count as missing.
    pub meant: Vec<&'static str>,
}

/// A structured value.
#[derive(Debug, Clone)]
pub enum Piece {
    /// A table.
    Table(Box<Record>),
    /// One kind with its parameters.
    Variant(Box<Choice>),
    /// The name of a row.
    Name(&'static str, Place),
    /// A set of particles.
    Selection(Box<Selection>),
    /// A time.
    Moment(Moment),
    /// Two names.
    TwoNames(Box<[(String, Place); 2]>),
}

/// All tables of a scene.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The keys at the top of the file.
    pub root: Record,
    /// Every section with its tables, in the order of the reference.
    pub sections: Vec<(&'static Section, Vec<Record>)>,
}

impl Record {
    /// A table without entries.
    pub fn empty(keys: &'static TableKeys, place: Place) -> Self {
        Record {
            name: String::new(),
            keys,
            place,
            values: Values::default(),
            places: Places::new(),
            choice: None,
            parts: BTreeMap::new(),
            meant: Vec::new(),
        }
    }

    /// Place of a key, or of the table when the key is absent.
    pub fn place_of(&self, key: &str) -> Place {
        self.places.get(key).copied().unwrap_or(self.place)
    }

    /// A number; zero when it is absent or was refused.
    pub fn number(&self, key: &str) -> f64 {
        self.values.get_number(key).unwrap_or(0.0)
    }

    /// A vector; zero when it is absent or was refused.
    pub fn vector(&self, key: &str) -> Vector {
        self.values.get_vector(key).unwrap_or_default()
    }

    /// A flag; `false` when it is absent or was refused.
    pub fn flag(&self, key: &str) -> bool {
        matches!(self.values.0.get(key), Some(Value::Flag(true)))
    }

    /// A whole number; zero when it is absent or was refused.
    pub fn integer(&self, key: &str) -> i64 {
        match self.values.0.get(key) {
            Some(Value::Integer(n)) => *n,
            _ => 0,
        }
    }

    /// A text, if the key was given.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.values.get_text(key)
    }

    /// A table among the parts.
    pub fn table(&self, part: &str) -> Option<&Record> {
        match self.parts.get(part) {
            Some(Piece::Table(record)) => Some(record),
            _ => None,
        }
    }

    /// The chosen kind of a part; an empty choice when it was refused.
    pub fn variant(&self, part: &str) -> Choice {
        match self.parts.get(part) {
            Some(Piece::Variant(choice)) => (**choice).clone(),
            _ => Choice::default(),
        }
    }

    /// The name of a row chosen by a part.
    pub fn name(&self, part: &str) -> Option<&'static str> {
        match self.parts.get(part) {
            Some(Piece::Name(name, _)) => Some(name),
            _ => None,
        }
    }
}

impl Resolved {
    /// The tables of a section.
    pub fn items(&self, name: &str) -> &[Record] {
        let found = self.sections.iter().find(|(section, _)| section.name == name);
        found.map_or(&[], |(_, items)| items)
    }

    /// The only table of a section with at most one.
    pub fn single(&self, name: &str) -> Option<&Record> {
        self.items(name).first()
    }
}
