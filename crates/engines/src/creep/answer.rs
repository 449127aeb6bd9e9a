//! The answer of an engine: how a loaded body moves, by which formula, and which step that needs.

/// How a body moves under a steady load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// At a steady speed \[m/s\], under a load that friction should hold.
    Creeps(f64),
    /// Not at all: it rests at an elastic offset \[m\], 0 where it has none.
    Rests(f64),
    /// To and fro with every step; the law has no steady creep.
    Chatters,
    /// With an acceleration \[m/s²\]: the load is more than friction holds.
    Slides(f64),
    /// Over its front edge: the rear contacts bear nothing.
    Tips,
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
        }
    }

    /// The speed of its creep \[m/s\]: 0 at rest, `None` where it has no steady one.
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
    /// Its formula, or the reason why there is none.
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

/// A quantity that was computed on the way to an answer.
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
    /// How the body moves.
    pub motion: Motion,
    /// Why this is an estimate; `None`: the engine's own equations solved in closed form.
    pub estimate: Option<String>,
    /// The formula, with its units.
    pub formula: String,
    /// Keys of references.bib.
    pub sources: Vec<String>,
    /// The step that was reckoned with \[s\].
    pub step: f64,
    /// The largest stable step.
    pub limit: StepLimit,
    /// Advice: sentences with numbers.
    pub advice: Vec<String>,
    /// Quantities on the way.
    pub details: Vec<Detail>,
}

/// The end towards which a parameter lowers creep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toward {
    /// Smaller values > 0.
    Zero,
    /// Larger values.
    Infinity,
    /// Values nearer to 1 from below.
    One,
}

/// A parameter that lowers creep.
pub struct Knob {
    /// Its value now.
    pub start: f64,
    /// The end towards which creep falls.
    pub toward: Toward,
    /// The farthest sensible value.
    pub end: f64,
    /// The values of keys that a value of it means: its own, and those that must follow.
    pub set: Box<dyn Fn(f64) -> Vec<(&'static str, f64)>>,
    /// Price of turning it, one sentence.
    pub price: &'static str,
}
