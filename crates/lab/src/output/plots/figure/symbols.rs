//! Symbols and dashes by which series are told apart in black and white: open, so that points in one
//! place show each other, and of equal area.

use super::sheet::{Place, Sheet};
use plotters::prelude::RGBColor;
use stiction_core::math::{cos, sin, sqrt};

/// The symbol of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Symbol {
    name: &'static str,
    /// corners of its outline; none: a cross
    corners: u32,
    /// angle of its first corner, over a full turn, from the right, downwards
    turn: f64,
}

/// The symbols, by the number of the series.
const SYMBOLS: [Symbol; 7] = [
    Symbol { name: "circle", corners: 24, turn: 0.0 },
    Symbol { name: "square", corners: 4, turn: 0.125 },
    Symbol { name: "triangle", corners: 3, turn: 0.75 },
    Symbol { name: "diamond", corners: 4, turn: 0.0 },
    Symbol { name: "cross", corners: 0, turn: 0.0 },
    Symbol { name: "triangle below", corners: 3, turn: 0.25 },
    Symbol { name: "hexagon", corners: 6, turn: 0.0 },
];

/// Dashes and gaps over the width of a line, by the number of the series.
const DASHES: [&[f64]; 6] = [
    &[],
    &[5.0, 2.5],
    &[1.5, 2.0],
    &[7.0, 2.0, 1.5, 2.0],
    &[10.0, 4.0],
    &[4.0, 2.0, 1.2, 2.0, 1.2, 2.0],
];

/// Area of a symbol over that of a square of the size of letters, and arms of a cross in sizes of letters.
const AREA: f64 = 0.42;
const ARM: f64 = 0.48;

/// Width of its strokes in sizes of letters.
const WIDTH: f64 = 0.11;

impl Symbol {
    /// The symbol of a number; they repeat.
    pub fn of(number: usize) -> Symbol {
        SYMBOLS[number % SYMBOLS.len()]
    }

    /// Its name in the data of a figure.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Distance of its corners from its middle in sizes of letters: of n corners n/2 r² sin(2π/n) is
    /// the area.
    pub fn radius(self) -> f64 {
        let n = f64::from(self.corners);
        match self.corners {
            0 => ARM,
            _ => sqrt(2.0 * AREA / (n * sin(2.0 * std::f64::consts::PI / n))),
        }
    }

    /// Draws it at a place.
    pub fn draw(self, sheet: &mut Sheet, (x, y): Place, (colour, em): (RGBColor, f64)) {
        let (radius, width) = (self.radius() * em, WIDTH * em);
        if self.corners == 0 {
            sheet.stroke([(x - radius, y), (x + radius, y)], colour, width);
            sheet.stroke([(x, y - radius), (x, y + radius)], colour, width);
            return;
        }
        let corner = |k: u32| {
            let turn = self.turn + f64::from(k) / f64::from(self.corners);
            let angle = 2.0 * std::f64::consts::PI * turn;
            (x + radius * cos(angle), y + radius * sin(angle))
        };
        sheet.stroke((0..=self.corners).map(corner).collect::<Vec<_>>(), colour, width);
    }
}

/// Dashes and gaps of a number, over the width of the line; none for an unbroken one.
pub(super) fn dashes(number: usize) -> &'static [f64] {
    DASHES[number % DASHES.len()]
}
