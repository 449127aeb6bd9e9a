//! What stands in `[view]`.

use super::{number, plain, text};
use crate::registry::{Fallback, Key, Kind, Range};
use crate::scene::keys::TableKeys;

/// What of a picture can be shown or hidden by name.
pub const LAYERS: &[&str] = &[
    "normals",
    "friction",
    "surfaces",
    "springs",
    "particles",
    "heat",
    "ghost",
    "panel",
    "plots",
    "labels",
];

pub(super) static VIEW: TableKeys = plain(&[
    number(
        "yaw",
        "degrees",
        Range::Any,
        Fallback::Optional("-32; in a planar scene along the locked axis"),
        "turn of the camera about z; at 0 it looks along +y, with x to the right",
    ),
    number(
        "pitch",
        "degrees",
        Range::Between(-90.0, 90.0),
        Fallback::Optional("20; in a planar scene almost along the locked axis"),
        "height of the camera above the horizon; negative from below",
    ),
    number(
        "zoom",
        "",
        Range::Between(0.001, 1000.0),
        Fallback::Number(1.0),
        "1: all bodies fill the picture; 2: twice as close",
    ),
    Key {
        name: "target",
        kind: Kind::Vector { unit: "m", nonzero: false },
        default: Fallback::Optional("the middle of the bodies at t = 0"),
        about: "the point in the middle of the picture",
    },
    Key {
        name: "projection",
        kind: Kind::Word(&["perspective", "orthographic"]),
        default: Fallback::Text("perspective"),
        about: "whether far things are smaller",
    },
    text(
        "follow",
        Fallback::Text("all"),
        "what the camera goes along with when it moves away: `all` bodies, `nothing`, or a name of [[body]]",
    ),
    Key {
        name: "theme",
        kind: Kind::Word(&["light", "dark"]),
        default: Fallback::Text("light"),
        about: "colours",
    },
    Key {
        name: "show",
        kind: Kind::Words(LAYERS),
        default: Fallback::Optional("the usual"),
        about: "what is shown besides the usual; usual are all but `heat` and `plots`",
    },
    Key {
        name: "hide",
        kind: Kind::Words(LAYERS),
        default: Fallback::Optional("nothing"),
        about: "what is not shown",
    },
    number(
        "speed",
        "",
        Range::Positive,
        Fallback::Number(1.0),
        "seconds of the scene per second of the window or the film; 0.1 is slow motion",
    ),
]);
