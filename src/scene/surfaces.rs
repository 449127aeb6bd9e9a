//! Surfaces of colliders whose numbers stand in files.

use super::Collider;
use super::Scene;
use super::build::{BuildError, make};
use super::mesh::{Heights, MeshError, parse_heights, parse_surface, path_inside, read_file};
use crate::contact::collider::{COLLIDERS, Shape};
use crate::registry::{Problem, Value};

/// The surface of a collider; what a file holds takes the place of its path first.
pub(super) fn collider_shape(
    scene: &Scene,
    collider: &Collider,
    remarks: &mut Vec<String>,
) -> Result<Box<dyn Shape>, BuildError> {
    let choice = &collider.shape;
    let fault =
        |problem: Problem| BuildError::Scene { place: choice.place_of(problem.key), problem };
    let Some(written) = choice.values.get_text("path") else {
        return make(&COLLIDERS, choice).map_err(fault);
    };
    // keys that do not go together are found before the file replaces some
    make(&COLLIDERS, choice).map_err(fault)?;
    let path = path_inside(&scene.folder, written).map_err(fault)?;
    let bytes = read_file(&path, written).map_err(BuildError::Mesh)?;
    let mut loaded = choice.clone();
    loaded.values.0.remove("path");
    let values = &mut loaded.values.0;
    if choice.name == "heightfield" {
        let Heights { columns, heights } =
            parse_heights(written, &bytes).map_err(BuildError::Mesh)?;
        values.insert("columns", Value::Integer(columns as i64));
        values.insert("heights", Value::Numbers(heights));
    } else {
        let mesh = parse_surface(written, &bytes).map_err(BuildError::Mesh)?;
        let corners = |t: &[u32; 3]| t.map(|i| i as usize);
        values.insert("triangles", Value::Triples(mesh.triangles.iter().map(corners).collect()));
        values.insert("vertices", Value::Vectors(mesh.vertices));
        remarks.extend(
            mesh.remarks.iter().map(|remark| format!("collider `{}`: {remark}", collider.name)),
        );
    }
    make(&COLLIDERS, &loaded).map_err(|problem| match problem.key {
        // what the file gave is the file's fault
        Some("vertices" | "triangles" | "heights" | "columns") => BuildError::Mesh(MeshError {
            file: written.to_string(),
            line: None,
            column: None,
            message: problem.message,
            help: problem.help,
        }),
        _ => fault(problem),
    })
}
