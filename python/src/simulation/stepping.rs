//! Steps, and actions of the user's hand between them.

use super::{Inner, Simulation};
use crate::attended::{Course, attended};
use crate::failures::step_failure;
use crate::slots::{is_faulty, take_fault};
use crate::values::vector;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};
use stiction_core::SimulationError;
use stiction_core::state::memory::{Grip, Hand, Shove};
use stiction_core::step_error::StepError;

/// Time of stepping before other threads may read and signals are checked.
const TURN: Duration = Duration::from_millis(10);

/// Duration of a step above which it may be interrupted.
const LONG: Duration = Duration::from_millis(100);

/// Number of steps taken in one turn, and the result of the last.
struct Turn {
    taken: u64,
    result: Result<(), SimulationError>,
}

impl Simulation {
    /// Takes at most `most` steps, until the turn is over, another thread waits, or a step fails.
    fn turn(&self, inner: &mut Inner, most: u64) -> Turn {
        let began = Instant::now();
        let mut before = began;
        let mut taken = 0;
        while taken < most {
            if let Err(error) = inner.timeline.simulation.advance() {
                return Turn { taken, result: Err(error) };
            }
            taken += 1;
            let now = Instant::now();
            if now - before > LONG {
                self.slow.store(true, Ordering::Relaxed);
            }
            before = now;
            if now - began > TURN || self.waiting.load(Ordering::Relaxed) > 0 || is_faulty() {
                break;
            }
        }
        Turn { taken, result: Ok(()) }
    }

    /// Takes steps in turns; `left` returns the number of remaining steps.
    fn steps(&self, py: Python<'_>, left: impl Fn(&Inner) -> u64) -> PyResult<()> {
        loop {
            let mut inner = self.lock(py);
            let most = left(&inner);
            if most == 0 {
                return Ok(());
            }
            inner.moving(py)?;
            let state: &mut Inner = &mut inner;
            let turn = if self.slow.load(Ordering::Relaxed) {
                attended(py, &self.stop, &Course::default(), None, || self.turn(state, most))?
            } else {
                py.detach(|| self.turn(state, most))
            };
            if let Some(error) = take_fault() {
                return Err(error);
            }
            match turn.result {
                // an exception has been returned above; without one the step is tried again
                Err(error) if error.cause == StepError::Stopped => {}
                Err(error) => {
                    return Err(step_failure(py, &error, &inner.timeline.simulation.model));
                }
                Ok(()) => {}
            }
            drop(inner);
            if turn.taken == most {
                return Ok(());
            }
            py.check_signals()?;
            // waiting threads come first
            for _ in 0..1000 {
                if self.waiting.load(Ordering::Relaxed) == 0 {
                    break;
                }
                py.detach(|| thread::sleep(Duration::from_micros(20)));
            }
        }
    }

    fn hand(&self, py: Python<'_>, change: impl FnOnce(&mut Hand)) -> PyResult<()> {
        let mut inner = self.lock(py);
        let simulation = &mut inner.moving(py)?.simulation;
        let mut hand = simulation.state.memory.hand.clone();
        change(&mut hand);
        simulation.handle(hand);
        Ok(())
    }

    fn check(&self, py: Python<'_>, particles: &[usize]) -> PyResult<()> {
        let count = self.lock(py).timeline.simulation.model.particles();
        match particles.iter().find(|i| **i >= count) {
            None if particles.is_empty() => Err(PyValueError::new_err("no particle is named")),
            None => Ok(()),
            Some(i) => {
                let message = format!("there is no particle {i}: {count} are numbered from 0");
                Err(PyIndexError::new_err(message))
            }
        }
    }
}

impl Simulation {
    pub(super) fn do_step(&self, py: Python<'_>, count: u64) -> PyResult<()> {
        let start = self.lock(py).timeline.simulation.state.step_count;
        self.steps(py, |inner| {
            let now = inner.timeline.simulation.state.step_count;
            (start + count).saturating_sub(now)
        })
    }

    pub(super) fn do_advance_to(&self, py: Python<'_>, time: f64) -> PyResult<()> {
        if !time.is_finite() {
            return Err(PyValueError::new_err("the time must be a number"));
        }
        self.steps(py, |inner| {
            let simulation = &inner.timeline.simulation;
            let (now, dt) = (simulation.state.step_count, simulation.time_step());
            // the last state not after the time, up to rounding
            let most = ((time - simulation.state.time) / dt * (1.0 + 1e-12)).max(0.0) as u64 + 1;
            let fits = |count: &u64| simulation.time_at(now + count) <= time * (1.0 + 1e-12);
            (0..=most).rev().take(3).find(fits).unwrap_or(0)
        })
    }

    pub(super) fn do_push(
        &self,
        py: Python<'_>,
        particles: Vec<usize>,
        force: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let force = vector(force)?;
        self.check(py, &particles)?;
        self.hand(py, |hand| hand.push = Some(Shove { particles, force }))
    }

    pub(super) fn do_grip(
        &self,
        py: Python<'_>,
        particles: Vec<usize>,
        target: &Bound<'_, PyAny>,
        stiffness: f64,
        damping: f64,
    ) -> PyResult<()> {
        let target = vector(target)?;
        self.check(py, &particles)?;
        if !(stiffness >= 0.0 && damping >= 0.0 && stiffness.is_finite() && damping.is_finite()) {
            return Err(PyValueError::new_err(
                "stiffness and damping must be numbers from zero on",
            ));
        }
        let mut inner = self.lock(py);
        let state = &inner.whole(py)?.simulation.state;
        // particles already held keep their places in the hand
        let held = state.memory.hand.grip.as_ref().filter(|grip| grip.particles == particles);
        let offsets = match held {
            Some(grip) => grip.offsets.clone(),
            None => {
                let own = particles.iter().map(|i| state.positions[*i]);
                let middle = own.clone().sum::<stiction_core::Vector>() / particles.len() as f64;
                own.map(|x| x - middle).collect()
            }
        };
        drop(inner);
        let grip = Grip { particles, offsets, target, stiffness, damping };
        self.hand(py, |hand| hand.grip = Some(grip))
    }

    pub(super) fn do_release(&self, py: Python<'_>) -> PyResult<()> {
        self.hand(py, |hand| *hand = Hand::default())
    }
}
