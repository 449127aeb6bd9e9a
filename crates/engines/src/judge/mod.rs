//! The verdict on a run of any engine, from its log: by momentum, displacement and law, as for this
//! program's runs.
//!
//! A [`Log`] holds the data reported by an engine. Each [`Check`] asks one question about one body
//! and answers with [`Outcome`]s: the finding, the fault, or the missing data. [`evidence`] holds
//! the common quantities: noise, steady windows, loads from momentum.

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

/// Facts in addition to the log.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JudgeOptions {
    /// Gravity \[m/s²\], in place of the log's.
    pub gravity: Option<Vector>,
    /// Coefficient of static friction of contacts without one.
    pub friction: Option<f64>,
    /// Whether the surroundings may move.
    pub moving: bool,
    /// Creep from a closed form of the engine or law \[m/s\], and its name.
    pub law: Option<(f64, String)>,
}

/// An answer of a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// No fault, with the number that shows it.
    Clear(String),
    /// A finding that is not a fault.
    Found(String),
    /// A fault.
    Fault(&'static FaultKind, String),
    /// Data are missing.
    Unjudged(String),
}

/// A question about a body of a log.
pub struct Check {
    /// Its name in tables and JSON.
    pub name: &'static str,
    /// The compared quantities.
    pub about: &'static str,
    /// Answers for the body with this index.
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

/// The kinds of faults that do not exist in this program's runs, for `explain`.
pub static KINDS: &[&FaultKind] = &[
    &balance::FORCES_UNBALANCED,
    &displacement::DISPLACEMENT_OFF_VELOCITY,
    &cone::CONE_EXCEEDED,
    &cone::FRICTION_OFF_THE_CONE,
    &energy::ENERGY_MADE,
    &sleep::FALSE_SLEEP,
];

/// An answer with its check and body.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Name of the check.
    pub check: &'static str,
    /// Name of the body.
    pub body: String,
    /// The answer.
    pub outcome: Outcome,
}

/// Judges a log that has passed [`Log::check`].
pub fn judge(log: &Log, given: &JudgeOptions) -> Vec<Finding> {
    let evidence = Evidence::new(log, given);
    let of_body = |n: usize| {
        let evidence = &evidence;
        CHECKS.iter().flat_map(move |check| {
            (check.judge)(evidence, n).into_iter().map(move |outcome| Finding {
                check: check.name,
                body: log.bodies[n].name.clone(),
                outcome,
            })
        })
    };
    (0..log.bodies.len()).flat_map(of_body).collect()
}
