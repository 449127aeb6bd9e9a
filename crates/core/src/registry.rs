//! Tables of named things, and the keys by which a scene file sets their parameters.
//!
//! A friction law, an integrator, a shape is one file and one row [`Entry`] in the table of its
//! module. The scene reader, `list`, the JSON schema, the documentation tables and many tests walk
//! these tables, so that a scene can use a row as soon as it is there; CONTRIBUTING.md says what
//! else is to do for it. A program that uses this crate adds rows of its own by
//! [`Table::register`], before it loads a scene or calls the command line.

mod table;
pub mod words;

use crate::math::Vector;
use std::collections::BTreeMap;
pub use table::{Named, RegistrationError, Rows, Table};

impl<T: ?Sized> Named for Entry<T> {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// One row of a table: a name a scene may write, what it is, its parameters, and how to make it.
pub struct Entry<T: ?Sized + 'static> {
    /// The name written in scene files and on the command line, for example `threshold`.
    pub name: &'static str,
    /// One line for `list`.
    pub about: &'static str,
    /// The parameters it takes.
    pub keys: &'static [Key],
    /// Further text of `explain`.
    pub page: Page,
    /// Makes an instance from validated values (every key with a default is present).
    pub make: fn(&Values) -> Result<Box<T>, Problem>,
}

/// Help on choosing a row. Empty texts are not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Its formula, with units; may have several lines, which are kept.
    pub formula: &'static str,
    /// Its creep under a load it can bear, in words; for friction laws.
    pub creep: &'static str,
    /// Its stiffness, and the step an explicit method may take.
    pub stiffness: &'static str,
    /// When to use it, and when not.
    pub when: &'static str,
    /// Authors, year and what they wrote, each with its key in references.bib in brackets.
    pub source: &'static str,
}

impl Page {
    /// Nothing to say beyond the one line.
    pub const NONE: Page = Page { formula: "", creep: "", stiffness: "", when: "", source: "" };
}

impl<T: ?Sized> Entry<T> {
    /// A row without parameters, to which [`Self::with_keys`] and [`Self::with_page`] may be added.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        make: fn(&Values) -> Result<Box<T>, Problem>,
    ) -> Self {
        Entry { name, about, keys: &[], page: Page::NONE, make }
    }

    /// The row with these parameters.
    pub const fn with_keys(self, keys: &'static [Key]) -> Self {
        Entry { keys, ..self }
    }

    /// The row with this page for `explain`.
    pub const fn with_page(self, page: Page) -> Self {
        Entry { page, ..self }
    }

    /// An instance from the defaults of the keys; required numbers are 1.
    ///
    /// # Errors
    /// The values do not go together, or a required key is no number.
    pub fn from_defaults(&self) -> Result<Box<T>, Problem> {
        let required = |key: &&Key| matches!(key.default, Fallback::Required);
        let mut values = Values::defaults(self.keys);
        for key in self.keys.iter().filter(required) {
            if !matches!(key.kind, Kind::Number { .. }) {
                return Err(Problem::of(key.name, "it has no default", "give a value"));
            }
            values = values.set(key.name, Value::Number(1.0));
        }
        (self.make)(&values)
    }
}

/// One key of a scene table: its name, type, unit, range, default and meaning.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name as written in the scene.
    pub name: &'static str,
    /// Type, unit and range of the value.
    pub kind: Kind,
    /// The fallback when the key is absent.
    pub default: Fallback,
    /// One sentence for the scene reference.
    pub about: &'static str,
}

