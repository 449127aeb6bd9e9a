//! One run being played, with all actions on it.

mod back;
mod knobs;
mod samples;
mod start;

use super::changes::{Changes, settings};
use super::grip;
use super::labels::labels;
use super::measuring::Measuring;
use super::partings::Partings;
use super::rewind::RewindRing;
use super::stability::Stability;
use super::verifying::Verifying;
use crate::display::{Display, Ghost, Playback};
use crate::history::{History, Passing};
use crate::snapshot::Snapshot;
use std::collections::VecDeque;
use std::sync::Arc;
use stiction_core::diagnosis::forecast::forecast;
use stiction_core::math::Vector;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::{Grip, Hand};
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::recording::{Act, End, Event, Recording, change, hand};
use stiction_lab::run::Timeline;
use stiction_lab::run::profile::Stopwatch;
use stiction_scene::diagnostics::SceneErrors;
use stiction_scene::numbers::SceneNumber;
use stiction_scene::{Loaded, Scene};
use web_time::Instant;

/// Number of steps between readings of the clock.
const STEPS_PER_LOOK: u64 = 8;

/// One run.
pub struct Pane {
    timeline: Timeline,
    /// Remarks made while building the run.
    pub remarks: Vec<String>,
    base: Base,
    /// texts of `base` before those of the user's changes of the start
    given: usize,
    original: Scene,
    /// numbers of the present scene
    numbers: Arc<Vec<SceneNumber>>,
    /// number of starts of the run
    starts: u64,
    changes: Arc<Changes>,
    /// the changes before each one made by the user, for undoing
    done: Vec<Arc<Changes>>,
    /// the changes as `key=value` texts
    set: Arc<Vec<String>>,
    events: Vec<Event>,
    replay: VecDeque<Event>,
    /// end of the recording, until it is reached
    recorded: Option<End>,
    ring: RewindRing,
    history: History,
    chosen: Option<usize>,
    stability: Stability,
    verifying: Verifying,
    measuring: Measuring,
    partings: Partings,
    failure: Option<String>,
    /// faults before changes, and start of the period of the verdict
    before: Vec<String>,
    since: Option<f64>,
    /// initial middle of the held particles
    held_at: Vector,
    sampled: u64,
    /// where the time goes, if it is measured
    stopwatch: Option<Arc<Stopwatch>>,
}

impl Pane {
    /// Loads a scene; the run is at t = 0.
    ///
    /// # Errors
    /// All faults of the scene.
    pub fn open(base: Base) -> Result<Pane, SceneErrors> {
        let Loaded { scene, resolved, .. } = base.load(&[])?;
        let built = base.build(&scene)?;
        let (mut remarks, moved) = (built.remarks.clone(), built.moved.clone());
        let timeline = Timeline::start(&scene, built);
        let Simulation { model, state, .. } = &timeline.simulation;
        let doubts = forecast(model, state, &moved, scene.time.step, scene.time.end());
        remarks.extend(doubts.into_iter().map(|doubt| doubt.text));
        let measuring = Measuring::of(&scene, &timeline.simulation).unwrap_or_else(|error| {
            remarks.push(error.to_string());
            Measuring::default()
        });
        Ok(Pane {
            timeline,
            remarks,
            original: scene,
            numbers: start::numbers_of(&resolved),
            given: base.set.len(),
            starts: 0,
            base,
            changes: Arc::default(),
            done: Vec::new(),
            set: Arc::default(),
            events: Vec::new(),
            replay: VecDeque::new(),
            recorded: None,
            ring: RewindRing::default(),
            history: History::default(),
            chosen: None,
            stability: Stability::default(),
            verifying: Verifying::default(),
            measuring,
            partings: Partings::default(),
            failure: None,
            before: Vec::new(),
            since: None,
            held_at: Vector::zeros(),
            sampled: u64::MAX,
            stopwatch: None,
        })
    }

    /// Measures where the time goes from now on; called before the first picture of a run.
    pub fn profile(&mut self) {
        self.stopwatch = Some(Stopwatch::of(&mut self.timeline.simulation));
    }

    /// The run.
    pub fn simulation(&self) -> &Simulation {
        &self.timeline.simulation
    }

    /// The present scene.
    pub fn scene(&self) -> &Scene {
        &self.timeline.scene
    }

    /// The reason why the run stopped.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// The time \[s\].
    pub fn time(&self) -> f64 {
        self.timeline.simulation.state.time
    }

    /// The time after the next step \[s\].
    pub(crate) fn next_time(&self) -> f64 {
        self.timeline.simulation.time_at(self.timeline.simulation.state.step_count + 1)
    }

    /// Whether the scene's end is reached.
    pub fn at_end(&self) -> bool {
        self.next_time() > self.end() * (1.0 + 1e-12)
    }

    /// The scene's end \[s\].
    pub fn end(&self) -> f64 {
        self.original.time.end()
    }

    /// The present changes.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// State of the hand.
    pub fn hand(&self) -> &Hand {
        &self.timeline.simulation.state.memory.hand
    }

