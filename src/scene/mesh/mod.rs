//! Mesh files: tetrahedra from Gmsh `.msh` (4.1 and 2.2, ASCII) and legacy VTK `.vtk` (2.0 to 5.1,
//! ASCII); surfaces from Wavefront `.obj`, `.stl` and `.ply` (ASCII and binary); grids of heights
//! from text.
//!
//! A file either becomes a sound [`TetMesh`], [`SurfaceMesh`] or [`Heights`], or an error that says where and why; there are no
//! partial meshes. Numbers a file declares (counts, sizes) are compared with what follows and never
//! allocated from.

mod gmsh;
mod heights;
mod obj;
mod open;
mod ply;
mod sniff;
mod stl;
mod surface;
mod tets;
mod text;
mod vtk;

pub use heights::{Heights, parse_heights};
pub use open::{LARGEST_FILE, path_inside, read_file};
pub use surface::SurfaceMesh;
pub use tets::TetMesh;

/// Why a mesh file cannot be used: the place, the fault, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.located())]
pub struct MeshError {
    /// The file as the scene names it.
    pub file: String,
    /// The line, counted from 1; absent when the whole file is at fault.
    pub line: Option<usize>,
    /// The column, counted from 1, in characters.
    pub column: Option<usize>,
    /// The fault, with numbers.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl MeshError {
    /// `file:line:column: message`, as far as the place is known.
    fn located(&self) -> String {
        let mut text = self.file.clone();
        for number in [self.line, self.line.and(self.column)].into_iter().flatten() {
            text.push_str(&format!(":{number}"));
        }
        format!("{text}: {}", self.message)
    }

    /// A fault of the whole file, its name to be filled in by [`MeshError::in_file`].
    fn whole(message: impl Into<String>, help: impl Into<String>) -> Self {
        MeshError {
            file: String::new(),
            line: None,
            column: None,
            message: message.into(),
            help: help.into(),
        }
    }

    /// A fault in a line.
    fn line(line: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        MeshError { line: Some(line), ..MeshError::whole(message, help) }
    }

    /// Names the file.
    fn in_file(self, file: &str) -> Self {
        MeshError { file: file.to_string(), ..self }
    }
}

/// Reads the tetrahedra of a mesh file held in memory.
///
/// `name` is the file's name; its extension (`.msh` or `.vtk`) says which format is expected.
/// Nodes keep the order of the file; those that belong to no tetrahedron are dropped with a remark.
pub fn parse_tets(name: &str, bytes: &[u8]) -> Result<TetMesh, MeshError> {
    let read = || {
        let raw = match sniff::format(name, bytes)? {
            sniff::MeshFormat::Gmsh => gmsh::read(bytes)?,
            sniff::MeshFormat::Vtk => vtk::read(bytes)?,
        };
        tets::checked(raw)
    };
    read().map_err(|error| error.in_file(name))
}

/// Reads the triangles of a surface mesh file held in memory.
///
/// `name` is the file's name; its extension (`.obj`, `.stl`, `.ply`) says which format is expected.
/// Polygons are cut into triangles about their first corner. Vertices in exactly the same place are
/// joined, those without a triangle left out, both with a remark. Of a tetrahedral mesh (`.msh`,
/// `.vtk`) the boundary is taken. The surface may be open.
pub fn parse_surface(name: &str, bytes: &[u8]) -> Result<SurfaceMesh, MeshError> {
    let read = || {
        let raw = match sniff::surface_format(name, bytes)? {
            sniff::SurfaceFormat::Obj => obj::read(bytes)?,
            sniff::SurfaceFormat::Stl => stl::read(bytes)?,
            sniff::SurfaceFormat::Ply => ply::read(bytes)?,
            sniff::SurfaceFormat::Tets => return parse_tets(name, bytes).map(SurfaceMesh::from),
        };
        surface::checked(raw)
    };
    read().map_err(|error| error.in_file(name))
}
