//! Things to be drawn from back to front.

use super::contacts::ContactMark;
use crate::view::canvas::{Canvas, CanvasPoint};
use crate::view::theme::Colour;

/// Something that can be drawn once it is its turn.
#[derive(Debug, Clone, Copy)]
pub(super) enum PilePiece {
    /// A triangle, with lines of its colour along its sides where `soft`.
    Triangle { corners: [CanvasPoint; 3], colour: Colour, alpha: u8, soft: bool },
    /// A line.
    Line { ends: [CanvasPoint; 2], width: f64, colour: Colour, alpha: u8 },
    /// A particle.
    Ball { at: CanvasPoint, radius: f64, colour: Colour },
    /// A mark of a contact.
    Mark(ContactMark),
}

/// Pieces with their depths; kept between pictures for the sake of its memory.
#[derive(Default)]
pub(super) struct Pile {
    pieces: Vec<PilePiece>,
    /// depth as an integer, the farthest least, in the upper half; number in the lower
    order: Vec<u64>,
}

impl Pile {
    /// Forgets all pieces.
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.order.clear();
    }

    /// Adds a piece at a depth \[m\].
    pub(super) fn add(&mut self, depth: f64, piece: PilePiece) {
        if depth.is_finite() {
            let number = self.pieces.len() as u64;
            self.order.push(u64::from(!ascending(depth)) << 32 | number);
            self.pieces.push(piece);
        }
    }

    /// Draws all, the farthest first; of equal ones the first.
    pub(super) fn draw(&mut self, canvas: &mut Canvas) {
        self.order.sort_unstable();
        for number in &self.order {
            match self.pieces[*number as u32 as usize] {
                PilePiece::Triangle { corners, colour, alpha, soft } => {
                    canvas.triangle(corners, colour, alpha);
                    let sides = if soft { 3 } else { 0 };
                    for k in 0..sides {
                        canvas.line(corners[k], corners[(k + 1) % 3], 1.0, colour, alpha);
                    }
                }
                PilePiece::Line { ends: [a, b], width, colour, alpha } => {
                    canvas.line(a, b, width, colour, alpha);
                }
                PilePiece::Ball { at, radius, colour } => canvas.ball(at, radius, colour, 255),
                PilePiece::Mark(mark) => mark.draw(canvas),
            }
        }
    }
}

/// A number whose order is that of the depth, to the precision of an `f32`.
fn ascending(depth: f64) -> u32 {
    let bits = (depth as f32).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_is_that_of_depths() {
        let depths = [-1e300, -7.0, -1e-3, 0.0, 1e-20, 0.5, 0.500001, 3.0, 1e300];
        assert!(depths.windows(2).all(|pair| ascending(pair[0]) < ascending(pair[1])));
    }
}
