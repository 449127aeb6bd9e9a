//! The watch over motions that are prescribed. A collider that swings or turns is seen at the instants of
//! a method's stages only: at f = 1/h it looks as if it stood still.

use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::contact::collider::Motion;
use crate::math::{PI, larger};
use crate::model::Model;
use crate::state::State;

/// Phase that a swing or a turn may go on in a step \[rad\], under a method of order one and under
/// others: twenty and ten steps a turn.
const PHASE: [f64; 2] = [PI / 10.0, PI / 5.0];

/// A motion that the step does not resolve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionUnresolved {
    /// The collider's number.
    pub collider: usize,
    /// Steps to a period or a turn.
    pub steps: f64,
    /// Its period \[s\].
    pub period: f64,
    /// How many there should be.
    pub needed: f64,
    /// When something first touched it \[s\].
    pub time: f64,
}

/// Watches contacts with colliders whose motion is not resolved. Adaptive methods see it in their
/// substeps.
#[derive(Debug, Clone, Default)]
pub struct Motions {
    unresolved: Vec<MotionUnresolved>,
    /// The worst of those that were touched.
    pub found: Option<MotionUnresolved>,
}

/// The largest angular frequency of a motion \[rad/s\].
fn pace(motion: &Motion) -> f64 {
    let swings = motion.oscillation.filter(|swing| swing.amplitude != 0.0);
    let swing = swings.map_or(0.0, |swing| 2.0 * PI * swing.frequency.abs());
    larger(swing, motion.spin.map_or(0.0, |spin| spin.rate.abs()))
}

impl Motions {
    fn look(&mut self, state: &State) {
        for contact in &state.memory.contacts {
            let touched = contact.key.collider();
            let found = self.unresolved.iter().find(|motion| Some(motion.collider) == touched);
            if let Some(found) = found
                && self.found.is_none_or(|worst| found.steps < worst.steps)
            {
                self.found = Some(MotionUnresolved { time: state.time, ..*found });
            }
        }
    }
}

impl Watch for Motions {
    fn start(start: &Start) -> Self {
        let mut watch = Motions::default();
        if start.method.adaptive {
            return watch;
        }
        let most = PHASE[usize::from(start.method.order > 1)];
        for (collider, it) in start.model.surfaces.colliders.iter().enumerate() {
            let pace = pace(&it.motion);
            if pace * start.dt > most * (1.0 + 1e-9) {
                watch.unresolved.push(MotionUnresolved {
                    collider,
                    steps: 2.0 * PI / (pace * start.dt),
                    period: 2.0 * PI / pace,
                    needed: 2.0 * PI / most,
                    time: 0.0,
                });
            }
        }
        watch.look(start.state);
        watch
    }

    fn observe(&mut self, step: &Observation) {
        if !self.unresolved.is_empty() {
            self.look(step.state);
        }
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.found.map(Reason::from));
    }
}

/// See [`MotionUnresolved`].
pub static MOTION_UNRESOLVED: FaultKind = FaultKind {
    name: "motion-unresolved",
    about: "Something touches a collider that swings or turns by more than a tenth of its period in a step, a twentieth under a method of order one: the method sees too few of its positions, and at a whole number of periods a step it sees none of its motion. Use a smaller step, or an adaptive method, which resolves motions in its substeps.",
};

impl Fault for MotionUnresolved {
    fn kind(&self) -> &'static FaultKind {
        &MOTION_UNRESOLVED
    }

    fn describe(&self, model: &Model) -> String {
        let m = self;
        format!(
            "a motion is not resolved by the step: `{}` has a period of {:.3e} s, which is {:.3} steps, and {:.0} are needed; it was touched first at t = {:.4} s. Use a step of at most {:.3e} s, or an adaptive method",
            model.surfaces.colliders[m.collider].name,
            m.period,
            m.steps,
            m.needed,
            m.time,
            m.period / m.needed
        )
    }
}
