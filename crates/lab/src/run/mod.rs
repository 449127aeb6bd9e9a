//! One run of a scene from t = 0 to its end: frames, verdict, expectations.

mod advice;
mod bodies;
pub mod cause;
mod checkpoint;
mod course;
mod expectations;
mod extremes;
mod late_impacts;
pub mod machine;
mod needs;
pub mod outcome;
pub mod phase;
pub mod probes;
pub mod profile;
mod refined;
pub(crate) mod refinement;
mod resume;
mod roofline;
mod scales;
mod split;
mod stability;
mod start_reasons;
mod steady;
mod tally;
pub mod timeline;
mod verdict;
pub mod verification;
pub mod verify;

pub use checkpoint::{Recorded, Recovered, RunCheckpoint};
pub use expectations::changes;
pub use extremes::Slip;
pub use outcome::{Advice, Checked, Creep, DriftAt, Fate, Outcome, Split, Status};
pub use probes::reduction;
pub use split::SAME;
pub use steady::{STEADY, Steadiness};
pub use stiction_core::measures::columns::OF_ORDER as ORDER_COLUMNS;
pub use tally::Tally;
pub use timeline::{Intervene, Timeline};
pub use verification::Verification;
pub use verify::Means;

use advice::advise;
use extremes::Extremes;
use probes::probes;
use serde::{Deserialize, Serialize};
use std::path::Path;
use stiction_core::diagnosis::audit::Energies;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::diagnosis::forecast::{Forecast, forecast};
use stiction_core::diagnosis::observed_order::observe;
use stiction_core::diagnosis::trust::{FEWEST, Failed, Interrupted, TooFewSteps};
use stiction_core::diagnosis::watch::Reason;
use stiction_core::forces::account::Flows;
use stiction_core::integrators::{INTEGRATORS, Integrator};
use stiction_core::math::Vector;
use stiction_core::measures::Probe;
use stiction_core::profile::Section;
use stiction_core::simulation::{Simulation, SimulationError};
use stiction_core::state::State;
use stiction_core::step_error::StepError;
use stiction_scene::build::{BuildError, BuildOptions, Built, build, make};
use stiction_scene::diagnostics::SceneErrors;
use stiction_scene::{Expectation, LoadOptions, Scene};
use verify::Verifier;

/// The record of one frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Time \[s\].
    pub time: f64,
    /// Energies \[J\].
    pub energies: Energies,
    /// Dissipated energies and work since t = 0 \[J\].
    pub flows: Flows,
    /// Energy residual \[J\].
    pub residual: f64,
    /// Momentum \[kg·m/s\].
    pub momentum: Vector,
    /// Number of active contacts.
    pub contacts: usize,
    /// Number of sticking contacts.
    pub sticking: usize,
    /// Largest depth since the previous frame \[m\].
    pub max_penetration: f64,
    /// Largest h λ since the previous frame.
    pub max_hlambda: f64,
    /// Values of the measures, in the order of [`Run::columns`].
    pub measures: Vec<f64>,
    /// Creep of each body since the previous frame.
    pub creep: Vec<Drift>,
}

/// A run in progress: its timeline with probes and frames.
pub struct Run {
    timeline: Timeline,
    /// Names of the measure columns.
    pub columns: Vec<String>,
    /// Frames so far; none if they are not kept ([`Self::keep_no_frames`]).
    pub frames: Vec<Frame>,
    /// Summary of all frames, kept or not.
    pub tally: Tally,
    keeps_frames: bool,
    /// Remarks made while building.
    pub remarks: Vec<String>,
    /// Memory of its world \[bytes\]: an estimate.
    pub memory: u64,
    /// Doubts about its start.
    pub start: Vec<Forecast>,
    /// the state at t = 0, if modes can be computed of it
    at_start: Option<State>,
    /// reasons against it that its start shows
    from_start: Vec<Reason>,
    probes: Vec<Probe>,
    /// makes a new instance of the method, if its order is observed
    fresh: Option<Box<dyn Fn() -> Box<dyn Integrator>>>,
    /// centre of mass per frame, per body
    centers: Vec<Vec<Vector>>,
    extremes: Extremes,
    steps: u64,
    expectations: Vec<Expectation>,
    replay: Option<Box<dyn Intervene>>,
    verifier: Option<Verifier>,
    /// whether it was resumed
    begun: bool,
    recovered: Vec<Recovered>,
}

