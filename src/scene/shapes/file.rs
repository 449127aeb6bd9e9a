//! A body from a mesh file.

use super::{Family, Geometry, Link, Masses, Shape, ShapeError};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range};
use crate::scene::mesh::{TetMesh, parse_tets, path_inside, read_file};
use std::path::Path;

/// The tetrahedra of a mesh file: particles at its nodes, springs along its edges.
///
/// Particles keep the order of the file; nodes without a tetrahedron are left out. All springs are
/// of the `edge` family. Mass is spread by volume: each corner of a tetrahedron takes a quarter.
/// The surface is the tetrahedra's boundary, outward.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// The file, relative to the scene's folder.
    pub path: String,
    /// What its coordinates are multiplied by to become metres, > 0.
    pub scale: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "file",
    about: "tetrahedral mesh from a file: Gmsh .msh (4.1, 2.2) or legacy .vtk, ASCII",
    keys: &[
        Key {
            name: "path",
            kind: Kind::Text,
            default: Fallback::Required,
            about: "mesh file in the scene's folder or below it",
        },
        Key {
            name: "scale",
            kind: Kind::Number { unit: "", range: Range::Positive },
            default: Fallback::Number(1.0),
            about: "multiplies the coordinates of the file, for example 0.001 for millimetres",
        },
    ],
    page: Page::NONE,
    make: |values| {
        Ok(Box::new(MeshFile {
            path: values.text("path").to_string(),
            scale: values.number("scale"),
        }))
    },
};

impl Shape for MeshFile {
    fn size(&self) -> (u128, u128) {
        (0, 0)
    }

    fn generate(&self, folder: &Path) -> Result<Geometry, ShapeError> {
        let path = path_inside(folder, &self.path).map_err(ShapeError::Scene)?;
        let bytes = read_file(&path, &self.path).map_err(ShapeError::Mesh)?;
        let mut mesh = parse_tets(&self.path, &bytes).map_err(ShapeError::Mesh)?;
        scale(&mut mesh, self.scale).map_err(ShapeError::Scene)?;
        let links = mesh.edges().into_iter().map(|[i, j]| Link::new(i, j, Family::Edge)).collect();
        Ok(Geometry {
            masses: Masses::ByVolume(mesh.point_volumes()),
            links,
            positions: mesh.points,
            triangles: mesh.surface,
            remarks: mesh.remarks,
            ..Geometry::default()
        })
    }
}

/// Multiplies the coordinates; the result must stay within what the rest of the program takes.
fn scale(mesh: &mut TetMesh, factor: f64) -> Result<(), Problem> {
    for point in &mut mesh.points {
        *point *= factor;
    }
    let extent = mesh.points.iter().map(|p| p.amax()).fold(0.0, crate::math::larger);
    let sound = |volume: f64| volume.is_normal() && volume > 0.0;
    if extent <= 1e15 && mesh.volumes().all(sound) {
        return Ok(());
    }
    Err(Problem::of(
        "scale",
        format!(
            "scale = {factor:e} takes the mesh to {extent:e} m, beyond what can be computed with"
        ),
        "choose a scale that makes the body's size a few metres or millimetres",
    ))
}
