//! A body from a mesh file.

use super::{BodyShape, Geometry};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range, Values};

/// The tetrahedra of a mesh file, with particles at its nodes and springs along its edges; or a closed
/// surface to be filled.
///
/// Without `fill`, particles keep the order of the file; nodes without a tetrahedron are left out. All
/// springs are of the `edge` family. Mass is distributed by volume: each corner of a tetrahedron takes a
/// quarter. The surface is the outward boundary of the tetrahedra. With `fill`, the closed surface of
/// the file, or the boundary of its tetrahedra, is filled by the cells of a lattice that lie inside,
/// with a lattice's springs, or by tetrahedra up to the surface \[labelle2007\]. The body's mass is then
/// its density times the volume of the surface.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// The file, relative to the scene's folder.
    pub path: String,
    /// Factor from its coordinates to metres, > 0.
    pub scale: f64,
    /// Filling of a closed surface.
    pub fill: Option<Fill>,
    /// Spacing of the lattice \[m\], > 0.
    pub spacing: Option<f64>,
}

/// Fillings of a closed surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// By cells of a cubic lattice.
    Lattice,
    /// By tetrahedra.
    Tets,
}

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "file",
    about: "body from a mesh file: tetrahedra of Gmsh .msh (4.1, 2.2) or legacy .vtk, ASCII; or a closed surface, .obj, .stl or .ply, to be filled",
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
        Key {
            name: "fill",
            kind: Kind::Word(&["lattice", "tets"]),
            default: Fallback::Optional("the tetrahedra of the file"),
            about: "fills a closed surface: `lattice` by the cells of a lattice that lie inside, `tets` by tetrahedra that end at the surface",
        },
        Key {
            name: "spacing",
            kind: Kind::Number { unit: "m", range: Range::Positive },
            default: Fallback::Optional("with `fill`, a twelfth of the longest side"),
            about: "distance of the lattice's points with `fill`; tetrahedra have edges of this length and of .87 of it",
        },
    ],
    page: Page::NONE,
    make: |values| {
        let file = MeshFile::new(values);
        if file.spacing.is_some() && file.fill.is_none() {
            let message = "`spacing` is that of a fill, and there is none";
            return Err(Problem::of("spacing", message, "add fill = \"lattice\" or \"tets\""));
        }
        Ok(Box::new(file))
    },
};

impl MeshFile {
    /// From checked values.
    pub fn new(values: &Values) -> Self {
        let fill = values.get_text("fill").map(|word| match word {
            "lattice" => Fill::Lattice,
            _ => Fill::Tets,
        });
        MeshFile {
            path: values.text("path").to_string(),
            scale: values.number("scale"),
            fill,
            spacing: values.get_number("spacing"),
        }
    }
}

/// The core reads no file: the scene reads it and builds with its geometry instead.
impl BodyShape for MeshFile {
    fn size(&self) -> (u128, u128) {
        (0, 0)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        let message = format!("the mesh file `{}` has not been read", self.path);
        Err(Problem::of("path", message, "read it, and give its geometry"))
    }
}
