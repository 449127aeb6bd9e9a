//! A viewer: a session on a stage, driven by actions and the mouse, from the window or from a test.

mod finding;
mod typing;

use super::canvas::CanvasPoint;
use super::dial::Dial;
use super::display::Setting;
use super::film::{FilmError, has_ffmpeg, write_png};
use super::gallery::{Gallery, listing};
use super::keys::{self, Action, Knob, special};
use super::looking::{self, LookChange};
use super::play::PlayerCommand;
use super::play::player::{Left, Player, Scenes};
use super::play::session::{Session, SessionPlan};
use super::pointer::{Pointer, STILL};
use super::recorder::{Recorder, next_free_name};
use super::stage::Stage;
use super::text::quantity;
use super::viewpoint;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use stiction_core::math::pow;
use stiction_scene::description::View;
use stiction_scene::diagnostics::SceneErrors;

/// Duration of a notice.
const NOTICE: Duration = Duration::from_secs(6);

/// Pictures per second of a film.
const RATE: u16 = 25;

/// Initial settings of a viewer.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    /// Size of the picture \[pixels\].
    pub size: (usize, usize),
    /// Pixels of the picture per pixel of the design.
    pub scale: f64,
    /// Camera, colours, layers, speed.
    pub view: View,
    /// Whether it plays.
    pub playing: bool,
    /// Folder for screenshots and films.
    pub folder: PathBuf,
    /// Whether the scene browser is open.
    pub browsing: bool,
    /// Whether the scene restarts at its end.
    pub looping: bool,
    /// Whether the panel says where the time goes.
    pub profile: bool,
    /// File to which all actions are written during the run.
    pub record: Option<PathBuf>,
}

/// The shortest wall time for playing a scene whose speed is not given \[s\].
const SHORTEST: f64 = 2.0;

/// The largest speed among 1, ½, ¼ … at which playing a scene takes two seconds or more.
pub fn lasting(end: f64) -> f64 {
    let mut halves = (0..20).map(|k| 1.0 / f64::from(1 << k));
    halves.find(|speed| end / speed >= SHORTEST).unwrap_or(1.0)
}

/// A pressed slider, until its release.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PressedSlider {
    knob: Knob,
    at: CanvasPoint,
    moved: bool,
    /// value of a number of the start, with which the run starts again when it is released
    waiting: Option<f64>,
}

/// A session on a stage.
pub struct Viewer {
    player: Player,
    /// The picture.
    pub stage: Stage,
    scenes: Scenes,
    view: View,
    folder: PathBuf,
    pointer: Pointer,
    slider: Option<PressedSlider>,
    /// whether the line of time is pressed
    seeking: bool,
    notice_at: Instant,
    recorder: Option<Recorder>,
    began: Instant,
    changed: bool,
    /// The knob turned last.
    latest_knob: Knob,
    /// Pictures for the list of scenes, if it is open.
    gallery: Option<Gallery>,
}

impl Viewer {
    /// Starts the runs on a stage.
    ///
    /// # Errors
    /// All faults of the scene.
    pub fn new(cast: SessionPlan, beginning: &Beginning) -> Result<Viewer, SceneErrors> {
        let mut session = Session::start(cast)?;
        let speed = beginning.view.speed.unwrap_or_else(|| lasting(session.panes()[0].end()));
        session.loop_at_end(beginning.looping);
        if beginning.profile {
            session.profile();
        }
        let player = Player::start(session, beginning.playing, speed, beginning.record.clone());
        let (width, height) = beginning.size;
        let mut stage = Stage::new(width, height, beginning.scale);
        stage.plots = true;
        let scenes = player.latest().expect("the first picture is there at once");
        viewpoint::apply(&beginning.view, &mut stage, &scenes.displays[0].snapshot);
        let mut viewer = Viewer {
            player,
            stage,
            scenes,
            view: beginning.view.clone(),
            folder: beginning.folder.clone(),
            pointer: Pointer::Nothing,
            slider: None,
            seeking: false,
            notice_at: Instant::now(),
            recorder: None,
            began: Instant::now(),
            changed: true,
            latest_knob: Knob::Step,
            gallery: None,
        };
        if beginning.browsing {
            viewer.open_list();
        }
        Ok(viewer)
    }

