//! Tests of the view: golden pictures, cards, hostile cameras, playing, rendering, a real window.

mod captions;
mod cards;
#[cfg(feature = "viewer")]
mod commands;
mod crowd;
mod expected;
mod pictures;
mod playing;
mod reference;
mod rendering;
mod scenes;
mod sizes;
mod standing;
mod strays;
#[path = "../support/mod.rs"]
mod support;
#[cfg(feature = "viewer")]
mod window;
