//! Typed columns of a table, as in data frames.

/// A column of a table; `None` is a missing value.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Counts.
    Counts(Vec<Option<i64>>),
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// Yes or no.
    Flags(Vec<Option<bool>>),
    /// Texts.
    Texts(Vec<Option<String>>),
}
