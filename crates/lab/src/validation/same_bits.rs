//! Same scene, same bits: promises by method. The table in docs/determinism.md is printed from
//! here, and `tests/determinism` fails if a promised cell does not hold.

use std::fmt::Write;
use stiction_core::impulses::CONTACT_METHODS;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::linear::SOLVERS;

/// Content of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// Tested: a difference is a fault of the program.
    Kept,
    /// Follows from the construction, not tested.
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

/// Parts of a run chosen by name in a scene.
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
    /// The part in words.
    pub fn words(self) -> &'static str {
        match self {
            Part::Integrator => "integrator",
            Part::LinearSolver => "linear solver",
            Part::ContactMethod => "contact method",
        }
    }
}

/// Promises for runs with one method, all else being equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SameBits {
    /// Part to which the method belongs.
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
    /// D4: watched and headless runs.
    pub watched: Promise,
    /// D4: uninterrupted and resumed runs.
    pub resumed: Promise,
}

/// The promises for every method of the program; none for rows that another program registers. A
/// method that cannot keep one needs a row of its own here.
fn promised(part: Part, name: &'static str) -> SameBits {
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

/// All methods of the program.
pub fn same_bits() -> Vec<SameBits> {
    let integrators = INTEGRATORS.built_in().iter().map(|row| promised(Part::Integrator, row.name));
    let solvers = SOLVERS.built_in().iter().map(|row| promised(Part::LinearSolver, row.name));
    let contact = CONTACT_METHODS.built_in().iter();
    let contact = contact.map(|row| promised(Part::ContactMethod, row.name));
    integrators.chain(solvers).chain(contact).collect()
}

/// The table as Markdown.
pub fn markdown() -> String {
    let mut text = String::from(
        "| part | method | D0 again | D1 threads | D2 x86-64 | D3 aarch64 | D4 watched | D4 resumed |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in same_bits() {
        let cells =
            [row.again, row.threads, row.processors, row.architectures, row.watched, row.resumed];
        let cells = cells.map(Promise::word).join(" | ");
        let _ = writeln!(text, "| {} | {} | {cells} |", row.part.words(), row.name);
    }
    text
}