    /// The displayed content.
    pub fn scenes(&self) -> &Scenes {
        &self.scenes
    }

    /// Sends a command to the runs.
    pub fn send(&self, command: PlayerCommand) {
        self.player.send(command);
    }

    fn say(&mut self, notice: String) {
        self.stage.notice = Some(notice);
        self.notice_at = Instant::now();
        self.changed = true;
    }

    /// Performs the action of a key or a button; returns whether to continue.
    pub fn act(&mut self, action: Action) -> bool {
        self.changed = true;
        let stage = &mut self.stage;
        match looking::act(stage, action, &self.view, &self.scenes.displays) {
            LookChange::Other => {}
            LookChange::Done => return true,
            LookChange::Noticed(notice) => {
                self.say(notice);
                return true;
            }
        }
        match action {
            Action::Toggle(_) => match stage.browser {
                Some(_) => self.close_list(),
                None => self.open_list(),
            },
            Action::Above if stage.browser.is_some() => self.mark(-1),
            Action::Below if stage.browser.is_some() => self.mark(1),
            Action::Open if stage.browser.is_none() => self.begin_typing(self.latest_knob),
            Action::Type(knob) => self.begin_typing(knob),
            Action::Find => self.open_finder(),
            Action::Candidate(place) => self.choose_candidate(place),
            Action::Open => {
                let marked = stage.browser.as_ref().and_then(|listing| listing.chosen());
                marked.into_iter().for_each(|number| self.open(number));
            }
            Action::OpenScene(number) => self.open(number),
            Action::Screenshot => self.screenshot(),
            Action::Film => self.film(),
            Action::Escape if stage.help => stage.help = false,
            Action::Escape if stage.browser.is_some() => self.close_list(),
            Action::Quit | Action::Escape => return false,
            Action::Restart => {
                stage.go_home();
                self.send(PlayerCommand::Act(action));
            }
            action => {
                if let Action::Turn(knob, _) = action {
                    self.latest_knob = knob;
                }
                self.send(PlayerCommand::Act(action));
            }
        }
        true
    }

    /// A character from the keyboard; `held` if its key was already down. An open list of scenes
    /// receives all keys. Returns whether to continue.
    pub fn typed(&mut self, character: char, held: bool) -> bool {
        if self.stage.entry.is_some() {
            self.type_in(character);
            return true;
        }
        if self.stage.finder.is_some() {
            self.find(character);
            return true;
        }
        let own = [special::ESCAPE, special::UP, special::DOWN, special::ENTER, special::TAB];
        if let Some(listing) = self.stage.browser.as_mut().filter(|_| !self.stage.help)
            && !own.contains(&character)
        {
            listing.type_in(character);
            self.changed = true;
            return true;
        }
        keys::action(character, held).is_none_or(|action| self.act(action))
    }

    fn set(&mut self, knob: Knob, value: f64, again: bool) {
        self.latest_knob = knob;
        self.send(PlayerCommand::Set { knob, value, again });
    }

    fn dial(&self, knob: Knob) -> Option<Dial> {
        self.setting(knob)?.dial
    }

    /// Moves a slider to the position of the mouse; `again` if it has moved before. Returns the value
    /// that waits for the release, where it starts the run again.
    fn slide(&mut self, knob: Knob, x: f64, again: bool) -> Option<f64> {
        let value = self.dial(knob)?.at(self.stage.share_of(Action::Type(knob), x)?);
        if self.setting(knob)?.restarts {
            let (name, unit) = (self.setting(knob)?.name.clone(), self.dial(knob)?.unit);
            self.say(format!("{name} {}: let go, and the run starts again", quantity(value, unit)));
            return Some(value);
        }
        if self.dial(knob)?.value != value {
            self.set(knob, value, again);
        }
        None
    }

