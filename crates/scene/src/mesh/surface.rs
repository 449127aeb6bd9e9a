//! Sound surfaces: vertices are joined, degenerate triangles refused.

use super::tets::TetOrigins;
use super::{FilePlace, MeshError, TetMesh};
use std::collections::BTreeMap;
use stiction_core::math::{Vector, larger};

/// A surface of triangles, open or closed.
///
/// Every triangle has three distinct corners and a nonzero area; every vertex belongs to a
/// triangle.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Vertices \[m\], in the order of the file.
    pub vertices: Vec<Vector>,
    /// Corners of each triangle, in the order of the file.
    pub triangles: Vec<[u32; 3]>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

/// A surface as read, not yet checked.
pub(super) struct RawSurface {
    pub vertices: Vec<Vector>,
    /// Indices of the corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// The face from which each triangle is cut.
    pub places: Vec<FacePlace>,
    /// Number of the first vertex in the format: 0 or 1.
    pub first_number: u64,
    /// Place where faces are expected, for the message if there is none.
    pub faces: FilePlace,
}

/// Numbers and places in the file of the vertices and triangles of a surface.
pub(super) struct Origins {
    /// Number of each vertex.
    pub numbers: Vec<u64>,
    /// Face from which each triangle is cut.
    pub places: Vec<FacePlace>,
}

/// Place of a face in the file.
#[derive(Clone, Copy)]
pub(super) struct FacePlace {
    /// The format's word for a face: `face`, `element` or `cell`.
    pub noun: &'static str,
    /// Number of the face, from 1.
    pub number: u64,
    pub at: FilePlace,
}

impl RawSurface {
    /// An empty surface, with vertices numbered from `first_number`.
    pub fn new(first_number: u64, faces: FilePlace) -> Self {
        let (vertices, triangles, places) = (Vec::new(), Vec::new(), Vec::new());
        RawSurface { vertices, triangles, places, first_number, faces }
    }

    /// Cuts a face into triangles about its first corner.
    pub(crate) fn add_face(&mut self, corners: &[u32], place: FacePlace) -> Result<(), MeshError> {
        let [first, rest @ ..] = corners else {
            return Err(place.wrong("has no corners".to_string()));
        };
        if rest.len() < 2 {
            return Err(place.wrong(format!("has {} corners; it needs 3 or more", corners.len())));
        }
        for pair in rest.windows(2) {
            self.triangles.push([*first, pair[0], pair[1]]);
            self.places.push(place);
        }
        Ok(())
    }
}

impl FacePlace {
    /// Place of a face by its number, from 1.
    pub fn face(number: usize, at: FilePlace) -> Self {
        FacePlace { noun: "face", number: number as u64, at }
    }

    /// The error of this face.
    pub fn wrong(self, message: String) -> MeshError {
        MeshError::at(
            self.at,
            format!("{} {} {message}", self.noun, self.number),
            "repair the mesh in the program that made it, or remove the face",
        )
    }
}

/// The boundary of tetrahedra.
pub(super) fn boundary((mesh, origins): (TetMesh, TetOrigins)) -> (SurfaceMesh, Origins) {
    let mut surface =
        SurfaceMesh { vertices: mesh.points, triangles: mesh.surface, remarks: mesh.remarks };
    let TetOrigins { mut numbers, faces, noun } = origins;
    surface.drop_orphans(&mut numbers);
    let place = |tet: super::tets::TetPlace| FacePlace {
        noun,
        number: tet.number,
        at: FilePlace::Line(tet.line),
    };
    (surface, Origins { numbers, places: faces.into_iter().map(place).collect() })
}

impl SurfaceMesh {
    /// Drops vertices without a triangle, with their numbers, and returns how many there were.
    fn drop_orphans(&mut self, numbers: &mut Vec<u64>) -> usize {
        let mut used = vec![false; self.vertices.len()];
        for &corner in self.triangles.iter().flatten() {
            used[corner as usize] = true;
        }
        let mut next = 0;
        let renumbered: Vec<u32> = used
            .iter()
            .map(|&used| {
                let index = next;
                next += u32::from(used);
                index
            })
            .collect();
        for corner in self.triangles.iter_mut().flatten() {
            *corner = renumbered[*corner as usize];
        }
        let mut flags = used.iter();
        self.vertices.retain(|_| flags.next() == Some(&true));
        let mut flags = used.iter();
        numbers.retain(|_| flags.next() == Some(&true));
        used.iter().filter(|&&used| !used).count()
    }
}

/// Checks the surface found by a reader and completes it.
pub(super) fn checked(raw: RawSurface) -> Result<(SurfaceMesh, Origins), MeshError> {
    if raw.triangles.is_empty() {
        return Err(MeshError::at(
            raw.faces,
            format!("the file has no faces, only {} vertices", raw.vertices.len()),
            "save the surface with its triangles",
        ));
    }
    let RawSurface { vertices, mut triangles, places, first_number, .. } = raw;
    let mut numbers: Vec<u64> = (first_number..).take(vertices.len()).collect();
    let first_at = first_at_each_place(&vertices);
    for corner in triangles.iter_mut().flatten() {
        *corner = first_at[*corner as usize];
    }
    for (triangle, place) in triangles.iter().zip(&places) {
        check_triangle(&vertices, *triangle, *place)?;
    }
    let joined = first_at.iter().enumerate().filter(|(i, first)| *i != **first as usize).count();
    let mut mesh = SurfaceMesh { vertices, triangles, remarks: Vec::new() };
    let dropped = mesh.drop_orphans(&mut numbers);
    if joined > 0 {
        mesh.remarks.push(format!(
            "{joined} of {} vertices lie exactly where another does and were joined with it",
            first_at.len()
        ));
    }
    match dropped - joined.min(dropped) {
        0 => {}
        1 => mesh.remarks.push("1 vertex belongs to no triangle and was left out".to_string()),
        n => mesh.remarks.push(format!("{n} vertices belong to no triangle and were left out")),
    }
    Ok((mesh, Origins { numbers, places }))
}

/// For each vertex the first one at exactly the same place.
fn first_at_each_place(vertices: &[Vector]) -> Vec<u32> {
    let mut first = BTreeMap::new();
    // adding zero makes −0 equal to 0
    let key = |v: &Vector| [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits());
    vertices.iter().zip(0..).map(|(v, i)| *first.entry(key(v)).or_insert(i)).collect()
}

/// Refuses a triangle without three distinct corners or without an area.
fn check_triangle(
    vertices: &[Vector],
    triangle: [u32; 3],
    place: FacePlace,
) -> Result<(), MeshError> {
    let [a, b, c] = triangle;
    if a == b || b == c || c == a {
        return Err(place.wrong("is degenerate: it uses the same vertex or place twice".into()));
    }
    let [a, b, c] = triangle.map(|i| vertices[i as usize]);
    let longest = larger(larger((b - a).norm(), (c - b).norm()), (a - c).norm());
    let farthest = larger(larger(a.amax(), b.amax()), c.amax());
    let doubled = (b - a).cross(&(c - a)).norm();
    // an area that cannot be distinguished from zero
    if !doubled.is_normal()
        || doubled <= longest * (1e-12 * longest + 8.0 * f64::EPSILON * farthest)
    {
        return Err(place.wrong(format!(
            "is degenerate: its corners lie on one line, its area is {:e} m²",
            0.5 * doubled
        )));
    }
    Ok(())
}
