//! The driver: step → settle constraints → jump contacts → commit → observe, and nothing else.

mod error;
mod fits;
mod plan;
mod previous;

use crate::diagnosis::islands;
use crate::diagnosis::trust::Verdict;
use crate::diagnosis::watch::{Observation, Start};
use crate::diagnosis::watches::Watches;
use crate::forces::Force;
use crate::forces::account::{Jump, Ledger};
use crate::forces::census::Moving;
use crate::forces::hand::Handling;
use crate::impulses::ContactMethod;
use crate::integrators::{Capabilities, Integrator, OneByOne, StepReport};
use crate::math::Vector;
use crate::model::Model;
use crate::profile::{Profile, Section};
use crate::state::memory::Hand;
use crate::state::memory::Memory;
use crate::state::{FASTEST, Past, State};
use crate::step_error::StepError;
pub use error::SimulationError;
use plan::Plan;
use previous::Previous;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A run in progress.
pub struct Simulation {
    /// The model of the world; shared with its viewers.
    pub model: Arc<Model>,
    /// The present state.
    pub state: State,
    /// All watches.
    pub watches: Watches,
    /// Work counters so far.
    pub work: StepReport,
    integrator: Box<dyn Integrator>,
    capabilities: Capabilities,
    method: ContactMethod,
    plan: Plan,
    step: f64,
    /// number of equal pieces of each part of a step; parts begin and end where loads switch
    pieces: u32,
    origin: TimeOrigin,
    spare: Memory,
    previous: Previous,
    books: Books,
    /// work counters of the step that was taken last
    taken: StepReport,
}

/// Energies of the accepted state, jumps of the step, and times at which loads switch.
#[derive(Debug, Clone, Default)]
struct Books {
    ledger: Ledger,
    jump: Jump,
    /// \[s\], ascending
    switches: Vec<f64>,
    /// time at which powers were last entered \[s\]
    seen: f64,
    /// whether the contacts are those of the last observed state, key by key
    same_contacts: bool,
}

/// Distance from a step boundary, as a share of the step, within which a load switches at the
/// boundary: its time, step count × step, is rounded.
const BOUNDARY: f64 = 1e-9;

/// Origin of time: t = `time` + (step count − `step`) × dt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct TimeOrigin {
    step: u64,
    time: f64,
}

/// A run at an accepted state, with the record of its watches.
#[derive(Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    state: State,
    origin: TimeOrigin,
    watches: Watches,
    work: StepReport,
}

