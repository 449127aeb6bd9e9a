//! The stage: a canvas with a camera and a look, on which a run is shown.

use super::camera::{Camera, bounds_of, scope};
use super::canvas::{Canvas, Rect};
use super::display::Display;
use super::overlay::{self, MARGIN, PANEL_WIDTH};
use super::painter::{Look, Painter, Place, Subject, is_flat};
use super::snapshot::Snapshot;
use crate::contact::collider::Bounds;
use crate::math::Vector;

/// The narrowest canvas whose panel does not cover the scene's middle \[pixels\].
const SIDE_BY_SIDE: i32 = 760;

/// A picture smaller than this does not move the camera back \[pixels\].
const SMALLEST: i32 = 80;

/// How far the camera goes back by itself, in distances of the framing.
const FARTHEST: f64 = 3.0;

/// What the camera goes along with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// All bodies.
    All,
    /// The body of this number.
    Body(usize),
    /// Nothing.
    Nothing,
}

/// A canvas, and how a run is shown on it.
pub struct Stage {
    /// What is drawn on.
    pub canvas: Canvas,
    /// Where one looks from.
    pub camera: Camera,
    /// What is drawn.
    pub look: Look,
    /// Whether the panel is shown.
    pub panel: bool,
    /// Whether the help is shown.
    pub help: bool,
    /// What the camera goes along with.
    pub follow: Follow,
    painter: Painter,
    home: Vector,
    /// where the bodies' middle is as far as the camera knows
    known: Vector,
    slack: f64,
    /// distance at which the bodies fit the picture, at the framing and by now \[m\]
    fits: (f64, f64),
    locked_axis: Option<usize>,
}

impl Stage {
    /// A stage of the given size \[pixels\] on which the present state is framed.
    pub fn new(width: usize, height: usize, snapshot: &Snapshot) -> Stage {
        let locked_axis = snapshot.model.locked_axis;
        let bodies = scope(&snapshot.state.positions);
        let mut stage = Stage {
            canvas: Canvas::new(width, height),
            camera: Camera::framing(&bodies, 1.0, locked_axis),
            look: Look::default(),
            panel: true,
            help: false,
            follow: Follow::All,
            painter: Painter::new(),
            home: Vector::zeros(),
            known: Vector::zeros(),
            slack: 0.0,
            fits: (1.0, 1.0),
            locked_axis,
        };
        stage.frame(snapshot);
        stage
    }

    /// Frames the present state with the default direction.
    pub fn frame(&mut self, snapshot: &Snapshot) {
        let bodies = scope(&snapshot.state.positions);
        self.home = middle(&bodies);
        self.known = self.home;
        self.slack = 0.18 * (bodies.max - bodies.min).norm();
        let all = with_colliders(bodies, snapshot);
        self.camera = Camera::framing(&all, self.aspect(), self.locked_axis);
        self.fits = (self.camera.distance, self.camera.distance);
    }

    /// Moves the camera to where it framed the scene, direction and distance unchanged.
    pub fn go_home(&mut self) {
        self.camera.target += self.home - self.known;
        self.known = self.home;
        self.camera.distance *= self.fits.0 / self.fits.1;
        self.fits.1 = self.fits.0;
    }

    fn aspect(&self) -> f64 {
        let focus = self.place().focus;
        f64::from(focus.width()) / f64::from(focus.height().max(1))
    }

    /// Goes along when the bodies leave their slack, and back when they outgrow the picture.
    fn go_along(&mut self, snapshot: &Snapshot) {
        let positions = &snapshot.state.positions;
        let followed = match self.follow {
            Follow::All => &positions[..],
            Follow::Body(b) => match snapshot.model.bodies.get(b) {
                Some(body) => &positions[body.particles.clone()],
                None => return,
            },
            Follow::Nothing => return,
        };
        let Some(bounds) = bounds_of(followed) else { return };
        let away = middle(&bounds) - self.known;
        let distance = away.norm();
        if distance.is_finite() && distance > self.slack {
            let step = away * (1.0 - self.slack / distance);
            self.camera.target += step;
            self.known += step;
        }
        let focus = self.place().focus;
        if focus.width() < SMALLEST || focus.height() < SMALLEST {
            return;
        }
        let fitting = self.camera.fitting(&bounds, self.aspect()).min(FARTHEST * self.fits.0);
        if fitting > self.fits.1 {
            self.camera.distance *= fitting / self.fits.1;
            self.fits.1 = fitting;
        }
    }

    /// Changes the size of the canvas \[pixels\].
    pub fn resize(&mut self, width: usize, height: usize) {
        if (width, height) != (self.canvas.width(), self.canvas.height()) {
            self.canvas = Canvas::new(width, height);
        }
    }

    /// Where the scene is drawn, and which part no card covers.
    pub fn place(&self) -> Place {
        let pane = self.canvas.bounds();
        let mut focus = pane;
        if self.panel && pane.width() >= SIDE_BY_SIDE {
            focus.x0 += PANEL_WIDTH + MARGIN;
        }
        Place { pane, focus, scale: 1.0 }
    }

    /// Draws a run as it is now.
    pub fn draw(&mut self, display: &Display) {
        let snapshot = &display.snapshot;
        self.go_along(snapshot);
        let place = self.place();
        let canvas = &mut self.canvas;
        let Display { ghost, chosen, .. } = display;
        let subject = Subject { snapshot, ghost: ghost.as_ref(), chosen: *chosen };
        self.painter.paint(canvas, &place, &subject, &self.camera, &self.look);
        let pane: Rect = place.pane;
        if self.panel {
            let lines = overlay::lines(display);
            overlay::draw_panel(canvas, &self.painter.typeface, &pane, self.look.theme, &lines);
        }
        if self.help {
            overlay::draw_help(canvas, &self.painter.typeface, &pane, self.look.theme);
        }
    }
}

fn middle(bounds: &Bounds) -> Vector {
    (bounds.min + bounds.max) * 0.5
}

/// The bounds of bodies and of those colliders that are not much larger than they.
fn with_colliders(bodies: Bounds, snapshot: &Snapshot) -> Bounds {
    let size = (bodies.max - bodies.min).norm();
    let mut all = bodies;
    for collider in &snapshot.model.contact.colliders {
        let pose = collider.motion.pose(snapshot.state.time);
        let outline = collider.shape.outline(&bodies);
        let points: Vec<Vector> = outline.iter().flatten().map(|p| pose.to_world(*p)).collect();
        if let Some(own) = bounds_of(&points)
            && !is_flat(&outline)
            && (own.max - own.min).norm() < 2.5 * size
        {
            all = Bounds { min: all.min.inf(&own.min), max: all.max.sup(&own.max) };
        }
    }
    all
}