/// The meaning of a missing key.
#[derive(Debug, Clone, Copy)]
pub enum Fallback {
    /// The key must be given.
    Required,
    /// The key may be absent and then has no value; the text says what happens.
    Optional(&'static str),
    /// A number.
    Number(f64),
    /// An integer.
    Integer(i64),
    /// A flag.
    Flag(bool),
    /// A text.
    Text(&'static str),
    /// A vector.
    Vector([f64; 3]),
}

/// The range of a number. Every number is finite and at most 1e15 in magnitude besides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Any finite number.
    Any,
    /// > 0
    Positive,
    /// ≥ 0
    NonNegative,
    /// low ≤ value ≤ high
    Between(f64, f64),
}

impl Range {
    /// Whether a number is finite and lies in the range.
    pub fn contains(self, x: f64) -> bool {
        x.is_finite()
            && match self {
                Range::Any => true,
                Range::Positive => x > 0.0,
                Range::NonNegative => x >= 0.0,
                Range::Between(low, high) => (low..=high).contains(&x),
            }
    }
}

/// Type, unit and range of a value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A number with unit and range.
    Number {
        /// Unit in SI, `""` for a ratio.
        unit: &'static str,
        /// Permitted range.
        range: Range,
    },
    /// A whole number, both ends included.
    Integer {
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
    },
    /// `true` or `false`.
    Flag,
    /// Free text.
    Text,
    /// A text, or a list of one or two.
    Texts,
    /// A name, or a list of names.
    Names,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// Some of a few words: one, or a list.
    Words(&'static [&'static str]),
    /// Three numbers `[x, y, z]` with a unit.
    Vector {
        /// Unit in SI.
        unit: &'static str,
        /// Whether `[0, 0, 0]` is an error (directions and normals).
        nonzero: bool,
    },
    /// A list of numbers.
    Numbers {
        /// Unit in SI.
        unit: &'static str,
        /// Permitted range of each.
        range: Range,
    },
    /// A list of vectors.
    Vectors {
        /// Unit in SI.
        unit: &'static str,
    },
    /// A list of three whole numbers ≥ 1.
    Counts,
    /// A list of whole numbers ≥ 0.
    Integers,
    /// A list of pairs of whole numbers ≥ 0.
    Pairs,
    /// A list of points [t, value], times in s.
    Points,
    /// A list of triples of whole numbers ≥ 0.
    Triples,
    /// A table of named numbers for a formula, `{ a = 0.3 }`.
    Constants,
}

/// A validated value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// See [`Kind::Number`].
    Number(f64),
    /// See [`Kind::Integer`].
    Integer(i64),
    /// See [`Kind::Flag`].
    Flag(bool),
    /// See [`Kind::Text`] and [`Kind::Word`].
    Text(String),
    /// See [`Kind::Texts`], [`Kind::Names`] and [`Kind::Words`].
    Texts(Vec<String>),
    /// See [`Kind::Vector`].
    Vector(Vector),
    /// See [`Kind::Numbers`].
    Numbers(Vec<f64>),
    /// See [`Kind::Vectors`].
    Vectors(Vec<Vector>),
    /// See [`Kind::Integers`] and [`Kind::Counts`].
    Integers(Vec<i64>),
    /// See [`Kind::Points`].
    Points(Vec<[f64; 2]>),
    /// See [`Kind::Pairs`].
    Pairs(Vec<[usize; 2]>),
    /// See [`Kind::Triples`].
    Triples(Vec<[usize; 3]>),
    /// See [`Kind::Constants`].
    Constants(BTreeMap<String, f64>),
}

/// Conversions of Rust's types into values.
macro_rules! value_from {
    ($($from:ty => |$x:ident| $to:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($x: $from) -> Self {
                $to
            }
        }
    )*};
}

value_from! {
    f64 => |x| Value::Number(x);
    i32 => |n| Value::Integer(n.into());
    i64 => |n| Value::Integer(n);
    bool => |flag| Value::Flag(flag);
    &str => |text| Value::Text(text.into());
    String => |text| Value::Text(text);
    Vec<String> => |list| Value::Texts(list);
    Vector => |v| Value::Vector(v);
    [f64; 3] => |v| Value::Vector(v.into());
    Vec<f64> => |list| Value::Numbers(list);
    Vec<Vector> => |list| Value::Vectors(list);
    [i32; 2] => |list| Value::Integers(list.map(i64::from).into());
    [i32; 3] => |list| Value::Integers(list.map(i64::from).into());
    Vec<i64> => |list| Value::Integers(list);
    Vec<[usize; 2]> => |list| Value::Pairs(list);
    Vec<[f64; 2]> => |list| Value::Points(list);
    Vec<[usize; 3]> => |list| Value::Triples(list);
    BTreeMap<String, f64> => |constants| Value::Constants(constants);
}

/// Validated values by key name. Getters panic when the key table and the code disagree, which is
/// a broken invariant of the program and covered by the test that makes every row from defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values(pub BTreeMap<&'static str, Value>);

impl Values {
    /// Sets a value; used by the scene reader, by tests and by library users.
    pub fn set(mut self, key: &'static str, value: Value) -> Self {
        self.0.insert(key, value);
        self
    }

    /// The defaults of a key table.
    pub fn defaults(keys: &'static [Key]) -> Self {
        let mut values = Values::default();
        for key in keys {
            if let Some(value) = key.default.value() {
                values.0.insert(key.name, value);
            }
        }
        values
    }

    /// Whether an optional key has a value.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// A number, if present.
    pub fn get_number(&self, key: &str) -> Option<f64> {
        match self.0.get(key) {
            Some(Value::Number(x)) => Some(*x),
            _ => None,
        }
    }

