//! Tests of the view: golden pictures, hostile cameras, playing, rendering, a real window.

mod commands;
mod pictures;
mod playing;
mod rendering;
mod scenes;
#[cfg(feature = "viewer")]
mod window;
