//! The answer of an engine: the motion of a loaded body, its formula, and the largest stable step.

/// Motion of a body under a steady load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// Steady speed \[m/s\] under a load that friction should hold.
    Creeps(f64),
    /// Rest at an elastic offset \[m\], 0 without one.
    Rests(f64),
    /// Reversal with every step; the law has no steady creep.
    Chatters,
    /// Acceleration \[m/s²\]: the load exceeds friction.
    Slides(f64),
    /// Tips over its front edge: the rear contacts bear nothing.
    Tips,
    /// No form that was compared says how it moves.
    Unknown,
}

impl Motion {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Motion::Creeps(_) => "creeps",
            Motion::Rests(_) => "rests",
            Motion::Chatters => "chatters",
            Motion::Slides(_) => "slides",
            Motion::Tips => "tips",
            Motion::Unknown => "unknown",
        }
    }

    /// The speed of creep \[m/s\]: 0 at rest, `None` without a steady one.
    pub fn creep(self) -> Option<f64> {
        match self {
            Motion::Creeps(speed) => Some(speed),
            Motion::Rests(_) => Some(0.0),
            _ => None,
        }
    }
}

/// The largest stable step of an engine's own scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct StepLimit {
    /// h \[s\]; `None`: the scheme has no limit.
    pub largest: Option<f64>,
    /// Its formula, or the reason why there is no limit.
    pub formula: String,
}

impl StepLimit {
    /// A limit with its formula.
    pub fn at(largest: f64, formula: impl Into<String>) -> Self {
        StepLimit { largest: Some(largest), formula: formula.into() }
    }

    /// No limit, with the reason.
    pub fn none(reason: impl Into<String>) -> Self {
        StepLimit { largest: None, formula: reason.into() }
    }
}

/// How far an answer was compared with runs of the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// Runs of the engine confirmed this shape of contact: the runs, and the largest difference.
    Exact(String),
    /// No run did, or runs differ: the reason.
    Estimate(String),
}

impl Standing {
    /// The reason of an estimate.
    pub fn estimate(&self) -> Option<&str> {
        match self {
            Standing::Estimate(reason) => Some(reason),
            Standing::Exact(_) => None,
        }
    }

    /// An estimate for one more reason.
    pub(super) fn doubted(&self, reason: String) -> Self {
        Standing::Estimate(match self {
            Standing::Exact(_) => reason,
            Standing::Estimate(own) => format!("{own}; {reason}"),
        })
    }

    /// The runs that confirmed it.
    pub fn compared(&self) -> Option<&str> {
        match self {
            Standing::Exact(runs) => Some(runs),
            Standing::Estimate(_) => None,
        }
    }
}

/// An intermediate quantity of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detail {
    /// Name, with its symbol.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// Unit in SI, `""` for a ratio.
    pub unit: &'static str,
}

/// An engine's answer to a load.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Motion of the body.
    pub motion: Motion,
    /// Whether runs of the engine confirmed it.
    pub standing: Standing,
    /// The formula, with its units.
    pub formula: String,
    /// Keys of references.bib.
    pub sources: Vec<String>,
    /// The step of the calculation \[s\].
    pub step: f64,
    /// The largest stable step.
    pub limit: StepLimit,
    /// Advice: sentences with numbers.
    pub advice: Vec<String>,
    /// Intermediate quantities.
    pub details: Vec<Detail>,
}

/// The end towards which a parameter reduces creep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toward {
    /// Smaller values > 0.
    Zero,
    /// Larger values.
    Infinity,
    /// Values towards 1 from below.
    One,
}

/// A parameter that reduces creep.
pub struct Knob {
    /// Its present value.
    pub start: f64,
    /// The end towards which creep decreases.
    pub toward: Toward,
    /// The farthest sensible value.
    pub end: f64,
    /// Key values for a value of the parameter: its own, and those that must follow.
    pub set: Box<dyn Fn(f64) -> Vec<(&'static str, f64)>>,
    /// Drawback of the change, one sentence.
    pub price: &'static str,
}
