//! Bodies and colliders that start through or inside each other where no contact shows it: contact looks at
//! particles near a surface, and between bodies at faces and edges that are near. Planar scenes, whose surfaces
//! are lines, and colliders by a formula, whose gap is no distance, are not asked.

use super::{DEEP, Forecast, across};
use crate::contact::collider::surface::{Side, Surface};
use crate::contact::collider::{Bounds, Collider, ColliderForm, Gap, closed};
use crate::math::{Vector, larger, number, smaller};
use crate::model::{Body, Model};
use crate::state::State;
use std::cell::OnceCell;

/// Parts of a line between two particles that are looked at one by one near a collider.
const PARTS: f64 = 256.0;

/// Share of a line by which the next crossing is beyond the last.
const ROUNDING: f64 = 1e-9;

/// A body, with what is needed to see whether something is inside it.
pub(super) struct Solid<'a> {
    number: usize,
    body: &'a Body,
    places: &'a [Vector],
    bounds: Bounds,
    /// whether all its particles are held
    held: bool,
    hull: OnceCell<Option<Hull>>,
    edges: OnceCell<Vec<[u32; 2]>>,
}

/// The surface of a body, and whether it is closed.
struct Hull {
    surface: Surface,
    closed: bool,
}

impl Hull {
    /// The middle of the first part of a line that lies in a solid, between two crossings of its surface.
    fn middle(&self, [from, to]: [Vector; 2]) -> Option<Vector> {
        let (enters, _) = self.surface.crossing(from, to)?;
        let inside = from + (to - from) * (enters + ROUNDING);
        let (leaves, _) = self.surface.crossing(inside, to)?;
        Some(inside + (to - inside) * (0.5 * leaves))
    }
}

/// The bodies of a scene, as far as they can be seen to cross something.
pub(super) fn solids<'a>(model: &'a Model, state: &'a State) -> Vec<Solid<'a>> {
    if model.locked_axis.is_some() {
        return Vec::new();
    }
    let solid = |(number, body): (usize, &'a Body)| {
        let places = &state.positions[body.particles.clone()];
        Some(Solid {
            number,
            body,
            places,
            bounds: Bounds::around(places.iter().copied())?,
            held: body.particles.clone().all(|i| model.inverse_masses[i].amax() == 0.0),
            hull: OnceCell::new(),
            edges: OnceCell::new(),
        })
    };
    model.bodies.iter().enumerate().filter_map(solid).collect()
}

impl Solid<'_> {
    /// Triangles with an area, by the places of their corners.
    fn triangles(&self) -> Vec<[u32; 3]> {
        let start = self.body.particles.start as u32;
        let has_area = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|i| self.places[i as usize]);
            (b - a).cross(&(c - a)).norm() > 0.0
        };
        let shifted = self.body.triangles.iter().map(|corners| corners.map(|i| i - start));
        shifted.filter(has_area).collect()
    }

    fn hull(&self) -> Option<&Hull> {
        let made = self.hull.get_or_init(|| {
            let triangles = self.triangles();
            let numbered: Vec<[usize; 3]> =
                triangles.iter().map(|corners| corners.map(|i| i as usize)).collect();
            let closed = closed::check(self.places, &numbered).is_ok();
            Some(Hull { surface: Surface::new(self.places, triangles)?, closed })
        });
        made.as_ref()
    }

    /// Depth inside the body and the normal of its surface; none outside, and for a body without an inside.
    fn depth(&self, p: Vector) -> Option<(f64, Vector)> {
        if self.body.triangles.is_empty() || self.bounds.distance(p) > 0.0 {
            return None;
        }
        let gap = self.hull().filter(|hull| hull.closed)?.surface.gap(p, Side::Oriented);
        (gap.distance < 0.0).then_some((-gap.distance, gap.normal))
    }

    /// A point of a line inside the body, its depth and the normal of the surface.
    fn pierced(&self, line: [Vector; 2]) -> Option<(Vector, f64, Vector)> {
        let meets = Bounds::around(line.into_iter())?.meets(&self.bounds);
        if !meets || self.body.triangles.is_empty() {
            return None;
        }
        let p = self.hull().filter(|hull| hull.closed)?.middle(line)?;
        self.depth(p).map(|(depth, n)| (p, depth, n))
    }

    fn center(&self) -> Vector {
        self.places.iter().sum::<Vector>() / self.places.len() as f64
    }

    /// Segments and edges of triangles, each once, by the places of their ends.
    fn edges(&self) -> &[[u32; 2]] {
        self.edges.get_or_init(|| {
            let start = self.body.particles.start as u32;
            let triangles = self.body.triangles.iter();
            let of_triangles = triangles.flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
            let all = self.body.segments.iter().copied().chain(of_triangles);
            let mut edges: Vec<[u32; 2]> =
                all.map(|[i, j]| [i.min(j) - start, i.max(j) - start]).collect();
            edges.sort_unstable();
            edges.dedup();
            edges
        })
    }

    /// Lines in the surface of the body: segments, edges, and from each corner to the middle of its triangle.
    fn lines(&self) -> impl Iterator<Item = [Vector; 2]> {
        let start = self.body.particles.start;
        let edges = self.edges().iter().map(|ends| ends.map(|i| self.places[i as usize]));
        let of_triangle = move |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|i| self.places[i as usize - start]);
            let middle = (a + b + c) / 3.0;
            [[a, middle], [b, middle], [c, middle]]
        };
        edges.chain(self.body.triangles.iter().flat_map(of_triangle))
    }
}

