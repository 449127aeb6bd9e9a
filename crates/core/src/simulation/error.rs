//! The failure of a step, in words and with its remedy.

use crate::linear::LinearError;
use crate::model::Model;
use crate::step_error::{ContactsUnsolved, StepError};

/// A step failed; the state is the last good one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{cause}")]
pub struct SimulationError {
    /// Time of the last good state \[s\].
    pub last_good: f64,
    /// Why.
    pub cause: StepError,
}

impl SimulationError {
    /// One sentence, with particles as numbered by the scene's author.
    pub fn describe(&self, model: &Model) -> String {
        let who = match &self.cause {
            StepError::BlownUp { particle, .. }
            | StepError::NewtonDiverged { particle, .. }
            | StepError::Unsolved { particle, .. }
            | StepError::ContactsUnsolved { particle, .. }
            | StepError::Painleve { particle, .. } => {
                format!(", at {}", model.particle_name(*particle))
            }
            _ => String::new(),
        };
        format!("{}{who}; the last good state is at t = {:.6} s", self.cause, self.last_good)
    }

    /// Whether the computer's memory was too small, so that no other step would help.
    pub fn is_of_memory(&self) -> bool {
        matches!(self.cause, StepError::Unsolved { cause: LinearError::OutOfMemory { .. }, .. })
    }

    /// Whether a smaller step may succeed.
    pub fn step_helps(&self) -> bool {
        let crushed = ContactsUnsolved::Infeasible;
        !self.is_of_memory()
            && match self.cause {
                StepError::Painleve { .. } | StepError::Undefined { .. } | StepError::Stopped => {
                    false
                }
                // those of the start are the same at every step
                StepError::ContactsUnsolved { cause, .. } => {
                    cause != crushed && self.last_good > 0.0
                }
                _ => true,
            }
    }

    /// Remedy; `None` for causes that lie in the step and the method.
    pub fn remedy(&self) -> Option<&'static str> {
        match &self.cause {
            _ if self.is_of_memory() => Some(
                "choose a solver without factors (`linear_solver = \"pcg\"`), fewer particles, or give it more memory: no smaller step needs less",
            ),
            StepError::Undefined { .. } => {
                Some("give a formula that has a value and a rate at every t, or `from` and `until`")
            }
            StepError::ContactsUnsolved { cause, .. } => Some(cause.remedy()),
            StepError::Painleve { .. } => Some(
                "use less friction, another posture, or a soft body: what gives way has no such paradox",
            ),
            _ => None,
        }
    }
}
