//! A viewer: a session on a stage, driven by actions and the mouse. The window is one way to
//! drive it, a test is another.

use super::Show;
use super::camera::Projection;
use super::display::Display;
use super::keys::{Action, Knob, Layer};
use super::session::Session;
use super::snapshot::Snapshot;
use super::stage::Stage;
use std::time::{Duration, Instant};

/// Wall time a frame may take in all \[s\].
const FRAME: Duration = Duration::from_millis(15);

/// Wall time that stepping may take in a frame: at least, and at most.
const BUDGET: (Duration, Duration) = (Duration::from_millis(4), Duration::from_millis(12));

/// A session on a stage.
pub struct Viewer<'a> {
    /// The run.
    pub session: Session<'a>,
    /// Its picture.
    pub stage: Stage,
    changed: bool,
    drawing: Duration,
}

impl<'a> Viewer<'a> {
    /// Starts the show on a stage of the given size \[pixels\].
    pub fn new(show: &'a Show<'a>, width: usize, height: usize) -> Result<Viewer<'a>, String> {
        let session = Session::start(show)?;
        let mut stage = Stage::new(width, height, 1.0);
        stage.frame(&Snapshot::of(&session.simulation));
        Ok(Viewer { session, stage, changed: true, drawing: Duration::ZERO })
    }

    /// Does what a key says; returns whether to go on.
    pub fn act(&mut self, action: Action) -> bool {
        self.changed = true;
        let (session, stage) = (&mut self.session, &mut self.stage);
        let look = &mut stage.look;
        match action {
            Action::Play => session.toggle(),
            Action::Step => session.step(),
            Action::Frame => session.skip(1.0 / 60.0, BUDGET.1),
            Action::Faster => session.set_speed(2.0 * session.speed()),
            Action::Slower => session.set_speed(0.5 * session.speed()),
            Action::RealTime => session.set_speed(1.0),
            Action::Restart => {
                session.restart();
                stage.go_home();
            }
            Action::Turn(Knob::Integrator, way) => session.turn(way),
            Action::Toggle(layer) => match layer {
                Layer::Normals => look.normals = !look.normals,
                Layer::Friction => look.friction = !look.friction,
                Layer::Surfaces => look.surfaces = !look.surfaces,
                Layer::Springs => look.springs = !look.springs,
                Layer::Particles => look.particles = !look.particles,
                Layer::Heat => look.heat = !look.heat,
                Layer::Ghost => look.ghost = !look.ghost,
                Layer::Panel => stage.panel = !stage.panel,
                Layer::Help => stage.help = !stage.help,
                Layer::Plots => stage.plots = !stage.plots,
                Layer::Browser => {}
            },
            Action::Theme => look.theme = look.theme.other(),
            Action::Camera => stage.frame(&Snapshot::of(&session.simulation)),
            Action::Projection => {
                stage.camera.projection = match stage.camera.projection {
                    Projection::Perspective => Projection::Orthographic,
                    Projection::Orthographic => Projection::Perspective,
                }
            }
            Action::Quit | Action::Escape => return false,
            _ => {}
        }
        true
    }

    /// Turns the camera by a drag of so many pixels.
    pub fn turn(&mut self, dx: f64, dy: f64) {
        self.stage.camera.orbit(-0.006 * dx, 0.006 * dy);
        self.changed = true;
    }

    /// Moves the camera by a drag of so many pixels.
    pub fn shift(&mut self, dx: f64, dy: f64) {
        let height = self.stage.canvas.height().max(1) as f64;
        self.stage.camera.pan(-dx / height, dy / height);
        self.changed = true;
    }

    /// Comes closer by so many notches of the wheel.
    pub fn zoom(&mut self, notches: f64) {
        self.stage.camera.zoom(crate::math::pow(1.1, notches.clamp(-20.0, 20.0)));
        self.changed = true;
    }

    /// Changes the size of the picture \[pixels\].
    pub fn resize(&mut self, width: usize, height: usize) {
        self.stage.resize(width, height);
        self.changed = true;
    }

    /// Plays `elapsed` time of the clock and draws if anything changed.
    pub fn frame(&mut self, elapsed: Duration) {
        self.changed |= self.session.is_playing();
        let left = FRAME.saturating_sub(self.drawing);
        self.session.play(elapsed, left.clamp(BUDGET.0, BUDGET.1));
        if self.changed {
            let began = Instant::now();
            let (labels, playback) = (self.session.labels(), self.session.playback());
            let snapshot = Snapshot::of(&self.session.simulation);
            self.stage.draw(&[Display::plain(snapshot, labels, playback)]);
            self.drawing = began.elapsed();
            self.changed = false;
        }
    }
}
