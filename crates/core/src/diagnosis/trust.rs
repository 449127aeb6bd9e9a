//! The verdict on a run: not trusted, with each fault in numbers; no fault found, or a draft; or trusted to a share,
//! shown by other runs.

use super::thresholds::WINDOW;
use super::watch::{Fault, FaultClass, FaultKind, Reason};
use super::{
    curve, energy_faults, error_bar, friction_limit, impact, law_range, load_samples,
    lost_oscillation, motion, offset, passivity, penetration, stable_step, tunnelling,
};
use super::{lost_stick, readings, tolerance, wrongs};
use crate::math::{larger, pow};
use crate::model::Model;

/// The words of the verdict that are not reasons, for `explain`.
pub static WORDS: &[FaultKind] = &[
    FaultKind::symptom(
        "trusted",
        "trusted to X %: the same scene at larger steps, or at half the step and a quarter, agrees with the run, and by their differences no measure is wrong by more than X % of its scale. What all steps share is not asked: the law, its ε, the penalty, and the mesh of elastic bodies but for --verify=mesh and all.",
    ),
    FaultKind::symptom(
        "no-fault-found",
        "All watches are silent. That is no proof: --verify, or V in the window, runs the scene again at other steps and gives every measure an error bar.",
    ),
    FaultKind::symptom(
        "not-trusted",
        "There are reasons against the numbers of the run; each is named and has a page of its own here.",
    ),
    FaultKind::symptom(
        "in-doubt",
        "The error bar of a value reaches across the tolerance of its expectation: the true value may lie on the other side. `check --run` and `run --strict` then exit with 11.",
    ),
    FaultKind::symptom(
        "without-effect",
        "A symptom that refined runs outweigh: they agree with the run within its error bar, and the most refined has no such symptom, or all of them agree to 1 % (which does not do for an energy audit that does not close, nor for a curve that was left, since three runs may share what they do). A spurious steady state also asks that the drift of every body agrees to .5 %.",
    ),
];

/// Steps below which a run of a fixed-step method is not judged: two windows.
pub const FEWEST: u64 = 2 * WINDOW as u64;

/// All kinds of reasons, for `explain`.
pub static REASONS: &[&FaultKind] = &[
    &friction_limit::STEP_ABOVE_FRICTION_LIMIT,
    &friction_limit::CHATTER,
    &wrongs::RINGING,
    &wrongs::CREEP_OFF_THE_LAW,
    &wrongs::SPURIOUS_STEADY_STATE,
    &lost_stick::STICK_LOST,
    &passivity::FRICTION_CREATES_ENERGY,
    &penetration::TOO_DEEP,
    &tunnelling::PASSED_THROUGH,
    &law_range::INVERTED,
    &law_range::TURNED_TOO_FAR,
    &motion::MOTION_UNRESOLVED,
    &load_samples::LOAD_UNRESOLVED,
    &lost_oscillation::OSCILLATION_LOST,
    &impact::IMPACT_UNRESOLVED,
    &tolerance::TOLERANCE_TOO_LARGE,
    &tolerance::CONTACTS_UNSETTLED,
    &tolerance::HOLD_UNDECIDED,
    &offset::OFF_ITS_PATH,
    &offset::STOP_UNRESOLVED,
    &energy_faults::ENERGY_RESIDUAL,
    &energy_faults::ENERGY_UNAUDITED,
    &TOO_FEW_STEPS,
    &readings::COARSE_READINGS,
    &stable_step::STEP_ABOVE_STABLE_STEP,
    &FAILED,
    &curve::OFF_THE_CURVE,
    &curve::CONSTRAINT_LAG,
    &curve::LATE_STOP,
    &INTERRUPTED,
    &error_bar::ERROR_TOO_LARGE,
    &error_bar::NOT_DETERMINED,
    &error_bar::MESH_TOO_COARSE,
    &error_bar::REFINED_RUN_AT_FAULT,
    &error_bar::FAR_FROM_REFERENCE,
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
pub(crate) static TOO_FEW_STEPS: FaultKind = FaultKind::forecast(
    "too-few-steps",
    "What looks for chatter, ringing, spurious states and creep off the law compares windows of at least sixteen steps with each other. A run of fewer than 32 steps of a fixed-step method with something in contact, or of any method where contacts act at the ends of steps, shows nothing of that.",
);

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
pub static FAILED: FaultKind = FaultKind::shared(
    "failed",
    "A step could not be taken: the simulation blew up, or the method's equations could not be solved. The run ends at the last good state.",
);

impl Fault for Failed {
    fn kind(&self) -> &'static FaultKind {
        &FAILED
    }

    fn describe(&self, _model: &Model) -> String {
        self.message.clone()
    }
}

/// The run was stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interrupted {
    /// Time of the stop \[s\].
    pub time: f64,
    /// Planned end \[s\].
    pub end: f64,
}

