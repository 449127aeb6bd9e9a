//! Sound tetrahedral meshes: checks, edges, surface, volumes.

use super::MeshError;
use stiction_core::math::{Vector, larger};

/// A sound mesh of tetrahedra.
///
/// Every tetrahedron (a, b, c, d) has a positive volume (b−a)·((c−a)×(d−a))/6, tetrahedra meet
/// face to face without overlapping, and every point belongs to at least one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TetMesh {
    /// Points \[m\], in the order of the file.
    pub points: Vec<Vector>,
    /// Corners of each tetrahedron, in the order of the file.
    pub tets: Vec<[u32; 4]>,
    /// The boundary: faces of one tetrahedron only, counter-clockwise seen from outside.
    pub surface: Vec<[u32; 3]>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

/// A mesh as read, not yet checked.
pub(super) struct RawMesh {
    pub points: Vec<Vector>,
    /// Number of each point in the file.
    pub numbers: Vec<u64>,
    pub tets: Vec<[u32; 4]>,
    /// Number and line of each tetrahedron in the file.
    pub places: Vec<TetPlace>,
    /// Line where elements begin, for the message if there is no tetrahedron.
    pub elements: usize,
    /// The format's word for a tetrahedron, `element` or `cell`.
    pub noun: &'static str,
    /// The first of the other elements, for the message if there is no tetrahedron.
    pub others: Option<&'static str>,
}

/// Place of a tetrahedron in the file.
#[derive(Clone, Copy)]
pub(super) struct TetPlace {
    pub number: u64,
    pub line: usize,
}

/// Numbers and places in the file of the points and tetrahedra of a mesh.
pub(super) struct TetOrigins {
    /// Number of each point.
    pub numbers: Vec<u64>,
    /// Tetrahedron to which each face of the boundary belongs.
    pub faces: Vec<TetPlace>,
    /// The format's word for a tetrahedron, `element` or `cell`.
    pub noun: &'static str,
}

/// The faces of a positive tetrahedron, counter-clockwise seen from outside.
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// The edges of a tetrahedron.
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

