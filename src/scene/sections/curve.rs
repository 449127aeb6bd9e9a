//! What stands in `[[curve]]`.

use super::{WHERE, number, plain, text};
use crate::constraints::curve::COUPLINGS;
use crate::expression::CONSTANTS_KEY;
use crate::registry::{Fallback, Key, Kind, Range};
use crate::scene::keys::{Absent, Part, PartContent, TableKeys};

pub(super) static CURVE: TableKeys = TableKeys {
    keys: &[
        text("body", Fallback::Required, "a name of [[body]]"),
        Key {
            name: "phi",
            kind: Kind::Texts,
            default: Fallback::Required,
            about: "formula in x, y and z (m) that is zero on the curve, or in space on the surface; two for a curve in space",
        },
        CONSTANTS_KEY,
        number(
            "stabilisation",
            "",
            Range::Between(0.0, 1.0),
            Fallback::Number(0.2),
            "share of the distance from the curve that a step takes back; 0 lets it drift",
        ),
        Key {
            name: "projection",
            kind: Kind::Flag,
            default: Fallback::Flag(false),
            about: "puts positions back onto the curve after every step, instead of `stabilisation`",
        },
    ],
    parts: &[
        WHERE,
        Part {
            name: "friction",
            about: "friction in proportion to the constraint force",
            absent: Absent::Empty,
            content: PartContent::Table(&FRICTION),
        },
    ],
    tag: None,
    later: &[],
};

static FRICTION: TableKeys = plain(&[
    number(
        "kinetic",
        "",
        Range::Between(0.0, 100.0),
        Fallback::Number(0.0),
        "coefficient of a particle that moves",
    ),
    number(
        "static",
        "",
        Range::Between(0.0, 100.0),
        Fallback::Optional("`kinetic`"),
        "coefficient of a particle at rest, at least `kinetic`",
    ),
    Key {
        name: "coupling",
        kind: Kind::Word(COUPLINGS),
        default: Fallback::Optional("`multiplier-linear` under symplectic-euler, else `reduced`"),
        about: "how friction and the unknown multiplier are made to fit: the first three under symplectic-euler, `reduced` under any explicit method",
    },
    Key {
        name: "rest",
        kind: Kind::Flag,
        default: Fallback::Flag(true),
        about: "a particle that would turn back within a step is held, while that takes no more than `static`; without it, it chatters or stops late",
    },
]);
