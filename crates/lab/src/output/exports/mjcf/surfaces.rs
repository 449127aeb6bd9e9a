//! Geoms of colliders.

use super::numbers;
use stiction_core::contact::collider::{capsule, cuboid, cylinder, plane, sphere};
use stiction_core::math::{Matrix, Vector, radians, rotation_xyz};
use stiction_core::registry::Values;

/// Geom that a collider becomes.
pub(super) struct Surface {
    pub kind: &'static str,
    /// As MJCF writes sizes: radius and half length, or half sizes \[m\].
    pub size: String,
    /// \[m\].
    pub center: Vector,
    /// From the axes of the geom to those of the scene.
    pub turn: Matrix,
}

/// The geom of a shape with these keys.
type Geom = fn(&Values) -> Surface;

/// Shapes with a geom.
pub(super) const GEOMS: [(&str, Geom); 5] = [
    (plane::ENTRY.name, |values| Surface {
        kind: "plane",
        size: "0 0 1".into(),
        center: values.vector("point"),
        turn: upright(values.vector("normal")),
    }),
    (sphere::ENTRY.name, |values| Surface {
        kind: "sphere",
        size: values.number("radius").to_string(),
        center: values.vector("center"),
        turn: Matrix::identity(),
    }),
    (cuboid::ENTRY.name, brick),
    (cylinder::ENTRY.name, |values| round("cylinder", values)),
    (capsule::ENTRY.name, |values| round("capsule", values)),
];

/// The geom of a shape, if it has one.
pub(super) fn surface(shape: &str) -> Option<Geom> {
    GEOMS.iter().find(|(name, _)| *name == shape).map(|(_, geom)| *geom)
}

/// A box, given by two corners or by its centre and its size.
fn brick(values: &Values) -> Surface {
    let corners = values.get_vector("min").zip(values.get_vector("max"));
    let given = || (values.vector("center"), values.vector("size"));
    let (center, size) = corners.map_or_else(given, |(min, max)| ((min + max) * 0.5, max - min));
    let turn = rotation_xyz(values.vector("rotation").map(radians));
    Surface { kind: "box", size: numbers(size * 0.5), center, turn }
}

/// A shape with a radius about an axis of finite length.
fn round(kind: &'static str, values: &Values) -> Surface {
    let length = values.get_number("length").unwrap_or(0.0);
    let size = format!("{} {}", values.number("radius"), 0.5 * length);
    Surface { kind, size, center: values.vector("center"), turn: upright(values.vector("axis")) }
}

/// A rotation that takes z to the direction of a vector.
fn upright(direction: Vector) -> Matrix {
    let n = direction.normalize();
    if n.z <= -1.0 {
        return Matrix::from_diagonal(&Vector::new(1.0, -1.0, -1.0));
    }
    let cross = Vector::z().cross(&n).cross_matrix();
    Matrix::identity() + cross + cross * cross / (1.0 + n.z)
}
