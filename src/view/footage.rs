//! What pictures are taken of: a run that goes on from picture to picture, or several side by side.

use super::display::{Display, Labels, Playback};
use super::history::{History, Sample};
use super::snapshot::Snapshot;
use crate::simulation::{Simulation, SimulationError};
use std::ops::ControlFlow;

/// Steps between two calls of the progress closure.
const STEPS_PER_CALL: u64 = 32;

/// Samples for plots over the whole of a film, at least.
const SAMPLES: f64 = 400.0;

/// Told how far something is; may ask to stop.
pub type Progress<'a> = &'a mut dyn FnMut(f64) -> ControlFlow<()>;

/// A run or several that are filmed together.
pub trait Footage {
    /// Goes on to the last step that is not after `time` \[s\]. `progress` is told the time reached
    /// \[s\]; where it asks to stop, so does this.
    fn advance_to(&mut self, time: f64, progress: Progress) -> ControlFlow<()>;

    /// The time reached \[s\].
    fn time(&self) -> f64;

    /// What a picture shows, one display a pane.
    fn displays(&self) -> Vec<Display>;

    /// Why nothing goes on any more, if so.
    fn failure(&self) -> Option<&SimulationError>;
}

/// One run being filmed, with its figures for the plots.
pub struct Take<'a> {
    simulation: &'a mut Simulation,
    labels: Labels,
    history: History,
    failure: Option<SimulationError>,
    /// longest time between two samples \[s\]
    interval: f64,
}

impl<'a> Take<'a> {
    /// Begins at the present state; `end` \[s\] is the time of the last picture.
    pub fn new(simulation: &'a mut Simulation, labels: Labels, end: f64) -> Take<'a> {
        let interval = (end - simulation.state.time) / SAMPLES;
        let history = History::default();
        let mut take = Take { simulation, labels, history, failure: None, interval };
        take.sample();
        take
    }

    /// Takes the steps to `time` \[s\].
    fn step_to(
        &mut self,
        time: f64,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let h = self.simulation.step_size();
        while (self.simulation.state.step as f64 + 0.999_999) * h <= time {
            if let Err(error) = self.simulation.advance() {
                self.failure = Some(error);
                break;
            }
            if self.simulation.state.step.is_multiple_of(STEPS_PER_CALL) {
                progress(self.simulation.state.time)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Enters the present figures, unless they are there already.
    fn sample(&mut self) {
        let simulation = &mut *self.simulation;
        let time = simulation.state.time;
        if self.history.samples().last().is_some_and(|last| last.time == time) {
            return;
        }
        let h = simulation.step_size();
        let hlambda = simulation.friction_limit.take_largest();
        let budgets = simulation.stick.end_frame(&simulation.model, &simulation.state, h);
        let creep = budgets.iter().map(|budget| {
            let law = budget.parts().map(|[law, ..]| law);
            [budget.measured(), law].map(|speed| speed.unwrap_or(f64::NAN))
        });
        self.history.add(Sample {
            time,
            energies: simulation.audit.energies,
            flows: simulation.audit.flows,
            residual: simulation.audit.residual(),
            hlambda,
            trusted: simulation.verdict().trusted(),
            creep: creep.collect(),
            difference: f64::NAN,
        });
    }
}

impl Footage for Take<'_> {
    fn advance_to(&mut self, time: f64, progress: Progress) -> ControlFlow<()> {
        let start = self.time();
        let pieces = ((time - start) / self.interval).ceil();
        let pieces = if pieces >= 1.0 { pieces.min(SAMPLES) as u32 } else { 1 };
        for piece in 1..=pieces {
            let share = f64::from(piece) / f64::from(pieces);
            // the last piece ends where asked to, bit by bit
            let end = if piece == pieces { time } else { start + share * (time - start) };
            self.step_to(end, progress)?;
            self.sample();
            if self.failure.is_some() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    fn time(&self) -> f64 {
        self.simulation.state.time
    }

    fn displays(&self) -> Vec<Display> {
        let failure = self.failure.as_ref().map(|error| error.describe(&self.simulation.model));
        let playback = Playback { failure, ..Playback::default() };
        let snapshot = Snapshot::of(self.simulation);
        let display = Display::plain(snapshot, self.labels.clone(), playback);
        vec![Display { history: self.history.clone(), ..display }]
    }

    fn failure(&self) -> Option<&SimulationError> {
        self.failure.as_ref()
    }
}
