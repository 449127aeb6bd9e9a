//! A run being played: against the clock, on its own thread, changed and handled while it goes on.
//!
//! A [`pane::Pane`] is one run with everything done to it; a [`session::Session`] plays up to four in
//! step, with a reference; [`player::Player`] does so on a thread of its own, at the step of the scene,
//! whatever drawing takes. Nothing here knows a window, and what is computed does not depend on the
//! clock: a run that was watched has the bits of one that was not.

mod beside;
pub mod changes;
pub mod grip;
pub mod labels;
pub mod pane;
pub mod player;
pub mod rewind;
pub mod session;
pub mod stability;
mod verifying;

use super::keys::{Action, Knob};
use std::path::PathBuf;
use stiction_core::math::Vector;

/// A command to a session.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerCommand {
    /// Action of a key or a button, where it is about the runs.
    Act(Action),
    /// Seconds of the scene per second of the clock.
    Speed(f64),
    /// Follow the path of this particle.
    Choose(Option<usize>),
    /// Hold this particle of this pane, and what is near it.
    Grab(usize, usize),
    /// Draw what is held to where its middle was, moved by this \[m\].
    Pull(Vector),
    /// Let go.
    Release,
    /// Set a knob to a value in SI; `again` while a slider is dragged, which is one change.
    Set {
        /// The knob.
        knob: Knob,
        /// The value.
        value: f64,
        /// Whether it goes on with the last change.
        again: bool,
    },
    /// Choose the integrator or the law by its name.
    Name {
        /// The knob.
        knob: Knob,
        /// The row of its table.
        name: String,
    },
    /// Play another scene.
    Open(PathBuf),
}
