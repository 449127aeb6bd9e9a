//! Engines: the creep of each under a load that friction should hold, and its largest stable step.
//!
//! An engine is a pure function of its parameters and of a load. Its file derives its formula;
//! [`document()`] is the answer shown by the command line, Python and pages, and [`catalogue`] the
//! parameters from which they build their forms.
//!
//! Notation: m mass, N normal force and T tangential load of the whole body, n contacts, μ_s and
//! μ_k the coefficients, ρ = T/(μ_s N), h time step, v creep speed. SI units.

pub mod answer;
pub mod budget;
pub mod document;
pub mod drake;
pub mod ipc;
pub mod lammps;
pub mod limit;
pub mod load;
pub mod mujoco;
pub mod newton;
pub mod reading;
pub mod stiction;

pub use answer::{Answer, Knob};
pub use document::{catalogue, document};
pub use load::Load;
pub use reading::EngineError;
use stiction_core::registry::{Entry, Table};

/// An engine with its parameters.
pub trait Engine: Send + Sync {
    /// Motion of a body under a load that friction may be able to hold, by the engine's own
    /// equations. Pure: the same load gives the same answer.
    fn answer(&self, load: &Load) -> Answer;

    /// The parameters that reduce its creep; none without creep to reduce.
    fn knobs(&self, load: &Load) -> Vec<Knob>;
}

/// All engines, in the order of display.
pub static ENGINES: Table<Entry<dyn Engine>> = Table::new(
    "engine",
    &[stiction::ENTRY, mujoco::ENTRY, newton::ENTRY, drake::ENTRY, ipc::ENTRY, lammps::ENTRY],
);
