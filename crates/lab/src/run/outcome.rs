//! The end of a run: its status, its verdict, and the final state of its bodies.

use stiction_core::diagnosis::drift::Parts;
use stiction_core::diagnosis::load::Carried;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::integrators::StepReport;
use stiction_core::simulation::SimulationError;
use stiction_scene::Expectation;

use super::extremes::Slip;
use super::steady::Steadiness;
use super::verification::Verification;

/// Tilt above which a body counts as tipped \[degrees\].
const TIPPED: f64 = 10.0;

/// Status of a run at its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// It reached the end.
    Completed,
    /// A step failed.
    Failed(SimulationError),
    /// The user stopped it.
    Interrupted,
}

impl Status {
    /// Word of a run that goes on, in its files.
    pub const RUNNING: &str = "running";
    /// Word of [`Status::Completed`].
    pub const COMPLETED: &str = "completed";
    /// Word of [`Status::Failed`].
    pub const FAILED: &str = "failed";
    /// Word of [`Status::Interrupted`].
    pub const INTERRUPTED: &str = "interrupted";

    /// Its word in files, tables and messages.
    pub fn word(&self) -> &'static str {
        match self {
            Status::Completed => Self::COMPLETED,
            Status::Failed(_) => Self::FAILED,
            Status::Interrupted => Self::INTERRUPTED,
        }
    }
}

/// Final state of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Fate {
    /// The body.
    pub body: String,
    /// Distance of its centre of mass from its start \[m\].
    pub travel: f64,
    /// Speed of its centre of mass \[m/s\].
    pub speed: f64,
    /// Tilt \[degrees\]; absent for bodies that cannot tip (particles, flat and round bodies), and
    /// if a turning collider may carry them along.
    pub tilt: Option<f64>,
    /// Whether the scene placed it turned, so that its tilt is from there.
    pub placed_turned: bool,
    /// Number of its contacts with others that stick, and of all of these.
    pub contacts: [usize; 2],
    /// The same of its contacts with itself.
    pub with_itself: [usize; 2],
    /// Rate of turn \[rad/s\] of a round body: a ring, a disc or a sphere.
    pub spin: Option<f64>,
}

impl Fate {
    /// Whether it tipped over.
    pub fn tipped(&self) -> bool {
        self.tilt.is_some_and(|tilt| tilt > TIPPED)
    }
}

/// Drift of one body over a window at the end of the run, split by cause: measured = law + stretch +
/// sliding + lag + integrator.
#[derive(Debug, Clone, PartialEq)]
pub struct Creep {
    /// The body.
    pub body: String,
    /// Mean velocity of its contacts relative to the touched surface, from displacement, weighted
    /// with their N \[m/s\].
    pub measured: f64,
    /// Load ratio ρ at the end; absent if its contacts have different normals.
    pub load_ratio: Option<f64>,
    /// The load on it at the end, and the share carried by friction; absent without a load.
    pub carried: Option<Carried>,
    /// The window \[s\]: the last quarter of the run unless the scene has another.
    pub window: [f64; 2],
    /// Share of the window, weighted with N, in which its contacts slid.
    pub sliding: f64,
    /// The time in which its contacts slid, over the run.
    pub slip: Slip,
    /// Whether it is steady.
    pub steadiness: Steadiness,
    /// Its parts \[m/s\]; `None` where they are not known.
    pub parts: Option<Parts>,
    /// The source of the parts.
    pub split: Split,
}

/// The source of the parts of a drift.
#[derive(Debug, Clone, PartialEq)]
pub enum Split {
    /// Balances of the run itself: an estimate.
    Balance,
    /// The drift of verifying runs, which converges: the integrator's part is what falls with the step.
    Refinement(Vec<DriftAt>),
    /// The drift of verifying runs, which does not converge: the integrator's part is not known.
    Unsettled(Vec<DriftAt>),
    /// The drift of verifying runs whose steps are all above a limit: that they agree says nothing.
    Unfounded(Vec<DriftAt>),
}

/// The drift of a body at a time step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DriftAt {
    /// The step \[s\].
    pub step: f64,
    /// Its drift along that of the run \[m/s\].
    pub drift: f64,
}

impl Creep {
    /// Time in which its contacts slid, weighted with N \[s\].
    pub fn time_sliding(&self) -> f64 {
        self.sliding * (self.window[1] - self.window[0])
    }
}

/// An expectation and its measured value.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The expectation.
    pub expectation: Expectation,
    /// The measured value; `None` if the run ended before.
    pub measured: Option<f64>,
    /// The frame of the measurement.
    pub frame: Option<usize>,
    /// By how much an extreme, the vertex of a parabola between the ends of steps, lies beyond the values there.
    pub between: f64,
    /// Error bar of the value, of which `between` is a part; `None` if the run was not verified.
    pub error: Option<f64>,
}

impl Checked {
    /// Whether it was met.
    pub fn met(&self) -> bool {
        self.measured
            .is_some_and(|m| (m - self.expectation.value).abs() <= self.expectation.tolerance)
    }

    /// Whether the bound of the tolerance lies within the error bar, so that the true value may be
    /// on the other side of the bound.
    pub fn in_doubt(&self) -> bool {
        let Some((measured, error)) = self.measured.zip(self.error) else { return false };
        let Expectation { value, tolerance, .. } = &self.expectation;
        ((measured - value).abs() - tolerance).abs() < error
    }
}

/// The change of a scene to try after a run that is not trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// Keys, and their new values as a scene has them.
    pub set: Vec<(&'static str, String)>,
    /// Estimate of the force evaluations, over those of this run.
    pub work: f64,
}

impl Advice {
    /// As options of a command: `--set KEY=VALUE …`.
    pub fn options(&self) -> String {
        let one = |(key, value): &(&str, String)| format!("--set {key}={value}");
        self.set.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

/// Result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Its status.
    pub status: Status,
    /// Its verdict.
    pub verdict: Verdict,
    /// Work done.
    pub work: StepReport,
    /// Steps taken.
    pub steps: u64,
    /// Creep per body.
    pub creep: Vec<Creep>,
    /// Expectations of the scene.
    pub checked: Vec<Checked>,
    /// Hash of the final positions and velocities.
    pub state_hash: u64,
    /// The verifying runs and the error bars; `None` if it was not verified.
    pub verification: Option<Verification>,
    /// The run to try next, where this one is not trusted.
    pub advice: Option<Advice>,
}

impl Creep {
    /// Takes back parts that come from runs whose steps are all above a limit.
    pub(super) fn forget_unfounded(&mut self) {
        if let Split::Refinement(runs) | Split::Unsettled(runs) = &mut self.split {
            let runs = std::mem::take(runs);
            (self.parts, self.split) = (None, Split::Unfounded(runs));
        }
    }
}

impl Outcome {
    /// Assigns the error bars of measures to the expectations.
    pub(super) fn doubt(&mut self) {
        let Some(verification) = &self.verification else { return };
        for checked in &mut self.checked {
            let at = |frame| verification.error(&checked.expectation.column, frame);
            let error = checked.frame.and_then(at).filter(|error| !error.is_nan());
            checked.error = error.map(|error| error + checked.between);
        }
    }
}
