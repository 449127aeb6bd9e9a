//! A session: up to four runs of a scene played against the clock, in step, with a reference.

use super::Command;
use super::grip;
use super::pane::Pane;
use crate::experiment::base::Base;
use crate::experiment::recording::Recording;
use crate::forces::hand::Hand;
use crate::math::{Vector, larger, smaller};
use crate::scene::diagnostics::SceneErrors;
use crate::view::display::{Display, Playback, Setting};
use crate::view::keys::{Action, Knob, Way};
use crate::view::text::quantity;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Slowest and fastest play.
const SPEEDS: (f64, f64) = (1.0 / 1_048_576.0, 1024.0);

/// Time over which the achieved speed is measured \[s\].
const SPEED_WINDOW: f64 = 0.4;

/// A frame of the clock \[s\].
const FRAME: f64 = 1.0 / 60.0;

/// Time between looks at the scene's files \[s\].
const LOOK: f64 = 0.5;

/// Slices in which runs side by side do what is due.
const SLICES: f64 = 64.0;

/// What a push begins with, and one turn of its force, in weights of the body.
const PUSH: (f64, f64) = (0.3, 0.05);

/// One turn of its height, in heights of the body.
const RUNG: f64 = 0.05;

/// What a session plays.
#[derive(Clone)]
pub struct Cast {
    /// The scene, as it is called in recordings and in the browser.
    pub path: PathBuf,
    /// One pane each, from left to right: the scene with what is set for it.
    pub panes: Vec<Base>,
    /// What they are compared with, and how it is called.
    pub reference: Option<(String, Base)>,
    /// What was done to the only pane, to be done again.
    pub recording: Option<Recording>,
}

/// Runs being played.
pub struct Session {
    cast: Cast,
    panes: Vec<Pane>,
    reference: Option<(String, Pane)>,
    active: usize,
    playing: bool,
    speed: f64,
    /// time of the scene that should be reached by now \[s\]
    due: f64,
    /// the end was reached and the user chose to go on
    beyond: bool,
    measured: Measured,
    push: Option<(f64, f64)>,
    notice: Option<String>,
    /// how often a scene was opened or read again
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

/// The scene's files, and when they were last written.
#[derive(Default)]
struct Files {
    times: Vec<(PathBuf, Option<SystemTime>)>,
    since: f64,
}

impl Files {
    fn of(pane: &Pane) -> Files {
        let names = pane.scene.sources.iter().map(|source| PathBuf::from(&source.name));
        let files = names.filter(|path| path.is_file());
        let times = files.map(|path| {
            let time = written(&path);
            (path, time)
        });
        Files { times: times.collect(), since: 0.0 }
    }

