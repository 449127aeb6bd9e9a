//! Properties that deformation does not change: the triangles at each edge and corner, closed surfaces,
//! sharp edges, adjacent segments.

use super::BodyOutline;
use super::closest::{Feature, unit};
use crate::math::{PI, Vector, atan2, cos};

/// No such triangle, edge or body.
pub const NONE: u32 = u32::MAX;

/// An edge of a closed surface is sharp if the normals of its faces at t = 0 differ by more than
/// this angle \[rad\].
const SHARP: f64 = 20.0 * PI / 180.0;

/// All surface triangles, body after body.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triangles {
    /// Corners, in the order that gives the outward normal.
    pub corners: Vec<[u32; 3]>,
    /// Body of each triangle.
    pub bodies: Vec<u32>,
    /// Neighbour across the edge from corner k to k + 1; [`NONE`] at a boundary.
    across: Vec<[u32; 3]>,
    /// Triangles around each particle: `around[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    around: Vec<u32>,
}

/// A rope segment or a mesh edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its ends.
    pub ends: [u32; 2],
    /// Its body.
    pub body: u32,
    /// Whether it is a rope segment.
    pub rope: bool,
    /// The two triangles that meet in an edge of a closed surface, else [`NONE`].
    pub sides: [u32; 2],
}

impl Edge {
    /// Positions of its ends \[m\].
    #[inline]
    pub fn places(&self, positions: &[Vector]) -> [Vector; 2] {
        // written out, as `array::map` is not inlined in the innermost loops
        [positions[self.ends[0] as usize], positions[self.ends[1] as usize]]
    }
}

/// An edge of a triangle: smaller end, larger end, triangle, place (0 to 2) in the triangle.
type EdgeSide = (u32, u32, u32, usize);

impl Triangles {
    /// Appends the triangles of a body. Returns whether its surface is closed, and its mesh edges that
    /// can touch other edges, sorted by their ends.
    pub fn add(&mut self, number: u32, body: &BodyOutline) -> (bool, Vec<Edge>) {
        let first = self.corners.len() as u32;
        self.corners.extend_from_slice(body.triangles);
        self.bodies.resize(self.corners.len(), number);
        self.across.resize(self.corners.len(), [NONE; 3]);
        let sides = sorted_sides(body.triangles, first);
        let groups = || sides.chunk_by(|s, t| (s.0, s.1) == (t.0, t.1));
        let closed = !sides.is_empty() && groups().all(|group| self.is_closed(group));
        let mut edges = Vec::new();
        for group in groups() {
            if let [s, t] = *group {
                self.across[s.2 as usize][s.3] = t.2;
                self.across[t.2 as usize][t.3] = s.2;
            }
            let faces = if closed { [group[0].2, group[1].2] } else { [NONE; 2] };
            if !closed || self.is_sharp(faces, body) {
                let ends = [group[0].0, group[0].1];
                edges.push(Edge { ends, body: number, rope: false, sides: faces });
            }
        }
        (closed, edges)
    }

    /// Whether exactly two triangles meet in an edge and run through it in opposite directions.
    fn is_closed(&self, group: &[EdgeSide]) -> bool {
        let forward = |s: &EdgeSide| self.corners[s.2 as usize][s.3] == s.0;
        matches!(group, [s, t] if forward(s) != forward(t))
    }

    fn is_sharp(&self, faces: [u32; 2], body: &BodyOutline) -> bool {
        let start = body.particles.start;
        let at_rest = |i: u32| body.reference[i as usize - start];
        let [m, n] = faces.map(|t| unit(across(self.corners[t as usize].map(at_rest))));
        match (m, n) {
            (Some(m), Some(n)) => m.dot(&n) < cos(SHARP),
            _ => false,
        }
    }

    /// Lists the triangles around every particle; to be called once all bodies are added.
    pub fn finish(&mut self, particles: usize) {
        let corners = self.corners.iter().flatten().map(|i| *i as usize);
        (self.starts, self.around) = grouped(particles, corners, 3);
    }

