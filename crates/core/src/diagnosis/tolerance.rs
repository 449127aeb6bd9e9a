//! The watch over the tolerance of the contact solver. At every step the solver may stop while a contact
//! breaks its conditions by less than `contact.tolerance` \[m/s\]. Where velocities change little in a
//! step, that may be most of the change.

use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::forces::account::Missed;
use crate::math::number;
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// Tolerated residual of contacts over all steps, as a share of their changes of velocity.
const SHARE: f64 = 0.02;

/// Residuals of the contact solver, summed over all steps so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToleranceTooLarge {
    /// Σ over steps of the largest residual of the contact conditions \[m/s\].
    pub missed: f64,
    /// Σ over the same steps of the change of velocity by contacts there \[m/s\].
    pub made: f64,
    /// Steps with such a residual.
    pub steps: u64,
}

/// Steps in which the solver of contacts did not reach its tolerance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ContactsUnsettled {
    /// Number of them.
    pub steps: u64,
    /// The largest residual of their contact conditions \[m/s\].
    pub residual: f64,
    /// When it was \[s\].
    pub time: f64,
}

/// Steps in which contacts slip that might hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct HoldUndecided {
    /// Number of them.
    pub steps: u64,
    /// The end of the first \[s\].
    pub time: f64,
}

/// Watches the residuals of the contact solver.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Tolerance {
    sums: ToleranceTooLarge,
    unsettled: ContactsUnsettled,
    undecided: HoldUndecided,
}

impl Watch for Tolerance {
    fn start(_start: &Start) -> Self {
        Tolerance::default()
    }

    fn observe(&mut self, step: &Observation) {
        let Missed { residual, made, unsettled, undecided } = step.missed;
        self.sums.missed += residual;
        self.sums.made += made;
        self.sums.steps += u64::from(residual > 0.0);
        self.unsettled.steps += u64::from(unsettled > 0.0);
        if unsettled > self.unsettled.residual {
            (self.unsettled.residual, self.unsettled.time) = (unsettled, step.state.time);
        }
        if undecided && self.undecided.steps == 0 {
            self.undecided.time = step.state.time;
        }
        self.undecided.steps += u64::from(undecided);
    }

    /// It has no lists and names nothing.
    fn fits(&self, _record: &Self, _model: &Model) -> bool {
        true
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let sums = self.sums;
        reasons.extend((sums.missed > SHARE * sums.made).then(|| Reason::from(sums)));
        reasons.extend((self.unsettled.steps > 0).then(|| Reason::from(self.unsettled)));
        reasons.extend((self.undecided.steps > 0).then(|| Reason::from(self.undecided)));
    }
}

/// See [`ToleranceTooLarge`].
pub(crate) static TOLERANCE_TOO_LARGE: FaultKind = FaultKind::symptom(
    "tolerance-too-large",
    "The solver of contacts may stop while a contact breaks its conditions by `contact.tolerance`, at every step. Over the run what was left is more than 2 % of the velocities that contacts made, so that they may be wrong by as much and more: a slide ends elsewhere, and what should hold creeps. Use a smaller `contact.tolerance`; it is to be small beside g h, the velocity that a step has to take from what rests.",
);

impl Fault for ToleranceTooLarge {
    fn kind(&self) -> &'static FaultKind {
        &TOLERANCE_TOO_LARGE
    }

    fn describe(&self, _model: &Model) -> String {
        let (steps, share) = (self.steps, 100.0 * self.missed / self.made);
        let [missed, made] = [self.missed, self.made].map(|sum| sum / steps.max(1) as f64);
        format!(
            "contact.tolerance is too large for what contacts do: in {steps} steps they broke their conditions by {missed} m/s a step, {share:.1} % of the {made} m/s by which they changed velocities. Use a smaller tolerance",
            missed = number(missed),
            made = number(made)
        )
    }
}

/// See [`ContactsUnsettled`].
pub(crate) static CONTACTS_UNSETTLED: FaultKind = FaultKind::symptom(
    "contacts-unsettled",
    "In some steps the solver of `exact` or `impulse` did not reach its tolerance, as where a body has more contacts than motions, and its result was taken as it was: it breaks the conditions of contacts by less than a thousandth of the velocities that they made, else the run ends with an error. The run alone cannot say whether that matters; one that is verified can. A smaller step may help.",
);

impl Fault for ContactsUnsettled {
    fn kind(&self) -> &'static FaultKind {
        &CONTACTS_UNSETTLED
    }

    fn describe(&self, _model: &Model) -> String {
        format!(
            "the solver of contacts did not reach its tolerance in {} steps: contacts broke their conditions by up to {} m/s, at t = {:.4} s. Use a smaller step",
            self.steps,
            number(self.residual),
            self.time
        )
    }
}

/// See [`HoldUndecided`].
pub(crate) static HOLD_UNDECIDED: FaultKind = FaultKind::shared(
    "hold-undecided",
    "`impulse` treats contacts one after the other. Where several bear one body, it asks with μ_s at all of them whether they hold together; near the limit of static friction (within a tenth of a percent, with many contacts) that may not converge, and they slip by μ_k. Whether they would have held is not known, and runs at smaller steps slip as well. `exact` decides it.",
);

impl Fault for HoldUndecided {
    fn kind(&self) -> &'static FaultKind {
        &HOLD_UNDECIDED
    }

    fn describe(&self, _model: &Model) -> String {
        format!(
            "contacts at rest began to slip in {} steps, first at t = {:.4} s, and the solver could not tell whether static friction holds them. Use contact.method = \"exact\"",
            self.steps, self.time
        )
    }
}