    /// Whether one of them was written since it was last asked.
    fn changed(&mut self) -> bool {
        let mut changed = false;
        for (path, time) in &mut self.times {
            // a file that is being replaced is absent for a moment
            if let Some(now) = written(path)
                && Some(now) != *time
            {
                *time = Some(now);
                changed = true;
            }
        }
        changed
    }
}

fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

impl Session {
    /// Loads everything and stands at t = 0, playing in real time.
    ///
    /// # Errors
    /// Everything that is wrong with the scene.
    pub fn start(cast: Cast) -> Result<Session, SceneErrors> {
        let mut session = Session {
            panes: Vec::new(),
            reference: None,
            active: 0,
            playing: true,
            speed: 1.0,
            due: 0.0,
            beyond: false,
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

    fn load(&mut self, cast: Cast) -> Result<(), SceneErrors> {
        let mut panes = Vec::with_capacity(cast.panes.len());
        for base in &cast.panes {
            panes.push(Pane::open(base.clone())?);
        }
        let mut reference = None;
        if let Some((name, base)) = &cast.reference {
            reference = Some((name.clone(), Pane::open(base.clone())?));
        }
        if let (Some(recording), [pane]) = (&cast.recording, &mut panes[..]) {
            pane.replay(recording.events.clone());
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

    /// How often a scene was opened or read again: the camera is then framed anew.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// The scene that is played.
    pub fn path(&self) -> &Path {
        &self.cast.path
    }

    /// The pane that keys act on.
    pub fn active(&self) -> usize {
        self.active
    }

    /// Whether time goes on.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// What was just done, or why it was not.
    pub fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    /// Everything done to the first pane so far.
    pub fn recording(&self) -> Recording {
        self.panes[0].recording(&self.cast.path.to_string_lossy())
    }

    fn failed(&self) -> bool {
        self.panes.iter().all(|pane| pane.failure().is_some())
    }

    /// The time that all runs have reached which still go on.
    fn time(&self) -> f64 {
        let all = || self.panes.iter().chain(self.reference.as_ref().map(|(_, pane)| pane));
        let going = all().filter(|pane| pane.failure().is_none()).map(Pane::time);
        let time = going.fold(f64::INFINITY, smaller);
        if time.is_finite() { time } else { all().map(Pane::time).fold(0.0, larger) }
    }

    fn at_end(&self) -> bool {
        self.panes.iter().all(|pane| pane.at_end() || pane.failure().is_some())
    }

    /// Sets the wanted speed, within what makes sense.
    fn set_speed(&mut self, speed: f64) {
        self.speed = speed.clamp(SPEEDS.0, SPEEDS.1);
        self.measured = Measured::default();
    }

    fn pause(&mut self) {
        self.playing = false;
        self.measured = Measured::default();
    }

    /// Does what it is told.
    pub fn obey(&mut self, command: Command) {
        let done = match command {
            Command::Act(action) => self.act(action),
            Command::Speed(speed) => {
                self.set_speed(speed);
                Ok(())
            }
            Command::Choose(particle) => {
                self.panes.iter_mut().for_each(|pane| pane.choose(particle));
                Ok(())
            }
            Command::Grab(pane, particle) => {
                self.active = pane.min(self.panes.len() - 1);
                self.every(|pane| pane.grab(particle))
            }
            Command::Pull(by) => self.every(|pane| pane.pull(by)),
            Command::Release => self.every(Pane::release),
            Command::Open(path) => self.open(&path),
        };
        if let Err(message) = done {
            self.notice = Some(message);
        }
    }

    fn every(&mut self, act: impl Fn(&mut Pane) -> Result<(), String>) -> Result<(), String> {
        let others = self.reference.as_mut().map(|(_, pane)| pane);
        self.panes.iter_mut().chain(others).try_for_each(act)
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
            Action::Restart => {
                let done = self.every(Pane::restart);
                self.push = None;
                self.begin();
                return done;
            }
            Action::Reload => self.reload()?,
            Action::Turn(knob, way) => return self.turn(knob, way),
            Action::Push => return self.toggle_push(),
            Action::Above => return self.turn(Knob::PushHeight, Way::Up),
            Action::Below => return self.turn(Knob::PushHeight, Way::Down),
            Action::Pane(pane) if pane < self.panes.len() => self.active = pane,
            _ => {}
        }
        Ok(())
    }

    /// Plays or pauses. After a failure there is nothing to play.
    fn toggle(&mut self) {
        if self.playing {
            self.pause();
        } else if !self.failed() {
            self.beyond = self.at_end();
            self.playing = true;
            self.due = self.time();
        }
    }

    /// Pauses and takes one step, all panes the step of the active one.
    fn step(&mut self) {
        self.pause();
        let active = &self.panes[self.active];
        let target = larger(active.next_time(), self.time());
        self.advance_to(target, None);
    }

    /// Pauses and goes on by a frame of the clock at the present speed, at least one step.
    fn skip(&mut self) {
        self.pause();
        let target = self.time() + FRAME * self.speed;
        let next = self.panes[self.active].next_time();
        self.advance_to(larger(target, next), Some(Instant::now() + Duration::from_millis(200)));
    }

    /// Pauses and goes back to the checkpoint before.
    fn back(&mut self) -> Result<(), String> {
        self.pause();
        let done = self.every(Pane::back);
        self.due = self.time();
        done
    }

    /// Reads the scene again and starts it with nothing changed.
    fn reload(&mut self) -> Result<(), String> {
        let cast = Cast { recording: None, ..self.cast.clone() };
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

    /// Plays another scene, with the same methods side by side.
    fn open(&mut self, path: &Path) -> Result<(), String> {
        let of = |base: &Base| {
            let mut other = Base::file(path);
            (other.allow_path, other.options) = (base.allow_path, base.options);
            let own = |set: &&String| set.starts_with("integrator.method=");
            other.set = match self.panes.len() {
                1 => Vec::new(),
                _ => base.set.iter().filter(own).cloned().collect(),
            };
            other
        };
        let cast = Cast {
            path: path.into(),
            panes: self.cast.panes.iter().map(of).collect(),
            reference: self.cast.reference.as_ref().map(|(name, base)| (name.clone(), of(base))),
            recording: None,
        };
        self.load(cast).map_err(|errors| format!("{}: {}", path.display(), errors.brief()))?;
        self.playing = true;
        Ok(())
    }

    fn turn(&mut self, knob: Knob, way: Way) -> Result<(), String> {
        if matches!(knob, Knob::PushForce | Knob::PushHeight) {
            return self.turn_push(knob, way);
        }
        let done = self.panes[self.active].turn(knob, way)?;
        if self.active == 0
            && let Some((_, reference)) = &mut self.reference
        {
            let changes = reference.changes().with_physics_of(self.panes[0].changes());
            if changes != *reference.changes() {
                reference.set(changes)?;
            }
        }
        self.notice = Some(done);
        Ok(())
    }

    /// The body that is pushed: that of the chosen particle, else the first that is not a particle
    /// on its own, else the first.
    fn pushed(&self) -> usize {
        let model = &self.panes[self.active].simulation.model;
        let of = |i: usize| model.bodies.iter().position(|body| body.particles.contains(&i));
        let chosen = self.panes[self.active].chosen().and_then(of);
        let first = || model.bodies.iter().position(|body| body.particles.len() > 1);
        chosen.or_else(first).unwrap_or(0)
    }

    /// Force \[N\] and height \[m\] of the push.
    fn push_setting(&self) -> Option<(f64, f64)> {
        let simulation = &self.panes[self.active].simulation;
        let body = simulation.model.bodies.get(self.pushed())?;
        let (low, high) = grip::heights(&simulation.state, body);
        let weight = grip::weight(&simulation.model, body);
        Some(self.push.unwrap_or((PUSH.0 * weight, 0.5 * (low + high))))
    }

    fn turn_push(&mut self, knob: Knob, way: Way) -> Result<(), String> {
        let (mut force, mut height) = self.push_setting().ok_or("there is no body to push")?;
        let simulation = &self.panes[self.active].simulation;
        let body = &simulation.model.bodies[self.pushed()];
        let sign = if way == Way::Up { 1.0 } else { -1.0 };
        if knob == Knob::PushForce {
            let rung = PUSH.1 * grip::weight(&simulation.model, body);
            // to whole turns, so that none is a push of nothing
            force = (force / rung + sign).round() * rung;
        } else {
            let (low, high) = grip::heights(&simulation.state, body);
            height += sign * RUNG * (high - low);
            height = larger(low, smaller(high, height));
        }
        self.push = Some((force, height));
        if self.panes[self.active].hand().push.is_some() {
            self.push_now(true)?;
        }
        let force = quantity(force, "N");
        self.notice = Some(format!("the push is {force} at {}", quantity(height, "m")));
        Ok(())
    }

    fn toggle_push(&mut self) -> Result<(), String> {
        let on = self.panes[self.active].hand().push.is_none();
        self.push_now(on)
    }

    fn push_now(&mut self, on: bool) -> Result<(), String> {
        let (force, height) = self.push_setting().ok_or("there is no body to push")?;
        let pushed = self.pushed();
        self.push = Some((force, height));
        self.every(|pane| {
            let simulation = &pane.simulation;
            let body = &simulation.model.bodies[pushed];
            let push = grip::push(&simulation.model, &simulation.state, body, force, height);
            let hand = Hand { push: push.filter(|_| on), ..pane.hand().clone() };
            pane.handle(&hand)
        })
    }

    /// Lets `elapsed` time of the clock pass: as much as can be computed within `budget`. What could
    /// not be computed is not owed.
    pub fn pass(&mut self, elapsed: Duration, budget: Duration) {
        let elapsed = elapsed.as_secs_f64();
        self.look_at_files(elapsed);
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
        self.measure(elapsed, self.time() - start);
        if self.failed() || (self.at_end() && !self.beyond) {
            self.pause();
        }
    }

    /// Goes on to a time of the scene. Several runs go in slices, since what is compared has to be at
    /// the same time when the deadline comes.
    fn advance_to(&mut self, time: f64, deadline: Option<Instant>) -> bool {
        let alone = self.panes.len() == 1 && self.reference.is_none();
        let Some(deadline) = deadline.filter(|_| !alone) else { return self.go(time, deadline) };
        let all = self.panes.iter().chain(self.reference.as_ref().map(|(_, pane)| pane));
        let longest = all.map(|pane| pane.next_time() - pane.time()).fold(0.0, larger);
        let mut now = self.time();
        let slice = larger(longest, (time - now) / SLICES);
        while now < time {
            now = smaller(now + slice, time);
            self.go(now, None);
            if Instant::now() >= deadline {
                return now >= time;
            }
        }
        true
    }

    /// Goes on to a time, all runs on as many cores as there are.
    fn go(&mut self, time: f64, deadline: Option<Instant>) -> bool {
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

    fn keep(&mut self) {
        let apart = 0.5 * FRAME * self.speed;
        let reference = self.reference.as_mut().map(|(_, pane)| pane);
        self.panes.iter_mut().chain(reference).for_each(|pane| pane.keep(apart));
    }

    fn sample(&mut self) {
        let reference = self.reference.as_ref().map(|(_, pane)| pane);
        self.panes.iter_mut().for_each(|pane| pane.sample(reference));
    }

    /// Everything shown, pane by pane.
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

    fn push_settings(&self) -> Vec<Setting> {
        let Some((force, height)) = self.push_setting() else { return Vec::new() };
        vec![
            Setting { knob: Knob::PushForce, value: quantity(force, "N") },
            Setting { knob: Knob::PushHeight, value: quantity(height, "m") },
        ]
    }

    fn playback(&self) -> Playback {
        let ended = self.at_end() && !self.playing && !self.beyond && !self.failed();
        let replays = self.panes[0].is_replaying();
        let remark = match (ended, replays) {
            (true, _) => Some("the scene's end: space goes on, r starts again".to_string()),
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

    /// Moves what is held, for tests and scripts: [`Command::Grab`], [`Command::Pull`] at once.
    pub fn drag(&mut self, particle: usize, by: Vector) {
        self.obey(Command::Grab(self.active, particle));
        self.obey(Command::Pull(by));
    }
}
