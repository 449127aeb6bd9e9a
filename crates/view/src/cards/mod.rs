//! The cards over a picture: facts, verdict, controls, plots; and the cards that cover the picture,
//! help and scene browser.
//!
//! A card is a function of its content and of its rectangle, in pixels of the design. Buttons are
//! collected while they are drawn, so that they match the picture.

pub mod axis;
pub mod browser;
pub mod compact;
pub mod controls;
mod energies;
pub mod expected;
pub mod facts;
pub mod finder;
pub mod gauge;
pub mod headline;
pub mod help;
pub mod layout;
pub mod mark;
mod measured;
pub mod notice;
pub mod plot;
pub mod plots;

use super::canvas::Rect;
use super::keys::Action;
use super::theme::{Colour, ViewTheme};

/// Distance of cards from the edge and from each other.
pub const MARGIN: i32 = 14;

/// Distance of a card's content from its edge.
const PADDING: i32 = 14;

/// Tone of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A fact.
    Plain,
    /// A good result.
    Good,
    /// A fault.
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

/// A clickable area, in pixels of the design.
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
