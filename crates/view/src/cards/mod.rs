//! The cards over a picture: what runs, how it is doing, whether it can be trusted, what can be
//! changed; and what covers the picture, the help and the scene browser.
//!
//! A card is a function of what it shows and of its rectangle, in pixels of the design. Buttons are
//! collected while they are drawn, so that they are where they are seen.

pub mod axis;
pub mod browser;
pub mod compact;
pub mod controls;
pub mod facts;
pub mod gauge;
pub mod help;
pub mod layout;
pub mod mark;
pub mod notice;
pub mod plot;
pub mod plots;

use super::canvas::Rect;
use super::keys::Action;
use super::theme::{Colour, ViewTheme};

/// Distance of cards from the rim and from each other.
pub const MARGIN: i32 = 14;

/// Distance of a card's content from its rim.
const PADDING: i32 = 14;

/// Tone of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A fact.
    Plain,
    /// Something right.
    Good,
    /// Something wrong.
    Bad,
}

impl Tone {
    /// Its colour.
    pub fn colour(self, theme: &ViewTheme) -> Colour {
        match self {
            Tone::Plain => theme.ink,
            Tone::Good => theme.good,
            Tone::Bad => theme.bad,
        }
    }
}

/// A place that can be clicked, in pixels of the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Button {
    /// Its rectangle.
    pub rect: Rect,
    /// Its action.
    pub action: Action,
}

/// A rectangle by its upper left corner and its size.
fn rect(x0: i32, y0: i32, width: i32, height: i32) -> Rect {
    Rect { x0, y0, x1: x0 + width, y1: y0 + height }
}
