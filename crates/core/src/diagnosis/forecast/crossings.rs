//! Bodies and colliders that start through or inside each other where no contact shows it: contact looks at
//! particles near a surface, and between bodies at faces and edges that are near.

use super::{DEEP, Forecast, across};
use crate::contact::collider::surface::{Side, Surface};
use crate::contact::collider::{Collider, closed};
use crate::math::{Vector, larger, number, smaller};
use crate::model::{Body, Model};
use crate::state::State;
use std::cell::OnceCell;

/// Parts of a line between two particles that are looked at one by one near a collider.
const PARTS: f64 = 256.0;

/// A body, with what is needed to see whether something is inside it.
struct Solid<'a> {
    body: &'a Body,
    places: &'a [Vector],
    low: Vector,
    high: Vector,
    hull: OnceCell<Option<Hull>>,
}

/// The surface of a body, and whether it is closed.
struct Hull {
    surface: Surface,
    closed: bool,
}

impl<'a> Solid<'a> {
    fn of(state: &'a State, body: &'a Body) -> Self {
        let places = &state.positions[body.particles.clone()];
        let bound =
            |of: fn(f64, f64) -> f64| places.iter().copied().reduce(|a, b| a.zip_map(&b, of));
        let (low, high) = (bound(smaller).unwrap_or_default(), bound(larger).unwrap_or_default());
        Solid { body, places, low, high, hull: OnceCell::new() }
    }

    fn hull(&self) -> Option<&Hull> {
        let made = self.hull.get_or_init(|| {
            let start = self.body.particles.start as u32;
            let triangles: Vec<[u32; 3]> =
                self.body.triangles.iter().map(|corners| corners.map(|i| i - start)).collect();
            let numbered: Vec<[usize; 3]> =
                triangles.iter().map(|corners| corners.map(|i| i as usize)).collect();
            let closed = closed::check(self.places, &numbered).is_ok();
            Some(Hull { surface: Surface::new(self.places, triangles)?, closed })
        });
        made.as_ref()
    }

    /// Depth inside the body and the normal of its surface; none for a body without an inside.
    fn depth(&self, p: Vector) -> Option<(f64, Vector)> {
        let gap = self.hull().filter(|hull| hull.closed)?.surface.gap(p, Side::Oriented);
        Some((-gap.distance, gap.normal))
    }

    fn center(&self) -> Vector {
        self.places.iter().sum::<Vector>() / self.places.len() as f64
    }

    fn may_meet(&self, other: &Solid) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// Lines in the surface of the body: segments, edges, and from each edge to the middle of its triangle.
    fn lines(&self) -> impl Iterator<Item = [Vector; 2]> {
        let start = self.body.particles.start;
        let place = move |i: u32| self.places[i as usize - start];
        let segments = self.body.segments.iter().map(move |ends| ends.map(place));
        let of_triangle = move |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(place);
            let middle = (a + b + c) / 3.0;
            [[a, b], [b, c], [c, a], [a, middle], [b, middle], [c, middle]]
        };
        segments.chain(self.body.triangles.iter().flat_map(of_triangle))
    }
}

/// A collider that passes between the particles of a body or lies inside it.
pub(super) fn pierced_start(model: &Model, state: &State, body: &Body) -> Option<Forecast> {
    let solid = Solid::of(state, body);
    let (center, reach) = (solid.center(), (solid.high - solid.low).norm());
    let near = |collider: &&Collider| {
        !collider.shape.is_half_space() && collider.shape.gap(center).distance < reach
    };
    let mut colliders = model.surfaces.colliders.iter().filter(near);
    let (collider, how) = colliders.find_map(|collider| {
        let middle = collider.shape.center();
        let swallowed = || {
            collider.shape.gap(middle).distance < 0.0
                && solid.depth(middle).is_some_and(|(depth, _)| depth > 0.0)
        };
        let how = match solid.lines().any(|line| passes_between(collider, line)) {
            true => "passes between particles",
            false if swallowed() => "lies inside the surface",
            false => return None,
        };
        Some((collider, how))
    })?;
    Some(Forecast {
        kind: "deep-start",
        text: format!(
            "`{}` {how} of `{}`, where no contact shows it: no contact holds the body off, or it holds the body fast",
            collider.name, body.name
        ),
    })
}

