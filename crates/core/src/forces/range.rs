//! Places where a force is outside the range that its law is made for.

/// A place where a law is outside its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutOfRange {
    /// A particle there.
    pub particle: usize,
    /// How.
    pub how: Beyond,
}

/// How a law is outside its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beyond {
    /// Matter is flat or turned inside out: its volume by that at rest, not above zero.
    Inverted(f64),
    /// A law without rotations is turned, by this angle \[rad\].
    Turned(f64),
}
