//! A session: a run played against the clock, without a window.

use super::Show;
use super::display::{Labels, Playback};
use super::keys::Way;
use crate::integrators::INTEGRATORS;
use crate::simulation::Simulation;
use std::time::{Duration, Instant};

/// Slowest and fastest play.
const SPEEDS: (f64, f64) = (1.0 / 1_048_576.0, 1024.0);

/// Time over which the achieved speed is measured \[s\].
const SPEED_WINDOW: f64 = 0.4;

/// A run being played.
pub struct Session<'a> {
    show: &'a Show<'a>,
    /// The run.
    pub simulation: Simulation,
    integrator: String,
    playing: bool,
    speed: f64,
    failure: Option<String>,
    /// time of the scene that should be reached by now \[s\]
    due: f64,
    /// the end was reached and the user chose to go on
    beyond: bool,
    measured: Measured,
}

/// Wall time and scene time since the speed was last computed \[s\].
#[derive(Debug, Clone, Copy, Default)]
struct Measured {
    wall: f64,
    scene: f64,
    speed: Option<f64>,
}

impl<'a> Session<'a> {
    /// Starts the show's run, playing in real time.
    pub fn start(show: &'a Show<'a>) -> Result<Session<'a>, String> {
        let simulation = (show.start)(&show.integrator)?;
        Ok(Session {
            due: simulation.state.time,
            show,
            simulation,
            integrator: show.integrator.clone(),
            playing: true,
            speed: 1.0,
            failure: None,
            beyond: false,
            measured: Measured::default(),
        })
    }

    /// Whether time goes on.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Why the run went no further, if it did not.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Name of the integrator in use.
    pub fn integrator(&self) -> &str {
        &self.integrator
    }

    /// Wanted seconds of the scene per second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets the wanted speed, within what makes sense.
    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed.clamp(SPEEDS.0, SPEEDS.1);
        self.measured = Measured::default();
    }

    /// Plays or pauses. After a failure there is nothing to play.
    pub fn toggle(&mut self) {
        if self.playing {
            self.pause();
        } else if self.failure.is_none() {
            self.beyond = self.at_end();
            self.playing = true;
            self.due = self.simulation.state.time;
        }
    }

    fn pause(&mut self) {
        self.playing = false;
        self.measured = Measured::default();
    }

    /// Pauses and takes one step.
    pub fn step(&mut self) {
        self.pause();
        if self.failure.is_none() {
            self.advance_once();
        }
    }

    /// Pauses and goes on by `seconds` of the clock at the present speed, at least one step.
    pub fn skip(&mut self, seconds: f64, budget: Duration) {
        self.pause();
        let target = self.simulation.state.time + seconds * self.speed;
        let began = Instant::now();
        while self.failure.is_none() {
            self.advance_once();
            if self.time_after_next() > target || began.elapsed() > budget {
                break;
            }
        }
    }

    /// Starts again from t = 0 with the present integrator.
    pub fn restart(&mut self) {
        match (self.show.start)(&self.integrator) {
            Ok(simulation) => {
                self.simulation = simulation;
                self.failure = None;
                self.beyond = false;
                self.playing = true;
                self.due = self.simulation.state.time;
                self.measured = Measured::default();
            }
            Err(message) => self.fail(message),
        }
    }

    /// Goes on with the next integrator of the table, or with the one before.
    pub fn turn(&mut self, way: Way) {
        let count = INTEGRATORS.len();
        let now = INTEGRATORS.iter().position(|row| row.name == self.integrator).unwrap_or(0);
        self.switch(match way {
            Way::Down => (now + 1) % count,
            Way::Up => (now + count - 1) % count,
        });
    }

    /// Goes on with integrator number `k` of the table from the present state, which after a
    /// failure is the last good one.
    pub fn switch(&mut self, k: usize) {
        let Some(row) = INTEGRATORS.get(k) else { return };
        match (self.show.method)(row.name) {
            // what jumps velocities, or holds exactly, does not bear every method
            Ok(integrator)
                if integrator.capabilities().kick_share.is_none()
                    && (!self.simulation.model.contact_is_force
                        || self.simulation.model.constraints().next().is_some()) => {}
            Ok(_) if !self.simulation.model.others.is_empty() => {}
            Ok(integrator) => {
                self.simulation.switch_integrator(integrator);
                self.integrator = row.name.to_string();
                self.failure = None;
            }
            Err(message) => self.fail(message),
        }
    }

    fn fail(&mut self, message: String) {
        self.failure = Some(message);
        self.pause();
    }

    /// Plays `elapsed` time of the clock: as many steps as it takes at the wanted speed, as far as
    /// they can be computed within `budget`. What could not be computed is not owed.
    pub fn play(&mut self, elapsed: Duration, budget: Duration) {
        if !self.playing {
            return;
        }
        let began = Instant::now();
        let start = self.simulation.state.time;
        let elapsed = elapsed.as_secs_f64();
        self.due += elapsed * self.speed;
        while self.playing && self.time_after_next() <= self.due {
            if self.at_end() && !self.beyond {
                self.pause();
                return;
            }
            self.advance_once();
            if began.elapsed() >= budget {
                self.due = self.simulation.state.time;
                break;
            }
        }
        self.measure(elapsed, self.simulation.state.time - start);
    }

    fn measure(&mut self, wall: f64, scene: f64) {
        let measured = &mut self.measured;
        measured.wall += wall;
        measured.scene += scene;
        if measured.wall >= SPEED_WINDOW {
            measured.speed = Some(measured.scene / measured.wall);
            (measured.wall, measured.scene) = (0.0, 0.0);
        }
    }

    fn time_after_next(&self) -> f64 {
        (self.simulation.state.step + 1) as f64 * self.simulation.step_size()
    }

    fn at_end(&self) -> bool {
        let half = 0.5 * self.simulation.step_size();
        self.show.end.is_some_and(|end| self.simulation.state.time > end - half)
    }

    fn advance_once(&mut self) {
        if let Err(error) = self.simulation.advance() {
            self.fail(error.describe(&self.simulation.model));
        }
    }

    /// Names for the panel.
    pub fn labels(&self) -> Labels {
        Labels {
            title: self.show.title.clone(),
            integrator: self.integrator.clone(),
            law: self.show.law.clone(),
            end: self.show.end,
        }
    }

    /// How it is being played, for the panel.
    pub fn playback(&self) -> Playback {
        let ended = self.at_end() && !self.playing && !self.beyond && self.failure.is_none();
        Playback {
            wanted: Some(self.speed),
            achieved: self.playing.then(|| self.measured.speed.unwrap_or(self.speed)),
            failure: self.failure.clone(),
            remark: ended.then(|| "the scene's end: space goes on, r starts again".to_string()),
            ..Playback::default()
        }
    }
}
