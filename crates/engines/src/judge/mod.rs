//! The verdict on a run of any engine, from its log: by momentum, displacement and law, as on our own runs.
//!
//! A [`Log`] holds what an engine told. Each [`Check`] asks one question of one body and answers with
//! [`Outcome`]s: what it saw, what is wrong, or which data lack. [`evidence`] has what they share: the noise of
//! the numbers, steady windows, loads from momentum.

pub mod balance;
pub mod chatter;
pub mod cone;
pub mod creep;
pub mod displacement;
pub mod document;
pub mod energy;
pub mod evidence;
pub mod log;
pub mod sleep;
pub(crate) mod statistics;

pub use evidence::Evidence;
pub use log::{Log, LogError};
use stiction_core::diagnosis::watch::FaultKind;
use stiction_core::math::Vector;

/// Facts beside the log.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    /// Gravity \[m/s²\], in place of the log's.
    pub gravity: Option<Vector>,
    /// Coefficient of static friction where contacts have none.
    pub friction: Option<f64>,
    /// The surroundings may move.
    pub moving: bool,
    /// Creep by a closed form of the engine or law \[m/s\], and its name.
    pub law: Option<(f64, String)>,
}

/// An answer of a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Nothing wrong, with the number that shows it.
    Clear(String),
    /// Worth knowing, and no fault.
    Found(String),
    /// Something is wrong.
    Fault(&'static FaultKind, String),
    /// Data lack.
    Unjudged(String),
}

/// A question to a body of a log.
pub struct Check {
    /// Its name in tables and JSON.
    pub name: &'static str,
    /// The quantities that it compares.
    pub about: &'static str,
    /// Asks about the body with this number.
    pub judge: fn(&Evidence, usize) -> Vec<Outcome>,
}

/// All checks, in the order of their answers.
pub(crate) static CHECKS: &[&Check] = &[
    &balance::CHECK,
    &displacement::CHECK,
    &creep::CHECK,
    &chatter::CHECK,
    &cone::CHECK,
    &energy::CHECK,
    &sleep::CHECK,
];

/// The kinds of faults that no watch of our own runs has, for `explain`.
pub static KINDS: &[&FaultKind] = &[
    &balance::FORCES_UNBALANCED,
    &displacement::DISPLACEMENT_OFF_VELOCITY,
    &cone::CONE_EXCEEDED,
    &cone::FRICTION_OFF_THE_CONE,
    &energy::ENERGY_MADE,
    &sleep::FALSE_SLEEP,
];

/// An answer with the check and the body that it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Name of the check.
    pub check: &'static str,
    /// Name of the body.
    pub body: String,
    /// The answer.
    pub outcome: Outcome,
}

/// Judges a log that was checked ([`Log::check`]).
pub fn judge(log: &Log, given: &Given) -> Vec<Said> {
    let evidence = Evidence::new(log, given);
    let of_body = |n: usize| {
        let evidence = &evidence;
        CHECKS.iter().flat_map(move |check| {
            (check.judge)(evidence, n).into_iter().map(move |outcome| Said {
                check: check.name,
                body: log.bodies[n].name.clone(),
                outcome,
            })
        })
    };
    (0..log.bodies.len()).flat_map(of_body).collect()
}
