//! A, the sum of the inverse weights of the two bodies of a contact.
//!
//! MuJoCo scales R with `diagApprox`, for contacts the sum of both `body_invweight0[0]`: a third of
//! the trace of the inverse inertia along x, y and z at the centre of mass, in the model's reference
//! configuration \[mujocodocs\]:
//!
//! | body | inverse weight |
//! | --- | --- |
//! | the world, bodies without joints, mocap bodies | 0 |
//! | a free body | 1/m |
//! | a body on one slide joint | 1/(3m), 1/m by a short cut |
//! | others | by the inertia of their tree |
//!
//! The short cut takes 1/m for bodies on slide joints along their own axes whose centre of mass lies
//! at the origin of their frame, unturned. Read from MuJoCo 4.0, model.body_invweight0.

use super::Mujoco;
use crate::creep::Load;
use crate::creep::load::Geometry;
use stiction_core::registry::{Fallback, Key, Kind, Problem, Range, Values};

/// Joints of the other body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// None.
    Fixed,
    /// A free joint.
    Free,
    /// One slide joint, with the short cut 1/m.
    Slide,
    /// One slide joint, 1/(3m).
    SlideOffset,
}

/// The words of `other_held`.
const HELD: [(&str, Held); 4] = [
    ("fixed", Held::Fixed),
    ("free", Held::Free),
    ("slide", Held::Slide),
    ("slide-offset", Held::SlideOffset),
];

impl Held {
    /// Inverse weight \[1/kg\] of a body of a mass \[kg\].
    pub(super) fn weight(self, mass: f64) -> f64 {
        match self {
            Held::Fixed => 0.0,
            Held::Free | Held::Slide => 1.0 / mass,
            Held::SlideOffset => 1.0 / (3.0 * mass),
        }
    }
}

const fn weight_key(name: &'static str, without: &'static str, about: &'static str) -> Key {
    let kind = Kind::Number { unit: "1/kg", range: Range::NonNegative };
    Key { name, kind, default: Fallback::Optional(without), about }
}

/// Mass of the body that holds.
pub(super) const OTHER_MASS: Key = Key {
    name: "other_mass",
    kind: Kind::Number { unit: "kg", range: Range::Positive },
    default: Fallback::Optional("it does not move"),
    about: "mass of the other body, in a grip of each finger",
};
/// Joints of the body that holds.
pub(super) const OTHER_HELD: Key = Key {
    name: "other_held",
    kind: Kind::Word(&["fixed", "free", "slide", "slide-offset"]),
    default: Fallback::Text("fixed"),
    about: "joints of the other body; slide: one slide joint along an axis of a body whose centre of mass is at its origin, unturned; slide-offset: one slide joint of any other body",
};
/// Inverse weight of the body itself.
pub(super) const INVWEIGHT: Key =
    weight_key("invweight", "1/m", "model.body_invweight0[body, 0] of the body");
/// Inverse weight of the body that holds.
pub(super) const OTHER_INVWEIGHT: Key = weight_key(
    "other_invweight",
    "by other_mass and other_held",
    "model.body_invweight0[other, 0] of the other body: counts over its mass",
);
/// Inverse weight of the second finger.
pub(super) const SECOND_INVWEIGHT: Key = weight_key(
    "second_invweight",
    "that of the first",
    "grip: model.body_invweight0 of the second finger, where it differs",
);

/// Inverse weights that do not follow from the body's own mass \[1/kg\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bodies {
    /// Of the body, if not 1/m.
    pub(super) own: Option<f64>,
    /// whether the other body is on a free joint
    pub(super) is_free: bool,
    /// Of what holds it: of each pad in a grip.
    pub others: [f64; 2],
}

impl Bodies {
    /// From the values of the keys.
    pub fn of(values: &Values) -> Result<Self, Problem> {
        let word = values.text("other_held");
        let held = HELD.iter().find(|(name, _)| *name == word).map_or(Held::Fixed, |row| row.1);
        let mass = values.get_number("other_mass");
        let first = match (values.get_number("other_invweight"), held, mass) {
            (Some(weight), ..) => weight,
            (None, Held::Fixed, Some(_)) => {
                let message = "the mass of a body that does not move is of no effect";
                let help = "say how it is held: other_held=free, slide or slide-offset";
                return Err(Problem::of("other_mass", message, help));
            }
            (None, Held::Fixed, None) => 0.0,
            (None, held, Some(mass)) => held.weight(mass),
            (None, _, None) => {
                let message = "a body that moves has a mass";
                return Err(Problem::of("other_held", message, "give other_mass"));
            }
        };
        let second = values.get_number("second_invweight").unwrap_or(first);
        Ok(Bodies {
            own: values.get_number("invweight"),
            is_free: held == Held::Free,
            others: [first, second],
        })
    }

    /// A of the first and of the second pad \[1/kg\].
    pub fn weights(&self, load: &Load) -> [f64; 2] {
        let own = self.own.unwrap_or(1.0 / load.mass);
        self.others.map(|other| own + other)
    }
}

impl Mujoco {
    /// A of the contacts of each of [`Load::shares`] \[1/kg\].
    pub(super) fn weights(&self, load: &Load) -> Vec<f64> {
        let [first, second] = self.bodies.weights(load);
        let count = load.shares().len();
        let second = if load.geometry == Geometry::Grip { second } else { first };
        (0..count).map(|k| if 2 * k < count { first } else { second }).collect()
    }
}
