//! What is wrong with a scene: errors and warnings with their places, collected, sorted, capped
//! and rendered with the offending line.

pub use super::codes::{CODES, Code, explain};
use super::place::{Place, Source};
use std::fmt::Write as _;

/// Errors shown in full; the rest is counted.
pub const SHOWN: usize = 20;
/// Errors kept for sorting; beyond these only the count goes on.
const KEPT: usize = 1000;

/// Whether a diagnostic stops the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scene cannot be used.
    Error,
    /// The scene can be used, but may not mean what its author thinks.
    Warning,
}

/// One complaint.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// A row of [`CODES`].
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, with numbers. Safe for a terminal: control characters are escaped.
    pub message: String,
    /// Where; absent when there is no text to point at.
    pub place: Option<Place>,
    /// A few words beside the mark.
    pub label: String,
    /// What to do; may be empty.
    pub help: String,
    /// Further remarks, such as the chain of includes that led to the file.
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
            label: String::new(),
            help: String::new(),
            notes: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, place, message) }
    }

    /// An error of a file as a whole.
    pub fn without_place(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { place: None, ..Self::error(code, Place::default(), message) }
    }

    /// Adds the words beside the mark.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// Which exit code a failure deserves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The path cannot be read: exit 2.
    Unreadable,
    /// The scene is invalid: exit 3.
    Scene,
    /// A mesh or another input is invalid: exit 4.
    Mesh,
    /// Over a limit: exit 9.
    Limit,
}

/// Everything that is wrong with a scene, sorted by place.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneErrors {
    /// The complaints, at most a thousand.
    pub diagnostics: Vec<Diagnostic>,
    /// Errors found beyond those kept.
    pub uncounted: usize,
    /// The texts that places refer to.
    pub sources: Vec<Source>,
    /// Which exit code it deserves.
    pub kind: FailureKind,
}

impl SceneErrors {
    /// One error.
    pub fn single(kind: FailureKind, diagnostic: Diagnostic, sources: Vec<Source>) -> Self {
        SceneErrors { diagnostics: vec![diagnostic], uncounted: 0, sources, kind }
    }

    /// The exit code: 2 unreadable, 3 scene invalid, 4 mesh invalid, 9 over a limit.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            FailureKind::Unreadable => 2,
            FailureKind::Scene => 3,
            FailureKind::Mesh => 4,
            FailureKind::Limit => 9,
        }
    }

    /// How many errors there are, those not kept included.
    pub fn count(&self) -> usize {
        let kept = self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        kept + self.uncounted
    }

    /// The first error in one line.
    pub fn brief(&self) -> String {
        let errors = self.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let mut first = errors.map(|error| match error.help.as_str() {
            "" => error.message.clone(),
            help => format!("{} ({help})", error.message),
        });
        first.next().unwrap_or_default()
    }

    /// The text for the terminal: the first [`SHOWN`] complaints and the count of the rest.
    pub fn render(&self, coloured: bool) -> String {
        let shown = &self.diagnostics[..self.diagnostics.len().min(SHOWN)];
        let mut text = super::excerpt::render(shown, &self.sources, coloured);
        let rest = self.diagnostics.len() - shown.len() + self.uncounted;
        if rest > 0 {
            let _ = writeln!(text, "... and {rest} more; {} in all", self.count());
        }
        text
    }
}

impl std::fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

impl std::error::Error for SceneErrors {}

/// Collects errors and warnings while reading goes on.
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
    uncounted: usize,
    warnings: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a complaint.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Warning if self.warnings.len() < KEPT => self.warnings.push(diagnostic),
            Severity::Warning => {}
            Severity::Error if self.errors.len() < KEPT => self.errors.push(diagnostic),
            Severity::Error => self.uncounted += 1,
        }
    }

    /// Counts errors that nobody will see.
    pub fn count_more(&mut self, number: usize) {
        self.uncounted += number;
    }

    /// Whether further errors are only counted, so that no effort should go into their words.
    pub fn full(&self) -> bool {
        self.errors.len() >= KEPT
    }

    /// Whether there is an error.
    pub fn failed(&self) -> bool {
        !self.errors.is_empty()
    }

    /// How many errors are kept.
    pub fn kept(&self) -> usize {
        self.errors.len()
    }

    /// Whether there is an error with another code than this.
    pub fn has_other_than(&self, code: &str) -> bool {
        self.errors.iter().any(|error| error.code != code)
    }

    /// Adds notes that follow from the place of a complaint.
    pub fn annotate(&mut self, note: impl Fn(Place) -> Vec<String>) {
        for diagnostic in self.errors.iter_mut().chain(&mut self.warnings) {
            if let Some(place) = diagnostic.place {
                diagnostic.notes.extend(note(place));
            }
        }
    }

    /// The warnings, or the errors if there are any, both in the order of the text.
    pub fn finish(mut self, sources: &[Source]) -> Result<Vec<Diagnostic>, SceneErrors> {
        let order = |d: &Diagnostic| d.place.map(|p| (p.source, p.start));
        self.errors.sort_by_key(order);
        self.warnings.sort_by_key(order);
        if self.errors.is_empty() {
            return Ok(self.warnings);
        }
        Err(SceneErrors {
            diagnostics: self.errors,
            uncounted: self.uncounted,
            sources: sources.to_vec(),
            kind: FailureKind::Scene,
        })
    }
}

/// Whether a character is invisible, moves the cursor or changes the direction of writing.
pub fn unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Text from a scene for use in a message: unprintable characters as `\u{..}`, at most 60
/// characters.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for (count, c) in text.chars().enumerate() {
        if count == 60 {
            out.push('…');
            break;
        }
        if unprintable(c) {
            let _ = write!(out, "\\u{{{:x}}}", c as u32);
        } else {
            out.push(c);
        }
    }
    out.push('`');
    out
}

/// A list of names for a message, at most twenty.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let mut parts: Vec<String> = names.iter().take(20).map(|n| quoted(n.as_ref())).collect();
    if names.len() > parts.len() {
        parts.push(format!("and {} more", names.len() - parts.len()));
    }
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}

/// The known name nearest to a misspelt one, if one is near enough to be meant.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > 80 {
        return None;
    }
    let lower = wrong.to_lowercase().replace('_', "-");
    let distance =
        |name: &str| strsim::damerau_levenshtein(&lower, &name.to_lowercase().replace('_', "-"));
    known
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|(d, name)| *d <= (name.chars().count().max(3) / 3).min(3))
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}
