//! Going back: checkpoints of a pane, and the return to one of them.

use super::start::numbers_of;
use super::{Loaded, Pane};
use crate::play::rewind::RewindPoint;

impl Pane {
    /// The time of the last checkpoint before the present step \[s\].
    pub(crate) fn time_before(&self) -> Option<f64> {
        self.ring.time_before(self.timeline.simulation.state.step_count)
    }

    /// Goes back to the last checkpoint not after `time` \[s\], else to the first.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub(crate) fn back_to(&mut self, time: f64) -> Result<(), String> {
        let kept = self.ring.back_to(time).ok_or("no earlier state is kept")?;
        let mut under = None;
        if kept.set != self.set {
            let Loaded { scene, resolved, .. } =
                self.base.load(&kept.set).map_err(|errors| errors.brief())?;
            let built = self.base.build(&scene).map_err(|errors| errors.brief())?;
            under = Some((scene, built));
            self.numbers = numbers_of(&resolved);
            (self.set, self.changes) = (kept.set.clone(), kept.changes.clone());
            self.stability.forget();
            self.verifying.forget();
        }
        self.timeline.restore(&kept.checkpoint, &kept.earlier, under);
        self.events.truncate(kept.events);
        self.before.truncate(kept.before);
        (self.since, self.failure) = (kept.since, None);
        self.replay.clear();
        self.recorded = None;
        self.history.truncate(self.time());
        self.measuring.back_to(&kept.measures);
        self.partings = kept.partings;
        // the mouse no longer holds the particles held at that time
        self.let_go()
    }

    /// Stores a checkpoint, unless the last one is less than `apart` \[s\] before.
    pub fn keep(&mut self, apart: f64) {
        let time = self.time();
        if self.failure.is_some() || self.ring.last_time().is_some_and(|last| time - last < apart) {
            return;
        }
        self.ring.add(RewindPoint {
            checkpoint: self.timeline.simulation.checkpoint(),
            changes: self.changes.clone(),
            set: self.set.clone(),
            events: self.events.len(),
            before: self.before.len(),
            since: self.since,
            earlier: self.timeline.earlier().clone(),
            measures: self.measuring.point(),
            partings: self.partings.clone(),
        });
    }
}