/// Whether a collider lies between the ends of a line: these are clear of it on opposite sides, and between them
/// it is deeper than a tenth of its half thickness, or of half the line.
fn passes_between(collider: &Collider, [a, b]: [Vector; 2]) -> bool {
    let (way, gap) = (b - a, |p| collider.shape.gap(p));
    let length = way.norm();
    let (first, last) = (gap(a), gap(b));
    let clear = first.distance > 0.0 && last.distance > 0.0;
    if !clear || first.distance + last.distance > length || first.normal.dot(&last.normal) >= 0.0 {
        return false;
    }
    let least = DEEP * smaller(collider.shape.half_thickness(), 0.5 * length);
    let mut share = 0.0;
    while share < 1.0 {
        let distance = gap(a + way * share).distance;
        if distance < -least {
            return true;
        }
        share += larger(distance / length, 1.0 / PARTS);
    }
    false
}

/// Pairs of bodies of which one passes through the other or lies inside it, deeper than a tenth of the thinner
/// one's size there.
pub(super) fn crossed_starts(model: &Model, state: &State) -> Vec<Forecast> {
    if model.surfaces.between.is_none() {
        return Vec::new();
    }
    let has_lines = |body: &&Body| !body.triangles.is_empty() || !body.segments.is_empty();
    let solids: Vec<Solid> =
        model.bodies.iter().filter(has_lines).map(|body| Solid::of(state, body)).collect();
    let pairs =
        solids.iter().enumerate().flat_map(|(k, a)| solids[k + 1..].iter().map(move |b| (a, b)));
    let crossed = pairs.filter(|(a, b)| a.may_meet(b)).filter_map(|(a, b)| {
        let least = |n: Vector| {
            let extents = [a, b].map(|solid| across(model, state, solid.body, n));
            DEEP * extents.into_iter().filter(|s| *s > 0.0).fold(f64::INFINITY, smaller)
        };
        let depth = larger(reaches_into(a, b, least), reaches_into(b, a, least));
        (depth > 0.0).then(|| Forecast {
            kind: "overlapping-start",
            text: format!(
                "`{}` and `{}` start {} m inside each other, farther than contacts look: these may hold them together, or throw them apart",
                a.body.name,
                b.body.name,
                number(depth)
            ),
        })
    });
    crossed.collect()
}

/// How far `a` reaches into `b` \[m\], where that is more than `least` across the normal there, else 0: by a
/// particle of `a`, the part of a line of `a` inside, or the centre of `a`; through an open surface by a line.
fn reaches_into(a: &Solid, b: &Solid, least: impl Fn(Vector) -> f64) -> f64 {
    let Some(hull) = b.hull() else { return 0.0 };
    if !hull.closed {
        let through = a.lines().filter_map(|[p, q]| {
            let (_, n) = hull.surface.crossing(p, q)?;
            let way = (q - p).dot(&n).abs();
            let [before, after] = [p, q].map(|end| hull.surface.gap(end, Side::Oriented).distance);
            let depth = smaller(before.abs(), after.abs());
            (before * after < 0.0 && way > DEEP * (q - p).norm() && depth > DEEP * way)
                .then_some(depth)
        });
        return through.fold(0.0, larger);
    }
    let deeper =
        |p: Vector| b.depth(p).filter(|(depth, n)| *depth > least(*n)).map(|(depth, _)| depth);
    let inside = |p: Vector| (0..3).all(|k| b.low[k] < p[k] && p[k] < b.high[k]);
    let particles = a.places.iter().copied().filter(|p| inside(*p));
    let middles = a.lines().filter_map(|[p, q]| {
        let ((s, _), (t, _)) = (hull.surface.crossing(p, q)?, hull.surface.crossing(q, p)?);
        Some(p + (q - p) * (0.5 * (1.0 + s - t)))
    });
    let own = Some(a.center()).filter(|c| a.depth(*c).is_some_and(|(depth, _)| depth > 0.0));
    particles.chain(middles).chain(own).filter_map(deeper).fold(0.0, larger)
}
