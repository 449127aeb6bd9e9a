//! Checks surfaces that must bound a solid; errors give the numbers of the file.

use super::MeshError;
use super::surface::{Origins, SurfaceMesh};
use stiction_core::contact::collider::closed::{
    Naming, SurfaceFault, check as check_closed, named_vertex,
};

/// Names of vertices and faces in a file.
struct InFile<'a> {
    mesh: &'a SurfaceMesh,
    origins: &'a Origins,
}

impl Naming for InFile<'_> {
    fn vertex(&self, vertex: u32) -> String {
        let vertex = vertex as usize;
        named_vertex(self.origins.numbers[vertex], self.mesh.vertices[vertex])
    }

    fn triangle(&self, triangle: usize) -> String {
        let place = self.origins.places[triangle];
        format!("{} {}", place.noun, place.number)
    }
}

/// Refuses a surface that is open, folded or inside out, at the place of an offending face.
pub(super) fn check(mesh: &SurfaceMesh, origins: &Origins) -> Result<(), MeshError> {
    let corners = |t: &[u32; 3]| t.map(|i| i as usize);
    let triangles: Vec<[usize; 3]> = mesh.triangles.iter().map(corners).collect();
    check_closed(&mesh.vertices, &triangles).map_err(|fault: SurfaceFault| {
        let problem = fault.problem(&InFile { mesh, origins });
        let place = origins.places[fault.triangle().unwrap_or(0)];
        MeshError::at(place.at, problem.message, problem.help)
    })
}
