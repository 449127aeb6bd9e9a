//! What stands in each table of a scene: the declarations that [`super::keys`] gives their form.

use super::keys::{
    Absent, BODY_SHAPES, FORMAT, Form, MEASURE_KINDS, METHODS, Part, PartContent, Section,
    TableKeys, Tag,
};
use crate::registry::{Fallback, Key, Kind, Range};
use curve::CURVE;
use touching::{ANISOTROPY, COLLIDER, CONTACT, MATERIAL, PAIR, PAIRING};
pub use view::LAYERS;
use view::VIEW;

mod curve;
mod touching;
mod view;

const fn number(
    name: &'static str,
    unit: &'static str,
    range: Range,
    default: Fallback,
    about: &'static str,
) -> Key {
    Key { name, kind: Kind::Number { unit, range }, default, about }
}

const fn vector(
    name: &'static str,
    unit: &'static str,
    default: Fallback,
    about: &'static str,
) -> Key {
    Key { name, kind: Kind::Vector { unit, nonzero: false }, default, about }
}

const fn direction(name: &'static str, default: Fallback, about: &'static str) -> Key {
    Key { name, kind: Kind::Vector { unit: "", nonzero: true }, default, about }
}

const fn text(name: &'static str, default: Fallback, about: &'static str) -> Key {
    Key { name, kind: Kind::Text, default, about }
}

const fn plain(keys: &'static [Key]) -> TableKeys {
    TableKeys { keys, parts: &[], tag: None, later: &[] }
}

const ZERO: Fallback = Fallback::Vector([0.0, 0.0, 0.0]);
/// Keys that stand before the first table.
pub static ROOT: TableKeys = TableKeys {
    keys: &[
        Key {
            name: "format",
            kind: Kind::Integer { min: FORMAT, max: FORMAT },
            default: Fallback::Required,
            about: "version of the scene language",
        },
        text("title", Fallback::Text(""), "one sentence on what to look at"),
    ],
    parts: &[],
    tag: None,
    later: &["output"],
};

/// All tables of a scene, in the order of the reference.
pub static SECTIONS: &[Section] = &[
    Section {
        name: "world",
        about: "What surrounds everything.",
        form: Form::Single,
        table: &WORLD,
    },
    Section {
        name: "time",
        about: "Duration, step and recording. Time is the number of steps times the step, never a sum.",
        form: Form::Single,
        table: &TIME,
    },
    Section {
        name: "integrator",
        about: "How a state is taken over one step. The keys are those of the method.",
        form: Form::Single,
        table: &INTEGRATOR,
    },
    Section {
        name: "materials",
        about: "Coefficients of a material.",
        form: Form::Named,
        table: &MATERIAL,
    },
    Section {
        name: "pairing",
        about: "How the coefficients of two materials make those of their pair: static with static, kinetic with kinetic.",
        form: Form::Single,
        table: &PAIRING,
    },
    Section {
        name: "pair",
        about: "Explicit values for two materials, which win over the pairing.",
        form: Form::Repeated,
        table: &PAIR,
    },
    Section {
        name: "contact",
        about: "Forces between particles and colliders.",
        form: Form::Single,
        table: &CONTACT,
    },
    Section {
        name: "body",
        about: "A body of particles and springs.",
        form: Form::Repeated,
        table: &BODY,
    },
    Section {
        name: "collider",
        about: "A surface that particles touch.",
        form: Form::Repeated,
        table: &COLLIDER,
    },
    Section {
        name: "push",
        about: "A force on particles of a body.",
        form: Form::Repeated,
        table: &PUSH,
    },
    Section {
        name: "pin",
        about: "Holds particles where they are, or some axes of them, or moves them.",
        form: Form::Repeated,
        table: &PIN,
    },
    Section {
        name: "curve",
        about: "Keeps particles of a body on phi(x, y, z) = 0 by Lagrange multipliers, with friction in proportion to them.",
        form: Form::Repeated,
        table: &CURVE,
    },
    Section {
        name: "drag",
        about: "An acceleration against the velocity, -rate·v.",
        form: Form::Repeated,
        table: &DRAG,
    },
    Section {
        name: "measure",
        about: "A quantity recorded at every frame.",
        form: Form::Repeated,
        table: &MEASURE,
    },
    Section {
        name: "expect",
        about: "A golden value of a measure's column, checked by `check --run` and by the tests.",
        form: Form::Named,
        table: &EXPECT,
    },
    Section {
        name: "view",
        about: "How the scene is first seen, in the window and in pictures. Nothing here changes a result.",
        form: Form::Single,
        table: &VIEW,
    },
];

