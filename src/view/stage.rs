//! The stage: a canvas with a camera and a look, on which a run is shown.

use super::camera::{Camera, bounds_of, scope};
use super::canvas::{Canvas, Rect};
use super::overlay::{self, Labels, MARGIN, PANEL_WIDTH, Playback};
use super::painter::{Look, Place, paint};
use super::text::Typeface;
use crate::contact::collider::Bounds;
use crate::math::Vector;
use crate::simulation::Simulation;

/// The narrowest canvas whose panel does not cover the scene's middle \[pixels\].
const SIDE_BY_SIDE: i32 = 760;

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
    /// Whether the camera goes along with the bodies.
    pub follow: bool,
    typeface: Typeface,
    home: Bounds,
    locked_axis: Option<usize>,
}

impl Stage {
    /// A stage of the given size \[pixels\] on which the present state is framed.
    pub fn new(width: usize, height: usize, simulation: &Simulation) -> Stage {
        let home = scope(&simulation.state.positions);
        let locked_axis = simulation.model.locked_axis;
        let mut stage = Stage {
            canvas: Canvas::new(width, height),
            camera: Camera::framing(&home, 1.0, locked_axis),
            look: Look::default(),
            panel: true,
            help: false,
            follow: true,
            typeface: Typeface::new(),
            home,
            locked_axis,
        };
        stage.frame(simulation);
        stage
    }

    /// Frames the present state with the default direction.
    pub fn frame(&mut self, simulation: &Simulation) {
        self.follow = true;
        self.home = scope(&simulation.state.positions);
        let focus = self.place().focus;
        let aspect = f64::from(focus.width()) / f64::from(focus.height().max(1));
        self.camera = Camera::framing(&self.home, aspect, self.locked_axis);
    }

    /// The middle of what was framed last \[m\].
    pub fn home(&self) -> Vector {
        (self.home.min + self.home.max) * 0.5
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
        Place { pane, focus }
    }

    /// Draws a run as it is now.
    pub fn draw(&mut self, simulation: &Simulation, labels: &Labels, playback: &Playback) {
        if self.follow
            && let Some(bounds) = bounds_of(&simulation.state.positions)
        {
            self.camera.follow(&bounds);
        }
        let place = self.place();
        let canvas = &mut self.canvas;
        let (model, state) = (&simulation.model, &simulation.state);
        paint(canvas, &self.typeface, &place, model, state, &self.camera, &self.look);
        let pane: Rect = place.pane;
        if self.panel {
            let lines = overlay::lines(simulation, labels, playback);
            overlay::draw_panel(canvas, &self.typeface, &pane, self.look.theme, &lines);
        }
        if self.help {
            overlay::draw_help(canvas, &self.typeface, &pane, self.look.theme);
        }
    }
}
