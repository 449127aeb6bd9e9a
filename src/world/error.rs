//! Why a world could not be built, and which part of it is at fault.

use crate::registry::Problem;

/// A part of a world. Together with [`Problem::key`] it says what is at fault: body 2's shape and
/// its key `counts`. Numbers count from 0 in the order in which parts were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Step and gravity.
    World,
    /// The integrator.
    Integrator,
    /// The contact method.
    ContactMethod,
    /// The normal law.
    Normal,
    /// The friction law.
    Friction,
    /// Another setting of contact: `adhesion`, `stretch`, `bodies`.
    Contact,
    /// How coefficients of materials are combined.
    Pairing,
    /// A material.
    Material(usize),
    /// Explicit values for two materials.
    Pair(usize),
    /// A body.
    Body(usize),
    /// The shape of a body.
    Shape(usize),
    /// A collider.
    Collider(usize),
    /// The shape of a collider.
    Surface(usize),
    /// A push.
    Push(usize),
    /// A pin.
    Pin(usize),
    /// A curve.
    Curve(usize),
    /// A drag.
    Drag(usize),
}

/// Why a world could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// Values that do not fit together.
    #[error("{}: {} ({})", .part, .problem.message, .problem.help)]
    Unfit {
        /// Which part is at fault.
        part: Part,
        /// What is wrong, which key is to blame, what to do.
        problem: Problem,
    },
    /// A body needs more memory than may be taken.
    #[error(
        "body `{body}` would have {particles} particles and {springs} springs, about {needed} of memory; {allowed} are allowed"
    )]
    TooLarge {
        /// The body's number.
        number: usize,
        /// Its name.
        body: String,
        /// Particles.
        particles: u128,
        /// Springs.
        springs: u128,
        /// Estimated memory, as text.
        needed: String,
        /// The limit, as text.
        allowed: String,
    },
}

impl Part {
    /// The error of a part.
    pub(super) fn unfit(self, problem: Problem) -> WorldError {
        WorldError::Unfit { part: self, problem }
    }

    /// The error of a part in words.
    pub(super) fn fault(self, message: impl Into<String>, help: impl Into<String>) -> WorldError {
        self.unfit(Problem { key: None, message: message.into(), help: help.into() })
    }

    /// The error of one key of a part.
    pub(super) fn fault_of(
        self,
        key: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> WorldError {
        self.unfit(Problem::of(key, message, help))
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Part::World => f.write_str("world"),
            Part::Integrator => f.write_str("integrator"),
            Part::ContactMethod => f.write_str("contact method"),
            Part::Normal => f.write_str("normal law"),
            Part::Friction => f.write_str("friction law"),
            Part::Contact => f.write_str("contact"),
            Part::Pairing => f.write_str("combine rule"),
            Part::Material(n) => write!(f, "material {n}"),
            Part::Pair(n) => write!(f, "pair {n}"),
            Part::Body(n) => write!(f, "body {n}"),
            Part::Shape(n) => write!(f, "shape of body {n}"),
            Part::Collider(n) => write!(f, "collider {n}"),
            Part::Surface(n) => write!(f, "shape of collider {n}"),
            Part::Push(n) => write!(f, "push {n}"),
            Part::Pin(n) => write!(f, "pin {n}"),
            Part::Curve(n) => write!(f, "curve {n}"),
            Part::Drag(n) => write!(f, "drag {n}"),
        }
    }
}
