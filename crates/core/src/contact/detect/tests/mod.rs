//! Tests of detection, on a few meshes made here.

mod closest;
mod kinematics;
mod shield;
mod signed;
mod sweep;
mod threads;

use super::*;
use crate::math::Matrix;
use proptest::prelude::*;

/// Particles, triangles and segments of a body, in its own numbers.
#[derive(Debug, Clone, Default)]
struct Mesh {
    positions: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
    segments: Vec<[u32; 2]>,
    radius: f64,
}

impl Mesh {
    fn cloud(positions: Vec<Vector>, radius: f64) -> Mesh {
        Mesh { positions, radius, ..Mesh::default() }
    }

    fn rope(from: Vector, to: Vector, pieces: u32, radius: f64) -> Mesh {
        let at = |i: u32| from + (to - from) * (f64::from(i) / f64::from(pieces));
        let segments = (0..pieces).map(|i| [i, i + 1]).collect();
        Mesh { positions: (0..=pieces).map(at).collect(), segments, radius, ..Mesh::default() }
    }

    /// A square cloth of n × n particles in the plane z = 0.
    fn cloth(n: u32, spacing: f64, radius: f64) -> Mesh {
        let mut mesh = Mesh { radius, ..Mesh::default() };
        for y in 0..n {
            for x in 0..n {
                mesh.positions.push(Vector::new(f64::from(x), f64::from(y), 0.0) * spacing);
                if x + 1 < n && y + 1 < n {
                    let i = x + n * y;
                    mesh.triangles.extend([[i, i + 1, i + n + 1], [i, i + n + 1, i + n]]);
                }
            }
        }
        mesh
    }

    /// A cube [−1, 1]³ of twelve triangles.
    fn cube(radius: f64) -> Mesh {
        let sign = |bit: bool| if bit { 1.0 } else { -1.0 };
        let corner = |i: u32| Vector::new(sign(i & 1 > 0), sign(i & 2 > 0), sign(i & 4 > 0));
        let quads =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
        let positions = (0..8).map(corner).collect();
        Mesh { positions, triangles: triangles.collect(), radius, ..Mesh::default() }
    }

    /// An icosahedron on the unit sphere, each triangle divided into four `times` times.
    fn icosphere(times: u32, radius: f64) -> Mesh {
        let g = 0.5 * (1.0 + 5f64.sqrt());
        let mut positions = Vec::new();
        for (a, b) in [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)] {
            positions.push(Vector::new(a, b, 0.0).normalize());
        }
        for k in 0..4 {
            let v = positions[k];
            positions.push(Vector::new(v.z, v.x, v.y));
        }
        for k in 0..4 {
            let v = positions[k];
            positions.push(Vector::new(v.y, v.z, v.x));
        }
        let mut mesh = Mesh { positions, radius, ..Mesh::default() };
        mesh.triangles = hull(&mesh.positions);
        for _ in 0..times {
            mesh = mesh.divided();
        }
        mesh
    }

    fn divided(&self) -> Mesh {
        let mut fine =
            Mesh { positions: self.positions.clone(), radius: self.radius, ..Mesh::default() };
        for &[a, b, c] in &self.triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|ends| fine.middle(ends));
            fine.triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        fine
    }

    fn middle(&mut self, [i, j]: [u32; 2]) -> u32 {
        let point = (self.positions[i as usize] + self.positions[j as usize]).normalize();
        let known = self.positions.iter().position(|p| (p - point).norm() < 1e-9);
        known.unwrap_or_else(|| {
            self.positions.push(point);
            self.positions.len() - 1
        }) as u32
    }

    /// With further particles that nothing joins.
    fn beside(mut self, points: &[Vector]) -> Mesh {
        self.positions.extend(points);
        self
    }

    fn moved(mut self, rotation: Matrix, by: Vector) -> Mesh {
        for p in &mut self.positions {
            *p = rotation * *p + by;
        }
        self
    }
}

/// Triangles of the convex hull of points, no four of which lie in one plane.
fn hull(points: &[Vector]) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    let n = points.len();
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                let across = (points[b] - points[a]).cross(&(points[c] - points[a]));
                let side = |p: &Vector| across.dot(&(p - points[a])) > 1e-9;
                let [a32, b32, c32] = [a, b, c].map(|i| i as u32);
                if !points.iter().any(side) {
                    triangles.push([a32, b32, c32]);
                } else if !points.iter().any(|p| across.dot(&(p - points[a])) < -1e-9) {
                    triangles.push([a32, c32, b32]);
                }
            }
        }
    }
    triangles
}

/// A detector of several meshes and all their positions.
fn detector(meshes: &[Mesh], self_contact: bool, between: bool) -> (Detector, Vec<Vector>) {
    let mut positions: Vec<Vector> = Vec::new();
    let mut shifted = Vec::new();
    for mesh in meshes {
        let start = positions.len() as u32;
        let triangles: Vec<_> = mesh.triangles.iter().map(|t| t.map(|i| i + start)).collect();
        let segments: Vec<_> = mesh.segments.iter().map(|s| s.map(|i| i + start)).collect();
        let radii = vec![mesh.radius; mesh.positions.len()];
        shifted.push((positions.len(), triangles, segments, radii));
        positions.extend(&mesh.positions);
    }
    let outlines: Vec<BodyOutline> = shifted
        .iter()
        .zip(meshes)
        .map(|((start, triangles, segments, radii), mesh)| BodyOutline {
            particles: *start..start + mesh.positions.len(),
            triangles,
            segments,
            radii,
            reference: &mesh.positions,
        })
        .collect();
    (Detector::new(&outlines, self_contact, between), positions)
}

/// All proximities by the oracle.
fn seen(detector: &Detector, positions: &[Vector], range: f64) -> Vec<Proximity> {
    let mut all = Vec::new();
    detector.brute_force(positions, range, |p| all.push(*p));
    all
}

/// A vector with coordinates in [−1, 1].
fn vector() -> impl Strategy<Value = Vector> {
    (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z)| Vector::new(x, y, z))
}

/// Searched again, a list refers to the last positions alone.
#[test]
fn candidates_hold_the_positions_of_the_last_search() {
    let (detector, _) = detector(&[Mesh::icosphere(0, 0.1)], true, true);
    let mut candidates = crate::state::memory::Candidates::default();
    for k in 0..3 {
        let positions: Vec<Vector> =
            (0..12).map(|i| Vector::new(f64::from(k + i), 0.0, 0.0)).collect();
        detector.refresh(&mut candidates, &positions, 0.1);
        assert_eq!(candidates.positions, positions);
    }
}
