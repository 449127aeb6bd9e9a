//! The view: pictures of a run, in a window or in a file.
//!
//! A picture is a pure function of model, state, camera and look: [`painter::paint`] draws the
//! scene into a [`canvas::Canvas`], [`cards`] draws the cards over it, [`stage`] combines both.
//! [`play`] plays runs on a separate thread, independent of any window; [`viewer`] shows them and
//! turns keys and mouse into commands; [`window`] (feature `viewer`), or a test, drives the viewer.
//! [`picture`] writes stills, films and sequences without a display.

pub mod camera;
pub mod canvas;
pub mod captions;
pub mod cards;
pub mod dial;
pub mod display;
pub mod film;
pub mod finder;
pub mod gallery;
pub mod history;
pub mod keys;
pub mod looking;
pub mod matte;
pub mod outlines;
pub mod painter;
pub mod pen;
pub mod picking;
pub mod picture;
pub mod play;
pub mod pointer;
pub mod pushes;
pub mod recorder;
pub mod snapshot;
pub mod stage;
pub mod text;
pub mod theme;
pub mod viewer;
pub mod viewpoint;
#[cfg(feature = "viewer")]
pub mod window;
pub mod wire;
