//! The largest stable step of what runs now, computed beside it.

use super::beside;
use crate::display::StableStep;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use stiction_core::integrators::INTEGRATORS;
use stiction_core::model::Model;
use stiction_core::state::State;
use stiction_lab::experiment::stiffness::stable_step;
use stiction_scene::Scene;
use stiction_scene::build::make;
use web_time::{Duration, Instant};

/// More particles than this are left to `stiffness`: their modes take longer than a change lasts.
const MOST: usize = 3000;

/// It is computed anew after this, and after so many times what that took.
const AGAIN: (Duration, u32) = (Duration::from_millis(1500), 20);

/// Never, for a window.
const FOR_EVER: Duration = Duration::from_secs(1 << 30);

/// The stable step now, and before the last change.
#[derive(Default)]
pub struct Stability {
    now: Option<StableStep>,
    before: Option<StableStep>,
    coming: Option<Receiver<(StableStep, Duration)>>,
    next: Option<Instant>,
    /// what is coming is of a state before the last change
    stale: bool,
}

impl Stability {
    /// Something was changed: what is known becomes what was before.
    pub fn forget(&mut self) {
        self.before = self.now.take().or(self.before.take());
        (self.stale, self.next) = (self.coming.is_some(), None);
    }

    /// Nothing is known, nor was.
    pub fn begin(&mut self) {
        self.forget();
        self.before = None;
    }

    /// Takes in what has come, and computes it anew now and then: contacts press more or less as the
    /// run goes on.
    pub fn look(&mut self, scene: &Scene, model: &Arc<Model>, state: &State) {
        if let Some(receiver) = &self.coming {
            match receiver.try_recv() {
                // of what was before the last change
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

    /// For the picture.
    pub fn shown(&self) -> (StableStep, Option<StableStep>) {
        (self.now.clone().unwrap_or(StableStep::Unknown), self.before.clone())
    }
}
