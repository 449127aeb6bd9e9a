//! Triangulated surfaces: nearest point, distance and normal. Only this file uses parry; its tree of
//! boxes finds the nearest triangle.

use super::Gap;
use crate::math::Vector;
use crate::registry::Problem;
use parry3d_f64::math::Vector as ParryVector;
use parry3d_f64::query::{PointQueryWithLocation, Ray, RayCast};
use parry3d_f64::shape::{TriMesh, TriMeshFlags, TrianglePointLocation};

/// A surface of triangles that are counter-clockwise seen from outside.
///
/// Normals at edges and corners are pseudo-normals: the sum of the unit normals of the adjacent
/// triangles, at a corner weighted by their angles. A point is outside where its offset from the nearest
/// point has a positive component along the pseudo-normal \[baerentzen2005\]. On the surface itself the
/// pseudo-normal is the normal.
pub(crate) struct Surface {
    mesh: TriMesh,
    /// Unit normals of the triangles.
    normals: Vec<Vector>,
}

/// How it is decided whether a point is in the solid.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    /// By the pseudo-normal; for closed surfaces.
    Oriented,
    /// Given: whether the point is in the solid.
    Known(bool),
}

/// Whether this build has triangulated surfaces: yes.
pub(super) fn available() -> Result<(), Problem> {
    Ok(())
}

fn to_parry(v: Vector) -> ParryVector {
    ParryVector::new(v.x, v.y, v.z)
}

fn from_parry(v: ParryVector) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

impl Surface {
    /// The surface of triangles with corners among the vertices; none without triangles, or if one
    /// has no area.
    pub fn new(vertices: &[Vector], triangles: Vec<[u32; 3]>) -> Option<Self> {
        let normals: Vec<Vector> = triangles
            .iter()
            .map(|corners| {
                let [a, b, c] = corners.map(|i| vertices[i as usize]);
                (b - a).cross(&(c - a)).try_normalize(0.0)
            })
            .collect::<Option<_>>()?;
        let points = vertices.iter().copied().map(to_parry).collect();
        let mesh = TriMesh::with_flags(points, triangles, TriMeshFlags::ORIENTED).ok()?;
        Some(Surface { mesh, normals })
    }

    /// Signed distance and normal at `p` \[m\].
    ///
    /// If a face is nearest, the distance is measured along its normal, which stays exact while `p`
    /// passes through the surface; at edges and corners it is the distance of the nearest point.
    pub fn gap(&self, p: Vector, side: Side) -> Gap {
        let (nearest, (triangle, location)) =
            self.mesh.project_local_point_and_get_location(to_parry(p), false);
        let apart = p - from_parry(nearest.point);
        let face = self.normals[triangle as usize];
        let pseudo_normal = match location {
            TrianglePointLocation::OnFace(..) | TrianglePointLocation::OnSolid => {
                let [corner, ..] = self.corners(triangle);
                return Gap { distance: (p - corner).dot(&face), normal: face };
            }
            TrianglePointLocation::OnEdge(edge, _) => self
                .mesh
                .pseudo_normals()
                .and_then(|all| all.edges_pseudo_normal.get(triangle as usize))
                .map_or(face, |edges| from_parry(edges[edge as usize])),
            TrianglePointLocation::OnVertex(corner) => {
                let vertex = self.mesh.indices()[triangle as usize][corner as usize];
                self.mesh
                    .pseudo_normals()
                    .and_then(|all| all.vertices_pseudo_normal.get(vertex as usize))
                    .map_or(face, |normal| from_parry(*normal))
            }
        };
        let inside = match side {
            Side::Oriented => apart.dot(&pseudo_normal) < 0.0,
            Side::Known(inside) => inside,
        };
        let sign = if inside { -1.0 } else { 1.0 };
        let distance = apart.norm();
        // nearer to the edge the direction of the offset is rounding
        let normal = if distance > 1e-14 * (1.0 + p.amax()) {
            apart * (sign / distance)
        } else {
            pseudo_normal.try_normalize(1e-9).unwrap_or(face)
        };
        Gap { distance: sign * distance, normal }
    }

    /// The first crossing of the way from one point to another: the share of the way, and the unit normal there.
    pub fn crossing(&self, from: Vector, to: Vector) -> Option<(f64, Vector)> {
        let ray = Ray::new(to_parry(from), to_parry(to - from));
        let hit = self.mesh.cast_local_ray_and_get_normal(&ray, 1.0, false)?;
        Some((hit.time_of_impact, from_parry(hit.normal)))
    }

    /// Corners of a triangle \[m\].
    fn corners(&self, triangle: u32) -> [Vector; 3] {
        let vertices = self.mesh.vertices();
        self.mesh.indices()[triangle as usize].map(|i| from_parry(vertices[i as usize]))
    }

    /// All triangles \[m\].
    pub fn triangles(&self) -> Vec<[Vector; 3]> {
        (0..self.mesh.num_triangles() as u32).map(|t| self.corners(t)).collect()
    }
}
