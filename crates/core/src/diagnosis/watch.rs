//! The contract of watches: each sees every accepted step and reports its faults.

use super::audit::Audit;
use crate::forces::account::{Account, Flows, Ledger, Missed};
use crate::forces::census::Census;
use crate::integrators::{Capabilities, StepReport};
use crate::model::Model;
use crate::state::{LastStep, State};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// The committed state of t = 0.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The world.
    pub model: &'a Model,
    /// Its state.
    pub state: &'a State,
    /// Energies and powers there.
    pub account: &'a Account,
    /// The same of each island; empty where there is only one.
    pub shares: &'a [Account],
    /// Kinetic energy \[J\].
    pub kinetic: f64,
    /// Moments of mass there.
    pub census: &'a Census,
    /// The method that will take the steps.
    pub method: &'a Capabilities,
    /// The time step \[s\].
    pub dt: f64,
}

/// One accepted step.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    /// The world.
    pub model: &'a Model,
    /// The state at its end.
    pub state: &'a State,
    /// The state at the start of the step, and its length.
    pub taken: &'a LastStep<'a>,
    /// Time since powers were last entered \[s\]: less than the step if a load switched inside it.
    pub part: f64,
    /// Energies and powers at its end.
    pub account: &'a Account,
    /// The same of each island; empty where there is only one.
    pub shares: &'a [Account],
    /// Energies that jumped over that time \[J\].
    pub jumped: &'a Flows,
    /// The same of each island.
    pub jumped_shares: &'a [Flows],
    /// Residual of the contact solver.
    pub missed: Missed,
    /// Kinetic energy at its end \[J\].
    pub kinetic: f64,
    /// Moments of mass at its end.
    pub census: &'a Census,
    /// Whether its contacts are those of the last observed state, key by key.
    pub same_contacts: bool,
    /// The method that took it.
    pub method: &'a Capabilities,
    /// Work counters of the step.
    pub report: &'a StepReport,
}

/// The run so far, for a verdict.
#[derive(Clone, Copy)]
pub struct RunSoFar<'a> {
    /// The world.
    pub model: &'a Model,
    /// The state now.
    pub state: &'a State,
    /// The time step \[s\].
    pub dt: f64,
    /// The audit of everything together.
    pub audit: &'a Audit,
}

impl Observation<'_> {
    /// Whether nothing touches, as at the last observed state.
    pub(crate) fn is_untouched(&self) -> bool {
        self.same_contacts && self.state.memory.contacts.is_empty()
    }
}

/// One watch. Its file states what it observes, when it applies, and its reasons.
pub trait Watch: Clone {
    /// Whether a state without contacts that follows on another tells it nothing.
    const SEES_CONTACTS_ALONE: bool = false;

    /// Begins at a committed state.
    fn start(start: &Start) -> Self;

    /// Observes the next accepted step.
    fn observe(&mut self, step: &Observation);

    /// Observes a part of a step that ends where a load switches; for watches that integrate powers.
    fn observe_part(&mut self, part: &Observation) {
        let _ = part;
    }

    /// The powers of loads jump by `by` at the accepted state, in total and per island: earlier powers
    /// must not be used in later quadrature. For watches that integrate powers.
    fn interrupt(&mut self, by: &Ledger) {
        let _ = by;
    }

    /// Whether `record`, read from a file, can be a record of the same run: its lists are as long, and
    /// it names only particles, bodies and colliders of the model.
    fn fits(&self, record: &Self, model: &Model) -> bool;

    /// Resumes with an earlier record under the same model.
    fn resume(&mut self, before: &Self) {
        self.clone_from(before);
    }

    /// Adds the reasons against trusting the run so far. A watch that only measures has none.
    fn add_reasons(&self, run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let _ = (run, reasons);
    }
}

/// A kind of reason.
#[derive(Debug, PartialEq, Eq)]
pub struct FaultKind {
    /// Its short name, the same in tables, JSON and documentation.
    pub name: &'static str,
    /// Its meaning and remedy, for `explain`.
    pub about: &'static str,
    /// Its class.
    pub class: FaultClass,
    /// Whether it stays until the end of the run once it is found.
    pub lasting: bool,
}

/// Class of a fault: its standing after the scene has run at a smaller step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultClass {
    /// It states what a step may do, not what it did.
    Forecast,
    /// If it has an effect, measures change at a smaller step.
    Symptom,
    /// If it has an effect, measures change once the step is small enough for it to be gone: damping by the method, or
    /// a barrier that is jumped over, may be the same at three steps.
    OfFinest,
    /// If it has an effect, the drift of a body changes at a smaller step, though measures may not.
    OfDrift,
    /// Runs at half the step may share it without a trace in any measure: they step over the same
    /// obstacle, or report it alike.
    Shared,
}

