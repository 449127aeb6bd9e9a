//! Triangulated surfaces: nearest point, distance and normal. Only this file uses parry; its tree of
//! boxes finds the nearest triangle.

use super::Gap;
use crate::math::Vector;
use crate::registry::Problem;
use parry3d_f64::math::{Vector as ParryVector, VectorExt};
use parry3d_f64::query::{PointQueryWithLocation, Ray, RayCast};
use parry3d_f64::shape::{TriMesh, Triangle, TrianglePointLocation};

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
    pseudo: PseudoNormals,
}

/// Pseudo-normals. Those of parry have the same bits, but take three times the memory while they are made.
struct PseudoNormals {
    vertices: Vec<ParryVector>,
    /// of the edges of each triangle, from its first corner to its second and so on
    edges: Vec<[ParryVector; 3]>,
}

impl PseudoNormals {
    fn of(mesh: &TriMesh) -> Self {
        let count = mesh.indices().len();
        let mut vertices = vec![ParryVector::ZERO; mesh.vertices().len()];
        let mut normals = Vec::with_capacity(count);
        for (triangle, corners) in mesh.triangles().zip(mesh.indices()) {
            let normal = triangle.normal();
            normals.push(normal.unwrap_or(ParryVector::ZERO));
            let Some(normal) = normal else { continue };
            for (corner, angle) in corners.iter().zip(angles(&triangle)) {
                vertices[*corner as usize] += normal * angle;
            }
        }
        // by edge, then by triangle
        let mut sides = Vec::with_capacity(3 * count);
        for (t, corners) in mesh.indices().iter().enumerate() {
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]];
                sides.push((a.min(b), a.max(b), 3 * t as u32 + k as u32));
            }
        }
        sides.sort_unstable();
        let mut edges = vec![[ParryVector::ZERO; 3]; count];
        for same in sides.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            let mut sum = ParryVector::ZERO;
            same.iter().for_each(|side| sum += normals[side.2 as usize / 3]);
            same.iter().for_each(|side| edges[side.2 as usize / 3][side.2 as usize % 3] = sum);
        }
        PseudoNormals { vertices, edges }
    }
}

/// Angles of a triangle at its corners.
fn angles(Triangle { a, b, c }: &Triangle) -> [f64; 3] {
    let [a, b, c] = [*a, *b, *c];
    [(b - a).angle(c - a), (a - b).angle(c - b), (b - c).angle(a - c)]
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
        let mesh = TriMesh::new(points, triangles).ok()?;
        let pseudo = PseudoNormals::of(&mesh);
        Some(Surface { mesh, normals, pseudo })
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
            TrianglePointLocation::OnEdge(edge, _) => {
                from_parry(self.pseudo.edges[triangle as usize][edge as usize])
            }
            TrianglePointLocation::OnVertex(corner) => {
                let vertex = self.mesh.indices()[triangle as usize][corner as usize];
                from_parry(self.pseudo.vertices[vertex as usize])
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

#[cfg(test)]
mod tests {
    use super::*;
    use parry3d_f64::shape::TriMeshFlags;

    #[test]
    fn pseudo_normals_have_the_bits_of_those_of_parry() {
        let side = 12u32;
        let height = |i: u32, j: u32| f64::from((7 * i + 5 * j * j) % 11) * 0.1;
        let place = |k: u32| (k % side, k / side);
        let points = (0..side * side).map(place);
        let points: Vec<_> = points
            .map(|(i, j)| ParryVector::new(f64::from(i), 0.9 * f64::from(j), height(i, j)))
            .collect();
        let cells = (0..side * (side - 1)).filter(|k| k % side + 1 < side);
        // one more triangle shares an edge with two others
        let triangles: Vec<[u32; 3]> = cells
            .flat_map(|a| [[a, a + 1, a + 1 + side], [a, a + 1 + side, a + side]])
            .chain([[0, 1 + side, 50]])
            .collect();
        let mesh = TriMesh::with_flags(points, triangles, TriMeshFlags::ORIENTED).unwrap();
        let (own, theirs) = (PseudoNormals::of(&mesh), mesh.pseudo_normals().unwrap());
        assert_eq!(own.vertices, theirs.vertices_pseudo_normal);
        assert_eq!(own.edges, theirs.edges_pseudo_normal);
    }
}
