//! Pieces of a picture, drawn from back to front.

use super::contacts::ContactMark;
use crate::canvas::{Canvas, CanvasPoint, Rect};
use crate::theme::Colour;
use rayon::prelude::*;

/// A piece to be drawn in its order.
#[derive(Debug, Clone, Copy)]
pub(super) enum PilePiece {
    /// A triangle, with lines of its colour along its sides if `soft`.
    Triangle { corners: [CanvasPoint; 3], colour: Colour, alpha: u8, soft: bool },
    /// A line.
    Line { ends: [CanvasPoint; 2], width: f64, colour: Colour, alpha: u8 },
    /// A particle.
    Ball { at: CanvasPoint, radius: f64, colour: Colour },
    /// A mark of a contact.
    Mark(ContactMark),
}

/// Number of pieces above which hidden lines are left out. Fewer are drawn in about 15 ms, and the pictures
/// of small scenes stay exact.
const MANY: usize = 20_000;

/// Side of a cell in which coverage is summed \[pixels\].
const CELL: f64 = 8.0;

/// Number of layers of lines that hide the next.
const ENOUGH: f32 = 5.0;

/// Pieces with their depths; kept between pictures to reuse its memory.
#[derive(Default)]
pub(super) struct Pile {
    pieces: Vec<PilePiece>,
    /// upper half: depth as an integer, the farthest smallest; lower half: index
    order: Vec<u64>,
    /// layers of lines in each cell of the canvas
    cover: Vec<f32>,
}

impl Pile {
    /// Removes all pieces.
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

    /// Draws all pieces, the farthest first; equal ones in order of insertion.
    pub(super) fn draw(&mut self, canvas: &mut Canvas) {
        // all keys are distinct, so the order does not depend on the number of threads
        self.order.par_sort_unstable();
        if self.order.len() > MANY {
            self.leave_out_what_is_hidden(&canvas.clip());
        }
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

impl Pile {
    /// Leaves out hidden lines. From front to back, Σ length·width·opacity/area of the lines is
    /// summed in each cell of the canvas; a line is hidden if the sum is at least [`ENOUGH`] in all
    /// its cells. On average e^(−[`ENOUGH`]) of it would be visible.
    fn leave_out_what_is_hidden(&mut self, clip: &Rect) {
        let (wide, high) = (clip.width() as f64, clip.height() as f64);
        let (columns, rows) = ((wide / CELL) as usize + 1, (high / CELL) as usize + 1);
        let (x0, y0) = (f64::from(clip.x0), f64::from(clip.y0));
        let cell = |x: f64, y: f64| {
            let inside = x >= x0 && y >= y0 && x < x0 + wide && y < y0 + high;
            inside.then(|| ((y - y0) / CELL) as usize * columns + ((x - x0) / CELL) as usize)
        };
        self.cover.clear();
        self.cover.resize(columns * rows, 0.0);
        let (pieces, cover) = (&self.pieces, &mut self.cover);
        let mut seen = |number: &u64| {
            let PilePiece::Line { ends: [a, b], width, alpha, .. } =
                pieces[*number as u32 as usize]
            else {
                return true;
            };
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let length = stiction_core::math::sqrt(dx * dx + dy * dy);
            let parts = (length / CELL).ceil().clamp(1.0, 1e3);
            let share = (length / parts * width * f64::from(alpha) / (255.0 * CELL * CELL)) as f32;
            let (mut within, mut open) = (false, false);
            for part in 0..parts as usize {
                let t = (part as f64 + 0.5) / parts;
                let Some(at) = cell(a.0 + t * dx, a.1 + t * dy) else { continue };
                within = true;
                open |= cover[at] < ENOUGH;
                cover[at] += share;
            }
            open || !within
        };
        // `retain` visits from first to last
        self.order.reverse();
        self.order.retain(|number| seen(number));
        self.order.reverse();
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