    fn setting(&self, knob: Knob) -> Option<&Setting> {
        let display = self.scenes.displays.get(self.stage.active)?;
        display.settings.iter().find(|setting| setting.knob == knob)
    }

    /// Goes to the time at a place on the line of time.
    fn seek(&mut self, x: f64) {
        let share = self.stage.share_of(Action::Timeline, x);
        let end = self.scenes.displays.get(self.stage.active).and_then(|d| d.labels.end);
        if let (Some(share), Some(end)) = (share, end) {
            self.send(PlayerCommand::Seek(share.clamp(0.0, 1.0) * end));
        }
    }

    fn open_list(&mut self) {
        let listing = listing(&self.scenes.path);
        let folder = self.scenes.path.parent().unwrap_or(Path::new(""));
        self.gallery = Some(Gallery::start(folder, &listing, self.stage.scale));
        self.stage.browser = Some(listing);
    }

    fn close_list(&mut self) {
        (self.stage.browser, self.gallery) = (None, None);
    }

    fn mark(&mut self, by: isize) {
        if let Some(listing) = &mut self.stage.browser {
            listing.mark(by);
        }
    }

    fn open(&mut self, number: usize) {
        let Some(listing) = self.stage.browser.take() else { return };
        self.gallery = None;
        if let Some((file, _)) = listing.entries.get(number) {
            let folder = self.scenes.path.parent().unwrap_or(Path::new(""));
            self.send(PlayerCommand::Open(folder.join(file)));
        }
    }

    fn file(&self, ending: &str) -> PathBuf {
        let stem = self.scenes.path.file_stem().unwrap_or("scene".as_ref());
        next_free_name(&self.folder.join(stem), ending)
    }

    fn screenshot(&mut self) {
        let path = self.file("png");
        // the picture as last drawn, so without the notice set here
        match save(&self.stage, &path) {
            Ok(()) => self.say(format!("saved {}", path.display())),
            Err(error) => self.say(format!("cannot write {}: {error}", path.display())),
        }
    }

