//! The largest stable step of what runs now, computed beside it.

use crate::experiment::stiffness::stable_step;
use crate::integrators::INTEGRATORS;
use crate::model::Model;
use crate::scene::Scene;
use crate::scene::build::make;
use crate::state::State;
use crate::view::display::StableStep;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// More particles than this are left to `stiffness`: their modes take longer than a change lasts.
const MOST: usize = 3000;

/// The stable step now, and before the last change.
#[derive(Default)]
pub struct Stability {
    now: Option<StableStep>,
    before: Option<StableStep>,
    coming: Option<Receiver<StableStep>>,
}

impl Stability {
    /// Computes it anew; what is known becomes what was before.
    pub fn ask(&mut self, scene: &Scene, model: &Arc<Model>, state: &State) {
        self.before = self.now.take().or(self.before.take());
        let method = make(INTEGRATORS, &scene.integrator).map(|method| method.capabilities());
        if method.is_ok_and(|method| method.adaptive) {
            (self.now, self.coming) = (Some(StableStep::Adaptive), None);
            return;
        }
        if model.particles() > MOST {
            let refused =
                format!("not said of more than {MOST} particles: ask `stiction stiffness`");
            self.now = Some(StableStep::Refused(refused));
            return;
        }
        let (sender, receiver) = channel();
        let (scene, model, state) = (scene.clone(), model.clone(), state.clone());
        self.coming = Some(receiver);
        std::thread::spawn(move || {
            let step = match stable_step(&scene, &model, state) {
                Ok(Some((limit, what))) => StableStep::Limit(limit, what),
                Ok(None) => StableStep::Unlimited,
                Err(why) => StableStep::Refused(why),
            };
            // whoever asked may have gone
            let _ = sender.send(step);
        });
    }

    /// What is known; `true` when it has just come.
    pub fn look(&mut self) -> bool {
        let Some(receiver) = &self.coming else { return false };
        match receiver.try_recv() {
            Ok(step) => self.now = Some(step),
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => {}
        }
        self.coming = None;
        true
    }

    /// For the picture.
    pub fn shown(&self) -> (StableStep, Option<StableStep>) {
        (self.now.clone().unwrap_or(StableStep::Unknown), self.before.clone())
    }
}