impl Checkpoint {
    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Simulation {
    /// Starts a run at the given state, with contact by penalty forces. Commits the state, so that
    /// forces and contacts are known.
    pub fn new(
        model: impl Into<Arc<Model>>,
        state: State,
        integrator: Box<dyn Integrator>,
        step: f64,
    ) -> Self {
        let model = model.into();
        Simulation::with_method(model, state, integrator, ContactMethod::Penalty, step)
    }

    /// The same with any contact method.
    ///
    /// # Panics
    /// If the model has laws of contact and the method jumps velocities, or the model has none and the
    /// method's contact is a force.
    pub fn with_method(
        model: impl Into<Arc<Model>>,
        mut state: State,
        integrator: Box<dyn Integrator>,
        method: ContactMethod,
        step: f64,
    ) -> Self {
        let model = model.into();
        assert_eq!(
            model.laws.is_some(),
            method.is_force(),
            "a model has laws of contact exactly where contact is a force"
        );
        let mut spare = Memory::default();
        let mut ledger = model.ledger(&islands::connected(&model));
        ledger.census.count(&model.masses, &state.positions, &state.velocities);
        model.commit_with(&mut state, &mut spare, &mut ledger);
        let capabilities = integrator.capabilities();
        let watches = Watches::start(&Start {
            model: &model,
            state: &state,
            account: &ledger.total,
            shares: &ledger.shares,
            kinetic: ledger.census.kinetic(),
            census: &ledger.census,
            method: &capabilities,
            dt: step,
        });
        let books = Books {
            jump: Jump::of(&ledger),
            switches: model.switches(),
            seen: state.time,
            same_contacts: false,
            ledger,
        };
        let plan = Plan::of(&model, integrator.as_ref(), &method);
        Simulation {
            model,
            state,
            watches,
            work: StepReport::default(),
            integrator,
            capabilities,
            method,
            plan,
            step,
            pieces: 1,
            origin: TimeOrigin::default(),
            spare,
            previous: Previous::default(),
            books,
            taken: StepReport::default(),
        }
    }

    /// Continues from the present state with another model of the same particles, other methods or
    /// another step. The watches start anew.
    pub fn switch_to(
        &mut self,
        mut model: Model,
        integrator: Box<dyn Integrator>,
        method: ContactMethod,
        step: f64,
    ) {
        model.profile.clone_from(&self.model.profile);
        let mut state = std::mem::take(&mut self.state);
        state.past = Past::default();
        let origin = match step == self.step {
            true => self.origin,
            false => TimeOrigin { step: state.step_count, time: state.time },
        };
        let mut next = Simulation::with_method(model, state, integrator, method, step);
        next.origin = origin;
        *self = next;
    }

    /// Profiles the run from now on.
    ///
    /// # Panics
    /// If the model is shared already.
    pub fn profile(&mut self, by: Profile) {
        Arc::get_mut(&mut self.model).expect("a model that is not shared yet").profile = by;
    }

    /// A checkpoint of the present state.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            state: self.state.clone(),
            origin: self.origin,
            watches: self.watches.clone(),
            work: self.work,
        }
    }

    /// Restores a checkpoint of this run, under this model and method.
    pub fn restore(&mut self, to: &Checkpoint) {
        self.state.clone_from(&to.state);
        self.origin = to.origin;
        self.watches.resume(&to.watches);
        self.work = to.work;
        self.books.same_contacts = false;
    }

    /// Changes the action of the user's hand from the present state on.
    pub fn handle(&mut self, hand: Hand) {
        let power = |state: &State| {
            let mut ledger = self.books.ledger.of_powers();
            let mut f = vec![Vector::zeros(); state.positions.len()];
            Handling.commit(&state.configuration(), &mut f, &mut ledger, &mut Memory::default());
            ledger
        };
        let before = power(&self.state);
        self.state.memory.hand = hand;
        let mut by = power(&self.state);
        by.subtract(&before);
        self.watches.interrupt(&by);
        self.state.past = Past::default();
        let mut f = std::mem::take(&mut self.state.forces);
        self.model.forces_at(&self.state.configuration(), &mut f);
        self.state.forces = f;
    }

    /// The time at the step count `step` \[s\].
    pub fn time_at(&self, step: u64) -> f64 {
        self.origin.time + (step - self.origin.step) as f64 * self.step
    }

    /// The time step \[s\].
    pub fn time_step(&self) -> f64 {
        self.step
    }

    /// Divides each part of a step, from one switch of a load to the next, into so many pieces: a run
    /// at half the step halves the parts too.
    pub fn refine_parts(&mut self, pieces: u32) {
        self.pieces = pieces.max(1);
    }

    /// The integrator in use.
    pub fn integrator(&self) -> &dyn Integrator {
        self.integrator.as_ref()
    }

    /// Takes steps up to the last state at or before `time` \[s\], within rounding.
    ///
    /// # Errors
    /// A step that could not be taken; the state is the last good one.
    pub fn advance_to(&mut self, time: f64) -> Result<(), SimulationError> {
        while self.time_at(self.state.step_count + 1) <= time * (1.0 + 1e-12) {
            self.advance()?;
        }
        Ok(())
    }

    /// Takes one step, in parts if loads switch inside it. On error the state is unchanged.
    pub fn advance(&mut self) -> Result<(), SimulationError> {
        let _awake = self.model.surfaces.wake(&self.state.memory.candidates);
        let (start, end) = (self.state.time, self.time_at(self.state.step_count + 1));
        // step boundaries are met within rounding
        let room = BOUNDARY * self.step;
        let inside = |time: &f64| *time > start + room && *time < end - room;
        if self.books.switches.iter().any(inside) {
            let before = self.checkpoint();
            return self.advance_in_parts(end).map_err(|error| {
                self.restore(&before);
                SimulationError { last_good: start, ..error }
            });
        }
        self.take(self.step, end)?;
        self.state.step_count += 1;
        self.observe(self.step, true);
        Ok(())
    }

    /// Takes a step in parts that begin and end where loads switch. Watches observe it as one step,
    /// but integrate powers part by part.
    fn advance_in_parts(&mut self, end: f64) -> Result<(), SimulationError> {
        let (mut whole, mut sum) = (Previous::default(), StepReport::default());
        whole.keep(&self.state);
        let room = BOUNDARY * self.step;
        let inside = |time: &f64, from: f64| *time > from + room && *time < end - room;
        loop {
            let from = self.state.time;
            let next = self.books.switches.iter().copied().find(|time| inside(time, from));
            let until = next.unwrap_or(end);
            for piece in 1..=self.pieces {
                let last = piece == self.pieces;
                let share = f64::from(piece) / f64::from(self.pieces);
                let time = if last { until } else { from + (until - from) * share };
                let began = self.state.time;
                self.take(time - began, time)?;
                sum.add(&self.taken);
                if !(last && next.is_none()) {
                    self.observe(time - began, false);
                }
            }
            if next.is_none() {
                break self.previous = whole;
            }
        }
        self.state.step_count += 1;
        self.taken = sum;
        self.observe(end - self.books.seen, true);
        Ok(())
    }

    /// Advances the state by `h` to the time `end` \[s\] and accepts it.
    #[inline(always)]
    fn take(&mut self, h: f64, end: f64) -> Result<(), SimulationError> {
        let _method = self.model.profile.section(Section::Method);
        if self.plan.follows_time
            && let Some(what) = self.model.undefined_at(end)
        {
            let cause = StepError::Undefined { time: end, what };
            return Err(SimulationError { last_good: self.state.time, cause });
        }
        match self.plan.one_by_one {
            Some(step) => self.move_one_by_one(step, h),
            None => self.move_together(h, end)?,
        }
        self.taken.iterations += self.books.jump.iterations;
        self.work.add(&self.taken);
        if self.books.ledger.census.is_lost(FASTEST)
            && let Some(particle) = self.state.first_lost()
        {
            let cause = StepError::BlownUp { time: self.state.time + h, particle };
            let error = SimulationError { last_good: self.state.time, cause };
            match self.plan.one_by_one {
                Some(_) => self.restore_motion(),
                None => self.previous.restore(&mut self.state),
            }
            return Err(error);
        }
        self.state.time = end;
        let commit = if self.plan.clears { Model::commit_cleared } else { Model::commit_with };
        commit(&self.model, &mut self.state, &mut self.spare, &mut self.books.ledger);
        self.books.same_contacts &= have_same_keys(&self.state.memory, &self.spare);
        Ok(())
    }

    /// Moves the particles by the integrator, then by constraints and jumps, and sums their moments
    /// of mass.
    fn move_together(&mut self, h: f64, end: f64) -> Result<(), SimulationError> {
        self.previous.keep(&self.state);
        let finds = self.model.halt.finds();
        let state = &mut self.state;
        for constraint in self.model.constraints() {
            constraint.lead(state, end);
        }
        self.taken = match self.integrator.step(&self.model, state, h) {
            Ok(report) => report,
            Err(cause) => {
                self.previous.restore(state);
                return Err(self.lost(cause));
            }
        };
        if !self.capabilities.carries_stretch {
            // a former integrator may have carried it; from now on the commit moves the stretch
            state.stretch.clear();
        }
        let jumped = self.jump(h, end);
        // an iteration that has left early has no result, even if it took the last one for enough
        let stopped = self.model.halt.finds() > finds;
        if let Err(cause) = if stopped { Err(StepError::Stopped) } else { jumped } {
            self.previous.restore(&mut self.state);
            return Err(self.lost(cause));
        }
        let State { positions, velocities, .. } = &self.state;
        self.books.ledger.census.count(&self.model.masses, positions, velocities);
        Ok(())
    }

    /// The error of a failed step; after a request to stop any error counts as stopped.
    fn lost(&self, cause: StepError) -> SimulationError {
        let cause = if self.model.halt.is_asked() { StepError::Stopped } else { cause };
        SimulationError { last_good: self.state.time, cause }
    }

    /// Moves the particles and sums their moments of mass, in one pass. The new state is written where the
    /// start of the last step was, and the old one becomes the start of this.
    fn move_one_by_one(&mut self, step: OneByOne, h: f64) {
        let (model, Previous { positions, velocities, .. }) = (&self.model, &mut self.previous);
        positions.resize(model.particles(), Vector::zeros());
        velocities.resize(model.particles(), Vector::zeros());
        let State { positions: x, velocities: v, forces, .. } = &mut self.state;
        let moving = Moving {
            h,
            masses: &model.masses,
            inverse_masses: &model.inverse_masses,
            alike: self.plan.alike,
            forces,
            clears: self.plan.clears,
            from: [x, v],
            to: [positions, velocities],
        };
        step(&mut self.books.ledger.census, &model.crew, moving);
        std::mem::swap(&mut self.state.positions, &mut self.previous.positions);
        std::mem::swap(&mut self.state.velocities, &mut self.previous.velocities);
        self.taken = StepReport::ONE;
    }

    /// Takes back a step that moved the particles one by one.
    fn restore_motion(&mut self) {
        self.previous.restore_motion(&mut self.state);
        if self.plan.clears {
            let mut f = std::mem::take(&mut self.state.forces);
            self.model.forces_at(&self.state.configuration(), &mut f);
            self.state.forces = f;
        }
    }

    /// Shows the accepted state to all watches, or after a part of a step to those that integrate
    /// powers; `part` is the time since they last did \[s\]. Where loads switch, their powers jump.
    fn observe(&mut self, part: f64, whole: bool) {
        let _watches = self.model.profile.section(Section::Watches);
        let Books { ledger, jump, switches, seen, same_contacts } = &mut self.books;
        let (method, model, state) = (&self.capabilities, self.model.as_ref(), &self.state);
        *seen = state.time;
        let room = BOUNDARY * self.step;
        let switches = switches.iter().any(|switch| (switch - state.time).abs() <= room);
        let switched = switches.then(|| model.switched(state, ledger));
        // the last part of a cut step is shorter than the steps after it: quadrature starts anew
        let cut = whole && part < (1.0 - BOUNDARY) * self.step;
        let switched = switched.or_else(|| cut.then(|| ledger.of_powers()));
        if let Some(by) = &switched {
            ledger.subtract(by);
        }
        let observation = Observation {
            model,
            state,
            taken: &self.previous.last_step(state.time, self.step, method),
            part,
            account: &ledger.total,
            shares: &ledger.shares,
            jumped: &jump.flows,
            jumped_shares: &jump.shares,
            missed: jump.missed,
            kinetic: ledger.census.kinetic(),
            census: &ledger.census,
            same_contacts: *same_contacts,
            method,
            report: &self.taken,
        };
        match whole {
            true => {
                self.watches.observe(&observation);
                *same_contacts = true;
            }
            false => self.watches.observe_part(&observation),
        }
        if let Some(by) = &switched {
            self.watches.interrupt(by);
        }
    }

    /// Settles constraints and jumps velocities in the state that the integrator reached.
    fn jump(&mut self, h: f64, end: f64) -> Result<(), StepError> {
        let (jump, state, next) = (&mut self.books.jump, &mut self.state, &mut self.spare);
        jump.clear();
        // a state that is not finite is left to the caller
        if self.plan.is_free || state.first_lost().is_some() {
            return Ok(());
        }
        let _solver = self.model.profile.section(Section::Solver);
        let taken = self.previous.last_step(end, h, &self.capabilities);
        for constraint in self.model.constraints() {
            constraint.settle(state, &taken, next, jump);
        }
        if let ContactMethod::Impulse(method) = &mut self.method {
            method.apply(&self.model, state, &taken, next, jump)?;
        }
        Ok(())
    }

    /// The verdict on the run so far.
    pub fn verdict(&self) -> Verdict {
        self.watches.verdict(&self.model, &self.state, self.step)
    }
}

/// Whether two memories hold the same contacts.
fn have_same_keys(a: &Memory, b: &Memory) -> bool {
    let (a, b) = (&a.contacts, &b.contacts);
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.key == b.key)
}
