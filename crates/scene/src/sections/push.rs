//! `[[push]]` and `[[drag]]`.

use super::motion::{FACTOR, Factor, end};
use super::table::*;

table! {
    /// `[[push]]`: a force on a selection.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Push: PUSH @ place {
        keys {
            body: usize [body_of] = Kind::Text, Required, "a name of [[body]]";
            force: Vector = vector("N"), Required, "total force, shared evenly over the particles";
            per_particle: bool = Kind::Flag, Flag(false), "each particle gets the whole force";
            from: f64 = number("s", NonNegative), Number(0.0), "start";
            until: Option<f64> [end] = number("s", NonNegative), Optional("it never ends"), "end";
            ramp: f64 = number("s", NonNegative), Number(0.0), "linear rise over this time, counted from `from`";
        }
        parts {
            factor: Option<Factor> = PartContent::Table(&FACTOR), Absent::Nothing("1"), "factor of the force that follows time";
            selection as "where": Selection = PartContent::Selection, Absent::Nothing("all particles"), "which particles of the body: \"all\", or one of the keys of `where` below";
        }
    }
}

table! {
    /// `[[drag]]`: acceleration −rate·v.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Drag: DRAG @ place {
        keys {
            body: Option<usize> [find_body] = Kind::Text, Optional("all bodies"), "a name of [[body]]";
            rate: f64 = number("1/s", NonNegative), Required, "rate";
            from: f64 = number("s", NonNegative), Number(0.0), "start";
            until: Option<f64> [end] = number("s", NonNegative), Optional("it never ends"), "end";
        }
    }
}
