//! The skin: data of a model for pictures that can be kept between them: the visible parts of a
//! body, the orientation and edges of its triangles, and the wires.

use crate::camera::scope;
use crate::wire::lines;
use std::ops::Range;
use std::sync::OnceLock;
use stiction_core::forces::springs::Spring;
use stiction_core::math::Vector;
use stiction_core::model::Model;

/// Marks the absence of a triangle.
pub(super) const NONE: u32 = u32::MAX;

/// Length over which a wire is followed, in sizes of the scene.
const WIRE: f64 = 100.0;

/// Segments of the curves to which particles are constrained \[m\].
pub fn wires(model: &Model) -> Vec<[Vector; 2]> {
    let bounds = scope(&model.reference);
    let reach = WIRE * (bounds.max - bounds.min).norm();
    let curves = model.others.iter().filter_map(|constraint| constraint.curve());
    curves.flat_map(|curve| lines(curve, &model.reference, reach)).collect()
}

/// Ratio of thickness to diameter below which a round body is a ring or a disc.
const FLAT: f64 = 0.2;

/// The particles of each ring and disc, and the one furthest from the middle.
fn spokes(model: &Model) -> Vec<(Range<usize>, usize)> {
    let round = model.bodies.iter().filter(|body| model.is_round(body.particles.clone()));
    let spoke = |particles: Range<usize>| {
        let own = &model.reference[particles.clone()];
        let bounds = scope(own);
        let extent = bounds.max - bounds.min;
        let middle = own.iter().sum::<Vector>() / own.len() as f64;
        let away = |i: &usize| (model.reference[*i] - middle).norm();
        let furthest = particles.clone().max_by(|a, b| away(a).total_cmp(&away(b)))?;
        (extent.min() <= FLAT * extent.max()).then_some((particles, furthest))
    };
    round.filter_map(|body| spoke(body.particles.clone())).collect()
}

/// Visible surfaces, springs and particles, and wires.
pub(super) struct Skin {
    /// surfaces, body by body
    pub(super) shells: Vec<Shell>,
    /// their triangles
    pub(super) triangles: Vec<[u32; 3]>,
    /// their edges
    pub(super) edges: Vec<SkinEdge>,
    /// springs not hidden by a surface
    outer: Vec<SkinSpring>,
    /// all springs, once a picture without surfaces was drawn
    all: OnceLock<Vec<SkinSpring>>,
    /// springs of bodies without a surface
    pub(super) bare: Vec<SkinSpring>,
    /// per particle, whether its body has a surface
    covered: Vec<bool>,
    /// per particle, whether it is inside a body with a surface
    inside: Vec<bool>,
    /// segments of the curves to which particles are constrained
    pub(super) wires: Vec<[Vector; 2]>,
    /// of each ring and disc its particles, and the end of its spoke
    pub(super) spokes: Vec<(Range<usize>, usize)>,
}

/// A spring as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SkinSpring {
    /// Its particles.
    pub(super) ends: [u32; 2],
    /// l₀ \[m\].
    pub(super) rest_length: f64,
}

impl SkinSpring {
    fn of(spring: &Spring) -> SkinSpring {
        SkinSpring { ends: [spring.i as u32, spring.j as u32], rest_length: spring.rest_length }
    }

    /// The values of its two particles.
    #[inline]
    pub(super) fn both<T: Copy>(&self, values: &[T]) -> [T; 2] {
        // not by `map`, which is a call of its own
        let [i, j] = self.ends;
        [values[i as usize], values[j as usize]]
    }

    /// l²/l₀² at these positions \[m\].
    #[inline]
    pub(super) fn squared_stretch(&self, positions: &[Vector]) -> f64 {
        let [a, b] = self.both(positions);
        (b - a).norm_squared() / (self.rest_length * self.rest_length)
    }

    /// Strain (l − l₀)/l₀ at these positions \[m\]; 0 if it is not finite.
    #[inline]
    pub(super) fn strain(&self, positions: &[Vector]) -> f64 {
        let [a, b] = self.both(positions);
        let strain = (b - a).norm() / self.rest_length - 1.0;
        if strain.is_finite() { strain } else { 0.0 }
    }
}

