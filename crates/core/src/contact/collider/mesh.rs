//! A closed surface of triangles, from a file or from numbers.

use super::closed::{Counted, SurfaceFault, areas, check, numbered, volume_and_centroid};
use super::sphere::INSIDE;
use super::surface::{Side, Surface, available};
use super::unread::Unread;
use super::{ColliderForm, Gap, Shape};
use crate::math::{Vector, larger, radians, rotation_xyz};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range, Values};

/// The solid inside a closed surface of triangles; with `inside` everything outside it.
///
/// The surface must be closed, every triangle counter-clockwise seen from outside. Self-intersections
/// are not checked.
pub struct Mesh {
    surface: Surface,
    /// Centroid of the volume \[m\].
    centroid: Vector,
    /// Contact on the inside.
    inside: bool,
}

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "mesh",
    about: "solid with a closed surface of triangles, from a file or from numbers, or the inside of one",
    keys: &[
        Key {
            name: "path",
            kind: Kind::Text,
            default: Fallback::Optional("or give vertices and triangles"),
            about: "surface mesh (.obj, .stl, .ply) in the scene's folder or below it; of a tetrahedral mesh (.msh, .vtk) the boundary",
        },
        Key {
            name: "vertices",
            kind: Kind::Vectors { unit: "m" },
            default: Fallback::Optional("instead of a path"),
            about: "corners of the triangles",
        },
        Key {
            name: "triangles",
            kind: Kind::Triples,
            default: Fallback::Optional("instead of a path"),
            about: "vertices of each triangle, counted from 0, counter-clockwise seen from outside",
        },
        Key {
            name: "scale",
            kind: Kind::Number { unit: "", range: Range::Positive },
            default: Fallback::Number(1.0),
            about: "multiplies the coordinates, for example 0.001 for millimetres",
        },
        Key {
            name: "position",
            kind: Kind::Vector { unit: "m", nonzero: false },
            default: Fallback::Vector([0.0, 0.0, 0.0]),
            about: "where the origin of the mesh's coordinates lies",
        },
        Key {
            name: "rotation",
            kind: Kind::Vector { unit: "degrees", nonzero: false },
            default: Fallback::Vector([0.0, 0.0, 0.0]),
            about: "rotation about x, then y, then z through the origin of the mesh's coordinates",
        },
        INSIDE,
    ],
    page: Page {
        formula: "gap = ±|p − q| [m], q the nearest point of the triangles, − inside",
        creep: "",
        stiffness: "",
        when: "Any closed shape from a file; a sphere, box or formula is smoother and faster where one will do. The gap is exact for the triangles as they are; on an edge one contact with one normal is felt. The files must be closed and outward, which is checked and not repaired.",
        source: "",
    },
    make,
};

fn make(values: &Values) -> Result<Box<dyn Shape>, Problem> {
    let numbers = (values.get_vectors("vertices"), values.get_triples("triangles"));
    let (vertices, triangles) = match (values.has("path"), numbers) {
        (true, (None, None)) => return Ok(Box::new(Unread)),
        (false, (Some(vertices), Some(triangles))) => (vertices, triangles),
        _ => {
            return Err(Problem {
                key: None,
                message: "a mesh is given either by `path` or by `vertices` and `triangles`".into(),
                help: "for example mesh = { path = \"meshes/stairs.obj\" }".into(),
            });
        }
    };
    // before the placement, so that errors name the given coordinates
    check(vertices, triangles).map_err(|fault| fault.problem(&Counted(vertices)))?;
    let turn = rotation_xyz(values.vector("rotation").map(radians));
    let (scale, position) = (values.number("scale"), values.vector("position"));
    let placed: Vec<Vector> = vertices.iter().map(|v| turn * (v * scale) + position).collect();
    Ok(Box::new(Mesh::placed(&placed, triangles, values.flag("inside"))?))
}

impl Mesh {
    /// The solid of vertices \[m\] and triangles, each counter-clockwise seen from outside.
    pub fn new(
        vertices: &[Vector],
        triangles: &[[usize; 3]],
        inside: bool,
    ) -> Result<Self, Problem> {
        check(vertices, triangles).map_err(|fault| fault.problem(&Counted(vertices)))?;
        Mesh::placed(vertices, triangles, inside)
    }

    /// The solid of a closed surface, if its scale and position leave computable numbers.
    fn placed(
        vertices: &[Vector],
        triangles: &[[usize; 3]],
        inside: bool,
    ) -> Result<Self, Problem> {
        available()?;
        check_extent(vertices)?;
        let flat = |fault: SurfaceFault| {
            let Problem { message, .. } = fault.problem(&Counted(vertices));
            out_of_scale(format!("once scaled and placed, {message}"))
        };
        let triangles = numbered(vertices.len(), triangles).map_err(flat)?;
        areas(vertices, &triangles).map_err(flat)?;
        let (volume, centroid) = volume_and_centroid(vertices, &triangles);
        let surface = Surface::new(vertices, triangles).filter(|_| volume > 0.0);
        let surface = surface.ok_or_else(|| {
            out_of_scale(format!("once scaled and placed, the mesh has the volume {volume:e} m³"))
        })?;
        Ok(Mesh { surface, centroid, inside })
    }
}

fn out_of_scale(message: String) -> Problem {
    Problem::of(
        "scale",
        message,
        "choose a scale that makes the mesh a few metres or millimetres large, near the origin",
    )
}

/// Coordinates must be finite and not huge.
fn check_extent(vertices: &[Vector]) -> Result<(), Problem> {
    let extent = vertices.iter().map(|v| v.amax()).fold(0.0, larger);
    if extent <= 1e15 && vertices.iter().flatten().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(out_of_scale(format!(
        "the mesh reaches out to {extent:e} m, beyond what can be computed with"
    )))
}

impl Shape for Mesh {
    fn gap(&self, p: Vector) -> Gap {
        let gap = self.surface.gap(p, Side::Oriented);
        if self.inside { Gap { distance: -gap.distance, normal: -gap.normal } } else { gap }
    }

    fn center(&self) -> Vector {
        self.centroid
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![self]
    }

    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Triangles(self.surface.triangles())
    }

    fn is_costly(&self) -> bool {
        true
    }
}