/// Observes the run at every frame.
pub trait Observer {
    /// Called at every frame, the one at t = 0 included; an error ends the run.
    fn frame(&mut self, simulation: &Simulation, frame: &Recorded) -> std::io::Result<()> {
        let _ = (simulation, frame);
        Ok(())
    }

    /// Called after every step; returns whether [`Self::checkpoint`] is to be called now.
    fn wants_checkpoint(&mut self, step: u64) -> bool {
        let _ = step;
        false
    }

    /// Called with all that is needed to resume from here: after the steps at which it was wanted,
    /// and when the run is stopped, before the frame at which it stops.
    fn checkpoint(&mut self, checkpoint: RunCheckpoint) -> std::io::Result<()> {
        drop(checkpoint);
        Ok(())
    }

    /// Called every 256 steps with the number of steps taken.
    fn progress(&mut self, step: u64) {
        let _ = step;
    }

    /// Called before each verifying run, with its name and number of steps; progress then refers to
    /// that run. Of several side by side it is called whenever their number changes, with the sum of
    /// their steps, to which progress then refers.
    fn verifying(&mut self, run: &str, steps: u64) {
        let _ = (run, steps);
    }
}

/// An observer that does nothing.
pub struct Unobserved;

impl Observer for Unobserved {}

const ORDER_UNITS: [&str; 2] = ["1", "m/s²"];

/// Steps between calls of [`Observer::progress`].
const PROGRESS_STEPS: u64 = 256;

