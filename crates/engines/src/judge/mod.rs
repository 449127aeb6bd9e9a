//! The verdict on a run of any engine, from its log: by momentum, displacement and law, as for this
//! program's runs.
//!
//! A [`Log`] holds the data reported by an engine. Each [`Check`] asks one question about one body
//! and answers with [`Outcome`]s: the finding, the fault, or the missing data. [`evidence`] holds
//! the common quantities: noise, steady windows, loads from momentum; [`motion`] those of slip.

pub mod balance;
pub mod chatter;
pub mod cone;
pub mod creep;
pub mod direction;
pub mod displacement;
pub mod document;
pub mod energy;
pub mod evidence;
pub mod flights;
pub mod jumps;
pub mod lapses;
pub mod log;
pub mod momentum;
pub mod motion;
pub mod normal;
pub mod reaction;
pub mod recoil;
pub mod sleep;
pub mod sliding;
pub mod slip;
pub(crate) mod statistics;
pub mod torques;
pub mod turns;
pub mod units;
pub mod work;

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
    /// Inclination of a plane that bears the bodies of a log without contacts \[rad\]; else without meaning.
    pub slope: Option<f64>,
    /// Whether the surroundings may move.
    pub moving: bool,
    /// Creep from a closed form of the engine or law \[m/s\], and its name.
    pub law: Option<(f64, String)>,
    /// Largest tolerated creep \[m/s\].
    pub creep: Option<f64>,
}

/// An answer of a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// No fault in what was compared, with the number that shows it.
    Clear(String),
    /// A finding that is not a fault.
    Found(String),
    /// A fault.
    Fault(&'static FaultKind, String),
    /// Not judged: the missing data.
    NotJudged(String),
}

impl Outcome {
    /// Not judged, since something is missing.
    pub(crate) fn lacks(what: &str) -> Outcome {
        Outcome::NotJudged(what.into())
    }

    /// One word: clear, found, fault or not judged.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Clear(_) => "clear",
            Outcome::Found(_) => "found",
            Outcome::Fault(..) => "fault",
            Outcome::NotJudged(_) => "not judged",
        }
    }

    /// The numbers in words, or what is missing.
    pub fn text(&self) -> &str {
        match self {
            Outcome::Clear(text)
            | Outcome::Found(text)
            | Outcome::Fault(_, text)
            | Outcome::NotJudged(text) => text,
        }
    }

    /// The kind of a fault.
    pub fn fault(&self) -> Option<&'static FaultKind> {
        match self {
            Outcome::Fault(kind, _) => Some(kind),
            _ => None,
        }
    }

    /// Whether something was compared.
    pub fn is_judged(&self) -> bool {
        !matches!(self, Outcome::NotJudged(_))
    }
}

/// A question about a body of a log.
pub struct Check {
    /// Its name in tables and JSON.
    pub name: &'static str,
    /// The compared quantities.
    pub about: &'static str,
    /// Answers for the body with this index, one at least.
    pub judge: fn(&Evidence, usize) -> Vec<Outcome>,
}

/// All checks, in the order of their answers.
pub static CHECKS: &[&Check] = &[
    &units::CHECK,
    &balance::CHECK,
    &torques::CHECK,
    &reaction::CHECK,
    &jumps::CHECK,
    &momentum::CHECK,
    &lapses::CHECK,
    &displacement::CHECK,
    &turns::CHECK,
    &normal::CHECK,
    &slip::CHECK,
    &cone::CHECK,
    &sliding::CHECK,
    &direction::CHECK,
    &work::CHECK,
    &creep::CHECK,
    &recoil::CHECK,
    &chatter::CHECK,
    &energy::CHECK,
    &flights::CHECK,
    &sleep::CHECK,
];

/// The checks of which one at least must have been able to compare, else the log is not judged: they look at
/// friction, its work or its effect.
pub(crate) static OF_FRICTION: &[&Check] = &[
    &balance::CHECK,
    &momentum::CHECK,
    &lapses::CHECK,
    &cone::CHECK,
    &sliding::CHECK,
    &direction::CHECK,
    &work::CHECK,
    &creep::CHECK,
];

/// The kinds of faults that do not exist in this program's runs, for `explain`.
pub static KINDS: &[&FaultKind] = &[
    &balance::FORCES_UNBALANCED,
    &torques::TORQUES_UNBALANCED,
    &displacement::DISPLACEMENT_OFF_VELOCITY,
    &turns::TURNS_OFF_SPIN,
    &normal::MOVES_ALONG_NORMAL,
    &slip::SLIP_OFF_MOTION,
    &cone::CONE_EXCEEDED,
    &sliding::FRICTION_OFF_THE_CONE,
    &direction::FRICTION_OFF_THE_SLIP,
    &creep::CREEP_ABOVE_LIMIT,
    &recoil::RECOIL,
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

/// Gravity where a slope is given and gravity is not \[m/s²\].
pub const GRAVITY: f64 = 9.81;

impl JudgeOptions {
    /// Checks the numbers.
    ///
    /// # Errors
    /// The first number out of its range, by the name of its option.
    pub fn check(&self) -> Result<(), LogError> {
        let fail =
            |option: &str, asked: &str| Err(LogError(format!("{option}: {asked} is needed")));
        let from_zero = |value: Option<f64>| value.is_none_or(|x| x >= 0.0 && x.is_finite());
        if !self.gravity.is_none_or(|g| g.iter().all(|x| x.is_finite())) {
            return fail("gravity", "three finite numbers");
        }
        if !from_zero(self.friction) {
            return fail("friction", "a number from 0 on");
        }
        if !self.slope.is_none_or(|slope| slope.abs() < std::f64::consts::FRAC_PI_2) {
            return fail("slope", "an angle below 90 degrees");
        }
        if self.slope.is_some() && self.gravity == Some(Vector::zeros()) {
            return fail("slope", "gravity");
        }
        if !from_zero(self.creep) || !from_zero(self.law.as_ref().map(|law| law.0)) {
            return fail("creep", "a speed from 0 on");
        }
        Ok(())
    }
}

/// Judges a log that has passed [`Log::check`], by options that have passed [`JudgeOptions::check`].
pub fn judge(log: &Log, given: &JudgeOptions) -> Vec<Finding> {
    let mut log = log.clone().with_both_sides();
    let mut given = given.clone();
    if let (Some(slope), None) = (given.slope, &log.contacts) {
        let gravity = given.gravity.take().or(log.gravity).filter(|g| g.norm() > 0.0);
        log = log.on_slope(slope, gravity.unwrap_or(Vector::z() * -GRAVITY));
    } else {
        given.slope = None;
    }
    let evidence = Evidence::new(&log, &given);
    let of_body = |n: usize| {
        let (evidence, log) = (&evidence, &log);
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
