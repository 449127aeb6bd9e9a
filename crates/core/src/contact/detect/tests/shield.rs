//! Vertices that their own faces shield from another body.

use super::*;
use crate::math::{cos, sin};
use crate::state::memory::ContactKind;

/// Whether particle `i` of a mesh is shielded from a triangle a tenth away against the direction `n`.
fn is_shielded(mesh: Mesh, i: usize, n: Vector) -> bool {
    let foot = mesh.positions[i] - n * 0.1;
    let along = n.cross(&Vector::y()).normalize();
    let across = n.cross(&along);
    let corners = [along, across - along * 0.5, -across - along * 0.5];
    let other = Mesh {
        positions: corners.map(|corner| foot + corner * 0.05).to_vec(),
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    };
    let (detector, x) = detector(&[mesh, other], false, true);
    let near = seen(&detector, &x, 0.2);
    let found = near
        .iter()
        .find(|near| near.key.kind == ContactKind::Surface && near.particles[0] == i as u32)
        .expect("the particle is near the triangle");
    assert!((found.normal.dot(&n) - 1.0).abs() < 1e-9, "{} {n}", found.normal);
    detector.facing(found, &x).is_none()
}

/// A vertex amid a face meets what lies on its side of the face alone: beyond 60° to its normal the face is in
/// between.
#[test]
fn a_face_shields_its_vertices_from_what_is_beside_it() {
    for degrees in [0.0, 10.0, 25.0, 35.0, 60.0, 90.0] {
        let angle = f64::to_radians(degrees);
        let n = Vector::new(cos(angle), 0.0, sin(angle));
        let shielded = is_shielded(Mesh::cloth(5, 1.0, 0.0), 12, n);
        assert_eq!(shielded, degrees < 30.0, "{degrees}");
    }
}

/// A tip meets what it points at.
#[test]
fn nothing_shields_a_tip() {
    for n in [Vector::new(1.0, 1.0, 1.0), Vector::new(3.0, 1.0, 1.0), Vector::new(1.0, 1.0, 0.2)] {
        let n = n.normalize();
        // the corner at (−1, −1, −1)
        assert!(!is_shielded(Mesh::cube(0.0), 0, n), "{n}");
    }
}

/// A cube that stands on an equal one: each corner is at no distance from three faces of the other cube, and meets the
/// one that it stands on.
#[test]
fn a_corner_on_a_rim_meets_the_face_below_it() {
    let below = Mesh::cube(0.0);
    for shift in [0.0, 1e-17, -1e-17] {
        let positions =
            below.positions.iter().map(|x| x + Vector::new(0.0, 0.0, 2.0 + shift)).collect();
        let above = Mesh { positions, ..below.clone() };
        let (detector, x) = detector(&[below.clone(), above], false, true);
        let near = seen(&detector, &x, 1e-3);
        let near = near.iter().filter(|near| near.key.kind == ContactKind::Surface);
        let met: Vec<Proximity> = near.filter_map(|near| detector.facing(near, &x)).collect();
        assert_eq!(met.len(), 8, "{shift}");
        for near in met {
            let up = if near.key.a < 8 { -1.0 } else { 1.0 };
            assert!((near.normal.z - up).abs() < 1e-12, "{shift}: {}", near.normal);
        }
    }
}

/// A vertex amid a face, just below or above the edge between the vertical and the horizontal part of a sheet: it meets
/// the horizontal one from the side on which it is.
#[test]
fn a_vertex_on_a_rim_of_a_sheet_stays_on_its_side() {
    let places = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
    let positions = places.map(|[x, y, z]| Vector::new(x, y, z)).to_vec();
    for below in [1e-13, -1e-13] {
        // the vertical part is met first, and its normal lies in the face
        let triangles = vec![[0, 1, 3], [1, 2, 0]];
        let sheet = Mesh { positions: positions.clone(), triangles, ..Mesh::default() };
        let cloth = Mesh::cloth(5, 1.0, 0.0);
        let to = Vector::new(0.0, 0.0, -below) - cloth.positions[12];
        let positions = cloth.positions.iter().map(|x| x + to).collect();
        let (detector, x) = detector(&[sheet, Mesh { positions, ..cloth }], false, true);
        let near = seen(&detector, &x, 1e-3);
        let near = near.iter().find(|near| near.key.a == 16).expect("it is near the sheet");
        let found = detector.facing(near, &x).expect("it faces the horizontal part");
        assert!((found.normal.z + below.signum()).abs() < 1e-12, "{below}: {}", found.normal);
        assert!((found.distance - below.abs()).abs() < 1e-15, "{below}: {}", found.distance);
    }
}
