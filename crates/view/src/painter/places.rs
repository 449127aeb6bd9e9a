//! Places for texts in a picture: inside the free part, off the bodies, and off each other.

use super::shadow::Mask;
use super::{Scenery, contacts};
use crate::camera::Projected;
use crate::canvas::{CanvasPoint, Rect};

/// Number of places of [`ring`] at each distance.
pub(super) const SIDES: usize = 8;

/// Side of a cell of the mask of bodies \[pixels of the design\].
const CELL: f64 = 3.0;

/// Least distance between texts \[pixels of the design\].
const GAP: f64 = 2.0;

/// The free part of a picture, and what stands in it.
pub(super) struct Places<'a> {
    room: Rect,
    taken: Vec<Rect>,
    bodies: &'a mut Mask,
    gap: i32,
}

impl<'a> Places<'a> {
    /// The free part with the bodies, but no texts yet.
    pub(super) fn around(bodies: &'a mut Mask, clip: Rect, scenery: &Scenery) -> Places<'a> {
        let px = |design: f64| scenery.pixels(design) as i32;
        let room = scenery.focus.intersection(&clip);
        let empty = room.x1 <= room.x0 || room.y1 <= room.y0;
        bodies.clear(if empty { Rect::default() } else { room }, px(CELL).max(1));
        if !empty {
            cover(bodies, scenery);
        }
        let rim = px(4.0);
        let room =
            Rect { x0: room.x0 + rim, y0: room.y0 + rim, x1: room.x1 - rim, y1: room.y1 - rim };
        Places { room, taken: Vec::new(), bodies, gap: px(GAP).max(1) }
    }

    /// Covers a line.
    pub(super) fn cover(&mut self, ends: [CanvasPoint; 2]) {
        self.bodies.segment(ends.map(|at| Projected { at, depth: 1.0, scale: 1.0 }));
    }

    /// The free part.
    pub(super) fn room(&self) -> Rect {
        self.room
    }

    /// Whether a point is in the free part.
    pub(super) fn holds(&self, (x, y): CanvasPoint) -> bool {
        let Rect { x0, y0, x1, y1 } = self.room;
        f64::from(x0) <= x && x < f64::from(x1) && f64::from(y0) <= y && y < f64::from(y1)
    }

    /// Takes the first free place for a box of `size` among middles.
    pub(super) fn take(
        &mut self,
        middles: impl IntoIterator<Item = CanvasPoint>,
        (width, height): (f64, f64),
    ) -> Option<Rect> {
        let box_at = |(x, y): CanvasPoint| {
            let far = !(x.abs() < 1e6 && y.abs() < 1e6);
            let (x0, y0) = ((x - 0.5 * width).floor() as i32, (y - 0.5 * height).floor() as i32);
            let rect = Rect { x0, y0, x1: x0 + width.ceil() as i32, y1: y0 + height.ceil() as i32 };
            (!far).then_some(rect)
        };
        let free = |rect: &Rect| {
            let grown = Rect {
                x0: rect.x0 - self.gap,
                y0: rect.y0 - self.gap,
                x1: rect.x1 + self.gap,
                y1: rect.y1 + self.gap,
            };
            rect.intersection(&self.room) == *rect
                && self.taken.iter().all(|other| other.intersection(&grown).is_empty())
                && !self.bodies.meets(&grown)
        };
        let found = middles.into_iter().filter_map(box_at).find(free)?;
        self.taken.push(found);
        Some(found)
    }
}

/// Middles of boxes of `size` around a point, from near to far; first in the direction `towards`.
pub(super) fn ring(
    at: CanvasPoint,
    (width, height): (f64, f64),
    towards: CanvasPoint,
    gap: f64,
) -> Vec<CanvasPoint> {
    const AROUND: [CanvasPoint; SIDES] = [
        (1.0, 0.0),
        (-1.0, 0.0),
        (0.0, -1.0),
        (0.0, 1.0),
        (1.0, -1.0),
        (-1.0, -1.0),
        (1.0, 1.0),
        (-1.0, 1.0),
    ];
    let mut sides = AROUND;
    // stable, so that equal ones stay in the order above
    let along = |side: &CanvasPoint| side.0 * towards.0 + side.1 * towards.1;
    sides.sort_by(|a, b| along(b).total_cmp(&along(a)));
    let out = |far: f64| {
        sides.map(|(x, y)| {
            (at.0 + x * (0.5 * width + gap + far), at.1 + y * (0.5 * height + gap + far))
        })
    };
    [0.0, 1.0, 2.0, 4.0, 7.0].into_iter().flat_map(|n| out(n * height)).collect()
}

/// Middles of boxes of `size` beside a box: at its sides, above it and below it.
pub(super) fn beside(of: &Rect, (width, height): (f64, f64), gap: f64) -> Vec<CanvasPoint> {
    let (x0, x1) = (f64::from(of.x0), f64::from(of.x1));
    let (y0, y1) = (f64::from(of.y0), f64::from(of.y1));
    let mut middles = Vec::new();
    for out in [0.0, height, 2.5 * height] {
        let (right, left) = (x1 + gap + out + 0.5 * width, x0 - gap - out - 0.5 * width);
        let (above, below) = (y0 - gap - out - 0.5 * height, y1 + gap + out + 0.5 * height);
        for share in [0.5, 0.2, 0.8, 0.0, 1.0] {
            let (x, y) = (x0 + share * (x1 - x0), y0 + share * (y1 - y0));
            middles.extend([(right, y), (left, y), (x, above), (x, below)]);
        }
    }
    middles
}

/// Covers what is seen of surfaces, springs, particles and arrows at contacts.
fn cover(mask: &mut Mask, scenery: &Scenery) {
    let skin = scenery.skin;
    let known = |seen: &Projected| seen.depth.is_finite();
    for triangle in &skin.triangles {
        let seen = triangle.map(|p| scenery.seen[p as usize]);
        if seen.iter().all(known) {
            mask.triangle(seen);
        }
    }
    for spring in &skin.bare {
        let ends = spring.ends.map(|p| scenery.seen[p as usize]);
        if ends.iter().all(known) {
            mask.segment(ends);
        }
    }
    for (i, seen) in scenery.seen.iter().enumerate().filter(|(_, seen)| known(seen)) {
        let radius = (scenery.radius(i) * seen.scale).max(scenery.pixels(2.0));
        mask.square(seen.at, radius);
    }
    contacts::arrows(scenery).into_iter().for_each(|ends| mask.segment(ends));
}
