//! Place in a scene's text, and a row of a table as a scene chooses it.

use std::collections::BTreeMap;
use stiction_core::registry::{Entry, Problem, Table, Values};

/// Place in the scene's text, kept for errors found later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Index into [`super::Scene::sources`].
    pub source: usize,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// Place of each given key of a table.
pub type Places = BTreeMap<&'static str, Place>;

/// A text the scene was made of: a file, an included file, or a `--set` on the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Name shown to the user: a path as typed, or `--set`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A row of a table of the program with its validated parameters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choice {
    /// The row's name.
    pub name: &'static str,
    /// Whether the scene names it; else it is the default.
    pub given: bool,
    /// Validated parameters, defaults filled in.
    pub values: Values,
    /// Place of the whole.
    pub place: Place,
    /// Place of each given parameter.
    pub places: Places,
}

impl Choice {
    /// The place of a parameter, or of the whole when the parameter was not given.
    pub fn place_of(&self, key: Option<&str>) -> Place {
        key.and_then(|k| self.places.get(k)).copied().unwrap_or(self.place)
    }
}

/// Makes the object of the chosen row of a table.
pub fn make<T: ?Sized>(table: &Table<Entry<T>>, choice: &Choice) -> Result<Box<T>, Problem> {
    let row = table.find(choice.name).expect("the scene reader only lets known names through");
    (row.make)(&choice.values)
}

/// Time at which an expectation is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Moment {
    /// In the last frame.
    #[default]
    End,
    /// The largest value over all steps, or over all frames of what is measured from frame to frame.
    Maximum,
    /// The smallest value over all steps, or over all frames of what is measured from frame to frame.
    Minimum,
    /// In the frame nearest to a time \[s\].
    Time(f64),
}
