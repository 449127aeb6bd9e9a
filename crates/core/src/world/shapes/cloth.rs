//! A rectangular cloth.

use super::grid::LatticeGrid;
use super::{BodyShape, Geometry, Link, Masses};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range};

/// A sheet of n × m particles in the plane z = 0, centred at the origin.
///
/// Particle (ix, iy) has the index ix + n·iy. Springs: neighbours (edge), both diagonals of every
/// cell (face_diagonal), second neighbours along x and y (bend). One sheet of triangles whose
/// normals point along +z. A cloth has no volume, so its body needs a mass, not a density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cloth {
    /// Particles along x and y, each ≥ 2.
    pub counts: [u64; 2],
    /// Distance between neighbours \[m\], > 0.
    pub spacing: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "cloth",
    about: "rectangular sheet in the plane z = 0, centred at the origin",
    keys: &[
        Key {
            name: "counts",
            kind: Kind::Integers,
            default: Fallback::Required,
            about: "particles along x and y, two numbers ≥ 2; index = ix + nx iy",
        },
        Key {
            name: "spacing",
            kind: Kind::Number { unit: "m", range: Range::Positive },
            default: Fallback::Required,
            about: "distance of neighbouring particles",
        },
    ],
    page: Page::NONE,
    make: |values| {
        let counts = values.get_integers("counts").unwrap_or_default();
        let &[n, m] = counts else {
            return Err(Problem::of(
                "counts",
                format!("a cloth takes two counts [nx, ny], found {}", counts.len()),
                "for example counts = [30, 20]; a block of three counts is a `lattice`",
            ));
        };
        if n < 2 || m < 2 {
            return Err(Problem::of(
                "counts",
                format!("counts = [{n}, {m}]: a cloth needs at least 2 particles each way"),
                "use a `rope` for a single line of particles",
            ));
        }
        Ok(Box::new(Cloth {
            counts: [n.unsigned_abs(), m.unsigned_abs()],
            spacing: values.number("spacing"),
        }))
    },
};

impl Cloth {
    fn grid(&self) -> LatticeGrid {
        LatticeGrid { counts: [self.counts[0], self.counts[1], 1], spacing: self.spacing }
    }
}

impl BodyShape for Cloth {
    fn size(&self) -> (u128, u128) {
        self.grid().size()
    }

    fn springs_of(&self, families: [bool; 4]) -> u128 {
        self.grid().springs_of(families)
    }

    fn surface(&self) -> u128 {
        self.grid().triangle_count().saturating_mul(12)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        let links = self.grid().links("counts")?;
        Ok(Geometry { links, ..self.generate_unlisted()? })
    }

    fn rule(&self) -> Option<Box<dyn Iterator<Item = Link> + '_>> {
        Some(Box::new(self.grid().each_link()))
    }

    fn generate_unlisted(&self) -> Result<Geometry, Problem> {
        let grid = self.grid();
        Ok(Geometry {
            positions: grid.positions("counts")?,
            triangles: grid.triangles("counts")?,
            masses: Masses::Even { volume: None },
            ..Geometry::default()
        })
    }
}