/// The surface of one body.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shell {
    /// Its body.
    pub(super) body: usize,
    /// Its triangles in [`Skin::triangles`].
    pub(super) triangles: Range<usize>,
    /// Whether it encloses a volume with its triangles anticlockwise seen from outside; those
    /// facing away are then hidden.
    pub(super) closed: bool,
}

/// An edge of a surface and the triangles on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct SkinEdge {
    pub(super) ends: [u32; 2],
    /// the second is [`NONE`] at a rim
    pub(super) triangles: [u32; 2],
}

/// A side of a triangle: its ends in ascending order, its triangle, the opposite corner, and
/// whether the triangle's outline runs from the lower end to the higher.
type SkinSide = (u32, u32, u32, u32, bool);

impl Skin {
    /// The skin of all bodies.
    pub(super) fn of(model: &Model) -> Skin {
        let mut skin = Skin {
            shells: Vec::new(),
            triangles: Vec::new(),
            edges: Vec::new(),
            outer: Vec::new(),
            all: OnceLock::new(),
            bare: Vec::new(),
            covered: vec![false; model.particles()],
            inside: vec![false; model.particles()],
            wires: Vec::new(),
            spokes: spokes(model),
        };
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for (number, body) in model.bodies.iter().enumerate().filter(|b| !b.1.triangles.is_empty())
        {
            skin.inside[body.particles.clone()].fill(true);
            skin.covered[body.particles.clone()].fill(true);
            body.triangles.iter().flatten().for_each(|p| skin.inside[*p as usize] = false);
            skin.add_shell(number, &body.triangles, &model.reference, &mut joined);
        }
        joined.sort_unstable();
        joined.dedup();
        for s in 0..model.springs.len() {
            let spring = model.springs.get(s);
            let ends = (spring.i.min(spring.j), spring.i.max(spring.j));
            let both = skin.covers([ends.0 as u32, ends.1 as u32]);
            if !skin.covered[ends.0] && !skin.covered[ends.1] {
                skin.bare.push(SkinSpring::of(&spring));
            }
            let hidden = skin.inside[ends.0] || skin.inside[ends.1];
            let pair = (ends.0 as u32, ends.1 as u32);
            if !hidden && (!both || joined.binary_search(&pair).is_ok()) {
                skin.outer.push(SkinSpring::of(&spring));
            }
        }
        skin.wires = wires(model);
        skin
    }

    /// The springs that are drawn, by their numbers: with surfaces those not hidden by one, without
    /// all.
    pub(super) fn springs(&self, model: &Model, surfaces: bool) -> &[SkinSpring] {
        let springs = &model.springs;
        if surfaces || self.outer.len() == springs.len() {
            return &self.outer;
        }
        self.all
            .get_or_init(|| (0..springs.len()).map(|s| SkinSpring::of(&springs.get(s))).collect())
    }

    /// Whether both particles belong to bodies with a surface.
    #[inline]
    pub(super) fn covers(&self, [i, j]: [u32; 2]) -> bool {
        self.covered[i as usize] && self.covered[j as usize]
    }

    /// Whether particle `i` is behind the surface.
    pub(super) fn hides(&self, i: usize) -> bool {
        self.inside.get(i).copied().unwrap_or(false)
    }

    /// Adds the surface of a body, its edges, and the pairs of particles joined on it.
    fn add_shell(
        &mut self,
        body: usize,
        triangles: &[[u32; 3]],
        at_rest: &[Vector],
        joined: &mut Vec<(u32, u32)>,
    ) {
        let start = self.triangles.len();
        let sides = sides(triangles);
        for group in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (p, q, first, r, _) = group[0];
            joined.push((p, q));
            let second = group.get(1).map_or(NONE, |side| side.2 + start as u32);
            self.edges.push(SkinEdge { ends: [p, q], triangles: [first + start as u32, second] });
            for (_, _, _, s, _) in &group[1..] {
                // the other diagonal of two triangles that form a flat quadrilateral
                if r != *s && is_flat(at_rest, [p, q, r, *s]) {
                    joined.push((r.min(*s), r.max(*s)));
                }
            }
        }
        let outward = outward(triangles, &sides, at_rest);
        let closed = outward.is_some();
        self.triangles.extend(outward.unwrap_or_else(|| triangles.to_vec()));
        let range = start..self.triangles.len();
        self.shells.push(Shell { body, triangles: range, closed });
    }
}

