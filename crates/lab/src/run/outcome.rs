//! The end of a run: how it ended, its verdict, and the final state of its bodies.

use stiction_core::diagnosis::creep::Carried;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::integrators::StepReport;
use stiction_core::simulation::SimulationError;
use stiction_scene::Expectation;

use super::verification::Verification;

/// Tilt above which a body counts as tipped \[degrees\].
const TIPPED: f64 = 10.0;

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Status {
    /// It reached the end.
    Completed,
    /// A step could not be taken.
    Failed(SimulationError),
    /// The user stopped it.
    Interrupted,
}

impl Status {
    /// One word: completed, failed or interrupted.
    pub fn word(&self) -> &'static str {
        match self {
            Status::Completed => "completed",
            Status::Failed(_) => "failed",
            Status::Interrupted => "interrupted",
        }
    }
}

/// The fate of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Fate {
    /// The body.
    pub body: String,
    /// Distance its centre of mass is from where it started \[m\].
    pub travel: f64,
    /// Speed of its centre of mass \[m/s\].
    pub speed: f64,
    /// Tilt \[degrees\]; absent for what cannot tip (particles, flat and round bodies) and where a
    /// turning collider may carry it round.
    pub tilt: Option<f64>,
    /// Rate of turn \[rad/s\] of what has no side to stand on: a ring, a disc or a sphere.
    pub spin: Option<f64>,
}

impl Fate {
    /// Whether it tipped over.
    pub fn tipped(&self) -> bool {
        self.tilt.is_some_and(|tilt| tilt > TIPPED)
    }
}

/// Creep of one body over the last quarter of the run, split by cause:
/// measured = law + integrator + lag.
#[derive(Debug, Clone, PartialEq)]
pub struct Creep {
    /// The body.
    pub body: String,
    /// Mean velocity of its contacts relative to what they are on, from displacement, weighted with
    /// their N \[m/s\].
    pub measured: f64,
    /// Load ratio ρ at the end; absent when its contacts do not share a normal.
    pub load_ratio: Option<f64>,
    /// The load on it at the end, and the share of it that friction carries; absent without a load.
    pub carried: Option<Carried>,
    /// The law's own creep under the friction that its momentum says was needed \[m/s\]; absent
    /// where contacts slide or the law says nothing.
    pub law: Option<f64>,
    /// The method's share \[m/s\].
    pub integrator: Option<f64>,
    /// The share of lagging N \[m/s\].
    pub lag: Option<f64>,
}

/// An expectation and what came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The expectation.
    pub expectation: Expectation,
    /// The measured value; `None` when the run ended before.
    pub measured: Option<f64>,
    /// The frame it was measured at.
    pub frame: Option<usize>,
    /// How wrong the value may be; `None` where the run was not verified.
    pub error: Option<f64>,
}

impl Checked {
    /// Whether it was met.
    pub fn met(&self) -> bool {
        self.measured
            .is_some_and(|m| (m - self.expectation.value).abs() <= self.expectation.tolerance)
    }

    /// Whether the error bar reaches across the tolerance: the true value may be on its other side.
    pub fn in_doubt(&self) -> bool {
        let Some((measured, error)) = self.measured.zip(self.error) else { return false };
        let Expectation { value, tolerance, .. } = &self.expectation;
        ((measured - value).abs() - tolerance).abs() < error
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Its end.
    pub status: Status,
    /// Whether its numbers can be trusted.
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
    /// The runs it was compared with, and the error bars; `None` where it was not verified.
    pub verification: Option<Verification>,
}

impl Outcome {
    /// Gives expectations the error bars of their measures.
    pub(super) fn doubt(&mut self) {
        let Some(verification) = &self.verification else { return };
        for checked in &mut self.checked {
            let at = |frame| verification.error(&checked.expectation.column, frame);
            checked.error = checked.frame.and_then(at);
        }
    }
}
