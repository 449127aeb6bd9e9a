//! A run being played: in real time, on a separate thread, with changes and handling during the
//! run.
//!
//! A [`pane::Pane`] is one run with all actions on it; a [`session::Session`] plays up to four in
//! step, with a reference; [`player::Player`] plays a session on a separate thread, at the step of
//! the scene, however long drawing takes. Nothing here depends on a window, and results do not
//! depend on the clock: a watched run has the bits of a headless one.

mod beside;
pub mod changes;
mod coefficients;
pub mod grip;
pub mod labels;
mod measuring;
pub mod pane;
mod partings;
pub mod player;
pub mod rewind;
pub mod session;
pub(crate) mod slider;
pub mod stability;
mod verifying;

use super::keys::{Action, Knob};
use std::path::PathBuf;
use stiction_core::math::Vector;

/// A command to a session.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerCommand {
    /// Action of a key or a button on the runs.
    Act(Action),
    /// Scene time per wall time.
    Speed(f64),
    /// Follow the path of this particle.
    Choose(Option<usize>),
    /// Hold this particle of this pane, and those near it.
    Grab(usize, usize),
    /// Pull the middle of the held particles towards its initial position plus this displacement
    /// \[m\].
    Pull(Vector),
    /// Release the held particles.
    Release,
    /// Set a knob to a value in SI; `again` while a slider is dragged, which counts as one change.
    Set {
        /// The knob.
        knob: Knob,
        /// The value.
        value: f64,
        /// Whether it continues the last change.
        again: bool,
    },
    /// Choose the integrator or the law by its name.
    Name {
        /// The knob.
        knob: Knob,
        /// The row of its table.
        name: String,
    },
    /// Make a slider of the number of the scene with this path.
    Slider(String),
    /// Pause, and go to a time of the scene \[s\], back or ahead.
    Seek(f64),
    /// Play another scene.
    Open(PathBuf),
}
