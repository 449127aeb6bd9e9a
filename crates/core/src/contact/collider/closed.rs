//! Whether triangles bound a solid: two triangles at every edge, all facing outward.

use crate::math::{Vector, larger};
use crate::registry::Problem;

/// The reason why triangles bound no solid. Vertices and triangles count from 0, in the order given to
/// [`check`]; edges are named by their two vertices.
#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceFault {
    /// There are no triangles.
    Empty,
    /// A corner of a triangle is not a vertex.
    Unknown {
        /// The triangle.
        triangle: usize,
        /// The corner.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle uses a vertex twice.
    Folded {
        /// The triangle.
        triangle: usize,
    },
    /// The area of a triangle is zero but for rounding.
    Thin {
        /// The triangle.
        triangle: usize,
        /// Its area \[m²\].
        area: f64,
    },
    /// Triangles with the same corners.
    Repeated {
        /// The first repeated triangle.
        triangle: usize,
        /// The triangle it repeats.
        of: usize,
        /// Number of repeated triangles.
        number: usize,
    },
    /// Edges that belong to one triangle only.
    Open(FaultyEdges),
    /// Edges that belong to more than two triangles.
    Crowded(FaultyEdges),
    /// Edges in which both triangles run the same way.
    Turned(FaultyEdges),
    /// All triangles face inward.
    InsideOut {
        /// Number of triangles.
        triangles: usize,
        /// The volume \[m³\], not above zero.
        volume: f64,
    },
}

/// Edges with one fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultyEdges {
    /// Number of edges.
    pub number: usize,
    /// Ends of the first of them.
    pub ends: [u32; 2],
    /// The last triangle at that edge.
    pub triangle: usize,
}

/// Names of vertices and triangles: those of a file are numbered as in the file.
pub trait Naming {
    /// The name of a vertex, with its position.
    fn vertex(&self, vertex: u32) -> String;
    /// The name of a triangle.
    fn triangle(&self, triangle: usize) -> String;
}

/// Names by numbers, both counted from 0.
pub struct Counted<'a>(pub &'a [Vector]);

impl Naming for Counted<'_> {
    fn vertex(&self, vertex: u32) -> String {
        named_vertex(u64::from(vertex), self.0[vertex as usize])
    }

    fn triangle(&self, triangle: usize) -> String {
        format!("triangle {triangle}")
    }
}

/// `vertex 3 (0.1, 0, 2)`, coordinates to eight digits.
pub fn named_vertex(number: u64, at: Vector) -> String {
    let short = |x: f64| format!("{x:.7e}").parse().unwrap_or(x);
    let [x, y, z] = [at.x, at.y, at.z].map(short);
    format!("vertex {number} ({x}, {y}, {z})")
}

/// Refuses triangles that do not bound a solid; `vertices` in \[m\].
pub fn check(vertices: &[Vector], triangles: &[[usize; 3]]) -> Result<(), SurfaceFault> {
    let triangles = numbered(vertices.len(), triangles)?;
    areas(vertices, &triangles)?;
    repeats(&triangles)?;
    edges(&triangles)?;
    let (volume, _) = volume_and_centroid(vertices, &triangles);
    if volume <= 0.0 {
        return Err(SurfaceFault::InsideOut { triangles: triangles.len(), volume });
    }
    Ok(())
}

/// The triangles in 32-bit numbers, each with three different existing corners.
pub(super) fn numbered(
    vertices: usize,
    triangles: &[[usize; 3]],
) -> Result<Vec<[u32; 3]>, SurfaceFault> {
    if triangles.is_empty() {
        return Err(SurfaceFault::Empty);
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&i| i >= vertices || i > u32::MAX as usize) {
            return Err(SurfaceFault::Unknown { triangle, vertex, vertices });
        }
        let [a, b, c] = corners;
        if a == b || b == c || c == a {
            return Err(SurfaceFault::Folded { triangle });
        }
    }
    Ok(triangles.iter().map(|corners| corners.map(|i| i as u32)).collect())
}

