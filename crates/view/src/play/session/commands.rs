//! Commands to a session: keys, buttons, the hand, and other scenes.

use super::super::PlayerCommand;
use super::super::pane::Pane;
use super::{FRAME, Session, SessionPlan};
use crate::keys::{Action, Direction, Knob};
use std::path::Path;
use stiction_core::math::{larger, smaller};
use stiction_core::state::memory::Grip;
use stiction_lab::experiment::base::Base;
use web_time::{Duration, Instant};

impl Session {
    /// Performs a command.
    pub fn obey(&mut self, command: PlayerCommand) {
        self.seeking = None;
        let done = match command {
            PlayerCommand::Seek(time) => {
                self.pause();
                let end = self.panes[self.active].end();
                self.seeking = Some(smaller(larger(time, 0.0), end)).filter(|t| t.is_finite());
                Ok(())
            }
            PlayerCommand::Act(action) => self.act(action),
            PlayerCommand::Speed(speed) => {
                self.set_speed(speed);
                Ok(())
            }
            PlayerCommand::Choose(particle) => {
                self.panes.iter_mut().for_each(|pane| pane.choose(particle));
                Ok(())
            }
            PlayerCommand::Grab(pane, particle) => {
                self.active = pane.min(self.panes.len() - 1);
                self.grab(particle)
            }
            PlayerCommand::Pull(by) => self.every(|pane| pane.pull(by)),
            PlayerCommand::Release => self.every(Pane::release),
            PlayerCommand::Set { knob, value, again } => self.set(knob, value, again),
            PlayerCommand::Name { knob, name } => self.name(knob, &name),
            PlayerCommand::Slider(path) => self.make_slider(&path),
            PlayerCommand::Open(path) => self.open(&path),
        };
        if let Err(message) = done {
            self.notice = Some(message);
        }
    }

    /// Performs an action in all runs, and returns the first error.
    pub(super) fn every(
        &mut self,
        act: impl Fn(&mut Pane) -> Result<(), String>,
    ) -> Result<(), String> {
        let reference = self.reference.as_mut().map(|(_, pane)| pane);
        let done = self.panes.iter_mut().chain(reference).map(act);
        done.fold(Ok(()), Result::and)
    }

    /// Holds the same particles in all runs by equal springs: the softest and the least damped.
    fn grab(&mut self, particle: usize) -> Result<(), String> {
        let all = || self.panes.iter().chain(self.reference.as_ref().map(|(_, pane)| pane));
        let grips = || all().filter_map(|pane| pane.grip(particle));
        let stiffness = grips().map(|grip| grip.stiffness).fold(f64::INFINITY, smaller);
        let damping = grips().map(|grip| grip.damping).fold(f64::INFINITY, smaller);
        self.every(|pane| match pane.grip(particle) {
            Some(grip) => pane.hold(Grip { stiffness, damping, ..grip }),
            None => Ok(()),
        })
    }

    fn act(&mut self, action: Action) -> Result<(), String> {
        match action {
            Action::Play => self.toggle(),
            Action::Step => self.step(),
            Action::Frame => self.skip(),
            Action::Back => return self.back(),
            Action::Faster => self.set_speed(2.0 * self.speed),
            Action::Slower => self.set_speed(0.5 * self.speed),
            Action::RealTime => self.set_speed(1.0),
            Action::Restart => return self.restart(),
            Action::Reload => self.reload()?,
            Action::Turn(knob, way) => return self.turn(knob, way),
            Action::Undo => return self.undo(),
            Action::Loop => self.set_looping(!self.looping),
            Action::Verify => self.panes[self.active].verify(),
            Action::Push => return self.toggle_push(),
            Action::Above => return self.turn(Knob::PushHeight, Direction::Up),
            Action::Below => return self.turn(Knob::PushHeight, Direction::Down),
            Action::Pane(pane) if pane < self.panes.len() => self.active = pane,
            _ => {}
        }
        Ok(())
    }

    /// Restarts with the present settings.
    pub(super) fn restart(&mut self) -> Result<(), String> {
        let done = self.every(Pane::restart);
        self.push = None;
        self.begin();
        done
    }

    /// Plays or pauses. A failed session cannot be played.
    fn toggle(&mut self) {
        if self.playing {
            self.pause();
        } else if !self.failed() {
            self.beyond = self.at_end();
            self.playing = true;
            self.due = self.time();
        }
    }

