//! Stub of the triangulation in a build without the feature `round`.

use crate::registry::Problem;

/// Points in the plane, joined by triangles.
pub(super) struct Triangles {
    pub edges: Vec<[u32; 2]>,
    pub triangles: Vec<[u32; 3]>,
    pub rim: Vec<[u32; 2]>,
}

impl Triangles {
    /// Always an error.
    pub fn of(_points: &[[f64; 2]]) -> Result<Self, Problem> {
        Err(Problem {
            key: None,
            message: "this build joins no particles by triangles (feature `round`)".into(),
            help: "use another shape, or a geometry of your own".into(),
        })
    }
}