/// A collider that passes between the particles of a body or lies inside it.
pub(super) fn pierced_start(model: &Model, state: &State, solid: &Solid) -> Option<Forecast> {
    if solid.held {
        return None;
    }
    let is_asked = |collider: &&Collider| {
        !collider.shape.is_half_space() && !matches!(collider.shape.form(), ColliderForm::Level)
    };
    let how = |collider: &Collider| {
        let pose = collider.motion.pose(state.time);
        let gap = |p: Vector| collider.shape.gap(pose.to_shape(p));
        let middle = collider.shape.center();
        let swallowed = || {
            solid.depth(pose.to_world(middle)).is_some()
                && collider.shape.gap(middle).distance < 0.0
        };
        // a body of which one particle is farther than its own size is clear; beside a height field nothing is known
        let size = (solid.bounds.max - solid.bounds.min).norm();
        if (size..f64::MAX).contains(&gap(solid.places[0]).distance) && !swallowed() {
            return None;
        }
        let half_thickness = collider.shape.half_thickness();
        let clear: Vec<f64> = solid.places.iter().map(|p| gap(*p).distance).collect();
        let may_cross = |[i, j]: &&[u32; 2]| {
            let (i, j) = (*i as usize, *j as usize);
            clear[i] + clear[j] <= (solid.places[j] - solid.places[i]).norm()
        };
        let near = solid.edges().iter().any(|edge| may_cross(&edge));
        let passes = || solid.lines().any(|line| passes_between(&gap, half_thickness, line));
        let least =
            |n: Vector| DEEP * smaller(across(model, state, solid.body, n), 2.0 * half_thickness);
        match near && passes() {
            true => Some("passes between particles"),
            false if swallowed() => Some("lies inside the surface"),
            false => {
                let near = (pose.to_shape(solid.center()), size);
                let mut own = lines_of(collider.shape.form(), near).into_iter();
                let through = own.any(|line| {
                    let Some((p, depth, n)) = solid.pierced(line.map(|p| pose.to_world(p))) else {
                        return false;
                    };
                    depth > least(n) && gap(p).distance <= ROUNDING
                });
                through.then_some("passes between particles")
            }
        }
    };
    let mut colliders = model.surfaces.colliders.iter().filter(is_asked);
    let (collider, how) = colliders.find_map(|collider| Some((collider, how(collider)?)))?;
    Some(Forecast {
        kind: "deep-start",
        text: format!(
            "`{}` {how} of `{}`, where no contact shows it: no contact holds the body off, or it holds the body fast",
            collider.name, solid.body.name
        ),
    })
}

/// Lines along the axis or the edges of a collider in its own coordinates; of an axis without end the part within
/// `reach` \[m\] of a point.
fn lines_of(form: ColliderForm, (near, reach): (Vector, f64)) -> Vec<[Vector; 2]> {
    match form {
        ColliderForm::Cuboid(cuboid) => {
            let corner = |k: usize| {
                let side = |axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
                let half = Vector::from_fn(|axis, _| side(axis) * cuboid.half[axis]);
                cuboid.center + cuboid.rotation * half
            };
            let edge = |(k, axis): (usize, usize)| {
                (k >> axis & 1 == 0).then(|| [corner(k), corner(k | 1 << axis)])
            };
            (0..8).flat_map(|k| (0..3).map(move |axis| (k, axis))).filter_map(edge).collect()
        }
        ColliderForm::Cylinder(cylinder) => {
            let half = cylinder.length.map_or(f64::INFINITY, |length| 0.5 * length);
            let middle = (near - cylinder.center).dot(&cylinder.axis);
            let ends = [middle - reach, middle + reach].map(|s| larger(smaller(s, half), -half));
            vec![ends.map(|s| cylinder.center + cylinder.axis * s)]
        }
        ColliderForm::Capsule(capsule) => {
            let half = capsule.axis * (0.5 * capsule.length);
            vec![[capsule.center - half, capsule.center + half]]
        }
        ColliderForm::Triangles(triangles) => {
            triangles.into_iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]).collect()
        }
        ColliderForm::Plane(_) | ColliderForm::Sphere(_) | ColliderForm::Level => Vec::new(),
    }
}

