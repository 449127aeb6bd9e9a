//! The tables of a scene that say what touches what, and how.

use super::super::keys::{
    Absent, COLLIDER_SHAPES, CONTACT_METHOD_ROWS, FRICTION_PAIRS, FRICTIONS, NORMALS, Part,
    PartContent, RESTITUTION_PAIRS, TableKeys, Tag,
};
use super::{ZERO, direction, number, plain, text, vector};
use crate::contact::anisotropy::RULES;
use crate::registry::{Fallback, Key, Kind, Range};
use crate::world::DEFAULT_PAIRING;

const MU: Range = Range::Between(0.0, 100.0);

const SHARE: Range = Range::Between(0.0, 1.0);

pub(super) static MATERIAL: TableKeys = plain(&[
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

pub(super) static PAIRING: TableKeys = TableKeys {
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

pub(super) static PAIR: TableKeys = TableKeys {
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

pub(super) static CONTACT: TableKeys = TableKeys {
    keys: &[
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
    tag: Some(Tag {
        key: "method",
        rows: &CONTACT_METHOD_ROWS,
        default: Some("penalty"),
        about: "how contact is enforced",
    }),
    later: &[],
};

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

pub(super) static ANISOTROPY: TableKeys = plain(&[
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

pub(super) static COLLIDER: TableKeys = TableKeys {
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
