//! The driver: step → commit → observe, and nothing else.

use crate::contact::Memory;
use crate::diagnosis::audit::Audit;
use crate::diagnosis::friction_limit::FrictionLimit;
use crate::diagnosis::penetration::Penetration;
use crate::diagnosis::trust::{Verdict, verdict};
use crate::integrators::{Integrator, StepError, StepReport};
use crate::math::Vector;
use crate::model::Model;
use crate::state::{Past, State};

/// A run in progress.
pub struct Simulation {
    /// What the world is.
    pub model: Model,
    /// What it is now.
    pub state: State,
    /// The energy audit so far.
    pub audit: Audit,
    /// The watch on friction rates so far.
    pub friction_limit: FrictionLimit,
    /// The watch on depths so far.
    pub penetration: Penetration,
    /// Work done so far.
    pub work: StepReport,
    integrator: Box<dyn Integrator>,
    step: f64,
    spare: Memory,
    previous: Previous,
}

/// What a lost step is taken back to.
#[derive(Default)]
struct Previous {
    positions: Vec<Vector>,
    velocities: Vec<Vector>,
    stretch: Vec<Vector>,
    past: Past,
}

impl Previous {
    fn keep(&mut self, state: &State) {
        self.positions.clone_from(&state.positions);
        self.velocities.clone_from(&state.velocities);
        self.stretch.clone_from(&state.stretch);
        self.past.clone_from(&state.past);
    }

    fn restore(&self, state: &mut State) {
        state.positions.clone_from(&self.positions);
        state.velocities.clone_from(&self.velocities);
        state.stretch.clone_from(&self.stretch);
        state.past.clone_from(&self.past);
    }
}

/// A step could not be taken; the state is the last good one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{cause}")]
pub struct SimulationError {
    /// Time of the last good state \[s\].
    pub last_good: f64,
    /// Why.
    pub cause: StepError,
}

impl SimulationError {
    /// One sentence that names the particle as the scene's author counts it.
    pub fn describe(&self, model: &Model) -> String {
        let who = match &self.cause {
            StepError::BlownUp { particle, .. }
            | StepError::NewtonDiverged { particle, .. }
            | StepError::Unsolved { particle, .. } => {
                format!(", at {}", model.particle_name(*particle))
            }
            _ => String::new(),
        };
        format!("{}{who}; the last good state is at t = {:.6} s", self.cause, self.last_good)
    }
}

impl Simulation {
    /// Starts a run at the given state: commits it, so that forces and contacts are known.
    pub fn new(model: Model, mut state: State, integrator: Box<dyn Integrator>, step: f64) -> Self {
        let mut spare = Memory::default();
        let account = model.commit(&mut state, &mut spare);
        let audit = Audit::start(model.kinetic_energy(&state.velocities), &account);
        let mut friction_limit = FrictionLimit::default();
        let mut penetration = Penetration::default();
        penetration.observe(&state);
        let method = integrator.capabilities();
        if !method.adaptive {
            friction_limit.observe(&model, &state, &method, step);
        }
        Simulation {
            model,
            state,
            audit,
            friction_limit,
            penetration,
            work: StepReport::default(),
            integrator,
            step,
            spare,
            previous: Previous::default(),
        }
    }

    /// The fixed step \[s\].
    pub fn step_size(&self) -> f64 {
        self.step
    }

    /// The method in use.
    pub fn integrator(&self) -> &dyn Integrator {
        self.integrator.as_ref()
    }

    /// Goes on with another method from the present state.
    pub fn switch_integrator(&mut self, integrator: Box<dyn Integrator>) {
        self.integrator = integrator;
        self.state.past = Past::default();
    }

    /// Takes one step. On error the state is unchanged.
    pub fn advance(&mut self) -> Result<(), SimulationError> {
        let h = self.step;
        let state = &mut self.state;
        self.previous.keep(state);
        let report = match self.integrator.step(&self.model, state, h) {
            Ok(report) => report,
            Err(cause) => return Err(SimulationError { last_good: state.time, cause }),
        };
        self.work.add(&report);
        if let Some(particle) = state.first_lost() {
            let cause = StepError::BlownUp { time: state.time + h, particle };
            let error = SimulationError { last_good: state.time, cause };
            self.previous.restore(state);
            return Err(error);
        }
        state.step += 1;
        state.time = state.step as f64 * h;
        let account = self.model.commit(state, &mut self.spare);
        self.audit.advance(self.model.kinetic_energy(&state.velocities), &account, h);
        let method = self.integrator.capabilities();
        let substep = h / report.substeps as f64;
        self.friction_limit.observe(&self.model, &self.state, &method, substep);
        self.penetration.observe(&self.state);
        Ok(())
    }

    /// What can be said of the run so far.
    pub fn verdict(&self) -> Verdict {
        let can_rest = self.model.contact.friction.can_rest();
        verdict(&self.audit, &self.friction_limit, &self.penetration, can_rest)
    }
}
