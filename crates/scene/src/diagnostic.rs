//! One fault of a scene, and its message.

use super::place::Place;

/// Whether a message stops the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scene cannot be used.
    Error,
    /// The scene can be used, but may not mean what its author expects.
    Warning,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// A row of [`super::codes::CODES`].
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The fault, with numbers. Safe for a terminal: control characters are escaped.
    pub message: String,
    /// Place in the text; absent when there is no text to point at.
    pub place: Option<Place>,
    /// Place in a file that is not a text of the scene, in words; empty for none.
    pub elsewhere: String,
    /// A few words next to the mark.
    pub label: String,
    /// Other places involved, with the words before each.
    pub beside: Vec<(&'static str, Place)>,
    /// The remedy; may be empty.
    pub help: String,
    /// Further notes, such as the chain of includes that led to the file.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            place: Some(place),
            elsewhere: String::new(),
            label: String::new(),
            beside: Vec::new(),
            help: String::new(),
            notes: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, place, message) }
    }

    /// An error of a file as a whole.
    pub(crate) fn without_place(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { place: None, ..Self::error(code, Place::default(), message) }
    }

    /// An error in another file, at a place such as `brick.msh:12:3`.
    pub fn elsewhere(code: &'static str, at: String, message: impl Into<String>) -> Self {
        Diagnostic { elsewhere: at, ..Self::without_place(code, message) }
    }

    /// Adds another place involved: `note: WORDS at file:line:col`.
    pub fn beside(mut self, words: &'static str, place: Place) -> Self {
        self.beside.push((words, place));
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds the words next to the mark.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds the remedy.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}
