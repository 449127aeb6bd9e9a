//! Mesh files: tetrahedra from Gmsh `.msh` (4.1 and 2.2, ASCII) and legacy VTK `.vtk` (2.0 to 5.1,
//! ASCII); surfaces from Wavefront `.obj`, `.stl` and `.ply` (ASCII and binary); grids of heights
//! from text.
//!
//! A file becomes either a sound [`TetMesh`], [`SurfaceMesh`] or [`Heights`], or an error with its
//! place and reason; there are no partial meshes. Numbers declared in a file (counts, sizes) are
//! compared with its content; memory is never allocated from them alone.

mod gmsh;
mod heights;
mod obj;
mod open;
mod ply;
mod sniff;
mod solid;
mod stl;
mod surface;
mod tets;
mod text;
mod vtk;

pub use heights::{Heights, parse_heights};
pub use open::{LARGEST_FILE, path_inside, read_file, read_stored};
pub use surface::SurfaceMesh;
pub use tets::{TetMesh, pieces};

/// Reason why a mesh file cannot be used: the place, the fault and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.located())]
pub struct MeshError {
    /// The file as named in the scene.
    pub file: String,
    /// The line, counted from 1; absent in binary content, and when the file cannot be read or its
    /// name is at fault.
    pub line: Option<usize>,
    /// The column, counted from 1, in characters.
    pub column: Option<usize>,
    /// The byte in binary content, counted from 0.
    pub byte: Option<usize>,
    /// The fault, with numbers.
    pub message: String,
    /// The remedy.
    pub help: String,
}

impl MeshError {
    /// `file:line:column: message`, or `file, byte N: message`, as far as the place is known.
    fn located(&self) -> String {
        let place = self.place().unwrap_or_else(|| self.file.clone());
        format!("{place}: {}", self.message)
    }

    /// `file:line:column` or `file, byte N`; none if the fault is not in the content of the file.
    pub fn place(&self) -> Option<String> {
        let file = &self.file;
        match (self.line, self.column, self.byte) {
            (Some(line), Some(column), _) => Some(format!("{file}:{line}:{column}")),
            (Some(line), None, _) => Some(format!("{file}:{line}")),
            (None, _, Some(byte)) => Some(format!("{file}, byte {byte}")),
            (None, _, None) => None,
        }
    }

    /// A fault of a file as a whole; [`MeshError::in_file`] adds its name.
    fn whole(message: impl Into<String>, help: impl Into<String>) -> Self {
        MeshError {
            file: String::new(),
            line: None,
            column: None,
            byte: None,
            message: message.into(),
            help: help.into(),
        }
    }

    /// A fault in a line.
    fn line(line: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        MeshError { line: Some(line), ..MeshError::whole(message, help) }
    }

    /// A fault at a place.
    fn at(place: FilePlace, message: impl Into<String>, help: impl Into<String>) -> Self {
        let (line, byte) = match place {
            FilePlace::Line(line) => (Some(line), None),
            FilePlace::Byte(byte) => (None, Some(byte)),
        };
        MeshError { line, byte, ..MeshError::whole(message, help) }
    }

    /// Names the file.
    fn in_file(self, file: &str) -> Self {
        MeshError { file: file.to_string(), ..self }
    }
}

/// Place in a mesh file: a line of text from 1, a byte of binary content from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FilePlace {
    Line(usize),
    Byte(usize),
}

/// Reads the tetrahedra of a mesh file held in memory.
///
/// `name` is the file's name; its extension (`.msh` or `.vtk`) determines the expected format.
/// Nodes keep the order of the file; nodes without a tetrahedron are dropped with a remark.
pub fn parse_tets(name: &str, bytes: &[u8]) -> Result<TetMesh, MeshError> {
    let read = tets(name, bytes).and_then(tets::checked);
    read.map(|(mesh, _)| mesh).map_err(|error| error.in_file(name))
}

/// Reads the triangles of a surface mesh file held in memory.
///
/// `name` is the file's name; its extension (`.obj`, `.stl`, `.ply`) determines the expected
/// format. Polygons are cut into triangles about their first corner. Vertices at exactly the same
/// place are joined and vertices without a triangle dropped, both with a remark. Of a tetrahedral
/// mesh (`.msh`, `.vtk`) the boundary is taken. The surface may be open.
pub fn parse_surface(name: &str, bytes: &[u8]) -> Result<SurfaceMesh, MeshError> {
    let read = surface(name, bytes).map(|(mesh, _)| mesh);
    read.map_err(|error| error.in_file(name))
}

/// [`parse_surface`] for a surface that must bound a solid: closed, and facing outward.
pub fn parse_solid(name: &str, bytes: &[u8]) -> Result<SurfaceMesh, MeshError> {
    let read = surface(name, bytes).and_then(|(mesh, origins)| {
        solid::check(&mesh, &origins)?;
        Ok(mesh)
    });
    read.map_err(|error| error.in_file(name))
}

fn tets(name: &str, bytes: &[u8]) -> Result<tets::RawMesh, MeshError> {
    match sniff::format(name, bytes)? {
        sniff::MeshFormat::Gmsh => gmsh::read(bytes),
        sniff::MeshFormat::Vtk => vtk::read(bytes),
    }
}

fn surface(name: &str, bytes: &[u8]) -> Result<(SurfaceMesh, surface::Origins), MeshError> {
    let raw = match sniff::surface_format(name, bytes)? {
        sniff::SurfaceFormat::Obj => obj::read(bytes)?,
        sniff::SurfaceFormat::Stl => stl::read(bytes)?,
        sniff::SurfaceFormat::Ply => ply::read(bytes)?,
        sniff::SurfaceFormat::Tets => {
            return tets(name, bytes).and_then(tets::checked).map(surface::boundary);
        }
    };
    surface::checked(raw)
}
