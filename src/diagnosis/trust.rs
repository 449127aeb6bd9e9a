//! The trust verdict: every run ends trusted, or with a list of what is wrong, in numbers.

use super::watch::{Fault, FaultKind, Reason};
use super::{
    audit, curve, friction_limit, impact, motion, offset, passage, passivity, penetration, wrongs,
};
use crate::model::Model;

/// Steps below which a run of a fixed-step method is not judged.
pub const FEWEST: u64 = 32;

/// All kinds of reasons, for `explain`.
pub static REASONS: &[&FaultKind] = &[
    &friction_limit::STEP_ABOVE_FRICTION_LIMIT,
    &friction_limit::CHATTER,
    &wrongs::RINGING,
    &wrongs::CREEP_OFF_THE_LAW,
    &wrongs::SPURIOUS_STEADY_STATE,
    &passivity::FRICTION_CREATES_ENERGY,
    &penetration::TOO_DEEP,
    &passage::PASSED_THROUGH,
    &motion::MOTION_UNRESOLVED,
    &impact::IMPACT_UNRESOLVED,
    &offset::OFF_ITS_PATH,
    &audit::ENERGY_RESIDUAL,
    &audit::ENERGY_UNAUDITED,
    &TOO_FEW_STEPS,
    &FAILED,
    &curve::OFF_THE_CURVE,
    &curve::CONSTRAINT_LAG,
    &curve::LATE_STOP,
];

/// The run took too few steps to be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooFewSteps {
    /// Steps taken.
    pub steps: u64,
}

/// The run ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Why.
    pub message: String,
}

/// See [`TooFewSteps`].
pub static TOO_FEW_STEPS: FaultKind = FaultKind {
    name: "too-few-steps",
    about: "What looks for chatter, ringing, spurious states and creep off the law compares windows of at least sixteen steps with each other. A run of fewer than 32 steps of a fixed-step method with something in contact shows nothing of that.",
};

impl Fault for TooFewSteps {
    fn kind(&self) -> &'static FaultKind {
        &TOO_FEW_STEPS
    }

    fn describe(&self, _model: &Model) -> String {
        let steps = self.steps;
        format!(
            "{steps} steps are too few to judge a run by, at least {FEWEST} are needed. Use a smaller step"
        )
    }
}

/// See [`Failed`].
pub static FAILED: FaultKind = FaultKind {
    name: "failed",
    about: "A step could not be taken: the simulation blew up, or the method's equations could not be solved. The run ends at the last good state.",
};

impl Fault for Failed {
    fn kind(&self) -> &'static FaultKind {
        &FAILED
    }

    fn describe(&self, _model: &Model) -> String {
        self.message.clone()
    }
}

/// The verdict: trusted when there are no reasons against it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// The reasons against trusting the run.
    pub reasons: Vec<Reason>,
}

impl Verdict {
    /// Whether nothing was found wrong.
    pub fn trusted(&self) -> bool {
        self.reasons.is_empty()
    }

    /// One short word per reason, for tables.
    pub fn marks(&self) -> String {
        let marks: Vec<&str> = self.reasons.iter().map(Reason::name).collect();
        if marks.is_empty() { "trusted".into() } else { marks.join(", ") }
    }
}
