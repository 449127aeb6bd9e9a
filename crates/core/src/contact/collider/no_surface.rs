//! Stub of triangulated surfaces in a build without the feature `mesh`.

use super::Gap;
use crate::math::Vector;
use crate::registry::Problem;

/// Has no value.
pub(crate) enum Surface {}

/// How it is decided whether a point is in the solid.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    /// By the pseudo-normal; for closed surfaces.
    Oriented,
    /// Given: whether the point is in the solid.
    Known(#[allow(dead_code, reason = "read where there are surfaces")] bool),
}

/// Whether this build has triangulated surfaces: no.
pub(super) fn available() -> Result<(), Problem> {
    Err(Problem {
        key: None,
        message: "this build has no surfaces of triangles (feature `mesh`)".into(),
        help: "use a shape with a formula, such as a box or `implicit`".into(),
    })
}

impl Surface {
    /// None.
    pub fn new(_vertices: &[Vector], _triangles: Vec<[u32; 3]>) -> Option<Self> {
        None
    }

    /// Never called.
    pub fn gap(&self, _p: Vector, _side: Side) -> Gap {
        match *self {}
    }

    /// Never called.
    pub fn crossing(&self, _from: Vector, _to: Vector) -> Option<(f64, Vector)> {
        match *self {}
    }

    /// Never called.
    pub fn triangles(&self) -> Vec<[Vector; 3]> {
        match *self {}
    }
}