/// Every triangle must have a normal.
pub(super) fn areas(vertices: &[Vector], triangles: &[[u32; 3]]) -> Result<(), SurfaceFault> {
    for (triangle, corners) in triangles.iter().enumerate() {
        let [a, b, c] = corners.map(|i| vertices[i as usize]);
        let sides = [(b - a).norm(), (c - b).norm(), (a - c).norm()];
        let longest = sides.into_iter().fold(0.0, larger);
        let doubled = (b - a).cross(&(c - a)).norm();
        if !doubled.is_normal() || doubled <= 1e-12 * longest * longest {
            return Err(SurfaceFault::Thin { triangle, area: 0.5 * doubled });
        }
    }
    Ok(())
}

/// No triangle may occur twice, in any order of its corners.
fn repeats(triangles: &[[u32; 3]]) -> Result<(), SurfaceFault> {
    let mut sorted: Vec<([u32; 3], usize)> = triangles.iter().copied().zip(0..).collect();
    sorted.iter_mut().for_each(|(corners, _)| corners.sort_unstable());
    sorted.sort_unstable();
    let twice = sorted.windows(2).filter(|two| two[0].0 == two[1].0);
    let repeated: Vec<(usize, usize)> = twice.map(|two| (two[1].1, two[0].1)).collect();
    match repeated.iter().min() {
        Some(&(triangle, of)) => {
            Err(SurfaceFault::Repeated { triangle, of, number: repeated.len() })
        }
        None => Ok(()),
    }
}

/// Every edge must belong to two triangles that run along it in opposite directions.
fn edges(triangles: &[[u32; 3]]) -> Result<(), SurfaceFault> {
    let mut edges: Vec<(u32, u32, bool, usize)> = Vec::with_capacity(3 * triangles.len());
    for (triangle, [a, b, c]) in triangles.iter().enumerate() {
        for (i, j) in [(*a, *b), (*b, *c), (*c, *a)] {
            edges.push((i.min(j), i.max(j), i < j, triangle));
        }
    }
    edges.sort_unstable();
    let [mut open, mut crowded, mut turned] = [None::<FaultyEdges>; 3];
    for same in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let kind = match same {
            [_] => &mut open,
            [one, other] if one.2 == other.2 => &mut turned,
            [_, _] => continue,
            _ => &mut crowded,
        };
        let triangle = same.iter().map(|edge| edge.3).max().unwrap_or(0);
        let first = FaultyEdges { number: 0, ends: [same[0].0, same[0].1], triangle };
        kind.get_or_insert(first).number += 1;
    }
    match (open, crowded, turned) {
        (Some(edges), _, _) => Err(SurfaceFault::Open(edges)),
        (_, Some(edges), _) => Err(SurfaceFault::Crowded(edges)),
        (_, _, Some(edges)) => Err(SurfaceFault::Turned(edges)),
        _ => Ok(()),
    }
}

/// Volume V = Σ a·(b×c)/6 \[m³\] and centroid Σ (a+b+c)/4 · a·(b×c)/6 / V \[m\], summed over the
/// signed tetrahedra between each triangle and the first vertex, from which a, b and c are
/// measured.
pub(super) fn volume_and_centroid(vertices: &[Vector], triangles: &[[u32; 3]]) -> (f64, Vector) {
    let origin = vertices[triangles[0][0] as usize];
    let (mut volume, mut moment) = (0.0, Vector::zeros());
    for corners in triangles {
        let [a, b, c] = corners.map(|i| vertices[i as usize] - origin);
        let part = a.dot(&b.cross(&c)) / 6.0;
        volume += part;
        moment += (a + b + c) * (0.25 * part);
    }
    (volume, origin + moment / volume)
}

