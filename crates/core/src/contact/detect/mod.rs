//! Detection between bodies: the particles, surfaces and edges near each other, their distances, and the
//! motion of the touched material. Geometry and kinematics only; no force is computed here.
//!
//! | kind | first side | second side |
//! |---|---|---|
//! | `Points` | loose particle | loose particle |
//! | `Surface` | particle of a surface, a rope, or loose | the closest triangle of a body's surface |
//! | `Edges` | rope segment or mesh edge | rope segment or mesh edge |
//! | `Line` | loose particle | the closest segment of a body's rope |
//!
//! A particle of a body without triangles, and on none of its segments, is loose. A surface is closed if
//! every edge has two triangles that run through it in opposite directions: distance to it is signed, and
//! points inside are found down to a depth of one mean edge length. Distance to an open surface, and to a
//! body's own surface, is unsigned: the side of a particle is not remembered.
//!
//! In a two-dimensional scene the sheets of two bodies cannot pass beside each other, and a
//! particle in the other's sheet has distance zero: give such bodies the segments of their
//! [`boundary`] instead of triangles.
//!
//! [`Detector::for_each`] visits in the order of [`ContactKey`] and gives bit for bit the result of
//! [`Detector::brute_force`] while [`Detector::still_valid`] holds: a proximity depends on positions
//! alone, not on threads, candidates or earlier states.

pub mod closest;
mod edges;
mod grid;
pub mod kinematics;
mod points;
pub mod proximity;
mod refresh;
mod surface;
#[cfg(test)]
mod tests;
mod threads;
mod topology;

pub use proximity::Proximity;
pub use topology::boundary;

use crate::math::{Vector, larger};
use crate::state::memory::{Candidates, ContactKey, ContactKind};
use std::ops::Range;
use threads::Lists;
use topology::{Edge, NONE, Triangles};

/// Pairs within a body nearer than this many contact distances at t = 0 never touch.
const NEIGHBOURS: f64 = 1.5;

/// A distance below this many edge lengths has no usable direction: places are rounded by 1e-16 of their size,
/// which turns the direction of a distance of 1e-12 by 1e-4 rad.
const TOUCHING: f64 = 1e-12;

/// A body's input to contact detection.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyOutline<'a> {
    /// Its particles, numbered as in the model.
    pub particles: Range<usize>,
    /// Surface triangles, outward, in the model's numbers; empty for none.
    pub triangles: &'a [[u32; 3]],
    /// Rope segments in the model's numbers; empty for none.
    pub segments: &'a [[u32; 2]],
    /// Contact radius \[m\] of each of its particles.
    pub radii: &'a [f64],
    /// Position at t = 0 \[m\] of each of its particles.
    pub reference: &'a [Vector],
}

/// The detector's data of a body.
#[derive(Debug, Clone, PartialEq)]
struct DetectorBody {
    triangles: Range<u32>,
    segments: Range<u32>,
    closed: bool,
    /// largest radius of its exposed particles \[m\]
    radius: f64,
    /// depth down to which points inside are found \[m\]; zero unless closed
    reach: f64,
}

/// Finds all proximities between bodies, and within them.
#[derive(Debug, Clone, PartialEq)]
pub struct Detector {
    bodies: Vec<DetectorBody>,
    body_of: Vec<u32>,
    radii: Vec<f64>,
    reference: Vec<Vector>,
    /// particles of bodies without surface that are on no segment
    loose: Vec<u32>,
    /// particles tested against surfaces
    exposed: Vec<u32>,
    triangles: Triangles,
    edges: Vec<Edge>,
    self_contact: bool,
    between: bool,
    skin: f64,
}

impl Detector {
    /// Whether pairs of different bodies are looked for.
    pub fn looks_between(&self) -> bool {
        self.between
    }

    /// A detector for bodies in scene order; `self_contact` turns on pairs within a body, `between`
    /// pairs of different bodies. The skin is the smaller of a quarter of the mean length of edges and
    /// segments and half the mean radius of loose particles.
    pub fn new(bodies: &[BodyOutline], self_contact: bool, between: bool) -> Self {
        let particles = bodies.iter().map(|b| b.particles.end).max().unwrap_or(0);
        let mut detector = Detector {
            bodies: Vec::with_capacity(bodies.len()),
            body_of: vec![NONE; particles],
            radii: vec![0.0; particles],
            reference: vec![Vector::zeros(); particles],
            loose: Vec::new(),
            exposed: Vec::new(),
            triangles: Triangles::default(),
            edges: Vec::new(),
            self_contact,
            between,
            skin: 0.0,
        };
        for (number, outline) in bodies.iter().enumerate() {
            detector.add(number as u32, outline);
        }
        detector.loose.sort_unstable();
        detector.exposed.sort_unstable();
        detector.triangles.finish(particles);
        detector.skin = detector.suggested_skin();
        detector
    }

