//! A session: up to four runs of a scene played in real time, in step, with a reference.

mod clock;
mod files;
mod pushing;

use super::PlayerCommand;
use super::pane::Pane;
use crate::display::{Display, Playback};
use crate::keys::{Action, Direction, Knob};
use files::Files;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stiction_core::math::{larger, smaller};
use stiction_core::state::memory::Grip;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::recording::Recording;
use stiction_scene::diagnostics::SceneErrors;
use web_time::{Duration, Instant};

/// Slowest and fastest speed.
const SPEEDS: (f64, f64) = (1.0 / 1_048_576.0, 1024.0);

/// A frame of wall time \[s\].
const FRAME: f64 = 1.0 / 60.0;

/// Wall time between reports of a film.
const REPORT: Duration = Duration::from_millis(40);

/// Largest number of samples between two pictures of a film.
const MOST_PIECES: f64 = 400.0;

/// The scene and the runs of a session.
#[derive(Clone)]
pub struct Performers {
    /// The scene, as named in recordings and in the browser.
    pub path: PathBuf,
    /// One pane each, from left to right: the scene with its settings.
    pub panes: Vec<Base>,
    /// Name and setup of the reference.
    pub reference: Option<(String, Base)>,
    /// Recording of the only pane, to be replayed.
    pub recording: Option<Recording>,
}

/// Runs being played.
pub struct Session {
    cast: Performers,
    panes: Vec<Pane>,
    reference: Option<(String, Pane)>,
    active: usize,
    playing: bool,
    speed: f64,
    /// scene time due by now \[s\]
    due: f64,
    /// whether the end was reached and the user chose to continue
    beyond: bool,
    /// whether the scene restarts at its end
    looping: bool,
    /// wall time of the pause at the end \[s\]
    rested: f64,
    measured: Measured,
    push: Option<(f64, f64)>,
    notice: Option<String>,
    /// counter of scenes opened or reloaded
    opened: u64,
    files: Files,
}

/// Wall time and scene time since the speed was last computed \[s\].
#[derive(Debug, Clone, Copy, Default)]
struct Measured {
    wall: f64,
    scene: f64,
    speed: Option<f64>,
}

impl Session {
    /// Loads everything; runs are at t = 0, played in real time.
    ///
    /// # Errors
    /// All faults of the scene.
    pub fn start(cast: Performers) -> Result<Session, SceneErrors> {
        let mut session = Session {
            panes: Vec::new(),
            reference: None,
            active: 0,
            playing: true,
            speed: 1.0,
            due: 0.0,
            beyond: false,
            looping: false,
            rested: 0.0,
            measured: Measured::default(),
            push: None,
            notice: None,
            opened: 0,
            files: Files::default(),
            cast,
        };
        session.load(session.cast.clone())?;
        Ok(session)
    }

    fn load(&mut self, cast: Performers) -> Result<(), SceneErrors> {
        let mut panes = Vec::with_capacity(cast.panes.len());
        for base in &cast.panes {
            panes.push(Pane::open(base.clone())?);
        }
        let mut reference = None;
        if let Some((name, base)) = &cast.reference {
            reference = Some((name.clone(), Pane::open(base.clone())?));
        }
        if let (Some(recording), [pane]) = (&cast.recording, &mut panes[..]) {
            pane.replay(recording);
        }
        (self.panes, self.reference, self.cast) = (panes, reference, cast);
        self.active = self.active.min(self.panes.len() - 1);
        self.push = None;
        self.opened += 1;
        self.files = self.panes.first().map_or_else(Files::default, Files::of);
        self.begin();
        Ok(())
    }

    fn begin(&mut self) {
        (self.due, self.beyond) = (0.0, false);
        self.measured = Measured::default();
        self.keep();
        self.sample();
    }

    /// The runs.
    pub fn panes(&self) -> &[Pane] {
        &self.panes
    }

    /// Number of times a scene was opened or reloaded: the camera is then framed again.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// The scene being played.
    pub fn path(&self) -> &Path {
        &self.cast.path
    }

    /// The pane that receives keys.
    pub fn active(&self) -> usize {
        self.active
    }

    /// Whether it is playing.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// Notice of the last action, or of the reason for its refusal.
    pub fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    /// All actions on the first pane so far.
    pub fn recording(&self) -> Recording {
        self.panes[0].recording(&self.cast.path.to_string_lossy())
    }

    fn failed(&self) -> bool {
        self.failure().is_some()
    }

    fn at_end(&self) -> bool {
        self.panes.iter().all(|pane| pane.at_end() || pane.failure().is_some())
    }

    /// Sets whether the scene restarts at its end.
    pub fn loop_at_end(&mut self, looping: bool) {
        self.looping = looping;
    }

    /// Sets whether the scene restarts at its end, with a notice.
    fn set_looping(&mut self, looping: bool) {
        self.loop_at_end(looping);
        let what =
            if looping { "starts again at its end, O ends that" } else { "stops at its end" };
        self.notice = Some(format!("the scene {what}"));
        if looping && self.at_end() && !self.failed() {
            self.playing = true;
        }
    }

    /// Sets the requested speed, clamped to its range.
    fn set_speed(&mut self, speed: f64) {
        self.speed = speed.clamp(SPEEDS.0, SPEEDS.1);
        self.measured = Measured::default();
    }

    fn pause(&mut self) {
        self.playing = false;
        self.measured = Measured::default();
    }

