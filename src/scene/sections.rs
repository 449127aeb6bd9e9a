//! What stands in each table of a scene: the declarations that [`super::keys`] gives their form.

use super::keys::{
    Absent, BODY_SHAPES, COLLIDER_SHAPES, FORMAT, FRICTION_PAIRS, FRICTIONS, Form, MEASURE_KINDS,
    METHODS, NORMALS, Part, PartContent, RESTITUTION_PAIRS, Section, TableKeys, Tag,
};
use crate::contact::anisotropy::RULES;
use crate::registry::{Fallback, Key, Kind, Range};

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
const MU: Range = Range::Between(0.0, 100.0);
const SHARE: Range = Range::Between(0.0, 1.0);

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
    later: &["curve", "output", "view"],
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

static MATERIAL: TableKeys = plain(&[
    number("static_friction", "", MU, Fallback::Required, "coefficient of static friction μ_s"),
    number(
        "kinetic_friction",
        "",
        MU,
        Fallback::Optional("as `static_friction`"),
        "coefficient of kinetic friction μ_k",
    ),
    number(
        "restitution",
        "",
        SHARE,
        Fallback::Optional("the other material decides; without any, the normal law"),
        "coefficient of restitution e",
    ),
]);

static PAIRING: TableKeys = TableKeys {
    keys: &[],
    parts: &[
        Part {
            name: "friction",
            about: "law for the coefficients of friction",
            absent: Absent::Empty,
            content: PartContent::Name(&FRICTION_PAIRS, Some(DEFAULT_PAIRING)),
        },
        Part {
            name: "restitution",
            about: "law for the coefficients of restitution",
            absent: Absent::Empty,
            content: PartContent::Name(&RESTITUTION_PAIRS, Some(DEFAULT_PAIRING)),
        },
    ],
    tag: None,
    later: &[],
};

/// The pairing law used when none is chosen.
pub const DEFAULT_PAIRING: &str = "weighted-sum";

static PAIR: TableKeys = TableKeys {
    keys: &[
        number(
            "static_friction",
            "",
            MU,
            Fallback::Optional("from the pairing"),
            "coefficient of static friction μ_s of the pair",
        ),
        number(
            "kinetic_friction",
            "",
            MU,
            Fallback::Optional(
                "as the pair's `static_friction` if that is given, else from the pairing",
            ),
            "coefficient of kinetic friction μ_k of the pair",
        ),
        number(
            "restitution",
            "",
            SHARE,
            Fallback::Optional("from the pairing"),
            "coefficient of restitution e of the pair",
        ),
    ],
    parts: &[Part {
        name: "materials",
        about: "the two materials, possibly the same twice",
        absent: Absent::Required,
        content: PartContent::TwoNames,
    }],
    tag: None,
    later: &[],
};

static CONTACT: TableKeys = TableKeys {
    keys: &[
        Key {
            name: "method",
            kind: Kind::Word(&["penalty"]),
            default: Fallback::Text("penalty"),
            about: "how contact is enforced",
        },
        Key {
            name: "bodies",
            kind: Kind::Flag,
            default: Fallback::Flag(false),
            about: "bodies touch each other: particles by their radius, surfaces by their triangles, ropes, edges and the outlines of planar bodies by their radius",
        },
        Key {
            name: "self_contact",
            kind: Kind::Flag,
            default: Fallback::Flag(false),
            about: "bodies with a radius touch themselves, where they were far apart at t = 0",
        },
        Key {
            name: "stretch",
            kind: Kind::Word(&["commit", "state"]),
            default: Fallback::Text("commit"),
            about: "where the stretch of a friction law with memory lives: moved once per accepted step, or part of the integrator's state, so that multi-stage methods keep their order",
        },
    ],
    parts: &[
        Part {
            name: "normal",
            about: "normal law: the force that pushes a particle out",
            absent: Absent::Empty,
            content: PartContent::Table(&NORMAL),
        },
        Part {
            name: "friction",
            about: "friction law",
            absent: Absent::Empty,
            content: PartContent::Table(&FRICTION),
        },
        Part {
            name: "adhesion",
            about: "a force that holds what touches; friction acts on what it presses too",
            absent: Absent::Nothing("no adhesion"),
            content: PartContent::Table(&ADHESION),
        },
    ],
    tag: None,
    later: &[],
};

