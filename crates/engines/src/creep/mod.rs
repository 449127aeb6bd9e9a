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
pub mod impulses;
pub mod ipc;
pub mod lammps;
pub mod limit;
pub mod load;
pub mod mjcf;
pub mod mujoco;
pub mod newton;
pub mod reading;
pub mod stiction;

pub use answer::{Answer, Knob, Motion, Standing};
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

/// The answer of an engine, an estimate where the load alone forbids more. Without a load nothing
/// moves, and a speed below the smallest normal double is 0.
pub(crate) fn answer_of(engine: &dyn Engine, load: &Load) -> Answer {
    let mut answer = engine.answer(load);
    if let (Motion::Creeps(_), Some(reason)) = (answer.motion, load.doubt()) {
        answer.standing = answer.standing.doubted(reason);
    }
    answer.motion = match answer.motion {
        Motion::Creeps(_) if load.tangential_force == 0.0 => Motion::Rests(0.0),
        Motion::Creeps(speed) if speed < f64::MIN_POSITIVE => Motion::Creeps(0.0),
        motion => motion,
    };
    answer
}

/// All engines, in the order of display.
pub static ENGINES: Table<Entry<dyn Engine>> = Table::new(
    "engine",
    &[
        stiction::ENTRY,
        mujoco::ENTRY,
        newton::ENTRY,
        mujoco::NEWTON,
        drake::ENTRY,
        ipc::ENTRY,
        lammps::ENTRY,
        impulses::RAPIER,
        impulses::BULLET,
    ],
);