    /// A number that has a default or is required.
    pub fn number(&self, key: &str) -> f64 {
        self.get_number(key).unwrap_or_else(|| panic!("key table has no number `{key}`"))
    }

    /// A whole number that has a default or is required.
    pub fn integer(&self, key: &str) -> i64 {
        match self.0.get(key) {
            Some(Value::Integer(n)) => *n,
            _ => panic!("key table has no integer `{key}`"),
        }
    }

    /// A flag that has a default or is required.
    pub fn flag(&self, key: &str) -> bool {
        self.get_flag(key).unwrap_or_else(|| panic!("key table has no flag `{key}`"))
    }

    /// A flag, if present.
    pub fn get_flag(&self, key: &str) -> Option<bool> {
        match self.0.get(key) {
            Some(Value::Flag(b)) => Some(*b),
            _ => None,
        }
    }

    /// A text, if present.
    pub fn get_text(&self, key: &str) -> Option<&str> {
        match self.0.get(key) {
            Some(Value::Text(s)) => Some(s),
            _ => None,
        }
    }

    /// A text that has a default or is required.
    pub fn text(&self, key: &str) -> &str {
        self.get_text(key).unwrap_or_else(|| panic!("key table has no text `{key}`"))
    }

    /// A list of texts; empty when the key is absent.
    pub fn texts(&self, key: &str) -> &[String] {
        match self.0.get(key) {
            Some(Value::Texts(list)) => list,
            _ => &[],
        }
    }

    /// A vector, if present.
    pub fn get_vector(&self, key: &str) -> Option<Vector> {
        match self.0.get(key) {
            Some(Value::Vector(v)) => Some(*v),
            _ => None,
        }
    }

    /// A vector that has a default or is required.
    pub fn vector(&self, key: &str) -> Vector {
        self.get_vector(key).unwrap_or_else(|| panic!("key table has no vector `{key}`"))
    }

    /// A list of numbers, if present.
    pub fn get_numbers(&self, key: &str) -> Option<&[f64]> {
        match self.0.get(key) {
            Some(Value::Numbers(list)) => Some(list),
            _ => None,
        }
    }

    /// A list of vectors, if present.
    pub fn get_vectors(&self, key: &str) -> Option<&[Vector]> {
        match self.0.get(key) {
            Some(Value::Vectors(list)) => Some(list),
            _ => None,
        }
    }

    /// A list of whole numbers, if present.
    pub fn get_integers(&self, key: &str) -> Option<&[i64]> {
        match self.0.get(key) {
            Some(Value::Integers(list)) => Some(list),
            _ => None,
        }
    }

    /// Named numbers; none when the key is absent.
    pub fn constants(&self, key: &str) -> BTreeMap<String, f64> {
        match self.0.get(key) {
            Some(Value::Constants(constants)) => constants.clone(),
            _ => BTreeMap::new(),
        }
    }

    /// A list of pairs, if present.
    pub fn get_pairs(&self, key: &str) -> Option<&[[usize; 2]]> {
        match self.0.get(key) {
            Some(Value::Pairs(list)) => Some(list),
            _ => None,
        }
    }

    /// A list of points, if present.
    pub fn get_points(&self, key: &str) -> Option<&[[f64; 2]]> {
        match self.0.get(key) {
            Some(Value::Points(list)) => Some(list),
            _ => None,
        }
    }

    /// A list of triples, if present.
    pub fn get_triples(&self, key: &str) -> Option<&[[usize; 3]]> {
        match self.0.get(key) {
            Some(Value::Triples(list)) => Some(list),
            _ => None,
        }
    }
}

impl Fallback {
    /// The value used when the key is absent, if there is one.
    pub fn value(&self) -> Option<Value> {
        match *self {
            Fallback::Required | Fallback::Optional(_) => None,
            Fallback::Number(x) => Some(Value::Number(x)),
            Fallback::Integer(n) => Some(Value::Integer(n)),
            Fallback::Flag(b) => Some(Value::Flag(b)),
            Fallback::Text(s) => Some(Value::Text(s.to_string())),
            Fallback::Vector(v) => Some(Value::Vector(Vector::from(v))),
        }
    }
}

/// A fault in a set of values: the key (if one is to blame), the fault, and the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// The key to blame, if there is one.
    pub key: Option<&'static str>,
    /// The fault, with numbers.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl Problem {
    /// A problem of one key.
    pub fn of(key: &'static str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Problem { key: Some(key), message: message.into(), help: help.into() }
    }
}
