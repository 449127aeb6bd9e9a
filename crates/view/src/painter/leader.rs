//! The line from a text to what it names, where it had to be moved away.

use super::Scenery;
use crate::canvas::{CanvasPoint, Rect};
use std::ops::Range;
use stiction_core::math::{larger, smaller, sqrt};

/// Distance from which there is a line, in heights of the text.
const FAR: f64 = 2.0;

/// The ends of the line, at the text and at the nearest point that is seen of the body.
pub(super) fn between(
    scenery: &Scenery,
    particles: Range<usize>,
    text: &Rect,
) -> Option<[CanvasPoint; 2]> {
    let far = FAR * f64::from(text.height());
    let near = |best: Option<(f64, CanvasPoint)>, at: CanvasPoint, rim: f64| {
        let away = larger(distance(at, to_box(text, at)) - rim, 0.0);
        match best {
            Some((least, _)) if least <= away => best,
            _ => Some((away, at)),
        }
    };
    let mut best = None;
    for seen in particles.clone().filter_map(|i| scenery.seen.get(i).map(|seen| (i, seen))) {
        let (i, seen) = seen;
        if seen.depth.is_finite() {
            best = near(best, seen.at, scenery.radius(i) * seen.scale);
        }
    }
    if best.is_none_or(|(away, _)| away <= far) {
        return None;
    }
    // a large surface has few particles
    let own = |p: &u32| particles.contains(&(*p as usize));
    let middle = (0.5 * f64::from(text.x0 + text.x1), 0.5 * f64::from(text.y0 + text.y1));
    for [a, b, c] in scenery.skin.triangles.iter().filter(|corners| corners.iter().all(own)) {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            let [p, q] = [p, q].map(|p| scenery.seen[*p as usize]);
            if p.depth.is_finite() && q.depth.is_finite() {
                best = near(best, on_segment([p.at, q.at], middle), 0.0);
            }
        }
    }
    let (away, at) = best?;
    (away > far).then(|| [to_box(text, at), at])
}

/// The ends of the line from a text to a point, if it is far from it.
pub(super) fn to_point(text: &Rect, at: CanvasPoint) -> Option<[CanvasPoint; 2]> {
    let from = to_box(text, at);
    (distance(from, at) > f64::from(text.height())).then_some([from, at])
}

/// The point of a box nearest to a point.
fn to_box(rect: &Rect, (x, y): CanvasPoint) -> CanvasPoint {
    let within = |x: f64, low: i32, high: i32| larger(f64::from(low), smaller(x, f64::from(high)));
    (within(x, rect.x0, rect.x1), within(y, rect.y0, rect.y1))
}

/// The point of a segment nearest to a point.
fn on_segment([a, b]: [CanvasPoint; 2], p: CanvasPoint) -> CanvasPoint {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    let length = x * x + y * y;
    let along = if length > 0.0 { ((p.0 - a.0) * x + (p.1 - a.1) * y) / length } else { 0.0 };
    let share = larger(0.0, smaller(along, 1.0));
    (a.0 + share * x, a.1 + share * y)
}

fn distance(a: CanvasPoint, b: CanvasPoint) -> f64 {
    sqrt((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_far_from_its_arrow_has_a_line_to_it() {
        let text = Rect { x0: 100, y0: 50, x1: 160, y1: 72 };
        assert_eq!(to_point(&text, (130.0, 90.0)), None, "below it");
        assert_eq!(to_point(&text, (130.0, 200.0)), Some([(130.0, 72.0), (130.0, 200.0)]));
        assert_eq!(to_point(&text, (20.0, 60.0)), Some([(100.0, 60.0), (20.0, 60.0)]));
    }
}
