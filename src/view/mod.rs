//! The view: what a run looks like, in a window or in a file.
//!
//! A picture is a pure function of model, state, camera and look: [`painter::paint`] draws the
//! scene into a [`canvas::Canvas`], [`overlay`] writes the cards over it. [`session`] plays a run
//! against the clock and knows no window; [`window`] (feature `viewer`) shows a session and feeds
//! it keys and mouse; [`picture`] writes stills and animations without a display.

pub mod camera;
pub mod canvas;
pub mod display;
pub mod film;
pub mod footage;
pub mod history;
pub mod keys;
pub mod overlay;
pub mod painter;
pub mod picture;
pub mod recorder;
pub mod session;
pub mod snapshot;
pub mod stage;
pub mod text;
pub mod theme;
pub mod viewer;
pub mod viewpoint;
#[cfg(feature = "viewer")]
pub mod window;

use crate::integrators::{INTEGRATORS, Integrator};
use crate::registry::{Values, find};
use crate::simulation::Simulation;

/// Makes an integrator by name, or says why not.
pub type Maker<'a> = dyn Fn(&str) -> Result<Box<dyn Integrator>, String> + 'a;

/// A run that can be shown: what it is called, and how to start it again.
pub struct Show<'a> {
    /// Title of the scene.
    pub title: String,
    /// The friction law, as the panel names it, for example `threshold, ε = 1e-3 m/s`.
    pub law: String,
    /// The integrator to start with.
    pub integrator: String,
    /// The scene's end \[s\]; the window pauses there.
    pub end: Option<f64>,
    /// Starts the run from t = 0 with the named integrator.
    pub start: &'a dyn Fn(&str) -> Result<Simulation, String>,
    /// Makes the named integrator with the scene's settings, to go on from the present state.
    pub method: &'a Maker<'a>,
}

/// The named integrator with default settings, for [`Show::method`].
pub fn default_method(name: &str) -> Result<Box<dyn Integrator>, String> {
    let row = find(INTEGRATORS, name).ok_or_else(|| format!("there is no integrator `{name}`"))?;
    (row.make)(&Values::defaults(row.keys)).map_err(|problem| problem.message)
}
