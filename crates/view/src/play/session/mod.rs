//! A session: up to four runs of a scene played in real time, in step, with a reference.

mod clock;
mod commands;
mod files;
mod pushing;
mod sliders;

use super::pane::Pane;
use super::slider::NumberSlider;
use crate::display::{Display, Playback};
use files::Files;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stiction_core::math::{larger, smaller};
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

/// The scene and the runs of a session.
#[derive(Clone)]
pub struct SessionPlan {
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
    cast: SessionPlan,
    /// whether the panel says where the time goes
    profiled: bool,
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
    /// sliders made for numbers of the scene
    sliders: Vec<NumberSlider>,
    notice: Option<String>,
    /// the time that the runs are on their path to \[s\]
    seeking: Option<f64>,
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
    pub fn start(cast: SessionPlan) -> Result<Session, SceneErrors> {
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
            sliders: Vec::new(),
            notice: None,
            seeking: None,
            opened: 0,
            profiled: false,
            files: Files::default(),
            cast,
        };
        session.load(session.cast.clone())?;
        Ok(session)
    }

    fn load(&mut self, cast: SessionPlan) -> Result<(), SceneErrors> {
        let mut panes = Vec::with_capacity(cast.panes.len());
        for base in &cast.panes {
            panes.push(Pane::open(base.clone())?);
        }
        let mut reference = None;
        if let Some((name, base)) = &cast.reference {
            reference = Some((name.clone(), Pane::open(base.clone())?));
        }
        if self.profiled {
            panes.iter_mut().for_each(Pane::profile);
        }
        if let (Some(recording), [pane]) = (&cast.recording, &mut panes[..]) {
            pane.replay(recording);
        }
        (self.panes, self.reference, self.cast) = (panes, reference, cast);
        self.active = self.active.min(self.panes.len() - 1);
        (self.push, self.seeking) = (None, None);
        self.opened += 1;
        self.files = self.panes.first().map_or_else(Files::default, Files::of);
        self.begin();
        Ok(())
    }

    /// Measures from now on where the time of the runs goes: called before the first picture.
    pub fn profile(&mut self) {
        self.profiled = true;
        self.panes.iter_mut().for_each(Pane::profile);
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

    /// Whether the runs are on their path to another time.
    pub fn is_seeking(&self) -> bool {
        self.seeking.is_some()
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

    fn keep(&mut self) {
        let apart = 0.5 * FRAME * self.speed;
        let reference = self.reference.as_mut().map(|(_, pane)| pane);
        self.panes.iter_mut().chain(reference).for_each(|pane| pane.keep(apart));
    }

    /// Keeps the present quantities for the plots.
    pub fn sample(&mut self) {
        let reference = self.reference.as_ref().map(|(_, pane)| pane);
        self.panes.iter_mut().for_each(|pane| pane.sample(reference));
    }

    /// Says which bodies have lost contact, where nothing else is to be said.
    fn announce(&mut self) {
        let several = self.panes.len() > 1;
        for (k, pane) in self.panes.iter_mut().enumerate() {
            if self.notice.is_none()
                && let Some(text) = pane.take_parting()
            {
                self.notice = Some(if several { format!("{}: {text}", k + 1) } else { text });
            }
        }
    }

    /// All displays, pane by pane.
    pub fn displays(&mut self) -> Vec<Display> {
        self.keep();
        self.sample();
        self.announce();
        let playback = self.playback();
        let push = self.push_settings();
        let reference = self.reference.as_ref().map(|(name, pane)| (name.as_str(), pane));
        let displays = self.panes.iter_mut().map(|pane| {
            let mut display = pane.display(playback.clone(), reference);
            display.settings.extend(push.clone());
            display.settings.extend(pane.number_settings(&self.sliders));
            display
        });
        displays.collect()
    }

    /// Advances to a scene time as fast as possible, with samples at the frames of the scene, as those of
    /// a headless run; `progress` receives the time reached and may request a stop.
    pub fn film_to(
        &mut self,
        time: f64,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let scene_time = &self.panes[0].scene().time;
        let frame = scene_time.step * scene_time.steps_per_frame as f64;
        let mut number = (self.time() / frame * (1.0 + 1e-9)).floor();
        loop {
            number += 1.0;
            let at_frame = number * frame <= time * (1.0 + 1e-9);
            // the last piece ends at the requested time to the bit
            let end = if at_frame { smaller(number * frame, time) } else { time };
            while !self.advance_to(end, Some(Instant::now() + REPORT)) {
                progress(self.time())?;
            }
            match at_frame {
                true => self.sample(),
                false => self.glance(),
            }
            progress(self.time())?;
            let over = self.panes.iter().all(|pane| pane.failure().is_some());
            if !at_frame || over {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Shows the present quantities of a picture between two frames.
    fn glance(&mut self) {
        let reference = self.reference.as_ref().map(|(_, pane)| pane);
        self.panes.iter_mut().for_each(|pane| pane.glance(reference));
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
            ended,
            ..Playback::default()
        }
    }
}
