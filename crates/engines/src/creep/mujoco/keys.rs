//! Keys of MuJoCo's contacts, and the values they have in an engine.

use super::bodies::{Bodies, INVWEIGHT, OTHER_HELD, OTHER_INVWEIGHT, OTHER_MASS, SECOND_INVWEIGHT};
use super::{Mujoco, Reference};
use stiction_core::registry::{Fallback, Key, Kind, Problem, Range, Values};

const fn number_key(
    name: &'static str,
    unit: &'static str,
    range: Range,
    default: f64,
    about: &'static str,
) -> Key {
    Key { name, kind: Kind::Number { unit, range }, default: Fallback::Number(default), about }
}

const fn direct(name: &'static str, unit: &'static str, about: &'static str) -> Key {
    let kind = Kind::Number { unit, range: Range::Positive };
    Key { name, kind, default: Fallback::Optional("timeconst and dampratio count"), about }
}

const UNIT: Range = Range::Between(0.0, 1.0);

const fn list(name: &'static str, about: &'static str) -> Key {
    Key { name, kind: Kind::Text, default: Fallback::Optional("by the keys of its numbers"), about }
}

/// All keys.
pub(super) const KEYS: &[Key] = &[
    number_key("timeconst", "s", Range::Positive, 0.02, "time constant tc of solref"),
    number_key("dampratio", "", Range::Positive, 1.0, "damping ratio ζ of solref"),
    direct("stiffness", "1/s²", "direct solref: −stiffness is its first number"),
    direct("damping", "1/s", "direct solref: −damping is its second number"),
    number_key("dmin", "", UNIT, 0.9, "impedance d at depth 0, first number of solimp"),
    number_key("dmax", "", UNIT, 0.95, "impedance d at depth `solwidth`, second of solimp"),
    number_key("solwidth", "m", Range::Positive, 1e-3, "depth over which d rises, third of solimp"),
    number_key("midpoint", "", UNIT, 0.5, "midpoint of the rise, fourth of solimp"),
    number_key("power", "", Range::Between(1.0, 100.0), 2.0, "power of the rise, fifth of solimp"),
    number_key("impratio", "", Range::Positive, 1.0, "frictional over normal impedance"),
    Key {
        name: "cone",
        kind: Kind::Word(&["pyramidal", "elliptic"]),
        default: Fallback::Text("pyramidal"),
        about: "friction cone",
    },
    Key {
        name: "refsafe",
        kind: Kind::Flag,
        default: Fallback::Flag(true),
        about: "whether timeconst is kept at 2 h at least, MuJoCo's own default",
    },
    Key {
        name: "noslip_iterations",
        kind: Kind::Integer { min: 0, max: 1000 },
        default: Fallback::Integer(0),
        about: "iterations of the solver that takes slip away after a step",
    },
    Key {
        name: "condim",
        kind: Kind::Integer { min: 3, max: 6 },
        default: Fallback::Integer(3),
        about: "dimension of a contact: 3, with torsion 4, with rolling 6",
    },
    OTHER_MASS,
    OTHER_HELD,
    OTHER_INVWEIGHT,
    SECOND_INVWEIGHT,
    INVWEIGHT,
    list("solref", "time constant and damping ratio, `0.02 1`, as in MJCF"),
    list("solimp", "dmin, dmax, width, midpoint and power, `0.9 0.95 0.001 0.5 2`, as in MJCF"),
];

impl Mujoco {
    /// From the values of its keys.
    pub(super) fn of(values: &Values) -> Result<Self, Problem> {
        let [stiffness, damping] = ["stiffness", "damping"].map(|key| values.get_number(key));
        let reference = match (stiffness, damping) {
            (Some(stiffness), Some(damping)) => Reference::Direct(stiffness, damping),
            (None, None) => Reference::Time(values.number("timeconst"), values.number("dampratio")),
            (Some(_), None) => return Err(alone("stiffness", "damping")),
            (None, Some(_)) => return Err(alone("damping", "stiffness")),
        };
        let condim = values.integer("condim");
        if condim == 5 {
            return Err(Problem::of("condim", "MuJoCo has no 5", "give 3, 4 or 6"));
        }
        Ok(Mujoco {
            reference,
            impedance: ["dmin", "dmax", "solwidth", "midpoint", "power"]
                .map(|key| values.number(key)),
            impratio: values.number("impratio"),
            elliptic: values.text("cone") == "elliptic",
            condim,
            refsafe: values.flag("refsafe"),
            noslip_iterations: values.integer("noslip_iterations"),
            bodies: Bodies::of(values)?,
            other_program: None,
        })
    }
}

fn alone(given: &'static str, missing: &str) -> Problem {
    Problem::of(given, format!("a direct solref needs `{missing}` too"), "give both or neither")
}