impl SurfaceFault {
    /// The faulty triangle; none where all are at fault.
    pub fn triangle(&self) -> Option<usize> {
        match self {
            SurfaceFault::Empty | SurfaceFault::InsideOut { .. } => None,
            SurfaceFault::Unknown { triangle, .. }
            | SurfaceFault::Folded { triangle }
            | SurfaceFault::Thin { triangle, .. }
            | SurfaceFault::Repeated { triangle, .. } => Some(*triangle),
            SurfaceFault::Open(edges)
            | SurfaceFault::Crowded(edges)
            | SurfaceFault::Turned(edges) => Some(edges.triangle),
        }
    }

    /// The fault and the remedy in words.
    pub fn problem(&self, naming: &dyn Naming) -> Problem {
        Problem::of("triangles", self.message(naming), self.remedy())
    }

    fn message(&self, naming: &dyn Naming) -> String {
        match self {
            SurfaceFault::Empty => "the mesh has no triangles".to_string(),
            SurfaceFault::Unknown { triangle, vertex, vertices } => format!(
                "{} uses vertex {vertex}, but there are only {vertices} vertices",
                naming.triangle(*triangle)
            ),
            SurfaceFault::Folded { triangle } => format!(
                "{} is degenerate: it uses the same vertex twice",
                naming.triangle(*triangle)
            ),
            SurfaceFault::Thin { triangle, area } => {
                format!("{} is degenerate: its area is {area:e} m²", naming.triangle(*triangle))
            }
            SurfaceFault::Repeated { triangle, of, number } => {
                let [triangle, of] = [triangle, of].map(|t| naming.triangle(*t));
                let number = match number {
                    1 => "1 triangle is".to_string(),
                    n => format!("{n} triangles are"),
                };
                format!("{number} there twice, the first one {triangle}, with the vertices of {of}")
            }
            SurfaceFault::Open(open) => format!(
                "the surface is not closed: {} to one triangle only, {}",
                open.counted("belongs", "belong"),
                open.first(naming)
            ),
            SurfaceFault::Crowded(crowded) => format!(
                "the surface is not manifold: {} to more than two triangles, {}",
                crowded.counted("belongs", "belong"),
                crowded.first(naming)
            ),
            SurfaceFault::Turned(turned) => format!(
                "the triangles are not oriented consistently: {} run along in the same direction by both triangles, {}",
                turned.counted("is", "are"),
                turned.first(naming)
            ),
            SurfaceFault::InsideOut { triangles, volume } => format!(
                "the surface is inside out: all {triangles} triangles face inward, the volume is {volume:e} m³"
            ),
        }
    }

    fn remedy(&self) -> &'static str {
        match self {
            SurfaceFault::Empty => "a closed surface has at least four",
            SurfaceFault::Unknown { .. } => "vertices count from 0",
            SurfaceFault::Folded { .. } => "leave such triangles out",
            SurfaceFault::Thin { .. } => {
                "remove degenerate triangles in the mesh program, or choose another scale"
            }
            SurfaceFault::Repeated { .. } => "remove duplicate triangles in the mesh program",
            SurfaceFault::Open(_) => {
                "close its holes in the mesh program, and join vertices that lie in the same place; for open ground use a `heightfield`"
            }
            SurfaceFault::Crowded(_) => {
                "remove duplicate triangles and fins in the mesh program; solids that touch along an edge become a collider each"
            }
            SurfaceFault::Turned(_) => {
                "let the mesh program recalculate the normals, so that all face outward"
            }
            SurfaceFault::InsideOut { .. } => {
                "reverse the corners of every triangle (flip the normals in the mesh program); a container too is drawn facing outward, and hollowed by inside = true"
            }
        }
    }
}

impl FaultyEdges {
    /// Their number, with the verb that follows it.
    fn counted(&self, one: &str, many: &str) -> String {
        match self.number {
            1 => format!("1 edge {one}"),
            n => format!("{n} edges {many}"),
        }
    }

    /// Where the first of them is.
    fn first(&self, naming: &dyn Naming) -> String {
        let [from, to] = self.ends.map(|end| naming.vertex(end));
        format!("the first from {from} to {to}, at {}", naming.triangle(self.triangle))
    }
}
