//! A session in real time: the progress of its runs in a time interval, and their speed.

use super::Session;
use crate::play::pane::Pane;
use rayon::prelude::*;
use stiction_core::math::{larger, smaller};
use web_time::{Duration, Instant};

/// Wall time over which the achieved speed is measured \[s\].
const SPEED_WINDOW: f64 = 0.4;

/// Interval between checks of the scene's files \[s\].
const LOOK: f64 = 0.5;

/// Longest wall time counted in one call \[s\].
const LONGEST: f64 = 0.1;

/// Pause at the end of a scene that restarts \[s\].
const REST: f64 = 1.0;

/// Wall time for which runs side by side advance together.
const SLICE: Duration = Duration::from_millis(3);

impl Session {
    /// Advances by `elapsed` wall time, as far as it can be computed within `budget`. The rest is
    /// not made up for.
    pub fn pass(&mut self, elapsed: Duration, budget: Duration) {
        self.look_at_files(elapsed.as_secs_f64());
        // delay from long computations is not made up for
        let elapsed = smaller(elapsed.as_secs_f64(), LONGEST);
        if let Some(time) = self.seeking {
            return self.seek(time, budget);
        }
        if !self.playing {
            return;
        }
        let start = self.time();
        self.due += elapsed * self.speed;
        let end = if self.beyond { f64::INFINITY } else { self.panes[0].end() };
        let arrived = self.advance_to(smaller(self.due, end), Some(Instant::now() + budget));
        if !arrived {
            self.due = self.time();
        }
        if let Some(same) = self.panes[0].take_end() {
            self.notice = Some(match same {
                true => "the recording ends here, with the same bits; space goes on".into(),
                false => "the recording ends here, with OTHER bits than it had".into(),
            });
            self.pause();
        }
        self.measure(elapsed, self.time() - start);
        if self.at_end() && !self.beyond && self.looping && !self.failed() {
            self.rested += elapsed;
            if self.rested >= REST {
                self.rested = 0.0;
                if let Err(message) = self.restart() {
                    self.notice = Some(message);
                }
            }
        } else if self.failed() || (self.at_end() && !self.beyond) {
            self.pause();
        }
    }

    /// Goes back if need be, to the last stored state, and ahead as far as the budget lasts.
    fn seek(&mut self, time: f64, budget: Duration) {
        let back = if self.time() > time * (1.0 + 1e-12) {
            self.every(|pane| pane.back_to(time))
        } else {
            Ok(())
        };
        let arrived = self.advance_to(time, Some(Instant::now() + budget));
        if arrived || back.is_err() {
            self.seeking = None;
        }
        self.due = self.time();
        self.notice = back.err().or(self.notice.take());
    }

    /// Advances to a scene time. Several runs advance between common times, multiples of the
    /// longest step, since they can be compared only at equal times.
    pub(super) fn advance_to(&mut self, time: f64, deadline: Option<Instant>) -> bool {
        if self.panes.len() == 1 && self.reference.is_none() {
            return self.go(time, deadline);
        }
        let all = self.panes.iter().chain(self.reference.as_ref().map(|(_, pane)| pane));
        let longest = all.map(|pane| pane.simulation().time_step()).fold(0.0, larger);
        let last = (time / longest * (1.0 + 1e-12)).floor();
        let mut now = (self.time() / longest * (1.0 + 1e-12)).floor();
        let mut steps = 1.0;
        while now < last {
            let began = Instant::now();
            now = smaller(now + steps, last);
            self.go(now * longest, None);
            if now < last && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return false;
            }
            let quick = began.elapsed() < SLICE / 2;
            steps = if quick { 2.0 * steps } else { larger(1.0, (0.5 * steps).floor()) };
        }
        true
    }

    /// Advances to a time, all runs in parallel.
    pub(super) fn go(&mut self, time: f64, deadline: Option<Instant>) -> bool {
        let reference = self.reference.as_mut().map(|(_, pane)| pane);
        let mut all: Vec<&mut Pane> = self.panes.iter_mut().chain(reference).collect();
        match &mut all[..] {
            [only] => only.advance_to(time, deadline),
            all => all
                .par_iter_mut()
                .map(|pane| pane.advance_to(time, deadline))
                .reduce(|| true, |a, b| a && b),
        }
    }

    fn look_at_files(&mut self, elapsed: f64) {
        self.files.since += elapsed;
        if self.files.since > LOOK {
            self.files.since = 0.0;
            if self.files.changed()
                && let Err(message) = self.reload()
            {
                self.notice = Some(message);
            }
        }
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
}
