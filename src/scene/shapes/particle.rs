//! One particle.

use super::{Geometry, Masses, Shape, ShapeError};
use crate::math::Vector;
use crate::registry::{Entry, Page};
use std::path::Path;

/// A single particle at the origin, without springs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Particle;

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "particle",
    about: "one particle at the origin",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(Particle)),
};

impl Shape for Particle {
    fn size(&self) -> (u128, u128) {
        (1, 0)
    }

    fn generate(&self, _folder: &Path) -> Result<Geometry, ShapeError> {
        Ok(Geometry {
            positions: vec![Vector::zeros()],
            masses: Masses::Even { volume: None },
            ..Geometry::default()
        })
    }
}