    /// Starts a film, or ends it.
    fn film(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            self.stage.filming = false;
            let said = match recorder.finish() {
                Ok((path, pictures)) => format!("saved {}, {pictures} pictures", path.display()),
                Err(error) => format!("the film is lost: {error}"),
            };
            return self.say(said);
        }
        let path = self.file(if has_ffmpeg() { "mp4" } else { "gif" });
        let canvas = &self.stage.canvas;
        match Recorder::start(&path, (canvas.width(), canvas.height()), RATE) {
            Ok(recorder) => {
                self.recorder = Some(recorder);
                self.stage.filming = true;
                self.say(format!("filming into {}, v ends it", path.display()));
            }
            Err(error) => self.say(format!("no film: {error}")),
        }
    }

    /// A button of the mouse is pressed; `shifts`: the camera is shifted instead of rotated.
    /// Returns whether to continue.
    pub fn press(&mut self, at: CanvasPoint, shifts: bool) -> bool {
        if self.stage.entry.take().is_some() {
            self.changed = true;
        }
        match self.stage.button_at(at.0, at.1) {
            Some(Action::Type(knob)) => {
                self.slider = Some(PressedSlider { knob, at, moved: false, waiting: None });
                return true;
            }
            Some(Action::Timeline) => {
                self.seeking = true;
                self.seek(at.0);
                return true;
            }
            Some(action) => return self.act(action),
            None => {}
        }
        let covered = self.stage.help || self.stage.browser.is_some();
        self.close_finder(at);
        if covered || self.stage.card_at(at.0, at.1) {
            return true;
        }
        self.pointer.press(&self.stage, &self.scenes.displays, at, shifts);
        true
    }

    /// The mouse moves with a button pressed.
    pub fn motion(&mut self, now: CanvasPoint) {
        if self.seeking {
            return self.seek(now.0);
        }
        if let Some(pressed) = self.slider {
            if pressed.moved || (now.0 - pressed.at.0).abs() > STILL * self.stage.scale {
                let waiting = self.slide(pressed.knob, now.0, pressed.moved);
                self.slider = Some(PressedSlider { moved: true, waiting, ..pressed });
            }
            return;
        }
        self.changed |= self.pointer != Pointer::Nothing;
        let commands = self.pointer.motion(&mut self.stage, &self.scenes.displays, now);
        commands.into_iter().for_each(|command| self.send(command));
    }

    /// The button is released.
    pub fn release(&mut self) {
        if std::mem::take(&mut self.seeking) {
            return;
        }
        match self.slider.take() {
            Some(PressedSlider { knob, moved: false, .. }) => {
                self.changed = true;
                self.begin_typing(knob);
            }
            Some(PressedSlider { knob, waiting, .. }) => {
                waiting.into_iter().for_each(|value| self.set(knob, value, false));
            }
            None => {
                let command = self.pointer.release();
                command.into_iter().for_each(|command| self.send(command));
            }
        }
    }

    /// Moves closer by a number of notches of the wheel.
    pub fn zoom(&mut self, notches: f64) {
        self.stage.camera.zoom(pow(1.1, notches.clamp(-20.0, 20.0)));
        self.changed = true;
    }

    /// Changes the size of the picture \[pixels\].
    pub fn resize(&mut self, width: usize, height: usize) {
        let canvas = &self.stage.canvas;
        self.changed |= (width, height) != (canvas.width(), canvas.height());
        self.stage.resize(width, height);
    }

    /// Receives new content and draws it; returns whether there was any.
    pub fn frame(&mut self) -> bool {
        if let Some(scenes) = self.player.latest() {
            if scenes.opened != self.scenes.opened {
                // a reloaded scene with the same view keeps the user's camera
                if scenes.path != self.scenes.path || scenes.view != self.scenes.view {
                    let snapshot = &scenes.displays[0].snapshot;
                    viewpoint::apply_camera(&scenes.view, &mut self.stage, snapshot);
                    self.view.clone_from(&scenes.view);
                    let end = scenes.displays[0].labels.end.unwrap_or(SHORTEST);
                    let speed = scenes.view.speed.unwrap_or_else(|| lasting(end));
                    self.player.send(PlayerCommand::Speed(speed));
                }
                self.stage.keep_view(&scenes.displays[0].snapshot);
                (self.pointer, self.slider) = (Pointer::Nothing, None);
            }
            if let Some(notice) = scenes.notice.clone() {
                self.say(notice);
            }
            self.stage.active = scenes.active;
            self.scenes = scenes;
            self.changed = true;
        }
        if let (Some(gallery), Some(listing)) = (&self.gallery, &mut self.stage.browser) {
            for (number, picture) in gallery.take() {
                if let Some(place) = listing.pictures.get_mut(number) {
                    *place = Some(Arc::new(picture));
                    self.changed = true;
                }
            }
        }
        if self.stage.notice.is_some() && self.notice_at.elapsed() > NOTICE {
            self.stage.notice = None;
            self.changed = true;
        }
        if self.recorder.as_ref().is_some_and(|recorder| !recorder.is_running()) {
            self.film();
        }
        let drawn = std::mem::take(&mut self.changed);
        if drawn {
            self.stage.draw(&self.scenes.displays);
            if let Some(left) = self.stage.take_left() {
                self.say(left);
            }
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.add(&self.stage.canvas, self.began.elapsed());
        }
        drawn
    }

    /// Ends the session: the film is completed, the runs stop.
    ///
    /// # Errors
    /// The failure, in words.
    pub fn finish(mut self) -> Result<(Left, Stage, Option<String>), String> {
        let said = self.recorder.is_some().then(|| {
            self.film();
            self.stage.notice.take().unwrap_or_default()
        });
        Ok((self.player.finish()?, self.stage, said))
    }
}

/// Writes the picture of a stage as PNG.
pub fn save(stage: &Stage, path: &Path) -> Result<(), FilmError> {
    write_png(&stage.canvas, std::fs::File::create(path)?)
}
