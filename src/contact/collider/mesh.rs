//! A closed surface of triangles, from a file or from numbers.

use super::sphere::INSIDE;
use super::surface::{Side, Surface, available};
use super::unread::Unread;
use super::{ColliderForm, Gap, Shape};
use crate::math::{Vector, larger, radians, rotation_xyz};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range, Values};

/// The solid inside a closed surface of triangles; with `inside` everything outside it.
///
/// The surface must be closed, with every triangle counter-clockwise seen from outside; that it does
/// not pass through itself is taken for granted.
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
    let turn = rotation_xyz(values.vector("rotation").map(radians));
    let (scale, position) = (values.number("scale"), values.vector("position"));
    let placed: Vec<Vector> = vertices.iter().map(|v| turn * (v * scale) + position).collect();
    Ok(Box::new(Mesh::new(&placed, triangles, values.flag("inside"))?))
}

impl Mesh {
    /// The solid of vertices \[m\] and triangles, each counter-clockwise seen from outside.
    pub fn new(
        vertices: &[Vector],
        triangles: &[[usize; 3]],
        inside: bool,
    ) -> Result<Self, Problem> {
        available()?;
        let triangles = numbered(vertices.len(), triangles)?;
        check_extent(vertices)?;
        check_areas(vertices, &triangles)?;
        check_repeats(&triangles)?;
        check_edges(vertices, &triangles)?;
        let (volume, centroid) = volume_and_centroid(vertices, &triangles);
        if volume <= 0.0 {
            return Err(wrong(
                format!(
                    "the surface is inside out: all {} triangles face inward, the volume is {volume:e} m³",
                    triangles.len()
                ),
                "reverse the corners of every triangle (flip the normals in the mesh program); a container too is drawn facing outward, and hollowed by inside = true",
            ));
        }
        let surface = Surface::new(vertices, triangles).ok_or_else(|| {
            wrong("the surface has triangles without an area", "repair the mesh in the mesher")
        })?;
        Ok(Mesh { surface, centroid, inside })
    }
}

fn wrong(message: impl Into<String>, help: &str) -> Problem {
    Problem::of("triangles", message, help)
}

/// The triangles in 32-bit numbers, each with three different corners that exist.
fn numbered(vertices: usize, triangles: &[[usize; 3]]) -> Result<Vec<[u32; 3]>, Problem> {
    if triangles.is_empty() {
        return Err(wrong("the mesh has no triangles", "a closed surface has at least four"));
    }
    for (t, corners) in triangles.iter().enumerate() {
        if let Some(bad) = corners.iter().find(|&&i| i >= vertices || i > u32::MAX as usize) {
            return Err(wrong(
                format!("triangle {t} uses vertex {bad}, but there are only {vertices} vertices"),
                "vertices count from 0",
            ));
        }
        let [a, b, c] = corners;
        if a == b || b == c || c == a {
            return Err(wrong(
                format!("triangle {t} is degenerate: it uses the same vertex twice ({corners:?})"),
                "leave such triangles out",
            ));
        }
    }
    Ok(triangles.iter().map(|corners| corners.map(|i| i as u32)).collect())
}

/// Coordinates must be numbers one can compute with.
fn check_extent(vertices: &[Vector]) -> Result<(), Problem> {
    let extent = vertices.iter().map(|v| v.amax()).fold(0.0, larger);
    if extent <= 1e15 && vertices.iter().flatten().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Problem::of(
        "scale",
        format!("the mesh reaches out to {extent:e} m, beyond what can be computed with"),
        "choose a scale that makes the mesh a few metres or millimetres large",
    ))
}

