//! Regimes: the branches of forces that are smooth by pieces.

use crate::state::memory::ContactKey;

/// A branch of a force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    /// Of a contact.
    Contact(ContactKey, Touching),
    /// Of a load with a beginning or an end.
    Load(Acting),
}

/// State of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touching {
    /// Across a gap, within reach of adhesion.
    Reaches,
    /// The sides overlap, but separate so fast that N = 0.
    Parts,
    /// N > 0, and the contact slips, or friction is smooth between stick and slip.
    Slips,
    /// N > 0, and the contact sticks.
    Sticks,
}

/// State of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acting {
    /// Not acting: before its time or after it.
    Not,
    /// Rising to its full size.
    Rising,
    /// In full.
    Fully,
}