/// Words of the scene language that this version cannot serve: section, key, word.
pub const LATER_WORDS: &[(&str, &str, &str)] =
    &[("[contact]", "method", "impulse"), ("[contact]", "method", "exact")];

static ADHESION: TableKeys = plain(&[
    number(
        "force",
        "N",
        Range::Positive,
        Fallback::Required,
        "pull-off force of one contact, a particle's",
    ),
    number(
        "range",
        "m",
        Range::Positive,
        Fallback::Required,
        "gap at which the pull has fallen to nothing",
    ),
]);

static ANISOTROPY: TableKeys = plain(&[
    direction(
        "direction",
        Fallback::Required,
        "where the pair's own coefficients hold; projected into the surface",
    ),
    number("ratio", "", Range::Between(0.01, 100.0), Fallback::Required, "μ across / μ along"),
    Key {
        name: "law",
        kind: Kind::Word(RULES),
        default: Fallback::Text("ellipse"),
        about: "component: F_i = −μ_i N v_i/|v|; ellipse: F_i = −N μ_i² v_i/√(Σ μ_j² v_j²), the most dissipation",
    },
]);

static NORMAL: TableKeys = TableKeys {
    keys: &[],
    parts: &[],
    tag: Some(Tag { key: "law", rows: &NORMALS, default: Some("linear"), about: "the normal law" }),
    later: &[],
};

static FRICTION: TableKeys = TableKeys {
    keys: &[],
    parts: &[],
    tag: Some(Tag {
        key: "law",
        rows: &FRICTIONS,
        default: Some("threshold"),
        about: "the friction law",
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
    later: &["rigid"],
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

static COLLIDER: TableKeys = TableKeys {
    keys: &[
        text("name", Fallback::Required, "its name, unique among colliders"),
        text(
            "material",
            Fallback::Optional("the only material, if there is just one"),
            "a name of [materials]",
        ),
    ],
    parts: &[
        Part {
            name: "shape",
            about: "its surface",
            absent: Absent::Required,
            content: PartContent::Variant(&COLLIDER_SHAPES),
        },
        Part {
            name: "motion",
            about: "how it moves; the kinds of motion may be combined",
            absent: Absent::Empty,
            content: PartContent::Table(&MOTION),
        },
        Part {
            name: "anisotropy",
            about: "other friction across a direction than along it; it turns with the shape",
            absent: Absent::Nothing("the same in all directions"),
            content: PartContent::Table(&ANISOTROPY),
        },
    ],
    tag: None,
    later: &[],
};

static MOTION: TableKeys = TableKeys {
    keys: &[vector("velocity", "m/s", ZERO, "velocity of the shape")],
    parts: &[
        Part {
            name: "spin",
            about: "turns the shape",
            absent: Absent::Nothing("it does not turn"),
            content: PartContent::Table(&SPIN),
        },
        Part {
            name: "oscillate",
            about: "shakes the shape: displacement amplitude·sin(2π·frequency·t + phase)",
            absent: Absent::Nothing("it does not shake"),
            content: PartContent::Table(&OSCILLATE),
        },
        Part {
            name: "belt",
            about: "moves only the surface, while the shape stays",
            absent: Absent::Empty,
            content: PartContent::Table(&BELT),
        },
    ],
    tag: None,
    later: &[],
};

static SPIN: TableKeys = plain(&[
    direction("axis", Fallback::Required, "axis of turning, of any length"),
    number("rate", "rad/s", Range::Any, Fallback::Required, "rate of turn, right-handed"),
    vector("center", "m", Fallback::Optional("the shape's own centre"), "a point on the axis"),
]);

static OSCILLATE: TableKeys = plain(&[
    direction("direction", Fallback::Required, "direction of the shaking, of any length"),
    number("amplitude", "m", Range::NonNegative, Fallback::Required, "amplitude"),
    number("frequency", "Hz", Range::NonNegative, Fallback::Required, "frequency"),
    number("phase", "degrees", Range::Any, Fallback::Number(0.0), "phase at t = 0"),
]);

static BELT: TableKeys = plain(&[vector("velocity", "m/s", ZERO, "velocity of the surface")]);

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