impl FaultKind {
    /// A fault that states what a step may do, not what it did.
    pub const fn forecast(name: &'static str, about: &'static str) -> Self {
        FaultKind { name, about, class: FaultClass::Forecast, lasting: false }
    }

    /// A fault whose effect shows in measures at a smaller step.
    pub const fn symptom(name: &'static str, about: &'static str) -> Self {
        FaultKind { name, about, class: FaultClass::Symptom, lasting: false }
    }

    /// A fault whose effect shows in measures at a step small enough for it to be gone.
    pub const fn of_finest(name: &'static str, about: &'static str) -> Self {
        FaultKind { name, about, class: FaultClass::OfFinest, lasting: false }
    }

    /// A fault whose effect shows in the drift of a body at a smaller step.
    pub const fn of_drift(name: &'static str, about: &'static str) -> Self {
        FaultKind { name, about, class: FaultClass::OfDrift, lasting: false }
    }

    /// A fault that runs at half the step may share unseen.
    pub const fn shared(name: &'static str, about: &'static str) -> Self {
        FaultKind { name, about, class: FaultClass::Shared, lasting: false }
    }

    /// The same kind, which stays until the end of the run once it is found.
    pub const fn lasting(self) -> Self {
        FaultKind { lasting: true, ..self }
    }
}

/// The contact or body at fault.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Subject {
    /// A contact, by its first particle.
    Particle(usize),
    /// A body with all its contacts, by its number.
    Body(usize),
}

impl Subject {
    /// Its name for a scene's author.
    pub fn name(&self, model: &Model) -> String {
        match self {
            Subject::Particle(i) => model.particle_name(*i),
            Subject::Body(b) => format!("`{}`", model.bodies[*b].name),
        }
    }

    /// Whether the model has it.
    pub(crate) fn is_of(&self, model: &Model) -> bool {
        match self {
            Subject::Particle(i) => *i < model.particles(),
            Subject::Body(b) => *b < model.bodies.len(),
        }
    }

    /// The number of its body.
    pub fn body(&self, model: &Model) -> Option<usize> {
        match self {
            Subject::Particle(i) => model.body_of(*i),
            Subject::Body(b) => Some(*b),
        }
    }
}

/// Effect of a smaller step on a fault.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cure {
    /// This step would do \[s\].
    Step(f64),
    /// A smaller step helps; how small is not known.
    SmallerStep,
    /// No step helps: the scene is at fault, or its law.
    NoStep,
}

/// A fault that a watch found, with its numbers.
pub trait Fault: Any + Debug + Send + Sync {
    /// Its kind.
    fn kind(&self) -> &'static FaultKind;

    /// One sentence with numbers and, where there is one, the remedy. `model` names the particle.
    fn describe(&self, model: &Model) -> String;

    /// Effect of a step smaller than `h` \[s\] on it.
    fn cure(&self, h: f64) -> Cure {
        let _ = h;
        Cure::SmallerStep
    }

    /// The contact or body at fault, of a fault of friction.
    fn subject(&self) -> Option<Subject> {
        None
    }
}

/// A reason against trusting a run.
#[derive(Debug, Clone)]
pub struct Reason(Arc<dyn Fault>);

impl<F: Fault> From<F> for Reason {
    fn from(fault: F) -> Reason {
        Reason(Arc::new(fault))
    }
}

/// Equal in kind and numbers.
impl PartialEq for Reason {
    fn eq(&self, other: &Reason) -> bool {
        self.name() == other.name() && format!("{self:?}") == format!("{other:?}")
    }
}

impl Reason {
    /// Its kind.
    pub fn kind(&self) -> &'static FaultKind {
        self.0.kind()
    }

    /// Its short name.
    pub fn name(&self) -> &'static str {
        self.kind().name
    }

    /// One sentence with numbers and the remedy. `model` names the particle.
    pub fn describe(&self, model: &Model) -> String {
        self.0.describe(model)
    }

    /// Effect of a step smaller than `h` \[s\] on it.
    pub fn cure(&self, h: f64) -> Cure {
        self.0.cure(h)
    }

    /// The number of the body whose friction is at fault.
    pub fn body(&self, model: &Model) -> Option<usize> {
        self.0.subject()?.body(model)
    }

    /// Its numbers, if it is of the type `F`.
    pub fn numbers<F: Fault>(&self) -> Option<&F> {
        (self.0.as_ref() as &dyn Any).downcast_ref()
    }
}