    /// Pauses what plays, with a notice.
    fn pause_for(&mut self, what: &str) {
        if self.playing {
            self.notice = Some(format!("paused, {what}: space plays on"));
        }
        self.pause();
    }

    /// Pauses and takes one step; of runs side by side, the longest one.
    fn step(&mut self) {
        self.pause_for("one step");
        let target = self.next_common();
        self.advance_to(target, None);
    }

    /// The time at which all runs have taken at least one more step \[s\].
    fn next_common(&self) -> f64 {
        let going = self.panes.iter().filter(|pane| pane.failure().is_none());
        going.map(Pane::next_time).fold(0.0, larger)
    }

    /// Pauses and advances by a frame of wall time at the present speed, at least one step.
    fn skip(&mut self) {
        self.pause_for("one frame");
        let target = larger(self.time() + FRAME * self.speed, self.next_common());
        self.advance_to(target, Some(Instant::now() + Duration::from_millis(200)));
    }

    /// Pauses and goes back to the previous checkpoint, all runs to the same time.
    fn back(&mut self) -> Result<(), String> {
        self.pause();
        let time = self.panes[self.active].time_before().ok_or("no earlier state is kept")?;
        let done = self.every(|pane| pane.back_to(time));
        self.due = self.time();
        done
    }

    /// Reloads the scene and starts it without changes.
    pub(super) fn reload(&mut self) -> Result<(), String> {
        let cast = SessionPlan { recording: None, ..self.cast.clone() };
        match self.load(cast) {
            Ok(()) => self.notice = Some("the scene was read again".into()),
            Err(errors) => {
                return Err(format!(
                    "the scene has a mistake, the one before plays on: {}",
                    errors.brief()
                ));
            }
        }
        Ok(())
    }

    /// Plays another scene under the same methods side by side, without a reference: one suited to
    /// this scene may not suit another.
    fn open(&mut self, path: &Path) -> Result<(), String> {
        let several = self.cast.panes.len() > 1;
        let of = |base: &Base| {
            let mut other = Base::file(path);
            (other.allow_path, other.options) = (base.allow_path, base.options.clone());
            if several {
                other.set.clone_from(&base.set);
            }
            other
        };
        let panes = self.cast.panes.iter().map(of).collect();
        let cast = SessionPlan { path: path.into(), panes, reference: None, recording: None };
        let had = self.cast.reference.is_some();
        self.load(cast).map_err(|errors| format!("{}: {}", path.display(), errors.brief()))?;
        self.sliders.clear();
        self.playing = true;
        if had {
            self.notice =
                Some("the reference was for the other scene: --reference makes one".into());
        }
        Ok(())
    }

    fn turn(&mut self, knob: Knob, way: Direction) -> Result<(), String> {
        if matches!(knob, Knob::PushForce | Knob::PushHeight) {
            return self.turn_push(knob, way);
        }
        if let Knob::Number(place) = knob {
            return self.with_slider(place, |pane, slider| pane.turn_number(slider, way));
        }
        let done = self.panes[self.active].turn(knob, way)?;
        self.changed(done)
    }

    /// Sets a knob to a value in SI; `again` while a slider is dragged.
    fn set(&mut self, knob: Knob, value: f64, again: bool) -> Result<(), String> {
        if matches!(knob, Knob::PushForce | Knob::PushHeight) {
            return self.set_push(knob, value);
        }
        if let Knob::Number(place) = knob {
            return self.with_slider(place, |pane, slider| pane.set_number(slider, value, again));
        }
        let done = self.panes[self.active].set_value(knob, value, again)?;
        self.changed(done)
    }

    /// Chooses the integrator or the law of the active run by its name.
    fn name(&mut self, knob: Knob, name: &str) -> Result<(), String> {
        let done = self.panes[self.active].set_name(knob, name)?;
        self.changed(done)
    }

    /// Undoes the last change of the active run.
    fn undo(&mut self) -> Result<(), String> {
        self.starting(|pane| pane.undo())
    }

    /// Applies a change of the first run to the reference, and notifies.
    pub(super) fn changed(&mut self, done: String) -> Result<(), String> {
        if self.active == 0
            && let Some((_, reference)) = &mut self.reference
        {
            let changes = reference.changes().with_physics_of(self.panes[0].changes());
            if changes != *reference.changes()
                && let Err(message) = reference.set(changes)
            {
                self.reference = None;
                self.notice = Some(format!("{done}; there is no reference for it: {message}"));
                return Ok(());
            }
        }
        self.notice = Some(done);
        Ok(())
    }
}
