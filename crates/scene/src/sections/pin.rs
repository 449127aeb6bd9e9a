//! `[[pin]]`.

use super::table::*;

table! {
    /// `[[pin]]`: holds or moves particles, or some of their axes.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Pin: PIN @ place {
        keys {
            body: usize [body_of] = Kind::Text, Required, "a name of [[body]]";
            name: Option<String> = Kind::Text, Optional("none"), "its name, unique among pins and colliders, for [[motion]]";
            axes: [bool; 3] [axes] = Kind::Word(&["xyz", "xy", "xz", "yz", "x", "y", "z"]), Text("xyz"), "which coordinates are held";
        }
        parts {
            selection as "where": Selection = PartContent::Selection, Absent::Nothing("all particles"), "which particles of the body: \"all\", or one of the keys of `where` below";
            motion: PinMotion = PartContent::Table(&PIN_MOTION), Absent::Empty, "how the pin moves";
        }
    }
}

table! {
    /// `motion = { velocity }` of a pin.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct PinMotion: PIN_MOTION {
        keys {
            velocity: Vector = vector("m/s"), ZERO, "velocity of the pin";
        }
    }
}

/// Axes among x, y and z named by a word.
fn axes(record: &Record, key: &str, _: &mut Names) -> [bool; 3] {
    let axes = record.text(key).unwrap_or("xyz");
    ['x', 'y', 'z'].map(|axis| axes.contains(axis))
}