    /// Performs a command.
    pub fn obey(&mut self, command: PlayerCommand) {
        let done = match command {
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
            PlayerCommand::Open(path) => self.open(&path),
        };
        if let Err(message) = done {
            self.notice = Some(message);
        }
    }

    /// Performs an action in all runs, and returns the first error.
    fn every(&mut self, act: impl Fn(&mut Pane) -> Result<(), String>) -> Result<(), String> {
        let reference = self.reference.as_mut().map(|(_, pane)| pane);
        let done = self.panes.iter_mut().chain(reference).map(act);
        done.fold(Ok(()), Result::and)
    }

    /// Holds the same particles in all runs, by equal springs: the softest.
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
    fn restart(&mut self) -> Result<(), String> {
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

    /// Pauses and takes one step; side by side, the longest one.
    fn step(&mut self) {
        self.pause();
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
        self.pause();
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
    fn reload(&mut self) -> Result<(), String> {
        let cast = Performers { recording: None, ..self.cast.clone() };
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
        let cast = Performers { path: path.into(), panes, reference: None, recording: None };
        let had = self.cast.reference.is_some();
        self.load(cast).map_err(|errors| format!("{}: {}", path.display(), errors.brief()))?;
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
        let done = self.panes[self.active].turn(knob, way)?;
        self.changed(done)
    }

    /// Sets a knob to a value in SI; `again` while a slider is dragged.
    fn set(&mut self, knob: Knob, value: f64, again: bool) -> Result<(), String> {
        if matches!(knob, Knob::PushForce | Knob::PushHeight) {
            return self.set_push(knob, value);
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
        let done = self.panes[self.active].undo()?;
        self.changed(done)
    }

    /// Applies a change of the first run to the reference, and notifies.
    fn changed(&mut self, done: String) -> Result<(), String> {
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

    fn keep(&mut self) {
        let apart = 0.5 * FRAME * self.speed;
        let reference = self.reference.as_mut().map(|(_, pane)| pane);
        self.panes.iter_mut().chain(reference).for_each(|pane| pane.keep(apart));
    }

    fn sample(&mut self) {
        let reference = self.reference.as_ref().map(|(_, pane)| pane);
        self.panes.iter_mut().for_each(|pane| pane.sample(reference));
    }

    /// All displays, pane by pane.
    pub fn displays(&mut self) -> Vec<Display> {
        self.keep();
        self.sample();
        let playback = self.playback();
        let push = self.push_settings();
        let reference = self.reference.as_ref().map(|(name, pane)| (name.as_str(), pane));
        let displays = self.panes.iter_mut().map(|pane| {
            let mut display = pane.display(playback.clone(), reference);
            display.settings.extend(push.clone());
            display
        });
        displays.collect()
    }

    /// Advances to a scene time as fast as possible, with samples at most `apart` \[s\] apart;
    /// `progress` receives the time reached and may request a stop.
    pub fn film_to(
        &mut self,
        time: f64,
        apart: f64,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let start = self.time();
        let pieces = ((time - start) / apart).ceil();
        let pieces = if pieces >= 1.0 { pieces.min(MOST_PIECES) as u32 } else { 1 };
        for piece in 1..=pieces {
            let share = f64::from(piece) / f64::from(pieces);
            // the last piece ends at the requested time to the bit
            let end = if piece == pieces { time } else { start + share * (time - start) };
            while !self.advance_to(end, Some(Instant::now() + REPORT)) {
                progress(self.time())?;
            }
            self.sample();
            progress(self.time())?;
        }
        ControlFlow::Continue(())
    }

    /// The time reached by all runs that have not failed \[s\].
    pub fn time(&self) -> f64 {
        let all = || self.panes.iter().chain(self.reference.as_ref().map(|(_, pane)| pane));
        let going = all().filter(|pane| pane.failure().is_none()).map(Pane::time);
        let time = going.fold(f64::INFINITY, smaller);
        if time.is_finite() { time } else { all().map(Pane::time).fold(0.0, larger) }
    }

    /// Failures of the runs.
    pub fn failures(&self) -> Vec<String> {
        let named = self.panes.iter().map(|pane| (pane.scene().integrator.name, pane.failure()));
        named.filter_map(|(name, why)| why.map(|why| format!("{name}: {why}"))).collect()
    }

    /// The reason why all runs have stopped, if they have.
    pub fn failure(&self) -> Option<&str> {
        let failures = || self.panes.iter().map(Pane::failure);
        if failures().all(|failure| failure.is_some()) { failures().flatten().next() } else { None }
    }

    /// Pictures for a film, pane by pane.
    pub fn pictures(&self) -> Vec<Display> {
        let reference = self.reference.as_ref().map(|(name, pane)| (name.as_str(), pane));
        let panes = self.panes.iter();
        panes.map(|pane| pane.picture(Playback::default(), reference)).collect()
    }

    fn playback(&self) -> Playback {
        let ended = self.at_end() && !self.playing && !self.beyond && !self.failed();
        let replays = self.panes[0].is_replaying();
        let remark = match (ended, replays) {
            (true, _) => {
                let keys = "space goes on, r starts again, O over and over, − halves the speed";
                Some(format!("the scene's end: {keys}"))
            }
            (_, true) => Some("what was recorded is being done again".to_string()),
            _ => None,
        };
        Playback {
            wanted: Some(self.speed),
            pushing: self.panes[self.active].hand().push.is_some(),
            achieved: self.playing.then(|| self.measured.speed.unwrap_or(self.speed)),
            remark,
            ..Playback::default()
        }
    }
}