/// All sides of triangles, sorted by their ends.
fn sides(triangles: &[[u32; 3]]) -> Vec<SkinSide> {
    let mut sides: Vec<SkinSide> = Vec::with_capacity(3 * triangles.len());
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        for (p, q, across) in [(a, b, c), (b, c, a), (c, a, b)] {
            sides.push((p.min(q), p.max(q), t as u32, across, p < q));
        }
    }
    sides.sort_unstable();
    sides
}

/// The triangles oriented anticlockwise seen from outside; `None` if there is no outside: a rim, an
/// edge of more than two triangles, a one-sided surface, no volume.
fn outward(
    triangles: &[[u32; 3]],
    sides: &[SkinSide],
    at_rest: &[Vector],
) -> Option<Vec<[u32; 3]>> {
    // neighbours of a triangle, and whether they have the same orientation
    let mut neighbours: Vec<Vec<(u32, bool)>> = vec![Vec::new(); triangles.len()];
    for group in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let [a, b] = group else { return None };
        let alike = a.4 != b.4;
        neighbours[a.2 as usize].push((b.2, alike));
        neighbours[b.2 as usize].push((a.2, alike));
    }
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    let mut outward = triangles.to_vec();
    for first in 0..triangles.len() {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&t) = part.get(next) {
            next += 1;
            for &(n, alike) in &neighbours[t] {
                let wanted = turned[t].map(|turned| turned == alike);
                match turned[n as usize] {
                    None => {
                        turned[n as usize] = wanted;
                        part.push(n as usize);
                    }
                    known if known != wanted => return None,
                    _ => {}
                }
            }
        }
        part.iter().filter(|t| turned[**t] == Some(true)).for_each(|t| outward[*t].swap(1, 2));
        let (volume, size) = volume(part.iter().map(|t| outward[*t]), at_rest);
        if volume.abs() <= 1e-3 * size {
            return None;
        }
        if volume < 0.0 {
            part.iter().for_each(|t| outward[*t].swap(1, 2));
        }
    }
    Some(outward)
}

/// Six times the enclosed volume \[m³\], and its upper bound.
fn volume(triangles: impl Iterator<Item = [u32; 3]>, at_rest: &[Vector]) -> (f64, f64) {
    let mut origin = None;
    let (mut volume, mut size) = (0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|p| at_rest[p as usize]);
        let origin = *origin.get_or_insert(a);
        let (a, b, c) = (a - origin, b - origin, c - origin);
        let part = a.dot(&b.cross(&c));
        volume += part;
        size += part.abs();
    }
    (volume, size)
}

fn is_flat(at_rest: &[Vector], corners: [u32; 4]) -> bool {
    let [p, q, r, s] = corners.map(|i| at_rest[i as usize]);
    let normal = (q - p).cross(&(r - p));
    let length = (s - p).norm();
    normal.dot(&(s - p)).abs() <= 0.05 * normal.norm() * length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_diagonals_of_a_flat_quadrilateral_are_on_the_skin() {
        let flat = [Vector::zeros(), Vector::x(), Vector::x() + Vector::y(), Vector::y()];
        assert!(is_flat(&flat, [0, 2, 1, 3]));
        let mut bent = flat;
        bent[3] = Vector::z();
        assert!(!is_flat(&bent, [0, 2, 1, 3]));
    }

    #[test]
    fn triangles_of_a_closed_surface_are_turned_outward() {
        let points = [Vector::zeros(), Vector::x(), Vector::y(), Vector::z()];
        // two of the four have the wrong orientation
        let mixed = [[0, 2, 1], [0, 3, 1], [0, 3, 2], [1, 3, 2]];
        let all = outward(&mixed, &sides(&mixed), &points).unwrap();
        let middle = Vector::repeat(0.25);
        for triangle in all {
            let [a, b, c] = triangle.map(|p| points[p as usize]);
            assert!((b - a).cross(&(c - a)).dot(&(a - middle)) > 0.0);
        }
        let open = &mixed[..3];
        assert!(outward(open, &sides(open), &points).is_none());
        let flat = [[0, 1, 2], [0, 2, 1]];
        assert!(outward(&flat, &sides(&flat), &points).is_none());
    }
}