    fn add(&mut self, number: u32, outline: &BodyOutline) {
        let range = outline.particles.clone();
        self.body_of[range.clone()].fill(number);
        self.radii[range.clone()].copy_from_slice(outline.radii);
        self.reference[range.clone()].copy_from_slice(outline.reference);

        let first = self.triangles.corners.len() as u32;
        let (closed, mesh_edges) = self.triangles.add(number, outline);
        let segment = self.edges.len() as u32;
        let rope =
            |ends: &[u32; 2]| Edge { ends: *ends, body: number, rope: true, sides: [NONE; 2] };
        self.edges.extend(outline.segments.iter().map(rope));
        let segments = segment..self.edges.len() as u32;
        self.edges.extend(mesh_edges);

        let corners = outline.triangles.iter().flatten();
        let mut exposed: Vec<u32> =
            corners.chain(outline.segments.iter().flatten()).copied().collect();
        exposed.sort_unstable();
        exposed.dedup();
        if outline.triangles.is_empty() {
            let joined = |i: &u32| exposed.binary_search(i).is_ok();
            self.loose.extend(range.clone().map(|i| i as u32).filter(|i| !joined(i)));
            exposed = range.map(|i| i as u32).collect();
        }
        let radius = exposed.iter().fold(0.0, |r, i| larger(r, self.radii[*i as usize]));
        self.exposed.extend_from_slice(&exposed);
        let triangles = first..self.triangles.corners.len() as u32;
        let reach = if closed { self.mean_edge(triangles.clone()) } else { 0.0 };
        self.bodies.push(DetectorBody { triangles, segments, closed, radius, reach });
    }

    /// Mean length at t = 0 of the edges of some triangles \[m\]; 0 for none.
    fn mean_edge(&self, triangles: Range<u32>) -> f64 {
        let count = 3 * triangles.len();
        let mut sum = 0.0;
        for t in triangles {
            let [a, b, c] = self.triangles.places(t, &self.reference);
            sum += (b - a).norm() + (c - b).norm() + (a - c).norm();
        }
        if count == 0 { 0.0 } else { sum / count as f64 }
    }

    /// Mean length at t = 0 of the edges of all triangles \[m\]; 0 for none.
    pub fn edge(&self) -> f64 {
        self.mean_edge(0..self.triangles.corners.len() as u32)
    }

    fn suggested_skin(&self) -> f64 {
        let ropes: Vec<&Edge> = self.edges.iter().filter(|e| e.rope).collect();
        let segments: f64 = ropes
            .iter()
            .map(|e| e.ends.map(|i| self.reference[i as usize]))
            .map(|[a, b]| (b - a).norm())
            .sum();
        let triangles = self.triangles.corners.len();
        let sides = self.mean_edge(0..triangles as u32) * (3 * triangles) as f64;
        let edges = (segments + sides) / (ropes.len() + 3 * triangles) as f64;
        let radii: f64 = self.loose.iter().map(|i| self.radii[*i as usize]).sum();
        let radius = radii / self.loose.len() as f64;
        // the mean of no radii is NaN and drops out here
        match (edges > 0.0, radius > 0.0) {
            (true, true) if 0.5 * radius < 0.25 * edges => 0.5 * radius,
            (true, _) => 0.25 * edges,
            (false, true) => 0.5 * radius,
            (false, false) => 1.0,
        }
    }

    /// The skin \[m\]: candidates are valid until a particle has moved by half of it against a translation of all.
    pub fn skin(&self) -> f64 {
        self.skin
    }

    /// Whether the candidates contain all pairs with a gap below `range` \[m\] at `positions`: they
    /// were searched that far, and no particle has moved by half the skin, but for a translation of all. Exact
    /// but for rounding, since the distance of two points on bodies changes by no more than the sum of the two
    /// largest displacements, and a translation of both changes no distance.
    pub fn still_valid(&self, candidates: &Candidates, positions: &[Vector], range: f64) -> bool {
        let all = 0..positions.len();
        range <= candidates.range
            && candidates.positions.len() == positions.len()
            && (candidates.hold(all.clone(), positions, Vector::zeros())
                || candidates.hold(all, positions, candidates.translation(positions)))
    }

    /// Calls `visit` for every pair with a gap below `range` \[m\], in the order of keys. Allocates
    /// nothing. The candidates must be valid at `positions` for that range.
    pub fn for_each(
        &self,
        candidates: &Candidates,
        positions: &[Vector],
        range: f64,
        visit: impl FnMut(&Proximity),
    ) {
        self.for_each_of(&Lists::of(candidates), positions, range, visit);
    }

