//! All faults of a scene: errors and warnings, collected, sorted, limited in number and rendered
//! with the offending line.

pub use super::codes::{CODES, Code, explain};
pub use super::diagnostic::{Diagnostic, Severity};
use super::place::{Place, Source};
use std::fmt::Write as _;
use stiction_core::registry::words::LISTED;
pub use stiction_core::registry::words::{listed, nearest, quoted, unprintable};

/// Number of errors kept for sorting; further ones are only counted.
const KEPT: usize = 1000;

/// Kind of failure that stops the loading or building of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The path cannot be read.
    Unreadable,
    /// The scene is invalid.
    Scene,
    /// A mesh or another input is invalid.
    Mesh,
    /// A limit is exceeded.
    Limit,
}

/// All faults of a scene, sorted by place.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneErrors {
    /// The errors, at most 1000.
    pub diagnostics: Vec<Diagnostic>,
    /// Errors found beyond those kept.
    pub uncounted: usize,
    /// Source texts to which places refer.
    pub sources: Vec<Source>,
    /// Kind of the failure.
    pub kind: FailureKind,
}

impl SceneErrors {
    /// One error.
    pub fn single(kind: FailureKind, diagnostic: Diagnostic, sources: Vec<Source>) -> Self {
        SceneErrors { diagnostics: vec![diagnostic], uncounted: 0, sources, kind }
    }

    /// Number of errors, those not kept included.
    pub fn count(&self) -> usize {
        let kept = self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        kept + self.uncounted
    }

    /// The first error in one line.
    pub fn brief(&self) -> String {
        let errors = self.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let mut first = errors.map(|error| {
            let place = match error.elsewhere.as_str() {
                "" => String::new(),
                place => format!("{place}: "),
            };
            match error.help.as_str() {
                "" => format!("{place}{}", error.message),
                help => format!("{place}{} ({help})", error.message),
            }
        });
        first.next().unwrap_or_default()
    }

    /// The text for the terminal: the first [`LISTED`] errors and the count of the rest.
    pub fn render(&self, coloured: bool) -> String {
        let shown = &self.diagnostics[..self.diagnostics.len().min(LISTED)];
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

/// Errors and warnings collected while reading.
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
    uncounted: usize,
    warnings: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        match diagnostic.severity {
            Severity::Warning if self.warnings.len() < KEPT => self.warnings.push(diagnostic),
            Severity::Warning => {}
            Severity::Error if self.errors.len() < KEPT => self.errors.push(diagnostic),
            Severity::Error => self.uncounted += 1,
        }
    }

    /// Counts errors that are not reported one by one.
    pub(crate) fn count_more(&mut self, number: usize) {
        self.uncounted += number;
    }

    /// Whether further errors are only counted: their messages need not be made.
    pub fn full(&self) -> bool {
        self.errors.len() >= KEPT
    }

    /// Whether there is an error.
    pub fn failed(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Number of errors kept.
    pub fn reported(&self) -> usize {
        self.errors.len()
    }

    /// Whether there is an error with a code other than `code`.
    pub(crate) fn has_other_than(&self, code: &str) -> bool {
        self.errors.iter().any(|error| error.code != code)
    }

    /// Adds notes that depend on the place of a message.
    pub(crate) fn annotate(&mut self, note: impl Fn(Place) -> Vec<String>) {
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