/// Every triangle must have a normal.
fn check_areas(vertices: &[Vector], triangles: &[[u32; 3]]) -> Result<(), Problem> {
    for (t, corners) in triangles.iter().enumerate() {
        let [a, b, c] = corners.map(|i| vertices[i as usize]);
        let sides = [(b - a).norm(), (c - b).norm(), (a - c).norm()];
        let longest = sides.into_iter().fold(0.0, larger);
        let doubled = (b - a).cross(&(c - a)).norm();
        if !doubled.is_normal() || doubled <= 1e-12 * longest * longest {
            return Err(wrong(
                format!("triangle {t} is degenerate: its area is {:e} m²", 0.5 * doubled),
                "remove degenerate triangles in the mesh program, or choose another scale",
            ));
        }
    }
    Ok(())
}

/// No triangle may be there twice, in whatever order of its corners.
fn check_repeats(triangles: &[[u32; 3]]) -> Result<(), Problem> {
    let mut sorted = triangles.to_vec();
    sorted.iter_mut().for_each(|corners| corners.sort_unstable());
    sorted.sort_unstable();
    let repeats: Vec<&[u32; 3]> =
        sorted.windows(2).filter(|two| two[0] == two[1]).map(|two| &two[0]).collect();
    let Some(first) = repeats.first() else { return Ok(()) };
    let number = match repeats.len() {
        1 => "1 triangle is".to_string(),
        n => format!("{n} triangles are"),
    };
    Err(wrong(
        format!("{number} there twice, the first one of the vertices {first:?}"),
        "remove duplicate triangles in the mesh program",
    ))
}

/// Every edge must belong to two triangles that run along it in opposite directions.
fn check_edges(vertices: &[Vector], triangles: &[[u32; 3]]) -> Result<(), Problem> {
    let mut edges: Vec<(u32, u32, bool)> = Vec::with_capacity(3 * triangles.len());
    for [a, b, c] in triangles {
        for (i, j) in [(*a, *b), (*b, *c), (*c, *a)] {
            edges.push((i.min(j), i.max(j), i < j));
        }
    }
    edges.sort_unstable();
    let (mut open, mut crowded, mut turned) = (Vec::new(), Vec::new(), Vec::new());
    for same in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        match *same {
            [(i, j, _)] => open.push((i, j)),
            [(i, j, one), (_, _, other)] if one == other => turned.push((i, j)),
            [_, _] => {}
            [(i, j, _), ..] => crowded.push((i, j)),
            [] => {}
        }
    }
    // a file's own numbers are gone once its vertices are joined, so the place is told
    let first = |edges: &[(u32, u32)]| {
        let place = |i: u32| {
            let p = vertices[i as usize];
            format!("({:.4}, {:.4}, {:.4})", p.x, p.y, p.z)
        };
        let ends = edges.first().map(|(i, j)| (place(*i), place(*j)));
        ends.map_or(String::new(), |(from, to)| format!("the first from {from} to {to} m"))
    };
    if !open.is_empty() {
        return Err(wrong(
            format!(
                "the surface is not closed: {} belong to one triangle only, {}",
                counted(open.len()),
                first(&open)
            ),
            "close its holes in the mesh program, and join vertices that lie in the same place; for open ground use a `heightfield`",
        ));
    }
    if !crowded.is_empty() {
        return Err(wrong(
            format!(
                "the surface is not manifold: {} belong to more than two triangles, {}",
                counted(crowded.len()),
                first(&crowded)
            ),
            "remove duplicate triangles and fins in the mesh program; solids that touch along an edge become a collider each",
        ));
    }
    if !turned.is_empty() {
        return Err(wrong(
            format!(
                "the triangles are not oriented consistently: {} are run along in the same direction by both their triangles, {}",
                counted(turned.len()),
                first(&turned)
            ),
            "let the mesh program recalculate the normals, so that all face outward",
        ));
    }
    Ok(())
}

fn counted(edges: usize) -> String {
    if edges == 1 { "1 edge".to_string() } else { format!("{edges} edges") }
}

/// Σ of the signed tetrahedra between the triangles and the first vertex: V = Σ a·(b×c)/6 and the
/// centroid Σ (a+b+c)/4 a·(b×c)/6 / V.
fn volume_and_centroid(vertices: &[Vector], triangles: &[[u32; 3]]) -> (f64, Vector) {
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