    /// The chosen particle.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// Follows the path of another particle.
    pub fn choose(&mut self, particle: Option<usize>) {
        self.chosen = particle.filter(|i| *i < self.timeline.simulation.model.particles());
        self.history.forget_path();
    }

    /// Replays a recording from t = 0.
    pub fn replay(&mut self, recording: &Recording) {
        self.replay = recording.events.clone().into();
        self.recorded = Some(recording.end.clone());
    }

    /// At the end of the recording: whether the bits are the same.
    pub(crate) fn take_end(&mut self) -> Option<bool> {
        let here = |end: &mut End| self.timeline.simulation.state.step_count >= end.end;
        let end = self.recorded.take_if(here)?;
        Some(end.state_hash == self.timeline.simulation.state.hash_text())
    }

    /// Whether a recording is being replayed.
    pub(crate) fn is_replaying(&self) -> bool {
        !self.replay.is_empty()
    }

    /// All actions so far, for a replay.
    pub fn recording(&self, name: &str) -> Recording {
        Recording::new(
            name,
            &self.original,
            &self.base.set,
            &self.events,
            &self.timeline.simulation,
        )
    }

    /// Advances to the last step not after `time` \[s\], or until the deadline. Returns `false`
    /// only at the deadline: a run that fails, or whose recording ends, counts as arrived.
    pub fn advance_to(&mut self, time: f64, deadline: Option<Instant>) -> bool {
        // `time` may be a multiple of the step less a rounding error
        let time = time * (1.0 + 1e-12);
        let mut steps = 0;
        while self.failure.is_none() && self.next_time() <= time && !self.is_at_recorded_end() {
            if steps % STEPS_PER_LOOK == STEPS_PER_LOOK - 1
                && deadline.is_some_and(|deadline| Instant::now() >= deadline)
            {
                return false;
            }
            self.advance();
            steps += 1;
        }
        true
    }

    fn is_at_recorded_end(&self) -> bool {
        self.recorded
            .as_ref()
            .is_some_and(|end| self.timeline.simulation.state.step_count >= end.end)
    }

    /// Takes one step.
    pub fn advance(&mut self) {
        while self
            .replay
            .front()
            .is_some_and(|e| e.step <= self.timeline.simulation.state.step_count)
        {
            if let Some(event) = self.replay.pop_front()
                && let Err(message) = self.repeat(event.act)
            {
                self.failure = Some(message);
                return;
            }
        }
        self.timeline.simulation.model.profile.step();
        if let Err(error) = self.timeline.simulation.advance() {
            self.failure = Some(error.describe(&self.timeline.simulation.model));
            return;
        }
        self.partings.look(&self.timeline.simulation, self.original.time.end());
        self.measuring.pass(&self.timeline.simulation);
        if let Some(i) = self.chosen {
            let state = &self.timeline.simulation.state;
            let (position, velocity) = (state.positions[i], state.velocities[i]);
            self.history.pass(Passing { time: state.time, position, velocity });
        }
    }

    /// Performs a recorded action.
    fn repeat(&mut self, act: Act) -> Result<(), String> {
        if let Act::Set { set } = &act {
            self.changes = Arc::new(Changes::of_settings(set));
        }
        self.act(act)
    }

    /// Performs an action between two steps, and records it.
    fn act(&mut self, act: Act) -> Result<(), String> {
        match &act {
            Act::Hand { grip, push } => self.timeline.simulation.handle(hand(grip, push)),
            Act::Set { set } => self.change(set)?,
        }
        let (step, time) =
            (self.timeline.simulation.state.step_count, self.timeline.simulation.state.time);
        self.measuring.begin_anew(time);
        self.events.push(Event { step, time, act });
        Ok(())
    }

    /// Resumes with other `key=value` texts: observations restart, earlier faults are kept.
    fn change(&mut self, set: &[String]) -> Result<(), String> {
        let before = self.timeline.earlier().step;
        let (verdict, resolved) = change(&self.base, set, &mut self.timeline)?;
        self.numbers = start::numbers_of(&resolved);
        self.set = Arc::new(set.to_vec());
        let (step, time) = (self.timeline.simulation.state.step_count, self.time());
        // several changes between two steps count as one
        if step > before && !verdict.faultless() {
            let marks = verdict.marks();
            self.before.push(format!("not trusted until {time:.3} s: {marks}"));
        }
        if step > 0 {
            self.since = Some(time);
        }
        self.failure = None;
        self.stability.forget();
        self.verifying.forget();
        Ok(())
    }

    /// An action of the user: the rest of a replay is dropped.
    fn intervene(&mut self, act: Act) -> Result<(), String> {
        // all events may have been replayed before the end of the recording
        if self.recorded.is_some() || !self.replay.is_empty() {
            self.replay.clear();
            self.recorded = None;
            self.let_go()?;
        }
        self.act(act)
    }

    /// Releases particles held by a recorded hand.
    fn let_go(&mut self) -> Result<(), String> {
        if self.hand().grip.is_none() {
            return Ok(());
        }
        self.act(Act::from(&Hand { grip: None, ..self.hand().clone() }))
    }