/// Whether a collider lies between the ends of a line: these are clear of it on opposite sides, and between them
/// it is deeper than a tenth of its half thickness, or of half the line.
fn passes_between(gap: &impl Fn(Vector) -> Gap, half_thickness: f64, [a, b]: [Vector; 2]) -> bool {
    let across = b - a;
    let length = across.norm();
    let first = gap(a);
    if first.distance <= 0.0 || first.distance > length {
        return false;
    }
    let last = gap(b);
    let apart = first.distance + last.distance > length;
    if last.distance <= 0.0 || apart || first.normal.dot(&last.normal) >= 0.0 {
        return false;
    }
    let least = DEEP * smaller(half_thickness, 0.5 * length);
    let mut share = 0.0;
    while share < 1.0 {
        let distance = gap(a + across * share).distance;
        if distance < -least {
            return true;
        }
        share += larger(distance / length, 1.0 / PARTS);
    }
    false
}

/// Pairs of bodies of which one passes through the other or lies inside it, deeper than a tenth of the thinner
/// one's size there; without the pair `known`.
pub(super) fn crossed_starts(
    model: &Model,
    state: &State,
    solids: &[Solid],
    known: Option<[usize; 2]>,
) -> Vec<Forecast> {
    if !model.bodies_touch() {
        return Vec::new();
    }
    let mut along_x: Vec<&Solid> = solids.iter().collect();
    along_x.sort_by(|a, b| a.bounds.min.x.total_cmp(&b.bounds.min.x));
    let mut found = Vec::new();
    for (k, first) in along_x.iter().enumerate() {
        let reached = along_x[k + 1..].iter().take_while(|b| b.bounds.min.x <= first.bounds.max.x);
        for second in reached.filter(|b| b.bounds.meets(&first.bounds)) {
            let [a, b] =
                if first.number < second.number { [first, second] } else { [second, first] };
            if (a.held && b.held) || known == Some([a.number, b.number]) {
                continue;
            }
            let least = |n: Vector| {
                let extents = [a, b].map(|solid| across(model, state, solid.body, n));
                DEEP * extents.into_iter().filter(|s| *s > 0.0).fold(f64::INFINITY, smaller)
            };
            let depth = larger(reaches_into(a, b, least), reaches_into(b, a, least));
            if depth > 0.0 {
                found.push(([a.number, b.number], depth));
            }
        }
    }
    found.sort_by_key(|(pair, _)| *pair);
    let forecast = |([a, b], depth): ([usize; 2], f64)| Forecast {
        kind: "overlapping-start",
        text: format!(
            "`{}` and `{}` start {} m through or inside each other, farther from their surfaces than contact looks: it may hold them together, or throw them apart",
            model.bodies[a].name,
            model.bodies[b].name,
            number(depth)
        ),
    };
    found.into_iter().map(forecast).collect()
}

/// How far `a` reaches into `b` \[m\], where that is more than `least` across the normal there, else 0: by a
/// particle of `a`, the part of a line of `a` inside, or the centre of `a`; through an open surface by a line.
fn reaches_into(a: &Solid, b: &Solid, least: impl Fn(Vector) -> f64) -> f64 {
    if b.body.triangles.is_empty() {
        return 0.0;
    }
    let Some(hull) = b.hull() else { return 0.0 };
    let near = |[p, q]: &[Vector; 2]| {
        Bounds::around([*p, *q].into_iter()).is_some_and(|line| line.meets(&b.bounds))
    };
    let lines = || a.lines().filter(near);
    if !hull.closed {
        return lines().map(|line| depth_through(hull, line, &least)).fold(0.0, larger);
    }
    let middles = lines().flat_map(|[p, q]| [[p, q], [q, p]]).filter_map(|line| hull.middle(line));
    let own = Some(a.center()).filter(|c| a.depth(*c).is_some());
    let points = a.places.iter().copied().chain(middles).chain(own);
    points.fold(0.0, |most, p| match b.depth(p) {
        Some((depth, n)) if depth > most && depth > least(n) => depth,
        _ => most,
    })
}

/// How far a line passes through an open surface \[m\]: the distance of its nearer end, where the ends lie on
/// opposite sides, farther from it than `least` or a tenth of the line, and the line is not along it; else 0.
fn depth_through(hull: &Hull, [p, q]: [Vector; 2], least: &impl Fn(Vector) -> f64) -> f64 {
    let Some((_, n)) = hull.surface.crossing(p, q) else { return 0.0 };
    let (length, height) = ((q - p).norm(), (q - p).dot(&n).abs());
    let [before, after] = [p, q].map(|end| hull.surface.gap(end, Side::Oriented).distance);
    let depth = smaller(before.abs(), after.abs());
    let through = before * after < 0.0 && height > DEEP * length;
    if through && depth > smaller(least(n), DEEP * length) { depth } else { 0.0 }
}
