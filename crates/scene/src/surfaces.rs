//! Surfaces of colliders from files.

use super::description::{Collider, Scene};
use super::mesh::{Heights, parse_heights, parse_solid};
use super::mesh_body::{ShapeError, bytes_of};
use stiction_core::contact::collider::{COLLIDERS, heightfield};
use stiction_core::registry::{Value, Values};

/// The parameters of a collider's shape; the content of a file replaces its path.
pub(super) fn values(
    scene: &Scene,
    collider: &Collider,
    remarks: &mut Vec<String>,
) -> Result<Values, ShapeError> {
    let choice = &collider.shape;
    let mut loaded = choice.values.clone();
    let Some(written) = choice.values.get_text("path") else { return Ok(loaded) };
    if let Some(row) = COLLIDERS.find(choice.name) {
        // contradicting keys are found before the file replaces some
        (row.make)(&choice.values).map_err(ShapeError::Scene)?;
    }
    let bytes = bytes_of(&scene.folder, written)?;
    loaded.0.remove("path");
    let values = &mut loaded.0;
    if choice.name == heightfield::ENTRY.name {
        let Heights { columns, heights } =
            parse_heights(written, &bytes).map_err(ShapeError::Mesh)?;
        values.insert("columns", Value::Integer(columns as i64));
        values.insert("heights", Value::Numbers(heights));
    } else {
        let mesh = parse_solid(written, &bytes).map_err(ShapeError::Mesh)?;
        let corners = |t: &[u32; 3]| t.map(|i| i as usize);
        values.insert("triangles", Value::Triples(mesh.triangles.iter().map(corners).collect()));
        values.insert("vertices", Value::Vectors(mesh.vertices));
        remarks.extend(
            mesh.remarks.iter().map(|remark| format!("collider `{}`: {remark}", collider.name)),
        );
    }
    Ok(loaded)
}
