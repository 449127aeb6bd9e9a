//! Meshes refined once: every edge of an element is cut in its middle.

use super::{Geometry, Masses, Solid};
use crate::math::Vector;
use crate::registry::Problem;

/// The three inner diagonals of a tetrahedron's octahedron, each between the middles of two edges, with the middles of
/// the other edges in the order around it; edges are numbered as in [`edges_of`].
const DIAGONALS: [([usize; 2], [usize; 4]); 3] =
    [([0, 5], [1, 3, 4, 2]), ([1, 4], [0, 3, 5, 2]), ([2, 3], [1, 5, 4, 0])];

impl Geometry {
    /// The same geometry with eight tetrahedra in the place of each, four triangles, two segments: its own particles
    /// first, in their order, then one in the middle of every edge, [`Geometry::midpoints`]. The octahedron that the
    /// corners of a tetrahedron leave is cut along its shortest diagonal (\[zhang1995\]). Volumes of particles are those
    /// of the smaller elements around them, with the sum unchanged; springs, which belong to their mesh, are left out.
    ///
    /// # Errors
    /// More particles than can be numbered.
    pub fn refined(&self) -> Result<Geometry, Problem> {
        let own = self.positions.len();
        let mut edges: Vec<[u32; 2]> = Vec::new();
        edges.extend(self.tetrahedra.iter().flat_map(|t| edges_of(*t)));
        edges.extend(self.triangles.iter().flat_map(|t| sides_of(*t)));
        edges.extend(self.segments.iter().map(|s| sorted(*s)));
        edges.sort_unstable();
        edges.dedup();
        if u32::try_from(own + edges.len()).is_err() {
            return Err(super::too_large("shape", (own + edges.len()) as u128));
        }
        let middle = |of: [u32; 2]| {
            let found = edges.binary_search(&sorted(of));
            (own + found.expect("every edge is listed")) as u32
        };
        let with_middles = |of: &[Vector]| -> Vec<Vector> {
            let added = edges.iter().map(|[i, j]| (of[*i as usize] + of[*j as usize]) * 0.5);
            of.iter().copied().chain(added).collect()
        };
        let positions = with_middles(&self.positions);
        let eighths = |t: &[u32; 4]| eighths(*t, edges_of(*t).map(middle), &positions);
        let quarters = |t: &[u32; 3]| quarters(*t, sides_of(*t).map(middle));
        let halves = |[i, j]: &[u32; 2]| [[*i, middle([*i, *j])], [middle([*i, *j]), *j]];
        let mut refined = Geometry {
            velocities: match self.velocities.is_empty() {
                true => Vec::new(),
                false => with_middles(&self.velocities),
            },
            tetrahedra: self.tetrahedra.iter().flat_map(eighths).collect(),
            triangles: self.triangles.iter().flat_map(quarters).collect(),
            segments: self.segments.iter().flat_map(halves).collect(),
            midpoints: edges.clone(),
            remarks: self.remarks.clone(),
            ..Geometry::default()
        };
        refined.positions = positions;
        refined.masses = self.masses.spread(refined.shares());
        Ok(refined)
    }

    /// The volume of each particle \[m³\], or its share of the area or the length where there are no tetrahedra.
    fn shares(&self) -> Vec<f64> {
        let at = |i: u32| self.positions[i as usize];
        let mut shares = vec![0.0; self.positions.len()];
        let mut add = |corners: &[u32], size: f64| {
            let each = size / corners.len() as f64;
            corners.iter().for_each(|i| shares[*i as usize] += each);
        };
        if !self.tetrahedra.is_empty() {
            return Solid::of(self).volumes;
        }
        for t in &self.triangles {
            let [a, b, c] = t.map(at);
            add(t, 0.5 * (b - a).cross(&(c - a)).norm());
        }
        if self.triangles.is_empty() {
            self.segments.iter().for_each(|s| add(s, (at(s[1]) - at(s[0])).norm()));
        }
        shares
    }
}

impl Masses {
    /// The same in all, in these proportions.
    fn spread(&self, shares: Vec<f64>) -> Masses {
        let scaled = |total: f64| {
            let factor = total / shares.iter().sum::<f64>();
            shares.iter().map(|share| share * factor).collect()
        };
        match self {
            Masses::Given(list) => Masses::Given(scaled(list.iter().sum())),
            Masses::ByVolume(list) => Masses::ByVolume(scaled(list.iter().sum())),
            Masses::Even { volume: Some(volume) } => Masses::ByVolume(scaled(*volume)),
            Masses::Even { volume: None } | Masses::Unknown => Masses::ByVolume(shares),
        }
    }
}

fn sorted([i, j]: [u32; 2]) -> [u32; 2] {
    [i.min(j), i.max(j)]
}

/// The edges 01, 02, 03, 12, 13, 23 of a tetrahedron.
fn edges_of([a, b, c, d]: [u32; 4]) -> [[u32; 2]; 6] {
    [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]].map(sorted)
}

/// The edges 01, 12, 20 of a triangle.
fn sides_of([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(sorted)
}

/// Eight tetrahedra in one, by its corners and the middles of its edges: one at each corner, and four around the
/// shortest diagonal of the octahedron between them.
fn eighths(corners: [u32; 4], middles: [u32; 6], at: &[Vector]) -> [[u32; 4]; 8] {
    let [a, b, c, d] = corners;
    let [ab, ac, ad, bc, bd, cd] = middles;
    let length = |([from, to], _): &([usize; 2], [usize; 4])| {
        (at[middles[*to] as usize] - at[middles[*from] as usize]).norm_squared()
    };
    let shorter = |x, y| if length(&y) < length(&x) { y } else { x };
    let (ends, around) = DIAGONALS[1..].iter().copied().fold(DIAGONALS[0], shorter);
    let inner =
        |k: usize| [ends[0], ends[1], around[k], around[(k + 1) % 4]].map(|edge| middles[edge]);
    let [p, q, r, s] = [0, 1, 2, 3].map(inner);
    [[a, ab, ac, ad], [ab, b, bc, bd], [ac, bc, c, cd], [ad, bd, cd, d], p, q, r, s]
}

/// Four triangles in one, that face as it does, by its corners and the middles of its sides.
fn quarters([a, b, c]: [u32; 3], [ab, bc, ca]: [u32; 3]) -> [[u32; 3]; 4] {
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}
