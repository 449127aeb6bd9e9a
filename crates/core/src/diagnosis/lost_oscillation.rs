//! Oscillations that last and that a method damps away: runs at steps that all do so agree on rest.

use super::watch::{Cure, Fault, FaultKind};
use crate::math::number;
use crate::model::Model;

/// An oscillation that the start sets going is lost by the method's own damping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OscillationLost {
    /// Its frequency \[rad/s\].
    pub frequency: f64,
    /// The share of its amplitude that the method leaves of what the scene's damping leaves, after an eighth of the run.
    pub kept: f64,
    /// A step at which the method leaves half or more \[s\]; `None` where none was found.
    pub needed: Option<f64>,
}

/// See [`OscillationLost`].
pub(crate) static OSCILLATION_LOST: FaultKind = FaultKind::shared(
    "oscillation-lost",
    "The start sets an oscillation going that the damping of the scene leaves, and of which an implicit method loses more than half in an eighth of the run, by its own damping at this step. Runs at other such steps agree on a rest that is not there. Use the step that is named, or an adaptive method; if the oscillation is not meant, give the scene the damping that ends it, or a start at rest.",
);

impl Fault for OscillationLost {
    fn kind(&self) -> &'static FaultKind {
        &OSCILLATION_LOST
    }

    fn describe(&self, _: &Model) -> String {
        let remedy = self.needed.map_or("Use an adaptive method".into(), |needed| {
            format!("Use a step of at most {} s, or an adaptive method", number(needed))
        });
        format!(
            "the start sets an oscillation at {} rad/s going, and by an eighth of the run the damping of the method leaves {} of what the scene's own leaves of it. {remedy}",
            number(self.frequency),
            number(self.kept)
        )
    }

    fn cure(&self, _: f64) -> Cure {
        self.needed.map_or(Cure::SmallerStep, Cure::Step)
    }
}
