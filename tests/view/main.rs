//! Tests of the view: golden pictures, hostile cameras, playing, rendering, a real window.

mod cards;
mod pictures;
mod playing;
mod scenes;
#[cfg(feature = "viewer")]
mod window;
