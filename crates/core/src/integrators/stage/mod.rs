//! One stage of an implicit method: Newton's iteration with line search on the velocity.
//!
//! Every implicit method here solves for v and x = x̃ + h v with
//!
//! ```text
//! M (v − ṽ) = h F(t, x̃ + h v, v)
//! ```
//!
//! on the free axes; the methods differ only in h, x̃ and ṽ. At the jump of a law with μ_s > μ_k there
//! can be two solutions: the iteration finds one by starting from the velocity at the start of the step.
//!
//! Each iteration solves for the branches (open, stick, slip) at its velocities. A slip that would leap
//! across the stick zone stops in it. Where that does not lead to a solution, the update is halved until
//! Σ |r|²/m falls, r the residual; where no halving makes it fall, the iteration ends.

pub mod counts;
pub mod keys;
mod linearised;
pub mod newton;

pub use counts::StageCounts;
pub use keys::KEYS;
pub(crate) use keys::{LINEAR_KEYS, LINEAR_SOLVER, MAX_ITERATIONS, NEWTON_TOLERANCE};
pub use newton::{FINEST, Newton};

use crate::linear::{LinearError, MatrixForm};
use crate::math::{Vector, larger, smaller};
use crate::model::Model;
use crate::state::memory::Memory;
use crate::state::{Configuration, Lag};

use crate::step_error::StepError;

/// Tolerated residual of the first linear system of a stage, as a share of its right-hand side.
const FIRST_FORCING: f64 = 0.1;

/// Least tolerated share in the next ones, before the last.
const LEAST_FORCING: f64 = 0.03;

/// Least tolerated share where forces were smooth over the last update.
const SMOOTH_FORCING: f64 = 1e-3;

/// The last system of a stage gains up to four digits.
const LAST_FORCING: f64 = 1e-4;

/// Largest residual of the last linear system, as a share of the tolerance.
const SHARE: f64 = 0.7;

/// An iteration that leaves less than this share of Σ |r|²/m uses its matrix again.
const GOOD: f64 = 0.03;

/// An iteration that leaves more than this share of Σ |r|²/m is a poor one.
const POOR: f64 = 0.25;

/// Constant data of a step.
#[derive(Clone, Copy)]
pub struct StageWorld<'a> {
    /// The physics.
    pub model: &'a Model,
    /// Contact memory as of the last commit.
    pub memory: &'a Memory,
}

/// The equation M (v − ṽ) = h F(t, x̃ + h v, v).
#[derive(Clone, Copy)]
pub struct NewtonStage<'a> {
    /// t \[s\].
    pub time: f64,
    /// h \[s\].
    pub h: f64,
    /// x̃ \[m\].
    pub x: &'a [Vector],
    /// ṽ \[m/s\].
    pub v: &'a [Vector],
}

/// Start of the iteration.
#[derive(Clone, Copy)]
pub struct NewtonStart<'a> {
    /// The velocity at the start of the step \[m/s\].
    pub v: &'a [Vector],
    /// Accelerations at the start \[m/s²\], zero on held axes: first guess of iterative linear solvers.
    /// The solution depends on it only within their tolerance.
    pub a: &'a [Vector],
    /// Expected duration of these accelerations \[s\].
    pub duration: f64,
}

/// Failure of an attempt at a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NewtonFailure {
    /// Newton's iteration did not converge.
    Diverged {
        /// Iterations taken.
        iterations: u32,
        /// Largest residual impulse \[N·s\].
        residual: f64,
        /// Its particle.
        particle: usize,
    },
    /// A linear system could not be solved.
    Unsolved {
        /// Why.
        cause: LinearError,
        /// Iterations taken.
        iterations: u32,
        /// Largest residual impulse \[N·s\].
        residual: f64,
        /// Its particle.
        particle: usize,
    },
    /// A force or velocity is not finite.
    NonFinite {
        /// The first such particle.
        particle: usize,
    },
}

fn first_infinite(of: &[Vector]) -> usize {
    of.iter().position(|r| !r.norm_squared().is_finite()).unwrap_or(0)
}

