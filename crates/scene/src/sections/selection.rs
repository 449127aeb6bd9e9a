//! `where = { ... }`; exactly one key is given.

use super::table::*;

/// Keys of a selection, from which the reader makes a [`Selection`].
pub static SELECTION: TableKeys = TableKeys {
    keys: &[
        Key {
            name: "particles",
            kind: Kind::Integers,
            default: Optional("not chosen so"),
            about: "numbers of particles within the body, from 0",
        },
        Key {
            name: "nearest",
            kind: vector("m"),
            default: Optional("not chosen so"),
            about: "the particle nearest to this point at t = 0",
        },
        Key {
            name: "all",
            kind: Kind::Flag,
            default: Optional("not chosen so"),
            about: "`true`: all particles of the body",
        },
    ],
    parts: &[KeyPart {
        name: "box",
        about: "all particles inside an axis-parallel box at t = 0",
        absent: Absent::Nothing("not chosen so"),
        content: PartContent::Table(&SELECTION_BOX),
    }],
    ..TableKeys::NONE
};

static SELECTION_BOX: TableKeys = TableKeys {
    keys: &[
        Key { name: "min", kind: vector("m"), default: Required, about: "lower corner" },
        Key { name: "max", kind: vector("m"), default: Required, about: "upper corner" },
    ],
    ..TableKeys::NONE
};

/// The selection of a table, from the one key that is given.
pub fn selection(record: &Record) -> Selection {
    if let Some(list) = record.values.get_integers("particles") {
        return Selection::Particles(list.iter().map(|&n| n as usize).collect());
    }
    if let Some(point) = record.values.get_vector("nearest") {
        return Selection::Nearest(point);
    }
    match record.table("box") {
        Some(corners) => Selection::Box { min: corners.vector("min"), max: corners.vector("max") },
        None => Selection::All,
    }
}
