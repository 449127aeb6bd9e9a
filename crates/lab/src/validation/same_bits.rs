//! Same scene, same bits: how far this is promised, method by method. The table in docs/determinism.md
//! is printed from here, and `tests/determinism` fails where a promised cell does not hold.

use std::fmt::Write;

/// Content of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// Tested: a difference is a fault of the program.
    Kept,
    /// Follows from how it is made, and is not tested.
    Untested,
    /// Not promised.
    None,
}

impl Promise {
    fn word(self) -> &'static str {
        match self {
            Promise::Kept => "yes",
            Promise::Untested => "not tested",
            Promise::None => "no",
        }
    }
}

/// Parts of a run that a scene chooses by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `integrator.method`
    Integrator,
    /// `integrator.linear_solver`
    LinearSolver,
    /// `contact.method`
    ContactMethod,
}

impl Part {
    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Part::Integrator => "integrator",
            Part::LinearSolver => "linear solver",
            Part::ContactMethod => "contact method",
        }
    }
}

/// Promises on runs with one method, all else being equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SameBits {
    /// Part that the method is of.
    pub part: Part,
    /// Name of the method.
    pub name: &'static str,
    /// D0: the same program, machine and number of threads.
    pub again: Promise,
    /// D1: any number of threads.
    pub threads: Promise,
    /// D2: any x86-64 processor, with and without optimisation.
    pub processors: Promise,
    /// D3: x86-64 and aarch64.
    pub architectures: Promise,
    /// D4: watched and headless.
    pub watched: Promise,
    /// D4: straight and resumed.
    pub resumed: Promise,
}

const fn row(part: Part, name: &'static str) -> SameBits {
    SameBits {
        part,
        name,
        again: Promise::Kept,
        threads: Promise::Kept,
        processors: Promise::Kept,
        architectures: Promise::Untested,
        watched: Promise::Untested,
        resumed: Promise::Kept,
    }
}

/// All methods of the program. Rows that another program registers are promised nothing.
pub static SAME_BITS: &[SameBits] = &[
    row(Part::Integrator, "explicit-euler"),
    row(Part::Integrator, "symplectic-euler"),
    row(Part::Integrator, "velocity-verlet"),
    row(Part::Integrator, "velocity-verlet-reevaluated"),
    row(Part::Integrator, "midpoint"),
    row(Part::Integrator, "heun"),
    row(Part::Integrator, "rk3"),
    row(Part::Integrator, "rk4"),
    row(Part::Integrator, "adams-bashforth-2"),
    row(Part::Integrator, "dopri5"),
    row(Part::Integrator, "dop853"),
    row(Part::Integrator, "rk45"),
    row(Part::Integrator, "semi-implicit"),
    row(Part::Integrator, "implicit-euler"),
    row(Part::Integrator, "trapezoid"),
    row(Part::Integrator, "implicit-midpoint"),
    row(Part::Integrator, "bdf2"),
    row(Part::Integrator, "sdirk2"),
    row(Part::Integrator, "tr-bdf2"),
    row(Part::Integrator, "imex"),
    row(Part::LinearSolver, "automatic"),
    row(Part::LinearSolver, "sparse-lu"),
    row(Part::LinearSolver, "sparse-cholesky"),
    row(Part::LinearSolver, "bicgstab"),
    row(Part::LinearSolver, "pcg"),
    row(Part::ContactMethod, "penalty"),
    row(Part::ContactMethod, "impulse"),
    row(Part::ContactMethod, "exact"),
];

/// The table as Markdown.
pub fn markdown() -> String {
    let mut text = String::from(
        "| part | method | D0 again | D1 threads | D2 x86-64 | D3 aarch64 | D4 watched | D4 resumed |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in SAME_BITS {
        let cells =
            [row.again, row.threads, row.processors, row.architectures, row.watched, row.resumed];
        let cells = cells.map(Promise::word).join(" | ");
        let _ = writeln!(text, "| {} | {} | {cells} |", row.part.words(), row.name);
    }
    text
}
