//! Display of one run: its last state, history, playback and the settings that can be changed.

use super::dial::Dial;
use super::history::History;
use super::keys::Knob;
use super::snapshot::Snapshot;
use std::sync::Arc;
use stiction_core::math::Vector;

/// Names that model and state do not know.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Labels {
    /// Title of the scene.
    pub title: String,
    /// Name of the integrator in use.
    pub integrator: String,
    /// The friction law.
    pub law: String,
    /// The scene's end \[s\].
    pub end: Option<f64>,
}

/// Playback of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Playback {
    /// Seconds of the scene per second of the clock that are wanted; `None` in a film.
    pub wanted: Option<f64>,
    /// The same as achieved lately; `None` while paused.
    pub achieved: Option<f64>,
    /// The reason why it went no further.
    pub failure: Option<String>,
    /// Whether the user's push acts.
    pub pushing: bool,
    /// A remark that is no failure, for example that the end is reached.
    pub remark: Option<String>,
    /// Faults before a change while it ran: "until 1.2 s, before ε was changed: chatter".
    pub before: Vec<String>,
    /// Start of the time that the verdict covers, where it is not t = 0 \[s\].
    pub since: Option<f64>,
    /// Result of verifying the scene as it is set.
    pub verified: Option<Verified>,
}

/// The result of a verification, in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// One sentence.
    pub text: String,
    /// Whether the run is trusted; `None` while it is being verified.
    pub good: Option<bool>,
}

/// The largest stable step of the method at the present state.
#[derive(Debug, Clone, PartialEq)]
pub enum StableStep {
    /// It is being computed.
    Unknown,
    /// The method chooses its own steps.
    Adaptive,
    /// There is none that is computed, and why.
    Refused(String),
    /// The method has no limit here.
    Unlimited,
    /// A limit \[s\], and what sets it; 0 where some motion grows at any step.
    Limit(f64, String),
}

/// A setting that can be changed while the scene runs, with its present value.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Its knob.
    pub knob: Knob,
    /// Its value with unit; "–" where the scene has none.
    pub value: String,
    /// The same as a number with its slider, where it is one.
    pub dial: Option<Dial>,
}

/// A run that others are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Ghost {
    /// Its name: "rk4 at 10 µs".
    pub name: String,
    /// Its positions at the time of the picture \[m\].
    pub positions: Arc<Vec<Vector>>,
    /// Whether it is trusted itself.
    pub trusted: bool,
}

/// Everything shown of one run.
#[derive(Clone)]
pub struct Display {
    /// The run.
    pub snapshot: Snapshot,
    /// Its figures over time.
    pub history: History,
    /// Its names.
    pub labels: Labels,
    /// Its playback.
    pub playback: Playback,
    /// The settings that can be changed.
    pub settings: Vec<Setting>,
    /// The largest stable step now, and before the last change.
    pub stable_step: (StableStep, Option<StableStep>),
    /// The particle whose path is drawn.
    pub chosen: Option<usize>,
    /// The reference.
    pub ghost: Option<Ghost>,
}

impl Display {
    /// A run with its names alone, as in a film.
    pub fn plain(snapshot: Snapshot, labels: Labels, playback: Playback) -> Display {
        Display {
            snapshot,
            labels,
            playback,
            history: History::default(),
            settings: Vec::new(),
            stable_step: (StableStep::Unknown, None),
            chosen: None,
            ghost: None,
        }
    }
}
