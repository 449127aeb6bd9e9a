//! Pieces of a picture, drawn from back to front.

use super::contacts::ContactMark;
use super::cover::{Cover, CoverGrid, CoverLine, LineCover};
use crate::camera::{CameraView, Projected};
use crate::canvas::{Canvas, CanvasPoint, Rect};
use crate::theme::Colour;
use rayon::prelude::*;
use stiction_core::math::Vector;

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

/// Number of pieces above which hidden lines are left out. Fewer are drawn in about 5 ms, and the pictures
/// of small scenes stay exact.
const MANY: usize = 20_000;

/// Number of strokes prepared by one thread at a time.
const SIDE_BY_SIDE: usize = 8192;

/// Number of strokes fetched at a time.
const BATCH: usize = 64;

/// The place in the order of a stroke that is not drawn.
const NOWHERE: u64 = u64::MAX;

/// A spring between two particles: a third of the size of a piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub(super) ends: [u32; 2],
    pub(super) width: f64,
    pub(super) colour: Colour,
    pub(super) alpha: u8,
}

impl Stroke {
    const NONE: Stroke = Stroke { ends: [0; 2], width: 0.0, colour: 0, alpha: 0 };

    #[inline]
    fn line(&self, sight: &Sight) -> CoverLine {
        let ends = match sight.both(self.ends) {
            Some([a, b]) => [a.at, b.at],
            None => [(f64::NAN, f64::NAN); 2],
        };
        (ends, self.width, self.alpha)
    }
}

/// Particles as seen by the eye.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    /// Projections; the depth of a particle behind the eye is NaN.
    pub(super) seen: &'a [Projected],
    /// Positions \[m\].
    pub(super) positions: &'a [Vector],
    pub(super) view: &'a CameraView,
}

impl Sight<'_> {
    /// Projections of two particles; of the visible part between them if one is behind the eye.
    #[inline]
    pub(super) fn both(&self, [i, j]: [u32; 2]) -> Option<[Projected; 2]> {
        let (i, j) = (i as usize, j as usize);
        let seen = [self.seen[i], self.seen[j]];
        if seen[0].depth.is_finite() && seen[1].depth.is_finite() {
            return Some(seen);
        }
        self.view.segment(self.positions[i], self.positions[j])
    }
}

/// Pieces with their depths; kept between pictures to reuse its memory.
#[derive(Default)]
pub(super) struct Pile {
    pieces: Vec<PilePiece>,
    /// number of pieces that were added before the strokes
    before: usize,
    strokes: Vec<Stroke>,
    /// the cells of each stroke
    covers: Vec<LineCover>,
    /// upper half: depth as an integer, the farthest smallest; lower half: number of insertion
    order: Vec<u64>,
    cover: Cover,
    /// of each piece in the order the rows it may have pixels in
    heights: Vec<[f32; 2]>,
}

/// The meaning of a number of insertion.
enum Piled<'a> {
    Piece(&'a PilePiece),
    Stroke(usize),
}

