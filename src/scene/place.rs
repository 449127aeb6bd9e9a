//! Where in a scene's text something stands, and a row of a table as a scene chooses it.

use crate::registry::{Entry, Problem, Table, Values};
use std::collections::BTreeMap;

/// Where in the scene's text something was written, so that a later error can point there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Index into [`super::Scene::sources`].
    pub source: usize,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// Where each given key of a table was written.
pub type Places = BTreeMap<&'static str, Place>;

/// A text the scene was made of: a file, an included file, or a `--set` on the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// What to show the user: a path as they typed it, or `--set`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A named thing from a registry table with its validated parameters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choice {
    /// The row's name.
    pub name: &'static str,
    /// Validated parameters, defaults filled in.
    pub values: Values,
    /// Where the whole was written.
    pub place: Place,
    /// Where each given parameter was written.
    pub places: Places,
}

impl Choice {
    /// The place of a parameter, or of the whole when the parameter was not given.
    pub fn place_of(&self, key: Option<&str>) -> Place {
        key.and_then(|k| self.places.get(k)).copied().unwrap_or(self.place)
    }
}

/// Makes the chosen row of a table.
pub fn make<T: ?Sized>(table: &Table<Entry<T>>, choice: &Choice) -> Result<Box<T>, Problem> {
    let row = table.find(choice.name).expect("the scene reader only lets known names through");
    (row.make)(&choice.values)
}

/// When an expectation is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Moment {
    /// In the last frame.
    #[default]
    End,
    /// The largest value over all frames.
    Maximum,
    /// The smallest value over all frames.
    Minimum,
    /// In the frame nearest to a time \[s\].
    Time(f64),
}
