//! Points in the plane, joined by triangles.

use crate::registry::Problem;
use spade::{DelaunayTriangulation, Point2, Triangulation};

/// The Delaunay triangulation of points in their given order. Edges and triangles begin with their
/// smallest number; triangles are counter-clockwise.
pub(super) struct Triangles {
    pub edges: Vec<[u32; 2]>,
    pub triangles: Vec<[u32; 3]>,
    /// The edges of the convex hull.
    pub rim: Vec<[u32; 2]>,
}

impl Triangles {
    /// Triangulates points \[x, y\].
    pub fn of(points: &[[f64; 2]]) -> Result<Self, Problem> {
        let count = points.len();
        let points = points.iter().map(|&[x, y]| Point2::new(x, y)).collect();
        let mesh = DelaunayTriangulation::<_>::bulk_load_stable(points).map_err(|error| {
            Problem::of(
                "count",
                format!("{count} particles cannot be joined by triangles: {error}"),
                "use another count",
            )
        })?;
        let edge = |ends: [usize; 2]| ends.map(|i| i as u32);
        let corners = |ends: [usize; 3]| turned(ends.map(|i| i as u32));
        Ok(Triangles {
            edges: mesh
                .undirected_edges()
                .map(|e| turned(edge(e.vertices().map(|v| v.fix().index()))))
                .collect(),
            triangles: mesh
                .inner_faces()
                .map(|f| corners(f.vertices().map(|v| v.fix().index())))
                .collect(),
            rim: mesh.convex_hull().map(|e| edge(e.vertices().map(|v| v.fix().index()))).collect(),
        })
    }
}

/// A triangle or edge rotated to begin with its smallest number, in the same sense.
fn turned<const N: usize>(mut corners: [u32; N]) -> [u32; N] {
    let least = (0..N).min_by_key(|&k| corners[k]).unwrap_or(0);
    corners.rotate_left(least);
    corners
}