impl Pile {
    /// Removes all pieces.
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.order.clear();
        // strokes are overwritten in place
        self.before = usize::MAX;
    }

    /// Number of pieces and strokes.
    fn len(&self) -> usize {
        self.pieces.len() + if self.before == usize::MAX { 0 } else { self.strokes.len() }
    }

    /// Adds a piece at a depth \[m\].
    pub(super) fn add(&mut self, depth: f64, piece: PilePiece) {
        if depth.is_finite() {
            self.order.push(placed(depth, self.len()));
            self.pieces.push(piece);
        }
    }

    /// Adds, once between two calls of [`Self::clear`], the strokes 0..count, each with its depth \[m\],
    /// except those that are `None`.
    pub(super) fn add_strokes(
        &mut self,
        count: usize,
        clip: &Rect,
        sight: &Sight,
        stroke: impl Fn(usize) -> Option<(f64, Stroke)> + Sync,
    ) {
        self.before = self.pieces.len();
        self.strokes.resize(count, Stroke::NONE);
        self.covers.resize(count, LineCover::UNKNOWN);
        let start = self.order.len();
        self.order.resize(start + count, NOWHERE);
        let (before, grid) = (self.before, CoverGrid::of(clip));
        let fill =
            |first: usize, keys: &mut [u64], strokes: &mut [Stroke], covers: &mut [LineCover]| {
                for k in 0..keys.len() {
                    let Some((depth, stroke)) =
                        stroke(first + k).filter(|(depth, _)| depth.is_finite())
                    else {
                        continue;
                    };
                    keys[k] = placed(depth, before + first + k);
                    strokes[k] = stroke;
                    covers[k] = grid.line(stroke.line(sight));
                }
            };
        self.order[start..]
            .par_chunks_mut(SIDE_BY_SIDE)
            .zip(self.strokes.par_chunks_mut(SIDE_BY_SIDE))
            .zip(self.covers.par_chunks_mut(SIDE_BY_SIDE))
            .enumerate()
            .for_each(|(part, ((keys, strokes), covers))| {
                fill(part * SIDE_BY_SIDE, keys, strokes, covers);
            });
    }

    #[inline]
    fn piled(&self, key: u64) -> Piled<'_> {
        let number = key as u32 as usize;
        if number < self.before {
            Piled::Piece(&self.pieces[number])
        } else if number - self.before < self.strokes.len() {
            Piled::Stroke(number - self.before)
        } else {
            Piled::Piece(&self.pieces[number - self.strokes.len()])
        }
    }

    /// Draws all pieces, the farthest first; equal ones in order of insertion.
    pub(super) fn draw(&mut self, canvas: &mut Canvas, sight: &Sight) {
        // all keys are distinct, so the order does not depend on the number of threads
        self.order.par_sort_unstable();
        let drawn = self.order.partition_point(|key| *key != NOWHERE);
        self.order.truncate(drawn);
        if self.order.len() > MANY {
            self.leave_out_what_is_hidden(&canvas.clip(), sight);
        }
        let threads = rayon::current_num_threads();
        if self.order.len() <= MANY || threads == 1 {
            return self.draw_some(canvas, sight, |_| true);
        }
        let mut heights = std::mem::take(&mut self.heights);
        self.order.par_iter().map(|key| self.height(*key, sight)).collect_into_vec(&mut heights);
        canvas.in_bands(2 * threads.min(8), |band| {
            let rows = band.rows_here();
            let (top, bottom) = (rows.start as f32, rows.end as f32);
            self.draw_some(band, sight, |k| {
                let [upper, lower] = heights[k];
                // a height that is no number is everywhere
                !(lower < top || upper > bottom)
            });
        });
        self.heights = heights;
    }

    /// Draws those of the order that are chosen by their place in it.
    fn draw_some(&self, canvas: &mut Canvas, sight: &Sight, chosen: impl Fn(usize) -> bool) {
        let mut places = (0..self.order.len()).filter(|k| chosen(*k)).peekable();
        // the strokes of a batch are fetched together, since each is likely in no cache
        let mut batch = Vec::with_capacity(BATCH);
        while places.peek().is_some() {
            batch.clear();
            batch.extend(places.by_ref().take(BATCH).map(|k| match self.piled(self.order[k]) {
                Piled::Piece(piece) => (Some(piece), Stroke::NONE),
                Piled::Stroke(s) => (None, self.strokes[s]),
            }));
            for (piece, stroke) in &batch {
                if let Some(piece) = piece {
                    piece.draw(canvas);
                    continue;
                }
                let ([a, b], width, alpha) = stroke.line(sight);
                canvas.line(a, b, width, stroke.colour, alpha);
            }
        }
    }

    /// The least and the largest height at which a piece has pixels, or more than that.
    fn height(&self, key: u64, sight: &Sight) -> [f32; 2] {
        let between = |a: f64, b: f64, margin: f64| {
            let (upper, lower) = if a < b { (a, b) } else { (b, a) };
            [(upper - margin) as f32, (lower + margin) as f32]
        };
        match self.piled(key) {
            Piled::Stroke(s) => {
                let ([a, b], width, _) = self.strokes[s].line(sight);
                between(a.1, b.1, width + 3.0)
            }
            Piled::Piece(PilePiece::Line { ends: [a, b], width, .. }) => {
                between(a.1, b.1, width + 3.0)
            }
            Piled::Piece(PilePiece::Ball { at, radius, .. }) => between(at.1, at.1, radius + 3.0),
            Piled::Piece(PilePiece::Triangle { corners: [a, b, c], .. }) => {
                let [[upper, lower], [top, bottom]] =
                    [between(a.1, b.1, 3.0), between(a.1, c.1, 3.0)];
                // a sum keeps what is no number
                let sum = upper + lower + top + bottom;
                if sum.is_finite() { [upper.min(top), lower.max(bottom)] } else { [sum; 2] }
            }
            Piled::Piece(PilePiece::Mark(_)) => [f32::NEG_INFINITY, f32::INFINITY],
        }
    }

    /// Leaves out lines hidden by those in front of them.
    fn leave_out_what_is_hidden(&mut self, clip: &Rect, sight: &Sight) {
        let (grid, mut cover) = (CoverGrid::of(clip), std::mem::take(&mut self.cover));
        let mut order = std::mem::take(&mut self.order);
        cover.clear(&grid);
        let seen = |key: &u64| match self.piled(*key) {
            Piled::Stroke(s) => cover.add(&grid, &self.covers[s], || self.strokes[s].line(sight)),
            Piled::Piece(PilePiece::Line { ends, width, alpha, .. }) => {
                cover.add(&grid, &LineCover::UNKNOWN, || (*ends, *width, *alpha))
            }
            Piled::Piece(_) => true,
        };
        // `retain` visits from first to last
        order.reverse();
        order.retain(seen);
        order.reverse();
        (self.order, self.cover) = (order, cover);
    }
}

impl PilePiece {
    fn draw(&self, canvas: &mut Canvas) {
        match *self {
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

/// The place in the order of what is inserted as number `number` at a finite depth \[m\].
fn placed(depth: f64, number: usize) -> u64 {
    u64::from(!ascending(depth)) << 32 | number as u64
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
