//! Display of one run: its last state, history, playback and changeable settings.

use super::dial::Dial;
use super::history::History;
use super::keys::Knob;
use super::snapshot::Snapshot;
use std::ops::Range;
use std::sync::Arc;
use stiction_core::math::Vector;
use stiction_core::measures::Reduction;
use stiction_scene::Moment;
use stiction_scene::numbers::SceneNumber;

/// Names, and the end of the scene, which are not part of model and state.
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
    /// Requested scene time per wall time; `None` in a film.
    pub wanted: Option<f64>,
    /// Recently achieved scene time per wall time; `None` while paused.
    pub achieved: Option<f64>,
    /// The reason why the run stopped.
    pub failure: Option<String>,
    /// Whether the user's push acts.
    pub pushing: bool,
    /// A remark that is not a failure, for example that the end is reached.
    pub remark: Option<String>,
    /// Faults before a change during the run: "until 1.2 s, before ε was changed: chatter".
    pub before: Vec<String>,
    /// Start of the period covered by the verdict \[s\], if it is not t = 0.
    pub since: Option<f64>,
    /// Start of the readings from which reduced measures are computed \[s\], if a change or the hand made
    /// them begin anew.
    pub counted: Option<f64>,
    /// Whether the scene's end is reached.
    pub ended: bool,
    /// Result of verifying the scene with the present settings.
    pub verified: Option<Verified>,
    /// Where the time goes, if it is measured.
    pub profile: Option<String>,
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
    /// Being computed.
    Unknown,
    /// The method chooses its own steps.
    Adaptive,
    /// Not computed, with the reason.
    Refused(String),
    /// The method has no limit here.
    Unlimited,
    /// The limit \[s\], and its cause; 0 if some motion grows at any step.
    Limit(f64, String),
}

/// A setting that can be changed during the run, with its present value.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Its knob.
    pub knob: Knob,
    /// Its name; the path of a number of the scene.
    pub name: String,
    /// Whether a change starts the run again.
    pub restarts: bool,
    /// Its value with unit; "–" if the scene has none.
    pub value: String,
    /// The value as a number with a slider, if it is numeric.
    pub dial: Option<Dial>,
}

impl Setting {
    /// A setting that every scene has.
    pub fn of(knob: Knob, value: String, dial: Option<Dial>) -> Setting {
        Setting { knob, name: knob.name().into(), restarts: false, value, dial }
    }
}

/// A run with which others are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Ghost {
    /// Its name: "rk4 at 10 µs".
    pub name: String,
    /// Its positions at the time of the picture \[m\].
    pub positions: Arc<Vec<Vector>>,
    /// Whether it is trusted.
    pub trusted: bool,
}

/// A value that the scene expects of a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedValue {
    /// Its column, counted from the measure's first.
    pub column: usize,
    /// The moment at which it is expected.
    pub at: Moment,
    /// The least and greatest value within its tolerance.
    pub range: (f64, f64),
}

/// A measure of the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its unit; empty for numbers.
    pub unit: &'static str,
    /// Its columns in [`Sample::measures`](crate::history::Sample::measures): one, or three of a vector.
    pub columns: Range<usize>,
    /// The values that the scene expects of it.
    pub expected: Vec<ExpectedValue>,
    /// If it is one number in place of a curve, as a period is: its kind, and the start of the readings
    /// from which it is computed \[s\].
    pub reduced: Option<(Reduction, f64)>,
}

impl Measured {
    /// The least and greatest value expected at the scene's end or of an extreme, if any.
    pub fn band(&self) -> Option<(f64, f64)> {
        let of_all = |value: &&ExpectedValue| !matches!(value.at, Moment::Time(_));
        self.expected.iter().find(of_all).map(|value| value.range)
    }
}

/// The moment at which a body loses contact with another body or a collider.
#[derive(Debug, Clone, PartialEq)]
pub struct Parting {
    /// The last time at which they touched \[s\].
    pub time: f64,
    /// In words, with the time.
    pub text: String,
}

/// All displayed data of one run.
#[derive(Clone)]
pub struct Display {
    /// The run.
    pub snapshot: Snapshot,
    /// Its figures over time.
    pub history: History,
    /// The scene's measures.
    pub measured: Arc<Vec<Measured>>,
    /// The partings of its bodies, ascending in time.
    pub partings: Vec<Parting>,
    /// Its names.
    pub labels: Labels,
    /// Its playback.
    pub playback: Playback,
    /// The changeable settings.
    pub settings: Vec<Setting>,
    /// All numbers of the scene.
    pub numbers: Arc<Vec<SceneNumber>>,
    /// The largest stable step now, and before the last change.
    pub stable_step: (StableStep, Option<StableStep>),
    /// The particle whose path is drawn.
    pub chosen: Option<usize>,
    /// The reference.
    pub ghost: Option<Ghost>,
}

impl Display {
    /// Whether the method has a limit of h λ, and any contact has had an h λ so far.
    pub fn has_rate(&self) -> bool {
        self.snapshot.decay_limit.is_some() && self.has_friction_rate()
    }

    /// Whether any contact has had an h λ so far.
    pub fn has_friction_rate(&self) -> bool {
        let before = self.history.samples().iter().any(|sample| sample.hlambda > 0.0);
        before || self.snapshot.hlambda > 0.0
    }

    /// A run without history, settings or reference, as in a film.
    pub fn plain(snapshot: Snapshot, labels: Labels, playback: Playback) -> Display {
        Display {
            snapshot,
            labels,
            playback,
            history: History::default(),
            measured: Arc::default(),
            partings: Vec::new(),
            settings: Vec::new(),
            numbers: Arc::default(),
            stable_step: (StableStep::Unknown, None),
            chosen: None,
            ghost: None,
        }
    }
}
