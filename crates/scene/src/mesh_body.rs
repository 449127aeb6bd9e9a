//! Bodies from mesh files.

use super::fill;
use super::folder::Folder;
use super::mesh::{TetMesh, parse_solid, parse_tets, path_inside, read_file, read_stored};
pub use super::shape_error::ShapeError;
use stiction_core::math::Vector;
use stiction_core::registry::Problem;
use stiction_core::world::shapes::file::MeshFile;
use stiction_core::world::shapes::{Family, Geometry, Link, Masses};

/// The bytes of a mesh file that a scene names.
pub(super) fn bytes_of(folder: &Folder, written: &str) -> Result<Vec<u8>, ShapeError> {
    match folder {
        Folder::Disk(folder) => {
            let path = path_inside(folder, written).map_err(ShapeError::Scene)?;
            read_file(&path, written)
        }
        Folder::Memory(files) => read_stored(files, written),
    }
    .map_err(ShapeError::Mesh)
}

/// Reads a mesh, which must lie in `folder` or below it.
pub fn read(file: &MeshFile, folder: &Folder) -> Result<Geometry, ShapeError> {
    let bytes = bytes_of(folder, &file.path)?;
    if let Some(how) = file.fill {
        let mut surface = parse_solid(&file.path, &bytes).map_err(ShapeError::Mesh)?;
        surface.vertices.iter_mut().for_each(|vertex| *vertex *= file.scale);
        check_extent(&surface.vertices, file.scale, true).map_err(ShapeError::Scene)?;
        return fill::filled(&surface, how, file.spacing);
    }
    let mut mesh = parse_tets(&file.path, &bytes).map_err(ShapeError::Mesh)?;
    scale(&mut mesh, file.scale).map_err(ShapeError::Scene)?;
    let links = mesh.edges().into_iter().map(|[i, j]| Link::new(i, j, Family::Edge)).collect();
    Ok(Geometry {
        masses: Masses::ByVolume(mesh.point_volumes()),
        links,
        positions: mesh.points,
        triangles: mesh.surface,
        tetrahedra: mesh.tets,
        remarks: mesh.remarks,
        ..Geometry::default()
    })
}

/// Multiplies the coordinates by `factor`; the result must stay within the range of the program.
fn scale(mesh: &mut TetMesh, factor: f64) -> Result<(), Problem> {
    for point in &mut mesh.points {
        *point *= factor;
    }
    let sound = |volume: f64| volume.is_normal() && volume > 0.0;
    let sound = mesh.volumes().all(sound);
    check_extent(&mesh.points, factor, sound)
}

/// Refuses a scale that takes coordinates or volumes out of the range of the program.
fn check_extent(points: &[Vector], factor: f64, sound: bool) -> Result<(), Problem> {
    let extent = points.iter().map(|p| p.amax()).fold(0.0, stiction_core::math::larger);
    if extent <= 1e15 && sound {
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