impl Run {
    /// Loads and builds a scene file; the run is at t = 0.
    ///
    /// # Errors
    /// All faults of the scene, each with file, line and column.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let scene = stiction_scene::load(path.as_ref(), &LoadOptions::default())?.scene;
        Run::new(&scene, &BuildOptions::default()).map_err(|error| error.in_scene(&scene))
    }

    /// Builds a scene; the run is at t = 0.
    pub fn new(scene: &Scene, options: &BuildOptions) -> Result<Self, BuildError> {
        Run::of(scene, build(scene, options)?)
    }

    /// A run at t = 0 of a built scene, with any changes made since.
    pub fn of(scene: &Scene, built: Built) -> Result<Self, BuildError> {
        let probes = probes(scene, &built.model, &built.state)?;
        let columns: Vec<String> = probes.iter().flat_map(|probe| probe.columns.clone()).collect();
        expectations::check_asked(scene, &probes, &columns)?;
        let (remarks, moved) = (built.remarks.clone(), built.moved.clone());
        let memory = built.memory;
        let extremes = Extremes::of(&probes, &scene.expectations, scene.time.end());
        let timeline = Timeline::start(scene, built);
        let Simulation { model, state, .. } = &timeline.simulation;
        let start = forecast(model, state, &moved, scene.time.step, scene.time.end());
        let at_start = stability::start(scene, model, state);
        let from_start = start_reasons::find(scene, &timeline.simulation);
        Ok(Run {
            timeline,
            start,
            at_start,
            from_start,
            tally: Tally::of(&columns, &scene.expectations),
            columns,
            frames: Vec::new(),
            keeps_frames: true,
            remarks,
            memory,
            probes,
            fresh: None,
            centers: Vec::new(),
            extremes,
            steps: scene.time.steps,
            expectations: scene.expectations.clone(),
            replay: None,
            verifier: None,
            begun: false,
            recovered: Vec::new(),
        })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.timeline.scene
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.timeline.simulation
    }

    /// The highest order by which its errors may be extrapolated to smaller steps.
    fn most_order(&self) -> f64 {
        self.simulation().watches.impacts.events.most_order()
    }

    /// The simulation, mutable, for changes before the run.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.timeline.simulation
    }

    /// Extracts the simulation.
    pub fn into_simulation(self) -> Simulation {
        self.timeline.simulation
    }

    /// Discards every frame after its observer has seen it, so that memory does not grow with the
    /// length of the run (by about 350 bytes a frame). Plots over time and verification need all
    /// frames.
    pub fn keep_no_frames(&mut self) {
        self.keeps_frames = false;
    }

    /// Memory of the frames that are kept until the end \[bytes\]: an estimate.
    pub fn memory_of_frames(&self) -> u128 {
        if !self.keeps_frames {
            return 0;
        }
        let bodies = self.simulation().model.bodies.len();
        let own = size_of::<Frame>() + size_of::<Vec<Vector>>() + 8 * self.columns.len();
        let of_bodies = bodies * (size_of::<Drift>() + size_of::<Vector>());
        // three allocations of their own, and the points of a plot
        let frame = own + of_bodies + 3 * 16 + size_of::<(f64, f64)>() * self.columns.len();
        u128::from(self.timeline.scene.time.frames()) * frame as u128
    }

    /// Memory until its end \[bytes\] with so many runs beside it that verify it, and that have its size; the frames of
    /// all that a verification may make are kept then: an estimate.
    pub fn memory_beside(&self, others: usize) -> u128 {
        let compared = if others > 0 { needs::MOST + self.most_by_causes() } else { 0 };
        let frames = 1 + compared as u128;
        (1 + others as u128) * u128::from(self.memory) + frames * self.memory_of_frames()
    }

    /// Number of steps of the run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Lets `by` change the run between its steps, and ends it after `steps`.
    pub fn intervene(&mut self, by: Box<dyn Intervene>, steps: u64) {
        self.replay = Some(by);
        self.steps = steps;
    }

    /// Centre of mass of each body \[m\] at every frame so far, `centers[frame][body]`; none if
    /// frames are not kept.
    pub fn centers(&self) -> &[Vec<Vector>] {
        &self.centers
    }

    /// Units of [`Self::columns`].
    pub fn units(&self) -> Vec<&'static str> {
        let probes = self.probes.iter();
        let measured = probes.flat_map(|probe| probe.columns.iter().map(|_| probe.unit));
        let observed = if self.fresh.is_some() { &ORDER_UNITS[..] } else { &[] };
        measured.chain(observed.iter().copied()).collect()
    }

    /// Observes the method's order at every frame: adds two columns, [`ORDER_COLUMNS`], NaN if it
    /// cannot be observed.
    pub fn observe_order(&mut self, scene: &Scene) {
        let choice = scene.integrator.clone();
        let fresh = move || make(&INTEGRATORS, &choice).expect("the run's own method was made so");
        self.fresh = Some(Box::new(fresh));
        self.columns.extend(ORDER_COLUMNS.map(String::from));
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// A step that failed. Whether the numbers of a completed run can be trusted is the
    /// [`Outcome::verdict`].
    ///
    /// # Panics
    /// If an intervention ([`Self::intervene`]) refuses: finish such a run with
    /// [`Self::finish_with`].
    pub fn finish(&mut self) -> Result<Outcome, SimulationError> {
        let outcome = self.finish_with(&mut Unobserved, &|| false);
        let outcome = outcome.expect("nothing is written, and nothing intervenes");
        match outcome.status {
            Status::Failed(error) => Err(error),
            _ => Ok(outcome),
        }
    }

    /// Runs to the end, or until a step fails or `stop` returns true, and shows every frame to
    /// `observer`; then verifies the run, if requested by [`Self::verify`].
    ///
    /// # Errors
    /// Those of the observer. A failed step is an [`Outcome::status`].
    pub fn finish_with(
        &mut self,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> std::io::Result<Outcome> {
        let Some(verifier) = self.verifier.take() else {
            let mut outcome = self.run(observer, stop)?;
            outcome.advice = advise(self, &outcome);
            return Ok(outcome);
        };
        let mut outcome = self.finish_verified(&verifier, observer, stop)?;
        outcome.advice = advise(self, &outcome);
        Ok(outcome)
    }

    fn run(
        &mut self,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> std::io::Result<Outcome> {
        let quarter = self.quarter();
        if !self.begun {
            self.extremes.look(&mut self.timeline.simulation, quarter == 0);
            self.record(observer)?;
        }
        let mut status = Status::Completed;
        while self.timeline.simulation.state.step_count < self.steps {
            if let Some(replay) = &mut self.replay {
                replay.before_step(&mut self.timeline).map_err(std::io::Error::other)?;
            }
            self.simulation().model.profile.step();
            match self.timeline.simulation.advance() {
                Err(error) if error.cause == StepError::Stopped => {
                    if self.replay.is_none() {
                        observer.checkpoint(self.checkpoint())?;
                    }
                    status = Status::Interrupted;
                    break;
                }
                Err(error) => {
                    status = Status::Failed(error);
                    break;
                }
                Ok(()) => {}
            }
            let step = self.timeline.simulation.state.step_count;
            self.look(step == quarter);
            let since = step - self.timeline.earlier().step;
            if since.is_multiple_of(self.timeline.scene.time.steps_per_frame) || step == self.steps
            {
                self.record(observer)?;
            }
            if step.is_multiple_of(PROGRESS_STEPS) {
                observer.progress(step);
            }
            let stopped = step < self.steps && stop();
            // interventions are not part of a checkpoint
            let keeps = self.replay.is_none() && step < self.steps;
            if keeps && (observer.wants_checkpoint(step) || stopped) {
                let _output = self.simulation().model.profile.section(Section::Output);
                observer.checkpoint(self.checkpoint())?;
            }
            if stopped {
                status = Status::Interrupted;
                break;
            }
        }
        let last = self.tally.last.as_ref();
        if last.is_none_or(|frame| frame.time != self.timeline.simulation.state.time) {
            self.record(observer)?;
        }
        Ok(self.outcome(status))
    }

    fn record(&mut self, observer: &mut dyn Observer) -> std::io::Result<()> {
        let _output = self.simulation().model.profile.section(Section::Output);
        let frame = self.observe();
        let recorded = self.recorded(frame);
        // an observed frame counts, whether or not it could be written
        let written = observer.frame(&self.timeline.simulation, &recorded);
        let Recorded { frame, centers, .. } = recorded;
        self.tally.add(&frame, &centers, &self.timeline.simulation.verdict());
        if self.keeps_frames {
            self.centers.push(centers);
            self.frames.push(frame);
        }
        written
    }

    /// Looks at an accepted state; `begins_quarter` marks the last one before the last quarter.
    fn look(&mut self, begins_quarter: bool) {
        let _watches = self.simulation().model.profile.section(Section::Watches);
        self.extremes.look(&mut self.timeline.simulation, begins_quarter);
        self.probes.iter_mut().for_each(|probe| probe.pass(&self.timeline.simulation));
    }

    fn observe(&mut self) -> Frame {
        let flows = self.timeline.flows();
        let simulation = &mut self.timeline.simulation;
        let max_hlambda = simulation.watches.friction_limit.take_largest();
        let creep = self.extremes.take_creep(simulation);
        let mut measures = Vec::with_capacity(self.columns.len());
        for probe in &mut self.probes {
            probe.read(simulation, &mut measures);
        }
        if let Some(fresh) = &self.fresh {
            // an order that is cut short is none
            let (model, h) = (&simulation.model, simulation.time_step());
            let observed =
                model.halt.unheard(|| observe(model, &simulation.state, fresh.as_ref(), h));
            measures.push(observed.map_or(f64::NAN, |o| o.order));
            measures.push(observed.map_or(f64::NAN, |o| o.error_rate));
        }
        let (model, state) = (&simulation.model, &simulation.state);
        let contacts = &state.memory.contacts;
        Frame {
            time: state.time,
            energies: simulation.watches.audit.energies,
            flows,
            residual: simulation.watches.audit.residual(),
            momentum: model.momentum(&state.velocities),
            contacts: contacts.len(),
            sticking: contacts.iter().filter(|c| c.sticking).count(),
            max_penetration: self.extremes.take_deepest(),
            max_hlambda,
            measures,
            creep,
        }
    }

    fn outcome(&self, status: Status) -> Outcome {
        let mut verdict = self.timeline.verdict();
        let (steps, method) = (self.simulation().state.step_count, self.simulation().integrator());
        let fixed = !method.capabilities().adaptive || self.scene().contact.jumps();
        verdict.reasons.extend(self.from_start.iter().cloned());
        if fixed && self.tally.touched && steps < FEWEST && status == Status::Completed {
            verdict.reasons.push(TooFewSteps { steps }.into());
        }
        if let (false, Some(above)) =
            (verdict.faultless(), stability::above(self, self.simulation().time_step()))
        {
            verdict.reasons.insert(0, above.into());
        }
        if status == Status::Interrupted {
            let (time, end) = (self.timeline.simulation.state.time, self.timeline.scene.time.end());
            verdict.reasons.insert(0, Interrupted { time, end }.into());
        }
        if let Status::Failed(error) = &status {
            let message = error.describe(&self.timeline.simulation.model);
            verdict.reasons.insert(0, Failed { message }.into());
        }
        Outcome {
            verdict,
            work: self.timeline.work(),
            steps,
            creep: self.creep(),
            checked: self.checked(&status),
            state_hash: self.timeline.simulation.state.hash(),
            verification: None,
            advice: None,
            status,
        }
    }
}
