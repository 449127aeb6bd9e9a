//! Why a world could not be built, and which part of it is at fault.

use crate::registry::Problem;

/// A part of a world. Together with [`Problem::key`] it locates a fault: the key `counts` of body 2's
/// shape. Numbers count from 0 in the order of addition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Part {
    /// Step and gravity.
    #[error("world")]
    World,
    /// The integrator.
    #[error("integrator")]
    Integrator,
    /// The contact method.
    #[error("contact method")]
    ContactMethod,
    /// The normal law.
    #[error("normal law")]
    Normal,
    /// The friction law.
    #[error("friction law")]
    Friction,
    /// Another setting of contact: `adhesion`, `stretch`, `bodies`, `self_contact`.
    #[error("contact")]
    Contact,
    /// The combine rules of material coefficients.
    #[error("combine rule")]
    Pairing,
    /// A material.
    #[error("material {0}")]
    Material(usize),
    /// Explicit values for two materials.
    #[error("pair {0}")]
    Pair(usize),
    /// A body.
    #[error("body {0}")]
    Body(usize),
    /// The shape of a body.
    #[error("shape of body {0}")]
    Shape(usize),
    /// A collider.
    #[error("collider {0}")]
    Collider(usize),
    /// The shape of a collider.
    #[error("shape of collider {0}")]
    Surface(usize),
    /// A push.
    #[error("push {0}")]
    Push(usize),
    /// A muscle.
    #[error("muscle {0}")]
    Muscle(usize),
    /// A pin.
    #[error("pin {0}")]
    Pin(usize),
    /// A curve.
    #[error("curve {0}")]
    Curve(usize),
    /// A drag.
    #[error("drag {0}")]
    Drag(usize),
}

/// The reason why a world could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// Values that do not fit together.
    #[error("{}: {}; {}", .part, .problem.message, .problem.help)]
    Unfit {
        /// The part at fault.
        part: Part,
        /// The fault, its key, and the remedy.
        problem: Problem,
    },
    /// A body needs more memory than the limit.
    #[error(
        "body `{body}` would have {particles} particles and {connections}, about {needed} of memory{of_it}; {allowed} are allowed"
    )]
    TooLarge {
        /// The body's number.
        number: usize,
        /// Its name.
        body: String,
        /// Particles.
        particles: u128,
        /// Number of its springs, or of its tetrahedra, in words.
        connections: String,
        /// Estimated memory, as text.
        needed: String,
        /// The share of a direct linear solver's factors, as text; empty for none.
        of_it: String,
        /// The limit, as text.
        allowed: String,
    },
    /// The system has no more memory.
    #[error("this takes about {needed} of memory, which the system does not give")]
    OutOfMemory {
        /// Estimated memory, as text.
        needed: String,
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