impl TetMesh {
    /// All edges (i, j), i < j, each once, sorted.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges = Vec::with_capacity(6 * self.tets.len());
        for tet in &self.tets {
            for edge in EDGES {
                let [i, j] = edge.map(|k| tet[k]);
                edges.push([i.min(j), i.max(j)]);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The volume of each tetrahedron \[m³\].
    pub fn volumes(&self) -> impl Iterator<Item = f64> {
        self.tets.iter().map(|&tet| volume(&self.points, tet))
    }

    /// A quarter of the volume of the tetrahedra around each point \[m³\].
    pub fn point_volumes(&self) -> Vec<f64> {
        let mut volumes = vec![0.0; self.points.len()];
        for (tet, volume) in self.tets.iter().zip(self.volumes()) {
            for &corner in tet {
                volumes[corner as usize] += 0.25 * volume;
            }
        }
        volumes
    }

    /// A mesh of tetrahedra made by the program; errors have no place in a file.
    pub fn of(points: Vec<Vector>, tets: Vec<[u32; 4]>) -> Result<TetMesh, MeshError> {
        let numbers = (0..points.len() as u64).collect();
        let places = (1..=tets.len() as u64).map(|number| TetPlace { number, line: 0 }).collect();
        let raw = RawMesh {
            points,
            numbers,
            tets,
            places,
            elements: 0,
            noun: "tetrahedron",
            others: None,
        };
        checked(raw).map(|(mesh, _)| mesh)
    }

    /// Number of pieces of the mesh that no edge connects.
    fn pieces(&self) -> usize {
        let edges = self.tets.iter().flat_map(|tet| [1, 2, 3].map(|k| [tet[0], tet[k]]));
        pieces(self.points.len(), edges)
    }
}

/// Number of pieces into which a set of points falls if only `pairs` connect them.
pub fn pieces(points: usize, pairs: impl Iterator<Item = [u32; 2]>) -> usize {
    let mut parent: Vec<u32> = (0..points as u32).collect();
    let mut pieces = points;
    for [a, b] in pairs {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        if a != b {
            parent[b as usize] = a;
            pieces -= 1;
        }
    }
    pieces
}

/// The representative of the piece that holds point `i`; halves the path to it.
fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

/// The signed volume of a tetrahedron \[m³\].
fn volume(points: &[Vector], tet: [u32; 4]) -> f64 {
    let [a, b, c, d] = tet.map(|i| points[i as usize]);
    (b - a).dot(&(c - a).cross(&(d - a))) / 6.0
}

/// Checks the mesh found by a reader and completes it.
pub(super) fn checked(raw: RawMesh) -> Result<(TetMesh, TetOrigins), MeshError> {
    if raw.tets.is_empty() {
        let found = raw.others.unwrap_or("no elements at all");
        return Err(MeshError::line(
            raw.elements,
            format!("the file holds no tetrahedra ({found})"),
            "mesh the volume, not only its surface (gmsh -3), and save all elements",
        ));
    }
    check_volumes(&raw)?;
    let (surface, faces) = boundary(&raw)?.into_iter().unzip();
    let mut mesh = TetMesh { points: raw.points, tets: raw.tets, surface, remarks: Vec::new() };
    let mut origins = TetOrigins { numbers: raw.numbers, faces, noun: raw.noun };
    drop_orphans(&mut mesh, &mut origins.numbers);
    let pieces = mesh.pieces();
    if pieces > 1 {
        mesh.remarks.push(format!("the mesh falls into {pieces} pieces that no spring joins"));
    }
    Ok((mesh, origins))
}

/// Refuses flat and inverted tetrahedra.
fn check_volumes(raw: &RawMesh) -> Result<(), MeshError> {
    let noun = raw.noun;
    let mut inverted = None;
    let mut inverted_count = 0;
    for (&tet, &place) in raw.tets.iter().zip(&raw.places) {
        let TetPlace { number, line } = place;
        if EDGES.iter().any(|edge| tet[edge[0]] == tet[edge[1]]) {
            return Err(MeshError::line(
                line,
                format!("{noun} {number} is degenerate: it uses the same corner twice"),
                "repair the mesh in the mesher",
            ));
        }
        let volume = volume(&raw.points, tet);
        if volume.abs() <= round_off(&raw.points, tet) {
            return Err(MeshError::line(
                line,
                format!("{noun} {number} is flat: its volume is {volume:e} m³"),
                "repair the mesh in the mesher: remove or split flat tetrahedra",
            ));
        }
        if volume < 0.0 {
            inverted.get_or_insert((place, volume));
            inverted_count += 1;
        }
    }
    let Some((TetPlace { number, line }, volume)) = inverted else {
        return Ok(());
    };
    Err(MeshError::line(
        line,
        format!(
            "{noun} {number} is inverted: its volume is {volume:e} m³ ({inverted_count} of {} tetrahedra are)",
            raw.tets.len()
        ),
        "repair the mesh in the mesher; a mirrored mesh needs two corners of each tetrahedron swapped",
    ))
}

/// The volume below which a tetrahedron cannot be distinguished from a flat one \[m³\].
fn round_off(points: &[Vector], tet: [u32; 4]) -> f64 {
    let corners = tet.map(|i| points[i as usize]);
    let longest = EDGES
        .iter()
        .fold(0.0, |longest, &[i, j]| larger(longest, (corners[j] - corners[i]).norm()));
    let farthest = corners.iter().fold(0.0, |farthest, corner| larger(farthest, corner.amax()));
    longest * longest * (1e-12 * longest + 8.0 * f64::EPSILON * farthest)
}

/// The faces of exactly one tetrahedron, with its place; an error if tetrahedra overlap.
fn boundary(raw: &RawMesh) -> Result<Vec<([u32; 3], TetPlace)>, MeshError> {
    let mut faces: Vec<([u32; 3], [u32; 3], u32)> = Vec::with_capacity(4 * raw.tets.len());
    for (t, tet) in raw.tets.iter().enumerate() {
        for face in FACES {
            let face = face.map(|k| tet[k]);
            let mut key = face;
            key.sort_unstable();
            faces.push((key, turned(face), t as u32));
        }
    }
    faces.sort_unstable();
    let mut surface = Vec::new();
    for same in faces.chunk_by(|a, b| a.0 == b.0) {
        match *same {
            [(_, face, tet)] => surface.push((face, raw.places[tet as usize])),
            [(_, one, _), (_, other, _)] if one != other => {}
            _ => return Err(overlap(raw, same.iter().map(|face| face.2))),
        }
    }
    Ok(surface)
}

/// The same face, rotated to begin with its smallest corner.
fn turned([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// The error of tetrahedra on the same side of one face.
fn overlap(raw: &RawMesh, tets: impl Iterator<Item = u32>) -> MeshError {
    let mut places: Vec<TetPlace> = tets.map(|t| raw.places[t as usize]).collect();
    places.sort_by_key(|place| place.line);
    let numbers: Vec<String> = places.iter().map(|p| p.number.to_string()).collect();
    MeshError::line(
        places.last().map_or(1, |place| place.line),
        format!("{}s {} share one face and overlap", raw.noun, numbers.join(" and ")),
        "repair the mesh in the mesher: remove duplicate elements, or save one partition",
    )
}

/// Drops points without a tetrahedron, which would fall alone, and their numbers.
fn drop_orphans(mesh: &mut TetMesh, numbers: &mut Vec<u64>) {
    let mut used = vec![false; mesh.points.len()];
    for &corner in mesh.tets.iter().flatten() {
        used[corner as usize] = true;
    }
    let orphans = used.iter().filter(|&&used| !used).count();
    if orphans == 0 {
        return;
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
    let mut flags = used.iter();
    mesh.points.retain(|_| flags.next() == Some(&true));
    let mut flags = used.iter();
    numbers.retain(|_| flags.next() == Some(&true));
    let corners = mesh.tets.iter_mut().flatten();
    for corner in corners.chain(mesh.surface.iter_mut().flatten()) {
        *corner = renumbered[*corner as usize];
    }
    mesh.remarks.push(match orphans {
        1 => "1 node belongs to no tetrahedron and was left out".to_string(),
        n => format!("{n} nodes belong to no tetrahedron and were left out"),
    });
}