static WORLD: TableKeys = plain(&[
    vector("gravity", "m/s²", Fallback::Vector([0.0, 0.0, -9.81]), "acceleration of gravity"),
    Key {
        name: "planar",
        kind: Kind::Word(&["xy", "xz", "yz"]),
        default: Fallback::Optional("nothing is locked"),
        about: "plane of a two-dimensional scene: velocity and force off the plane are zero, off-plane coordinates are kept",
    },
]);

static TIME: TableKeys = plain(&[
    number("end", "s", Range::Positive, Fallback::Required, "end of the run; a multiple of `step`"),
    number(
        "step",
        "s",
        Range::Positive,
        Fallback::Required,
        "fixed step and commit interval; adaptive methods sub-step inside it",
    ),
    number(
        "output",
        "s",
        Range::Positive,
        Fallback::Required,
        "time between recorded frames; a multiple of `step`",
    ),
]);

static INTEGRATOR: TableKeys = TableKeys {
    keys: &[],
    parts: &[],
    tag: Some(Tag {
        key: "method",
        rows: &METHODS,
        default: None,
        about: "the integration method",
    }),
    later: &[],
};

static BODY: TableKeys = TableKeys {
    keys: &[
        text("name", Fallback::Required, "its name, unique among bodies"),
        text(
            "material",
            Fallback::Optional("the only material, if there is just one"),
            "a name of [materials]",
        ),
        number(
            "mass",
            "kg",
            Range::Positive,
            Fallback::Optional("from `density`, or from the shape's own masses"),
            "mass of the whole body",
        ),
        number(
            "density",
            "kg/m³",
            Range::Positive,
            Fallback::Optional("from `mass`"),
            "density, for shapes with a volume",
        ),
        vector("position", "m", ZERO, "translation of the shape"),
        vector(
            "rotation",
            "degrees",
            ZERO,
            "rotation about the fixed axes x, then y, then z, before the translation",
        ),
        vector("velocity", "m/s", ZERO, "velocity of the whole body"),
        vector("spin", "rad/s", ZERO, "rate of turn about the mass centre"),
        number(
            "radius",
            "m",
            Range::NonNegative,
            Fallback::Number(0.0),
            "radius of its particles for contact",
        ),
        Key {
            name: "rigid",
            kind: Kind::Flag,
            default: Fallback::Flag(false),
            about: "`true`: its particles keep their distances exactly, and its springs are not built; with explicit methods, and without pins",
        },
    ],
    parts: &[
        Part {
            name: "shape",
            about: "where its particles are at first",
            absent: Absent::Required,
            content: PartContent::Variant(&BODY_SHAPES),
        },
        Part {
            name: "springs",
            about: "springs by family; a family that is absent has no springs",
            absent: Absent::Empty,
            content: PartContent::Table(&SPRINGS),
        },
        Part {
            name: "anisotropy",
            about: "other friction across a direction than along it; the direction is the shape's own, placed by `rotation`, and follows the material",
            absent: Absent::Nothing("the same in all directions"),
            content: PartContent::Table(&ANISOTROPY),
        },
    ],
    tag: None,
    later: &[],
};

static SPRINGS: TableKeys = TableKeys {
    keys: &[],
    parts: &[
        Part {
            name: "edge",
            about: "lattice and mesh edges, links, ropes",
            absent: Absent::Nothing("no such springs"),
            content: PartContent::Table(&SPRING),
        },
        Part {
            name: "face_diagonal",
            about: "both diagonals of every lattice face or cloth cell",
            absent: Absent::Nothing("no such springs"),
            content: PartContent::Table(&SPRING),
        },
        Part {
            name: "body_diagonal",
            about: "the four space diagonals of every lattice cell",
            absent: Absent::Nothing("no such springs"),
            content: PartContent::Table(&SPRING),
        },
        Part {
            name: "bend",
            about: "between second neighbours along a line",
            absent: Absent::Nothing("no such springs"),
            content: PartContent::Table(&SPRING),
        },
    ],
    tag: None,
    later: &[],
};

static SPRING: TableKeys = plain(&[
    number("stiffness", "N/m", Range::Positive, Fallback::Required, "stiffness k"),
    number(
        "damping",
        "N·s/m",
        Range::NonNegative,
        Fallback::Number(0.0),
        "damping c along the spring",
    ),
]);

