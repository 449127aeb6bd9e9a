//! The largest stable step at the present state, computed in parallel to the run.

use super::beside;
use crate::display::StableStep;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use stiction_core::integrators::INTEGRATORS;
use stiction_core::model::Model;
use stiction_core::state::State;
use stiction_lab::experiment::stable_step::stable_step;
use stiction_scene::Scene;
use stiction_scene::build::make;
use web_time::{Duration, Instant};

/// Number of particles above which `stiction stiffness` is named instead: modes take too long.
const MOST: usize = 3000;

/// The stable step is computed again after this time, or after this many times the duration of the
/// last computation, whichever is longer.
const AGAIN: (Duration, u32) = (Duration::from_millis(1500), 20);

/// Practically infinite time.
const FOR_EVER: Duration = Duration::from_secs(1 << 30);

/// The stable step now, and before the last change.
#[derive(Default)]
pub struct Stability {
    now: Option<StableStep>,
    before: Option<StableStep>,
    coming: Option<Receiver<(StableStep, Duration)>>,
    next: Option<Instant>,
    /// whether the pending result is from before the last change
    stale: bool,
}

impl Stability {
    /// After a change: the present value becomes the previous one.
    pub fn forget(&mut self) {
        self.before = self.now.take().or(self.before.take());
        (self.stale, self.next) = (self.coming.is_some(), None);
    }

    /// Resets both values.
    pub fn begin(&mut self) {
        self.forget();
        self.before = None;
    }

    /// Receives a stable step, and has it computed again from time to time, since contact forces
    /// change during the run.
    pub fn look(&mut self, scene: &Scene, model: &Arc<Model>, state: &State) {
        if let Some(receiver) = &self.coming {
            match receiver.try_recv() {
                // from before the last change
                Ok(_) if self.stale => {}
                Ok((step, took)) => {
                    self.now = Some(step);
                    self.next = Some(Instant::now() + AGAIN.0.max(took * AGAIN.1));
                }
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    self.now = Some(StableStep::Refused("computing it stopped on a bug".into()));
                    self.next = Some(Instant::now() + FOR_EVER);
                }
            }
            (self.coming, self.stale) = (None, false);
        } else if self.next.is_none_or(|next| Instant::now() >= next) {
            self.ask(scene, model, state);
        }
    }

    fn ask(&mut self, scene: &Scene, model: &Arc<Model>, state: &State) {
        let method = make(&INTEGRATORS, &scene.integrator).map(|method| method.capabilities());
        if method.is_ok_and(|method| method.adaptive) {
            self.now = Some(StableStep::Adaptive);
            self.next = Some(Instant::now() + FOR_EVER);
            return;
        }
        if model.particles() > MOST {
            let refused =
                format!("not said of more than {MOST} particles: ask `stiction stiffness`");
            self.now = Some(StableStep::Refused(refused));
            self.next = Some(Instant::now() + FOR_EVER);
            return;
        }
        let (scene, model, state) = (scene.clone(), model.clone(), state.clone());
        self.coming = Some(beside::compute(move || {
            let began = Instant::now();
            let step = match stable_step(&scene, &model, state) {
                Ok(Some((limit, what))) => StableStep::Limit(limit, what),
                Ok(None) => StableStep::Unlimited,
                Err(why) => StableStep::Refused(why),
            };
            (step, began.elapsed())
        }));
    }

    /// The values to display.
    pub fn shown(&self) -> (StableStep, Option<StableStep>) {
        (self.now.clone().unwrap_or(StableStep::Unknown), self.before.clone())
    }
}