    /// Changes the state of the hand.
    pub fn handle(&mut self, hand: &Hand) -> Result<(), String> {
        self.intervene(Act::from(hand))
    }

    /// Grip that the hand would have on a particle and on those near it.
    pub fn grip(&self, particle: usize) -> Option<Grip> {
        let Simulation { model, state, .. } = &self.timeline.simulation;
        grip::take_hold(model, state, particle, self.timeline.simulation.time_step())
    }

    /// Holds particles.
    pub fn hold(&mut self, grip: Grip) -> Result<(), String> {
        self.held_at = grip.target;
        let hand = Hand { grip: Some(grip), ..self.hand().clone() };
        self.handle(&hand)
    }

    /// Pulls the middle of the held particles towards its initial position plus `by` \[m\].
    pub fn pull(&mut self, by: Vector) -> Result<(), String> {
        let mut hand = self.hand().clone();
        let Some(grip) = &mut hand.grip else { return Ok(()) };
        let target = self.held_at + by;
        if grip.target == target || !(by.x + by.y + by.z).is_finite() {
            return Ok(());
        }
        grip.target = target;
        self.handle(&hand)
    }

    /// Releases the held particles.
    pub fn release(&mut self) -> Result<(), String> {
        self.replay.clear();
        self.recorded = None;
        self.let_go()
    }

    /// Restarts from t = 0 with the present changes.
    ///
    /// # Errors
    /// Changes that the scene refuses; the unchanged scene is then started.
    pub fn restart(&mut self) -> Result<(), String> {
        let built = self.base.build(&self.original).map_err(|errors| errors.brief())?;
        self.timeline = Timeline::start(&self.original, built);
        if self.stopwatch.is_some() {
            self.profile();
        }
        self.events.clear();
        self.replay.clear();
        self.recorded = None;
        self.ring.clear();
        self.history = History::default();
        self.measuring.forget();
        self.partings = Partings::default();
        (self.failure, self.since, self.sampled) = (None, None, u64::MAX);
        self.set = Arc::default();
        self.before.clear();
        self.starts += 1;
        let changes = Arc::clone(&self.changes);
        self.changes = Arc::new(changes.of_start());
        self.stability.begin();
        if self.changes == changes {
            return Ok(());
        }
        self.set(Arc::unwrap_or_clone(changes))
    }

    /// The time reached and the verdict, in one line.
    pub(crate) fn last_words(&self) -> String {
        let verdict = self.timeline.simulation.verdict();
        let now = match &self.failure {
            Some(failure) => format!("stopped: {failure}"),
            None => verdict.marks(),
        };
        let since = self.since.map_or(String::new(), |time| format!(" since {time:.3} s"));
        let before: String = self.before.iter().map(|text| format!("; {text}")).collect();
        let (name, step) =
            (self.timeline.scene.integrator.name, self.timeline.simulation.state.step_count);
        format!("{name} at t = {:.4} s, step {step}: {now}{since}{before}", self.time())
    }

    /// The run as in a film: its snapshot, labels, history and reference.
    pub fn picture(&self, playback: Playback, reference: Option<(&str, &Pane)>) -> Display {
        let ghost = reference.map(|(name, pane)| Ghost {
            name: name.into(),
            positions: Arc::new(pane.timeline.simulation.state.positions.clone()),
            trusted: pane.failure.is_none() && pane.timeline.simulation.verdict().faultless(),
        });
        let mut snapshot = Snapshot::of(&self.timeline.simulation);
        snapshot.flows = self.timeline.flows();
        let playback = Playback {
            failure: self.failure.clone(),
            before: self.before.clone(),
            since: self.since,
            counted: self.measuring.since(),
            profile: self.stopwatch.as_ref().and_then(|stopwatch| stopwatch.read().in_words()),
            ..playback
        };
        Display {
            history: self.history.clone(),
            measured: self.measuring.measured(),
            partings: self.partings.found.clone(),
            chosen: self.chosen,
            ghost,
            ..Display::plain(snapshot, labels(&self.timeline.scene, self.end()), playback)
        }
    }

    /// The first parting of bodies that has not been announced yet, in words.
    pub(crate) fn take_parting(&mut self) -> Option<String> {
        self.partings.take_new()
    }

    /// Verifies the scene with the present settings, from t = 0.
    pub fn verify(&mut self) {
        self.verifying.begin(&self.timeline.scene, &self.base.options);
    }

    /// As [`Pane::picture`], with changeable settings, stable steps and the result of the
    /// verification.
    pub fn display(&mut self, mut playback: Playback, reference: Option<(&str, &Pane)>) -> Display {
        let Simulation { model, state, .. } = &self.timeline.simulation;
        self.stability.look(&self.timeline.scene, model, state);
        playback.verified = self.verifying.look();
        Display {
            settings: settings(&self.timeline.scene, &self.changes),
            numbers: self.numbers.clone(),
            stable_step: self.stability.shown(),
            ..self.picture(playback, reference)
        }
    }
}
