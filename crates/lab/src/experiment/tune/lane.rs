//! A lane: one law with one ε under one integrator, with its steps tried from the largest downward.

use super::answer::{Combination, SearchEnd, TuneCandidate};
use super::forecast::Speed;
use super::tuning::{Clock, Tried, Tuning};
use stiction_core::integrators::INTEGRATORS;

/// Least cost of a smaller step, as a share of that expected from a larger one. Implicit methods
/// need fewer iterations at smaller steps; for explicit methods the factor allows for inaccurate
/// clocks.
const CHEAPER_IMPLICIT: f64 = 0.15;
const CHEAPER_EXPLICIT: f64 = 0.6;

/// A law with one ε under one integrator.
pub(super) struct Lane {
    /// the last combination run
    pub last: TuneCandidate,
    /// lower bound of the next step's cost per simulated second
    pub least: f64,
    /// no step remains
    pub done: bool,
    /// index of the next step in the grid
    next: usize,
    /// the cheapest that holds, if all steps are tried
    best: Option<TuneCandidate>,
}

impl Lane {
    /// A new lane. `stiffness`: lower bound of the cost per simulated second for explicit methods.
    pub(super) fn new(
        (law, epsilon): (&str, Option<f64>),
        integrator: &str,
        steps: &[f64],
        stiffness: f64,
    ) -> Lane {
        let step = steps.first().copied().unwrap_or_default();
        let combination =
            Combination { law: law.into(), epsilon, integrator: integrator.into(), step };
        let end = SearchEnd::Fails("no step was tried".into());
        let last =
            TuneCandidate { combination, cost: 0.0, completed: false, creep: None, end, runs: 0 };
        let row = INTEGRATORS.find(integrator).and_then(|row| row.from_defaults().ok());
        let explicit = row.is_some_and(|method| !method.capabilities().implicit);
        let least = if explicit { stiffness } else { 0.0 };
        Lane { last, least, done: steps.is_empty(), next: 0, best: None }
    }

    /// Whether a remaining step may cost less than `most` per simulated second.
    pub(super) fn waits_below(&self, most: f64) -> bool {
        !self.done && self.least < most
    }

    /// Tries the next step, at a cost of at most `most` per simulated second.
    pub(super) fn advance(&mut self, tuning: &Tuning, speed: &Speed, most: f64, clock: &Clock) {
        let combination =
            Combination { step: tuning.grid.steps[self.next], ..self.last.combination.clone() };
        if let Some(short) = speed.settled.filter(|_| !tuning.exhaustive) {
            let failed = tuning
                .fails_early(&combination, short, most * speed.length, &|| tuning.over(clock));
            if let Some(why) = failed.filter(|_| !tuning.over(clock)) {
                let (runs, end) = (self.last.runs + 1, SearchEnd::Fails(why));
                let (cost, completed, creep) = (0.0, false, None);
                self.last = TuneCandidate { combination, cost, completed, creep, end, runs };
                self.next_step(tuning);
                return;
            }
        }
        match tuning.run_one(&combination, 1.0, most, &|| tuning.over(clock)) {
            // another step may fit the frames
            Err(errors) => {
                self.last.end = SearchEnd::Refused(errors.diagnostics[0].message.clone());
                self.next_step(tuning);
            }
            // an unfinished run is not evaluated
            Ok(_) if tuning.over(clock) => {}
            Ok(tried) => self.take(tuning, combination, tried, most),
        }
    }

    fn take(&mut self, tuning: &Tuning, combination: Combination, tried: Tried, most: f64) {
        let Tried { cost, completed, creep, fault, too_dear } = tried;
        let end = match (too_dear, fault) {
            (true, _) => SearchEnd::TooDear,
            (false, Some(why)) => SearchEnd::Fails(why),
            (false, None) => SearchEnd::Holds,
        };
        let runs = self.last.runs + 1;
        let failed = matches!(end, SearchEnd::Fails(_));
        self.last = TuneCandidate { combination, cost, completed, creep, end, runs };
        if too_dear {
            self.least = most;
            return;
        }
        if self.last.holds() {
            if self.best.as_ref().is_none_or(|best| cost < best.cost) {
                self.best = Some(self.last.clone());
            }
            self.done = !tuning.exhaustive;
        }
        if !self.done {
            self.next_step(tuning);
        }
        if failed && !tuning.exhaustive && !self.done {
            let factor = self.last.combination.step / tuning.grid.steps[self.next];
            self.least = self.least.max(least(&self.last, factor));
        }
    }

    fn next_step(&mut self, tuning: &Tuning) {
        self.next += 1;
        self.done = self.next == tuning.grid.steps.len();
    }

    /// The result: the combination that holds, or the end without one.
    pub(super) fn found(mut self) -> TuneCandidate {
        let runs = self.last.runs;
        if let Some(best) = self.best {
            return TuneCandidate { runs, ..best };
        }
        if !self.done {
            self.last.end = SearchEnd::TooDear;
        }
        self.last
    }

    /// The cheapest that holds so far.
    pub(super) fn holding(&self) -> Option<&TuneCandidate> {
        self.best.as_ref()
    }
}

/// Lower bound of the cost per simulated second of a step smaller by `factor` than a failed one.
/// Adaptive methods choose their substeps independently of the step. Substeps and iterations of a
/// run that did not reach its end bound nothing.
fn least(failed: &TuneCandidate, factor: f64) -> f64 {
    let row = INTEGRATORS.find(&failed.combination.integrator);
    let Some(method) = row.and_then(|row| row.from_defaults().ok()) else { return 0.0 };
    let capabilities = method.capabilities();
    let share = match (capabilities.adaptive, capabilities.implicit) {
        (true, _) if failed.completed => CHEAPER_EXPLICIT,
        (false, false) => CHEAPER_EXPLICIT * factor,
        (false, true) if failed.completed => CHEAPER_IMPLICIT * factor,
        _ => 0.0,
    };
    share * failed.cost
}
