//! The keys of the implicit methods.

use crate::linear::{SOLVER_NAMES, automatic};
use crate::registry::{Fallback, Key, Kind, Range};
use crate::state::Lag;

/// Tolerance of Newton's method.
pub(crate) const NEWTON_TOLERANCE: Key = Key {
    name: "newton_tolerance",
    kind: Kind::Number { unit: "m/s", range: Range::Between(1e-14, 1.0) },
    default: Fallback::Optional(
        "1e-5 × the smaller of ε and the fastest speed, at least 1e-10 × max(1 m/s, |v|)",
    ),
    about: "Newton stops when the velocity is this × max(1 m/s, |v|) from the solution",
};

/// Most iterations of Newton's method.
pub(crate) const MAX_ITERATIONS: Key = Key {
    name: "max_iterations",
    kind: Kind::Integer { min: 1, max: 1000 },
    default: Fallback::Integer(40),
    about: "Newton iterations before the step is halved",
};

/// The solver of its linear systems.
pub(crate) const LINEAR_SOLVER: Key = Key {
    name: "linear_solver",
    kind: Kind::Word(SOLVER_NAMES),
    default: Fallback::Text(automatic::ENTRY.name),
    about: "how linear systems are solved; `automatic` goes by the number of particles",
};

/// The quantities that friction takes from the start of the step.
pub(crate) const LAG: Key = Key {
    name: "lag",
    kind: Kind::Word(Lag::NAMES),
    default: Fallback::Text("none"),
    about: "what friction takes from the start of the step: N, the contact normal, both, or nothing",
};

/// The keys of all methods that use `Newton`.
pub const KEYS: &[Key] = &[NEWTON_TOLERANCE, MAX_ITERATIONS, LINEAR_SOLVER, LAG];

/// The keys of the methods that solve linear systems without `Newton`'s iteration.
pub(crate) const LINEAR_KEYS: &[Key] = &[LINEAR_TOLERANCE, LINEAR_SOLVER, LAG];

/// Tolerance of the linear solver.
pub(crate) const LINEAR_TOLERANCE: Key = Key {
    name: "linear_tolerance",
    kind: Kind::Number { unit: "m/s", range: Range::Between(1e-14, 1.0) },
    default: Fallback::Number(1e-10),
    about: "iterative linear solvers stop when the velocity is this × max(1 m/s, |v|) from the solution",
};