/// See [`Interrupted`].
pub(crate) static INTERRUPTED: FaultKind = FaultKind::shared(
    "interrupted",
    "The run was stopped before its end. What was recorded until then stands, what was asked for is not there.",
);

impl Fault for Interrupted {
    fn kind(&self) -> &'static FaultKind {
        &INTERRUPTED
    }

    fn describe(&self, _model: &Model) -> String {
        format!("the run was stopped at t = {:.6} s of {:.6} s", self.time, self.end)
    }
}

/// The word for [`Level::NotTrusted`].
pub const NOT_TRUSTED: &str = "not trusted";

/// The level of trust in the numbers of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// There are reasons against it.
    NotTrusted,
    /// All watches are silent, which is no proof.
    NoFaultFound,
    /// The same, of a draft: a single run that is to be right to about 1 %.
    Draft,
    /// Runs at other steps, and on a finer mesh where one was made, agree with it: every measure is wrong by at most
    /// this share of its scale.
    Trusted(f64),
}

impl Level {
    /// The word of tables and documents: not trusted, no fault found, draft, or trusted.
    pub fn word(&self) -> &'static str {
        match self {
            Level::NotTrusted => NOT_TRUSTED,
            Level::NoFaultFound => "no fault found",
            Level::Draft => "draft",
            Level::Trusted(_) => "trusted",
        }
    }
}

/// "no fault found", or "trusted to 0.3 %".
impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Level::Trusted(share) => write!(f, "trusted to {}", percent(*share)),
            _ => f.write_str(self.word()),
        }
    }
}

/// A share in percent: whole from 10 % on, else to two digits, with at most four decimals and never
/// less than 0.0001 %.
pub fn percent(share: f64) -> String {
    let percent = larger(100.0 * share, 1e-4);
    let digits = (1..=4).find(|n| percent >= pow(10.0, 1.0 - f64::from(*n))).unwrap_or(4);
    if percent >= 10.0 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.*} %", digits as usize)
    }
}

/// The verdict on a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// The reasons against trusting the run.
    pub reasons: Vec<Reason>,
    /// Symptoms without effect: refined runs without them agree with the run.
    pub outweighed: Vec<Reason>,
    /// The largest error of a measure as a share of its scale, from runs at other steps and, where one was made, on a
    /// finer mesh; `None` without them.
    pub error: Option<f64>,
    /// Whether the run is a draft.
    pub is_draft: bool,
}

impl Verdict {
    /// The level of trust.
    pub fn level(&self) -> Level {
        match self.error {
            _ if !self.faultless() => Level::NotTrusted,
            Some(share) => Level::Trusted(share),
            None if self.is_draft => Level::Draft,
            None => Level::NoFaultFound,
        }
    }

    /// Whether no reason stands against the run.
    pub fn faultless(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Whether runs at other steps agree with the run and no reason stands against it.
    pub fn trusted(&self) -> bool {
        matches!(self.level(), Level::Trusted(_))
    }

    /// Whether all reasons are forecasts: they say what the step may do, not what it did.
    pub fn forecasts_only(&self) -> bool {
        self.reasons.iter().all(|reason| reason.kind().class == FaultClass::Forecast)
    }

    /// Whether a run at half the step can show that the reasons have no effect.
    pub fn can_be_outweighed(&self) -> bool {
        self.reasons.iter().all(|reason| reason.kind().class != FaultClass::Shared)
    }

    /// Whether a reason is of a kind that only a run without it outweighs.
    pub fn is_of_finest(&self) -> bool {
        self.reasons.iter().any(|reason| reason.kind().class == FaultClass::OfFinest)
    }

    /// The reasons of which a run at half the step can show so only if the drift of their body agrees too.
    pub fn of_drifts(&self) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().filter(|reason| reason.kind().class == FaultClass::OfDrift)
    }

    /// One short word per reason, for tables; without any, the level.
    pub fn marks(&self) -> String {
        let marks: Vec<&str> = self.reasons.iter().map(Reason::name).collect();
        if marks.is_empty() { self.level().to_string() } else { marks.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_read_with_two_digits() {
        for (share, text) in [
            (0.123, "12 %"),
            (0.0234, "2.3 %"),
            (0.002_345, "0.23 %"),
            (3e-5, "0.0030 %"),
            (0.0, "0.0001 %"),
        ] {
            assert_eq!(percent(share), text);
        }
        let reasons = vec![TooFewSteps { steps: 3 }.into()];
        let mut verdict = Verdict { reasons, error: Some(0.01), ..Verdict::default() };
        assert_eq!(verdict.level(), Level::NotTrusted);
        verdict.reasons.clear();
        assert_eq!(verdict.marks(), "trusted to 1.0 %");
        verdict.error = None;
        assert_eq!((verdict.marks().as_str(), verdict.trusted()), ("no fault found", false));
        verdict.is_draft = true;
        assert_eq!((verdict.marks().as_str(), verdict.trusted()), ("draft", false));
    }
}
