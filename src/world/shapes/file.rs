//! A body from a mesh file.

use super::{BodyShape, Geometry};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range, Values};

/// The tetrahedra of a mesh file: particles at its nodes, springs along its edges.
///
/// Particles keep the order of the file; nodes without a tetrahedron are left out. All springs are
/// of the `edge` family. Mass is spread by volume: each corner of a tetrahedron takes a quarter.
/// The surface is the tetrahedra's boundary, outward.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// The file, relative to the scene's folder.
    pub path: String,
    /// Factor from its coordinates to metres, > 0.
    pub scale: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
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
    make: |values| Ok(Box::new(MeshFile::new(values))),
};

impl MeshFile {
    /// From checked values.
    pub fn new(values: &Values) -> Self {
        MeshFile { path: values.text("path").to_string(), scale: values.number("scale") }
    }
}

/// Rooms below the scene read no file. The scene reads it, and builds with its geometry instead.
impl BodyShape for MeshFile {
    fn size(&self) -> (u128, u128) {
        (0, 0)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        let message = format!("the mesh file `{}` has not been read", self.path);
        Err(Problem::of("path", message, "read it, and give its geometry"))
    }
}