/// Progress of an iteration.
struct Course<'a> {
    form: MatrixForm,
    /// Σ |r|²/m
    norm: f64,
    /// the largest |r|/m
    off: f64,
    /// tolerated share of the residual in the next linear system
    forcing: f64,
    /// tolerated error of a velocity [m/s]
    target: f64,
    /// velocities at the start \[m/s\]
    first: &'a [Vector],
    /// iterations since the start, or since it began anew
    taken: u32,
    /// the smallest Σ |r|²/m so far
    best: f64,
    /// iterations since
    daring: u32,
    /// whether updates are halved until the residual falls
    cautious: bool,
    poor_steps: u32,
    /// whether no halving of the last update made the residual fall
    trapped: bool,
    /// whether the last update left little more than the residual of its linear system
    smooth: bool,
    begun: bool,
    /// whether the blocks of springs serve another iteration
    keep: bool,
    rise: Option<(&'a [Vector], f64)>,
}

impl<'a> Course<'a> {
    /// Before the first residual.
    fn new(form: MatrixForm, target: f64, start: &NewtonStart<'a>) -> Self {
        Course {
            form,
            norm: 0.0,
            off: 0.0,
            forcing: FIRST_FORCING,
            target,
            first: start.v,
            taken: 0,
            best: f64::INFINITY,
            daring: 0,
            cautious: false,
            poor_steps: 0,
            trapped: false,
            smooth: false,
            begun: false,
            keep: false,
            rise: Some((start.a, start.duration)),
        }
    }

    /// Tolerated residual of the next linear system, as a share of its right-hand side. Where forces were
    /// smooth over the last update and few digits are missing, this update completes them.
    fn wanted(&self) -> f64 {
        let enough = SHARE * self.target / self.off;
        if self.smooth && enough > LAST_FORCING {
            return smaller(enough, FIRST_FORCING);
        }
        larger(self.forcing, smaller(enough, FIRST_FORCING))
    }

    /// After an iteration from the norm `before` whose linear system was solved to the share `wanted`:
    /// sets the accuracy of the next, by the second choice of \[eisenstat1996\] within bounds.
    fn proceed(&mut self, before: f64, wanted: f64) {
        let next = 0.9 * self.norm / before;
        self.smooth = self.norm < 4.0 * wanted * wanted * before;
        let least = if self.smooth { SMOOTH_FORCING } else { LEAST_FORCING };
        self.forcing = smaller(larger(next, least), FIRST_FORCING);
        self.keep = self.norm < GOOD * before;
        if self.norm > POOR * before {
            self.poor_steps += 1;
        }
    }
}

impl NewtonFailure {
    /// Whether a shorter step may do better.
    pub(crate) fn depends_on_the_step(&self) -> bool {
        !matches!(self, Self::Unsolved { cause: LinearError::OutOfMemory { .. }, .. })
    }

    /// The failure after `before` iterations. An iteration whose linear system was not solved
    /// counts too.
    fn after(self, before: u32) -> NewtonFailure {
        match self {
            NewtonFailure::Unsolved { cause, residual, particle, .. } => {
                NewtonFailure::Unsolved { cause, iterations: before + 1, residual, particle }
            }
            other => other,
        }
    }

    /// The error of a step, with time and length of the smallest substep tried \[s\].
    pub fn at(self, time: f64, substep: f64) -> StepError {
        match self {
            NewtonFailure::NonFinite { particle } => StepError::BlownUp { time, particle },
            NewtonFailure::Diverged { iterations, residual, particle } => {
                StepError::NewtonDiverged { time, iterations, residual, particle, substep }
            }
            NewtonFailure::Unsolved { cause, iterations, residual, particle } => {
                StepError::Unsolved { cause, time, iterations, residual, particle, substep }
            }
        }
    }
}

/// The trial point (t, x, v).
fn trial<'a>(
    world: &StageWorld<'a>,
    time: f64,
    positions: &'a [Vector],
    velocities: &'a [Vector],
    lag: Lag,
) -> Configuration<'a> {
    Configuration {
        time,
        positions,
        velocities,
        memory: world.memory,
        stretch: None,
        lag,
        within_step: true,
    }
}
