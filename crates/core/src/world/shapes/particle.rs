//! One particle.

use super::{BodyShape, Geometry, Masses};
use crate::math::Vector;
use crate::registry::{Entry, Page, Problem};

/// A single particle at the origin, without springs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Particle;

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "particle",
    about: "one particle at the origin",
    keys: &[],
    page: Page::NONE,
    make: |_| Ok(Box::new(Particle)),
};

impl BodyShape for Particle {
    fn size(&self) -> (u128, u128) {
        (1, 0)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        Ok(Geometry {
            positions: vec![Vector::zeros()],
            masses: Masses::Even { volume: None },
            ..Geometry::default()
        })
    }
}
