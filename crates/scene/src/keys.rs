//! The tables of a scene file: every key with its type, unit, range, default and meaning.
//!
//! The reader, `--set`, the JSON schema, the scene reference and `check --show` all walk these
//! declarations and the key tables of the rooms (friction laws, integrators, shapes, ...).

use stiction_core::contact::collider::COLLIDERS;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::contact::material::{FRICTION_PAIRINGS, RESTITUTION_PAIRINGS};
use stiction_core::contact::normal::NORMAL_LAWS;
use stiction_core::forces::elements::SOLID_LAWS;
use stiction_core::impulses::CONTACT_METHODS;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::measures::MEASURES;
use stiction_core::registry::{Entry, Key, Problem, Values};
use stiction_core::world::shapes::SHAPES;

/// The version of the scene language.
pub const FORMAT: i64 = 1;

/// Header form of a table in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `[name]`, at most one.
    Single,
    /// `[[name]]`, any number.
    Repeated,
    /// `[name.NAME]`, any number with distinct names.
    Named,
}

/// A table at the top of a scene.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub about: &'static str,
    /// Form of its header in the file.
    pub form: Form,
    /// Its keys.
    pub table: &'static TableKeys,
}

/// The keys of a table.
#[derive(Debug, Clone, Copy)]
pub struct TableKeys {
    /// Keys with plain values.
    pub keys: &'static [Key],
    /// Keys with structured values.
    pub parts: &'static [KeyPart],
    /// A key that chooses a row, whose keys are then allowed in this table too.
    pub tag: Option<Tag>,
    /// Keys of the scene language that this version does not support.
    pub later: &'static [&'static str],
}

impl TableKeys {
    /// A table without keys.
    pub const NONE: TableKeys = TableKeys { keys: &[], parts: &[], tag: None, later: &[] };
}

/// A key such as `law` or `method` that chooses a row of a table of the program.
#[derive(Debug, Clone, Copy)]
pub struct Tag {
    /// The key.
    pub key: &'static str,
    /// The rows.
    pub rows: &'static Choices,
    /// The row chosen when the key is absent; none: the key is required.
    pub default: Option<&'static str>,
    /// One sentence for the reference.
    pub about: &'static str,
}

/// A key with a structured value.
#[derive(Debug, Clone, Copy)]
pub struct KeyPart {
    /// The key.
    pub name: &'static str,
    /// Its purpose.
    pub about: &'static str,
    /// Meaning of its absence.
    pub absent: Absent,
    /// Kind of its value.
    pub content: PartContent,
}

/// Meaning of an absent part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// It must be given.
    Required,
    /// Nothing takes its place; the text says what that means.
    Nothing(&'static str),
    /// Read as an empty table: its own defaults apply.
    Empty,
}

/// Kind of value that a part holds.
#[derive(Debug, Clone, Copy)]
pub enum PartContent {
    /// `{ key = value, ... }`
    Table(&'static TableKeys),
    /// `{ KIND = { ... } }` with exactly one KIND of the rows.
    Variant(&'static Choices),
    /// The name of a row, and the default.
    Name(&'static Choices, Option<&'static str>),
    /// A set of particles: `"all"` or a table with one of the keys of a selection.
    Selection,
    /// `"end"`, `"max"`, `"min"` or a time.
    Moment,
    /// Names of two materials.
    TwoNames,
}

/// The rows of one of the program's tables, as needed by the scene reader.
pub struct Choices {
    /// Noun for a row, for messages: `friction law`.
    pub what: &'static str,
    /// All rows.
    pub list: fn() -> Vec<TableRow>,
    /// Checks that the row can be made from values.
    pub check: fn(&str, &Values) -> Result<(), Problem>,
}

impl std::fmt::Debug for Choices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Choices").field("what", &self.what).finish()
    }
}

/// Name, description and keys of a row.
#[derive(Debug, Clone, Copy)]
pub struct TableRow {
    /// The name written in a scene.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// Its parameters.
    pub keys: &'static [Key],
}

impl Choices {
    /// The row of a name.
    pub fn find(&self, name: &str) -> Option<TableRow> {
        (self.list)().into_iter().find(|row| row.name == name)
    }

    /// All names.
    pub fn names(&self) -> Vec<&'static str> {
        (self.list)().into_iter().map(|row| row.name).collect()
    }
}

fn anything(_: &str, _: &Values) -> Result<(), Problem> {
    Ok(())
}

/// Rows that are made from values, as [`Choices`].
macro_rules! made {
    ($($name:ident = $table:ident, $what:literal;)*) => {$(
        #[doc = concat!("Rows of [`", stringify!($table), "`].")]
        pub static $name: Choices = Choices {
            what: $what,
            list: || {
                let row = |e: &Entry<_>| TableRow { name: e.name, about: e.about, keys: e.keys };
                $table.iter().map(row).collect()
            },
            check: |name, values| {
                $table.find(name).map_or(Ok(()), |entry| (entry.make)(values).map(drop))
            },
        };
    )*};
}

made! {
    METHODS = INTEGRATORS, "integration method";
    CONTACT_METHOD_ROWS = CONTACT_METHODS, "contact method";
    NORMALS = NORMAL_LAWS, "normal law";
    FRICTIONS = FRICTION_LAWS, "friction law";
    BODY_SHAPES = SHAPES, "shape of a body";
    COLLIDER_SHAPES = COLLIDERS, "shape of a collider";
}

/// Rows that consist of a name only, as [`Choices`].
macro_rules! known {
    ($($name:ident = $table:ident, $what:literal;)*) => {$(
        #[doc = concat!("Rows of [`", stringify!($table), "`].")]
        pub static $name: Choices = Choices {
            what: $what,
            list: || $table.iter().map(|r| TableRow { name: r.name, about: r.about, keys: &[] }).collect(),
            check: anything,
        };
    )*};
}

known! {
    FRICTION_PAIRS = FRICTION_PAIRINGS, "pairing of friction";
    RESTITUTION_PAIRS = RESTITUTION_PAIRINGS, "pairing of restitution";
    SOLID_LAW_NAMES = SOLID_LAWS, "law of solids";
    MEASURE_KINDS = MEASURES, "kind of measure";
}

impl Section {
    /// Its header as written: `[time]`, `[[body]]`, `[materials.NAME]`.
    pub fn header(&self) -> String {
        match self.form {
            Form::Single => format!("[{}]", self.name),
            Form::Repeated => format!("[[{}]]", self.name),
            Form::Named => format!("[{}.NAME]", self.name),
        }
    }
}