    fn for_each_of(
        &self,
        lists: &Lists,
        positions: &[Vector],
        range: f64,
        mut visit: impl FnMut(&Proximity),
    ) {
        let mut report = |found: Option<Proximity>| {
            if let Some(proximity) = found {
                visit(&proximity);
            }
        };
        for &[i, j] in lists.points {
            report(self.near_points(i, j, positions, range));
        }
        for group in lists.surfaces.chunk_by(|p, q| self.share_surface(p, q)) {
            let body = self.triangles.bodies[group[0][1] as usize];
            let triangles = group.iter().map(|pair| pair[1]);
            report(self.near_surface(group[0][0], body, triangles, positions, range));
        }
        for &[e, f] in lists.edges {
            report(self.near_edges(e, f, positions, range));
        }
        for group in lists.lines.chunk_by(|p, q| self.share_rope(p, q)) {
            let body = self.edges[group[0][1] as usize].body;
            let segments = group.iter().map(|pair| pair[1]);
            report(self.near_line(group[0][0], body, segments, positions, range));
        }
    }

    /// Whether two pairs of a particle and a triangle have particle and body in common.
    fn share_surface(&self, p: &[u32; 2], q: &[u32; 2]) -> bool {
        let body = |pair: &[u32; 2]| self.triangles.bodies[pair[1] as usize];
        p[0] == q[0] && body(p) == body(q)
    }

    /// Whether two pairs of a particle and a segment have particle and body in common.
    fn share_rope(&self, p: &[u32; 2], q: &[u32; 2]) -> bool {
        let body = |pair: &[u32; 2]| self.edges[pair[1] as usize].body;
        p[0] == q[0] && body(p) == body(q)
    }

    /// The result of [`Detector::for_each`] by testing every pair: the oracle of tests.
    pub fn brute_force(&self, positions: &[Vector], range: f64, mut visit: impl FnMut(&Proximity)) {
        let mut report = |found: Option<Proximity>| {
            if let Some(proximity) = found {
                visit(&proximity);
            }
        };
        for (n, &i) in self.loose.iter().enumerate() {
            for &j in self.loose[n + 1..].iter().filter(|j| self.points_may_meet(i, **j)) {
                report(self.near_points(i, j, positions, range));
            }
        }
        for &i in &self.exposed {
            for (b, body) in self.bodies.iter().enumerate() {
                let triangles = body.triangles.clone().filter(|t| self.triangle_may_meet(i, *t));
                report(self.near_surface(i, b as u32, triangles, positions, range));
            }
        }
        for e in 0..self.edges.len() as u32 {
            for f in (e + 1..self.edges.len() as u32).filter(|f| self.edges_may_meet(e, *f)) {
                report(self.near_edges(e, f, positions, range));
            }
        }
        for &i in &self.loose {
            for (b, body) in self.bodies.iter().enumerate() {
                let segments = body.segments.clone().filter(|s| self.line_may_meet(i, *s));
                report(self.near_line(i, b as u32, segments, positions, range));
            }
        }
    }

    /// The depth beyond which the side of a proximity may be mistaken \[m\]: nine tenths of the contact
    /// distance where distance is unsigned; for a closed surface the contact distance plus half the
    /// depth down to which points are found.
    pub fn deepest(&self, proximity: &Proximity) -> f64 {
        let apart = proximity.contact_distance;
        let ContactKey { kind, a, b } = proximity.key;
        match self.bodies.get(b as usize) {
            Some(body)
                if kind == ContactKind::Surface && body.closed && self.body_of[a as usize] != b =>
            {
                apart + 0.5 * body.reach
            }
            _ => 0.9 * apart,
        }
    }

    /// Whether pairs of these bodies, or within one, are candidates at all.
    fn may_meet(&self, a: u32, b: u32) -> bool {
        if a == b { self.self_contact } else { self.between }
    }

    fn radius(&self, i: u32) -> f64 {
        self.radii[i as usize]
    }
}

impl Candidates {
    /// Whether none of these particles has moved by half the skin against a translation \[m\] of all.
    fn hold(&self, particles: Range<usize>, positions: &[Vector], translation: Vector) -> bool {
        let half = 0.5 * self.skin;
        let near = |(p, q): (&Vector, &Vector)| (q - p - translation).norm_squared() < half * half;
        self.positions[particles.clone()].iter().zip(&positions[particles]).all(near)
    }

    /// The mean displacement of all particles since the search \[m\].
    fn translation(&self, positions: &[Vector]) -> Vector {
        let moved = self.positions.iter().zip(positions).map(|(from, to)| to - from);
        moved.sum::<Vector>() / positions.len() as f64
    }
}