    /// Triangles around a particle, ascending.
    pub fn around(&self, particle: u32) -> &[u32] {
        group(&self.starts, &self.around, particle)
    }

    /// Corner positions of a triangle \[m\].
    #[inline]
    pub fn places(&self, triangle: u32, positions: &[Vector]) -> [Vector; 3] {
        let [a, b, c] = self.corners[triangle as usize];
        [positions[a as usize], positions[b as usize], positions[c as usize]]
    }

    /// Outward normal of a triangle, of length twice its area \[m²\].
    pub fn across(&self, triangle: u32, positions: &[Vector]) -> Vector {
        across(self.places(triangle, positions))
    }

    /// Pseudo-normal of a feature of a triangle: of a face its normal, of an edge the sum of the
    /// normals of its two faces, of a corner the sum of the normals of all faces weighted by their
    /// angles. Not of unit length.
    ///
    /// At the closest point of a closed surface of any shape, the offset to a point outside has a
    /// positive component along the pseudo-normal (Bærentzen and Aanæs, IEEE TVCG 11 (2005) 243).
    pub(crate) fn pseudo_normal(&self, triangle: u32, feature: Feature, x: &[Vector]) -> Vector {
        let normal = |t: u32| unit(self.across(t, x)).unwrap_or_else(Vector::zeros);
        match feature {
            Feature::Face => normal(triangle),
            Feature::Edge(k) => match self.across[triangle as usize][k] {
                NONE => normal(triangle),
                other => normal(triangle) + normal(other),
            },
            Feature::Corner(k) => {
                let corner = self.corners[triangle as usize][k];
                let mut sum = Vector::zeros();
                for &t in self.around(corner) {
                    sum += normal(t) * self.angle(t, corner, x);
                }
                sum
            }
        }
    }

    /// Angle of a triangle at one of its corners \[rad\].
    fn angle(&self, triangle: u32, corner: u32, x: &[Vector]) -> f64 {
        let [a, b, c] = self.corners[triangle as usize];
        let (next, last) = match corner {
            _ if corner == a => (b, c),
            _ if corner == b => (c, a),
            _ => (a, b),
        };
        let origin = x[corner as usize];
        let (u, v) = (x[next as usize] - origin, x[last as usize] - origin);
        atan2(u.cross(&v).norm(), u.dot(&v))
    }
}

/// The edges that belong to one triangle only, sorted: the outline of a sheet.
pub fn boundary(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = sorted_sides(triangles, 0);
    let groups = sides.chunk_by(|s, t| (s.0, s.1) == (t.0, t.1));
    groups.filter(|group| group.len() == 1).map(|group| [group[0].0, group[0].1]).collect()
}

/// (b − a) × (c − a).
pub fn across([a, b, c]: [Vector; 3]) -> Vector {
    (b - a).cross(&(c - a))
}

/// The edges of all triangles, equal ones adjacent.
fn sorted_sides(triangles: &[[u32; 3]], first: u32) -> Vec<EdgeSide> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (number, corners) in (first..).zip(triangles) {
        for k in 0..3 {
            let (i, j) = (corners[k], corners[(k + 1) % 3]);
            let (low, high) = if i < j { (i, j) } else { (j, i) };
            sides.push((low, high, number, k));
        }
    }
    sides.sort_unstable();
    sides
}

/// For each value below `count`, the elements that have it, ascending. `values` holds `per` values
/// of element 0, then `per` of element 1, and so on.
pub fn grouped(
    count: usize,
    values: impl Iterator<Item = usize> + Clone,
    per: usize,
) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; count + 1];
    for value in values.clone() {
        starts[value + 1] += 1;
    }
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut members = vec![0u32; starts[count] as usize];
    for (place, value) in values.enumerate() {
        members[next[value] as usize] = (place / per) as u32;
        next[value] += 1;
    }
    (starts, members)
}

/// One list of [`grouped`].
pub fn group<'a>(starts: &[u32], members: &'a [u32], i: u32) -> &'a [u32] {
    &members[starts[i as usize] as usize..starts[i as usize + 1] as usize]
}
