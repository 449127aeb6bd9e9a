//! The branches of forces that are smooth by pieces.

use crate::state::memory::ContactKey;

/// A branch a force is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    /// Of a contact.
    Contact(ContactKey, Touching),
    /// Of a load that begins or ends.
    Load(Acting),
}

/// State of touch of two things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touching {
    /// Across a gap, within reach of adhesion.
    Reaches,
    /// They overlap, but part so fast that N = 0.
    Parts,
    /// N > 0, and it slips, or friction is smooth between stick and slip.
    Slips,
    /// N > 0, and it sticks.
    Sticks,
}

/// State of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acting {
    /// Not, before its time or after it.
    Not,
    /// On the way to its full size.
    Rising,
    /// In full.
    Fully,
}
