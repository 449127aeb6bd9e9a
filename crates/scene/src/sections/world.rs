//! The top of the file, `[world]` and `[integrator]`.

use super::motion::{FACTOR, Factor};
use super::table::*;
use crate::keys::{FORMAT, METHODS};
use stiction_core::integrators::rk45;

/// Keys that stand before the first table.
pub static ROOT: TableKeys = TableKeys {
    keys: &[
        Key {
            name: "format",
            kind: Kind::Integer { min: FORMAT, max: FORMAT },
            default: Required,
            about: "version of the scene language",
        },
        Key {
            name: "title",
            kind: Kind::Text,
            default: Text(""),
            about: "one sentence on what to look at",
        },
    ],
    ..TableKeys::NONE
};

table! {
    /// `[world]`.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Surroundings: WORLD {
        keys {
            gravity: Vector = vector("m/s²"), Fallback::Vector([0.0, 0.0, -9.81]), "acceleration of gravity";
            locked_axis as "planar": Option<usize> [locked_axis] = Kind::Word(&["xy", "xz", "yz"]), Optional("nothing is locked"), "plane of a two-dimensional scene: velocity and force off the plane are zero, off-plane coordinates are kept";
        }
        parts {
            gravity_factor: Option<Factor> = PartContent::Table(&FACTOR), Absent::Nothing("1"), "factor of gravity that follows time";
        }
    }
}

fn locked_axis(record: &Record, key: &str, _: &mut Names) -> Option<usize> {
    let plane = record.text(key)?;
    ["yz", "xz", "xy"].iter().position(|&name| name == plane)
}

/// The keys of `[integrator]`: those of the method.
pub(crate) static INTEGRATOR: TableKeys = TableKeys {
    tag: Some(Tag {
        key: "method",
        rows: &METHODS,
        default: Some(rk45::ENTRY.name),
        about: "the integration method; where the scene names none, `run` seeks one that gives the accuracy asked at the least cost",
    }),
    ..TableKeys::NONE
};