/// Keys of `where = { ... }`; exactly one is given.
pub static SELECTION: TableKeys = TableKeys {
    keys: &[
        Key {
            name: "particles",
            kind: Kind::Integers,
            default: Fallback::Optional("not chosen so"),
            about: "numbers of particles within the body, from 0",
        },
        vector(
            "nearest",
            "m",
            Fallback::Optional("not chosen so"),
            "the particle nearest to this point at t = 0",
        ),
        Key {
            name: "all",
            kind: Kind::Flag,
            default: Fallback::Optional("not chosen so"),
            about: "`true`: all particles of the body",
        },
    ],
    parts: &[Part {
        name: "box",
        about: "all particles inside an axis-parallel box at t = 0",
        absent: Absent::Nothing("not chosen so"),
        content: PartContent::Table(&SELECTION_BOX),
    }],
    tag: None,
    later: &[],
};

static SELECTION_BOX: TableKeys = plain(&[
    vector("min", "m", Fallback::Required, "lower corner"),
    vector("max", "m", Fallback::Required, "upper corner"),
]);

const WHERE: Part = Part {
    name: "where",
    about: "which particles of the body: \"all\", or one of the keys of `where` below",
    absent: Absent::Nothing("all particles"),
    content: PartContent::Selection,
};

static PUSH: TableKeys = TableKeys {
    keys: &[
        text("body", Fallback::Required, "a name of [[body]]"),
        vector("force", "N", Fallback::Required, "total force, shared evenly over the particles"),
        Key {
            name: "per_particle",
            kind: Kind::Flag,
            default: Fallback::Flag(false),
            about: "each particle gets the whole force",
        },
        number("from", "s", Range::NonNegative, Fallback::Number(0.0), "start"),
        number("until", "s", Range::NonNegative, Fallback::Optional("it never ends"), "end"),
        number(
            "ramp",
            "s",
            Range::NonNegative,
            Fallback::Number(0.0),
            "linear rise over this time, counted from `from`",
        ),
    ],
    parts: &[WHERE],
    tag: None,
    later: &[],
};

static PIN: TableKeys = TableKeys {
    keys: &[
        text("body", Fallback::Required, "a name of [[body]]"),
        Key {
            name: "axes",
            kind: Kind::Word(&["xyz", "xy", "xz", "yz", "x", "y", "z"]),
            default: Fallback::Text("xyz"),
            about: "which coordinates are held",
        },
    ],
    parts: &[
        WHERE,
        Part {
            name: "motion",
            about: "how the pin moves",
            absent: Absent::Empty,
            content: PartContent::Table(&PIN_MOTION),
        },
    ],
    tag: None,
    later: &[],
};

static PIN_MOTION: TableKeys = plain(&[vector("velocity", "m/s", ZERO, "velocity of the pin")]);

static DRAG: TableKeys = plain(&[
    text("body", Fallback::Optional("all bodies"), "a name of [[body]]"),
    number("rate", "1/s", Range::NonNegative, Fallback::Required, "rate"),
    number("until", "s", Range::NonNegative, Fallback::Optional("it never ends"), "end"),
]);

static MEASURE: TableKeys = TableKeys {
    keys: &[
        text(
            "name",
            Fallback::Required,
            "its name, unique among measures: a column of measures.csv",
        ),
        text("body", Fallback::Optional("needed by most kinds"), "a name of [[body]]"),
        direction(
            "direction",
            Fallback::Optional("three columns NAME_x, NAME_y, NAME_z"),
            "for vector quantities: the component along this direction",
        ),
    ],
    parts: &[
        Part {
            name: "kind",
            about: "what is measured",
            absent: Absent::Required,
            content: PartContent::Name(&MEASURE_KINDS, None),
        },
        WHERE,
    ],
    tag: None,
    later: &[],
};

static EXPECT: TableKeys = TableKeys {
    keys: &[
        number(
            "value",
            "the unit of the measure",
            Range::Any,
            Fallback::Required,
            "expected value",
        ),
        number(
            "tolerance",
            "the unit of the measure",
            Range::NonNegative,
            Fallback::Required,
            "largest absolute deviation",
        ),
    ],
    parts: &[Part {
        name: "at",
        about: "\"end\", \"max\", \"min\" (over all frames) or a time in s",
        absent: Absent::Empty,
        content: PartContent::Moment,
    }],
    tag: None,
    later: &[],
};
